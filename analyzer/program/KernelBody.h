// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the code of a kernel does that other blocks or kernels notice: what it
// waits for, what it stores where others may wait, and what it asks of the
// device beyond memory and arithmetic.
//
//   atomicAdd(&g->count, 1);               Release  parameter 0, "count"
//   while (g->count < gridDim.x) {}        Wait     AllBlocks, for the same
//
// Plain records: no Clang type is seen from here on.

#ifndef CORESIDE_PROGRAM_KERNELBODY_H
#define CORESIDE_PROGRAM_KERNELBODY_H

#include "SourcePlace.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace coreside {

/// Global memory as a kernel reaches it.
struct SharedState {
  /// Counted from 0; -1 where `variable` is what it starts from.
  int parameter = -1;
  /// A variable of namespace scope, with its namespaces.
  std::string variable;
  /// Of a parameter that is a structure, the pointer in it; it is a member of
  /// nothing in memory.
  std::string pointer;
  /// Members on the way from there, "count", "next->flag"; indices are left
  /// out. Two states overlap where one's members begin the other's.
  std::string members;
  /// As its user writes it: "g->count".
  std::string name;
  bool operator==(const SharedState &) const = default;
};

/// A loop that ends only when memory changes which somebody else must change.
struct KernelWait {
  enum class For {
    /// Every block of the grid arrives and waits until all have: a barrier.
    AllBlocks,
    /// Blocks with higher numbers, or turns of a loop that steps by the grid:
    /// blocks that wait for others which start later.
    LaterBlocks,
    /// Blocks that have started before: lower numbers, or the order in which
    /// blocks took tickets.
    EarlierBlocks,
    /// A lock that another block or thread holds.
    Lock,
    /// Memory that the kernel does not change itself.
    Others,
    /// It cannot be told.
    Unclear,
  };
  For what = For::Unclear;
  /// The loop, or the call of a library's wait.
  SourcePlace place;
  /// Where the kernel's own body calls the function that the loop stands in;
  /// line 0 where the loop is in the body itself.
  SourcePlace calledAt;
  /// A change of any of them may end it.
  std::vector<SharedState> on;
  /// Blocks are waited for by blocks all over the grid, not only by one.
  bool inEveryBlock = false;
  /// AllBlocks: how many are waited for, where that is neither the size of the
  /// grid nor unknown: a constant, or the number of a parameter.
  std::optional<int64_t> blocks;
  int blocksParameter = -1;
};

/// A store or an atomic operation on memory that others may wait for.
struct KernelRelease {
  SharedState state;
  SourcePlace place;
  /// An ordinary store, neither volatile nor atomic.
  bool plain = false;
  /// Indices into KernelBody::waits of those that come before it.
  std::vector<unsigned> after;
};

struct KernelBody {
  /// All of it was seen; else nothing follows from what is not in here.
  bool complete = false;
  std::vector<KernelWait> waits;
  std::vector<KernelRelease> releases;
  /// cooperative_groups: the whole grid, or the grids of several devices.
  std::optional<SourcePlace> gridSync;
  std::optional<SourcePlace> multiGridSync;
  /// One of the two is under no condition.
  bool gridSyncAlways = false;
  /// A named barrier whose number is not a constant: ptxas then reserves all.
  std::optional<SourcePlace> runTimeBarrier;
  /// malloc, free, new and delete.
  std::optional<SourcePlace> heap;
  std::optional<SourcePlace> prints;
  std::optional<SourcePlace> asserts;
  /// Kernels launched from the device.
  std::optional<SourcePlace> launches;
  /// It does the same with any number of blocks along x, and with any number of
  /// threads along x: its loops step by the whole grid (GridStride.h).
  bool anyBlocks = false;
  bool anyThreads = false;
};

} // namespace coreside

#endif
