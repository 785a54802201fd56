// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// coreside summarize FILE.cu -o FILE.json --depfile FILE.d: what `check` needs
// to know of one source file, as one action of a build. `coreside check *.json`
// joins what the actions wrote.
//
// In:   a source file, and how it is compiled
// Out:  its program and what its kernels take (Summary.h, ResourcesJSON.h); in
//       the depfile, in Make's language, the files that were read for it

#ifndef CORESIDE_TOOLS_SUMMARIZECOMMAND_H
#define CORESIDE_TOOLS_SUMMARIZECOMMAND_H

#include "checking/Remarks.h"
#include "checking/Units.h"
#include "resources/Resources.h"

#include <optional>
#include <string>
#include <vector>

namespace coreside {

struct SummarizeOptions {
  std::string file;
  /// The file to write; "-" is standard output.
  std::string output;
  /// Empty: none is written.
  std::string depfile;
  std::string gpus;
  unsigned SMs = 0;
  std::string buildDirectory;
  std::optional<std::vector<std::string>> flags;
  std::vector<std::string> resources;
  bool useCache = true;
  std::string cudaPath;
};

/// 0, or 2 when no summary could be made; then the output is not touched.
int runSummarize(const SummarizeOptions &options);

/// A summary that was read back.
struct SummarizedUnit {
  Unit unit;
  ResourceTable resources;
};

/// Whether `file` looks like something that `summarize` wrote.
bool isSummaryFile(const std::string &file);

/// What `summarize` wrote: a unit for each command of its source file. Without
/// `gpus` they are those that it was made for. Error: the file and what is
/// wrong with it.
llvm::Expected<std::vector<SummarizedUnit>>
readSummaryFile(const std::string &file, const std::vector<GPU> &gpus);

} // namespace coreside

#endif
