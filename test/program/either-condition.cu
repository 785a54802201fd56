// Of two conditions one holds: what is so by either is known.
//
// RUN: %coreside check %s --cuda-path=none --dump=program | FileCheck %s

__global__ void step(int) {}

void sizes(long columns, long heads) {
  if (!(columns / heads == 64 || columns / heads == 128))
    return;
  step<<<1, columns / heads>>>(0);
  if (columns / heads == 64)
    return;
  step<<<1, columns / heads>>>(1);
}
// CHECK-LABEL: "function": "sizes"
// CHECK:         "threads": "[64, 128]"
// CHECK:         "threads": "[65, 128]"

void notBoth(int n) {
  if (!(n > 256 && n != 512))
    step<<<1, n>>>(2);
}
// CHECK-LABEL: "function": "notBoth"
// CHECK:         "threads": "[0, 512]"

// Each says something of another number.
void others(int n, int m) {
  if (n == 64 || m == 128)
    step<<<1, n>>>(3);
  if (n < 64 || n > 128)
    step<<<1, n>>>(4);
}
// CHECK-LABEL: "function": "others"
// CHECK:         "threads": "[0, 2147483647]"
// CHECK:         "threads": "[0, 2147483647]"
