// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes as a kernel's name: quickly, and without a long answer.

#include "resources/KernelName.h"

#include <cstdint>
#include <cstdlib>

using namespace coreside;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string_view name(reinterpret_cast<const char *>(data), size);
  std::string once = withoutLinkage(name);
  if (once.size() > size + 16 * (size / 12 + 1))
    abort();
  fileInName(name);
  if (demangledKernel(name).size() > size + (256 << 10))
    abort();
  return 0;
}
