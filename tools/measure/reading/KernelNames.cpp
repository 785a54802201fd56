// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of kernels as coreside compares them, so that a comparison of nvcc's
// names with clang's holds coreside to its own rule.
//
// In:   one mangled name a line
// Out:  the same kernels, one a line, however they were mangled:
//       _Z1sPi, _ZL1sPi -> s(int*)

#include "resources/KernelName.h"

#include <cstdio>
#include <iostream>
#include <string>

int main() {
  for (std::string name; std::getline(std::cin, name);)
    std::puts(
        coreside::comparableKernel(coreside::withoutLinkage(name)).c_str());
}
