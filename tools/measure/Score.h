// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much of a measured file the device model gets right.
//
// In:   admit_default.csv and h200.
// Out:  "admit_default.csv  12000 rows  12000 right  100.00 %  asked 100 %",
//       and for each wrong row the reason that the model gave.

#ifndef CORESIDE_MEASURE_SCORE_H
#define CORESIDE_MEASURE_SCORE_H

#include "device/GPU.h"

#include "llvm/ADT/FunctionExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace coreside {

/// One question about one file.
struct Score {
  /// Empty where the file answers only one question.
  std::string question;
  uint64_t rows = 0;
  uint64_t right = 0;
  /// Per cent; for `atMost` the largest share that is allowed.
  double asked = 100;
  bool atMost = false;
  /// The first rows it got wrong, each with the model's reason.
  std::vector<std::string> wrong;
  /// How many of them to keep.
  unsigned wrongKept = 0;

  explicit Score(unsigned wrongKept, std::string question = "",
                 double asked = 100, bool atMost = false)
      : question(std::move(question)), asked(asked), atMost(atMost),
        wrongKept(wrongKept) {}

  void count(bool isRight, llvm::function_ref<std::string()> reason) {
    ++rows;
    right += isRight;
    if (!isRight && wrong.size() < wrongKept)
      wrong.push_back(reason());
  }
  double percent() const {
    return rows == 0 ? 0 : 100.0 * double(right) / double(rows);
  }
  bool reached() const {
    return rows != 0 && (atMost ? percent() <= asked : percent() >= asked);
  }
};

/// Scores of the file at `path`, by the kind that its name begins with; empty
/// for a kind that is not known.
llvm::Expected<std::vector<Score>>
scoreFile(const GPU &gpu, llvm::StringRef path, unsigned wrongKept);

// One function for each kind of file.
llvm::Expected<std::vector<Score>>
scoreOccupancy(const GPU &gpu, llvm::StringRef path, unsigned wrongKept);
llvm::Expected<std::vector<Score>>
scoreAdmission(const GPU &gpu, llvm::StringRef path, unsigned wrongKept);
llvm::Expected<std::vector<Score>>
scoreThirds(const GPU &gpu, llvm::StringRef path, unsigned wrongKept);
llvm::Expected<std::vector<Score>>
scoreClusters(const GPU &gpu, llvm::StringRef path, unsigned wrongKept);
llvm::Expected<std::vector<Score>>
scoreTargets(const GPU &gpu, llvm::StringRef path, unsigned wrongKept);
llvm::Expected<std::vector<Score>>
scorePairs(const GPU &gpu, llvm::StringRef path, unsigned wrongKept);
llvm::Expected<std::vector<Score>>
scorePrograms(const GPU &gpu, llvm::StringRef path, unsigned wrongKept);
llvm::Expected<std::vector<Score>>
scoreLaunches(const GPU &gpu, llvm::StringRef path, unsigned wrongKept);
llvm::Expected<std::vector<Score>>
scoreHostCalls(const GPU &gpu, llvm::StringRef path, unsigned wrongKept);

} // namespace coreside

#endif
