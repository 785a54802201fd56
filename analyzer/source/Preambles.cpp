// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Preambles.h"

#include "LeadingIncludes.h"
#include "MakePreamble.h"
#include "OpeningHeaders.h"
#include "SharedHeaders.h"

#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"

#include <deque>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace llvm;

namespace coreside {

/// Files of a run that must share one before it pays: making one costs about
/// what it saves two of them.
static constexpr unsigned fewestFiles = 3;

struct Preambles::Kept {
  Kind kind = Kind::OfFlags;
  /// One that is tried once.
  struct Once {
    std::mutex use;
    bool tried = false;
    std::shared_ptr<const Preamble> preamble;
  };
  struct Entry {
    /// For what all files have; and what else is here, until it is tried.
    Once common;
    std::vector<std::string> announced;
    /// What some of them have more.
    StringMap<OpeningHeaders> openings;
    StringMap<std::optional<size_t>> groupOf;
    std::vector<SharedHeaders::Group> groups;
    std::deque<Once> grouped;
  };
  std::mutex use;
  StringMap<std::shared_ptr<Entry>> entries;
  /// Of files: the keys of each.
  StringMap<std::set<std::string>> keysOf;

  std::shared_ptr<Entry> entry(StringRef key) {
    std::lock_guard lock(use);
    std::shared_ptr<Entry> &at = entries[key];
    if (!at)
      at = std::make_shared<Entry>();
    return at;
  }
};

Preambles::Preambles(Kind kind) : All(std::make_unique<Kept>()) {
  All->kind = kind;
}
Preambles::~Preambles() = default;

void Preambles::announce(StringRef flags, StringRef file) {
  std::shared_ptr<Kept::Entry> entry = All->entry(flags);
  std::lock_guard lock(entry->common.use);
  entry->announced.push_back(file.str());
}

void Preambles::forget(StringRef file) {
  std::lock_guard lock(All->use);
  for (const std::string &key : All->keysOf.lookup(file))
    All->entries.erase(key);
  All->keysOf.erase(file);
}

/// The files of a run that share the flags of `invocation`.
class Preambles::Sharing {
public:
  Sharing(Kept::Entry &entry, const clang::CompilerInvocation &invocation,
          bool ownDeclarations, IntrusiveRefCntPtr<vfs::FileSystem> files)
      : Entry(entry), Invocation(invocation), OwnDeclarations(ownDeclarations),
        Files(std::move(files)) {}

  std::shared_ptr<const Preamble> preambleOf(StringRef file) {
    std::shared_ptr<const Preamble> common = this->common();
    if (!common)
      return nullptr;
    for (std::optional<size_t> group = Entry.groupOf.lookup(file); group;
         group = Entry.groups[*group].parent)
      if (std::shared_ptr<const Preamble> preamble = ofGroup(*group, common);
          preamble && mayFollow(*preamble, *group, file))
        return preamble;
    return common;
  }

private:
  Kept::Entry &Entry;
  const clang::CompilerInvocation &Invocation;
  bool OwnDeclarations;
  IntrusiveRefCntPtr<vfs::FileSystem> Files;

  std::shared_ptr<const Preamble> common() {
    std::lock_guard lock(Entry.common.use);
    if (Entry.common.tried || Entry.announced.size() < fewestFiles)
      return Entry.common.preamble;
    Entry.common.tried = true;
    Entry.common.preamble = made({}, nullptr);
    if (Entry.common.preamble)
      group(*Entry.common.preamble);
    return Entry.common.preamble;
  }

  void group(const Preamble &common) {
    StringSet<> known;
    for (StringRef file : common.files)
      known.insert(file);
    std::vector<std::vector<std::string>> headers;
    for (auto [file, opening] :
         zip(Entry.announced,
             readOpenings(Invocation, Files, Entry.announced, known))) {
      std::vector<std::string> &own = headers.emplace_back();
      for (const OpeningHeaders::Header &header : opening.headers)
        own.push_back(header.name);
      Entry.openings[file] = std::move(opening);
    }
    SharedHeaders shared = shareHeaders(headers, fewestFiles);
    for (auto [file, group] : zip(Entry.announced, shared.groupOf))
      Entry.groupOf[file] = group;
    Entry.groups = std::move(shared.groups);
    Entry.grouped.resize(Entry.groups.size());
  }

  std::shared_ptr<const Preamble>
  ofGroup(size_t index, const std::shared_ptr<const Preamble> &common) {
    const SharedHeaders::Group &group = Entry.groups[index];
    Kept::Once &kept = Entry.grouped[index];
    std::lock_guard lock(kept.use);
    if (!std::exchange(kept.tried, true))
      if (std::shared_ptr<const Preamble> base =
              group.parent ? ofGroup(*group.parent, common) : common)
        kept.preamble = made(group.headers, std::move(base));
    return kept.preamble;
  }

  std::shared_ptr<const Preamble> made(ArrayRef<std::string> headers,
                                       std::shared_ptr<const Preamble> base) {
    std::string text;
    for (const std::string &header : headers)
      text += "#include <" + header + ">\n";
    std::shared_ptr<Preamble> preamble =
        makePreamble(Invocation, *MemoryBuffer::getMemBuffer(text),
                     clang::PreambleBounds(text.size(), true), OwnDeclarations,
                     Files, std::move(base));
    // Of the file's own text it replaces nothing.
    if (preamble)
      preamble->bounds.Size = 0;
    return preamble;
  }

  /// The file means the same where the headers of the group stand before all
  /// else.
  bool mayFollow(const Preamble &preamble, size_t group, StringRef file) const {
    StringSet<> headers;
    for (std::optional<size_t> at = group; at; at = Entry.groups[*at].parent)
      for (const std::string &header : Entry.groups[*at].headers)
        headers.insert(header);
    const OpeningHeaders &opening = Entry.openings.find(file)->second;
    size_t words = 0;
    for (const OpeningHeaders::Header &header : opening.headers)
      if (headers.contains(header.name))
        words = header.wordsBefore;
    for (const Preamble *part = &preamble; part->base; part = part->base.get())
      for (const OpeningHeaders::Word &word :
           ArrayRef(opening.words).take_front(words))
        if (!part->words.areIndependentOf(word))
          return false;
    return true;
  }
};

std::shared_ptr<const Preamble>
Preambles::find(StringRef flags, const clang::CompilerInvocation &invocation,
                const MemoryBuffer &text, bool ownDeclarations,
                IntrusiveRefCntPtr<vfs::FileSystem> files) {
  const StringRef file = invocation.getFrontendOpts().Inputs.front().getFile();
  if (All->kind == Kind::OfFlags)
    return Sharing(*All->entry(flags), invocation, ownDeclarations, files)
        .preambleOf(file);
  const std::string key = (flags + file).str();
  {
    std::lock_guard lock(All->use);
    All->keysOf[file].insert(key);
  }
  std::shared_ptr<Kept::Entry> entry = All->entry(key);
  Kept::Once &kept = entry->common;
  std::lock_guard lock(kept.use);
  clang::PreambleBounds bounds =
      leadingIncludes(invocation.getLangOpts(), text);
  if (!kept.preamble ||
      !kept.preamble->compiled->CanReuse(invocation, text, bounds, *files))
    kept.preamble =
        makePreamble(invocation, text, bounds, ownDeclarations, files);
  return kept.preamble;
}

} // namespace coreside
