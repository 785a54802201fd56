// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which SM does the next block go to?
//
// Rows that begin with `idle`: an idle GPU.
//   idle,threads,grid,repeat,SM of block 0,SM of block 1,...
// Rows that begin with `fill`: the same for every grid up to one block per SM;
// only what differs from the grid before.
//   fill,threads,grid,SMs added,SMs left out,  joined with spaces
// Rows that begin with `beside`: K1 holds some SMs, K2 others, K3 (if its grid
// is not 0) joins where the GPU puts it; then the blocks of B are placed, which
// stay as long. How do they choose between the kinds of SM?
//   beside,t1,r1,s1,g1,t2,r2,s2,g2,t3,r3,s3,g3,tB,rB,sB,gB,kinds
//   kinds: 'blocks of K1/K2/K3:SMs:blocks of B started beside them', joined
//   with spaces
// Rows that begin with `order` (for every tenth): the SM of each block of K1,
// K2, K3 and B in block order, the kernels apart by '|'; -1 for a block that
// started only after the first end.
//   order,t1,r1,s1,g1,t2,...,gB,SMs

#include "Lab.h"

#include <algorithm>
#include <array>
#include <map>

using namespace lab;

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv, 400);
  printDevice();
  warmUp();
  const int SMs = device().SMs;
  std::vector<cudaStream_t> streams;
  std::vector<Track *> tracks;
  for (int i = 0; i < 4; ++i) {
    streams.push_back(newStream());
    tracks.push_back(new Track(SMs * 32));
  }
  for (int threads : {32, 1024})
    for (int grid : {SMs / 6, SMs / 2, SMs, SMs + 1, SMs * 3 / 2, SMs * 2})
      for (int repeat = 0; repeat < 3; ++repeat) {
        const Shape shape{.kernel = &holdKernel(32),
                          .threads = threads,
                          .grid = grid,
                          .nanoseconds = 100000};
        launch(shape, tracks[0]->onDevice(), streams[0]);
        check(cudaDeviceSynchronize());
        std::printf("idle,%d,%d,%d", threads, grid, repeat);
        for (const BlockRecord &block : tracks[0]->read(shape.grid))
          std::printf(",%u", block.SM);
        std::printf("\n");
      }

  for (int threads : {32, 1024}) {
    std::vector<char> before(SMs);
    for (int grid = 1; grid <= SMs; ++grid) {
      const Shape shape{.kernel = &holdKernel(32),
                        .threads = threads,
                        .grid = grid,
                        .nanoseconds = 20000};
      launch(shape, tracks[0]->onDevice(), streams[0]);
      check(cudaDeviceSynchronize());
      std::vector<char> now(SMs);
      for (const BlockRecord &block : tracks[0]->read(grid))
        now[block.SM] = true;
      std::printf("fill,%d,%d", threads, grid);
      for (bool added : {true, false}) {
        const char *separator = ",";
        for (int SM = 0; SM < SMs; ++SM)
          if (now[SM] != before[SM] && bool(now[SM]) == added) {
            std::printf("%s%d", separator, SM);
            separator = " ";
          }
        if (*separator == ',')
          std::printf(",");
      }
      std::printf("\n");
      before = now;
    }
  }

  Draw draw(options.seed);
  for (int row = 0; row < options.rows;) {
    std::array<Shape, 4> shapes;
    bool usable = true;
    for (int i = 0; i < 4; ++i) {
      Shape &drawn = shapes[i];
      drawn.kernel = &holdKernels()[draw.below(int(holdKernels().size()))];
      drawn.threads = 32 * draw.pick({1, 2, 3, 4, 6, 8, 10, 12, 16, 20, 24});
      drawn.shared = draw.below(2) ? 0 : draw.below(48 * 1024);
      drawn.nanoseconds = 400000;
      usable &= blocksPerSM(drawn) > 0;
      for (int j = 0; j < i; ++j)
        usable &= shapes[j].kernel != drawn.kernel;
    }
    if (!usable)
      continue;
    ++row;
    shapes[0].grid = SMs / 4 + draw.below(SMs / 2);
    shapes[1].grid = draw.below(4) ? SMs - shapes[0].grid : SMs / 4;
    const bool third = draw.below(2);
    shapes[2].grid = third ? 1 + draw.below(SMs) : 0;
    shapes[3].grid = 1 + draw.below(SMs);
    check(cudaDeviceSynchronize());
    for (int i = 0; i < 4; ++i)
      if (shapes[i].grid)
        launch(shapes[i], tracks[i]->onDevice(), streams[i]);
    check(cudaDeviceSynchronize());
    std::vector<std::array<int, 3>> held(SMs);
    uint64_t firstEnd = UINT64_MAX;
    for (int i = 0; i < 3; ++i)
      for (const BlockRecord &block : tracks[i]->read(shapes[i].grid)) {
        ++held[block.SM][i];
        firstEnd = std::min(firstEnd, block.end);
      }
    std::map<std::array<int, 3>, std::pair<int, int>> kinds;
    for (const auto &there : held)
      ++kinds[there].first;
    for (const BlockRecord &block : tracks[3]->read(shapes[3].grid))
      if (block.start < firstEnd)
        ++kinds[held[block.SM]].second;
    std::printf("beside");
    for (const Shape &shape : shapes)
      std::printf(",%d,%d,%d,%d", shape.threads, shape.kernel->registers,
                  shape.shared, shape.grid);
    const char *separator = ",";
    for (const auto &[there, counts] : kinds) {
      std::printf("%s%d/%d/%d:%d:%d", separator, there[0], there[1], there[2],
                  counts.first, counts.second);
      separator = " ";
    }
    std::printf("\n");
    if (row % 10 != 0)
      continue;
    std::printf("order");
    for (const Shape &shape : shapes)
      std::printf(",%d,%d,%d,%d", shape.threads, shape.kernel->registers,
                  shape.shared, shape.grid);
    separator = ",";
    for (int i = 0; i < 4; ++i) {
      if (i > 0)
        separator = "|";
      for (const BlockRecord &block : tracks[i]->read(shapes[i].grid)) {
        std::printf("%s%d", separator,
                    block.start < firstEnd ? int(block.SM) : -1);
        separator = " ";
      }
      if (shapes[i].grid == 0)
        std::printf("|");
    }
    std::printf("\n");
  }
}
