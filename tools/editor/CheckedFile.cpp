// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CheckedFile.h"

#include "checking/JoinUnits.h"
#include "checking/Variant.h"
#include "control/Fixes.h"
#include "control/Selection.h"
#include "device/GPUFile.h"
#include "rules/Rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <set>

using namespace coreside;

static SourceTexts textsOf(const OpenDocuments &documents) {
  SourceTexts texts;
  for (const auto &[path, document] : documents)
    texts[path] = *document.text;
  return texts;
}

SourceTexts ReadFile::unsaved() const {
  SourceTexts texts;
  for (const auto &[path, document] : documents) {
    auto onDisk = llvm::MemoryBuffer::getFile(path);
    if (!onDisk || (*onDisk)->getBuffer() != *document.text)
      texts[path] = *document.text;
  }
  return texts;
}

llvm::Expected<ReadFile> coreside::readFile(const std::string &path,
                                            const OpenDocuments &documents,
                                            const EditorSettings &settings,
                                            CheckingContext &context,
                                            const std::atomic<bool> &stop) {
  ReadFile result;
  result.path = path;
  Configuration configuration = settings.configuration();
  llvm::Expected<Settings> found = configuration.of(path);
  if (!found)
    return found.takeError();
  UnitOptions reading = context.reading;
  reading.stop = &stop;
  reading.preambles = &context.preambles;
  reading.files = withTexts(textsOf(documents));
  if (std::string targets = llvm::join(found->words("targets"), ",");
      !targets.empty()) {
    auto gpus = resolveGPUs(targets, settings.SMs);
    if (!gpus)
      return gpus.takeError();
    reading.gpusOf[path] = std::move(*gpus);
  }

  llvm::raw_string_ostream saying(result.remarks);
  Remarks remarks(saying);
  result.units = findUnits({path}, reading, remarks);
  readPrograms(result.units, reading, remarks);
  if (result.units.empty())
    result.problem = remarks.firstProblem();

  std::set<std::string> files;
  for (const Unit &unit : result.units)
    files.insert(unit.program.files.begin(), unit.program.files.end());
  files.insert(path);
  result.files.assign(files.begin(), files.end());
  for (const std::string &file : files)
    if (auto open = documents.find(file); open != documents.end())
      result.documents.insert(*open);
  if (!stop)
    result.deviceKey = context.deviceTexts.key(result.units, result.documents);
  return result;
}

llvm::Expected<CheckedFile>
coreside::judgeFile(std::shared_ptr<const ReadFile> read,
                    std::vector<ResourceTable> tables,
                    const EditorSettings &settings) {
  CheckedFile result;
  result.read = read;
  Configuration configuration = settings.configuration();
  llvm::Expected<Settings> found = configuration.of(read->path);
  if (!found)
    return found.takeError();
  TimelineOptions ordering;
  ordering.sync = found->syncModel();
  ordering.connections = found->connections();

  SelectionOptions selecting;
  std::vector<Finding> findings;
  for (JoinedUnit &unit : joinUnits(read->units, std::move(tables))) {
    bool hasErrors = !unit.program.unread.empty();
    for (const GPU &gpu : unit.gpus)
      selecting.scope.gpus.insert(gpu.name);
    Analysis &analysis = result.analyses.emplace_back(
        analyze(std::move(unit.program), std::move(unit.resources),
                std::move(unit.gpus), ordering));
    std::vector<Finding> all = findAll(analysis);
    // A fix of what was not read whole may be wrong.
    if (hasErrors)
      for (Finding &finding : all)
        finding.fixes.clear();
    llvm::append_range(findings, std::move(all));
  }
  sortAndMerge(findings);

  Baseline baseline;
  if (!settings.baseline.empty()) {
    llvm::Expected<Baseline> kept = Baseline::read(settings.baseline);
    if (!kept)
      return kept.takeError();
    baseline = std::move(*kept);
    selecting.baseline = &baseline;
  }
  for (const std::string &file : read->files)
    selecting.scope.files.insert(file);
  selecting.folders = foldersToFix(read->path);
  TokenizedFiles files(withTexts(textsOf(read->documents)));
  llvm::Expected<Selection> selection =
      selectFindings(std::move(findings), configuration, files, selecting);
  if (!selection)
    return selection.takeError();
  result.findings = std::move(selection->findings);
  result.warnings = std::move(selection->warnings);
  return result;
}
