// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The file system as clang reads it: files and folders, nothing else.
//
// In:   /dev/zero, a pipe that nobody writes to
// Out:  an error; opening or reading it would never end
//
// A source or a compile database may name any path in an #include.

#ifndef CORESIDE_SOURCE_REGULARFILES_H
#define CORESIDE_SOURCE_REGULARFILES_H

#include "llvm/Support/VirtualFileSystem.h"

namespace coreside {

class RegularFiles : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override {
    llvm::ErrorOr<llvm::vfs::Status> status = this->status(path);
    if (!status)
      return status.getError();
    if (!status->isRegularFile() && !status->isDirectory())
      return std::make_error_code(std::errc::not_supported);
    return ProxyFileSystem::openFileForRead(path);
  }
};

} // namespace coreside

#endif
