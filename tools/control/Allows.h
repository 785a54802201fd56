// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Findings that a comment in the source answers.
//
//   edges<<<n, 256, 0, t>>>(map);  // coreside: allow tail-overlap-only short
//   // coreside: allow-next-line no-coresidency, launch-size
//   // coreside: allow-begin all ... // coreside: allow-end
//
// An allow holds for its line and for the whole of a statement that is partly
// on it. A finding is allowed where it is reported and at each launch that it
// speaks of.

#ifndef CORESIDE_CONTROL_ALLOWS_H
#define CORESIDE_CONTROL_ALLOWS_H

#include "RuleSwitches.h"
#include "source/TokenizedFile.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <optional>

namespace coreside {

/// Source files by name, each read and lexed once; null where one cannot be
/// read.
class TokenizedFiles {
public:
  explicit TokenizedFiles(
      llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files);
  const TokenizedFile *get(llvm::StringRef file);

private:
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> Files;
  llvm::StringMap<std::unique_ptr<TokenizedFile>> Known;
};

/// The comment that allows a finding.
struct AllowedBy {
  SourcePlace place;
  /// What stands behind the names of the rules; may be empty.
  std::string reason;
};

class Allows {
public:
  /// `files` must outlive this.
  explicit Allows(TokenizedFiles &files) : Files(files) {}

  /// The first comment that allows `finding`, if any does; remembers all that
  /// do.
  std::optional<AllowedBy> allow(const Finding &finding);

  /// Reads the comments of `file` if they are not yet.
  void read(llvm::StringRef file);

  /// What is wrong with the comments that were read: "a.cu:3:5: unknown rule
  /// 'x' in an allow".
  const std::vector<std::string> &problems() const { return Problems; }

  /// Of the comments that were read, those that allowed nothing, though one of
  /// their rules is on in their file: "a.cu:3:5: unused allow of 'all'".
  std::vector<std::string>
  unused(llvm::function_ref<RuleSwitches(llvm::StringRef file)> switches) const;

private:
  struct Entry {
    unsigned line = 0;
    unsigned column = 0;
    /// Lines it holds for.
    unsigned first = 0;
    unsigned last = 0;
    /// As written, for people.
    std::string names;
    std::string reason;
    std::vector<unsigned> rules;
    bool used = false;
  };
  struct OfFile {
    std::string file;
    std::vector<Entry> entries;
  };
  OfFile &entriesOf(llvm::StringRef file);
  void readWords(llvm::StringRef words, unsigned line, unsigned column,
                 OfFile &entries, std::vector<size_t> &open);

  TokenizedFiles &Files;
  llvm::StringMap<OfFile> Read;
  std::vector<std::string> Problems;
};

} // namespace coreside

#endif
