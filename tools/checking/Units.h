// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The files of a run, each as every one of its compile commands compiles it.
//
// In:   a.cu, in the database once; b.cu, in it for two libraries
// Out:  three units: a.cu, b.cu, b.cu, with their commands, targets, programs
//
// What the commands and the code have to say about themselves is said here, in
// the order of the files, whatever the order in which they were read.

#ifndef CORESIDE_TOOLS_UNITS_H
#define CORESIDE_TOOLS_UNITS_H

#include "Remarks.h"
#include "device/GPU.h"
#include "program/Assumption.h"
#include "program/Durations.h"
#include "program/Program.h"
#include "source/CompileCommand.h"
#include "source/Preambles.h"
#include "source/Toolkit.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <atomic>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coreside {

struct UnitOptions {
  /// What follows "--"; then no compile database is looked for.
  std::optional<std::vector<std::string>> flags;
  /// Folder of compile_commands.json; empty: the nearest above each file.
  std::string buildDirectory;
  /// The GPUs of --gpu; none: those that a file's command asks for.
  std::vector<GPU> gpus;
  /// By the name of a file, where its settings name others.
  std::map<std::string, std::vector<GPU>> gpusOf;
  /// Whose headers are read.
  std::optional<Toolkit> toolkit;
  /// The user asked for the tool's own declarations.
  bool withoutToolkit = false;
  /// Also follow functions that only other files call: there are others.
  bool forOtherFiles = false;
  /// Say how each file is read and which launches are not.
  bool explain = false;
  /// Where files are read from, null for the disk.
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files = nullptr;
  /// Files read at once; 0: as many as the machine has cores.
  unsigned jobs = 0;
  /// Preambles and bodies that are left out. False gives the same for more
  /// time.
  bool shortCuts = true;
  /// An editor's, which live longer than a run; null: the run has its own.
  Preambles *preambles = nullptr;
  /// See ParseOptions.
  const std::atomic<bool> *stop = nullptr;
  /// What the user says of numbers that the sources do not tell.
  std::vector<Assumption> assumptions;
  /// By the name of a file, where its settings say more: these instead.
  std::map<std::string, std::vector<Assumption>> assumptionsOf;
  /// By the name of a file, how long kernels take.
  std::map<std::string, std::vector<Duration>> durationsOf;
};

/// One file as one command of the database compiles it.
struct Unit {
  /// As the user named it.
  std::string name;
  CompileCommand command;
  std::vector<GPU> gpus;
  /// Why these; empty where the user named them.
  std::vector<std::string> gpuNotes;
  /// Filled by readPrograms.
  Program program;
  /// Its program was read from a summary: there is no command.
  bool isSummary = false;
};

/// Takes the toolkit in `cudaPath` (empty: found by itself; "none": the tool's
/// own declarations). Error: there is none in the folder that was named.
llvm::Error useToolkit(const std::string &cudaPath, UnitOptions &options);

/// The units of `files` without their programs, in the order of the files. What
/// keeps a file out is said as an error.
std::vector<Unit> findUnits(const std::vector<std::string> &files,
                            const UnitOptions &options, Remarks &remarks);

/// Reads the program of each unit, side by side. A unit that cannot be read is
/// taken out, the cause said as an error.
void readPrograms(std::vector<Unit> &units, const UnitOptions &options,
                  Remarks &remarks);

} // namespace coreside

#endif
