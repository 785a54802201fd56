// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Does static shared memory count as dynamic does? A with static and dynamic
// memory holds every SM with n blocks; B, with both, wants to join.
//
// Columns: tA,rA,stA,smA,occA,nA     A: static and dynamic bytes, blocks per SM
//                                    alone and on each SM here
//          tB,rB,stB,smB,occB        B, one block
//          admitted                  B started before A's first end

#include "Lab.h"

#include <algorithm>

using namespace lab;

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv, 800);
  printDevice();
  warmUp();
  std::printf("tA,rA,stA,smA,occA,nA,tB,rB,stB,smB,occB,admitted\n");
  Draw draw(options.seed);
  const int SMs = device().SMs;
  Track trackA(SMs * 64), trackB(1);
  const cudaStream_t streamA = newStream(), streamB = newStream();
  for (int row = 0; row < options.rows;) {
    auto shape = [&] {
      Shape drawn;
      // One of the two in three has static memory.
      const auto &kernels = draw.below(3) ? staticKernels() : holdKernels();
      drawn.kernel = &kernels[draw.below(int(kernels.size()))];
      drawn.threads = 32 * (1 + draw.below(32));
      drawn.shared = draw.below(2) ? 0 : draw.below(64 * 1024);
      return drawn;
    };
    Shape A = shape(), B = shape();
    const int occA = blocksPerSM(A), occB = blocksPerSM(B);
    if (!occA || !occB || A.kernel == B.kernel)
      continue;
    const int nA = 1 + draw.below(occA);
    A.grid = SMs * nA;
    A.nanoseconds = 200000;
    B.nanoseconds = 1000;
    check(cudaDeviceSynchronize());
    launch(A, trackA.onDevice(), streamA);
    launch(B, trackB.onDevice(), streamB);
    check(cudaDeviceSynchronize());
    ++row;
    const uint64_t firstEnd =
        std::ranges::min_element(trackA.read(A.grid), {}, &BlockRecord::end)
            ->end;
    std::printf("%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d,%d\n", A.threads,
                A.kernel->registers, A.kernel->staticShared, A.shared, occA, nA,
                B.threads, B.kernel->registers, B.kernel->staticShared,
                B.shared, occB, trackB.read(1)[0].start < firstEnd);
  }
}
