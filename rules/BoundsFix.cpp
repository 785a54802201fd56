// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BoundsFix.h"

#include "Words.h"

#include <fmt/format.h>

#include <algorithm>

using namespace coreside;

namespace {

/// Whether both are made from one text: the same kernel, or instantiations of
/// one template.
bool areOneText(const Kernel &a, const Kernel &b) { return a.place == b.place; }

/// Registers that ptxas lets a thread have with `blocks` blocks of `threads`
/// threads on an SM: it rounds down to what the hardware hands out.
unsigned registersWith(const Architecture &architecture, unsigned threads,
                       unsigned blocks) {
  Footprint footprint;
  footprint.threadsPerBlock = threads;
  const unsigned warps = blockCost(architecture, footprint).warps;
  const unsigned each = architecture.registersPerSM / (blocks * warps) /
                        architecture.registerAllocationUnit *
                        architecture.registerAllocationUnit;
  return std::min(each / architecture.warpSize,
                  architecture.registersPerThread);
}

/// Text at the end of `span`.
SourceEdit appended(const SourceSpan &span, std::string text) {
  return {span.file,    span.endLine,   span.endColumn,
          span.endLine, span.endColumn, std::move(text)};
}

/// Fewest registers that a fix leaves a thread; ptxas takes no less.
constexpr unsigned fewestRegisters = 16;

/// The fewest blocks of `threads` per SM with which ptxas keeps to `registers`
/// on every target; nothing where that is too much for one of them.
std::optional<unsigned> blocksForRegisters(const Analysis &analysis,
                                           unsigned threads,
                                           unsigned registers) {
  unsigned blocks = 1;
  for (const GPU &gpu : analysis.gpus)
    while (registersWith(gpu.architecture, threads, blocks) > registers)
      ++blocks;
  for (const GPU &gpu : analysis.gpus)
    if (registersWith(gpu.architecture, threads, blocks) < fewestRegisters ||
        blocks * threads > gpu.architecture.threadsPerSM)
      return std::nullopt;
  return blocks;
}

/// Whether nothing is known to be against other bounds of `kernel`.
bool mayBeBound(const Program &program, const Kernel &kernel) {
  // Instantiations of one template stand at one place; what is right for one
  // need not be for another. nvlink refuses a bounded kernel whose callee in
  // another file takes more registers: "entry function with max regcount of 64
  // calls function with regcount of 220".
  return !program.relocatable && !kernel.maxBlocksPerCluster &&
         !kernel.maxRegisters &&
         std::ranges::count(program.kernels, kernel.place, &Kernel::place) == 1;
}

} // namespace

SourceEdit coreside::editOf(const SourceSpan &span, std::string text) {
  return {span.file,    span.line,      span.column,
          span.endLine, span.endColumn, std::move(text)};
}

bool coreside::isNumber(const std::string &text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return c >= '0' && c <= '9';
  });
}

std::optional<uint64_t> coreside::largestBlock(const Analysis &analysis,
                                               int kernel) {
  const Program &program = analysis.program;
  if (kernel < 0)
    return std::nullopt;
  uint64_t largest = 0;
  for (const Trace &trace : program.traces)
    for (const Step &step : trace.steps) {
      if (step.kind != Step::Kind::Launch)
        continue;
      if (step.kernel < 0)
        return std::nullopt;
      if (!areOneText(program.kernels[step.kernel], program.kernels[kernel]))
        continue;
      uint64_t threads = 1;
      for (const Value &size : step.block) {
        if (!size.isKnown() || size.low < 1 || size.low > 1024)
          return std::nullopt;
        threads *= size.low;
      }
      largest = std::max(largest, threads);
    }
  if (!largest || largest > 1024 || !program.lostLaunches.empty())
    return std::nullopt;
  return largest;
}

std::optional<Fix> coreside::addedBound(const Analysis &analysis, int kernel,
                                        uint64_t minBlocks) {
  std::optional<uint64_t> threads = largestBlock(analysis, kernel);
  if (!threads)
    return std::nullopt;
  const Kernel &record = analysis.program.kernels[kernel];
  const SourceSpan &place = record.text.beforeName;
  // As in mayBeBound.
  if (analysis.program.relocatable)
    return std::nullopt;
  // Who includes a header may launch the kernel with larger blocks.
  if (!place || record.maxThreads || record.maxRegisters ||
      place.file != record.unit)
    return std::nullopt;
  std::string bounds =
      minBlocks ? fmt::format("__launch_bounds__({}, {})", *threads, minBlocks)
                : fmt::format("__launch_bounds__({})", *threads);
  return Fix{fmt::format("give '{}' {}", record.name, bounds),
             {editOf(place, bounds + " ")}};
}

std::optional<Fix> coreside::boundRegisters(const Analysis &analysis,
                                            int kernel, unsigned registers) {
  const Program &program = analysis.program;
  if (kernel < 0 || registers < fewestRegisters ||
      !mayBeBound(program, program.kernels[kernel]))
    return std::nullopt;
  const Kernel &record = program.kernels[kernel];
  if (record.maxThreads) {
    const std::optional<int64_t> threads = record.maxThreads->number();
    if (!threads || *threads < 1 || *threads > 1024)
      return std::nullopt;
    const std::optional<unsigned> blocks =
        blocksForRegisters(analysis, unsigned(*threads), registers);
    const auto &written = record.text.launchBoundsArguments;
    if (!blocks || !written[0])
      return std::nullopt;
    return Fix{fmt::format("give '{}' __launch_bounds__({}, {})", record.name,
                           *threads, *blocks),
               {written[1]
                    ? editOf(written[1], fmt::to_string(*blocks))
                    : appended(written[0], fmt::format(", {}", *blocks))}};
  }
  if (std::optional<uint64_t> threads = largestBlock(analysis, kernel))
    if (std::optional<unsigned> blocks =
            blocksForRegisters(analysis, unsigned(*threads), registers))
      if (std::optional<Fix> fix = addedBound(analysis, kernel, *blocks))
        return fix;
  const SourceSpan &place = record.text.beforeName;
  if (!place || program.cudaVersion < 12040)
    return std::nullopt;
  const std::string bound = fmt::format("__maxnreg__({})", registers);
  return Fix{fmt::format("give '{}' {}", record.name, bound),
             {editOf(place, bound + " ")}};
}

std::optional<Fix> coreside::raisedBound(const Analysis &analysis, int kernel) {
  std::optional<uint64_t> threads = largestBlock(analysis, kernel);
  if (!threads)
    return std::nullopt;
  const Kernel &record = analysis.program.kernels[kernel];
  const SourceSpan &bound = record.text.launchBoundsArguments[0];
  if (!isNumber(bound.text) || !record.maxThreads ||
      record.maxThreads->number() >= static_cast<int64_t>(*threads))
    return std::nullopt;
  return Fix{fmt::format("raise the bound of '{}' to {} threads", record.name,
                         grouped(*threads)),
             {editOf(bound, std::to_string(*threads))}};
}
