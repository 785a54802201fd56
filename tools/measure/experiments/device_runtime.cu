// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels that need something of the device's runtime: does launching one
// stop it from overlapping with a kernel that already runs?
//
// Columns: kind          plain, printf (in the code, not run), prints, malloc,
//                        assert, stack (fixed bytes a thread), recursion,
//                        child (launches a kernel from the device)
//          attempt       1 is the first launch of that kernel
//          launch_us     host time of the launch call
//          overlapped    it started before A's end
//          plain_after   so did a plain kernel launched behind it on a third
//                        stream
//          child_start   ns from the parent's start to its child's, -1 none
//          child_overlapped
// Run with CUDA_MODULE_LOADING=EAGER: loading code waits for the GPU too.

#include "DeviceClock.h"
#include "Lab.h"

#include <cassert>
#include <chrono>
#include <new>

using namespace lab;

namespace {

using Function = void (*)(BlockRecord *, int);

__device__ void note(BlockRecord *record) {
  if (threadIdx.x == 0) {
    record->start = clockNanoseconds();
    record->SM = currentSM();
  }
  waitFor(20000);
}

__global__ void plain(BlockRecord *record, int) { note(record); }

__global__ void containsPrintf(BlockRecord *record, int never) {
  note(record);
  if (never)
    printf("%d\n", never);
}

__global__ void prints(BlockRecord *record, int never) {
  note(record);
  if (threadIdx.x == 0)
    printf("# printed by the device %d\n", never);
}

__global__ void allocates(BlockRecord *record, int never) {
  note(record);
  int *memory = static_cast<int *>(malloc(64));
  if (memory) {
    *memory = never;
    free(memory);
  }
}

__global__ void asserts(BlockRecord *record, int never) {
  note(record);
  assert(never == 0);
}

template <int Bytes> __global__ void stack(BlockRecord *record, int never) {
  note(record);
  volatile char bytes[Bytes];
  for (int i = 0; i < never; ++i)
    bytes[(i * 7919) % Bytes] = char(i);
  if (never)
    record->note = bytes[never % Bytes];
}

__device__ __noinline__ int descend(int depth) {
  volatile int here = depth;
  return depth <= 0 ? here : descend(depth - 1) + descend(depth - 2) + here;
}

__global__ void recursion(BlockRecord *record, int never) {
  note(record);
  record->note = descend(never);
}

__global__ void parent(BlockRecord *record, int never) {
  note(record);
  if (threadIdx.x == 0)
    plain<<<1, 32>>>(record + 1, never);
}

} // namespace

int main(int argc, char **argv) {
  readOptions(argc, argv, 1);
  printDevice();
  holdKernels();
  std::printf("kind,attempt,launch_us,overlapped,plain_after,child_start,"
              "child_overlapped\n");
  const cudaStream_t streamA = newStream(), streamB = newStream(),
                     streamC = newStream();
  Track trackA(8), trackB(2), trackC(1);
  const Shape A{.kernel = &holdKernel(24),
                .threads = 64,
                .grid = 8,
                .nanoseconds = 3000000};
  struct Kind {
    const char *name;
    Function function;
    int bytes;
  };
  const Kind kinds[] = {
      {"plain", plain, 0},
      {"printf", containsPrintf, 0},
      {"prints", prints, 0},
      {"assert", asserts, 0},
      {"malloc", allocates, 0},
      {"stack_512", stack<512>, 0},
      {"stack_4096", stack<4096>, 0},
      {"stack_32768", stack<32768>, 0},
      {"stack_4096_again", stack<4096>, 0},
      {"stack_131072", stack<131072>, 0},
      {"recursion", recursion, 0},
      {"child", parent, 0},
      {"plain_again", plain, 0},
  };
  launch(A, trackA.onDevice(), streamA);
  check(cudaDeviceSynchronize());
  for (const Kind &kind : kinds)
    for (int attempt = 1; attempt <= 3; ++attempt) {
      check(cudaMemset(trackB.onDevice(), 0, 2 * sizeof(BlockRecord)));
      check(cudaDeviceSynchronize());
      launch(A, trackA.onDevice(), streamA);
      const auto start = std::chrono::steady_clock::now();
      kind.function<<<1, 32, 0, streamB>>>(trackB.onDevice(), 0);
      const double issued = std::chrono::duration<double, std::micro>(
                                std::chrono::steady_clock::now() - start)
                                .count();
      check(cudaGetLastError());
      plain<<<1, 32, 0, streamC>>>(trackC.onDevice(), 0);
      check(cudaDeviceSynchronize());
      uint64_t firstEnd = UINT64_MAX;
      for (const BlockRecord &block : trackA.read(8))
        firstEnd = std::min(firstEnd, block.end);
      const auto &B = trackB.read(2);
      const bool child = B[1].start != 0;
      std::printf("%s,%d,%.1f,%d,%d,%lld,%d\n", kind.name, attempt, issued,
                  B[0].start < firstEnd, trackC.read(1)[0].start < firstEnd,
                  child ? (long long)(B[1].start - B[0].start) : -1ll,
                  child && B[1].start < firstEnd);
      std::fflush(stdout);
    }
}
