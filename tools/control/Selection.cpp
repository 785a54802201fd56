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
    std::optional<AllowedBy> by = allows.allow(finding);
    if (!by)
      found.push_back(std::move(finding));
    else if (finding.level >= (*settings)->level)
      selection.allowed.push_back({std::move(finding), std::move(*by)});
  }

  // Comments are looked at where they did nothing, too.
  for (const auto &file : options.scope.files)
    if (llvm::any_of(options.folders, [&](llvm::StringRef folder) {
          return file.first().starts_with(folder.str() + "/");
        }))
      allows.read(file.first());
  selection.warnings = allows.problems();
  if (options.warnUnusedAllows) {
    llvm::Error wrong = llvm::Error::success();
    std::vector<std::string> unused = allows.unused([&](llvm::StringRef file) {
      auto settings = settingsOf(file);
      if (settings)
        return (*settings)->rules;
      wrong = llvm::joinErrors(std::move(wrong), settings.takeError());
      return RuleSwitches();
    });
    if (wrong)
      return std::move(wrong);
    llvm::append_range(selection.warnings, std::move(unused));
  }

  auto isOn = [&](llvm::StringRef rule, llvm::StringRef file) {
    auto settings = settingsOf(file);
    if (settings)
      return (*settings)->rules.isOn(rule);
    llvm::consumeError(settings.takeError());
    return false;
  };
  if (options.baseline)
    selection.gone = options.baseline->takeGone(found, options.scope, isOn);
  for (Finding &finding : found) {
    const FileSettings &settings = **settingsOf(finding.place.file);
    if (finding.level < settings.level)
      continue;
    if (options.baseline && options.baseline->has(finding)) {
      options.baseline->add(finding);
      selection.known.push_back(std::move(finding));
      continue;
    }
    selection.fails.push_back(finding.level >= settings.failOn);
    selection.findings.push_back(std::move(finding));
  }
  return selection;
}
