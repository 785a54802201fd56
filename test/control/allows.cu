// Comments that answer a finding: where they hold, and what is wrong in one.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 \
// RUN:   --ptxas-log %S/Inputs/pair.log -- 2>&1 \
// RUN:   | FileCheck %s --implicit-check-not=warning: --implicit-check-not=error:
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --warn-unused-allows \
// RUN:   --ptxas-log %S/Inputs/pair.log -- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=UNUSED
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --warn-unused-allows \
// RUN:   --rules=launch --ptxas-log %S/Inputs/pair.log -- 2>&1 \
// RUN:   | FileCheck %s --check-prefix=OFF --implicit-check-not="unused allow of 'no-cor"

#include <cuda_runtime.h>

__global__ void blur(float *image);
__global__ void edges(float *image);
template <int N> __global__ void tune(float *image);

// CHECK: warning: {{.*}}allows.cu:[[#@LINE+1]]:10: unknown rule 'no-coresidenzy', did you mean 'no-coresidency'? in an allow
// :  // coreside: allow no-coresidenzy
// CHECK: warning: {{.*}}allows.cu:[[#@LINE+1]]:4: unknown word 'alow', did you mean 'allow'?
// coreside: alow all
// CHECK: warning: {{.*}}allows.cu:[[#@LINE+1]]:4: 'allow-next-line' names no rule
// coreside: allow-next-line
// CHECK: warning: {{.*}}allows.cu:[[#@LINE+1]]:4: 'allow-end' without 'allow-begin'
// coreside: allow-end
// CHECK: warning: {{.*}}allows.cu:[[#END:]]:4: 'allow-begin' without 'allow-end' holds to the end of the file

void sameLine(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  blur<<<528, 256, 0, s>>>(p);
  edges<<<528, 256, 0, t>>>(q); // coreside: allow no-coresidency it is fine
}

void launchInTheWay(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  /* coreside: allow overlap */ blur<<<528, 256, 0, s>>>(p);
  edges<<<528, 256, 0, t>>>(q);
}

void nextLine(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  blur<<<528, 256, 0, s>>>(p);
  // coreside: allow-next-line launch-size, no-coresidency: two of them
  edges<<<528, 256, 0, t>>>(q);
}

void severalLines(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  blur<<<528, 256, 0, s>>>(p);
  edges<<<528, 256, 0,
          t>>>( // coreside: allow all
      q);
}

void severalLinesBelow(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  blur<<<528, 256, 0, s>>>(p);
  // coreside: allow-next-line no-*
  edges<<<528, 256, 0,
          t>>>(
      q);
}

void region(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  /* Some words.
   * coreside: allow-begin no-coresidency
   * More words. */
  blur<<<528, 256, 0, s>>>(p);

  edges<<<528, 256, 0, t>>>(q);
  // coreside: allow-end
}

#define BOTH(p, q, s, t)                                                       \
  blur<<<528, 256, 0, s>>>(p);                                                 \
  edges<<<528, 256, 0, t>>>(q)

void macro(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  BOTH(p, q, s, t); // NOLINT // coreside: allow no-coresidency
}

template <int N> void inTemplate(float *p, float *q, cudaStream_t s,
                                 cudaStream_t t) {
  blur<<<528, 256, 0, s>>>(p);
  edges<<<528, N, 0, t>>>(q); // coreside: allow no-coresidency
}
void instances(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  inTemplate<256>(p, q, s, t);
  inTemplate<512>(p, q, s, t);
}

const char *notAComment(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  blur<<<528, 256, 0, s>>>(p);
  edges<<<528, 256, 0, t>>>(q); const char *a = "// coreside: allow all";
  // CHECK: allows.cu:[[#@LINE-1]]:3: warning: 'edges' cannot run beside 'blur' {{.*}} [no-coresidency]
  return a;
}

void otherRule(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  blur<<<528, 256, 0, s>>>(p);
  // UNUSED-DAG: warning: {{.*}}allows.cu:[[#@LINE+2]]:36: unused allow of 'launch-size'
  // OFF: warning: {{.*}}allows.cu:[[#@LINE+1]]:36: unused allow of 'launch-size'
  edges<<<528, 256, 0, t>>>(q); // coreside: allow launch-size
  // CHECK: allows.cu:[[#@LINE-1]]:3: warning: 'edges' cannot run beside
}

void lineAbove(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  blur<<<528, 256, 0, s>>>(p);
  // UNUSED-DAG: warning: {{.*}}allows.cu:[[#@LINE+1]]:6: unused allow of 'no-coresidency'
  // coreside: allow no-coresidency
  edges<<<528, 256, 0, t>>>(q);
  // CHECK: allows.cu:[[#@LINE-1]]:3: warning: 'edges' cannot run beside
}

void rawString(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  const char *text = R"(
// coreside: allow-begin all
)";
  (void)text;
  blur<<<528, 256, 0, s>>>(p);
  edges<<<528, 256, 0, t>>>(q);
  // CHECK: allows.cu:[[#@LINE-1]]:3: warning: 'edges' cannot run beside
}

void wide(float *p, cudaStream_t s) {
  blur<<<1, 2048, 0, s>>>(p);
  // CHECK: allows.cu:[[#@LINE-1]]:3: error: launch of 'blur' fails
}

// coreside: allow-begin launch-size
void wideInARegion(float *p, cudaStream_t s) { blur<<<1, 2048, 0, s>>>(p); }
