// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchNotes.h"

#include "NotesByText.h"
#include "Words.h"

#include <fmt/format.h>

#include <map>

using namespace coreside;

namespace {

/// The notes about one launch or kernel: one finding for each text.
class ByMessage {
public:
  /// `empty` has the facts that all have.
  explicit ByMessage(Finding empty) : Empty(std::move(empty)) {}

  void add(LaunchNote note, const GPU &gpu) {
    auto [place, isNew] =
        Found.try_emplace({std::move(note.before), std::move(note.after)});
    auto &[finding, details] = place->second;
    if (isNew) {
      finding = Empty;
      finding.fixes = std::move(note.fixes);
      finding.notes = std::move(note.notes);
    }
    finding.gpus.push_back(gpu.name);
    details.add(std::move(note.detail), gpu.name);
  }

  void addTo(std::vector<Finding> &findings,
             const std::function<void(Finding &)> &finish) {
    for (auto &[message, found] : Found) {
      auto &[finding, details] = found;
      finding.level = Level::Note;
      finding.message =
          message.first + " " + listed(finding.gpus) + message.second;
      std::vector<FindingNote> further = std::move(finding.notes);
      finding.notes.clear();
      details.addTo(finding, finding.place);
      finding.notes.insert(finding.notes.end(), further.begin(), further.end());
      if (finish)
        finish(finding);
      findings.push_back(std::move(finding));
    }
  }

private:
  Finding Empty;
  std::map<std::pair<std::string, std::string>, std::pair<Finding, NotesByText>>
      Found;
};

} // namespace

std::vector<Finding> coreside::noteLaunches(
    const Analysis &analysis,
    const std::function<std::optional<LaunchNote>(const LaunchOnGPU &)>
        &judge) {
  std::vector<Finding> findings;
  forEachLaunch(analysis, [&](const LaunchView &view) {
    if (!view.kernel())
      return;
    ByMessage found(findingAt(view));
    for (unsigned g = 0; g != analysis.gpus.size(); ++g)
      if (view.on(g).problems.empty())
        if (std::optional<LaunchNote> note =
                judge({view, view.step, *view.kernel(), view.on(g),
                       analysis.gpus[g]}))
          found.add(std::move(*note), analysis.gpus[g]);
    found.addTo(findings, {});
  });
  return findings;
}

std::vector<Finding> coreside::noteKernels(
    const Analysis &analysis,
    const std::function<std::optional<LaunchNote>(const KernelOnGPU &)> &judge,
    const std::function<void(const Kernel &, Finding &)> &finish) {
  std::vector<Finding> findings;
  for (const Kernel &kernel : analysis.program.kernels) {
    Finding empty;
    empty.place = kernel.place;
    empty.facts.launches = {{kernel.name, kernel.place, {}, {}}};
    ByMessage found(std::move(empty));
    for (const GPU &gpu : analysis.gpus) {
      const ComputeCapability capability = gpu.architecture.capability;
      if (std::optional<LaunchNote> note =
              judge({kernel, gpu,
                     analysis.resources.find(kernel.mangled, capability,
                                             nullptr, kernel.unit),
                     boundsOf(kernel, capability)}))
        found.add(std::move(*note), gpu);
    }
    found.addTo(findings, [&](Finding &finding) {
      if (finish)
        finish(kernel, finding);
    });
  }
  return findings;
}
