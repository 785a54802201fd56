// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Selection.h"

#include "Fingerprint.h"

#include "llvm/ADT/STLExtras.h"

using namespace coreside;

namespace {

/// What is asked of the settings of one file, worked out once.
struct FileSettings {
  RuleSwitches rules;
  Level level;
  Level failOn;
};

} // namespace

llvm::Expected<Selection>
coreside::selectFindings(std::vector<Finding> findings,
                         Configuration &configuration, TokenizedFiles &files,
                         const SelectionOptions &options) {
  llvm::StringMap<FileSettings> known;
  auto settingsOf =
      [&](llvm::StringRef file) -> llvm::Expected<const FileSettings *> {
    auto [entry, isNew] = known.try_emplace(file);
    if (isNew) {
      llvm::Expected<Settings> settings = configuration.of(file);
      if (!settings)
        return settings.takeError();
      entry->second = {settings->rules(), settings->level(),
                       settings->failOn()};
    }
    return &entry->second;
  };

  Selection selection;
  setFingerprints(findings, files);
  Allows allows(files);
  std::vector<Finding> found;
  for (Finding &finding : findings) {
    auto settings = settingsOf(finding.place.file);
    if (!settings)
      return settings.takeError();
    std::optional<Level> level = (*settings)->rules.levelOf(finding);
    if (!level)
      continue;
    finding.level = *level;
    if (!allows.allow(finding))
      found.push_back(std::move(finding));
  }

  // Comments are looked at where they did nothing, too, but not in headers of
  // others.
  for (const auto &file : options.analyzed)
    if (!llvm::StringRef(file.first()).starts_with("/usr/"))
      allows.read(file.first());
  selection.warnings = allows.problems();
  if (options.warnUnusedAllows) {
    llvm::Expected<Settings> settings = configuration.of(".");
    if (!settings)
      return settings.takeError();
    llvm::append_range(selection.warnings, allows.unused(settings->rules()));
  }

  if (options.baseline)
    selection.gone = options.baseline->gone(found, options.analyzed);
  for (Finding &finding : found) {
    const FileSettings &settings = **settingsOf(finding.place.file);
    if (finding.level < settings.level)
      continue;
    if (options.baseline && options.baseline->has(finding)) {
      ++selection.inBaseline;
      continue;
    }
    selection.fails.push_back(finding.level >= settings.failOn);
    selection.findings.push_back(std::move(finding));
  }
  return selection;
}
