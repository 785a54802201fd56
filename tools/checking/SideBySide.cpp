// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SideBySide.h"

#include "llvm/Support/Threading.h"
#include "llvm/Support/thread.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <vector>

void coreside::sideBySide(size_t count, unsigned jobs,
                          llvm::function_ref<void(size_t)> work) {
  std::atomic<size_t> next = 0;
  auto take = [&] {
    for (size_t i; (i = next++) < count;)
      work(i);
  };
  size_t threads = std::min<size_t>(
      count, llvm::hardware_concurrency(jobs).compute_thread_count());
  if (threads <= 1)
    return take();
  std::vector<llvm::thread> running;
  for (size_t i = 0; i != threads; ++i)
    running.emplace_back(std::optional<unsigned>(stackSize), take);
  for (llvm::thread &one : running)
    one.join();
}
