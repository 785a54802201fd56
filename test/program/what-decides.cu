// What keeps a launch from being made is said in the source's words: the
// condition, where it stands, and what it always is.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --explain 2>&1 | FileCheck %s

__global__ void work(float *data, int which) { data[which] = 0; }

static void guarded(float *data, int n) {
  if (n > 4)
    work<<<1, 32>>>(data, 1);
  else
    work<<<1, 64>>>(data, 2);
}

static void early(float *data, int n) {
  if (n < 8)
    return;
  work<<<1, 32>>>(data, 3);
}

static void nested(float *data, int n) {
  for (int i = 4; i < n; ++i)
    work<<<1, 32>>>(data, 4);
  while (n > 8)
    work<<<1, 32>>>(data, 5);
}

static void sized(float *data, int block) {
  switch (block) {
  case 32:
    work<<<1, 32>>>(data, 6);
    break;
  case 64:
    work<<<1, 64>>>(data, 7);
    break;
  default:
    work<<<1, 128>>>(data, 8);
  }
}

static void within(float *data) { work<<<1, 32>>>(data, 9); }

int main() {
  float *data = nullptr;
  const int n = 4;
  guarded(data, n);
  early(data, n);
  nested(data, n);
  sized(data, 64);
  sized(data, 256);
  n == 4 ? (void)0 : within(data);
  if (n > 1 &&
      n > 2 &&
      n > 4)
    work<<<1, 32>>>(data, 10);
}

// CHECK-DAG: launch never made: {{.*}}what-decides.cu:10:5: 'work', 'n > 4' at {{.*}}what-decides.cu:9 is false
// CHECK-DAG: launch never made: {{.*}}what-decides.cu:18:3: 'work', 'n < 8' at {{.*}}what-decides.cu:16 is true
// CHECK-DAG: launch never made: {{.*}}what-decides.cu:23:5: 'work', 'i < n' at {{.*}}what-decides.cu:22 is false
// CHECK-DAG: launch never made: {{.*}}what-decides.cu:25:5: 'work', 'n > 8' at {{.*}}what-decides.cu:24 is false
// CHECK-DAG: launch never made: {{.*}}what-decides.cu:31:5: 'work', 'block' at {{.*}}what-decides.cu:29 is 64 or 256
// CHECK-DAG: launch never made: {{.*}}what-decides.cu:41:35: 'work', 'n == 4' at {{.*}}what-decides.cu:51 is true
// CHECK-DAG: launch never made: {{.*}}what-decides.cu:55:5: 'work', the condition at {{.*}}what-decides.cu:52 is false
// CHECK-NOT: launch not analysed
