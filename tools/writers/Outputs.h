// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In which formats the findings of a run go where.
//
// In:   --format=sarif:out.sarif --format=github
// Out:  SARIF in out.sarif, workflow commands on standard output

#ifndef CORESIDE_WRITERS_OUTPUTS_H
#define CORESIDE_WRITERS_OUTPUTS_H

#include "Report.h"

#include "llvm/Support/Error.h"

namespace coreside {

enum class Format { Text, SARIF, GitHub, GitLab, JUnit, JSON, Markdown };

struct Output {
  Format format = Format::Text;
  /// Empty: standard output.
  std::string file;
};

/// `words` are the values of --format: NAME, for standard output, or NAME:FILE.
/// Standard output has text where no other format is for it; `file`, unless
/// empty, takes its place. Error: an unknown format, two for one place.
llvm::Expected<std::vector<Output>>
parseOutputs(llvm::ArrayRef<std::string> words, llvm::StringRef file);

struct OutputOptions {
  bool color = false;
  /// Standard output is for something else.
  bool onlyFiles = false;
};

/// Writes all outputs. A file is written whole, over what was there. An output
/// that cannot be written keeps no other one back; gives what went wrong.
std::vector<std::string> writeOutputs(const Report &report,
                                      llvm::ArrayRef<Output> outputs,
                                      const OutputOptions &options);

} // namespace coreside

#endif
