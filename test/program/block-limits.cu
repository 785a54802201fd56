// Shared memory that is calculated from the block's size is bounded by it: no
// GPU runs more than 1,024 threads in a block. The block itself keeps its range.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program -- | FileCheck %s

__global__ void sum(float *) {}

struct Plan {
  int threads;
};

void launches(float *p, Plan plan, int n, int m, unsigned u) {
  sum<<<4, n, n * sizeof(float)>>>(p);
  // CHECK: "dynamicShared": "n * 4"
  // CHECK: "sharedBytes": "[4, 4096]"
  // CHECK: "threads": "[0, 2147483647]"
  sum<<<4, plan.threads, 2 * plan.threads * sizeof(float)>>>(p);
  // CHECK: "dynamicShared": "2 * plan.threads * 4"
  // CHECK: "sharedBytes": "[8, 8192]"

  // 32 times 32 is all that fits.
  sum<<<4, dim3(n, n), (n + 2) * (n + 2) * sizeof(float)>>>(p);
  // CHECK: "dynamicShared": "(n + 2) * (n + 2) * 4"
  // CHECK: "sharedBytes": "[36, 4624]"
  sum<<<4, dim3(32, n), n>>>(p);
  // CHECK: "dynamicShared": "n"
  // CHECK: "sharedBytes": "[1, 32]"
  sum<<<4, dim3(1, 1, n), n>>>(p);
  // CHECK: "sharedBytes": "[1, 64]"

  // What a block of a rounded size says of the number that was rounded.
  sum<<<4, (n + 31) / 32 * 32, n>>>(p);
  // CHECK: "sharedBytes": "[1, 1024]"
  sum<<<4, u / 8, u>>>(p);
  // CHECK: "sharedBytes": "[8, 8199]"

  // Another number is not bounded, and one that wrapped neither: 4 * 2^30 is 0.
  sum<<<4, n, m>>>(p);
  // CHECK: "sharedBytes": "[0, 2147483647]"
  sum<<<4, u * 4, u>>>(p);
  // CHECK: "sharedBytes": "[0, 4294967295]"
  // Nor what is launched after: a launch with too large a block fails.
  sum<<<4, 64, n>>>(p);
  // CHECK: "sharedBytes": "[0, 2147483647]"
}
