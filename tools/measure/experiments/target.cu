// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// To which split of L1 and shared memory does a kernel set an empty SM? A sits
// on every SM with one block; probes, each a kernel of small blocks that needs
// a known configuration, want to join.
//
// Columns: tA,rA,smA,cvA,occA
//          config_kb       the largest configuration that a probe found; 0: no
//                          probe found room
//          admitted_mask   which probes got in, bit 0 the smallest
//          configuration
// --mode default: no preference; carve: one in per cent; nosmem: A without
// shared memory.

#include "DeviceClock.h"
#include "Lab.h"

#include <algorithm>

using namespace lab;

namespace {

/// As many kernels as there may be configurations: each has its own limits.
template <int> __global__ void probe(BlockRecord *record) {
  if (threadIdx.x == 0) {
    record->start = clockNanoseconds();
    record->SM = currentSM();
  }
}

using ProbeFunction = void (*)(BlockRecord *);
constexpr ProbeFunction functions[] = {probe<0>, probe<1>, probe<2>, probe<3>,
                                       probe<4>, probe<5>, probe<6>, probe<7>,
                                       probe<8>, probe<9>};

/// A block as small as possible, in steps of 1 KiB, of which as many fit on an
/// SM as need exactly `KiB`. The model's `all rows` knows these sizes: a probe
/// may find no room although the configuration would do.
struct Probe {
  ProbeFunction function = nullptr;
  int threads = 0;
  int shared = 0;
};

Probe probeFor(ProbeFunction function, int KiB) {
  const auto &sizes = configurations();
  for (int shared = 0; shared <= device().optInShared; shared += 1024)
    for (int threads : {32, 64, 128, 256, 512}) {
      int blocks = 0;
      check(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function,
                                                          threads, shared));
      const int bytes =
          blocks * ((shared + device().reservedShared + 127) / 128 * 128);
      const auto need = std::ranges::lower_bound(sizes, (bytes + 1023) / 1024);
      if (need != sizes.end() && *need == KiB)
        return {function, threads, shared};
    }
  return {};
}

} // namespace

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv, 3000, "default");
  warmUp();
  const int SMs = device().SMs, most = device().optInShared;
  std::vector<Probe> probes;
  for (int KiB : configurations()) {
    if (probes.size() == std::size(functions)) {
      std::fprintf(stderr, "target: more configurations than probes\n");
      return 3;
    }
    probes.push_back(probeFor(functions[probes.size()], KiB));
  }
  Track trackA(SMs), trackProbes(int(probes.size()));
  const cudaStream_t streamA = newStream();
  std::vector<cudaStream_t> streams;
  for (size_t i = 0; i < probes.size(); ++i) {
    streams.push_back(newStream());
    if (probes[i].function)
      probes[i]
          .function<<<1, probes[i].threads, probes[i].shared, streams[i]>>>(
              trackProbes.onDevice() + i);
  }
  check(cudaDeviceSynchronize());
  std::printf("tA,rA,smA,cvA,occA,config_kb,admitted_mask\n");
  Draw draw(options.seed);
  for (int row = 0; row < options.rows;) {
    Shape A;
    // All but the largest in registers, whose blocks leave no room for probes.
    A.kernel = &holdKernels()[draw.below(int(holdKernels().size()) - 1)];
    A.threads = 32 * (1 + draw.below(31));
    switch (draw.below(5)) {
    case 0:
      break;
    case 1:
      A.shared = draw.below(4 * 1024);
      break;
    case 2:
      A.shared = draw.below(16 * 1024);
      break;
    case 3:
      A.shared = draw.below(most * 2 / 7);
      break;
    default:
      A.shared = draw.below(most + 1);
    }
    if (options.mode == "nosmem")
      A.shared = 0;
    if (options.mode == "carve")
      A.carveout = draw.below(102) - 1;
    setCarveout(*A.kernel, A.carveout);
    const int occA = blocksPerSM(A);
    if (!occA)
      continue;
    A.grid = SMs;
    A.nanoseconds = 150000;
    check(cudaDeviceSynchronize());
    launch(A, trackA.onDevice(), streamA);
    for (size_t i = 0; i < probes.size(); ++i)
      if (probes[i].function)
        probes[i]
            .function<<<1, probes[i].threads, probes[i].shared, streams[i]>>>(
                trackProbes.onDevice() + i);
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    ++row;
    uint64_t firstEnd = UINT64_MAX;
    for (const BlockRecord &block : trackA.read(SMs))
      firstEnd = std::min(firstEnd, block.end);
    int mask = 0, found = 0;
    const auto &started = trackProbes.read(int(probes.size()));
    for (size_t i = 0; i < probes.size(); ++i)
      if (probes[i].function && started[i].start < firstEnd) {
        mask |= 1 << i;
        found = configurations()[i];
      }
    std::printf("%d,%d,%d,%d,%d,%d,%d\n", A.threads, A.kernel->registers,
                A.shared, A.carveout, occA, found, mask);
  }
}
