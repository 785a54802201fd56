// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fixes.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

using namespace coreside;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

/// Text in place of the bytes from `begin` to before `end`.
struct Replacement {
  size_t begin = 0;
  size_t end = 0;
  std::string text;
  auto operator<=>(const Replacement &) const = default;
};

/// Whether two cannot both be done: they share a byte, or text is put in at the
/// same place, where the order would be a guess.
bool overlap(const Replacement &a, const Replacement &b) {
  return a.begin == b.begin || (a.begin < b.end && b.begin < a.end);
}

/// One file, with what is to be done to it.
struct Target {
  std::string text;
  /// Where each line begins.
  std::vector<size_t> lines;
  bool hasCarriageReturns = false;
  std::vector<Replacement> replacements;

  explicit Target(StringRef contents) : text(contents), lines{0} {
    for (size_t i = 0; i != text.size(); ++i)
      if (text[i] == '\n')
        lines.push_back(i + 1);
    hasCarriageReturns = contents.count("\r\n") * 2 > contents.count('\n');
  }

  /// The byte at a place; nothing where the file has no such place.
  std::optional<size_t> offset(unsigned line, unsigned column) const {
    if (line == 0 || column == 0 || line > lines.size())
      return std::nullopt;
    size_t next = line < lines.size() ? lines[line] : text.size() + 1;
    size_t at = lines[line - 1] + column - 1;
    return at < next ? std::optional(at) : std::nullopt;
  }

  std::string changed() const {
    std::string result;
    size_t at = 0;
    std::vector<Replacement> sorted = replacements;
    llvm::sort(sorted);
    for (const Replacement &replacement : sorted) {
      result.append(text, at, replacement.begin - at);
      result += replacement.text;
      at = replacement.end;
    }
    return result.append(text, at);
  }
};

class Planner {
public:
  explicit Planner(const FixOptions &options) : Options(options) {}

  /// Why the fix cannot be done; empty where it is now part of the plan.
  std::string add(const Fix &fix) {
    std::vector<std::pair<Target *, Replacement>> wanted;
    for (const SourceEdit &edit : fix.edits) {
      std::string why;
      Target *target = open(edit.file, why);
      if (!target)
        return why;
      std::optional<size_t> begin = target->offset(edit.line, edit.column);
      std::optional<size_t> end = target->offset(edit.endLine, edit.endColumn);
      if (!begin || !end || *end < *begin)
        return fmt::format("'{}' has no text at {}:{}", edit.file, edit.line,
                           edit.column);
      wanted.push_back({target,
                        {*begin, *end,
                         withLineEnds(edit.text, target->hasCarriageReturns)}});
    }
    std::vector<std::pair<Target *, Replacement>> fresh;
    for (auto &[target, replacement] : wanted) {
      if (llvm::is_contained(target->replacements, replacement) ||
          llvm::is_contained(fresh, std::pair(target, replacement)))
        continue;
      for (const Replacement &other : target->replacements)
        if (overlap(other, replacement))
          return "it changes the same text as another fix";
      for (auto &[otherTarget, other] : fresh)
        if (otherTarget == target && overlap(other, replacement))
          return "it changes the same text twice";
      fresh.push_back({target, replacement});
    }
    for (auto &[target, replacement] : fresh)
      target->replacements.push_back(std::move(replacement));
    return {};
  }

  std::vector<FileChange> changes() const {
    std::vector<FileChange> result;
    for (const auto &[file, target] : Targets)
      if (!target.replacements.empty())
        result.push_back({file, target.text, target.changed()});
    return result;
  }

private:
  /// Null, with the reason, where the file may not or cannot be changed.
  Target *open(const std::string &file, std::string &why) {
    llvm::SmallString<128> real;
    if (std::error_code error = Options.files->getRealPath(file, real)) {
      why = fmt::format("cannot read '{}': {}", file, error.message());
      return nullptr;
    }
    if (auto known = Targets.find(real.str()); known != Targets.end())
      return &known->second;
    if (llvm::none_of(Options.folders, [&](StringRef folder) {
          StringRef rest = real;
          return rest.consume_front(folder) &&
                 (folder == "/" || rest.starts_with("/"));
        })) {
      why = fmt::format("'{}' is outside of the folders that were given", file);
      return nullptr;
    }
    auto status = Options.files->status(real);
    auto buffer = Options.files->getBufferForFile(real);
    if (!status || !buffer) {
      why = fmt::format(
          "cannot read '{}': {}", file,
          (status ? buffer.getError() : status.getError()).message());
      return nullptr;
    }
    if (status->getLastModificationTime() > Options.readAt) {
      why = fmt::format("'{}' has changed since it was analysed", file);
      return nullptr;
    }
    return &Targets.try_emplace(real.str().str(), (*buffer)->getBuffer())
                .first->second;
  }

  const FixOptions &Options;
  std::map<std::string, Target, std::less<>> Targets;
};

} // namespace

std::string coreside::withLineEnds(StringRef text, bool carriageReturns) {
  std::string result;
  for (char c : text) {
    if (c == '\r')
      continue;
    if (c == '\n' && carriageReturns)
      result += '\r';
    result += c;
  }
  return result;
}

FixPlan coreside::planFixes(llvm::ArrayRef<Finding> findings,
                            const FixOptions &options) {
  FixPlan plan;
  Planner planner(options);
  for (unsigned i = 0; i != findings.size(); ++i) {
    if (findings[i].fixes.empty())
      continue;
    std::string why = planner.add(findings[i].fixes.front());
    if (why.empty())
      plan.applied.push_back(i);
    else
      plan.refused.push_back({i, std::move(why)});
  }
  plan.changes = planner.changes();
  return plan;
}

std::vector<std::string>
coreside::foldersToFix(llvm::ArrayRef<std::string> sources) {
  std::vector<std::string> folders;
  for (const std::string &source : sources) {
    llvm::SmallString<128> real;
    if (fs::real_path(source, real))
      continue;
    StringRef own = path::parent_path(real);
    std::string folder = own.str();
    for (StringRef above = own; !above.empty();
         above = path::parent_path(above)) {
      llvm::SmallString<128> git(above);
      path::append(git, ".git");
      if (fs::exists(git)) {
        folder = above.str();
        break;
      }
    }
    if (!llvm::is_contained(folders, folder))
      folders.push_back(std::move(folder));
  }
  return folders;
}

llvm::Error coreside::writeChange(const FileChange &change) {
  auto fail = [&](const std::string &why) {
    return llvm::createStringError(
        fmt::format("cannot write '{}': {}", change.file, why));
  };
  auto now = llvm::MemoryBuffer::getFile(change.file, /*IsText=*/false,
                                         /*RequiresNullTerminator=*/false);
  if (!now)
    return fail(now.getError().message());
  if ((*now)->getBuffer() != change.before)
    return fail("it has changed since it was analysed");
  llvm::ErrorOr<fs::perms> permissions = fs::getPermissions(change.file);
  if (!permissions)
    return fail(permissions.getError().message());
  // A file that may not be written is not to be replaced either.
  if (!fs::can_write(change.file))
    return fail("it is read-only");
  // Beside the file, so that it takes its place in one step.
  llvm::SmallString<128> temporary;
  int descriptor = -1;
  if (std::error_code error = fs::createUniqueFile(
          change.file + ".%%%%%%%%.coreside", descriptor, temporary))
    return fail(error.message());
  llvm::scope_exit removeIt([&] { fs::remove(temporary); });
  {
    llvm::raw_fd_ostream out(descriptor, /*shouldClose=*/true);
    out << change.after;
    out.flush();
    if (std::error_code error = out.error()) {
      out.clear_error();
      return fail(error.message());
    }
  }
  if (std::error_code error = fs::setPermissions(temporary, *permissions))
    return fail(error.message());
  if (std::error_code error = fs::rename(temporary, change.file))
    return fail(error.message());
  removeIt.release();
  return llvm::Error::success();
}
