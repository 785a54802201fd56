// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What does the runtime say to launches at and beyond the limits?
//
// Columns: kernel         spin, bounded256 and bounded128x8 (launch bounds),
//                         static40k
//          regs,static_smem,launch_bound
//          bx,by,bz,gx,gy,gz,dyn_smem
//          optin          value of MaxDynamicSharedMemorySize
//          cluster,nonportable,cooperative
//          result         of cudaLaunchKernelExC and the synchronisation after
//          result_chevron of cudaLaunchKernel, which <<<>>> calls; - where
//                         clusters or a cooperative launch were asked for

#include "Lab.h"

using namespace lab;

namespace {

__global__ void __launch_bounds__(256)
    bounded256(BlockRecord *, uint64_t, int never, float *scratch) {
  if (never)
    scratch[threadIdx.x] = 1;
}

__global__ void __launch_bounds__(128, 8)
    bounded128x8(BlockRecord *, uint64_t, int never, float *scratch) {
  if (never)
    scratch[threadIdx.x] = 1;
}

__global__ void static40k(BlockRecord *, uint64_t, int never, float *scratch) {
  __shared__ float bytes[10 * 1024];
  if (never) {
    bytes[threadIdx.x] = never;
    __syncthreads();
    scratch[threadIdx.x] = bytes[threadIdx.x ^ 1];
  }
}

struct Candidate {
  const char *name;
  HoldFunction function;
  int bound;
};

} // namespace

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv, 2000);
  warmUp();
  std::vector<Candidate> candidates;
  for (const HoldKernel &kernel : holdKernels())
    candidates.push_back({"spin", kernel.function, 0});
  candidates.push_back({"bounded256", bounded256, 256});
  candidates.push_back({"bounded128x8", bounded128x8, 128});
  candidates.push_back({"static40k", static40k, 0});
  const int most = device().optInShared, SMs = device().SMs;
  const bool clusters = device().capability >= 90;
  // Blocks of the largest grid: 65,535, and cooperative ones of 3,000.
  Track track(65536);
  std::printf("kernel,regs,static_smem,launch_bound,bx,by,bz,gx,gy,gz,dyn_smem,"
              "optin,cluster,nonportable,cooperative,result,result_chevron\n");
  Draw draw(options.seed);
  for (int row = 0; row < options.rows; ++row) {
    const Candidate &chosen = candidates[draw.below(int(candidates.size()))];
    const auto *symbol = reinterpret_cast<const void *>(chosen.function);
    cudaFuncAttributes attributes;
    check(cudaFuncGetAttributes(&attributes, symbol));
    const int fixed = int(attributes.sharedSizeBytes);
    dim3 block(1), grid(1);
    switch (draw.below(5)) {
    case 0:
      block = dim3(draw.pick(
          {32, 64, 128, 256, 257, 384, 512, 513, 768, 1024, 1025, 2048}));
      break;
    case 1:
      block = dim3(draw.pick({8, 16, 32}), draw.pick({8, 16, 32, 33}),
                   draw.pick({1, 1, 2, 4}));
      break;
    case 2:
      block = dim3(1 + draw.below(1100));
      break;
    case 3:
      block = dim3(draw.pick({1, 4, 8}), draw.pick({1, 4, 1024, 1025}),
                   draw.pick({1, 64, 65}));
      break;
    default:
      block = dim3(draw.pick({0, 1, 96, 160, 224, 416, 448, 480}));
    }
    switch (draw.below(6)) {
    case 0:
      grid = dim3(1, draw.pick({1, 65535, 65536}));
      break;
    case 1:
      grid = dim3(1, 1, draw.pick({1, 65535, 65536}));
      break;
    case 2:
      grid = dim3(draw.pick({0, 1}));
      break;
    default:
      grid = dim3(1 + draw.below(64));
    }
    int shared = 0;
    switch (draw.below(4)) {
    case 0:
      break;
    case 1:
      shared = draw.pick({8192, 8193, 49152, 49153, 40960, 40961});
      break;
    case 2:
      shared = draw.below(most + 8192);
      break;
    default:
      shared = draw.pick({most, most + 1, most - 1024, most - 40960,
                          int(device().properties.sharedMemPerMultiprocessor)});
    }
    int optIn = 0;
    switch (draw.below(3)) {
    case 0:
      break;
    case 1:
      optIn = most - fixed;
      break;
    default:
      optIn = draw.below(most - fixed);
    }
    check(cudaFuncSetAttribute(
        symbol, cudaFuncAttributeMaxDynamicSharedMemorySize, optIn));
    const int cluster =
        clusters && !draw.below(5) ? draw.pick({1, 2, 3, 4, 8, 16, 32}) : 0;
    const int nonPortable = cluster ? draw.below(2) : 0;
    const bool cooperative = !cluster && !draw.below(6);
    if (cluster && draw.below(3))
      grid = dim3(cluster * (1 + draw.below(4)));
    if (cooperative)
      grid = dim3(1 + draw.below(SMs * 24));
    if (clusters)
      check(cudaFuncSetAttribute(
          symbol, cudaFuncAttributeNonPortableClusterSizeAllowed, nonPortable));

    std::vector<cudaLaunchAttribute> asked;
    if (cluster) {
      cudaLaunchAttribute attribute;
      attribute.id = cudaLaunchAttributeClusterDimension;
      attribute.val.clusterDim = {unsigned(cluster), 1, 1};
      asked.push_back(attribute);
    }
    if (cooperative) {
      cudaLaunchAttribute attribute;
      attribute.id = cudaLaunchAttributeCooperative;
      attribute.val.cooperative = 1;
      asked.push_back(attribute);
    }
    cudaLaunchConfig_t configuration = {};
    configuration.gridDim = grid;
    configuration.blockDim = block;
    configuration.dynamicSmemBytes = shared;
    configuration.attrs = asked.data();
    configuration.numAttrs = unsigned(asked.size());
    BlockRecord *records = track.onDevice();
    uint64_t nanoseconds = 0;
    int never = 0;
    float *scratch = nullptr;
    void *arguments[] = {&records, &nanoseconds, &never, &scratch};
    // The answer of the call, or of the run when the call was accepted.
    auto answer = [](cudaError_t issued) {
      if (issued == cudaSuccess)
        return cudaDeviceSynchronize();
      cudaGetLastError();
      return issued;
    };
    const char *result = cudaGetErrorName(
        answer(cudaLaunchKernelExC(&configuration, symbol, arguments)));
    const char *chevron = "-";
    if (asked.empty())
      chevron = cudaGetErrorName(answer(
          cudaLaunchKernel(symbol, grid, block, arguments, shared, nullptr)));
    std::printf("%s,%d,%d,%d,%u,%u,%u,%u,%u,%u,%d,%d,%d,%d,%d,%s,%s\n",
                chosen.name, attributes.numRegs, fixed, chosen.bound, block.x,
                block.y, block.z, grid.x, grid.y, grid.z, shared, optIn,
                cluster, nonPortable, int(cooperative), result, chevron);
  }
}
