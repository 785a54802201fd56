// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a file is compiled: nvcc's or clang's command, put into the words of the
// two that read it here, clang (host code) and nvcc (device code).
//
// In:   nvcc -arch=sm_90 -Xcompiler=-fPIC,-Wall -lineinfo -DN=4 -c a.cu -o a.o
// Out:  clang: -fPIC -Wall -DN=4    nvcc: -DN=4 -lineinfo    targets: 9.0
//
// A compile database comes from whoever wrote the repository. Nothing it names
// is run; what could load, write or start something (plugins, wrappers,
// outputs, another host compiler, option files for nvcc) does not get through.

#ifndef CORESIDE_SOURCE_COMPILECOMMAND_H
#define CORESIDE_SOURCE_COMPILECOMMAND_H

#include "device/Architecture.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coreside {

/// How one file is compiled.
struct CompileCommand {
  /// Absolute.
  std::string file;
  /// The folder that relative paths in the arguments start from.
  std::string directory;
  /// For clang: the file's own flags, without compiler, input, output, targets
  /// and toolkit, which Parse adds.
  std::vector<std::string> clangArguments;
  /// For nvcc: the flags that bear on device code, none that writes or starts
  /// anything and none that sets the architecture.
  std::vector<std::string> nvccArguments;
  /// Real and virtual architectures asked for, rising, each once; empty where
  /// none is.
  std::vector<ComputeCapability> targets;
  /// -rdc=true, -dc: registers are final only after device linking.
  bool relocatable = false;
  /// --default-stream per-thread, or the macro that does the same.
  bool perThreadDefaultStream = false;
  /// -maxrregcount, per thread.
  std::optional<unsigned> maxRegisters;
  /// -G.
  bool deviceDebug = false;
  /// The compiler is clang, not nvcc: sources may ask which it is.
  bool byClang = false;
  /// -x cu, cuda or hip: CUDA whatever its name ends with.
  bool saysCUDA = false;
  /// What the command writes (-o), absolute; empty where it does not say. May
  /// or may not be there.
  std::string output;
  /// The database that the command is from, absolute; empty for flags.
  std::string database;
  /// What a person should know: "not in the compile database; with the flags of
  /// 'b.cu'", "options file 'x.rsp' not found".
  std::vector<std::string> notes;
};

/// Whether nvcc may be given `word`, an argument or the name of a file. nvcc
/// passes its arguments on through a shell, between double quotes: what a shell
/// expands there (-DX='$(...)', also in a file's name) would be run.
bool isSafeForNvcc(llvm::StringRef word);

/// Puts a command, its first word the compiler, into the words of clang and
/// nvcc. `directory` must be absolute; options files are read from there.
CompileCommand translateCommand(llvm::StringRef directory, llvm::StringRef file,
                                llvm::ArrayRef<std::string> command);

/// Answers with the commands of a file.
class CompileCommands {
public:
  /// No flags, or those that follow `--`: clang's and nvcc's spelling are both
  /// understood. Relative paths start from the current folder.
  static CompileCommands fromFlags(llvm::ArrayRef<std::string> flags = {});

  /// The compile_commands.json in `folder`, or `folder` itself when it is a
  /// file. One-line errors: cannot be read, is not JSON, holds no entries.
  static llvm::Expected<CompileCommands> fromDatabase(llvm::StringRef folder);

  /// Where the commands of `file` come from: `flags` where there are any, else
  /// the database in `folder` where one is named, else the nearest
  /// compile_commands.json in the folders above the file and in folders called
  /// build beside those, else no flags.
  static llvm::Expected<CompileCommands>
  find(llvm::StringRef file,
       const std::optional<std::vector<std::string>> &flags,
       llvm::StringRef folder);

  /// The different commands that `file` is compiled with, in the order of the
  /// database: at least one. A file that is not in it gets the flags of its
  /// nearest neighbour, or none, and a note that says so.
  std::vector<CompileCommand> commandsFor(llvm::StringRef file) const;

  /// The files of the database, absolute, each once; none without one.
  std::vector<std::string> files() const;
  /// Whether the database has `file`.
  bool has(llvm::StringRef file) const;
  /// The database, absolute; empty where there is none.
  const std::string &database() const;

  CompileCommands(CompileCommands &&) noexcept;
  CompileCommands &operator=(CompileCommands &&) noexcept;
  ~CompileCommands();

private:
  CompileCommands();
  struct Entries;
  std::unique_ptr<Entries> All;
};

} // namespace coreside

#endif
