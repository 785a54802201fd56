// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which revision of which repository the sources are.
//
// In:   a folder of a work tree
// Out:  https://example.org/blur.git, 0d1f2a..., branch main

#ifndef CORESIDE_CONTROL_REVISION_H
#define CORESIDE_CONTROL_REVISION_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace coreside {

struct Revision {
  /// The absolute URI of the remote 'origin', without user or password; of the
  /// work tree where there is no remote.
  std::string repository;
  std::string commit;
  /// Empty where none is checked out.
  std::string branch;
};

/// Nothing where there is no git, no repository or no commit.
std::optional<Revision> findRevision(llvm::StringRef folder);

/// The absolute URI of what git calls `remote` in a work tree at `root`:
/// without user and password, and "git@host:path" as "ssh://host/path".
std::string repositoryURI(llvm::StringRef remote, llvm::StringRef root);

/// `path`, absolute, as a URI. Bytes that a URI cannot have are
/// percent-encoded.
std::string fileURI(llvm::StringRef path);

/// The same of a relative path, without a scheme.
std::string relativeURI(llvm::StringRef path);

} // namespace coreside

#endif
