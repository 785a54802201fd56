// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which copies and fills are kernels that the driver launches, and so need
// room on an SM? Each runs on one stream while A, on another, leaves a given
// room on every SM.
//
// Columns: operation,bytes
//          tA,rA,smA,nA     A: threads, registers, shared memory, blocks on
//                           each SM; nA 0: nothing beside
//          issue_us         host time of the call
//          done_us          from the call to its completion, seen by the host
//          before_A_ended   1: it completed while A ran, so it had room or
//                           needed none
//          X_before_A_ended 1: X, a kernel of one warp behind it on a third
//                           stream, started while A ran. X uses all named
//                           barriers, so that few of its blocks fit on an SM
//                           and its need of shared memory is the smallest

#include "Lab.h"

#include <chrono>
#include <functional>

using namespace lab;

namespace {

double microseconds(std::chrono::steady_clock::time_point since) {
  return std::chrono::duration<double, std::micro>(
             std::chrono::steady_clock::now() - since)
      .count();
}

__device__ char symbolOnDevice[4096];

} // namespace

int main(int argc, char **argv) {
  readOptions(argc, argv, 1);
  printDevice();
  warmUp();
  std::printf("operation,bytes,tA,rA,smA,nA,issue_us,done_us,before_A_ended,"
              "X_before_A_ended\n");
  const size_t most = size_t(256) << 20;
  char *source, *target, *pinned;
  check(cudaMalloc(&source, most));
  check(cudaMalloc(&target, most));
  check(cudaMallocHost(&pinned, most));
  std::vector<char> pageable(1 << 20);
  const cudaStream_t streamA = newStream(), streamB = newStream();

  struct Operation {
    const char *name;
    std::vector<size_t> sizes;
    std::function<void(size_t)> call;
  };
  const std::vector<size_t> sizes = {4,     1024,    4096,     16384,
                                     65536, 1 << 20, 256 << 20};
  void *allocated = nullptr;
  const std::vector<Operation> operations = {
      {"memset", sizes,
       [&](size_t bytes) {
         check(cudaMemsetAsync(target, 1, bytes, streamB));
       }},
      {"memset2D",
       {65536, 1 << 20},
       [&](size_t bytes) {
         check(cudaMemset2DAsync(target, 4096, 1, 1024, bytes / 1024, streamB));
       }},
      {"memcpy_D2D", sizes,
       [&](size_t bytes) {
         check(cudaMemcpyAsync(target, source, bytes, cudaMemcpyDeviceToDevice,
                               streamB));
       }},
      {"memcpy_D2D_unaligned",
       {65533, (1 << 20) - 3},
       [&](size_t bytes) {
         check(cudaMemcpyAsync(target + 1, source + 2, bytes,
                               cudaMemcpyDeviceToDevice, streamB));
       }},
      {"memcpy2D_D2D",
       {65536, 1 << 20},
       [&](size_t bytes) {
         check(cudaMemcpy2DAsync(target, 4096, source, 2048, 1024, bytes / 1024,
                                 cudaMemcpyDeviceToDevice, streamB));
       }},
      {"memcpyPeer_same",
       {1 << 20},
       [&](size_t bytes) {
         check(cudaMemcpyPeerAsync(target, 0, source, 0, bytes, streamB));
       }},
      {"memcpy_H2D_pinned",
       {4, 65536, 16 << 20},
       [&](size_t bytes) {
         check(cudaMemcpyAsync(target, pinned, bytes, cudaMemcpyHostToDevice,
                               streamB));
       }},
      {"memcpy_D2H_pinned",
       {4, 65536, 16 << 20},
       [&](size_t bytes) {
         check(cudaMemcpyAsync(pinned, source, bytes, cudaMemcpyDeviceToHost,
                               streamB));
       }},
      {"memcpy_H2D_pageable",
       {4, 65536, 1 << 20},
       [&](size_t bytes) {
         check(cudaMemcpyAsync(target, pageable.data(), bytes,
                               cudaMemcpyHostToDevice, streamB));
       }},
      {"memcpy_D2H_pageable",
       {4, 65536, 1 << 20},
       [&](size_t bytes) {
         check(cudaMemcpyAsync(pageable.data(), source, bytes,
                               cudaMemcpyDeviceToHost, streamB));
       }},
      {"memcpyToSymbol_D2D",
       {4096},
       [&](size_t bytes) {
         check(cudaMemcpyToSymbolAsync(symbolOnDevice, source, bytes, 0,
                                       cudaMemcpyDeviceToDevice, streamB));
       }},
      {"mallocAsync",
       {1 << 20},
       [&](size_t bytes) {
         check(cudaMallocAsync(&allocated, bytes, streamB));
       }},
      {"freeAsync",
       {1 << 20},
       [&](size_t) {
         check(cudaFreeAsync(allocated, streamB));
         allocated = nullptr;
       }},
      {"hostFunction",
       {0},
       [&](size_t) {
         check(cudaLaunchHostFunc(streamB, [](void *) {}, nullptr));
       }},
  };
  struct Beside {
    int threads, registers, shared, blocks;
  };
  // From no room for a warp to nearly an empty SM, by warps, by registers, by
  // shared memory, and by the split of L1 and shared memory that A sets.
  const int all = device().optInShared;
  const std::vector<Beside> beside = {
      {32, 32, 0, 0},         {1024, 32, 0, 2},        {992, 32, 0, 2},
      {960, 32, 0, 2},        {896, 32, 0, 2},         {832, 32, 0, 2},
      {768, 32, 0, 2},        {512, 32, 0, 2},         {1024, 56, 0, 1},
      {1024, 48, 0, 1},       {1024, 40, 0, 1},        {1024, 32, 0, 1},
      {512, 32, 0, 1},        {32, 32, 0, 1},          {32, 32, all, 1},
      {32, 32, all - 512, 1}, {32, 32, all - 16384, 1}};

  cudaEvent_t doneA, doneB;
  check(cudaEventCreateWithFlags(&doneA, cudaEventDisableTiming));
  check(cudaEventCreateWithFlags(&doneB, cudaEventDisableTiming));
  Track track(device().SMs * 2), trackX(1);
  const cudaStream_t streamX = newStream();
  for (const Operation &operation : operations)
    for (size_t bytes : operation.sizes) {
      if (operation.name == std::string("freeAsync"))
        check(cudaMallocAsync(&allocated, bytes, streamB));
      operation.call(bytes); // loads the driver's kernel, if there is one
      check(cudaDeviceSynchronize());
      for (const Beside &room : beside) {
        if (operation.name == std::string("freeAsync"))
          check(cudaMallocAsync(&allocated, bytes, streamB));
        else if (allocated) {
          check(cudaFreeAsync(allocated, streamB));
          allocated = nullptr;
        }
        check(cudaDeviceSynchronize());
        if (room.blocks) {
          const Shape A{.kernel = &holdKernel(room.registers),
                        .threads = room.threads,
                        .shared = room.shared,
                        .grid = device().SMs * room.blocks,
                        .nanoseconds = 3000000};
          launch(A, track.onDevice(), streamA);
        }
        check(cudaEventRecord(doneA, streamA));
        // A must be there before the operation is.
        const auto launched = std::chrono::steady_clock::now();
        while (microseconds(launched) < 100)
          ;
        const auto start = std::chrono::steady_clock::now();
        operation.call(bytes);
        const double issued = microseconds(start);
        check(cudaEventRecord(doneB, streamB));
        launch({.kernel = &barrierKernels().back(), .nanoseconds = 500},
               trackX.onDevice(), streamX);
        while (cudaEventQuery(doneB) == cudaErrorNotReady)
          ;
        const double done = microseconds(start);
        const bool still = cudaEventQuery(doneA) == cudaErrorNotReady;
        check(cudaDeviceSynchronize());
        bool before = room.blocks > 0;
        if (room.blocks) {
          const uint64_t start = trackX.read(1)[0].start;
          for (const BlockRecord &block :
               track.read(device().SMs * room.blocks))
            before &= start < block.end;
        }
        std::printf("%s,%zu,%d,%d,%d,%d,%.1f,%.1f,%d,%d\n", operation.name,
                    bytes, room.threads, holdKernel(room.registers).registers,
                    room.shared, room.blocks, issued, done, int(still),
                    int(before));
      }
    }
}
