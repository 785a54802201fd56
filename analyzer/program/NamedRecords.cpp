// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NamedRecords.h"

#include <type_traits>
#include <utility>

namespace coreside {

void dropUnnamed(Trace &trace) {
  // `ofStep` calls what it is given with each index in a step.
  auto keepNamed = [&](auto &records, Handed::Kind kind, auto ofStep) {
    std::vector<int> index(records.size(), -1);
    std::remove_reference_t<decltype(records)> kept;
    auto keep = [&](int &at) {
      if (at < 0)
        return;
      if (index[at] < 0) {
        index[at] = kept.size();
        kept.push_back(std::move(records[at]));
      }
      at = index[at];
    };
    auto keepHanded = [&](std::vector<Handed> &list) {
      for (Handed &handed : list)
        if (handed.kind == kind)
          keep(handed.handle);
    };
    for (Step &step : trace.steps)
      ofStep(step, keep);
    for (ExternalCall &call : trace.calls)
      keepHanded(call.arguments);
    keepHanded(trace.leaves);
    records = std::move(kept);
  };
  keepNamed(trace.streams, Handed::Kind::Stream,
            [](Step &step, auto keep) { keep(step.stream); });
  keepNamed(trace.events, Handed::Kind::Event,
            [](Step &step, auto keep) { keep(step.event); });
  keepNamed(trace.allocations, Handed::Kind::Allocation,
            [](Step &step, auto keep) { forEachAllocation(step, keep); });
}

} // namespace coreside
