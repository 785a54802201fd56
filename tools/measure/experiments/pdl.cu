// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programmatic dependent launch: when do the blocks of a secondary kernel S
// start, if the primary P triggers early, late, in part or not at all? Does an
// S that may not start yet hold up X, a small kernel on another stream? When
// does T, a third link of the chain, start, if S triggers at once?
//
// Columns: trigger           none, all or half (the other half of P's blocks
//                            ends without it)
//          tP,smP,gP,occP    P
//          before,after      ns a block of P stays before and after its trigger
//          tS,smS,gS,occS    S
//          waits             S calls cudaGridDependencySynchronize (1)
//          P_last_start,P_last_trigger,P_first_end,P_last_end
//          S_first_start,S_last_start,S_first_synced
//          S_before_P_end    blocks of S that started before P's last end
//          T_first_start,X_start
// Times are nanoseconds after P's first start; -1: never.

#include "DeviceClock.h"
#include "Lab.h"

#include <algorithm>

using namespace lab;

namespace {

enum Trigger { None, All, Half };

__global__ void primary(BlockRecord *records, uint64_t *triggered,
                        uint64_t before, uint64_t after, int trigger) {
  if (threadIdx.x == 0) {
    records[blockIdx.x].start = clockNanoseconds();
    records[blockIdx.x].SM = currentSM();
    triggered[blockIdx.x] = 0;
  }
  waitFor(before);
  __syncthreads();
#if __CUDA_ARCH__ >= 900
  if (trigger == All || (trigger == Half && blockIdx.x % 2 == 0)) {
    if (threadIdx.x == 0)
      triggered[blockIdx.x] = clockNanoseconds();
    cudaTriggerProgrammaticLaunchCompletion();
  }
#endif
  waitFor(after);
  __syncthreads();
  if (threadIdx.x == 0)
    records[blockIdx.x].end = clockNanoseconds();
}

__global__ void secondary(BlockRecord *records, uint64_t *synced,
                          uint64_t nanoseconds, int waits) {
  if (threadIdx.x == 0) {
    records[blockIdx.x].start = clockNanoseconds();
    records[blockIdx.x].SM = currentSM();
  }
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  if (waits)
    cudaGridDependencySynchronize();
#endif
  if (threadIdx.x == 0)
    synced[blockIdx.x] = clockNanoseconds();
  waitFor(nanoseconds);
  __syncthreads();
  if (threadIdx.x == 0)
    records[blockIdx.x].end = clockNanoseconds();
}

template <class... Parameters, class... Arguments>
void launchAfter(void (*kernel)(Parameters...), int grid, int threads,
                 int shared, cudaStream_t stream, Arguments... arguments) {
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(grid);
  configuration.blockDim = dim3(threads);
  configuration.dynamicSmemBytes = shared;
  configuration.stream = stream;
  configuration.attrs = &attribute;
  configuration.numAttrs = 1;
  check(cudaLaunchKernelEx(&configuration, kernel,
                           static_cast<Parameters>(arguments)...));
}

template <class Kernel> int prepare(Kernel kernel, int threads, int shared) {
  check(cudaFuncSetAttribute(kernel,
                             cudaFuncAttributeMaxDynamicSharedMemorySize,
                             device().optInShared));
  int blocks = 0;
  check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, threads,
                                                      shared));
  return blocks;
}

} // namespace

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv, 300);
  printDevice();
  if (device().capability < 90) {
    std::printf("# nothing asked: needs compute capability 9.0\n");
    return 0;
  }
  warmUp();
  std::printf("trigger,tP,smP,gP,occP,before,after,tS,smS,gS,occS,waits,"
              "P_last_start,P_last_trigger,P_first_end,P_last_end,"
              "S_first_start,S_last_start,S_first_synced,S_before_P_end,"
              "T_first_start,X_start\n");
  Draw draw(options.seed);
  const int SMs = device().SMs, capacity = SMs * 80;
  Track trackP(capacity), trackS(capacity), trackT(1), trackX(1);
  uint64_t *triggered, *synced;
  check(cudaMalloc(&triggered, sizeof(uint64_t) * capacity));
  check(cudaMalloc(&synced, sizeof(uint64_t) * capacity));
  const cudaStream_t stream = newStream(), other = newStream();
  // Row -1 loads the code and is not printed.
  for (int row = -1; row < options.rows; ++row) {
    const int trigger = draw.below(4) ? All : draw.pick({None, Half});
    const int threadsP = draw.pick({64, 128, 256, 512, 1024});
    const int threadsS = draw.pick({64, 128, 256, 512, 1024});
    const int sharedP = draw.below(2) ? 0 : draw.below(device().optInShared);
    const int sharedS = draw.below(2) ? 0 : draw.below(device().optInShared);
    const int occP = prepare(primary, threadsP, sharedP);
    const int occS = prepare(secondary, threadsS, sharedS);
    const double waves = draw.pick({25, 50, 100, 100, 150, 220}) / 100.0;
    const int gridP = std::max(1, int(waves * occP * SMs));
    const int gridS =
        std::max(1, int(draw.pick({10, 50, 100, 150}) / 100.0 * occS * SMs));
    const uint64_t before = draw.pick({1000, 50000, 100000});
    const uint64_t after = draw.pick({50000, 150000});
    const int waits = draw.below(2);
    // Its many barriers make its need of shared memory the smallest.
    const Shape X{.kernel = &barrierKernels().back(), .nanoseconds = 500};
    check(cudaDeviceSynchronize());
    primary<<<gridP, threadsP, sharedP, stream>>>(trackP.onDevice(), triggered,
                                                  before, after, trigger);
    launchAfter(secondary, gridS, threadsS, sharedS, stream, trackS.onDevice(),
                synced, 50000, waits);
    launchAfter(secondary, 1, 32, 0, stream, trackT.onDevice(),
                synced + capacity - 1, 500, 0);
    launch(X, trackX.onDevice(), other);
    check(cudaDeviceSynchronize());
    if (row < 0)
      continue;
    const auto &blocksP = trackP.read(gridP);
    const uint64_t origin = firstStart(blocksP);
    const Times P = timesOf(blocksP, origin);
    const Times S = timesOf(trackS.read(gridS), origin);
    std::vector<uint64_t> times(gridP);
    check(cudaMemcpy(times.data(), triggered, sizeof(uint64_t) * gridP,
                     cudaMemcpyDeviceToHost));
    const uint64_t last = *std::ranges::max_element(times);
    times.resize(gridS);
    check(cudaMemcpy(times.data(), synced, sizeof(uint64_t) * gridS,
                     cudaMemcpyDeviceToHost));
    const uint64_t firstSynced = *std::ranges::min_element(times);
    const auto early =
        std::ranges::count_if(trackS.blocks(), [&](const BlockRecord &block) {
          return int64_t(block.start - origin) < P.lastEnd;
        });
    static const char *names[] = {"none", "all", "half"};
    std::printf("%s,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%lld,%lld,%lld,%lld,%lld,"
                "%lld,%lld,%lld,%lld,%lld\n",
                names[trigger], threadsP, sharedP, gridP, occP, int(before),
                int(after), threadsS, sharedS, gridS, occS, waits,
                (long long)P.lastStart,
                last ? (long long)(last - origin) : -1ll, (long long)P.firstEnd,
                (long long)P.lastEnd, (long long)S.firstStart,
                (long long)S.lastStart, (long long)(firstSynced - origin),
                (long long)early, (long long)(trackT.read(1)[0].start - origin),
                (long long)(trackX.read(1)[0].start - origin));
  }
}
