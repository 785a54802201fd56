// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the device model costs. Asked on one core: a pair verdict under 1 ms,
// grids of 10,000 blocks under 20 ms, the smallest change under 50 ms, and two
// billion blocks as quick as a thousand.
//
//   device-benchmark

#include "device/Outcomes.h"
#include "device/PairThresholds.h"
#include "device/SmallestChange.h"

#include <benchmark/benchmark.h>

using namespace coreside;

namespace {

const GPU &gpu() { return *findGPU("h200"); }

Grid grid(unsigned threads, unsigned registers, unsigned shared,
          uint64_t blocks) {
  Grid result;
  result.footprint.threadsPerBlock = threads;
  result.footprint.registersPerThread = registers;
  result.footprint.dynamicShared = shared;
  result.blocks = blocks;
  return result;
}

/// Two kernels on two streams with as many blocks each.
DeviceProgram twoKernels(uint64_t blocks) {
  DeviceProgram program;
  program.streams.resize(2);
  for (unsigned i : {0u, 1u}) {
    DeviceKernel kernel;
    kernel.grid = grid(i ? 64 : 256, i ? 96 : 40, i ? 9000 : 0, blocks);
    kernel.stream = i;
    program.kernels.push_back(kernel);
  }
  return program;
}

void pairVerdict(benchmark::State &state) {
  const Grid first = grid(128, 32, 4096, uint64_t(state.range(0)));
  const Grid second = grid(32, 40, 512, 3000);
  for (auto _ : state)
    benchmark::DoNotOptimize(judgePair(gpu(), first, second));
}
BENCHMARK(pairVerdict)->Arg(132)->Arg(10000)->Arg(2000000000);

void pairVerdictOfClusters(benchmark::State &state) {
  Grid first = grid(64, 32, 0, 4096), second = grid(128, 32, 1024, 512);
  first.footprint.clusterSize = second.footprint.clusterSize = 2;
  for (auto _ : state)
    benchmark::DoNotOptimize(judgePair(gpu(), first, second));
}
BENCHMARK(pairVerdictOfClusters);

void threshold(benchmark::State &state) {
  const Grid first = grid(32, 16, 0, 10000), second = grid(64, 255, 0, 4);
  for (auto _ : state)
    benchmark::DoNotOptimize(
        firstBlocksFromWhichWorse(gpu(), first, second, Sharing::Full));
}
BENCHMARK(threshold);

void smallestChange(benchmark::State &state) {
  // Large shared memory: the search with most candidates.
  const Grid first = grid(256, 64, 100000, 2640);
  const Grid second = grid(512, 128, 200000, 1320);
  for (auto _ : state)
    benchmark::DoNotOptimize(smallestChanges(gpu(), first, second));
}
BENCHMARK(smallestChange)->Unit(benchmark::kMillisecond);

void smallestChangeOfSmallBlocks(benchmark::State &state) {
  const Grid first = grid(32, 32, 1024, 25000);
  const Grid second = grid(32, 32, 1024, 25000);
  for (auto _ : state)
    benchmark::DoNotOptimize(smallestChanges(gpu(), first, second));
}
BENCHMARK(smallestChangeOfSmallBlocks)->Unit(benchmark::kMillisecond);

void simulateOnce(benchmark::State &state) {
  const DeviceProgram program = twoKernels(uint64_t(state.range(0)));
  for (auto _ : state)
    benchmark::DoNotOptimize(simulate(gpu(), program));
}
BENCHMARK(simulateOnce)
    ->Unit(benchmark::kMillisecond)
    ->Arg(1000)
    ->Arg(10000)
    ->Arg(2000000000);

void allOutcomes(benchmark::State &state) {
  const DeviceProgram program = twoKernels(uint64_t(state.range(0)));
  for (auto _ : state)
    benchmark::DoNotOptimize(playAll(gpu(), program));
}
BENCHMARK(allOutcomes)->Unit(benchmark::kMillisecond)->Arg(1000)->Arg(10000);

} // namespace

BENCHMARK_MAIN();
