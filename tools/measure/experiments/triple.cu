// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three kernels on one SM: A holds every SM with nA blocks, B joins with one
// block per SM, then one block per SM of C wants to join both.
//
// Columns: tA,rA,smA,occA,nA
//          tB,rB,smB,occB,B_admitted   blocks of B that started before A's end
//          tC,rC,smC,occC,C_admitted   blocks of C that did
//          C_with_both                 SMs that then held all three
// --mode tight: together they take nearly all registers, so that it matters
// which sub-partition each warp went to.

#include "Lab.h"

#include <algorithm>

using namespace lab;

namespace {

/// Share of an SM's registers that one block takes, as allocated per warp.
double registerShare(const Shape &shape) {
  const int perWarp = (shape.kernel->registers * 32 + 255) / 256 * 256;
  return double(shape.threads / 32 * perWarp) /
         device().properties.regsPerMultiprocessor;
}

} // namespace

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv, 1000, "any");
  const bool tight = options.mode == "tight";
  printDevice();
  warmUp();
  std::printf("tA,rA,smA,occA,nA,tB,rB,smB,occB,B_admitted,tC,rC,smC,occC,"
              "C_admitted,C_with_both\n");
  Draw draw(options.seed);
  const int SMs = device().SMs;
  Track tracks[3] = {Track(SMs * 64), Track(SMs), Track(SMs)};
  cudaStream_t streams[3] = {newStream(), newStream(), newStream()};
  for (int row = 0; row < options.rows;) {
    Shape shapes[3];
    int occupancies[3];
    bool usable = true;
    for (int i = 0; i < 3; ++i) {
      Shape &drawn = shapes[i];
      drawn.kernel = &holdKernels()[draw.below(int(holdKernels().size()))];
      drawn.threads = 32 * draw.pick({1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16,
                                      18, 20, 22, 24});
      drawn.shared = tight || draw.below(2) ? 0 : draw.below(32 * 1024);
      drawn.grid = SMs;
      occupancies[i] = blocksPerSM(drawn);
      usable &= occupancies[i] > 0;
      for (int j = 0; j < i; ++j)
        usable &= shapes[j].kernel != drawn.kernel;
    }
    if (!usable)
      continue;
    int nA = 1 + draw.below(std::max(1, occupancies[0] / 2));
    if (tight) {
      nA = std::min(occupancies[0], 1 + draw.below(4));
      const double share = nA * registerShare(shapes[0]) +
                           registerShare(shapes[1]) + registerShare(shapes[2]);
      if (share < 0.88 || share > 1)
        continue;
    }
    shapes[0].grid = SMs * nA;
    shapes[0].nanoseconds = shapes[1].nanoseconds = 300000;
    shapes[2].nanoseconds = 10000;
    check(cudaDeviceSynchronize());
    for (int i = 0; i < 3; ++i)
      launch(shapes[i], tracks[i].onDevice(), streams[i]);
    check(cudaDeviceSynchronize());
    ++row;
    uint64_t firstEnd = UINT64_MAX;
    for (int i = 0; i < 3; ++i)
      tracks[i].read(shapes[i].grid);
    for (const BlockRecord &block : tracks[0].blocks())
      firstEnd = std::min(firstEnd, block.end);
    std::vector<char> holdsB(SMs);
    int admitted[2] = {0, 0}, withBoth = 0;
    for (const BlockRecord &block : tracks[1].blocks())
      if (block.start < firstEnd) {
        ++admitted[0];
        holdsB[block.SM] = true;
      }
    std::vector<char> holdsC(SMs);
    for (const BlockRecord &block : tracks[2].blocks())
      if (block.start < firstEnd) {
        ++admitted[1];
        holdsC[block.SM] = true;
      }
    for (int SM = 0; SM < SMs; ++SM)
      withBoth += holdsB[SM] && holdsC[SM];
    const Shape &A = shapes[0], &B = shapes[1], &C = shapes[2];
    std::printf("%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d\n", A.threads,
                A.kernel->registers, A.shared, occupancies[0], nA, B.threads,
                B.kernel->registers, B.shared, occupancies[1], admitted[0],
                C.threads, C.kernel->registers, C.shared, occupancies[2],
                admitted[1], withBoth);
  }
}
