// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the experiments share: a kernel that is controlled from outside, and
// where and when each of its blocks ran.
//
// In:   Shape{kernel 40 registers, 384 threads, 0 bytes, 132 blocks, 300 us}.
// Out:  for each block its SM, start and end in nanoseconds of the GPU's timer.
//
// Nothing here knows a particular GPU: limits and configurations are asked of
// the driver. The GPU's timer (%globaltimer) steps by 32 ns on sm_90 and by
// about a microsecond on some older GPUs.

#ifndef CORESIDE_MEASURE_LAB_H
#define CORESIDE_MEASURE_LAB_H

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <initializer_list>
#include <random>
#include <source_location>
#include <string>
#include <vector>

namespace lab {

/// Where and when one block ran; nanoseconds of the GPU's own clock.
struct BlockRecord {
  uint64_t start;
  uint64_t end;
  uint32_t SM;
  /// What the experiment wants to note of the block.
  uint32_t note;
};

/// Keeps a block resident for `nanoseconds`. `never` is always 0 and keeps
/// the compiler from removing what takes the registers.
using HoldFunction = void (*)(BlockRecord *records, uint64_t nanoseconds,
                              int never, float *scratch);

/// One compiled variant of the controlled kernel.
struct HoldKernel {
  HoldFunction function;
  /// What cudaFuncGetAttributes says.
  int registers;
  int staticShared;
  int barriers;
};

/// Variants that differ in registers, from about 24 to 255.
const std::vector<HoldKernel> &holdKernels();
/// Variants with static shared memory, 0 to 48 KiB.
const std::vector<HoldKernel> &staticKernels();
/// Variants that use 1 to 16 named barriers.
const std::vector<HoldKernel> &barrierKernels();
/// The variant of `holdKernels` whose registers are nearest to `registers`.
const HoldKernel &holdKernel(int registers);

/// Ends the program with the place and CUDA's words when a call failed.
void check(cudaError_t result,
           std::source_location where = std::source_location::current());

/// What the driver says of the GPU; asked once.
struct Device {
  cudaDeviceProp properties;
  int SMs;
  /// Compute capability: 90 for 9.0.
  int capability;
  /// Most shared memory a block may have, static and dynamic, in bytes.
  int optInShared;
  /// Taken of every block by the system, in bytes.
  int reservedShared;
  int lowestPriority;
  int highestPriority;
};
const Device &device();

/// The sizes of shared memory that an SM can be set to, ascending, in KiB and
/// without 0: the driver is asked for the occupancy under each preference.
const std::vector<int> &configurations();

/// One launch.
struct Shape {
  const HoldKernel *kernel = nullptr;
  int threads = 32;
  /// Dynamic shared memory, bytes.
  int shared = 0;
  int grid = 1;
  uint64_t nanoseconds = 0;
  /// Preferred carveout in per cent; -1 none.
  int carveout = -1;
  /// Blocks of a cluster; 0 none asked.
  int cluster = 0;
};

/// Blocks of `shape` on one SM by the driver; 0 when it refuses.
int blocksPerSM(const Shape &shape);

/// Bytes of an SM's shared memory that one block takes.
int sharedPerBlock(const Shape &shape);

void setCarveout(const HoldKernel &kernel, int percent);

void launch(const Shape &shape, BlockRecord *records, cudaStream_t stream);

/// Device memory for the records of one launch, and their copy on the host.
class Track {
public:
  explicit Track(int capacity);
  Track(const Track &) = delete;
  BlockRecord *onDevice() { return memory; }
  /// Reads the first `blocks` records; the GPU must be done.
  const std::vector<BlockRecord> &read(int blocks);
  const std::vector<BlockRecord> &blocks() const { return copy; }

private:
  BlockRecord *memory = nullptr;
  std::vector<BlockRecord> copy;
};

/// The four moments of a launch, after `origin`.
struct Times {
  int64_t firstStart, lastStart, firstEnd, lastEnd;
};
Times timesOf(const std::vector<BlockRecord> &blocks, uint64_t origin);
uint64_t firstStart(const std::vector<BlockRecord> &blocks);

cudaStream_t newStream(bool blocking = false);

/// Loads every variant, so that no first launch is among the measured ones.
void warmUp();

/// Random choices, the same for the same seed.
class Draw {
public:
  explicit Draw(unsigned seed) : generator(seed) {}
  /// 0 to `count` - 1.
  int below(int count) { return int(generator() % unsigned(count)); }
  int pick(std::initializer_list<int> values) {
    return values.begin()[below(int(values.size()))];
  }
  /// 0 to 1, in thousandths.
  double share() { return below(1001) / 1000.0; }

private:
  std::mt19937 generator;
};

/// --rows N, --seed N and --mode WORD.
struct Options {
  int rows;
  unsigned seed = 1;
  std::string mode;
};
Options readOptions(int argc, char **argv, int rows, const char *mode = "");

/// `# NVIDIA H200 cc 9.0 SMs 132 driver 13.0 runtime 13.0`, as a note line.
void printDevice();

} // namespace lab

#endif
