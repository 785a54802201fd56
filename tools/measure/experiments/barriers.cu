// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Do two kernels share one pool of named barriers? A with a barriers per block
// holds every SM with n blocks; one block of B with b barriers wants to join.
//
// Columns: tA,barA,occA,nA,tB,barB,occB
//          admitted                  B started before A's first end

#include "Lab.h"

#include <algorithm>

using namespace lab;

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv, 600);
  printDevice();
  warmUp();
  std::printf("tA,barA,occA,nA,tB,barB,occB,admitted\n");
  Draw draw(options.seed);
  const int SMs = device().SMs;
  Track trackA(SMs * 64), trackB(1);
  const cudaStream_t streamA = newStream(), streamB = newStream();
  for (int row = 0; row < options.rows;) {
    auto shape = [&] {
      Shape drawn;
      drawn.kernel =
          &barrierKernels()[draw.below(int(barrierKernels().size()))];
      drawn.threads = 32 * draw.pick({1, 1, 1, 2, 2, 4});
      return drawn;
    };
    Shape A = shape(), B = shape();
    const int occA = blocksPerSM(A), occB = blocksPerSM(B);
    if (!occA || !occB || A.kernel == B.kernel)
      continue;
    // Near the limit in most rows.
    const int nA = draw.below(3) ? std::max(1, occA - draw.below(3))
                                 : 1 + draw.below(occA);
    A.grid = SMs * nA;
    A.nanoseconds = 200000;
    B.nanoseconds = 1000;
    // B must not be kept out by the split of L1 and shared memory.
    setCarveout(*A.kernel, 100);
    setCarveout(*B.kernel, -1);
    check(cudaDeviceSynchronize());
    launch(A, trackA.onDevice(), streamA);
    launch(B, trackB.onDevice(), streamB);
    check(cudaDeviceSynchronize());
    ++row;
    const uint64_t firstEnd =
        std::ranges::min_element(trackA.read(A.grid), {}, &BlockRecord::end)
            ->end;
    std::printf("%d,%d,%d,%d,%d,%d,%d,%d\n", A.threads, A.kernel->barriers,
                occA, nA, B.threads, B.kernel->barriers, occB,
                trackB.read(1)[0].start < firstEnd);
  }
}
