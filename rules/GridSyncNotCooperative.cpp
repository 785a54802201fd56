// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// grid-sync-not-cooperative: a kernel that waits for its whole grid with
// cooperative_groups is launched as any other.
//
//   error: 'solve' syncs its grid and is not launched cooperatively
//
// The sync then traps or is undefined. Kernels of graphs are left out: a
// capture keeps how they were launched.

#include "LaunchView.h"
#include "Rules.h"
#include "Words.h"

#include <fmt/format.h>

using namespace coreside;

/// Whether all is known of how `step` is launched. Launches by attributes may
/// have them from elsewhere.
static bool isPlainLaunch(const Step &step) {
  return step.kind == Step::Kind::Launch && step.kernel >= 0 &&
         !step.cooperative && step.graph < 0 &&
         (step.function.empty() || step.function == "cudaLaunchKernel");
}

std::vector<Finding>
coreside::findGridSyncNotCooperative(const Analysis &analysis) {
  std::vector<Finding> findings;
  forEachLaunch(analysis, [&](const LaunchView &view) {
    if (!isPlainLaunch(view.step))
      return;
    const KernelBody &body = view.kernel()->body;
    if (!body.gridSync && !body.multiGridSync)
      return;
    const SourcePlace &sync =
        body.gridSync ? *body.gridSync : *body.multiGridSync;
    Finding finding = findingAt(view);
    // A sync under a condition may be for cooperative launches alone.
    finding.level = body.gridSyncAlways ? Level::Error : Level::Note;
    finding.message = fmt::format(
        "{} {} its grid and is not launched cooperatively", view.kernelName(),
        body.gridSyncAlways ? "syncs" : "may sync");
    finding.notes = {
        {sync, "it waits for the whole grid here"},
        {view.step.place,
         fmt::format("use {}", body.gridSync
                                   ? "cudaLaunchCooperativeKernel"
                                   : "cudaLaunchCooperativeKernelMultiDevice "
                                     "up to CUDA 12; CUDA 13 has no grids of "
                                     "several devices")}};
    for (const GPU &gpu : analysis.gpus) {
      finding.gpus.push_back(gpu.name);
      addFact(finding, gpu, Outcome::Fails);
    }
    findings.push_back(std::move(finding));
  });
  return findings;
}
