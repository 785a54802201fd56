// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OldSources.h"

#include "Git.h"
#include "LineDiff.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

#include <optional>

using namespace coreside;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

namespace {

/// Text without the '\r' that a check-out may have put before line ends.
std::string withoutReturns(StringRef text) {
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i != text.size(); ++i)
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n')
      result += text[i];
  return result;
}

std::optional<std::string> contentsOf(StringRef file) {
  auto buffer = llvm::MemoryBuffer::getFile(file);
  if (!buffer)
    return std::nullopt;
  return (*buffer)->getBuffer().str();
}

/// The lines of what `script` leads to that it wrote or took something before.
std::set<unsigned> changedLines(StringRef script) {
  std::set<unsigned> lines;
  unsigned line = 1;
  for (char step : script) {
    if (step != ' ')
      lines.insert(line);
    line += step != '-';
  }
  return lines;
}

/// Whether a name is that of a source that others may include.
bool isSource(StringRef name) {
  static constexpr StringRef endings[] = {
      ".cu",  ".cuh", ".h",   ".hpp", ".hh",  ".hxx", ".inl",
      ".inc", ".c",   ".cpp", ".cc",  ".cxx", ".def", ".tpp"};
  return llvm::is_contained(endings, path::extension(name));
}

/// Takes files that are new and much like one that is gone for that one under
/// another name.
void findRenamed(OldSources &old) {
  std::vector<std::string> gone;
  for (const auto &[file, text] : old.texts)
    if (!fs::exists(file))
      gone.push_back(file);
  for (auto &[file, lines] : old.lines) {
    std::optional<std::string> now;
    if (old.texts.count(file) || !(now = contentsOf(file)))
      continue;
    std::string text = withoutReturns(*now);
    std::vector<StringRef> after = linesOf(text);
    std::string script;
    std::string name;
    size_t most = 0;
    for (const std::string &other : gone) {
      std::vector<StringRef> before = linesOf(old.texts[other]);
      // Half of the lines are the same, as git asks for.
      size_t needed = (std::max(before.size(), after.size()) + 1) / 2;
      if (path::extension(other) != path::extension(file) ||
          std::min(before.size(), after.size()) < needed)
        continue;
      std::string tried = lineScript(before, after);
      size_t same = llvm::count(tried, ' ');
      if (same < needed || same <= most)
        continue;
      most = same;
      script = std::move(tried);
      name = other;
    }
    if (name.empty())
      continue;
    lines = changedLines(script);
    old.texts[file] = old.texts[name];
  }
}

/// Adds what `git`'s repository had at `commit`.
llvm::Error addRepository(const Git &git, const std::string &commit,
                          llvm::ArrayRef<std::string> read, OldSources &old) {
  llvm::Expected<std::string> tree =
      git.run({"ls-tree", "-r", "-z", "--full-tree", commit});
  if (!tree)
    return tree.takeError();
  // "100644 blob OID\tNAME", each with a zero at its end.
  std::map<std::string, std::string> blobs;
  std::vector<std::string> submodules;
  for (StringRef rest = *tree; !rest.empty();) {
    StringRef entry;
    std::tie(entry, rest) = rest.split('\0');
    auto [facts, name] = entry.split('\t');
    auto [mode, typeAndObject] = facts.split(' ');
    auto [type, object] = typeAndObject.split(' ');
    if (type == "commit")
      submodules.push_back(git.root() + "/" + name.str());
    else if (mode != "120000") // A link's text is where it leads.
      blobs[git.root() + "/" + name.str()] = object.str();
  }

  // The name in the repository of each file to compare, which may be read by
  // way of a link.
  std::map<std::string, std::string> wanted;
  for (const std::string &file : read) {
    llvm::SmallString<128> real;
    if (fs::real_path(file, real) ||
        !StringRef(real).starts_with(git.root() + "/"))
      continue;
    std::string name = real.str().str();
    auto submodule = llvm::find_if(submodules, [&](StringRef folder) {
      return StringRef(name).starts_with(folder.str() + "/");
    });
    if (submodule != submodules.end()) {
      std::string note = fmt::format(
          "files of the submodule '{}' are taken as unchanged", *submodule);
      if (!llvm::is_contained(old.notes, note))
        old.notes.push_back(std::move(note));
    } else if (blobs.count(name)) {
      wanted[file] = name;
    } else if (std::optional<std::string> text = contentsOf(file)) {
      // New: all of its lines are.
      for (unsigned line = 1; line <= linesOf(*text).size(); ++line)
        old.lines[file].insert(line);
    }
  }
  for (const auto &[file, object] : blobs)
    if (isSource(file) && !fs::exists(file))
      wanted[file] = file;

  std::string input;
  for (const auto &[file, name] : wanted)
    input += blobs[name] + "\n";
  llvm::Expected<std::string> output = git.run({"cat-file", "--batch"}, input);
  if (!output)
    return output.takeError();
  StringRef rest = *output;
  for (const auto &[file, name] : wanted) {
    // "OID blob SIZE\n", the text, "\n"; "OID missing" in a partial clone.
    StringRef header;
    std::tie(header, rest) = rest.split('\n');
    size_t size = 0;
    if (header.rsplit(' ').second.getAsInteger(10, size) || size >= rest.size())
      return llvm::createStringError(fmt::format(
          "git has no text of '{}' at that revision; a partial clone gets it "
          "with git fetch --refetch",
          file));
    std::string before = withoutReturns(rest.take_front(size));
    rest = rest.drop_front(size + 1);
    std::optional<std::string> now = contentsOf(file);
    std::string after = now ? withoutReturns(*now) : "";
    if (now && before == after)
      continue;
    if (now)
      old.lines[file] =
          changedLines(lineScript(linesOf(before), linesOf(after)));
    old.texts[file] = std::move(before);
  }
  return llvm::Error::success();
}

/// A name in a patch: without the time behind it, its quotes taken off.
std::string patchName(StringRef text) {
  text = text.rtrim("\r");
  if (!text.consume_front("\""))
    return text.split('\t').first.str();
  std::string name;
  for (size_t i = 0; i < text.size() && text[i] != '"'; ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      name += text[i];
      continue;
    }
    unsigned code = 0;
    if (i + 3 < text.size() && !text.substr(i + 1, 3).getAsInteger(8, code)) {
      name += char(code);
      i += 3;
    } else {
      char c = text[++i];
      name += c == 't' ? '\t' : c == 'n' ? '\n' : c;
    }
  }
  return name;
}

/// The file of a run that a patch calls `name`: as it stands or without its
/// first folder, a/ or b/; the patch may start from any folder above.
std::string fileNamed(StringRef name, llvm::ArrayRef<std::string> read) {
  for (StringRef part : {name.split('/').second, name}) {
    if (part.empty())
      continue;
    for (const std::string &file : read)
      if (file == part || StringRef(file).ends_with("/" + part.str()))
        return file;
  }
  return {};
}

/// One file of a patch, as it is read.
struct Patched {
  std::string file;
  std::vector<StringRef> now;
  std::string before;
  /// Lines of `now` that are passed.
  size_t passed = 0;
  std::string script;

  void keepTo(size_t line) {
    for (; passed < line && passed < now.size(); ++passed) {
      before += now[passed];
      script += ' ';
    }
  }
};

} // namespace

llvm::Expected<OldSources>
coreside::sourcesAt(StringRef revision, llvm::ArrayRef<std::string> sources,
                    llvm::ArrayRef<std::string> read) {
  OldSources old;
  std::set<std::string> roots;
  for (const std::string &source : sources) {
    llvm::SmallString<128> real;
    if (fs::real_path(source, real))
      continue;
    llvm::Expected<Git> git = Git::find(path::parent_path(real));
    if (!git)
      return llvm::createStringError(
          fmt::format("{}; --diff - takes a patch on standard input",
                      llvm::toString(git.takeError())));
    if (!roots.insert(git->root()).second)
      continue;
    std::string name = revision.str() + "^{commit}";
    llvm::Expected<std::string> commit =
        git->run({"rev-parse", "--verify", "--end-of-options", name});
    if (!commit) {
      std::string why = llvm::toString(commit.takeError());
      llvm::Expected<std::string> shallow =
          git->run({"rev-parse", "--is-shallow-repository"});
      bool isShallow = shallow && StringRef(*shallow).trim() == "true";
      if (!shallow)
        llvm::consumeError(shallow.takeError());
      return llvm::createStringError(fmt::format(
          "'{}' has no revision '{}'{}", git->root(), revision.str(),
          isShallow ? "; the clone is shallow, git fetch --unshallow gets "
                      "the rest"
                    : ""));
    }
    if (llvm::Error error =
            addRepository(*git, StringRef(*commit).trim().str(), read, old))
      return std::move(error);
  }
  findRenamed(old);
  return old;
}

llvm::Expected<OldSources>
coreside::sourcesBefore(StringRef patch, llvm::ArrayRef<std::string> read) {
  OldSources old;
  std::optional<Patched> open;
  unsigned left[2] = {0, 0}; // Lines of the hunk still to come, old and new.
  bool any = false;
  unsigned number = 0;
  auto fail = [&](const std::string &why) {
    return llvm::createStringError(
        fmt::format("the patch on standard input, line {}: {}", number, why));
  };
  auto close = [&] {
    if (!open)
      return;
    open->keepTo(open->now.size());
    old.lines[open->file] = changedLines(open->script);
    old.texts[open->file] = std::move(open->before);
    open.reset();
  };
  std::map<std::string, std::string> texts;
  for (StringRef rest = patch; !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    ++number;
    if (!left[0] && !left[1]) {
      StringRef text = line;
      if (text.starts_with("--- ")) {
        close();
      } else if (text.consume_front("+++ ")) {
        any = true;
        std::string file = fileNamed(patchName(text), read);
        if (file.empty())
          continue; // Nothing that was read; or a file that is gone.
        std::optional<std::string> now = contentsOf(file);
        if (!now)
          continue;
        std::string &kept = texts[file] = withoutReturns(*now);
        open.emplace();
        open->file = file;
        open->now = linesOf(kept);
      } else if (text.consume_front("@@ -")) {
        // "12,3 +14,5 @@": the counts are 1 where they are left out.
        unsigned start[2] = {0, 0};
        bool right = true;
        for (int side : {0, 1}) {
          left[side] = 1;
          right &= !text.consumeInteger(10, start[side]);
          if (text.consume_front(","))
            right &= !text.consumeInteger(10, left[side]);
          right &= side == 1 || text.consume_front(" +");
        }
        if (!right)
          return fail("not the head of a hunk");
        if (open)
          open->keepTo(left[1] ? start[1] - 1 : start[1]);
      }
      continue;
    }
    char kind = line.empty() ? ' ' : line.front();
    StringRef content = line.empty() ? line : line.drop_front();
    content = content.rtrim('\r');
    if (kind == '\\')
      continue;
    if (kind != ' ' && kind != '+' && kind != '-')
      return fail("the hunk ends early");
    if ((kind != '+' && !left[0]) || (kind != '-' && !left[1]))
      return fail("the hunk has more lines than its head says");
    left[0] -= kind != '+';
    left[1] -= kind != '-';
    if (!open)
      continue;
    if (kind == '-') {
      open->before += content.str() + "\n";
      open->script += '-';
      continue;
    }
    if (open->passed >= open->now.size() ||
        open->now[open->passed].rtrim("\n") != content)
      return fail(fmt::format("'{}' is not what the patch made", open->file));
    if (kind == ' ')
      open->before += open->now[open->passed];
    open->script += kind;
    ++open->passed;
  }
  if (left[0] || left[1])
    return fail("the last hunk ends early");
  close();
  if (!any && !patch.trim().empty())
    return llvm::createStringError(
        "standard input is no unified diff; git diff or diff -u makes one");
  return old;
}
