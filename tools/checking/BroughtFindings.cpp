// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BroughtFindings.h"

#include "ShortPath.h"
#include "Variant.h"
#include "control/Fingerprint.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <map>

using namespace coreside;

namespace {

/// Whether a line that the finding speaks of is changed.
bool isOnChangedLine(const Finding &finding, const OldSources &old,
                     TokenizedFiles &files) {
  auto isChanged = [&](const SourcePlace &place) {
    auto lines = old.lines.find(place.file);
    const TokenizedFile *file = files.get(place.file);
    if (lines == old.lines.end() || !file)
      return false;
    TokenizedFile::Statement statement =
        file->statementAt(place.line, place.column);
    auto next = lines->second.lower_bound(statement.firstLine);
    return next != lines->second.end() && *next <= statement.lastLine;
  };
  return isChanged(finding.place) ||
         llvm::any_of(
             finding.notes,
             [&](const FindingNote &note) { return isChanged(note.place); }) ||
         llvm::any_of(finding.facts.launches, [&](const LaunchFact &launch) {
           return isChanged(launch.place) ||
                  llvm::any_of(launch.path, [&](const CallSite &call) {
                    return isChanged(call.place);
                  });
         });
}

/// Outcomes are in the order of how bad they are.
Outcome outcomeOn(const Finding &finding, const std::string &gpu) {
  for (const GPUFact &fact : finding.facts.onGPU)
    if (fact.gpu == gpu)
      return fact.outcome;
  return Outcome::Unknown;
}

} // namespace

void coreside::keepBrought(llvm::MutableArrayRef<UnitFindings> units,
                           const OldSources &old, const UnitOptions &reading,
                           const UnitResourceOptions &resources,
                           Remarks &remarks) {
  TokenizedFiles now(llvm::vfs::getRealFileSystem());
  TokenizedFiles before(withTexts(old.texts));
  bool anyTouched = false;
  for (UnitFindings &unit : units) {
    bool isNew = llvm::all_of(unit.units, [&](const Unit &one) {
      return old.lines.count(one.command.file) &&
             !old.texts.count(one.command.file);
    });
    bool isTouched = llvm::any_of(unit.files, [&](const std::string &file) {
      return old.texts.count(file) || old.lines.count(file);
    });
    anyTouched |= isTouched;
    if (isNew || unit.findings.empty())
      continue;
    if (!isTouched) {
      unit.findings.clear();
      continue;
    }
    auto found = analyzeVariant(unit.units, old.texts,
                                {reading, resources, unit.ordering});
    if (!found) {
      remarks.say("note",
                  fmt::format("{}: cannot be analysed as it was, findings on "
                              "changed lines are printed: {}",
                              shortPath(unit.units.front().command.file),
                              llvm::toString(found.takeError())));
      llvm::erase_if(unit.findings, [&](const Finding &finding) {
        return !isOnChangedLine(finding, old, now);
      });
      continue;
    }
    setFingerprints(*found, before);
    setFingerprints(unit.findings, now);
    // What was found before, and how bad it was on each GPU.
    std::map<std::string, std::map<std::string, Outcome>> known;
    for (const Finding &finding : *found)
      for (const std::string &gpu : finding.gpus)
        known[finding.fingerprint][gpu] = outcomeOn(finding, gpu);
    llvm::erase_if(unit.findings, [&](const Finding &finding) {
      auto was = known.find(finding.fingerprint);
      return was != known.end() &&
             llvm::all_of(finding.gpus, [&](const std::string &gpu) {
               auto before = was->second.find(gpu);
               return before != was->second.end() &&
                      outcomeOn(finding, gpu) <= before->second;
             });
    });
  }
  if (anyTouched && !resources.given.empty())
    remarks.say("note", "with --ptxas-log the kernels before the change are "
                        "taken to be as after it");
}
