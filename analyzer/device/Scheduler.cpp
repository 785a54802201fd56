// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An event queue of block ends, launches that reach the device, and kernels
// that become ready. A wave that only replaces itself is passed over, so that
// cost follows the number of kernels and SMs, not the size of the grids.

#include "Scheduler.h"
#include "Placement.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <span>

using namespace coreside;

namespace {

/// Times that the hardware and the driver take, in nanoseconds, as measured on
/// an H200 (docs/model-scheduler.md). `spread` is added in part by chance.
struct Latency {
  double least;
  double nominal;
  double spread;
};
/// The host, between two launches.
constexpr Latency issueInterval = {3500, 5000, 4500};
/// From the room that the last block of a kernel leaves to a kernel that waited
/// for it, be it its successor in the stream or one that awaits an event: both
/// were seen to go first, 52 times and 40.
constexpr Latency readyLatency = {1290, 1440, 300};
/// From the end of a block to the next one in its place.
constexpr double releaseLatency = 360;
/// Between two blocks that the dispatcher places.
constexpr double dispatchInterval = 0.2;
/// A block stays a little longer than its own time, and not all equally long.
constexpr double blockOverhead = 200;
constexpr double blockSpread = 300;
/// Blocks of some SMs leave later than those of others by up to this much.
constexpr double SMSpread = 1000;

/// The order in which blocks leave that should end together. It was seen to
/// lie anywhere between block by block, which leaves a little room on every
/// SM, and SM by SM, which leaves some SMs empty: what it depends on is not
/// known.
struct Leaving {
  /// 0 to 1: how far SM by SM.
  double bySM;
  /// 0 to 1: how far blocks differ otherwise.
  double byBlock;
};

Leaving leaving(unsigned run) {
  switch (run) {
  case 0:
    return {0.2, 0.8};
  case 1:
    return {0, 0.3};
  case 2:
    return {0.6, 0.4};
  case 3:
    return {0.05, 0.95};
  default:
    // Multiples of the golden ratio fill the interval evenly; the square
    // favours its lower part, as the measurements do.
    const double part = std::fmod(run * 0.6180339887498949, 1.0);
    return {part * part, 1 - part * part};
  }
}

/// A sequence of numbers in [0, 1) that depends on nothing but its seed.
class Dice {
public:
  explicit Dice(uint64_t seed) : state(seed * 0x9E3779B97F4A7C15ull + 1) {}
  double next() {
    // splitmix64, by Sebastiano Vigna (public domain).
    uint64_t z = (state += 0x9E3779B97F4A7C15ull);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    z ^= z >> 31;
    return double(z >> 11) * 0x1p-53;
  }

private:
  uint64_t state;
};

struct Event {
  enum Kind : uint8_t { BlockEnd, Ready, Issue };
  double time;
  uint64_t order;
  Kind kind;
  uint8_t firstPartition;
  unsigned kernel;
  unsigned SM;
};

/// For a heap with the earliest event on top.
bool later(const Event &a, const Event &b) {
  return a.time != b.time ? a.time > b.time : a.order > b.order;
}

struct KernelState {
  PreparedKernel prepared;
  uint64_t unplaced = 0;
  uint64_t resident = 0;
  /// Ends that have to come before this kernel is ready.
  unsigned waitsFor = 0;
  bool started = false;
  bool finished = false;
  double readyTime = 0;
  int priority = 0;
  /// Kernels that wait for this one.
  std::vector<unsigned> waiters;
};

/// A hardware queue: what was issued to it and is not ready yet, in order.
struct Queue {
  std::vector<unsigned> kernels;
  /// Kernels of its streams that were issued and are not done.
  unsigned pending = 0;
};

struct StreamState {
  unsigned queue = 0;
  unsigned pending = 0;
};

/// What the scheduler notes about an SM.
struct SMNotes {
  /// 0 to 1: how late its blocks end, compared with other SMs.
  double lateness = 0;
  struct Held {
    unsigned kernel;
    unsigned blocks;
    /// Of the block that ends last.
    double end;
  };
  /// Kernels with blocks here.
  std::vector<Held> holds;
};

class Player {
public:
  Player(const GPU &gpu, const DeviceProgram &program, const Chance &chance);
  Schedule play();

private:
  double draw(const Latency &latency) {
    return chance.run == 0 ? latency.nominal
                           : latency.least + latency.spread * dice.next();
  }
  void push(double time, Event::Kind kind, unsigned kernel, unsigned sm = 0,
            unsigned firstPartition = 0) {
    events.push_back(
        {time, ++sequence, kind, uint8_t(firstPartition), kernel, sm});
    std::ranges::push_heap(events, later);
  }
  void issueNext(double time);
  unsigned queueFor(unsigned kernel);
  void exposeQueues(double time);
  void dispatch(double time);
  void place(unsigned kernel, unsigned sm, double time);
  void endBlock(const Event &event);
  void finish(unsigned kernel, double time);
  void skipWaves(unsigned kernel, double time);
  unsigned headOfQueue() const;
  size_t pairIndex(unsigned a, unsigned b) const {
    const size_t n = kernels.size();
    return size_t(a) * (2 * n - a - 1) / 2 + (b - a - 1);
  }

  const GPU &gpu;
  const DeviceProgram &program;
  Chance chance;
  const Leaving leave;
  Dice dice;
  std::vector<KernelState> kernels;
  Placement SMs;
  std::vector<SMNotes> notes;
  std::vector<Event> events;
  uint64_t sequence = 0;
  std::vector<Queue> queues;
  unsigned nextQueue = 0;
  std::vector<StreamState> streams;
  std::vector<unsigned> ready;

  unsigned nextToIssue = 0;
  bool hostWaits = false;
  double dispatcherFree = 0;
  unsigned residentKernels = 0;
  uint64_t placedSinceSkip = 0;
  /// One bit for each pair and SM.
  std::vector<uint64_t> shared;
  size_t wordsPerPair = 0;
  Schedule schedule;
};

Player::Player(const GPU &gpu, const DeviceProgram &program,
               const Chance &chance)
    : gpu(gpu), program(program), chance(chance), leave(leaving(chance.run)),
      dice(chance.run), kernels(program.kernels.size()), SMs(gpu),
      notes(gpu.SMs), queues(program.hardwareQueues),
      streams(program.streams.size()) {
  const unsigned count = unsigned(kernels.size());
  for (SMNotes &note : notes)
    note.lateness = dice.next();
  schedule.kernels.resize(count);
  wordsPerPair = (gpu.SMs + 63) / 64;
  shared.resize(size_t(count) * (count - (count != 0)) / 2 * wordsPerPair);
  std::vector<unsigned> last(program.streams.size(), ~0u);
  for (unsigned i = 0; i < count; ++i) {
    const DeviceKernel &kernel = program.kernels[i];
    const DeviceStream &stream = program.streams[kernel.stream];
    KernelState &state = kernels[i];
    state.prepared = prepareKernel(gpu.architecture, kernel.grid.footprint);
    state.unplaced = kernel.grid.blocks;
    state.priority = stream.priority;
    std::vector<unsigned> before = kernel.awaits;
    if (last[kernel.stream] != ~0u)
      before.push_back(last[kernel.stream]);
    for (unsigned other = 0; other < program.streams.size(); ++other)
      if (other != kernel.stream && last[other] != ~0u &&
          ((stream.legacyDefault && program.streams[other].blocking) ||
           (stream.blocking && program.streams[other].legacyDefault)))
        before.push_back(last[other]);
    for (unsigned earlier : before) {
      kernels[earlier].waiters.push_back(i);
      ++state.waitsFor;
    }
    last[kernel.stream] = i;
  }
}

/// Hands kernels to the device until the host has to wait.
void Player::issueNext(double time) {
  hostWaits = false;
  if (nextToIssue == kernels.size())
    return;
  for (unsigned awaited : program.kernels[nextToIssue].hostAwaits)
    if (!kernels[awaited].finished) {
      hostWaits = true;
      return;
    }
  push(time, Event::Issue, nextToIssue);
  ++nextToIssue;
}

/// The queue that `kernel` is issued to. A stream keeps its queue while it has
/// work; else it takes an idle one, or the next in turn (queues_*.csv).
unsigned Player::queueFor(unsigned kernel) {
  StreamState &stream = streams[program.kernels[kernel].stream];
  if (stream.pending == 0) {
    const auto idle = std::ranges::find(queues, 0u, &Queue::pending);
    stream.queue = idle != queues.end() ? unsigned(idle - queues.begin())
                                        : nextQueue++ % unsigned(queues.size());
  }
  ++stream.pending;
  ++queues[stream.queue].pending;
  return stream.queue;
}

/// A queue shows only its first kernel; it leaves when it is ready.
void Player::exposeQueues(double time) {
  for (Queue &queue : queues)
    while (!queue.kernels.empty()) {
      const unsigned kernel = queue.kernels.front();
      KernelState &state = kernels[kernel];
      if (state.waitsFor != 0)
        break;
      queue.kernels.erase(queue.kernels.begin());
      push(std::max(time, state.readyTime), Event::Ready, kernel);
    }
}

/// The ready kernel that is placed next; ~0u when there is none.
unsigned Player::headOfQueue() const {
  unsigned head = ~0u;
  for (unsigned candidate : ready)
    if (head == ~0u || kernels[candidate].priority < kernels[head].priority)
      head = candidate;
  return head;
}

void Player::place(unsigned kernel, unsigned sm, double time) {
  KernelState &state = kernels[kernel];
  SMNotes &place = notes[sm];
  const unsigned firstPartition = SMs.admit(sm, state.prepared);
  const double end = time + double(program.kernels[kernel].blockNanoseconds) +
                     blockOverhead + SMSpread * leave.bySM * place.lateness +
                     blockSpread * leave.byBlock * dice.next();
  // Blocks that have ended and only not made room yet are not there any more.
  for (const SMNotes::Held &other : place.holds)
    if (other.kernel != kernel && other.end > time)
      shared[pairIndex(std::min(kernel, other.kernel),
                       std::max(kernel, other.kernel)) *
                 wordsPerPair +
             sm / 64] |= uint64_t(1) << (sm % 64);
  auto held = std::ranges::find(place.holds, kernel, &SMNotes::Held::kernel);
  if (held == place.holds.end()) {
    place.holds.push_back({kernel, 1, end});
  } else {
    ++held->blocks;
    held->end = std::max(held->end, end);
  }
  KernelTimes &times = schedule.kernels[kernel];
  if (!state.started) {
    state.started = true;
    ++residentKernels;
    times.firstStart = time;
    times.firstEnd = std::numeric_limits<double>::infinity();
  }
  times.lastStart = std::max(times.lastStart, time);
  --state.unplaced;
  ++state.resident;
  ++placedSinceSkip;
  push(end + releaseLatency, Event::BlockEnd, kernel, sm, firstPartition);
  if (chance.recordSpans)
    schedule.spans.push_back({kernel, sm, 1, time, end});
}

/// Places blocks of the head, then of the next, until one finds no room.
void Player::dispatch(double time) {
  for (unsigned head; (head = headOfQueue()) != ~0u;) {
    KernelState &state = kernels[head];
    if (!state.started && gpu.architecture.residentGrids != 0 &&
        residentKernels >= gpu.architecture.residentGrids)
      return;
    while (state.unplaced != 0) {
      // What happened meanwhile comes first.
      if (!events.empty() && events.front().time <= time)
        return;
      const std::span<const unsigned> chosen = SMs.next(head, state.prepared);
      if (chosen.empty()) {
        skipWaves(head, time);
        return;
      }
      for (unsigned sm : chosen) {
        if (state.unplaced == 0)
          break;
        place(head, sm, time);
        time += dispatchInterval;
      }
      dispatcherFree = time;
    }
    std::erase(ready, head);
  }
}

/// While every SM refuses the head, each of its blocks that ends makes room
/// for exactly one of its own: whole waves can be passed over until something
/// else happens.
void Player::skipWaves(unsigned kernel, double time) {
  KernelState &state = kernels[kernel];
  if (state.resident == 0 || state.unplaced <= state.resident ||
      placedSinceSkip < state.resident)
    return;
  placedSinceSkip = 0;
  double otherEvent = std::numeric_limits<double>::infinity();
  for (const Event &event : events)
    if (event.kind != Event::BlockEnd || event.kernel != kernel)
      otherEvent = std::min(otherEvent, event.time);
  const double period = double(program.kernels[kernel].blockNanoseconds) +
                        blockOverhead + blockSpread / 2 + releaseLatency;
  // The last events of this wave are up to one period away.
  const double byTime = std::floor((otherEvent - time) / period) - 2;
  uint64_t waves = state.unplaced / state.resident - 1;
  if (byTime < double(waves))
    waves = byTime > 0 ? uint64_t(byTime) : 0;
  if (waves < 2)
    return;
  state.unplaced -= waves * state.resident;
  const double passed = double(waves) * period;
  for (Event &event : events)
    if (event.kind == Event::BlockEnd && event.kernel == kernel) {
      if (chance.recordSpans)
        schedule.spans.push_back(
            {kernel, event.SM, waves, event.time, event.time + passed});
      event.time += passed;
      std::ranges::find(notes[event.SM].holds, kernel, &SMNotes::Held::kernel)
          ->end += passed;
    }
  std::ranges::make_heap(events, later);
}

void Player::finish(unsigned kernel, double time) {
  KernelState &state = kernels[kernel];
  state.finished = true;
  --residentKernels;
  StreamState &stream = streams[program.kernels[kernel].stream];
  --stream.pending;
  --queues[stream.queue].pending;
  schedule.kernels[kernel].lastEnd = time - releaseLatency;
  for (unsigned waiter : state.waiters) {
    KernelState &next = kernels[waiter];
    --next.waitsFor;
    next.readyTime = std::max(next.readyTime, time + draw(readyLatency));
  }
  exposeQueues(time);
  if (hostWaits)
    issueNext(time + draw(issueInterval));
}

void Player::endBlock(const Event &event) {
  const double end = event.time - releaseLatency;
  KernelState &state = kernels[event.kernel];
  SMNotes &place = notes[event.SM];
  SMs.release(event.SM, state.prepared, event.firstPartition);
  auto held =
      std::ranges::find(place.holds, event.kernel, &SMNotes::Held::kernel);
  if (--held->blocks == 0)
    place.holds.erase(held);
  KernelTimes &times = schedule.kernels[event.kernel];
  times.firstEnd = std::min(times.firstEnd, end);
  if (--state.resident == 0 && state.unplaced == 0)
    finish(event.kernel, event.time);
}

Schedule Player::play() {
  issueNext(0);
  while (!events.empty()) {
    std::ranges::pop_heap(events, later);
    const Event event = events.back();
    events.pop_back();
    switch (event.kind) {
    case Event::Issue: {
      kernels[event.kernel].readyTime =
          std::max(kernels[event.kernel].readyTime, event.time);
      queues[queueFor(event.kernel)].kernels.push_back(event.kernel);
      exposeQueues(event.time);
      issueNext(event.time + draw(issueInterval));
      break;
    }
    case Event::Ready:
      ready.push_back(event.kernel);
      break;
    case Event::BlockEnd:
      endBlock(event);
      break;
    }
    dispatch(std::max(event.time, dispatcherFree));
  }

  const unsigned count = unsigned(kernels.size());
  double start = std::numeric_limits<double>::infinity();
  for (const KernelTimes &times : schedule.kernels) {
    start = std::min(start, times.firstStart);
    schedule.makespan = std::max(schedule.makespan, times.lastEnd);
  }
  schedule.makespan -= count == 0 ? 0 : start;
  for (KernelTimes &times : schedule.kernels) {
    times.firstStart -= start;
    times.lastStart -= start;
    times.firstEnd -= start;
    times.lastEnd -= start;
  }
  for (BlockSpan &span : schedule.spans) {
    span.start -= start;
    span.end -= start;
  }
  for (unsigned a = 0; a < count; ++a)
    for (unsigned b = a + 1; b < count; ++b) {
      PairTimes pair = {a, b, 0, 0};
      const KernelTimes &one = schedule.kernels[a];
      const KernelTimes &two = schedule.kernels[b];
      pair.overlap =
          std::max(0.0, std::min(one.lastEnd, two.lastEnd) -
                            std::max(one.firstStart, two.firstStart));
      const size_t base = pairIndex(a, b) * wordsPerPair;
      for (size_t i = 0; i < wordsPerPair; ++i)
        pair.SMsShared += unsigned(__builtin_popcountll(shared[base + i]));
      schedule.pairs.push_back(pair);
    }
  return std::move(schedule);
}

} // namespace

Schedule coreside::simulate(const GPU &gpu, const DeviceProgram &program,
                            const Chance &chance) {
  return Player(gpu, program, chance).play();
}
