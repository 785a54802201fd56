// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SizeFixes.h"

#include "BoundsFix.h"
#include "Words.h"

#include <fmt/format.h>

#include <algorithm>

using namespace coreside;

namespace {

const StepText *textOf(const Analysis &analysis, const Step &step) {
  return step.text < 0 || step.kernel < 0
             ? nullptr
             : &analysis.program.stepTexts[step.text];
}

/// Whether a grid or block goes along x alone.
bool isLine(const std::array<Value, 3> &sizes) {
  return sizes[1].number() == 1 && sizes[2].number() == 1;
}

/// Whether `text` is calculated, and so a number: a name may be one of a dim3.
bool isArithmetic(const std::string &text) {
  return text.find_first_of("/*") != std::string::npos &&
         text.find_first_of(",{}\"'\n") == std::string::npos &&
         text.find("//") == std::string::npos &&
         text.find("/*") == std::string::npos;
}

} // namespace

std::optional<Fix> coreside::capGrid(const Analysis &analysis, const Step &step,
                                     uint64_t blocks) {
  const StepText *text = textOf(analysis, step);
  if (!text || !text->grid || !blocks || !isLine(step.grid) ||
      step.cooperative || step.cluster || step.preferredCluster)
    return std::nullopt;
  const Kernel &kernel = analysis.program.kernels[step.kernel];
  if (!kernel.body.anyBlocks || kernel.clusterDims)
    return std::nullopt;
  const std::string &written = text->grid.text;
  std::string capped;
  if (isNumber(written))
    capped = std::to_string(blocks);
  else if (isArithmetic(written))
    capped = fmt::format("min(int({}), {})", written, blocks);
  else
    return std::nullopt;
  return Fix{fmt::format("launch '{}' with {} at most", kernel.name,
                         counted(blocks, "block")),
             {editOf(text->grid, std::move(capped))}};
}

std::optional<Fix> coreside::resizeBlock(const Analysis &analysis,
                                         const Step &step, uint64_t threads) {
  const StepText *text = textOf(analysis, step);
  if (!text || !isNumber(text->block.text) || !threads || threads > 1024 ||
      !isLine(step.block))
    return std::nullopt;
  const Kernel &kernel = analysis.program.kernels[step.kernel];
  if (!kernel.body.anyThreads ||
      (kernel.maxThreads && (!kernel.maxThreads->isKnown() ||
                             kernel.maxThreads->low < int64_t(threads))))
    return std::nullopt;
  return Fix{fmt::format("launch '{}' with blocks of {}", kernel.name,
                         counted(threads, "thread")),
             {editOf(text->block, std::to_string(threads))}};
}
