// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BroughtFindings.h"

#include "ShortPath.h"
#include "Variant.h"
#include "control/Fingerprint.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/Path.h"

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

/// Whether `a` says of each GPU of `b` what `b` says, or worse; and of others
/// what it likes.
bool isAsBad(const Finding &a, const Finding &b) {
  return llvm::all_of(b.gpus, [&](const std::string &gpu) {
    return llvm::is_contained(a.gpus, gpu) &&
           outcomeOn(b, gpu) <= outcomeOn(a, gpu);
  });
}

/// A name that stays when the launch itself is rewritten.
std::string looseName(const Finding &finding) {
  std::string name = finding.facts.function + '\0' +
                     llvm::sys::path::filename(finding.place.file).str();
  for (const LaunchFact &launch : finding.facts.launches)
    name += '\0' + launch.kernel;
  return name;
}

/// Takes those of `old` that may be one of `brought`, of a rewritten launch,
/// and puts them down as what was before: of the same rule, or, with `anyRule`,
/// of another one about the same two launches that is as loud. Such rules say
/// how bad it is for the two, so that one follows another.
void matchLoosely(llvm::ArrayRef<Finding> brought, std::vector<Finding> &old,
                  bool anyRule, std::map<std::string, Finding> &before) {
  for (const Finding &finding : brought) {
    if (before.count(finding.fingerprint) ||
        (anyRule && finding.facts.launches.size() < 2))
      continue;
    std::string name = looseName(finding);
    auto was = llvm::find_if(old, [&](const Finding &other) {
      return (anyRule ? other.level == finding.level
                      : other.rule == finding.rule) &&
             looseName(other) == name;
    });
    if (was == old.end())
      continue;
    before.emplace(finding.fingerprint, std::move(*was));
    old.erase(was);
  }
}

/// Takes what was there before out of the unit's findings, which both have
/// fingerprints.
void compare(UnitFindings &unit, std::vector<Finding> old) {
  std::map<std::string, Finding *> known;
  for (Finding &finding : old)
    known[finding.fingerprint] = &finding;
  std::vector<Finding> brought;
  for (Finding &finding : unit.findings) {
    auto was = known.find(finding.fingerprint);
    if (was == known.end()) {
      brought.push_back(std::move(finding));
      continue;
    }
    Finding before = *was->second;
    known.erase(was);
    if (!isAsBad(before, finding)) {
      unit.before.emplace(finding.fingerprint, std::move(before));
      brought.push_back(std::move(finding));
    } else if (!isAsBad(finding, before)) {
      unit.milder.push_back({std::move(before), std::move(finding)});
    }
  }
  llvm::erase_if(old, [&](const Finding &finding) {
    return !known.count(finding.fingerprint);
  });
  matchLoosely(brought, old, /*anyRule=*/false, unit.before);
  matchLoosely(brought, old, /*anyRule=*/true, unit.before);
  unit.gone = std::move(old);
  unit.findings = std::move(brought);
}

} // namespace

void coreside::keepBrought(llvm::MutableArrayRef<UnitFindings> units,
                           const OldSources &old, const UnitOptions &reading,
                           const UnitResourceOptions &resources,
                           Remarks &remarks, bool asksGone) {
  TokenizedFiles files(llvm::vfs::getRealFileSystem());
  TokenizedFiles before(withTexts(old.texts));
  bool anyTouched = false;
  llvm::StringSet<> now;
  for (UnitFindings &unit : units) {
    setFingerprints(unit.findings, files);
    for (const Finding &finding : unit.findings)
      now.insert(finding.fingerprint);
  }
  for (UnitFindings &unit : units) {
    bool isNew = llvm::all_of(unit.units, [&](const Unit &one) {
      return old.lines.count(one.command.file) &&
             !old.texts.count(one.command.file);
    });
    bool isTouched = llvm::any_of(unit.files, [&](const std::string &file) {
      return old.texts.count(file) || old.lines.count(file);
    });
    anyTouched |= isTouched;
    if (isNew || (unit.findings.empty() && !asksGone))
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
        return !isOnChangedLine(finding, old, files);
      });
      continue;
    }
    setFingerprints(*found, before);
    compare(unit, std::move(*found));
  }
  // What another unit has still is not gone.
  for (UnitFindings &unit : units)
    llvm::erase_if(unit.gone, [&](const Finding &finding) {
      return now.contains(finding.fingerprint);
    });
  if (anyTouched && !resources.given.empty())
    remarks.say("note", "with --ptxas-log the kernels before the change are "
                        "taken to be as after it");
}
