// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which headers are worth reading once, for which files.
//
// In:   a.cu: string, vector; b.cu: string; c.cu: vector, string; d.cu: string,
//       vector; fewest: 3
// Out:  groups: string; in it, vector. b.cu is of the first, the others of the
//       second
//
// A group has all that the one around it has, and more. What most files have
// comes first, so that they share much of it.

#ifndef CORESIDE_SOURCE_SHAREDHEADERS_H
#define CORESIDE_SOURCE_SHAREDHEADERS_H

#include "llvm/ADT/ArrayRef.h"

#include <optional>
#include <string>
#include <vector>

namespace coreside {

struct SharedHeaders {
  struct Group {
    /// The group around it, which stands before it.
    std::optional<size_t> parent;
    /// What it has more than that.
    std::vector<std::string> headers;
    /// Files of it, those of the groups within it included.
    unsigned files = 0;
  };
  std::vector<Group> groups;
  /// Of each file: the innermost it is of.
  std::vector<std::optional<size_t>> groupOf;
};

/// No group is of less than `fewest` files. No file names a header twice.
SharedHeaders
shareHeaders(llvm::ArrayRef<std::vector<std::string>> headersOfFiles,
             unsigned fewest);

} // namespace coreside

#endif
