// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Placement.h"

#include <algorithm>

using namespace coreside;

/// SMs come in pairs (TPCs), 0 and 1, 2 and 3.
constexpr unsigned SMsPerTPC = 2;

/// The sizes of the groups; all SMs are one where they are not known, or are
/// those of another number of SMs.
static std::vector<unsigned> groupSizes(const GPU &gpu) {
  uint64_t sum = 0;
  for (unsigned size : gpu.clusterGroups)
    sum += size;
  return sum == gpu.SMs && sum != 0 ? gpu.clusterGroups
                                    : std::vector<unsigned>{gpu.SMs};
}

/// Numbers the SMs of the groups as hardware does: TPCs are dealt round-robin
/// over the groups, those of groups with one TPC come last.
static std::vector<std::vector<unsigned>>
numberGroups(std::vector<unsigned> sizes) {
  std::ranges::sort(sizes);
  std::vector<std::vector<unsigned>> groups(sizes.size());
  unsigned next = 0;
  for (const bool single : {false, true})
    for (bool any = true; any;) {
      any = false;
      for (size_t i = 0; i < sizes.size(); ++i)
        if (groups[i].size() < sizes[i] && single == (sizes[i] <= SMsPerTPC)) {
          for (unsigned j = 0; j < SMsPerTPC && groups[i].size() < sizes[i];
               ++j)
            groups[i].push_back(next++);
          any = true;
        }
    }
  return groups;
}

Placement::Placement(const GPU &gpu)
    : places(gpu.SMs, Place{SMState(gpu.architecture)}),
      clusterBlocksPerSM(gpu.architecture.clusterBlocksPerSM) {
  groupOf.resize(gpu.SMs);
  offers.resize(gpu.SMs);
  std::vector<bool> isSingle(gpu.SMs);
  for (std::vector<unsigned> &SMs : numberGroups(groupSizes(gpu))) {
    for (unsigned SM : SMs) {
      groupOf[SM] = unsigned(groups.size());
      isSingle[SM] = SMs.size() <= SMsPerTPC && SMs.size() < gpu.SMs;
    }
    groups.emplace_back().SMs = std::move(SMs);
  }
  // First those of the groups with one TPC, then the first SM of every TPC,
  // then the second (placement.csv).
  for (const bool single : {true, false})
    for (unsigned first = 0; first < SMsPerTPC; ++first)
      for (unsigned SM = first; SM < gpu.SMs; SM += SMsPerTPC)
        if (isSingle[SM] == single)
          order.push_back(SM);
}

unsigned Placement::roomOn(unsigned SM, unsigned number,
                           const PreparedKernel &kernel) {
  Place &place = places[SM];
  if (place.roomFor != number) {
    place.roomFor = number;
    place.room = place.state.room(kernel);
  }
  return place.room;
}

std::span<const unsigned> Placement::next(unsigned number,
                                          const PreparedKernel &kernel) {
  chosen.clear();
  if (kernel.footprint.clusterSize > 1) {
    chooseCluster(number, kernel);
    return chosen;
  }
  unsigned best = 0, most = 0;
  for (unsigned SM : order)
    if (const unsigned room = roomOn(SM, number, kernel); room > most) {
      best = SM;
      most = room;
    }
  if (most != 0)
    chosen.push_back(best);
  return chosen;
}

/// The rules of clusters.csv, 5,200 of 5,200 rows: an SM offers as many blocks
/// as fit, at most clusterBlocksPerSM of all clusters together; both SMs of a
/// TPC offer the smaller number if an SM alone takes more than one; and a group
/// needs as many SMs that offer any as the cluster has blocks.
void Placement::rankGroup(Group &group, unsigned number,
                          const PreparedKernel &kernel) {
  for (unsigned SM : group.SMs) {
    const unsigned taken = places[SM].clusterBlocks;
    offers[SM] =
        taken < clusterBlocksPerSM
            ? std::min(roomOn(SM, number, kernel), clusterBlocksPerSM - taken)
            : 0;
  }
  if (kernel.blocksHeld >= 2)
    for (unsigned SM : group.SMs)
      if (const unsigned other = SM ^ 1;
          other < places.size() && groupOf[other] == groupOf[SM])
        offers[SM] = offers[other] = std::min(offers[SM], offers[other]);
  const unsigned size = kernel.footprint.clusterSize;
  group.worstFor = number;
  group.worst = 0;
  if (group.SMs.size() < size)
    return;
  std::ranges::partial_sort(
      group.SMs, group.SMs.begin() + size, [&](unsigned a, unsigned b) {
        return offers[a] != offers[b] ? offers[a] > offers[b] : a < b;
      });
  group.worst = offers[group.SMs[size - 1]];
}

void Placement::chooseCluster(unsigned number, const PreparedKernel &kernel) {
  // The group whose worst chosen SM is best; of several the next in turn.
  unsigned best = 0;
  size_t bestGroup = 0;
  for (size_t i = 0; i < groups.size(); ++i) {
    const size_t candidate = (nextGroup + i) % groups.size();
    Group &group = groups[candidate];
    if (group.worstFor != number)
      rankGroup(group, number, kernel);
    if (group.worst > best) {
      best = group.worst;
      bestGroup = candidate;
    }
  }
  if (best == 0)
    return;
  const std::vector<unsigned> &SMs = groups[bestGroup].SMs;
  chosen.assign(SMs.begin(), SMs.begin() + kernel.footprint.clusterSize);
  nextGroup = bestGroup + 1;
}

unsigned Placement::admit(unsigned SM, const PreparedKernel &kernel) {
  Place &place = places[SM];
  --place.room;
  groups[groupOf[SM]].worstFor = ~0u;
  place.clusterBlocks += kernel.footprint.clusterSize > 1;
  return place.state.admit(kernel);
}

void Placement::release(unsigned SM, const PreparedKernel &kernel,
                        unsigned firstPartition) {
  Place &place = places[SM];
  place.roomFor = ~0u;
  groups[groupOf[SM]].worstFor = ~0u;
  place.clusterBlocks -= kernel.footprint.clusterSize > 1;
  place.state.release(kernel, firstPartition);
}
