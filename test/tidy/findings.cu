// The module prints what `coreside check` finds, each finding under the check of
// its rule, the notes as notes, with one analysis for all checks.
//
// REQUIRES: clang-tidy-module
// RUN: cd %S/Inputs && %{clang-tidy} -checks=-*,coreside-* %{options} %s -- %{cuda} 2>&1 | FileCheck %s
// RUN: cd %S/Inputs && %{clang-tidy} -checks=-*,coreside-same-stream %{options} %s -- %{cuda} 2>&1 | FileCheck %s --check-prefix=ANOTHER --allow-empty
// RUN: %{clang-tidy} -checks=-*,coreside-* -list-checks | FileCheck %s --check-prefix=CHECKS

// CHECKS: coreside-no-coresidency
// CHECKS: coreside-tail-overlap-only
// ANOTHER-NOT: coreside-

// NOLINT suppresses what clang-tidy's own would, and an allow comment what
// coreside's own would.
// RUN: cd %S/Inputs && %{clang-tidy} -checks=-*,coreside-* %{options} %s -- %{cuda} -DQUIET 2>&1 | FileCheck %s --check-prefix=QUIET --allow-empty
// QUIET-NOT: {{warning|note}}: {{.*}}edge

// As errors, as any other check.
// RUN: cd %S/Inputs && not %{clang-tidy} -checks=-*,coreside-* -warnings-as-errors=coreside-tail-overlap-only %{options} %s -- %{cuda} 2>&1 | FileCheck %s --check-prefix=ERROR
// ERROR: error: 'edge' can only start in the last wave of 'blur' {{.*}} [coreside-tail-overlap-only,-warnings-as-errors]

__global__ void blur(float *p) { p[0] = 1; }
__global__ void edge(float *p) { p[0] = 2; }

void frame(float *p, float *q) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
#ifdef QUIET
  blur<<<4050, 256, 0, s>>>(p);
  edge<<<4050, 256, 0, t>>>(q); // NOLINT(coreside-tail-overlap-only)
#else
  blur<<<4050, 256, 0, s>>>(p);
  edge<<<4050, 256, 0, t>>>(q);
#endif
  // CHECK: [[#@LINE-2]]:3: warning: 'edge' can only start in the last wave of 'blur' on h100: limited by registers [coreside-tail-overlap-only]
  // CHECK: [[#@LINE-4]]:3: note: 'blur' is launched here on stream 's'; nothing orders the two
  // CHECK: [[#@LINE-4]]:3: note: h100: they would share if 'blur' has at most 396 blocks
  // CHECK-NOT: warning:
}

#ifdef QUIET
void again(float *p, float *q) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  blur<<<4050, 256, 0, s>>>(p);
  // coreside: allow-next-line tail-overlap-only
  edge<<<4050, 256, 0, t>>>(q);
}
#endif
