// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SideBySide.h"

#include "llvm/Support/Threading.h"
#include "llvm/Support/thread.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <optional>
#include <vector>

#include <sys/resource.h>

/// How many threads have room where addresses are limited (ulimit -v): LLVM
/// ends the program when one cannot be made. Each takes its stack, and the C
/// library sets addresses aside for its memory, up to 128 MB.
static size_t threadsWithRoom() {
  rlimit addresses;
  if (getrlimit(RLIMIT_AS, &addresses) != 0 ||
      addresses.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<size_t>::max();
  // The half is for what they read.
  return addresses.rlim_cur / 2 / (coreside::stackSize + (128 << 20));
}

void coreside::sideBySide(size_t count, unsigned jobs,
                          llvm::function_ref<void(size_t)> work) {
  std::atomic<size_t> next = 0;
  auto take = [&] {
    for (size_t i; (i = next++) < count;)
      work(i);
  };
  size_t threads = std::min<size_t>(
      count, llvm::hardware_concurrency(jobs).compute_thread_count());
  threads = std::min(threads, threadsWithRoom());
  if (threads <= 1)
    return take();
  std::vector<llvm::thread> running;
  for (size_t i = 0; i != threads; ++i)
    running.emplace_back(std::optional<unsigned>(stackSize), take);
  for (llvm::thread &one : running)
    one.join();
}
