// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "IncludingUnits.h"

#include "source/CompileCommand.h"

#include "clang/Basic/TokenKinds.h"
#include "clang/Lex/DependencyDirectivesScanner.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <map>
#include <set>

using namespace coreside;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;
namespace scan = clang::dependency_directives_scan;

namespace {

/// What stands behind an #include.
struct Named {
  std::string name;
  bool isQuoted = false;
};

std::string joined(StringRef folder, StringRef name) {
  llvm::SmallString<256> result(folder);
  if (path::is_absolute(name))
    result = name;
  else
    path::append(result, name);
  path::remove_dots(result, /*remove_dot_dot=*/true);
  return std::string(result);
}

bool isIn(StringRef file, StringRef folder) {
  return file.consume_front(folder) && (file.empty() || file.front() == '/');
}

class IncludeSearch {
public:
  IncludeSearch(llvm::ArrayRef<std::string> changed,
                llvm::ArrayRef<std::string> folders)
      : Folders(folders) {
    for (const std::string &file : changed)
      if (fs::UniqueID id; !fs::getUniqueID(file, id))
        Changed.insert(id);
  }

  /// Whether the unit of `command` includes a changed file.
  bool includesChanged(const CompileCommand &command) {
    Search search = searchOf(command);
    llvm::StringSet<> seen;
    std::vector<std::string> open = {command.file};
    for (const std::string &file : search.first)
      open.push_back(file);
    while (!open.empty()) {
      std::string file = std::move(open.back());
      open.pop_back();
      if (!seen.insert(file).second)
        continue;
      if (isChanged(file))
        return true;
      for (const Named &named : includesOf(file))
        if (std::string found = find(named, file, search); !found.empty())
          open.push_back(std::move(found));
    }
    return false;
  }

private:
  /// What an include may mean in one unit.
  struct Search {
    std::vector<std::string> quoted;
    std::vector<std::string> folders;
    /// Read before the file itself: -include.
    std::vector<std::string> first;
  };

  static Search searchOf(const CompileCommand &command) {
    Search search;
    const std::vector<std::string> &words = command.clangArguments;
    for (size_t i = 0; i != words.size(); ++i) {
      StringRef word = words[i];
      auto take = [&](StringRef option, std::vector<std::string> &into) {
        if (!word.consume_front(option))
          return false;
        if (word.empty() && i + 1 != words.size())
          word = words[++i];
        into.push_back(joined(command.directory, word));
        return true;
      };
      take("-iquote", search.quoted) || take("-isystem", search.folders) ||
          take("-idirafter", search.folders) ||
          take("-include", search.first) || take("-I", search.folders);
    }
    return search;
  }

  std::string find(const Named &named, StringRef from, const Search &search) {
    auto tryFolder = [&](StringRef folder) -> std::string {
      std::string file = joined(folder, named.name);
      return isUsers(file) && isThere(file) ? file : "";
    };
    if (named.isQuoted) {
      if (std::string file = tryFolder(path::parent_path(from)); !file.empty())
        return file;
      for (const std::string &folder : search.quoted)
        if (std::string file = tryFolder(folder); !file.empty())
          return file;
    }
    for (const std::string &folder : search.folders)
      if (std::string file = tryFolder(folder); !file.empty())
        return file;
    return {};
  }

  bool isUsers(StringRef file) const {
    return llvm::any_of(
        Folders, [&](const std::string &folder) { return isIn(file, folder); });
  }

  bool isThere(const std::string &file) {
    auto [entry, isNew] = There.try_emplace(file, false);
    if (isNew)
      entry->second = fs::exists(file) && !fs::is_directory(file);
    return entry->second;
  }

  bool isChanged(const std::string &file) {
    fs::UniqueID id;
    return !fs::getUniqueID(file, id) && Changed.count(id);
  }

  const std::vector<Named> &includesOf(const std::string &file) {
    auto [entry, isNew] = Includes.try_emplace(file);
    if (isNew)
      entry->second = scanned(file);
    return entry->second;
  }

  static std::vector<Named> scanned(const std::string &file) {
    std::vector<Named> result;
    fs::file_status status;
    if (fs::status(file, status) || !fs::is_regular_file(status))
      return result;
    auto buffer = llvm::MemoryBuffer::getFile(file);
    if (!buffer)
      return result;
    StringRef text = (*buffer)->getBuffer();
    llvm::SmallVector<scan::Token> tokens;
    llvm::SmallVector<scan::Directive> directives;
    if (clang::scanSourceForDependencyDirectives(text, tokens, directives))
      return result;
    for (const scan::Directive &directive : directives) {
      if (directive.Kind != scan::pp_include &&
          directive.Kind != scan::pp_import &&
          directive.Kind != scan::pp_include_next)
        continue;
      for (const scan::Token &token : directive.Tokens)
        if (token.is(clang::tok::header_name) && token.Length > 2)
          result.push_back(
              {text.substr(token.Offset + 1, token.Length - 2).str(),
               text[token.Offset] == '"'});
    }
    return result;
  }

  std::set<fs::UniqueID> Changed;
  llvm::ArrayRef<std::string> Folders;
  llvm::StringMap<bool> There;
  llvm::StringMap<std::vector<Named>> Includes;
};

} // namespace

bool coreside::isUnitName(StringRef file) {
  return file.ends_with(".cu") || file.ends_with(".hip");
}

llvm::Expected<std::vector<std::string>>
coreside::unitsOfChange(llvm::ArrayRef<std::string> changed,
                        const IncludingUnitsOptions &options) {
  std::vector<std::string> result;
  std::vector<std::string> headers;
  std::set<fs::UniqueID> named;
  for (const std::string &file : changed) {
    if (!isUnitName(file)) {
      headers.push_back(file);
      continue;
    }
    result.push_back(file);
    if (fs::UniqueID id; !fs::getUniqueID(file, id))
      named.insert(id);
  }
  if (!headers.empty()) {
    // One database for all: that of the first, as the user has one build.
    auto commands = CompileCommands::find(headers.front(), options.flags,
                                          options.buildDirectory);
    if (!commands)
      return commands.takeError();
    // A database that knows nothing of these folders is of something else.
    auto isUsers = [&](const std::string &file) {
      return llvm::any_of(options.folders, [&](const std::string &folder) {
        return isIn(file, folder);
      });
    };
    std::vector<std::string> candidates = commands->files();
    llvm::erase_if(candidates,
                   [&](const std::string &file) { return !isUsers(file); });
    if (candidates.empty())
      candidates = options.others;
    IncludeSearch search(headers, options.folders);
    for (const std::string &candidate : candidates) {
      fs::UniqueID id;
      if (fs::getUniqueID(candidate, id) || named.count(id))
        continue;
      if (llvm::any_of(commands->commandsFor(candidate),
                       [&](const CompileCommand &command) {
                         return (command.saysCUDA ||
                                 isUnitName(command.file)) &&
                                search.includesChanged(command);
                       })) {
        result.push_back(candidate);
        named.insert(id);
      }
    }
  }
  llvm::sort(result);
  return result;
}
