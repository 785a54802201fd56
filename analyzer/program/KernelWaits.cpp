// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   what a kernel does to shared memory, in the order of its text.
// Out:  what each of its loops waits for.
//
// Where two readings are possible, the one that finds less is taken: what is
// Unclear is never a finding.

#include "KernelEvents.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include <algorithm>

namespace coreside {

bool DevicePlace::overlaps(const DevicePlace &other) const {
  if (parameter != other.parameter || root != other.root ||
      frame != other.frame || local != other.local || pointer != other.pointer)
    return false;
  llvm::StringRef a = members, b = other.members;
  return a.starts_with(b) || b.starts_with(a);
}

void DeviceNumber::join(const DeviceNumber &other) {
  from |= other.from;
  parameters |= other.parameters;
  if (offset == Offset::None)
    offset = other.offset;
  else if (other.offset != Offset::None && other.offset != offset)
    offset = Offset::Mixed;
  scaled |= other.scaled;
  if (constant != other.constant)
    constant.reset();
  if (!step)
    step = other.step;
  for (const DevicePlace &place : other.tickets)
    if (!llvm::is_contained(tickets, place))
      tickets.push_back(place);
}

namespace {

using Who = DeviceBlocks::Who;
using Kind = DeviceEvent::Kind;
using For = KernelWait::For;
using Offset = DeviceNumber::Offset;

bool overlap(const DevicePlaces &a, const DevicePlaces &b) {
  for (const DevicePlace &one : a)
    for (const DevicePlace &other : b)
      if (one.overlaps(other))
        return true;
  return false;
}

/// In blocks all over the grid.
bool isEverywhere(Who who) {
  return who == Who::All || who == Who::NotFirst || who == Who::NotLast ||
         who == Who::NotLastToArrive;
}

class Classifier {
public:
  explicit Classifier(const std::vector<DeviceEvent> &events)
      : Events(events) {}

  KernelWait classify(unsigned number) {
    At = number;
    const DeviceEvent &wait = Events[number];
    Result = {};
    Result.inEveryBlock = isEverywhere(wait.blocks.who);
    Result.what = kind(wait);
    return Result;
  }

private:
  const std::vector<DeviceEvent> &Events;
  unsigned At = 0;
  KernelWait Result;

  /// How many blocks are waited for, in what a count is compared with and what
  /// is added to it; false where it cannot be told.
  bool howMany(const DeviceNumber &number, std::optional<int64_t> compared) {
    if (number.has(DeviceNumber::GridSize))
      return true;
    if (number.parameters) {
      unsigned parameter = llvm::countr_zero(number.parameters);
      // Of several, it is not known which of them counts blocks.
      if ((number.parameters & (number.parameters - 1)) == 0)
        Result.blocksParameter = parameter;
      return true;
    }
    if (!compared || *compared <= 1)
      compared = number.step;
    if (compared && *compared > 1)
      Result.blocks = *compared;
    return Result.blocks.has_value();
  }

  For kind(const DeviceEvent &wait) {
    if (wait.arrives)
      return wait.blocks.who == Who::All && wait.index.offset == Offset::None
                 ? For::AllBlocks
                 : For::Unclear;

    llvm::SmallVector<const DeviceEvent *, 8> before, after;
    for (unsigned i = 0; i != Events.size(); ++i) {
      const DeviceEvent &event = Events[i];
      if (i == At || event.kind == Kind::Wait ||
          !overlap(event.places, wait.places))
        continue;
      (i < At ? before : after).push_back(&event);
    }
    auto all = before;
    all.append(after);

    if (all.empty())
      return For::Others;
    if (wait.takes)
      return after.empty() ? For::Unclear : For::Lock;

    // Turns are taken in the order of tickets, or of blocks.
    bool ownTicket = wait.number.has(DeviceNumber::Ticket) &&
                     overlap(wait.number.tickets, wait.places);
    if (wait.index.has(DeviceNumber::Ticket) ||
        (wait.number.has(DeviceNumber::Ticket) && !ownTicket &&
         !wait.number.has(DeviceNumber::GridSize)))
      return For::EarlierBlocks;

    if (For barrier = asBarrier(wait, before); barrier != For::Unclear)
      return barrier;
    if (For roles = byRoles(wait, all); roles != For::Unclear)
      return roles;
    if (wait.index.offset != Offset::None)
      return byIndex(wait, all);
    if (wait.number.has(DeviceNumber::Block))
      return wait.number.has(DeviceNumber::Strided) ? For::LaterBlocks
                                                    : For::EarlierBlocks;
    // What is only taken back after it was waited for is somebody else's to
    // give.
    if (before.empty() && llvm::all_of(after, [&](const DeviceEvent *event) {
          return event->kind == Kind::Write && event->index.from == 0 &&
                 event->blocks.who == wait.blocks.who;
        }))
      return For::Others;
    return For::Unclear;
  }

  /// Every block adds to a count before it waits for the count, or for what
  /// the last block to come stores.
  For asBarrier(const DeviceEvent &wait,
                llvm::ArrayRef<const DeviceEvent *> before) {
    if (!isEverywhere(wait.blocks.who) || wait.index.offset != Offset::None)
      return For::Unclear;
    for (const DeviceEvent *event : before) {
      if ((event->kind != Kind::Change && event->kind != Kind::Decrease) ||
          event->blocks.who != Who::All || event->index.offset != Offset::None)
        continue;
      DeviceNumber number = wait.number;
      number.join(event->number);
      if (event->kind == Kind::Decrease && wait.compared == 0)
        return For::AllBlocks;
      if (howMany(number, wait.compared))
        return For::AllBlocks;
    }
    // Every block says that it has come, and looks at what all say.
    if (!before.empty() &&
        wait.index.has(DeviceNumber::Thread | DeviceNumber::NotConstant) &&
        llvm::all_of(before, [](const DeviceEvent *event) {
          return event->blocks.who == Who::All &&
                 event->index.offset == Offset::Own;
        }))
      return For::AllBlocks;
    for (unsigned i = 0; i != Events.size(); ++i) {
      const DeviceEvent &event = Events[i];
      if (i == At || event.kind == Kind::Wait ||
          event.blocks.who != Who::LastToArrive ||
          !overlap(event.places, wait.places))
        continue;
      const DeviceNumber &ticket = event.blocks.ticket;
      // That all take a ticket.
      bool everyBlock = llvm::any_of(Events, [&](const DeviceEvent &arrival) {
        return (arrival.kind == Kind::Change ||
                arrival.kind == Kind::Decrease) &&
               arrival.blocks.who == Who::All &&
               overlap(arrival.places, ticket.tickets);
      });
      if (!everyBlock)
        continue;
      std::optional<int64_t> last;
      if (ticket.constant && *ticket.constant > 0 &&
          !ticket.has(DeviceNumber::CountedDown))
        last = *ticket.constant + 1;
      if (howMany(ticket, last) || ticket.has(DeviceNumber::CountedDown))
        return For::AllBlocks;
    }
    return For::Unclear;
  }

  /// Some blocks store what others wait for.
  For byRoles(const DeviceEvent &wait,
              llvm::ArrayRef<const DeviceEvent *> writes) {
    auto allBy = [&](std::initializer_list<Who> who) {
      return llvm::all_of(writes, [&](const DeviceEvent *event) {
        return llvm::is_contained(who, event->blocks.who);
      });
    };
    Who who = wait.blocks.who;
    if (allBy({Who::FirstToArrive}))
      return For::EarlierBlocks;
    if (allBy({Who::First}) && isEverywhere(who)) {
      // The first block itself may wait for all others: then all wait for all.
      const DeviceEvent *write = writes.front();
      for (const DeviceEvent &event : Events) {
        if (&event >= write)
          break;
        if (event.kind == Kind::Wait && event.blocks.who == Who::First &&
            event.index.has(DeviceNumber::Thread | DeviceNumber::NotConstant |
                            DeviceNumber::GridSize) &&
            llvm::any_of(Events, [&](const DeviceEvent &other) {
              return other.kind != Kind::Wait && other.blocks.who == Who::All &&
                     other.index.offset == Offset::Own &&
                     overlap(other.places, event.places);
            }))
          return For::AllBlocks;
        // Or for a count that all add to.
        if (event.kind == Kind::Wait && event.blocks.who == Who::First &&
            llvm::any_of(Events,
                         [&](const DeviceEvent &other) {
                           return (other.kind == Kind::Change ||
                                   other.kind == Kind::Decrease) &&
                                  isEverywhere(other.blocks.who) &&
                                  overlap(other.places, event.places);
                         }) &&
            howMany(event.number, event.compared))
          return For::AllBlocks;
      }
      return For::EarlierBlocks;
    }
    if (allBy({Who::Last}) && isEverywhere(who))
      return For::LaterBlocks;
    if (allBy({Who::Upper}) && who == Who::Lower)
      return For::LaterBlocks;
    if (allBy({Who::First, Who::Lower}) &&
        (who == Who::Upper || who == Who::Last))
      return For::EarlierBlocks;
    return For::Unclear;
  }

  /// What is waited for stands at an index that says whose it is.
  For byIndex(const DeviceEvent &wait,
              llvm::ArrayRef<const DeviceEvent *> writes) {
    Offset offset = wait.index.offset;
    if (!isEverywhere(wait.blocks.who))
      return For::Unclear;
    auto allAt = [&](Offset at) {
      return llvm::all_of(writes, [&](const DeviceEvent *event) {
        return event->index.offset == at;
      });
    };
    // What a block waits for at its own place, another has stored at a place
    // beside its own.
    if (offset == Offset::Own && allAt(Offset::Above))
      offset = Offset::Below;
    else if (offset == Offset::Own && allAt(Offset::Below))
      offset = Offset::Above;
    else if (!allAt(Offset::Own))
      return For::Unclear;
    if (offset == Offset::Above)
      return For::LaterBlocks;
    if (offset == Offset::Below)
      return wait.index.has(DeviceNumber::Strided) ? For::LaterBlocks
                                                   : For::EarlierBlocks;
    return For::Unclear;
  }
};

SharedState stateOf(const DevicePlace &place,
                    std::string (*variableName)(const void *root)) {
  SharedState state;
  state.parameter = place.parameter;
  if (place.parameter < 0)
    state.variable = variableName(place.root);
  state.pointer = place.pointer;
  state.members = place.members;
  state.name = place.name;
  return state;
}

} // namespace

void classifyWaits(const std::vector<DeviceEvent> &events,
                   std::string (*variableName)(const void *root),
                   KernelBody &body) {
  Classifier classifier(events);
  for (unsigned i = 0; i != events.size(); ++i) {
    const DeviceEvent &event = events[i];
    if (event.kind == Kind::Wait) {
      KernelWait wait = classifier.classify(i);
      wait.place = event.place;
      wait.calledAt = event.calledAt;
      for (const DevicePlace &place : event.places)
        wait.on.push_back(stateOf(place, variableName));
      body.waits.push_back(std::move(wait));
      if (!event.arrives && !event.takes)
        continue;
    }
    for (const DevicePlace &place : event.places) {
      KernelRelease release;
      release.state = stateOf(place, variableName);
      release.place = event.place;
      release.plain = event.plain;
      for (unsigned before = 0; before != body.waits.size(); ++before)
        release.after.push_back(before);
      // The first is the one that comes after the fewest waits.
      auto known = llvm::find_if(body.releases, [&](const KernelRelease &one) {
        return one.state.parameter == release.state.parameter &&
               one.state.variable == release.state.variable &&
               one.state.pointer == release.state.pointer &&
               one.state.members == release.state.members;
      });
      if (known == body.releases.end())
        body.releases.push_back(std::move(release));
      else
        known->plain &= event.plain;
    }
  }
}

} // namespace coreside
