// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// With n blocks of A on every SM: is a block of B admitted beside them? A
// stays; B comes on another non-blocking stream, one block or one per SM.
//
// Columns: tA,rA,smA,cvA,occA,nA     threads, registers, dynamic shared memory,
//          tB,rB,smB,cvB,occB,gB     preferred carveout (-1 none), blocks per
//          SM
//                                    alone; blocks of A on each SM; grid of B
//          prep                      what ran just before: 0 nothing, 1 a
//          kernel
//                                    without shared memory, 2 with the most
//          A_sms,A_max_per_sm,A_min_per_sm
//          B_first,B_last,A_first_end    ns after A's first start
//          admitted,B_max_per_sm     blocks of B that started before A's end
// --mode carve sets preferences, default does not.

#include "Lab.h"

#include <algorithm>

using namespace lab;

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv, 3000, "default");
  warmUp();
  std::printf("tA,rA,smA,cvA,occA,nA,tB,rB,smB,cvB,occB,gB,prep,A_sms,"
              "A_max_per_sm,A_min_per_sm,B_first,B_last,A_first_end,admitted,"
              "B_max_per_sm\n");
  Draw draw(options.seed);
  const int SMs = device().SMs, most = device().optInShared;
  Track trackA(SMs * 64), trackB(SMs), trackBefore(SMs * 32);
  const cudaStream_t streamA = newStream(), streamB = newStream();
  // Its preference is its own: it is no variant that A or B may be.
  const HoldKernel &before = barrierKernels().front();
  for (int row = 0; row < options.rows;) {
    auto shape = [&] {
      Shape drawn;
      drawn.kernel = &holdKernels()[draw.below(int(holdKernels().size()))];
      drawn.threads = draw.pick(
          {32, 64, 96, 128, 160, 192, 256, 320, 384, 512, 640, 768, 1024});
      switch (draw.below(4)) {
      case 0:
        break;
      case 1:
        drawn.shared = draw.below(16 * 1024);
        break;
      case 2:
        drawn.shared = draw.below(most * 4 / 9);
        break;
      default:
        drawn.shared = draw.below(most + 1);
      }
      if (options.mode == "carve")
        drawn.carveout = draw.pick({-1, 0, 10, 25, 50, 75, 100});
      return drawn;
    };
    Shape A = shape(), B = shape();
    if (A.kernel == B.kernel)
      continue;
    setCarveout(*A.kernel, A.carveout);
    setCarveout(*B.kernel, B.carveout);
    const int occA = blocksPerSM(A), occB = blocksPerSM(B);
    if (!occA || !occB)
      continue;
    int nA = 1 + draw.below(occA);
    if (draw.below(2))
      nA = std::max(1, nA / 2);
    const int prep = draw.below(3);
    A.grid = SMs * nA;
    A.nanoseconds = 300000;
    B.grid = draw.below(2) ? 1 : SMs;
    B.nanoseconds = 20000;
    check(cudaDeviceSynchronize());
    if (prep) {
      launch({.kernel = &before,
              .threads = 64,
              .shared = prep == 1 ? 0 : most,
              .grid = prep == 1 ? SMs * 32 : SMs,
              .nanoseconds = 20000},
             trackBefore.onDevice(), streamA);
      check(cudaDeviceSynchronize());
    }
    launch(A, trackA.onDevice(), streamA);
    launch(B, trackB.onDevice(), streamB);
    check(cudaDeviceSynchronize());
    ++row;
    const uint64_t origin = firstStart(trackA.read(A.grid));
    const Times ofA = timesOf(trackA.blocks(), origin);
    const Times ofB = timesOf(trackB.read(B.grid), origin);
    std::vector<int> heldA(SMs), heldB(SMs);
    for (const BlockRecord &block : trackA.blocks())
      ++heldA[block.SM];
    int admitted = 0;
    for (const BlockRecord &block : trackB.blocks())
      if (int64_t(block.start - origin) < ofA.firstEnd) {
        ++admitted;
        ++heldB[block.SM];
      }
    std::printf(
        "%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%lld,%lld,%lld,%d,"
        "%d\n",
        A.threads, A.kernel->registers, A.shared, A.carveout, occA, nA,
        B.threads, B.kernel->registers, B.shared, B.carveout, occB, B.grid,
        prep, SMs - int(std::ranges::count(heldA, 0)),
        *std::ranges::max_element(heldA), *std::ranges::min_element(heldA),
        (long long)ofB.firstStart, (long long)ofB.lastStart,
        (long long)ofA.firstEnd, admitted, *std::ranges::max_element(heldB));
  }
}
