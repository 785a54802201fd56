// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Words.h"

std::string coreside::grouped(uint64_t number) {
  std::string digits = std::to_string(number);
  for (size_t i = digits.size(); i > 3; i -= 3)
    digits.insert(i - 3, ",");
  return digits;
}

std::string coreside::counted(uint64_t number, const char *noun) {
  return grouped(number) + ' ' + noun + (number == 1 ? "" : "s");
}

std::string coreside::bytesInWords(uint64_t bytes) {
  if (bytes && bytes % (1024 * 1024) == 0)
    return grouped(bytes / (1024 * 1024)) + " MiB";
  return bytes && bytes % 1024 == 0 ? grouped(bytes / 1024) + " KiB"
                                    : counted(bytes, "byte");
}

std::string coreside::listed(const std::vector<std::string> &names) {
  std::string list;
  for (size_t i = 0; i != names.size(); ++i) {
    if (i)
      list += i + 1 == names.size() ? " and " : ", ";
    list += names[i];
  }
  return list;
}

std::string
coreside::registersAreEstimated(const std::vector<std::string> &gpus) {
  return "registers for " + listed(gpus) +
         " are an estimate: clang compiled the kernels, nvcc may use more or "
         "fewer";
}
