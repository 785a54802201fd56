// Loops that double or halve a number until they reach something that is not
// known: the number is one of few.
//
// RUN: %coreside check %s --cuda-path=none --dump=program | FileCheck %s

__global__ void step(int) {}

void doubles(int n) {
  int threads = 32;
  while (threads < n && threads < 1024)
    threads *= 2;
  step<<<n, threads, threads * sizeof(float)>>>(0);
}
// CHECK-LABEL: "function": "doubles"
// CHECK:         "dynamicShared": "threads * 4"
// CHECK:         "sharedBytes": "[128, 4096]"
// CHECK:         "threads": "[32, 1024]"

static int powerOfTwo(int n) {
  int result = 1;
  while (result < n)
    result <<= 1;
  return result;
}
void rounded(int n) {
  if (n > 1000)
    return;
  step<<<1, powerOfTwo(n)>>>(1);
}
// CHECK-LABEL: "function": "rounded"
// CHECK:         "threads": "[1, 1024]"

// n may be below 0: then this stays at 0.
void halves(int n) {
  int threads = 512;
  for (; threads > n; threads = threads / 2) {
  }
  step<<<1, threads>>>(2);
}
// CHECK-LABEL: "function": "halves"
// CHECK:         "threads": "[0, 512]"

// What is stored to elsewhere, called or left may be anything.
int limit;
void global(int n) {
  limit = 32;
  while (limit < n && limit < 1024)
    limit *= 2;
  step<<<1, limit>>>(3);
}
// CHECK-LABEL: "function": "global"
// CHECK:         "threads": "[0, 2147483647]"

void adds(int n, int more) {
  int threads = 32;
  while (threads < n && threads < 1024) {
    threads *= 2;
    threads += more;
  }
  step<<<1, threads>>>(4);
}
// CHECK-LABEL: "function": "adds"
// CHECK:         "threads": "[0, 2147483647]"
