// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the code of a kernel does to memory that blocks share, in the order of
// the text, before it is asked what waits for what.
//
//   if (blockIdx.x == 0) flag = 1; else while (!flag) {}
//     -> Write flag by the first block, Wait flag by all but the first

#ifndef CORESIDE_PROGRAM_KERNELEVENTS_H
#define CORESIDE_PROGRAM_KERNELEVENTS_H

#include "KernelBody.h"

#include "llvm/ADT/SmallVector.h"

namespace coreside {

/// Memory, as `SharedState`, but also what belongs to a block or a thread.
struct DevicePlace {
  /// Of the kernel; -1 for none.
  int parameter = -1;
  /// The declaration, or the expression that makes a temporary.
  const void *root = nullptr;
  /// For a local variable, the call that it lives in; 0 for variables of
  /// namespace scope.
  unsigned frame = 0;
  bool local = false;
  /// Local, and shared by the threads of a block.
  bool ofBlock = false;
  /// Volatile.
  bool changesAnytime = false;
  /// As in SharedState.
  std::string pointer;
  std::string members;
  /// As its user writes it.
  std::string name;

  bool isShared() const { return !local; }
  bool operator==(const DevicePlace &other) const {
    return parameter == other.parameter && root == other.root &&
           frame == other.frame && local == other.local &&
           pointer == other.pointer && members == other.members;
  }
  /// One may hold the other.
  bool overlaps(const DevicePlace &other) const;
};
using DevicePlaces = llvm::SmallVector<DevicePlace, 2>;

/// What a number is made of, and how it stands to the number of the block.
struct DeviceNumber {
  enum From : unsigned {
    Block = 1,
    Thread = 2,
    GridSize = 4,
    /// What an atomic operation found: the order in which threads came.
    Ticket = 8,
    /// Memory.
    Memory = 16,
    Clock = 32,
    /// Grows by the size of the grid from turn to turn.
    Strided = 64,
    /// A call that cannot be followed.
    Unseen = 128,
    /// The order is one of elections: of an exchange, not of counting.
    Elected = 256,
    /// What was taken away from is counted down.
    CountedDown = 512,
    /// More than the kernel's own constants.
    NotConstant = 1024,
  };
  unsigned from = 0;
  /// Parameters of the kernel, as bits; those from 64 on are left out.
  uint64_t parameters = 0;
  enum class Offset { None, Own, Below, Above, Mixed };
  /// To the number of the block, or what it grows to.
  Offset offset = Offset::None;
  /// A multiple of it.
  bool scaled = false;
  std::optional<int64_t> constant;
  /// It counts in steps of this.
  std::optional<int64_t> step;
  /// Memory that a ticket was taken from.
  DevicePlaces tickets;

  bool has(unsigned bits) const { return from & bits; }
  void join(const DeviceNumber &other);
};

/// Which blocks run a piece of code.
struct DeviceBlocks {
  enum class Who {
    All,
    First,
    NotFirst,
    Last,
    NotLast,
    Lower,
    Upper,
    /// The block that took the first or the last ticket, and the others.
    FirstToArrive,
    LastToArrive,
    NotLastToArrive,
    /// Some, it is not known which.
    Some,
  };
  Who who = Who::All;
  /// For the last to arrive: what its ticket is compared with.
  DeviceNumber ticket;
};

struct DeviceEvent {
  enum class Kind { Write, Change, Decrease, Exchange, Wait };
  Kind kind = Kind::Write;
  DevicePlaces places;
  /// What the places are indexed with.
  DeviceNumber index;
  DeviceBlocks blocks;
  /// Change: what is added. Wait: all that the end of the loop depends on.
  DeviceNumber number;
  /// Wait: what the memory is compared with, where that is a constant.
  std::optional<int64_t> compared;
  /// Wait: by exchanging, which takes what it waits for.
  bool takes = false;
  /// What makes the access, to tell two apart; null for a store.
  const void *expression = nullptr;
  /// An ordinary store.
  bool plain = false;
  /// Wait and Change in one: a library's barrier.
  bool arrives = false;
  SourcePlace place;
  SourcePlace calledAt;
};

/// Says of each wait among `events` what for, and gathers the releases.
/// `variableName` names a variable of namespace scope.
void classifyWaits(const std::vector<DeviceEvent> &events,
                   std::string (*variableName)(const void *root),
                   KernelBody &body);

} // namespace coreside

#endif
