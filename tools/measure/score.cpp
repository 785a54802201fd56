// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Holds the device model against measurements.
//
// In:   score DIR [--gpu NAME] [--wrong N] [--check]
// Out:  admit_default.csv                            12000   12000  100.00 %
// asked 100 %
//       multi_mix.jsonl     pairs that overlap        5643    5600   99.24 %
//       asked 99 %
//
// The kind of a file is what its name begins with: occupancy, admit, target,
// pairs, multi, launch or sync.

#include "Score.h"

#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using namespace coreside;

llvm::Expected<std::vector<Score>>
coreside::scoreFile(const GPU &gpu, llvm::StringRef path, unsigned wrongKept) {
  using Scorer = llvm::Expected<std::vector<Score>> (*)(
      const GPU &, llvm::StringRef, unsigned);
  static constexpr std::pair<const char *, Scorer> kinds[] = {
      {"occupancy", scoreOccupancy}, {"admit", scoreAdmission},
      {"target", scoreTargets},      {"pairs", scorePairs},
      {"multi", scorePrograms},      {"launch", scoreLaunches},
      {"sync", scoreHostCalls},      {"static", scoreAdmission},
      {"barriers", scoreAdmission},  {"triple", scoreThirds},
      {"clusters", scoreClusters},
  };
  const llvm::StringRef name = llvm::sys::path::filename(path);
  const llvm::StringRef extension = llvm::sys::path::extension(path);
  if (extension == ".csv" || extension == ".jsonl")
    for (auto [prefix, scorer] : kinds)
      if (name.starts_with(prefix))
        return scorer(gpu, path, wrongKept);
  return std::vector<Score>();
}

int main(int argc, char **argv) {
  llvm::cl::OptionCategory category("options");
  llvm::cl::opt<std::string> folder(llvm::cl::Positional, llvm::cl::Required,
                                    llvm::cl::desc("DIR"),
                                    llvm::cl::cat(category));
  llvm::cl::opt<std::string> name(
      "gpu", llvm::cl::desc("the GPU that was measured (h200)"),
      llvm::cl::init("h200"), llvm::cl::cat(category));
  llvm::cl::opt<unsigned> wrong(
      "wrong", llvm::cl::desc("show the first N wrong rows of each line"),
      llvm::cl::init(0), llvm::cl::cat(category));
  llvm::cl::opt<bool> check(
      "check", llvm::cl::desc("exit with 1 when a line is below what is asked"),
      llvm::cl::cat(category));
  llvm::cl::HideUnrelatedOptions(category);
  llvm::cl::ParseCommandLineOptions(
      argc, argv, "holds the device model against measurements\n");

  const GPU *gpu = findGPU(name);
  if (!gpu) {
    const std::string nearest = nearestGPUName(name);
    llvm::errs() << "coreside-score: --gpu: no GPU is called '" << name << "'"
                 << (nearest.empty() ? "" : "; did you mean '" + nearest + "'?")
                 << "\n";
    return 2;
  }
  std::error_code error;
  std::vector<std::string> paths;
  for (llvm::sys::fs::directory_iterator entry(folder, error), end;
       !error && entry != end; entry.increment(error))
    paths.push_back(entry->path());
  if (error) {
    llvm::errs() << "coreside-score: " << folder << ": " << error.message()
                 << "\n";
    return 2;
  }
  std::ranges::sort(paths);
  bool reached = true, any = false;
  for (const std::string &path : paths) {
    auto scores = scoreFile(*gpu, path, wrong);
    if (!scores) {
      llvm::errs() << "coreside-score: " << llvm::toString(scores.takeError())
                   << "\n";
      return 2;
    }
    for (const Score &score : *scores) {
      any = true;
      reached &= score.reached();
      llvm::outs() << llvm::formatv(
          "{0,-20} {1,-24} {2,6} rows {3,6} {4} {5,6:f2} %  asked {6}{7} "
          "%{8}\n",
          llvm::sys::path::filename(path), score.question, score.rows,
          score.right, score.atMost ? "so   " : "right", score.percent(),
          score.atMost ? "at most " : "", score.asked,
          score.reached() ? "" : "  MISSED");
      for (const std::string &row : score.wrong)
        llvm::outs() << "  " << row << "\n";
      llvm::outs().flush();
    }
  }
  if (!any) {
    llvm::errs() << "coreside-score: " << folder
                 << ": no file is called occupancy*, admit*, target*, pairs*, "
                    "multi*, launch* or sync* (.csv, .jsonl)\n";
    return 2;
  }
  return check && !reached ? 1 : 0;
}
