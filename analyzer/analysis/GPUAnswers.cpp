// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GPUAnswers.h"

#include "device/Occupancy.h"

#include "llvm/ADT/StringSwitch.h"

#include <algorithm>

using namespace coreside;

namespace {

/// A kernel that ptxas has spoken of for this GPU; nothing where its numbers
/// may still change, or where a carveout was asked for, which occupancy heeds.
struct Subject {
  Footprint footprint;
  unsigned mostThreads = 0;
};

std::optional<Subject> subjectOf(const GPU &gpu, const Program &program,
                                 const ResourceTable &resources,
                                 llvm::StringRef mangled) {
  const auto kernel =
      std::find_if(program.kernels.begin(), program.kernels.end(),
                   [&](const Kernel &one) { return one.mangled == mangled; });
  if (kernel == program.kernels.end())
    return std::nullopt;
  for (const Trace &trace : program.traces)
    for (const Step &step : trace.steps)
      if (step.kind == Step::Kind::FunctionAttribute &&
          step.attribute == "PreferredSharedMemoryCarveout" &&
          (step.kernel < 0 || &program.kernels[step.kernel] == &*kernel))
        return std::nullopt;
  const KernelResources *found = resources.find(
      kernel->mangled, gpu.architecture.capability, nullptr, kernel->unit);
  if (!found || !found->registers || !found->final || found->estimated)
    return std::nullopt;
  Subject subject;
  subject.footprint.registersPerThread = *found->registers;
  subject.footprint.staticShared = found->staticShared.value_or(0);
  subject.footprint.barriers = found->barriers.value_or(0);
  subject.mostThreads = gpu.architecture.threadsPerBlock;
  if (kernel->maxThreads) {
    if (!kernel->maxThreads->isKnown() || kernel->maxThreads->low <= 0)
      return std::nullopt;
    subject.mostThreads =
        std::min<int64_t>(subject.mostThreads, kernel->maxThreads->low);
  }
  return subject;
}

std::optional<Value> property(const GPU &gpu, llvm::StringRef name) {
  const Architecture &a = gpu.architecture;
  const int64_t number =
      llvm::StringSwitch<int64_t>(name)
          .Case("@multiProcessorCount", gpu.SMs)
          .Case("@regsPerBlock", a.registersPerBlock)
          .Case("@l2CacheSize", gpu.l2Bytes ? int64_t(gpu.l2Bytes) : -1)
          .Case("@maxThreadsPerMultiProcessor", a.threadsPerSM)
          .Case("@major", a.capability.major)
          .Case("@minor", a.capability.minor)
          .Case("@sharedMemPerMultiprocessor", a.sharedPerSM)
          .Case("@sharedMemPerBlockOptin", a.sharedPerBlockOptIn)
          .Case("@maxBlocksPerMultiProcessor", a.blocksPerSM)
          .Case("@reservedSharedMemPerBlock", a.sharedReservedPerBlock)
          .Default(-1);
  return number < 0 ? std::nullopt : std::optional(Value::known(number));
}

} // namespace

std::optional<Value> coreside::answerOf(const GPU &gpu, const Program &program,
                                        const ResourceTable &resources,
                                        const FormulaName &asked) {
  if (asked.subject.empty())
    return property(gpu, asked.name);
  if (asked.operands.size() != 2 || !asked.operands[0].isKnown() ||
      !asked.operands[1].isKnown())
    return std::nullopt;
  const int64_t first = asked.operands[0].low, second = asked.operands[1].low;
  auto subject = subjectOf(gpu, program, resources, asked.subject);
  if (!subject || first < 0 || second < 0)
    return std::nullopt;
  Footprint &footprint = subject->footprint;
  auto blocks = [&](int64_t threads) -> int64_t {
    footprint.threadsPerBlock = threads;
    return occupancy(gpu.architecture, footprint).blocksPerSM;
  };
  // Without opting in for more.
  auto fits = [&](int64_t shared) {
    return shared + footprint.staticShared <= gpu.architecture.sharedPerBlock;
  };
  if (asked.name == "@activeBlocks") {
    if (first < 1 || first > subject->mostThreads || !fits(second))
      return std::nullopt;
    footprint.dynamicShared = second;
    return Value::known(blocks(first));
  }
  // cudaOccupancyMaxPotentialBlockSize of cuda_runtime.h: from the largest size
  // down in steps of a warp, the first with the most threads on an SM.
  if (!fits(first))
    return std::nullopt;
  footprint.dynamicShared = first;
  // The most that the registers allow one block is a limit as well.
  int64_t limit = subject->mostThreads;
  if (second)
    limit = std::min(limit, second);
  const int64_t warp = gpu.architecture.warpSize;
  int64_t bestBlock = 0, bestBlocks = 0, most = 0;
  for (int64_t aligned = (limit + warp - 1) / warp * warp; aligned > 0;
       aligned -= warp) {
    const int64_t size = std::min(limit, aligned);
    const int64_t count = blocks(size);
    if (size * count > most) {
      most = size * count;
      bestBlock = size;
      bestBlocks = count;
    }
    if (most == gpu.architecture.threadsPerSM)
      break;
  }
  if (!bestBlock)
    return std::nullopt;
  if (asked.name == "@potentialBlock")
    return Value::known(bestBlock);
  if (asked.name == "@potentialGrid")
    return Value::known(bestBlocks * gpu.SMs);
  return std::nullopt;
}
