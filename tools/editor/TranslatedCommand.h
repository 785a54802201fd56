// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How clangd should compile a file that nvcc compiles.
//
// In:   a.cu, in the database with nvcc -arch=sm_90 -Xcompiler -fPIC ...
// Out:  {"workingDirectory": "/p/build", "compilationCommand": ["clang++",
// "-x",
//       "cuda", "--cuda-host-only", ...]}

#ifndef CORESIDE_EDITOR_TRANSLATEDCOMMAND_H
#define CORESIDE_EDITOR_TRANSLATEDCOMMAND_H

#include "EditorService.h"
#include "source/Toolkit.h"

namespace coreside {

/// Nothing where no database and no flags tell, or where the file is none of
/// CUDA's.
std::optional<llvm::json::Object>
translatedCommand(const std::string &path, const EditorOptions &options,
                  const std::optional<Toolkit> &toolkit);

} // namespace coreside

#endif
