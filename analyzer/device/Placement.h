// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The SMs of a GPU, and which of them the next block or cluster goes to.
//
// In:   h200 with 60 blocks of 512 threads; a kernel of 512 threads.
// Out:  one of the 72 empty SMs, since it would take most blocks of the kernel.
//
// Measured on an H200 (docs/model-scheduler.md): a block goes to the SM that
// would take the most further blocks of its own kernel, the first of them in a
// fixed order. A cluster takes one block on each of as many SMs of one group.

#ifndef CORESIDE_DEVICE_PLACEMENT_H
#define CORESIDE_DEVICE_PLACEMENT_H

#include "Admission.h"

#include <span>
#include <vector>

namespace coreside {

class Placement {
public:
  explicit Placement(const GPU &gpu);

  /// The SMs that the next block of `kernel` goes to, or the blocks of its next
  /// cluster; none when there is no room. `number` tells kernels apart: what
  /// was found out for the last one is remembered. Valid until the next call.
  std::span<const unsigned> next(unsigned number, const PreparedKernel &kernel);

  /// Places one block of the kernel that `next` was asked for last; returns
  /// what `release` wants back.
  unsigned admit(unsigned SM, const PreparedKernel &kernel);
  void release(unsigned SM, const PreparedKernel &kernel,
               unsigned firstPartition);

  unsigned SMs() const { return static_cast<unsigned>(places.size()); }
  const SMState &state(unsigned SM) const { return places[SM].state; }

private:
  struct Place {
    SMState state;
    /// More blocks of kernel `roomFor` that fit; ~0u when that is to be asked.
    unsigned roomFor = ~0u;
    unsigned room = 0;
    /// Blocks that belong to clusters.
    unsigned clusterBlocks = 0;
  };

  /// SMs that a cluster does not leave.
  struct Group {
    std::vector<unsigned> SMs;
    /// What the last SM of the next cluster of kernel `worstFor` offers, which
    /// takes the first of `SMs`; ~0u when that is to be found out.
    unsigned worstFor = ~0u;
    unsigned worst = 0;
  };

  unsigned roomOn(unsigned SM, unsigned number, const PreparedKernel &kernel);
  void chooseCluster(unsigned number, const PreparedKernel &kernel);
  void rankGroup(Group &group, unsigned number, const PreparedKernel &kernel);

  std::vector<Place> places;
  unsigned clusterBlocksPerSM;
  /// All SMs; of several with as much room the first here is taken.
  std::vector<unsigned> order;
  std::vector<Group> groups;
  std::vector<unsigned> groupOf;
  size_t nextGroup = 0;
  std::vector<unsigned> chosen;
  std::vector<unsigned> offers;
};

} // namespace coreside

#endif
