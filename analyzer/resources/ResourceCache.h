// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the compiler said last time, where nothing that it read has changed.
//
// In:   the command and the compilers, as one text
// Out:  the result of that command, if all files that went into it are as they
//       were
//
// One file per command holds its last few results, each with the files that the
// compiler read: path, size, time and hash. A file of another size is another;
// of the same size and time it is the same; else its hash decides. A branch
// that is left and come back to is therefore found again.
//
// A result may also be kept for what a compiler read itself, the text of PTX
// for one: then there are no files to look at.
//
// Any number of processes may use one folder, and any may be killed: files are
// written aside and renamed, and begin with a hash of the rest. A header that
// appears in an earlier include folder is not noticed, as with ccache.

#ifndef CORESIDE_RESOURCES_RESOURCECACHE_H
#define CORESIDE_RESOURCES_RESOURCECACHE_H

#include "Resources.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Chrono.h"
#include "llvm/Support/JSON.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coreside {

/// What is kept of one run of a compiler.
struct CachedResult {
  std::vector<KernelResources> records;
  std::vector<std::string> notes;
  /// As in CompiledResources: a failure that the same files bring again.
  std::string error;
};

class ResourceCache {
public:
  /// What a cache holds when nobody says otherwise: some ten thousand results.
  static constexpr uint64_t DefaultLimit = uint64_t(256) << 20;

  /// $XDG_CACHE_HOME/coreside, else ~/.cache/coreside; empty when there is no
  /// home.
  static std::string defaultFolder();

  /// `folder` is made when there is something to keep. `limit`: bytes; what was
  /// not used for longest goes first.
  explicit ResourceCache(std::string folder, uint64_t limit = DefaultLimit);

  /// The result of `command` (any text that tells commands apart), or nothing.
  std::optional<CachedResult> find(llvm::StringRef command) const;

  /// Keeps `result`. `files` are absolute paths of all that was read, and
  /// `began` is when reading began: if one of them is newer or gone, nothing is
  /// kept. A folder that cannot be written is no error.
  void store(llvm::StringRef command, llvm::ArrayRef<std::string> files,
             llvm::sys::TimePoint<> began, const CachedResult &result) const;

  /// Keeps a result that depends on nothing but `command`, which then has all
  /// that was read in it.
  void store(llvm::StringRef command, const CachedResult &result) const;

  /// Brings the folder below its limit. Looks at most once a minute.
  void prune() const;

  struct Usage {
    uint64_t entries = 0;
    uint64_t bytes = 0;
    /// Entries that cannot be read; they count as not there.
    uint64_t damaged = 0;
  };
  /// Reads every entry.
  Usage check() const;

  /// Removes every entry, and nothing else that lies in the folder. Returns how
  /// many there were.
  uint64_t clear() const;

  const std::string &folder() const { return Folder; }

private:
  std::string entryPath(llvm::StringRef command) const;
  void write(llvm::StringRef command, llvm::json::Array files,
             const CachedResult &result) const;

  std::string Folder;
  uint64_t Limit;
};

/// The files that a compiler's dependency file (-MD) names, relative ones from
/// `directory`.
std::vector<std::string> readDependencies(llvm::StringRef text,
                                          llvm::StringRef directory);

} // namespace coreside

#endif
