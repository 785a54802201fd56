// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FunctionAttributes.h"

#include <algorithm>
#include <string_view>

using namespace coreside;

namespace {

/// Whether `step` sets the attribute of `kernel`, or of a kernel that is not
/// known and may be this one.
bool isOn(const Step &step, int kernel, const char *attribute) {
  return step.kind == Step::Kind::FunctionAttribute &&
         (step.kernel == kernel || step.kernel < 0) &&
         step.attribute == attribute;
}

/// Whether `step` runs whenever `launch` does.
bool runsWith(const Step &step, const Step &launch) {
  return std::all_of(
      step.guards.begin(), step.guards.end(), [&](const Guard &guard) {
        return std::find(launch.guards.begin(), launch.guards.end(), guard) !=
               launch.guards.end();
      });
}

bool neverWith(const Step &step, const Step &launch) {
  for (const Guard &a : step.guards)
    for (const Guard &b : launch.guards)
      if (a.condition == b.condition && a.arm != b.arm)
        return true;
  return false;
}

} // namespace

FunctionAttributes::FunctionAttributes(const Program &program) : P(program) {
  for (const Trace &trace : program.traces) {
    std::vector<unsigned> &writes = Writes.emplace_back();
    for (unsigned i = 0; i != trace.steps.size(); ++i)
      if (trace.steps[i].kind == Step::Kind::FunctionAttribute)
        writes.push_back(i);
  }
}

FunctionAttribute FunctionAttributes::at(const Trace &trace, unsigned launch,
                                         const char *name) const {
  const Step &launched = trace.steps[launch];
  FunctionAttribute attribute;
  // What the launch itself says goes before what the kernel was given.
  if (launched.carveout &&
      std::string_view(name) == "PreferredSharedMemoryCarveout") {
    attribute.value = launched.carveout->number();
    attribute.known = attribute.value.has_value();
    return attribute;
  }
  for (unsigned t = 0; t != P.traces.size(); ++t)
    if (&P.traces[t] != &trace)
      for (unsigned write : Writes[t])
        if (isOn(P.traces[t].steps[write], launched.kernel, name))
          attribute.known = false;
  for (unsigned write : Writes[&trace - P.traces.data()]) {
    if (write >= launch)
      break;
    const Step &step = trace.steps[write];
    if (!isOn(step, launched.kernel, name) || neverWith(step, launched))
      continue;
    if (step.kernel < 0) {
      attribute.known = false;
    } else if (runsWith(step, launched)) {
      attribute.value = step.attributeValue.number();
      attribute.known = attribute.value.has_value();
      attribute.step = static_cast<int>(write);
    } else if (step.attributeValue.number() != attribute.value) {
      attribute.known = false;
    }
  }
  return attribute;
}
