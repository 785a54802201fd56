// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// l2-persisting: windows whose lines are to stay in L2 that together want more
// than was set aside for them, and lines that are never given back.
//
//   note: persisting windows of 24 MiB together on a set-aside of 16 MiB
//
// Windows count with the share of their lines that are to stay (hitRatio).

#include "PairView.h"
#include "Rules.h"
#include "Words.h"

#include <fmt/format.h>

#include <map>
#include <optional>

using namespace coreside;

namespace {

bool persists(const Step &step) {
  return step.window && step.window->hit == "persisting";
}

/// Bytes of the window that are to stay; nothing where that is not known.
std::optional<uint64_t> wanted(const Step &step) {
  const std::optional<int64_t> bytes = step.window->bytes.number();
  if (!bytes || !step.window->hitRatio)
    return std::nullopt;
  return uint64_t(double(*bytes) * *step.window->hitRatio);
}

bool isReset(const Step &step) {
  return step.function == "cudaCtxResetPersistingL2Cache" ||
         step.function == "cuCtxResetPersistingL2Cache" ||
         (step.window && !persists(step) && !step.window->hit.empty());
}

Finding findingOn(const Analysis &analysis, const Trace &trace,
                  const Step &step) {
  Finding finding;
  finding.level = Level::Note;
  finding.place = step.place;
  finding.facts.function = trace.function;
  if (step.kind == Step::Kind::Launch)
    finding.facts.launches = {factOf(analysis.program, trace, step)};
  for (const GPU &gpu : analysis.gpus)
    finding.gpus.push_back(gpu.name);
  return finding;
}

/// The set-aside that was asked for last, and where.
struct SetAside {
  std::optional<uint64_t> bytes;
  const Step *step = nullptr;
};

} // namespace

std::vector<Finding> coreside::findL2Persisting(const Analysis &analysis) {
  std::vector<Finding> findings;
  for (const Trace &trace : analysis.program.traces) {
    SetAside aside;
    // By stream, the window that is in force.
    std::map<int, const Step *> windows;
    const Step *last = nullptr;
    bool reported = false;
    for (const Step &step : trace.steps) {
      if (step.attribute == "persistingL2") {
        const std::optional<int64_t> bytes = step.attributeValue.number();
        aside = {bytes ? std::optional<uint64_t>(*bytes) : std::nullopt, &step};
        continue;
      }
      if (isReset(step)) {
        last = nullptr;
        if (step.window)
          windows.erase(step.stream);
        continue;
      }
      if (step.window && !step.window->bytes.number() &&
          step.window->hit.empty()) {
        windows.erase(step.stream);
        continue;
      }
      if (!persists(step))
        continue;
      last = &step;
      windows[step.stream] = &step;
      uint64_t sum = 0;
      bool known = true;
      for (const auto &[stream, window] : windows) {
        const std::optional<uint64_t> bytes = wanted(*window);
        known &= bytes.has_value();
        sum += bytes.value_or(0);
      }
      if (!known || !aside.bytes || sum <= *aside.bytes || reported)
        continue;
      reported = true;
      Finding finding = findingOn(analysis, trace, step);
      finding.message = fmt::format(
          "{} of L2 are to persist for the {} in force, and {} are set aside: "
          "they push each other out",
          bytesInWords(sum), counted(windows.size(), "window"),
          bytesInWords(*aside.bytes));
      finding.notes.push_back({aside.step->place, "they are set aside here"});
      for (const auto &[stream, window] : windows)
        if (window->kind == Step::Kind::Launch && window != &step)
          finding.facts.launches.push_back(
              factOf(analysis.program, trace, *window));
      for (const auto &[stream, window] : windows)
        finding.notes.push_back(
            {window->place,
             fmt::format("{}{} to persist", bytesInWords(*wanted(*window)),
                         stream >= 0 ? fmt::format(" for stream '{}'",
                                                   trace.streams[stream].name)
                                     : std::string())});
      findings.push_back(std::move(finding));
    }
    if (!last)
      continue;
    Finding finding = findingOn(analysis, trace, *last);
    finding.message =
        "lines that persist in L2 are not given back in this function: what "
        "runs later has less of it";
    finding.notes.push_back(
        {last->place, "cudaCtxResetPersistingL2Cache() gives them back, after "
                      "the last kernel that uses them"});
    findings.push_back(std::move(finding));
  }
  return findings;
}
