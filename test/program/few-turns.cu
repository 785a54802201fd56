// A few turns that only calculate are run one by one however much was read
// before: CUTLASS copies its coordinates so.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program | FileCheck %s

__global__ void work(float *data) { data[0] = 0; }

struct Shape {
  int index[3];
};

static Shape copied(const int (&from)[3]) {
  Shape shape;
  for (int i = 0; i < 3; ++i)
    shape.index[i] = from[i];
  return shape;
}

int main(int argc, char **argv) {
  int sum = 0;
  for (int i = 0; i < 60; ++i)
    for (int j = 0; j < 60; ++j)
      sum += i * j + sum % 7 - (i ^ j) + (sum >> 3);
  int sizes[3] = {64, 2, 1};
  for (int turn = 0; turn < argc; ++turn)
    work<<<copied(sizes).index[1], 64>>>(nullptr);
}
// CHECK:      "grid": [
// CHECK-NEXT:   2,
