// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the driver itself says: the limits of the GPU, blocks per SM for many
// configurations, clusters at once.
//
// Notes:   name and limits.
// Columns: regs,threads,smem,blocks      cudaOccupancyMaxActiveBlocksPer-
//                                        Multiprocessor; -1: the call failed
//          and rows that begin with `cluster`, for cudaOccupancyMaxActive-
//          Clusters: cluster,size,regs,threads,smem,clusters
// --mode carve adds the preference in per cent: regs,threads,smem,cv,blocks

#include "Lab.h"

#include <set>

using namespace lab;

namespace {

void printLimits() {
  std::printf("# name %s cc %d.%d sms %d\n", device().properties.name,
              device().properties.major, device().properties.minor,
              device().SMs);
  const std::pair<const char *, cudaDeviceAttr> attributes[] = {
      {"regsPerSM", cudaDevAttrMaxRegistersPerMultiprocessor},
      {"regsPerBlock", cudaDevAttrMaxRegistersPerBlock},
      {"smemPerSM", cudaDevAttrMaxSharedMemoryPerMultiprocessor},
      {"smemPerBlock", cudaDevAttrMaxSharedMemoryPerBlock},
      {"smemOptin", cudaDevAttrMaxSharedMemoryPerBlockOptin},
      {"smemReserved", cudaDevAttrReservedSharedMemoryPerBlock},
      {"threadsPerSM", cudaDevAttrMaxThreadsPerMultiProcessor},
      {"blocksPerSM", cudaDevAttrMaxBlocksPerMultiprocessor},
      {"l2", cudaDevAttrL2CacheSize},
      {"persistL2", cudaDevAttrMaxPersistingL2CacheSize},
      {"asyncEngines", cudaDevAttrAsyncEngineCount},
      {"coop", cudaDevAttrCooperativeLaunch},
  };
  for (const auto &[name, attribute] : attributes) {
    int value;
    check(cudaDeviceGetAttribute(&value, attribute, 0));
    std::printf("# %s %d\n", name, value);
  }
  std::printf("# configurations");
  for (int KiB : configurations())
    std::printf(" %d", KiB);
  std::printf("\n");
}

/// Bytes on both sides of every step that matters to some GPU.
std::vector<int> sharedSizes() {
  std::set<int> sizes = {0,    1,    128,   1024,  2048,
                         4096, 7000, 10240, 12288, 20000};
  const int most = device().optInShared;
  for (int KiB : configurations())
    for (int blocks : {1, 2, 3, 4, 8})
      for (int bytes : {KiB * 1024 / blocks, KiB * 1024 / blocks - 1024})
        if (bytes > 0 && bytes <= most)
          sizes.insert(bytes);
  sizes.insert(most);
  return {sizes.begin(), sizes.end()};
}

int occupancyOf(const HoldKernel &kernel, int threads, int shared) {
  int blocks = -1;
  if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(
          &blocks, kernel.function, threads, shared) != cudaSuccess) {
    cudaGetLastError();
    return -1;
  }
  return blocks;
}

void printClusters() {
  for (int size : {1, 2, 4, 8, 16})
    for (size_t i = 0; i < holdKernels().size(); i += 3)
      for (int threads : {128, 256, 512, 1024})
        for (int shared : {0, 49152, 100 * 1024, 200 * 1024}) {
          const HoldKernel &kernel = holdKernels()[i];
          const auto *symbol = reinterpret_cast<const void *>(kernel.function);
          check(cudaFuncSetAttribute(
              symbol, cudaFuncAttributeNonPortableClusterSizeAllowed,
              size > 8));
          cudaLaunchAttribute attribute;
          attribute.id = cudaLaunchAttributeClusterDimension;
          attribute.val.clusterDim = {unsigned(size), 1, 1};
          cudaLaunchConfig_t configuration = {};
          configuration.gridDim = dim3(size * 1024);
          configuration.blockDim = dim3(threads);
          configuration.dynamicSmemBytes = shared;
          configuration.attrs = &attribute;
          configuration.numAttrs = 1;
          int clusters = -1;
          if (cudaOccupancyMaxActiveClusters(&clusters, symbol,
                                             &configuration) != cudaSuccess) {
            cudaGetLastError();
            clusters = -1;
          }
          std::printf("cluster,%d,%d,%d,%d,%d\n", size, kernel.registers,
                      threads, shared, clusters);
        }
}

} // namespace

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv, 1, "plain");
  const bool carve = options.mode == "carve";
  printLimits();
  std::printf(carve ? "regs,threads,smem,cv,blocks\n"
                    : "regs,threads,smem,blocks\n");
  for (const HoldKernel &kernel : holdKernels()) {
    if (!carve) {
      for (int threads = 1; threads <= 1024; threads += threads == 1 ? 31 : 32)
        for (int shared : sharedSizes())
          std::printf("%d,%d,%d,%d\n", kernel.registers, threads, shared,
                      occupancyOf(kernel, threads, shared));
      continue;
    }
    for (int percent : {0, 10, 25, 50, 75, 100}) {
      setCarveout(kernel, percent);
      for (int threads : {32, 96, 128, 256, 512, 768, 1024})
        for (int shared : {0, 1000, 4096, 12288, 32768, 65536, 102400})
          std::printf("%d,%d,%d,%d,%d\n", kernel.registers, threads, shared,
                      percent, occupancyOf(kernel, threads, shared));
    }
    setCarveout(kernel, -1);
  }
  if (!carve && device().capability >= 90)
    printClusters();
}
