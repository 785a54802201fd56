// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   the block of a launch, and its dynamic shared memory.
// Out:  at most how much shared memory that is, where it is calculated from
//       what the block is calculated from.
//
//   sum<<<blocks, n, n * sizeof(float)>>>(...);    at most 4,096 bytes
//
// No GPU runs a block of more than 1,024 threads, so where this launch runs, n
// is no more. Only the shared memory is told by that: the block keeps the range
// that the source gives it, because a launch with more threads fails, and
// whoever judges the block has to see that it may.

#include "Interpreter.h"

#include "device/Architecture.h"

using namespace clang;

namespace coreside {

/// The largest n with n^power <= `most`.
static int64_t rootOf(int64_t most, unsigned power) {
  auto fits = [&](int64_t n) {
    int64_t product = 1;
    for (unsigned i = 0; i < power; ++i)
      product *= n;
    return product <= most;
  };
  int64_t result = 1;
  while (fits(result + 1))
    ++result;
  return result;
}

void Interpreter::narrowSharedByBlock(Step &step) {
  if (step.dynamicShared.isKnown() || step.dynamicShared.formula.empty())
    return;
  // The same for all that there are.
  const Architecture limits;
  const int64_t mostThreads = limits.threadsPerBlock;
  const size_t before = Learnt.size();
  for (unsigned i = 0; i < 3; ++i) {
    const coreside::Value &size = step.block[i];
    // dim3(n, n) has n * n threads.
    unsigned alike = 0;
    int64_t others = 1;
    for (const coreside::Value &other : step.block)
      if (!size.formula.empty() && other.formula == size.formula)
        ++alike;
      else
        others *= std::clamp<int64_t>(other.low, 1, mostThreads);
    if (alike && others <= mostThreads)
      learnRange(size, 1,
                 std::min<int64_t>(rootOf(mostThreads / others, alike),
                                   limits.blockDimension[i]));
  }
  step.dynamicShared = narrowed(std::move(step.dynamicShared));
  Learnt.resize(before);
}

} // namespace coreside
