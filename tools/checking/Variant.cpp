// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Variant.h"

#include "JoinUnits.h"
#include "analysis/Analysis.h"
#include "rules/Rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/xxhash.h"

#include <fmt/format.h>

#include <optional>

using namespace coreside;

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
coreside::withTexts(const SourceTexts &texts) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  // Size and time are what tells one state of a file from another.
  for (const auto &[file, text] : texts)
    memory->addFile(file, llvm::xxh3_64bits(text) >> 32,
                    llvm::MemoryBuffer::getMemBufferCopy(text, file));
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::vfs::createPhysicalFileSystem());
  overlay->pushOverlay(memory);
  return overlay;
}

/// Numbers that were given are of the files as they are, and all there is; else
/// compilers read copies.
static llvm::Expected<ResourceTable> resourcesOf(const Unit &variant,
                                                 const SourceTexts &texts,
                                                 const VariantOptions &options,
                                                 const UnitOptions &reading,
                                                 Remarks &remarks) {
  bool isFileAlone =
      llvm::none_of(variant.program.files, [&](const std::string &file) {
        return file != variant.command.file && texts.count(file);
      });
  if (isFileAlone)
    if (std::optional<ResourceTable> kept =
            keptDeviceResources(variant, reading, options.resources))
      return std::move(*kept);
  std::optional<TextCopies> copies;
  if (options.resources.given.empty()) {
    llvm::Expected<TextCopies> written = TextCopies::write(variant, texts);
    if (!written)
      return written.takeError();
    copies.emplace(std::move(*written));
  }
  auto tables = findResources(copies ? copies->unit() : variant, options.units,
                              options.resources, remarks);
  if (!tables)
    return tables.takeError();
  return std::move(tables->front());
}

llvm::Expected<std::vector<Finding>>
coreside::analyzeVariant(llvm::ArrayRef<Unit> units, const SourceTexts &texts,
                         const VariantOptions &options) {
  std::vector<Unit> variants;
  for (const Unit &unit : units) {
    if (unit.isSummary)
      return llvm::createStringError(
          fmt::format("'{}' is a summary: check the source itself", unit.name));
    Unit &variant = variants.emplace_back();
    variant.name = unit.name;
    variant.command = unit.command;
    variant.gpus = unit.gpus;
  }

  std::string said;
  llvm::raw_string_ostream saying(said);
  Remarks remarks(saying);
  UnitOptions reading = options.units;
  reading.files = withTexts(texts);
  reading.explain = false;
  readPrograms(variants, reading, remarks);
  if (variants.size() != units.size())
    return llvm::createStringError(remarks.firstProblem());
  std::vector<ResourceTable> tables;
  for (const Unit &variant : variants) {
    llvm::Expected<ResourceTable> table =
        resourcesOf(variant, texts, options, reading, remarks);
    if (!table)
      return table.takeError();
    tables.push_back(std::move(*table));
  }
  if (!remarks.firstProblem().empty())
    return llvm::createStringError(remarks.firstProblem());
  std::vector<Finding> findings;
  // With other text they may not belong together any more.
  for (JoinedUnit &joined : joinUnits(std::move(variants), std::move(tables)))
    llvm::append_range(
        findings,
        findAll(analyze(std::move(joined.program), std::move(joined.resources),
                        std::move(joined.gpus), options.ordering)));
  return findings;
}
