// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TextCopies.h"

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

static llvm::Error cannot(StringRef what, std::error_code error) {
  // No test: it takes a full disk.
  return llvm::createStringError(fmt::format(
      "cannot make a temporary copy: {}: {}", what.str(), error.message()));
}

/// Headers that come with the system and that nobody edits.
static bool isSystemHeader(StringRef file) {
  return file.starts_with("/usr/") || file.starts_with("/opt/");
}

static std::string below(StringRef folder, StringRef file) {
  llvm::SmallString<128> copy(folder);
  path::append(copy, path::relative_path(file));
  path::remove_dots(copy, /*remove_dot_dot=*/true);
  return copy.str().str();
}

TextCopies::TextCopies(CompilerRun run, Unit unit)
    : Run(std::move(run)), Folder(Run.path("files")), Copied(std::move(unit)) {}

llvm::Expected<TextCopies> TextCopies::write(const Unit &unit,
                                             const SourceTexts &texts) {
  llvm::Expected<CompilerRun> run = CompilerRun::start();
  if (!run)
    return run.takeError();
  TextCopies copies(std::move(*run), unit);
  if (llvm::Error error = copies.fill(texts))
    return std::move(error);
  return copies;
}

/// A file that is as it was, in its place below the folder.
llvm::Error TextCopies::link(StringRef file) {
  std::string copy = below(Folder, file);
  if (std::error_code error = fs::create_directories(path::parent_path(copy)))
    return cannot(copy, error);
  std::error_code error = fs::create_link(file, copy);
  if (error && error != std::errc::file_exists)
    return cannot(copy, error);
  return llvm::Error::success();
}

/// The folders that `arguments` search are searched below `folder` first.
static void searchCopies(std::vector<std::string> &arguments,
                         StringRef directory, StringRef folder) {
  auto copyOf = [&](StringRef searched) {
    llvm::SmallString<128> absolute(searched);
    path::make_absolute(directory, absolute);
    return below(folder, absolute);
  };
  std::vector<std::string> result;
  for (size_t i = 0; i != arguments.size(); ++i) {
    StringRef word = arguments[i];
    bool apart = word == "-I" || word == "-isystem" || word == "-iquote" ||
                 word == "-idirafter";
    if (apart && i + 1 != arguments.size()) {
      for (const std::string &one :
           {copyOf(arguments[i + 1]), arguments[i + 1]}) {
        result.push_back(word.str());
        result.push_back(one);
      }
      ++i;
      continue;
    }
    if (word.consume_front("-I") && !word.empty())
      result.push_back("-I" + copyOf(word));
    result.push_back(arguments[i]);
  }
  arguments = std::move(result);
}

llvm::Error TextCopies::fill(const SourceTexts &texts) {
  CompileCommand &command = Copied.command;
  for (const auto &[file, text] : texts) {
    std::string copy = below(Folder, file);
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
  std::vector<std::string> others = Copied.program.files;
  others.push_back(command.file);
  for (const std::string &file : others)
    if (!texts.count(file) && !isSystemHeader(file))
      if (llvm::Error error = link(file))
        return error;
  // What was not read on the host side is where it was.
  std::string include = "-I" + path::parent_path(command.file).str();
  for (std::vector<std::string> *arguments :
       {&command.nvccArguments, &command.clangArguments}) {
    searchCopies(*arguments, command.directory, Folder);
    arguments->insert(arguments->begin(), include);
  }
  command.file = below(Folder, command.file);
  command.output.clear();
  return llvm::Error::success();
}
