// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// unlaunchable: a launch that the runtime refuses, whatever else runs.
//
//   error: launch of 'jacobian' fails on h100: a block of 512 threads takes
//   more registers than a block can have

#include "NotesByText.h"
#include "Rules.h"
#include "Words.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace coreside;

namespace {

/// One fault of one launch on one GPU, with what is needed to word it.
struct Fault {
  const LaunchFacts &facts;
  const LaunchProblem &problem;
  const Step &step;
  const GPU &gpu;
};

const char *axis(unsigned dimension) {
  static const char *names[] = {"x", "y", "z"};
  return names[dimension < 3 ? dimension : 2];
}

/// What is asked, the same on every GPU.
std::string cause(const Fault &fault) {
  const LaunchProblem &problem = fault.problem;
  switch (problem.fault) {
  case LaunchFault::ZeroDimension:
    return "a dimension of its grid or block is 0";
  case LaunchFault::BlockDimension:
    return fmt::format("its block has {} threads in {}", grouped(problem.asked),
                       axis(problem.dimension));
  case LaunchFault::ThreadsPerBlock:
    return fmt::format("its block has {} threads", grouped(problem.asked));
  case LaunchFault::GridDimension:
    return fmt::format("its grid has {} blocks in {}", grouped(problem.asked),
                       axis(problem.dimension));
  case LaunchFault::LaunchBounds:
    return fmt::format("its block has {} threads, more than the {} of its "
                       "__launch_bounds__",
                       grouped(problem.asked), grouped(problem.limit));
  case LaunchFault::RegistersPerBlock:
    return fmt::format("a block of {} threads takes more registers than a "
                       "block can have",
                       grouped(fault.facts.most.footprint.threadsPerBlock));
  case LaunchFault::SharedWithoutOptIn:
    if (fault.facts.optedIn)
      return fmt::format("it takes {} bytes of dynamic shared memory, the last "
                         "opt-in allows {}",
                         grouped(problem.asked), grouped(problem.limit));
    return fmt::format("it takes {} bytes of dynamic shared memory without "
                       "opting in",
                       grouped(problem.asked));
  case LaunchFault::SharedPerBlock:
    return fmt::format("it takes {} bytes of shared memory a block",
                       grouped(problem.asked));
  case LaunchFault::ClusterSize:
    return fmt::format("its clusters have {}", counted(problem.asked, "block"));
  case LaunchFault::ClusterDoesNotDivideGrid:
    return fmt::format("its grid is not a multiple of its clusters in {}",
                       axis(problem.dimension));
  case LaunchFault::CooperativeGrid:
    return fmt::format("its cooperative grid of {} must be resident at once",
                       counted(problem.asked, "block"));
  }
  return "";
}

/// Faults that another number of registers would take away.
bool restsOnRegisters(LaunchFault fault) {
  return fault == LaunchFault::RegistersPerBlock ||
         fault == LaunchFault::CooperativeGrid;
}

/// The warps that a block's registers are counted for: "13 warps, which count
/// as 16,".
std::string warps(const Fault &fault, const BlockCost &cost) {
  unsigned unit = fault.gpu.architecture.warpAllocationUnit;
  unsigned counts = (cost.warps + unit - 1) / unit * unit;
  std::string text = counted(cost.warps, "warp");
  return counts == cost.warps
             ? text
             : fmt::format("{}, which count as {},", text, counts);
}

/// The limit on one GPU.
std::string limit(const Fault &fault) {
  const LaunchProblem &problem = fault.problem;
  std::string asked = grouped(problem.asked), limit = grouped(problem.limit);
  switch (problem.fault) {
  case LaunchFault::ZeroDimension:
    return "each must be at least 1";
  case LaunchFault::LaunchBounds:
    return fmt::format("launch at most {} threads, or raise the bound", limit);
  case LaunchFault::RegistersPerBlock: {
    BlockCost cost =
        blockCost(fault.gpu.architecture, fault.facts.most.footprint);
    return fmt::format("{} registers a thread are {} a warp, rounded up to {}; "
                       "{} take {}, a block has at most {}",
                       fault.facts.most.footprint.registersPerThread,
                       grouped(cost.registersPerWarp),
                       fault.gpu.architecture.registerAllocationUnit,
                       warps(fault, cost), asked, limit);
  }
  case LaunchFault::SharedWithoutOptIn: {
    // The opt-in limit is for both kinds together as well.
    unsigned fixed = fault.facts.most.footprint.staticShared;
    std::string most =
        grouped(fault.gpu.architecture.sharedPerBlockOptIn - fixed);
    std::string beside =
        fixed ? fmt::format(" beside {} static ones", grouped(fixed)) : "";
    if (fault.facts.optedIn)
      return fmt::format("cudaFuncAttributeMaxDynamicSharedMemorySize was last "
                         "set to {}; up to {} are possible{}",
                         limit, most, beside);
    return fmt::format("{} bytes are left{}; with "
                       "cudaFuncAttributeMaxDynamicSharedMemorySize up to {}",
                       limit, beside, most);
  }
  case LaunchFault::CooperativeGrid:
    return fmt::format("{} hold {}, {} were asked for",
                       counted(fault.gpu.SMs, "SM"),
                       counted(problem.limit, "block"), asked);
  case LaunchFault::ClusterDoesNotDivideGrid:
    return fmt::format("{} is not a multiple of {}", asked, limit);
  default:
    return fmt::format("{} asked, at most {}", asked, limit);
  }
}

} // namespace

std::vector<Finding> coreside::findUnlaunchable(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (unsigned t = 0; t != analysis.traces.size(); ++t) {
    const TraceFacts &facts = analysis.traces[t];
    const Trace &trace = analysis.program.traces[t];
    if (facts.launches.empty())
      continue;
    for (unsigned l = 0; l != facts.launches[0].size(); ++l) {
      // What fails for the same cause on several GPUs is one finding.
      std::map<std::string, Finding> byCause;
      std::map<std::string, NotesByText> limits;
      std::map<std::string, std::vector<std::string>> estimated;
      for (unsigned g = 0; g != analysis.gpus.size(); ++g) {
        const LaunchFacts &launch = facts.launches[g][l];
        const Step &step = trace.steps[launch.step];
        for (const LaunchProblem &problem : launch.problems) {
          // More threads along one axis than a block can have in all are said
          // once, of the block.
          if (problem.fault == LaunchFault::BlockDimension &&
              problem.asked > analysis.gpus[g].architecture.threadsPerBlock)
            continue;
          // What a block that cannot be would take is beside the point, and
          // its footprint is not that of the launch.
          if (problem.fault == LaunchFault::RegistersPerBlock &&
              std::any_of(launch.problems.begin(), launch.problems.end(),
                          [](const LaunchProblem &other) {
                            return other.fault == LaunchFault::ThreadsPerBlock;
                          }))
            continue;
          Fault fault{launch, problem, step, analysis.gpus[g]};
          Finding &finding = byCause[cause(fault)];
          finding.level = Level::Error;
          finding.place = step.place;
          if (!finding.gpus.empty() &&
              finding.gpus.back() == analysis.gpus[g].name)
            continue;
          finding.gpus.push_back(analysis.gpus[g].name);
          if (finding.facts.launches.empty())
            finding.facts.launches = {factOf(analysis.program, trace, step)};
          finding.facts.function = trace.function;
          GPUFact &fact = finding.facts.onGPU.emplace_back();
          fact.gpu = analysis.gpus[g].name;
          fact.architecture = smName(analysis.gpus[g].architecture.capability);
          fact.outcome = Outcome::Fails;
          fact.limiter = launchFaultName(problem.fault);
          if (launch.estimated && restsOnRegisters(problem.fault))
            estimated[cause(fault)].push_back(analysis.gpus[g].name);
          limits[cause(fault)].add(
              fmt::format("{}; {}", limit(fault), problem.error),
              analysis.gpus[g].name);
        }
      }
      for (auto &[why, finding] : byCause) {
        int kernel = trace.steps[facts.launches[0][l].step].kernel;
        finding.message = fmt::format(
            "launch of {} fails on {}: {}",
            kernel >= 0
                ? fmt::format("'{}'", analysis.program.kernels[kernel].name)
                : "a kernel",
            listed(finding.gpus), why);
        limits[why].addTo(finding, finding.place);
        if (const std::vector<std::string> &names = estimated[why];
            !names.empty()) {
          finding.notes.push_back(
              {finding.place, registersAreEstimated(names)});
          if (names.size() == finding.gpus.size())
            finding.level = Level::Note;
        }
        findings.push_back(std::move(finding));
      }
    }
  }
  return findings;
}
