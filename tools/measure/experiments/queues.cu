// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which streams share a hardware queue? In each of m streams two kernels are
// issued, the first long, so that the second waits at the head of its queue;
// then one small kernel in every other stream. A small kernel that starts only
// after a long one ended sits in the queue of that one's stream.
//
// Columns: connections   CUDA_DEVICE_MAX_CONNECTIONS, 0 when not set
//          streams       created one after another
//          kind          kernel: as above; event: a wait for an event, behind
//                        the first kernel of another stream, takes the place of
//                        the second kernel; reversed: the last created streams
//                        get the long kernels; priority: every second stream
//                        has the highest priority
//          blocked       m
//          long_waited   long kernels that started only after another long one
//                        ended, as 'stream<stream behind which', joined with
//                        spaces
//          small_waited  the same for the small kernels
// Long kernel i stays 1 ms + i * 100 us, so that its end tells it apart.

#include "Lab.h"

#include <algorithm>
#include <cstdlib>

using namespace lab;

int main(int argc, char **argv) {
  readOptions(argc, argv, 1);
  printDevice();
  warmUp();
  const char *set = std::getenv("CUDA_DEVICE_MAX_CONNECTIONS");
  const int connections = set ? std::atoi(set) : 0;
  std::printf("connections,streams,kind,blocked,long_waited,small_waited\n");
  for (const std::string kind : {"kernel", "event", "reversed", "priority"})
    for (int count : {16, 40})
      for (int blocked :
           {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 16, 24, 31, 32, 33, 36}) {
        if (blocked >= count)
          break;
        std::vector<cudaStream_t> streams(count);
        for (int i = 0; i < count; ++i)
          check(cudaStreamCreateWithPriority(&streams[i], cudaStreamNonBlocking,
                                             kind == "priority" && i % 2
                                                 ? device().highestPriority
                                                 : device().lowestPriority));
        if (kind == "reversed")
          std::ranges::reverse(streams);
        Track first(count), second(count);
        const Shape small{.kernel = &holdKernel(24), .nanoseconds = 1000};
        for (const cudaStream_t stream : streams)
          launch(small, first.onDevice(), stream);
        const cudaStream_t apart = newStream();
        launch(small, second.onDevice(), apart);
        check(cudaDeviceSynchronize());
        cudaEvent_t event;
        check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        if (kind == "event") {
          launch({.kernel = &holdKernel(40), .nanoseconds = 8000000},
                 second.onDevice() + count - 1, apart);
          check(cudaEventRecord(event, apart));
        }
        for (int i = 0; i < blocked; ++i) {
          const Shape large{.kernel = &holdKernel(32),
                            .nanoseconds = 1000000 + uint64_t(i) * 100000};
          launch(large, first.onDevice() + i, streams[i]);
          if (kind == "event")
            check(cudaStreamWaitEvent(streams[i], event, 0));
          launch(small, second.onDevice() + i, streams[i]);
        }
        for (int i = blocked; i < count; ++i)
          launch(small, first.onDevice() + i, streams[i]);
        check(cudaDeviceSynchronize());
        const auto &blocks = first.read(count);
        std::printf("%d,%d,%s,%d,", connections, count, kind.c_str(), blocked);
        const char *separator = "";
        for (int i = 0; i < count; ++i) {
          if (i == blocked) {
            std::printf(",");
            separator = "";
          }
          // Behind the stream whose long kernel ended last before it.
          int behind = -1;
          for (int j = 0; j < blocked; ++j)
            if (j != i && blocks[j].end <= blocks[i].start &&
                (behind < 0 || blocks[j].end > blocks[behind].end))
              behind = j;
          if (behind < 0)
            continue;
          std::printf("%s%d<%d", separator, i, behind);
          separator = " ";
        }
        std::printf("\n");
        check(cudaEventDestroy(event));
        check(cudaStreamDestroy(apart));
        for (const cudaStream_t stream : streams)
          check(cudaStreamDestroy(stream));
      }
}
