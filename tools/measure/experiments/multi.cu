// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Random small host programs: 2 to 6 kernels on 1 to 4 streams, with events
// between them. What did each kernel do, and which shared an SM?
//
// One JSON object a line:
//   case, mode
//   kernels: threads, regs, smem, grid, ns (each block stays), stream,
//            priority, wait (index of the kernel whose event its stream awaits
//            first, -1 none), first_start, last_start, first_end, last_end
//            (ns after the first start of all)
//   shared_sms: [a, b, SMs that held both at once], pairs with none left out
// --mode mix: all streams alike; prio: odd streams have the highest priority.

#include "Lab.h"

#include <algorithm>
#include <array>

using namespace lab;

namespace {

constexpr int mostKernels = 6, mostStreams = 4;

struct Kernel {
  Shape shape;
  int stream;
  int wait;
};

/// SMs that held blocks of kernels `a` and `b` at once, at [a][b] for a < b.
using Shared = std::array<std::array<int, mostKernels>, mostKernels>;

Shared sharedSMs(const std::vector<Kernel> &kernels,
                 const std::vector<Track *> &tracks) {
  struct Change {
    uint64_t time;
    int delta;
    uint32_t SM;
    int kernel;
  };
  std::vector<Change> changes;
  for (int i = 0; i < int(kernels.size()); ++i)
    for (const BlockRecord &block : tracks[i]->blocks()) {
      changes.push_back({block.start, 1, block.SM, i});
      changes.push_back({block.end, -1, block.SM, i});
    }
  std::ranges::sort(changes, {}, [](const Change &change) {
    return std::pair(change.time, change.delta);
  });
  struct OnSM {
    std::array<int, mostKernels> now = {};
    std::array<std::array<bool, mostKernels>, mostKernels> met = {};
  };
  std::vector<OnSM> onSM(device().SMs);
  Shared shared = {};
  for (const Change &change : changes) {
    OnSM &there = onSM[change.SM];
    there.now[change.kernel] += change.delta;
    for (int other = 0; change.delta > 0 && other < mostKernels; ++other) {
      const auto [a, b] = std::minmax(other, change.kernel);
      if (a == b || !there.now[other] || there.met[a][b])
        continue;
      there.met[a][b] = true;
      ++shared[a][b];
    }
  }
  return shared;
}

} // namespace

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv, 750, "mix");
  warmUp();
  Draw draw(options.seed);
  const int SMs = device().SMs, capacity = SMs * 64 * 3;
  std::vector<Track *> tracks;
  std::array<cudaEvent_t, mostKernels> events;
  for (cudaEvent_t &event : events) {
    tracks.push_back(new Track(capacity));
    check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  }
  std::array<cudaStream_t, mostStreams> streams;
  std::array<int, mostStreams> priorities = {};
  for (int i = 0; i < mostStreams; ++i) {
    if (options.mode == "prio")
      priorities[i] =
          i % 2 ? device().highestPriority : device().lowestPriority;
    check(cudaStreamCreateWithPriority(&streams[i], cudaStreamNonBlocking,
                                       priorities[i]));
  }
  for (int row = 0; row < options.rows; ++row) {
    const int count = 2 + draw.below(mostKernels - 1);
    const int usedStreams = 1 + draw.below(mostStreams);
    std::vector<Kernel> kernels;
    while (int(kernels.size()) < count) {
      Shape shape;
      shape.kernel = &holdKernels()[draw.below(int(holdKernels().size()))];
      shape.threads = draw.pick(
          {32, 64, 128, 128, 192, 256, 256, 256, 384, 512, 512, 768, 1024});
      if (draw.below(2))
        shape.shared = draw.below(4) ? draw.below(48 * 1024)
                                     : draw.below(device().optInShared + 1);
      const int occupancy = blocksPerSM(shape);
      if (!occupancy || std::ranges::any_of(kernels, [&](const Kernel &other) {
            return other.shape.kernel == shape.kernel;
          }))
        continue;
      double waves = 1;
      switch (draw.below(5)) {
      case 0:
        waves = 0.05 + 0.3 * draw.share();
        break;
      case 1:
        waves = 0.3 + 0.7 * draw.share();
        break;
      case 2:
        break;
      case 3: // about one block per SM
        waves = draw.share() / occupancy;
        break;
      default:
        waves = 0.5 + 1.5 * draw.share();
      }
      shape.grid = std::clamp(int(waves * occupancy * SMs), 1, capacity);
      shape.nanoseconds = 100000 * (1 + draw.below(4));
      const int index = int(kernels.size());
      kernels.push_back({shape, draw.below(usedStreams),
                         index && !draw.below(4) ? draw.below(index) : -1});
    }
    check(cudaDeviceSynchronize());
    for (int i = 0; i < count; ++i) {
      const Kernel &kernel = kernels[i];
      if (kernel.wait >= 0)
        check(cudaStreamWaitEvent(streams[kernel.stream], events[kernel.wait],
                                  0));
      launch(kernel.shape, tracks[i]->onDevice(), streams[kernel.stream]);
      check(cudaEventRecord(events[i], streams[kernel.stream]));
    }
    check(cudaDeviceSynchronize());
    uint64_t origin = UINT64_MAX;
    for (int i = 0; i < count; ++i)
      origin =
          std::min(origin, firstStart(tracks[i]->read(kernels[i].shape.grid)));
    std::printf("{\"case\":%d,\"mode\":\"%s\",\"kernels\":[", row,
                options.mode.c_str());
    for (int i = 0; i < count; ++i) {
      const Kernel &kernel = kernels[i];
      const Times times = timesOf(tracks[i]->blocks(), origin);
      std::printf("%s{\"threads\":%d,\"regs\":%d,\"smem\":%d,\"grid\":%d,"
                  "\"ns\":%d,\"stream\":%d,\"priority\":%d,\"wait\":%d,"
                  "\"first_start\":%lld,\"last_start\":%lld,"
                  "\"first_end\":%lld,\"last_end\":%lld}",
                  i ? "," : "", kernel.shape.threads,
                  kernel.shape.kernel->registers, kernel.shape.shared,
                  kernel.shape.grid, int(kernel.shape.nanoseconds),
                  kernel.stream, priorities[kernel.stream], kernel.wait,
                  (long long)times.firstStart, (long long)times.lastStart,
                  (long long)times.firstEnd, (long long)times.lastEnd);
    }
    std::printf("],\"shared_sms\":[");
    const Shared shared = sharedSMs(kernels, tracks);
    const char *separator = "";
    for (int a = 0; a < count; ++a)
      for (int b = a + 1; b < count; ++b)
        if (shared[a][b]) {
          std::printf("%s[%d,%d,%d]", separator, a, b, shared[a][b]);
          separator = ",";
        }
    std::printf("]}\n");
  }
}
