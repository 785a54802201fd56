// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One .cu file through clang's front end: its host side.
//
// In:   a compile command, a toolkit or none.
// Out:  the AST, handed to a callback; the errors, the first of each line.
//
// The device side can be asked for instead, for one architecture: a source may
// say other things there (ArchitectureText.h). It costs as much.
//
// Errors in the user's code do not stop it: what is left of the AST is handed
// on. Without a toolkit the tool's own declarations (cuda/Declarations.h) stand
// in for CUDA's headers.

#ifndef CORESIDE_SOURCE_PARSE_H
#define CORESIDE_SOURCE_PARSE_H

#include "ArchitectureText.h"
#include "CompileCommand.h"
#include "Toolkit.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/VirtualFileSystem.h"

namespace clang {
class ASTContext;
}

namespace coreside {

struct ParseOptions {
  /// Whose headers are read; none: the tool's own declarations.
  std::optional<Toolkit> toolkit;
  /// Where files are read from, null for the disk: an editor lays its unsaved
  /// buffers over it.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = nullptr;
  /// Reads the device side for this architecture instead of the host side.
  std::optional<ComputeCapability> device;
};

/// A message of the parser.
struct ParseError {
  std::string file;
  /// From 1; 0 where the error has no place.
  unsigned line = 0;
  unsigned column = 0;
  std::string message;
};

struct ParseResult {
  /// The first of each line, at most 100.
  std::vector<ParseError> errors;
  /// All of them.
  unsigned errorCount = 0;
  /// All files that were read, absolute; the tool's own left out.
  std::vector<std::string> files;
  /// No toolkit was there.
  bool usedOwnDeclarations = false;
};

/// Parses `command.file` and calls `use` with what came of it, once, before it
/// returns. An error, without a call of `use`, is a file that cannot be read or
/// flags that clang cannot begin with.
llvm::Expected<ParseResult>
parse(const CompileCommand &command, const ParseOptions &options,
      llvm::function_ref<void(clang::ASTContext &, const ArchitectureText &)>
          use);

/// The command line that `parse` gives to clang, for people to look at.
std::vector<std::string> clangCommandLine(const CompileCommand &command,
                                          const ParseOptions &options);

} // namespace coreside

#endif
