// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LargeHeap.h"

#include "llvm/Support/MathExtras.h"

#include <features.h>

#ifdef __GLIBC__
#include <malloc.h>
#include <sys/mman.h>
#include <unistd.h>
#endif

#include <cstdint>
#include <cstdlib>

void coreside::useLargeHeap() {
#ifdef __GLIBC__
  // Room for two of CUDA's larger sources. It is asked for at once, since the
  // wish for large pages holds for what is there; pages that are not used cost
  // nothing.
  constexpr int room = 256 << 20;
  constexpr uintptr_t largePage = 2 << 20;
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  // The most that is taken.
  mallopt(M_MMAP_THRESHOLD, 32 << 20);
  mallopt(M_TOP_PAD, room);
  const auto before = reinterpret_cast<uintptr_t>(sbrk(0));
  // More than is left of the heap's first pages: it grows now.
  void *volatile first = std::malloc(1 << 20);
  std::free(first);
  mallopt(M_TOP_PAD, 16 << 20);
  const auto end = reinterpret_cast<uintptr_t>(sbrk(0));
  // Nothing was to be had at the end of the heap.
  if (before == UINTPTR_MAX || end < before + room)
    return;
  const uintptr_t begin = llvm::alignTo(before, largePage);
  (void)madvise(reinterpret_cast<void *>(begin), end - begin, MADV_HUGEPAGE);
#endif
}
