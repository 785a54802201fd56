// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Asks nvcc what the kernels of a file take.
//
// In:   blur.cu with its own flags, sm_90 and sm_80
// Out:  for each architecture the records of its kernels, or the reason
//
// nvcc goes only as far as ptxas, in two steps with PTX between them, and
// writes to a private folder that is gone afterwards. Where the PTX is one that
// ptxas has seen before, because only host code has changed, the second step is
// left out; where ptxas refuses a kernel, the others are compiled without it.
// Files and architectures run side by side.

#ifndef CORESIDE_RESOURCES_COMPILERESOURCES_H
#define CORESIDE_RESOURCES_COMPILERESOURCES_H

#include "CompilerRun.h"
#include "ResourceCache.h"
#include "Resources.h"
#include "source/CompileCommand.h"
#include "source/Toolkit.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coreside {

/// One file for one architecture.
struct CompileRequest {
  /// Must live until compileResources returns.
  const CompileCommand *command = nullptr;
  ComputeCapability capability;
  /// Any text that changes with what device code sees of the file itself; what
  /// is kept for it is good for the file with other host code. Empty: only the
  /// same file is the same.
  std::string deviceWord = {};
};

/// What came of a request. Records and an error may both be there: one kernel
/// failed, the others count.
struct CompiledResources {
  std::string file;
  ComputeCapability capability;
  std::vector<KernelResources> records;
  /// One line: the cause and what to do; empty when all went well.
  std::string error;
  std::vector<std::string> notes;
  /// No compiler was run.
  bool fromCache = false;
};

struct CompileOptions {
  /// Compilers at once; 0: as many as the machine has cores.
  unsigned jobs = 0;
  /// Asked before a compiler is run, and told afterwards; null: neither.
  const ResourceCache *cache = nullptr;
  /// Makes PTX where the toolkit has ptxas and no nvcc, from any thread; what
  /// comes of it is marked as an estimate. Null: such a toolkit is an error.
  std::function<llvm::Expected<std::string>(const CompileCommand &,
                                            const Toolkit &, ComputeCapability)>
      makePTX;
  /// To end it from another thread; null: it goes to its end.
  CompilerStop *stop = nullptr;
  /// Runs nvcc once on the whole way to machine code and takes the way by PTX
  /// only where that fails: quicker by a start of nvcc where kernels have
  /// changed, so that no PTX is known.
  bool inOneStep = false;
  /// Called before a compiler starts, from any thread, one call at a time:
  /// done, all, "blur.cu for sm_90".
  std::function<void(size_t done, size_t all, llvm::StringRef what)> progress;
};

/// Runs nvcc for each request and answers in their order. A request that fails
/// has its error; an error of the whole is that nothing could be run at all (no
/// nvcc in the toolkit, no temporary folder).
llvm::Expected<std::vector<CompiledResources>>
compileResources(llvm::ArrayRef<CompileRequest> requests,
                 const Toolkit &toolkit, const CompileOptions &options = {});

/// What is kept for the device code of each request, whose file may be another
/// now: only the headers that went into it must be as they were. Nothing where
/// one of them is not known.
std::optional<std::vector<CompiledResources>>
keptResources(llvm::ArrayRef<CompileRequest> requests, const Toolkit &toolkit,
              const ResourceCache &cache);

/// The first line of a compiler's output that says what is wrong; empty when
/// none does.
std::string firstError(llvm::StringRef output);

} // namespace coreside

#endif
