// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a kernel needs to say where and when it runs.
//
// In:   nothing.
// Out:  nanoseconds of the GPU's clock, the number of the SM.

#ifndef CORESIDE_MEASURE_DEVICECLOCK_H
#define CORESIDE_MEASURE_DEVICECLOCK_H

#include <cstdint>

namespace lab {

__device__ inline uint64_t clockNanoseconds() {
  uint64_t now;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__device__ inline uint32_t currentSM() {
  uint32_t number;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  return number;
}

/// Keeps the thread waiting without loading the SM.
__device__ inline void waitFor(uint64_t nanoseconds) {
  const uint64_t start = clockNanoseconds();
  while (clockNanoseconds() - start < nanoseconds)
    __nanosleep(200);
}

} // namespace lab

#endif
