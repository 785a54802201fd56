// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LargeStack.h"

#include <sys/mman.h>
#include <ucontext.h>

#include <cstdint>

namespace coreside {
namespace {

struct Switch {
  llvm::function_ref<void()> work;
  ucontext_t outside, inside;
};

/// makecontext hands over numbers of 32 bits.
void enter(unsigned high, unsigned low) {
  auto *it = reinterpret_cast<Switch *>(static_cast<uintptr_t>(high) << 32 |
                                        static_cast<uintptr_t>(low));
  it->work();
}

} // namespace

void runOnLargeStack(size_t bytes, llvm::function_ref<void()> work) {
  void *stack =
      mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (stack == MAP_FAILED)
    return work();
  // Below it: what is nested deeper still ends in a fault, not in other memory.
  (void)mprotect(stack, 1 << 16, PROT_NONE);
  Switch one{work, {}, {}};
  if (getcontext(&one.inside) == 0) {
    one.inside.uc_stack.ss_sp = stack;
    one.inside.uc_stack.ss_size = bytes;
    one.inside.uc_link = &one.outside;
    const auto address = reinterpret_cast<uintptr_t>(&one);
    makecontext(&one.inside, reinterpret_cast<void (*)()>(&enter), 2,
                static_cast<unsigned>(address >> 32),
                static_cast<unsigned>(address));
    if (swapcontext(&one.outside, &one.inside) != 0)
      work();
  } else {
    work();
  }
  (void)munmap(stack, bytes);
}

} // namespace coreside
