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
// Any thread may parse, several at once.
//
// Errors in the user's code do not stop it: what is left of the AST is handed
// on. Without a toolkit the tool's own declarations (cuda/Declarations.h) stand
// in for CUDA's headers.

#ifndef CORESIDE_SOURCE_PARSE_H
#define CORESIDE_SOURCE_PARSE_H

#include "ArchitectureText.h"
#include "CompileCommand.h"
#include "ParseErrors.h"
#include "Preambles.h"
#include "Toolkit.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <atomic>

namespace clang {
class ASTContext;
class Decl;
} // namespace clang

namespace coreside {

struct ParseOptions {
  /// Whose headers are read; none: the tool's own declarations.
  std::optional<Toolkit> toolkit;
  /// Where files are read from, null for the disk: an editor lays its unsaved
  /// buffers over it.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = nullptr;
  /// The tool's own declarations in HIP's names; `parse` sees by itself which
  /// files need them.
  bool hip = false;
  /// Reads the device side for this architecture instead of the host side.
  std::optional<ComputeCapability> device;
  /// Preambles to use and to add to; null: none. Those of a file are an
  /// editor's: parsing it again then costs little more than its own text.
  Preambles *preambles = nullptr;
  /// Leaves the bodies of functions in system headers out. False gives the same
  /// program for more time: a check.
  bool skipSystemBodies = true;
  /// Once it is true, parsing ends with an error as soon as it can: nobody
  /// waits for it any more. Null: it goes to its end.
  const std::atomic<bool> *stop = nullptr;
};

/// What came of a file, while its AST is there.
struct ParsedFile {
  clang::ASTContext &context;
  const ArchitectureText &architecture;
  /// The declarations at the top, in their order; those of system headers are
  /// left out where they are not at hand.
  std::vector<clang::Decl *> declarations;
  /// What clang calls the files that are no system headers, the main file left
  /// out, in the order in which they are read.
  std::vector<std::string> userHeaders;
};

struct ParseResult {
  ParseErrors errors;
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
      llvm::function_ref<void(const ParsedFile &)> use);

/// The flags that a file is parsed with, as Preambles tell them apart.
std::string preambleKey(const CompileCommand &command,
                        const ParseOptions &options);

/// The command line that `parse` gives to clang, for people to look at.
std::vector<std::string> clangCommandLine(const CompileCommand &command,
                                          const ParseOptions &options);

} // namespace coreside

#endif
