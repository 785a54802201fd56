// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the CUDA toolkit is.
//
// In:   nothing, or the folder that the user named.
// Out:  /usr/local/cuda, version 13.0, its nvcc and its ptxas.
//
// The first of these that holds include/cuda_runtime.h: the folder asked for,
// $CUDA_PATH, $CUDA_HOME, the folder above the nvcc on PATH, /usr/local/cuda.
// Nothing is run to find out.

#ifndef CORESIDE_SOURCE_TOOLKIT_H
#define CORESIDE_SOURCE_TOOLKIT_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace coreside {

/// An installed CUDA toolkit.
struct Toolkit {
  /// The folder that holds include/ and bin/.
  std::string path;
  /// Of CUDA, as in "13.0"; 0.0 where no file tells.
  unsigned majorVersion = 0;
  unsigned minorVersion = 0;
  /// Programs; empty where the toolkit has none (headers only).
  std::string nvcc;
  std::string ptxas;
  std::string nvlink;

  /// "13.0"
  std::string version() const;
};

/// Finds the toolkit. With `path`, only there. No toolkit is not an error: the
/// tool's own declarations then stand in for its headers.
std::optional<Toolkit> findToolkit(llvm::StringRef path = "");

} // namespace coreside

#endif
