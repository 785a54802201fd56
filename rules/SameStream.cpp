// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// same-stream: several launches go to one of the streams that a function makes,
// and the others get nothing at all: an index that is always the same.
//
//   warning: all 4 launches go to stream 'streams[0]'; 'streams[1]' is made and
//   never used
//
// A warning for launches that share no memory, or for turns of one launch.
// Quiet as soon as another stream gets anything, a copy or a wait, or is given
// away.

#include "Dependence.h"
#include "Rules.h"
#include "Words.h"

#include <fmt/format.h>

#include <map>

using namespace coreside;

namespace {

/// What the steps of a trace do with a stream.
struct Use {
  std::vector<unsigned> launches;
  bool destroyed = false;
  bool other = false;
};

std::map<int, Use> usesOf(const Trace &trace) {
  std::map<int, Use> uses;
  for (unsigned s = 0; s != trace.steps.size(); ++s) {
    const Step &step = trace.steps[s];
    if (step.stream < 0)
      continue;
    Use &use = uses[step.stream];
    if (step.kind == Step::Kind::Launch)
      use.launches.push_back(s);
    else if (step.kind == Step::Kind::StreamDestroy)
      use.destroyed = true;
    else if (step.kind != Step::Kind::StreamSynchronize)
      use.other = true;
  }
  return uses;
}

/// "streams" of "streams[0]"; empty for a stream that is no element.
std::string arrayOf(const std::string &name) {
  const size_t bracket = name.rfind('[');
  return bracket == std::string::npos ? std::string() : name.substr(0, bracket);
}

/// Something that is not CUDA's may use any stream.
bool callsOthers(const Trace &trace) {
  for (const Step &step : trace.steps)
    if (step.kind == Step::Kind::Opaque)
      return true;
  return !trace.cuts.empty();
}

/// Whether the launches look as if they were meant to run together: turns of
/// one, or such as share no memory.
bool areApart(const Trace &trace, const std::vector<unsigned> &launches) {
  for (size_t i = 1; i != launches.size(); ++i) {
    const Step &one = trace.steps[launches[i - 1]];
    const Step &two = trace.steps[launches[i]];
    if (one.place == two.place && one.kernel == two.kernel)
      continue;
    if (one.arguments.empty() || two.arguments.empty() ||
        dependenceOf(one, two) != Dependence::None)
      return false;
  }
  return true;
}

} // namespace

std::vector<Finding> coreside::findSameStream(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (const Trace &trace : analysis.program.traces) {
    if (callsOthers(trace))
      continue;
    const std::map<int, Use> uses = usesOf(trace);
    for (const auto &[used, use] : uses) {
      const Stream &stream = trace.streams[used];
      const std::string array = arrayOf(stream.name);
      if (use.launches.size() < 2 || array.empty() || !stream.isOne ||
          stream.origin != Stream::Origin::Created)
        continue;
      std::vector<std::string> idle;
      SourcePlace idlePlace;
      bool othersUsed = false;
      for (const auto &[index, other] : uses) {
        if (index == used || arrayOf(trace.streams[index].name) != array)
          continue;
        othersUsed |= other.other || !other.launches.empty();
        if (!other.destroyed)
          continue;
        idle.push_back('\'' + trace.streams[index].name + '\'');
        idlePlace = trace.streams[index].place;
      }
      if (idle.empty() || othersUsed)
        continue;
      const Step &second = trace.steps[use.launches[1]];
      Finding finding;
      finding.level =
          areApart(trace, use.launches) ? Level::Warning : Level::Note;
      finding.place = second.place;
      finding.message = fmt::format(
          "all {} launches go to stream '{}'; {} {} made and never used",
          grouped(use.launches.size()), stream.name, listed(idle),
          idle.size() == 1 ? "is" : "are");
      finding.notes.push_back(
          {idlePlace, fmt::format("the streams of '{}' are made here", array)});
      finding.facts.function = trace.function;
      for (unsigned launch : {use.launches[0], use.launches[1]})
        finding.facts.launches.push_back(
            factOf(analysis.program, trace, trace.steps[launch]));
      for (const GPU &gpu : analysis.gpus)
        finding.gpus.push_back(gpu.name);
      findings.push_back(std::move(finding));
    }
  }
  return findings;
}
