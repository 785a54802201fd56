// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// shared-memory-opt-in: dynamic shared memory that the GPU has and the launch
// may not use: with the static one it is over 48 KiB and
// cudaFuncAttributeMaxDynamicSharedMemorySize was not set, or last set to less.
//
//   error: launch of 'sort' fails on h100: it takes 65,536 bytes of dynamic
//   shared memory without opting in

#include "LaunchFaults.h"
#include "Rules.h"
#include "Words.h"

#include <fmt/format.h>

using namespace coreside;

namespace {

constexpr const char *attribute = "MaxDynamicSharedMemorySize";

bool takes(const FaultyLaunch &fault) {
  return fault.problem.fault == LaunchFault::SharedWithoutOptIn;
}

std::string cause(const FaultyLaunch &fault) {
  std::string asked = amount(fault.problem.asked, fault.asked.dynamicShared);
  if (fault.facts.optedIn)
    return fmt::format("it takes {} bytes of dynamic shared memory, the last "
                       "opt-in allows {}",
                       asked, grouped(fault.problem.limit));
  return fmt::format(
      "it takes {} bytes of dynamic shared memory without opting in", asked);
}

std::string threshold(const FaultyLaunch &fault) {
  return fmt::format("it takes more than the {} bytes of dynamic shared memory "
                     "that {}",
                     grouped(fault.problem.limit),
                     fault.facts.optedIn ? "the last opt-in allows"
                                         : "need no opting in");
}

std::string limit(const FaultyLaunch &fault) {
  // The opt-in limit is for both kinds together as well.
  unsigned fixed = fault.facts.least.footprint.staticShared;
  std::string limit = grouped(fault.problem.limit);
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

/// The call that says how much is allowed, and one before it that allowed
/// enough.
void noteCalls(const FaultyLaunch &fault, Finding &finding) {
  if (fault.facts.optInStep < 0)
    return;
  const std::vector<Step> &steps = fault.trace.steps;
  const Step &last = steps[fault.facts.optInStep];
  for (int i = fault.facts.optInStep - 1; i >= 0; --i) {
    const Step &earlier = steps[i];
    std::optional<int64_t> value = earlier.attributeValue.number();
    if (earlier.kind == Step::Kind::FunctionAttribute &&
        earlier.attribute == attribute && earlier.kernel == last.kernel &&
        value && *value >= static_cast<int64_t>(fault.problem.asked)) {
      finding.notes.push_back(
          {earlier.place, fmt::format("{} bytes are allowed here",
                                      grouped(static_cast<uint64_t>(*value)))});
      break;
    }
  }
  finding.notes.push_back({last.place, "the last call before the launch is "
                                       "here; its value holds for all streams "
                                       "and threads"});
}

/// Whether a call may be given this text a second time.
bool isPure(const std::string &text) {
  return !text.empty() && text.find('=') == std::string::npos &&
         text.find("++") == std::string::npos &&
         text.find("--") == std::string::npos;
}

/// The opt-in, right before the launch.
std::optional<Fix> optIn(const FaultyLaunch &fault) {
  if (fault.step.text < 0)
    return std::nullopt;
  const StepText &text = fault.analysis.program.stepTexts[fault.step.text];
  if (!text.statement || !isPure(text.kernel.text) ||
      !isPure(text.dynamicShared.text))
    return std::nullopt;
  const SourceSpan &statement = text.statement;
  std::string call = fmt::format(
      "cudaFuncSetAttribute({}, cudaFuncAttributeMaxDynamicSharedMemorySize, "
      "{});\n{}",
      text.kernel.text, text.dynamicShared.text, text.indentation);
  return Fix{fmt::format("opt in to {} bytes before the launch",
                         grouped(fault.problem.asked)),
             {{statement.file, statement.line, statement.column, statement.line,
               statement.column, std::move(call)}}};
}

} // namespace

std::vector<Finding> coreside::findSharedMemoryOptIn(const Analysis &analysis) {
  auto extend = [](const FaultyLaunch &fault, Finding &finding) {
    noteCalls(fault, finding);
    if (std::optional<Fix> fix = optIn(fault))
      finding.fixes.push_back(std::move(*fix));
  };
  return launchFaults(analysis,
                      {takes, cause, limit, threshold, extend, false});
}
