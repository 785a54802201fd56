// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches whose brackets a formatter took apart. nvcc reads them as one; clang
// does not.
//
// In:   step << <grid, 256 >> > (p);
// Out:  step  <<<grid, 256  >>> (p);
//
// No place changes.

#ifndef CORESIDE_SOURCE_SPLITCHEVRONS_H
#define CORESIDE_SOURCE_SPLITCHEVRONS_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <optional>
#include <string>

namespace coreside {

/// `text` with the brackets of each launch put together; none where all are.
std::optional<std::string> withJoinedChevrons(llvm::StringRef text);

/// Files as clang reads them; those of the system are left as they are.
class JoinedChevrons : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override;
};

} // namespace coreside

#endif
