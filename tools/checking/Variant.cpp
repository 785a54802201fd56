// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Variant.h"

#include "JoinUnits.h"
#include "analysis/Analysis.h"
#include "rules/Rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

using namespace coreside;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
coreside::withTexts(const SourceTexts &texts) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  for (const auto &[file, text] : texts)
    memory->addFile(file, 0, llvm::MemoryBuffer::getMemBufferCopy(text, file));
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::vfs::createPhysicalFileSystem());
  overlay->pushOverlay(memory);
  return overlay;
}

namespace {

llvm::Error cannot(StringRef what, std::error_code error) {
  // No test: it takes a full disk.
  return llvm::createStringError(fmt::format(
      "cannot make a temporary copy: {}: {}", what.str(), error.message()));
}

/// The folder that all of `texts` and `file` are below.
std::string commonFolder(const SourceTexts &texts, StringRef file) {
  StringRef folder = path::parent_path(file);
  for (const auto &[other, text] : texts)
    while (!folder.empty() && folder != "/" &&
           !StringRef(other).starts_with(folder.str() + "/"))
      folder = path::parent_path(folder);
  return folder.str();
}

/// Files as a compiler that reads the disk can see them: below `root`, where
/// they were below their common folder, so that they find each other.
llvm::Error writeCopies(const SourceTexts &texts, StringRef common,
                        StringRef root) {
  for (const auto &[file, text] : texts) {
    llvm::SmallString<128> copy(root);
    path::append(copy, StringRef(file).drop_front(common.size()));
    if (std::error_code error = fs::create_directories(path::parent_path(copy)))
      return cannot(copy, error);
    std::error_code error;
    llvm::raw_fd_ostream out(copy, error);
    if (!error) {
      out << text;
      out.flush();
      error = out.error();
      out.clear_error();
    }
    if (error)
      return cannot(copy, error);
  }
  return llvm::Error::success();
}

llvm::Expected<ResourceTable> resourcesOf(Unit variant, SourceTexts texts,
                                          const VariantOptions &options,
                                          Remarks &remarks) {
  llvm::SmallString<128> root;
  // Numbers that were given are of the files as they are, and all there is.
  bool compiles = options.resources.given.empty();
  auto removeIt = llvm::scope_exit([&] {
    if (!root.empty())
      fs::remove_directories(root);
  });
  if (compiles) {
    if (std::error_code error = fs::createUniqueDirectory("coreside", root))
      return cannot("a folder", error);
    std::string file = variant.command.file;
    if (!texts.count(file)) {
      auto buffer = llvm::MemoryBuffer::getFile(file);
      if (!buffer)
        return cannot(file, buffer.getError());
      texts[file] = (*buffer)->getBuffer().str();
    }
    std::string common = commonFolder(texts, file);
    if (llvm::Error error = writeCopies(texts, common, root))
      return std::move(error);
    llvm::SmallString<128> copy(root);
    path::append(copy, StringRef(file).drop_front(common.size()));
    variant.command.file = copy.str().str();
    // What no copy was made of is where it was.
    std::string include = "-I" + path::parent_path(file).str();
    for (std::vector<std::string> *arguments :
         {&variant.command.nvccArguments, &variant.command.clangArguments})
      arguments->insert(arguments->begin(), include);
    // What the build has written is of the files as they are.
    variant.command.output.clear();
  }
  auto tables =
      findResources(variant, options.units, options.resources, remarks);
  if (!tables)
    return tables.takeError();
  return std::move(tables->front());
}

} // namespace

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
        resourcesOf(variant, texts, options, remarks);
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
