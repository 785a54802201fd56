// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams, events and allocations of a trace that something in it names.
//
// In:   streams s, t, u; steps on u and s
// Out:  streams u, s; the steps' numbers are those of the new list

#ifndef CORESIDE_PROGRAM_NAMEDRECORDS_H
#define CORESIDE_PROGRAM_NAMEDRECORDS_H

#include "Program.h"

namespace coreside {

/// Calls `use` with each index of an allocation in `step`; none is -1.
void forEachAllocation(Step &step, auto use) {
  auto maybe = [&](int &at) {
    if (at >= 0)
      use(at);
  };
  maybe(step.target);
  maybe(step.source);
  for (KernelArgument &argument : step.arguments)
    maybe(argument.allocation);
  if (step.window)
    maybe(step.window->allocation);
}

/// Drops the records that no step, no call and nothing that `trace` leaves
/// names; the others stand in the order in which they are named.
void dropUnnamed(Trace &trace);

} // namespace coreside

#endif
