// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// coreside resources: what each kernel takes, out of build output, a binary or
// a compiler that is run for it.
//
//   kernel         target  registers  shared  barriers  stack  spills  h200
//   blur(float*)   sm_90          40    2048         1      0     8/4     6
//   edge(float*)   sm_90         >24       0         0      0       -     8
//
// ">24": not linked yet, and the linker can only raise it. "?": not said.

#ifndef CORESIDE_TOOLS_RESOURCESCOMMAND_H
#define CORESIDE_TOOLS_RESOURCESCOMMAND_H

#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>
#include <vector>

namespace coreside {

struct ResourcesOptions {
  /// CUDA sources, saved build output ("-" is standard input), binaries, and
  /// what this command wrote as JSON; must not be empty.
  std::vector<std::string> inputs;
  /// As --gpu takes them. Sources are compiled for these, and records for other
  /// architectures are left out. Empty: all records; sources for what their
  /// compile command names, else for a100, h100 and rtx4090.
  std::string gpus;
  unsigned SMs = 0;
  /// Threads per block, 1 to 1,024: adds blocks per SM. 0: those of
  /// __launch_bounds__, which only binaries tell.
  unsigned threads = 0;
  /// Bytes of dynamic shared memory per block, for blocks per SM.
  unsigned dynamicShared = 0;
  /// Folder of compile_commands.json; empty: the nearest above each source.
  std::string buildDirectory;
  /// What follows "--"; then no compile database is looked for.
  std::optional<std::vector<std::string>> flags;
  /// Where the CUDA toolkit is; empty: found by itself.
  std::string cudaPath;
  /// An earlier state, in any of the forms of an input but a source: prints
  /// what has moved since, and nothing else.
  std::string old;
  bool json = false;
  /// Keeps and re-uses what compilers said.
  bool cache = true;
  /// Compilers at once; 0: as many as there are cores.
  unsigned jobs = 0;
};

/// Prints the table, the JSON or the difference to `out`, notes and progress to
/// `errors`. 0; 1 when something was asked of `old` and a kernel has fewer
/// blocks per SM than before; 2 when there is nothing to print.
int runResources(const ResourcesOptions &options, llvm::raw_ostream &out,
                 llvm::raw_ostream &errors);

} // namespace coreside

#endif
