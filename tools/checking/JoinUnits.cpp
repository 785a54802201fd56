// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "JoinUnits.h"

#include "program/LinkPrograms.h"

#include "llvm/ADT/STLExtras.h"

using namespace coreside;

std::vector<JoinedUnit> coreside::joinUnits(std::vector<Unit> units,
                                            std::vector<ResourceTable> tables) {
  std::vector<Program> programs;
  for (Unit &unit : units)
    programs.push_back(std::move(unit.program));
  tables.resize(units.size());
  std::vector<JoinedUnit> result;
  for (const std::vector<unsigned> &group : linkedGroups(programs)) {
    JoinedUnit joined;
    if (group.size() == 1) {
      joined.program = std::move(programs[group.front()]);
      joined.resources = std::move(tables[group.front()]);
      // Those that only callers in other files would need.
      llvm::erase_if(joined.program.traces, [](const Trace &trace) {
        return !trace.isRoot || trace.steps.empty();
      });
    } else {
      std::vector<Program> together;
      for (unsigned member : group) {
        together.push_back(std::move(programs[member]));
        for (const KernelResources &record : tables[member].records())
          joined.resources.add(record);
      }
      joined.program = linkPrograms(together);
    }
    for (unsigned member : group)
      for (const GPU &gpu : units[member].gpus)
        if (llvm::none_of(joined.gpus, [&](const GPU &other) {
              return other.name == gpu.name;
            }))
          joined.gpus.push_back(gpu);
    for (unsigned member : group)
      joined.units.push_back(std::move(units[member]));
    result.push_back(std::move(joined));
  }
  return result;
}
