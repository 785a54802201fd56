// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How many kernels can be resident, and what does the first one too many wait
// for? n kernels of one block, each on a stream of its own; kernel i stays
// 5 ms + i * 20 us, so that they end one after another.
//
// Columns: kernels
//          resident       kernels that started before the first end
//          kind           all normal, or the last 8 on streams of the highest
//                         priority
//          index          a kernel that started later (the first 12 are shown)
//          start          ns after the first start
//          ended_before   kernels that had ended by then
//          after_end      ns since the latest of these ended

#include "Lab.h"

#include <algorithm>

using namespace lab;

int main(int argc, char **argv) {
  readOptions(argc, argv, 1);
  printDevice();
  warmUp();
  std::printf("kernels,resident,kind,index,start,ended_before,after_end\n");
  for (bool priorities : {false, true})
    for (int kernels : {16, 32, 64, 100, 127, 128, 129, 130, 140, 160, 200}) {
      if (priorities && kernels < 129)
        continue;
      std::vector<cudaStream_t> streams(kernels);
      for (int i = 0; i < kernels; ++i)
        check(cudaStreamCreateWithPriority(&streams[i], cudaStreamNonBlocking,
                                           priorities && i >= kernels - 8
                                               ? device().highestPriority
                                               : device().lowestPriority));
      Track track(kernels);
      check(cudaDeviceSynchronize());
      for (int i = 0; i < kernels; ++i)
        launch({.kernel = &holdKernel(24),
                .nanoseconds = 5000000 + uint64_t(i) * 20000},
               track.onDevice() + i, streams[i]);
      check(cudaDeviceSynchronize());
      const auto &blocks = track.read(kernels);
      const uint64_t origin = firstStart(blocks);
      uint64_t firstEnd = UINT64_MAX;
      for (const BlockRecord &block : blocks)
        firstEnd = std::min(firstEnd, block.end);
      const auto resident =
          std::ranges::count_if(blocks, [&](const BlockRecord &block) {
            return block.start < firstEnd;
          });
      int shown = 0;
      for (int i = 0; i < kernels && shown < 12; ++i) {
        if (blocks[i].start < firstEnd)
          continue;
        ++shown;
        int ended = 0;
        uint64_t latest = 0;
        for (const BlockRecord &block : blocks)
          if (block.end <= blocks[i].start) {
            ++ended;
            latest = std::max(latest, block.end);
          }
        std::printf("%d,%d,%s,%d,%lld,%d,%lld\n", kernels, int(resident),
                    priorities ? "last_8_high" : "normal", i,
                    (long long)(blocks[i].start - origin), ended,
                    (long long)(blocks[i].start - latest));
      }
      if (!shown)
        std::printf("%d,%d,%s,-1,-1,-1,-1\n", kernels, int(resident),
                    priorities ? "last_8_high" : "normal");
      for (cudaStream_t stream : streams)
        check(cudaStreamDestroy(stream));
    }
}
