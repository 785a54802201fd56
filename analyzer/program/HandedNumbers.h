// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of a callee in the words of its caller, and what it left or returned.
//
// In:   launch(int n) { k<<<(n + 255) / 256, 256>>>(); } in one file, and
//       launch(1000) in another
// Out:  a grid of 4 blocks

#ifndef CORESIDE_PROGRAM_HANDEDNUMBERS_H
#define CORESIDE_PROGRAM_HANDEDNUMBERS_H

#include "Program.h"

#include <map>
#include <span>
#include <string>

namespace coreside {

class HandedNumbers {
public:
  /// `arguments` is what the call hands over. `prefix` keeps apart what is
  /// called the same on both sides.
  HandedNumbers(const Trace &callee, std::span<const Handed> arguments,
                std::string prefix);
  /// Of a trace whose own calls say what its numbers are, one by one.
  HandedNumbers() = default;

  /// The number that the trace calls `word`; what was handed stays.
  void learn(const std::string &word, Value value);
  bool empty() const { return Known.empty(); }

  /// `value` as it is for this call.
  Value place(const Value &value) const;
  /// All sizes of a step.
  void place(Step &step) const;
  /// What a number is called now that the call does not hand over; empty for
  /// one that it does.
  std::string wordFor(const NumberName &number) const;

private:
  /// By the callee's word for it.
  std::map<std::string, Value> Known;
  std::string Prefix;
};

} // namespace coreside

#endif
