// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// launch*.csv: launches at and beyond the limits, and the error they gave.

#include "MeasuredFile.h"
#include "Score.h"
#include "device/LaunchCheck.h"

#include "llvm/Support/FormatVariadic.h"

using namespace coreside;

llvm::Expected<std::vector<Score>> coreside::scoreLaunches(const GPU &gpu,
                                                           llvm::StringRef path,
                                                           unsigned wrongKept) {
  auto file = MeasuredFile::read(path);
  if (!file)
    return file.takeError();
  Score score(wrongKept);
  for (const MeasuredRow &row : file->rows()) {
    LaunchRequest request;
    const char *const grid[] = {"gx", "gy", "gz"};
    const char *const block[] = {"bx", "by", "bz"};
    for (unsigned i = 0; i < 3; ++i) {
      request.grid[i] = uint64_t(row.number(grid[i], 1));
      request.block[i] = uint64_t(row.number(block[i], 1));
    }
    request.registersPerThread = unsigned(row.number("regs"));
    request.staticShared = unsigned(row.number("static_smem"));
    request.dynamicShared = uint64_t(row.number("dyn_smem"));
    request.optIn = uint64_t(row.number("optin"));
    request.launchBound = unsigned(row.number("launch_bound"));
    request.clusterSize = unsigned(row.number("cluster"));
    request.nonPortableCluster = row.number("nonportable") != 0;
    request.cooperative = row.number("cooperative") != 0;
    const llvm::StringRef said = launchError(gpu, request);
    score.count(said == row.text("result"), [&] {
      return llvm::formatv("{0}\n    model: {1}", row.line(), said).str();
    });
  }
  return std::vector<Score>{score};
}
