// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A, then B, on two non-blocking streams, with grids from a fraction of a wave
// to several: what ran together, and where?
//
// Columns: case,mode
//          tA,rA,smA,gA,nsA,cvA,occA    threads, registers, dynamic shared
//          tB,rB,smB,gB,nsB,cvB,occB    memory, grid, ns each block stays,
//                                       carveout, blocks per SM alone
//          maxA_sm,maxB_sm              most blocks on one SM at once
//          dt_B_first ... B_last_end    ns after A's first start
//          B_started_before_A_last_end  blocks of B
//          sms_A,sms_B,sms_both_any     SMs used by A, by B, by both
//          sms_both_simul               by both at once
//          maxA_with_B,maxB_with_A      blocks on an SM when it held both
//          overlap_dev_ns               time during which both had blocks
// --mode mix, smem (all with shared memory), nosmem, or carve (preferences).

#include "Lab.h"

#include <algorithm>

using namespace lab;

namespace {

struct Together {
  int mostA = 0, mostB = 0, mostAWithB = 0, mostBWithA = 0;
  int SMsOfA = 0, SMsOfB = 0, SMsOfBoth = 0, SMsOfBothAtOnce = 0;
  int64_t overlap = 0;
};

Together replay(const std::vector<BlockRecord> &blocksA,
                const std::vector<BlockRecord> &blocksB) {
  struct Change {
    uint64_t time;
    int delta;
    uint32_t SM;
    bool isB;
  };
  std::vector<Change> changes;
  for (bool isB : {false, true})
    for (const BlockRecord &block : isB ? blocksB : blocksA) {
      changes.push_back({block.start, 1, block.SM, isB});
      changes.push_back({block.end, -1, block.SM, isB});
    }
  // Ends come before starts of the same moment: a block takes its place.
  std::ranges::sort(changes, {}, [](const Change &change) {
    return std::pair(change.time, change.delta);
  });
  struct OnSM {
    int now[2] = {0, 0};
    bool ever[2] = {false, false};
    bool both = false;
  };
  std::vector<OnSM> onSM(device().SMs);
  int64_t now[2] = {0, 0};
  uint64_t last = 0;
  Together result;
  for (const Change &change : changes) {
    if (now[0] && now[1])
      result.overlap += int64_t(change.time - last);
    last = change.time;
    now[change.isB] += change.delta;
    OnSM &there = onSM[change.SM];
    there.now[change.isB] += change.delta;
    there.ever[change.isB] = true;
    result.mostA = std::max(result.mostA, there.now[0]);
    result.mostB = std::max(result.mostB, there.now[1]);
    if (change.delta > 0 && there.now[0] && there.now[1]) {
      there.both = true;
      result.mostAWithB = std::max(result.mostAWithB, there.now[0]);
      result.mostBWithA = std::max(result.mostBWithA, there.now[1]);
    }
  }
  for (const OnSM &there : onSM) {
    result.SMsOfA += there.ever[0];
    result.SMsOfB += there.ever[1];
    result.SMsOfBoth += there.ever[0] && there.ever[1];
    result.SMsOfBothAtOnce += there.both;
  }
  return result;
}

} // namespace

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv, 600, "mix");
  warmUp();
  std::printf("case,mode,tA,rA,smA,gA,nsA,cvA,occA,tB,rB,smB,gB,nsB,cvB,occB,"
              "maxA_sm,maxB_sm,dt_B_first,A_last_start,A_first_end,A_last_end,"
              "B_last_start,B_last_end,B_started_before_A_last_end,sms_A,sms_B,"
              "sms_both_any,sms_both_simul,maxA_with_B,maxB_with_A,"
              "overlap_dev_ns\n");
  Draw draw(options.seed);
  const int SMs = device().SMs, most = device().optInShared;
  const int capacity = SMs * 64 * 4;
  Track trackA(capacity), trackB(capacity);
  const cudaStream_t streamA = newStream(), streamB = newStream();
  for (int row = 0; row < options.rows;) {
    auto shape = [&](bool isA) {
      Shape drawn;
      drawn.kernel = &holdKernels()[draw.below(int(holdKernels().size()))];
      drawn.threads = draw.pick({32, 64, 96, 128, 160, 192, 256, 256, 320, 384,
                                 512, 512, 640, 768, 1024});
      const bool shared =
          options.mode == "smem" || (options.mode == "mix" && draw.below(2));
      if (shared)
        drawn.shared =
            draw.below(2)
                ? std::min(most, draw.pick({1024, 4096, 8192, 16384, 32768,
                                            49152, 65536, 98304, 102400, 116736,
                                            131072, 163840, 204800}))
                : draw.below(most - 1024);
      if (options.mode == "carve") {
        drawn.shared = draw.below(2) ? 0 : draw.below(64 * 1024);
        drawn.carveout = draw.pick({-1, -1, 0, 25, 50, 100});
      }
      drawn.nanoseconds = isA ? 400000 : 200000;
      return drawn;
    };
    Shape A = shape(true), B = shape(false);
    if (A.kernel == B.kernel)
      continue;
    // The grids follow from the occupancy without a preference.
    setCarveout(*A.kernel, -1);
    setCarveout(*B.kernel, -1);
    const int occA = blocksPerSM(A), occB = blocksPerSM(B);
    if (!occA || !occB)
      continue;
    auto grid = [&](int occupancy) {
      double waves = 1;
      switch (draw.below(6)) {
      case 0:
        waves = 0.1 + 0.3 * draw.share();
        break;
      case 1:
        waves = 0.4 + 0.6 * draw.share();
        break;
      case 2:
        break;
      case 3:
        waves = 1 + draw.share();
        break;
      case 4: // about one block per SM
        waves = draw.share() / occupancy;
        break;
      default:
        waves = 0.5 + 2 * draw.share();
      }
      return std::clamp(int(waves * occupancy * SMs), 1, capacity);
    };
    A.grid = grid(occA);
    B.grid = grid(occB);
    setCarveout(*A.kernel, A.carveout);
    setCarveout(*B.kernel, B.carveout);
    check(cudaDeviceSynchronize());
    launch(A, trackA.onDevice(), streamA);
    launch(B, trackB.onDevice(), streamB);
    check(cudaDeviceSynchronize());
    const uint64_t origin = firstStart(trackA.read(A.grid));
    const Times ofA = timesOf(trackA.blocks(), origin);
    const Times ofB = timesOf(trackB.read(B.grid), origin);
    const Together both = replay(trackA.blocks(), trackB.blocks());
    const auto before =
        std::ranges::count_if(trackB.blocks(), [&](const BlockRecord &block) {
          return int64_t(block.start - origin) < ofA.lastEnd;
        });
    std::printf("%d,%s,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%lld,"
                "%lld,%lld,%lld,%lld,%lld,%d,%d,%d,%d,%d,%d,%d,%lld\n",
                row++, options.mode.c_str(), A.threads, A.kernel->registers,
                A.shared, A.grid, int(A.nanoseconds), A.carveout, occA,
                B.threads, B.kernel->registers, B.shared, B.grid,
                int(B.nanoseconds), B.carveout, occB, both.mostA, both.mostB,
                (long long)ofB.firstStart, (long long)ofA.lastStart,
                (long long)ofA.firstEnd, (long long)ofA.lastEnd,
                (long long)ofB.lastStart, (long long)ofB.lastEnd, int(before),
                both.SMsOfA, both.SMsOfB, both.SMsOfBoth, both.SMsOfBothAtOnce,
                both.mostAWithB, both.mostBWithA, (long long)both.overlap);
  }
}
