// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long does the host take to issue a call, and how far apart do kernels
// start that were issued one after another?
//
// Rows that begin with `call`: host time of one call.
//   call,name,pending,ns_10,ns_50,ns_90,ns_max
//   pending: calls of that kind issued before without waiting, at most
// Rows that begin with `start`: kernels of one block on streams of their own,
// issued back to back on an idle GPU.
//   start,between,index,ns_10,ns_50,ns_90
//   between: nothing, or record (an event is recorded behind each kernel)
//   index: which of the kernels; ns from the first kernel's start to its start

#include "Lab.h"

#include <algorithm>
#include <chrono>
#include <functional>

using namespace lab;

namespace {

int64_t now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void print(const char *begin, std::vector<int64_t> values, bool withMost) {
  std::ranges::sort(values);
  auto at = [&](int percent) {
    return (long long)values[(values.size() - 1) * percent / 100];
  };
  std::printf("%s,%lld,%lld,%lld", begin, at(10), at(50), at(90));
  if (withMost)
    std::printf(",%lld", at(100));
  std::printf("\n");
}

} // namespace

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv, 40);
  printDevice();
  warmUp();
  Track track(64);
  const cudaStream_t stream = newStream(), other = newStream();
  cudaEvent_t event;
  check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  char *memory;
  check(cudaMalloc(&memory, 1 << 20));
  const Shape small{.kernel = &holdKernel(24)};
  const Shape large{
      .kernel = &holdKernel(24), .threads = 128, .shared = 16384, .grid = 64};
  Shape cluster = large;
  cluster.cluster = 2;
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
  launch(small, track.onDevice(), stream);
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&executable, graph, 0));

  std::printf("# call,name,pending,ns_10,ns_50,ns_90,ns_max\n");
  struct Call {
    const char *name;
    std::function<void()> issue;
  };
  std::vector<Call> calls = {
      {"launch", [&] { launch(small, track.onDevice(), stream); }},
      {"launch_64_blocks", [&] { launch(large, track.onDevice(), stream); }},
      {"event_record", [&] { check(cudaEventRecord(event, stream)); }},
      {"stream_wait_event",
       [&] { check(cudaStreamWaitEvent(other, event, 0)); }},
      {"memset_async",
       [&] { check(cudaMemsetAsync(memory, 0, 4096, stream)); }},
      {"graph_launch", [&] { check(cudaGraphLaunch(executable, stream)); }},
      {"launch_and_record",
       [&] {
         launch(small, track.onDevice(), stream);
         check(cudaEventRecord(event, stream));
       }},
  };
  if (device().capability >= 90)
    calls.push_back({"launch_attributes",
                     [&] { launch(cluster, track.onDevice(), stream); }});
  for (const Call &call : calls)
    for (int pending : {1, 16, 256, 4096}) {
      std::vector<int64_t> times;
      for (int round = 0; round < (pending > 1000 ? 2 : options.rows);
           ++round) {
        check(cudaDeviceSynchronize());
        for (int i = 0; i < pending; ++i) {
          const int64_t before = now();
          call.issue();
          times.push_back(now() - before);
        }
      }
      check(cudaDeviceSynchronize());
      print(("call," + std::string(call.name) + "," + std::to_string(pending))
                .c_str(),
            times, true);
    }

  std::printf("# start,between,index,ns_10,ns_50,ns_90\n");
  const int kernels = 6;
  std::vector<cudaStream_t> streams;
  for (int i = 0; i < kernels; ++i)
    streams.push_back(newStream());
  for (bool record : {false, true}) {
    std::vector<std::vector<int64_t>> starts(kernels);
    for (int round = 0; round < options.rows * 5; ++round) {
      check(cudaDeviceSynchronize());
      for (int i = 0; i < kernels; ++i) {
        // Different kernels, as in real programs.
        const Shape shape{.kernel = &holdKernels()[i], .nanoseconds = 300000};
        launch(shape, track.onDevice() + i, streams[i]);
        if (record)
          check(cudaEventRecord(event, streams[i]));
      }
      check(cudaDeviceSynchronize());
      const auto &blocks = track.read(kernels);
      for (int i = 0; i < kernels; ++i)
        starts[i].push_back(int64_t(blocks[i].start - blocks[0].start));
    }
    for (int i = 0; i < kernels; ++i)
      print(("start," + std::string(record ? "record" : "nothing") + "," +
             std::to_string(i))
                .c_str(),
            starts[i], false);
  }
}
