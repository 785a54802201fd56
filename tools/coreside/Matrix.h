// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches and pairs by GPUs, a table of verdicts.
//
// In:   analyses of a run, a100 and rtx4090
// Out:    launch                                a100   rtx4090
//         pipeline.cu:120 blur                  runs   runs
//       * pipeline.cu:121 edges beside blur:120 waits  tail only
//
// A star marks the rows whose verdicts differ. What stands in several traces or
// instantiations stands once for each verdict.

#ifndef CORESIDE_TOOLS_MATRIX_H
#define CORESIDE_TOOLS_MATRIX_H

#include "analysis/Analysis.h"
#include "rules/Finding.h"

#include "llvm/Support/raw_ostream.h"

#include <map>
#include <string>
#include <vector>

namespace coreside {

class Matrix {
public:
  /// Adds the launches and pairs of `analysis`, and of `findings` those that
  /// tell of hanging.
  void add(const Analysis &analysis, const std::vector<Finding> &findings);

  void write(llvm::raw_ostream &out) const;

private:
  struct Row {
    SourcePlace place;
    std::string what;
    /// By GPU: "waits, registers".
    std::map<std::string, std::string> cells;
    auto operator<=>(const Row &) const = default;
  };
  void addGPU(const std::string &name);

  std::vector<std::string> GPUs;
  std::vector<Row> Rows;
};

} // namespace coreside

#endif
