// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where clang's own headers are: <stddef.h>, what wraps <new> for CUDA and
// more.
//
// In:   the running program, /opt/coreside/bin/coreside
// Out:  /opt/coreside/lib/coreside/clang, if it is there; else the folder of
//       the clang that coreside was built with
//
// A program that was installed carries them; one in a build folder, and a
// module in someone else's program, use those of LLVM.

#ifndef CORESIDE_SOURCE_CLANGRESOURCES_H
#define CORESIDE_SOURCE_CLANGRESOURCES_H

#include <string>

namespace coreside {

/// What -resource-dir= takes. It is found once for each process.
const std::string &clangResources();

} // namespace coreside

#endif
