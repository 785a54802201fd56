// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ends. Who starts first: its successor in the stream, or kernels of other
// streams that await an event recorded behind it? All fit at once, so that
// only the latency decides.
//
// Columns: order         which was issued first: successor or waiters
//          waiters       streams that await A's event
//          event         timing (the event takes a time stamp), plain, or
//                        none: then there is no waiter either
//          gA            blocks of A
//          repeats
//          successor_10,successor_50,successor_90   ns from A's last end to its
//                        successor's first start: percentiles
//          waiter_10,waiter_50,waiter_90            the same for the first
//                        issued waiter
//          successor_first    share of repeats in which the successor started
//                        before every waiter, per cent
//          waiters_in_order   share in which the waiters started in the order
//                        of their issue

#include "Lab.h"

#include <algorithm>

using namespace lab;

namespace {

int64_t percentile(std::vector<int64_t> values, int percent) {
  if (values.empty())
    return -1;
  std::ranges::sort(values);
  return values[(values.size() - 1) * percent / 100];
}

} // namespace

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv, 200);
  printDevice();
  warmUp();
  std::printf("order,waiters,event,gA,repeats,successor_10,successor_50,"
              "successor_90,waiter_10,waiter_50,waiter_90,successor_first,"
              "waiters_in_order\n");
  const int SMs = device().SMs, most = 4;
  Track trackA(SMs * 8), trackB(1);
  std::vector<Track *> tracks;
  std::vector<cudaStream_t> streams;
  for (int i = 0; i < most; ++i) {
    tracks.push_back(new Track(1));
    streams.push_back(newStream());
  }
  const cudaStream_t stream = newStream();
  cudaEvent_t timed, plain;
  check(cudaEventCreate(&timed));
  check(cudaEventCreateWithFlags(&plain, cudaEventDisableTiming));
  for (bool successorFirst : {true, false})
    for (int waiters : {0, 1, 2, 4})
      for (cudaEvent_t event : {timed, plain, cudaEvent_t(nullptr)})
        for (int gridA : {1, SMs, SMs * 8}) {
          if (!event && (waiters || !successorFirst))
            continue;
          std::vector<int64_t> successor, waiter;
          int first = 0, inOrder = 0;
          for (int i = 0; i < options.rows; ++i) {
            const Shape A{.kernel = &holdKernel(24),
                          .threads = 128,
                          .grid = gridA,
                          .nanoseconds = 60000};
            const Shape next{.kernel = &holdKernel(32), .nanoseconds = 5000};
            launch(A, trackA.onDevice(), stream);
            if (event)
              check(cudaEventRecord(event, stream));
            if (successorFirst)
              launch(next, trackB.onDevice(), stream);
            for (int j = 0; j < waiters; ++j) {
              check(cudaStreamWaitEvent(streams[j], event, 0));
              launch(next, tracks[j]->onDevice(), streams[j]);
            }
            if (!successorFirst)
              launch(next, trackB.onDevice(), stream);
            check(cudaDeviceSynchronize());
            uint64_t end = 0;
            for (const BlockRecord &block : trackA.read(gridA))
              end = std::max(end, block.end);
            const uint64_t startB = trackB.read(1)[0].start;
            uint64_t earliest = UINT64_MAX, previous = 0;
            bool ordered = true;
            for (int j = 0; j < waiters; ++j) {
              const uint64_t start = tracks[j]->read(1)[0].start;
              earliest = std::min(earliest, start);
              ordered &= start >= previous;
              previous = start;
            }
            successor.push_back(int64_t(startB - end));
            if (waiters)
              waiter.push_back(int64_t(tracks[0]->blocks()[0].start - end));
            first += startB <= earliest;
            inOrder += ordered;
          }
          std::printf("%s,%d,%s,%d,%d,%lld,%lld,%lld,%lld,%lld,%lld,%d,%d\n",
                      successorFirst ? "successor" : "waiters", waiters,
                      event == timed   ? "timing"
                      : event == plain ? "plain"
                                       : "none",
                      gridA, options.rows, (long long)percentile(successor, 10),
                      (long long)percentile(successor, 50),
                      (long long)percentile(successor, 90),
                      (long long)percentile(waiter, 10),
                      (long long)percentile(waiter, 50),
                      (long long)percentile(waiter, 90),
                      first * 100 / options.rows, inOrder * 100 / options.rows);
        }
}
