// Sizes that follow from how they came about: a union of zeros, a number that
// was made unsigned, a switch over what another number was chosen by, and a
// device's properties wherever they were kept.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program -- | %python %S/Inputs/sizes.py | FileCheck %s

extern "C" int atoi(const char *);
__global__ void step() {}

struct Sizes {
  unsigned block, shared;
};
struct Node {
  int kind;
  union {
    long reserved[8];
    Sizes sizes;
    unsigned words[2];
  };
};

// The other members of a union of zeros are zeros, until one is stored to.
void ofUnion() {
  Node node = {1};
  node.sizes.block = 32;
  step<<<1, node.sizes.block, node.sizes.shared>>>();
  node.words[1] = 64;
  step<<<1, 32, node.sizes.shared>>>();
}
// CHECK:      ofUnion 32 0
// CHECK-NEXT: ofUnion 32 node.sizes.shared

// A negative block is none.
void madeUnsigned(int n) {
  unsigned long size = n < 256 ? n : 256;
  step<<<1, dim3(size)>>>();
}
// CHECK-NEXT: madeUnsigned min(n, 256) threads [0, 256] 0

// What is left of 128 threads for another dimension.
void shared128(int n) {
  int width = n < 1 ? 1 : n < 32 ? n : 32;
  step<<<1, dim3(width, 128 / width)>>>();
  step<<<1, dim3(width, 128 / width, 4)>>>();
  step<<<1, dim3(width, 128 / (width + 1))>>>();
}
// CHECK-NEXT: shared128 {{.*}} threads [4, 128] 0
// CHECK-NEXT: shared128 {{.*}} threads [16, 512] 0
// CHECK-NEXT: shared128 {{.*}} threads [3, 2048] 0

// The case tells the number, however that was chosen, and what depends on it.
void run(int threads) {
  int bytes = threads <= 32 ? 8 * threads : 4 * threads;
  switch (threads) {
  case 512:
    step<<<1, threads, bytes>>>();
    break;
  case 16:
    step<<<1, threads, bytes>>>();
    break;
  }
}
int number(const char *word) {
  int value = 0;
  bool found = false;
  while (*word)
    if (*word++ == '=') {
      value = atoi(word);
      found = true;
    }
  return found ? value : 0;
}
int main(int count, char **words) {
  int threads = 128;
  if (count > 1)
    threads = number(words[1]);
  run(threads);
}
// CHECK-NEXT: main 512 2048
// CHECK-NEXT: main 16 128

// Filled somewhere else; what the program sets itself is what it set.
const cudaDeviceProp &kept(int device);
void ofDevice(const cudaDeviceProp *list, int i, int n) {
  step<<<1, list[i].warpSize, 0>>>();
  step<<<1, kept(i).warpSize * 4, 0>>>();
  cudaDeviceProp own;
  own.warpSize = n;
  step<<<1, own.warpSize, 0>>>();
}
// CHECK-NEXT: ofDevice 32 0
// CHECK-NEXT: ofDevice 128 0
// CHECK-NEXT: ofDevice n threads [0, 2147483647] 0

// An assert in a macro; one turn, and no way out but the end of the program.
extern "C" void abort();
#define CHECK(X)                                                               \
  do {                                                                         \
    if (!(X))                                                                  \
      abort();                                                                 \
  } while (0)
void checked(int n) {
  CHECK(n <= 64);
  step<<<1, n>>>();
}
// CHECK-NEXT: checked n threads [0, 64] 0

// Here a turn may end before it has looked.
void notChecked(int n, bool all) {
  do {
    if (!all)
      break;
    if (n > 64)
      return;
  } while (0);
  step<<<1, n>>>();
}
// CHECK-NEXT: notChecked n threads [0, 2147483647] 0
void skipped(int n, bool all) {
  do {
    if (!all)
      continue;
    if (n > 64)
      return;
  } while (0);
  step<<<1, n>>>();
}
// CHECK-NEXT: skipped n threads [0, 2147483647] 0
