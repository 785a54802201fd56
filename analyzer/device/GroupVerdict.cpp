// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GroupVerdict.h"
#include "Placement.h"

#include <algorithm>

using namespace coreside;

/// Why no SM takes a block of `kernel`: the reason of the one that holds least.
static Limiter limiterOf(const Placement &SMs, const PreparedKernel &kernel) {
  unsigned emptiest = 0;
  for (unsigned SM = 1; SM < SMs.SMs(); ++SM)
    if (SMs.state(SM).residentWarps() < SMs.state(emptiest).residentWarps())
      emptiest = SM;
  const Limiter limiter = SMs.state(emptiest).refusal(kernel);
  return limiter == Limiter::None ? Limiter::Clusters : limiter;
}

GroupVerdict coreside::judgeGroup(const GPU &gpu, std::span<const Grid> grids) {
  GroupVerdict verdict;
  if (gpu.SMs == 0)
    return verdict;
  Placement SMs(gpu);
  // How many of the kernels each SM holds.
  std::vector<unsigned> kernelsOn(gpu.SMs);
  for (unsigned i = 0; i < grids.size(); ++i) {
    const PreparedKernel kernel =
        prepareKernel(gpu.architecture, grids[i].footprint);
    GroupMember member;
    member.blocks = grids[i].blocks;
    // Leftover dispatch: nothing passes a kernel whose blocks wait, and of the
    // kernels a GPU holds only so many.
    if (!verdict.allTogether)
      member.limiter = Limiter::DispatchOrder;
    else if (gpu.architecture.residentGrids != 0 &&
             i >= gpu.architecture.residentGrids)
      member.limiter = Limiter::ResidentGrids;
    std::vector<bool> holds(gpu.SMs);
    while (member.limiter == Limiter::None &&
           member.blocksAtOnce < member.blocks) {
      const std::span<const unsigned> chosen = SMs.next(i, kernel);
      if (chosen.empty())
        member.limiter = limiterOf(SMs, kernel);
      for (unsigned SM : chosen) {
        SMs.admit(SM, kernel);
        holds[SM] = true;
      }
      member.blocksAtOnce =
          std::min(member.blocks, member.blocksAtOnce + chosen.size());
    }
    for (unsigned SM = 0; SM < gpu.SMs; ++SM)
      kernelsOn[SM] += holds[SM];
    verdict.allTogether &= member.blocksAtOnce == member.blocks;
    verdict.members.push_back(member);
  }
  verdict.SMsWithAll =
      grids.empty() ? 0 : unsigned(std::ranges::count(kernelsOn, grids.size()));
  return verdict;
}
