// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Dependence.h"

using namespace coreside;

Dependence coreside::dependenceOf(const Step &first, const Step &second) {
  Dependence result = Dependence::None;
  for (const KernelArgument &one : first.arguments)
    for (const KernelArgument &two : second.arguments) {
      if (one.allocation < 0 || two.allocation < 0)
        result = Dependence::Unknown;
      else if (one.allocation == two.allocation)
        return Dependence::Shares;
    }
  return result;
}
