// What nvcc accepts and clang by itself does not: macros with nvcc's values,
// the host's mathematics without a header, and calls in device code that clang
// finds no function for.
// RUN: %coreside check %s --cuda-path=none --dump=program 2>&1 | FileCheck %s
#if __CUDACC__
#define BLOCK 96
#else
#define BLOCK 1
#endif
#ifndef __NVCC__
#include <hip/hip_runtime.h>
#endif

// nvcc by itself does not include <stdint.h>, and leaves narrowing to gcc.
#include <stdint.h>
typedef unsigned long long uint64_t;
int narrowed(double x) { return int{x}; }
struct Word {
  Word() = default;
  Word(float);
};

// No comma between two operands.
__device__ int both(int a, int b) {
  asm volatile("add.s32 %0, %1, %2;" : "=r"(a) : "r"(a) "r"(b));
  return a;
}

__device__ void store(Word *word, float value);

__global__ void step(int *data, Word *words) {
  store(words, words);
  words[0] = takes(words);
}

int main() {
  int *data = nullptr;
  if (isfinite(1.0f))
    step<<<4, BLOCK>>>(data, nullptr);
}

// An unknown name is one in device code, too, and so is a call on the host.
void other() { store(nullptr, nullptr); }

// CHECK-NOT: error:
// CHECK: 96,
// CHECK: "unread": [
// CHECK-NEXT: {
// CHECK-NEXT: "place": "{{.*}}:[[#@LINE-16]]:14",
// CHECK-NEXT: "why": "use of undeclared identifier 'takes'"
// CHECK-NEXT: }
// CHECK-NEXT: {
// CHECK-NEXT: "place": "{{.*}}:[[#@LINE-10]]:16",
// CHECK-NEXT: "why": "no matching function for call to 'store'"
// CHECK-NEXT: }
// CHECK-NEXT: ]

// Nothing by itself includes cuda.h, and the compiler is not clang.
// RUN: %if nvcc %{ %coreside check %S/Inputs/no-driver-header.cu --dump=program -- | FileCheck %s --check-prefix=HEADER %}
// HEADER-NOT: unread
// HEADER: "kernel": "nvccs"
// HEADER-NOT: unread
// RUN: %if nvcc %{ %coreside check %S/Inputs/no-driver-header.cu --dump=program -- -DDRIVER -DNDEBUG | FileCheck %s --check-prefix=DRIVER %}
// DRIVER-NOT: unread
// DRIVER: "function": "cuLaunchKernel"
// DRIVER-NOT: unread
// A clang that the build uses is seen as such.
// RUN: mkdir -p %t && %python -c "import json, sys; json.dump([{'directory': sys.argv[1], 'file': sys.argv[1] + '/no-driver-header.cu', 'command': 'ccache clang++-18 -x cuda -c no-driver-header.cu'}], open(sys.argv[2] + '/compile_commands.json', 'w'))" %S/Inputs %t
// RUN: %coreside check %S/Inputs/no-driver-header.cu --cuda-path=none --dump=program -p %t | FileCheck %s --check-prefix=CLANG
// CLANG: "kernel": "clangs"
