// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How much do kernels of one block overlap, by the order of their issue? In
// depth-first order all kernels of a stream are issued before the next
// stream's, in breadth-first order one of each stream in turn.
//
// Lines:   streams S kernels_each K depth_first X breadth_first Y
//          graph independent nodes N overlap X
//          pdl attribute A without trigger: second starts T ns after the first
//          ends
// Overlap is the sum of the durations over the time from the first start to
// the last end. Run it with CUDA_DEVICE_MAX_CONNECTIONS unset, 1 and 32.

#include "Lab.h"

#include <algorithm>

using namespace lab;

namespace {

constexpr uint64_t duration = 500000;

double overlap(const std::vector<BlockRecord> &blocks) {
  uint64_t first = UINT64_MAX, last = 0, sum = 0;
  for (const BlockRecord &block : blocks) {
    first = std::min(first, block.start);
    last = std::max(last, block.end);
    sum += block.end - block.start;
  }
  return double(sum) / double(last - first);
}

double issue(const std::vector<cudaStream_t> &streams, int each, bool depth,
             Track &track) {
  const int count = int(streams.size()) * each;
  const Shape shape{.kernel = &holdKernel(32), .nanoseconds = duration};
  check(cudaDeviceSynchronize());
  for (int i = 0; i < count; ++i) {
    const size_t stream = depth ? i / each : i % streams.size();
    launch(shape, track.onDevice() + i, streams[stream]);
  }
  check(cudaDeviceSynchronize());
  return overlap(track.read(count));
}

double launchGraph(int nodes, Track &track) {
  cudaGraph_t graph;
  check(cudaGraphCreate(&graph, 0));
  for (int i = 0; i < nodes; ++i) {
    BlockRecord *records = track.onDevice() + i;
    uint64_t nanoseconds = duration;
    int never = 0;
    float *scratch = nullptr;
    void *arguments[] = {&records, &nanoseconds, &never, &scratch};
    cudaKernelNodeParams parameters = {};
    parameters.func = reinterpret_cast<void *>(holdKernel(32).function);
    parameters.gridDim = dim3(1);
    parameters.blockDim = dim3(32);
    parameters.kernelParams = arguments;
    cudaGraphNode_t node;
    check(cudaGraphAddKernelNode(&node, graph, nullptr, 0, &parameters));
  }
  cudaGraphExec_t executable;
  check(cudaGraphInstantiate(&executable, graph, 0));
  for (int i = 0; i < 2; ++i) { // the first launch uploads the graph
    check(cudaGraphLaunch(executable, cudaStreamPerThread));
    check(cudaDeviceSynchronize());
  }
  return overlap(track.read(nodes));
}

void followProgrammatically(bool allowed, Track &track) {
  const cudaStream_t stream = newStream();
  const int blocks = 8;
  launch({.kernel = &holdKernel(32),
          .threads = 64,
          .grid = blocks,
          .nanoseconds = duration},
         track.onDevice(), stream);
  cudaLaunchAttribute attribute;
  attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attribute.val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t configuration = {};
  configuration.gridDim = dim3(blocks);
  configuration.blockDim = dim3(64);
  configuration.stream = stream;
  configuration.attrs = &attribute;
  configuration.numAttrs = allowed;
  BlockRecord *records = track.onDevice() + blocks;
  uint64_t nanoseconds = duration;
  int never = 0;
  float *scratch = nullptr;
  void *arguments[] = {&records, &nanoseconds, &never, &scratch};
  check(cudaLaunchKernelExC(
      &configuration, reinterpret_cast<const void *>(holdKernel(40).function),
      arguments));
  check(cudaDeviceSynchronize());
  const auto &all = track.read(2 * blocks);
  uint64_t end = 0, start = UINT64_MAX;
  for (int i = 0; i < blocks; ++i) {
    end = std::max(end, all[i].end);
    start = std::min(start, all[blocks + i].start);
  }
  std::printf("pdl attribute %d without trigger: second starts %lld ns after "
              "the first ends\n",
              int(allowed), (long long)(start - end));
}

} // namespace

int main(int argc, char **argv) {
  readOptions(argc, argv, 1);
  warmUp();
  Track track(64 * 6);
  for (int count : {2, 4, 8, 12, 16, 24, 32, 40, 64})
    for (int each : {1, 2, 6}) {
      std::vector<cudaStream_t> streams(count);
      for (cudaStream_t &stream : streams)
        stream = newStream();
      issue(streams, each, true, track); // first use of the streams
      const double depth = issue(streams, each, true, track);
      const double breadth = issue(streams, each, false, track);
      std::printf("streams %d kernels_each %d depth_first %.2f breadth_first "
                  "%.2f\n",
                  count, each, depth, breadth);
      for (cudaStream_t stream : streams)
        check(cudaStreamDestroy(stream));
    }
  for (int nodes : {2, 8, 32})
    std::printf("graph independent nodes %d overlap %.2f\n", nodes,
                launchGraph(nodes, track));
  followProgrammatically(false, track);
  if (device().capability >= 90)
    followProgrammatically(true, track);
}
