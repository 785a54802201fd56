// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WholeFile.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

using namespace coreside;
namespace fs = llvm::sys::fs;

static std::error_code writeText(llvm::raw_fd_ostream &out,
                                 llvm::StringRef text) {
  out << text;
  out.flush();
  std::error_code error = out.error();
  out.clear_error();
  return error;
}

static std::error_code replace(llvm::StringRef file, bool exists,
                               llvm::StringRef text) {
  llvm::SmallString<128> target(file);
  fs::perms permissions = fs::all_read | fs::all_write;
  if (exists) {
    if (std::error_code error = fs::real_path(file, target))
      return error;
    llvm::ErrorOr<fs::perms> had = fs::getPermissions(target);
    if (!had)
      return had.getError();
    permissions = *had;
    // A file that may not be written is not to be replaced either.
    if (!fs::can_write(target))
      return std::make_error_code(std::errc::permission_denied);
  }
  // Beside the file, so that it takes its place in one step.
  llvm::SmallString<128> temporary;
  int descriptor = -1;
  if (std::error_code error = fs::createUniqueFile(
          target + ".%%%%%%%%.coreside", descriptor, temporary))
    return error;
  llvm::scope_exit removeIt([&] { fs::remove(temporary); });
  {
    llvm::raw_fd_ostream out(descriptor, /*shouldClose=*/true);
    if (std::error_code error = writeText(out, text))
      return error;
  }
  if (exists)
    if (std::error_code error = fs::setPermissions(temporary, permissions))
      return error;
  if (std::error_code error = fs::rename(temporary, target))
    return error;
  removeIt.release();
  return std::error_code();
}

llvm::Error coreside::writeWholeFile(llvm::StringRef file,
                                     llvm::StringRef text) {
  fs::file_status status;
  std::error_code error = fs::status(file, status);
  bool exists = !error && fs::exists(status);
  if (exists && !fs::is_regular_file(status)) {
    llvm::raw_fd_ostream out(file, error, fs::CD_OpenExisting, fs::FA_Write,
                             fs::OF_None);
    if (!error)
      error = writeText(out, text);
  } else {
    error = replace(file, exists, text);
  }
  if (!error)
    return llvm::Error::success();
  return llvm::createStringError("cannot write '" + file +
                                 "': " + error.message());
}
