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
  // nvlink refuses a bounded kernel whose callee in another file takes more
  // registers: "entry function with max regcount of 64 calls function with
  // regcount of 220".
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
