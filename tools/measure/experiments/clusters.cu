// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clusters beside other kernels: how many clusters of B start while A, with or
// without clusters of its own, holds SMs? And does a cluster that finds no room
// hold up the kernel behind it?
//
// Notes:   which SMs form a GPC: blocks of one cluster never leave it.
// Columns: cA,tA,rA,smA,gA,occA      A: blocks of a cluster (0: none), grid
//          cB,tB,rB,smB,gB,occB      B
//          maxB                      cudaOccupancyMaxActiveClusters of B
//          admitted                  blocks of B that started before A's end
//          B_max_per_sm              of these on one SM
//          heldA                     per GPC, pairs of SMs (TPCs) by the blocks
//                                    of A on them: '0/0x4+0/1x3;...'
//          C_waited                  1: C, one small block issued after B,
//                                    started only after A's first end

#include "Lab.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <utility>

using namespace lab;

namespace {

int maxActiveClusters(const Shape &shape) {
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {unsigned(shape.cluster), 1, 1};
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(shape.cluster);
  configuration.blockDim = dim3(shape.threads);
  configuration.dynamicSmemBytes = shape.shared;
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  int clusters = 0;
  if (cudaOccupancyMaxActiveClusters(
          &clusters, reinterpret_cast<const void *>(shape.kernel->function),
          &configuration) != cudaSuccess) {
    cudaGetLastError();
    return 0;
  }
  return clusters;
}

/// SM -> number of its GPC, by joining the SMs of each cluster.
std::vector<int> findGPCs() {
  const int SMs = device().SMs;
  std::vector<int> parent(SMs);
  std::iota(parent.begin(), parent.end(), 0);
  auto root = [&](int SM) {
    while (parent[SM] != SM)
      SM = parent[SM];
    return SM;
  };
  for (int size : {16, 8, 4, 2}) {
    // A block fills an SM, so that a cluster spreads over `size` of them.
    Shape shape{.kernel = &holdKernel(32),
                .threads = 64,
                .shared = device().optInShared,
                .nanoseconds = 20000,
                .cluster = size};
    if (maxActiveClusters(shape) == 0)
      continue;
    shape.grid = size * 256;
    Track track(shape.grid);
    launch(shape, track.onDevice(), nullptr);
    check(cudaDeviceSynchronize());
    const auto &blocks = track.read(shape.grid);
    for (int i = 0; i < shape.grid; ++i)
      parent[root(int(blocks[i].SM))] = root(int(blocks[i / size * size].SM));
  }
  std::map<int, int> numbers;
  std::vector<int> GPC(SMs);
  for (int SM = 0; SM < SMs; ++SM)
    GPC[SM] = numbers.try_emplace(root(SM), int(numbers.size())).first->second;
  return GPC;
}

std::string held(const std::vector<int> &blocks, const std::vector<int> &GPC) {
  std::map<int, std::map<std::pair<int, int>, int>> counts;
  for (size_t SM = 0; SM + 1 < GPC.size(); SM += 2)
    ++counts[GPC[SM]][std::minmax({blocks[SM], blocks[SM + 1]})];
  std::string text;
  for (const auto &[number, ofGPC] : counts) {
    if (!text.empty())
      text += ';';
    bool first = true;
    for (const auto &[there, pairs] : ofGPC) {
      text += (first ? "" : "+") + std::to_string(there.first) + "/" +
              std::to_string(there.second) + "x" + std::to_string(pairs);
      first = false;
    }
  }
  return text;
}

} // namespace

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv, 500);
  printDevice();
  if (device().capability < 90) {
    std::printf("# nothing asked: clusters need compute capability 9.0\n");
    return 0;
  }
  warmUp();
  for (const HoldKernel &kernel : holdKernels())
    check(cudaFuncSetAttribute(reinterpret_cast<const void *>(kernel.function),
                               cudaFuncAttributeNonPortableClusterSizeAllowed,
                               1));
  const int SMs = device().SMs;
  const std::vector<int> GPC = findGPCs();
  for (int number = 0; number <= *std::ranges::max_element(GPC); ++number) {
    std::printf("# GPC %d:", number);
    for (int SM = 0; SM < SMs; ++SM)
      if (GPC[SM] == number)
        std::printf(" %d", SM);
    std::printf("\n");
  }
  std::printf("cA,tA,rA,smA,gA,occA,cB,tB,rB,smB,gB,occB,maxB,admitted,"
              "B_max_per_sm,heldA,C_waited\n");

  Draw draw(options.seed);
  const int capacity = SMs * 32;
  Track trackA(capacity), trackB(capacity), trackC(1);
  const cudaStream_t streamA = newStream(), streamB = newStream(),
                     streamC = newStream();
  for (int row = 0; row < options.rows;) {
    auto shape = [&](bool isA) {
      Shape drawn;
      drawn.kernel = &holdKernels()[draw.below(int(holdKernels().size()))];
      drawn.threads = draw.pick({64, 128, 256, 384, 512, 768, 1024});
      drawn.shared = draw.below(2) ? 0 : draw.below(device().optInShared);
      drawn.cluster = isA ? draw.pick({0, 0, 0, 2, 4, 8})
                          : draw.pick({1, 2, 2, 4, 4, 8, 8, 16});
      // B stays as long as A: what starts before A's end is its first wave.
      drawn.nanoseconds = 300000;
      return drawn;
    };
    Shape A = shape(true), B = shape(false);
    const int occA = blocksPerSM(A), occB = blocksPerSM(B);
    const int maxB = occB ? maxActiveClusters(B) : 0;
    if (!occA || A.kernel == B.kernel || !maxB ||
        (A.cluster && !maxActiveClusters(A)))
      continue;
    // A within one wave, so that its first end is the end of all of it.
    A.grid = std::max(1, int(draw.share() * SMs * (draw.below(2) ? 1 : occA)));
    if (A.cluster) {
      const int most = maxActiveClusters(A);
      A.grid = A.cluster * std::clamp(A.grid / A.cluster, 1, most);
    }
    B.grid = B.cluster * (draw.below(3) ? 1 + draw.below(maxB) : maxB);
    B.grid = std::min(B.grid, capacity / B.cluster * B.cluster);
    const Shape C{.kernel = &holdKernel(24), .nanoseconds = 1000};
    check(cudaDeviceSynchronize());
    launch(A, trackA.onDevice(), streamA);
    launch(B, trackB.onDevice(), streamB);
    launch(C, trackC.onDevice(), streamC);
    check(cudaDeviceSynchronize());
    ++row;
    uint64_t firstEnd = UINT64_MAX;
    std::vector<int> heldBlocks(SMs), heldB(SMs);
    for (const BlockRecord &block : trackA.read(A.grid)) {
      firstEnd = std::min(firstEnd, block.end);
      ++heldBlocks[block.SM];
    }
    int admitted = 0;
    for (const BlockRecord &block : trackB.read(B.grid))
      if (block.start < firstEnd) {
        ++admitted;
        ++heldB[block.SM];
      }
    std::printf("%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%s,%d\n",
                A.cluster, A.threads, A.kernel->registers, A.shared, A.grid,
                occA, B.cluster, B.threads, B.kernel->registers, B.shared,
                B.grid, occB, maxB, admitted, *std::ranges::max_element(heldB),
                held(heldBlocks, GPC).c_str(),
                trackC.read(1)[0].start >= firstEnd);
  }
}
