// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers and lists as messages write them.

#ifndef CORESIDE_RULES_WORDS_H
#define CORESIDE_RULES_WORDS_H

#include <cstdint>
#include <string>
#include <vector>

namespace coreside {

/// 65536 as "65,536".
std::string grouped(uint64_t number);

/// "1 block", "12 blocks".
std::string counted(uint64_t number, const char *noun);

/// Bytes as "50 KiB" or "1,400 bytes".
std::string bytesInWords(uint64_t bytes);

/// {"a100", "h100", "l4"} as "a100, h100 and l4".
std::string listed(const std::vector<std::string> &names);

/// The note of a finding that rests on estimated registers on these GPUs, which
/// is why it is no more than a note where all are.
std::string registersAreEstimated(const std::vector<std::string> &gpus);

} // namespace coreside

#endif
