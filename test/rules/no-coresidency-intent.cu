// What two launches were put on two streams for: only those that were meant to
// run together are worth a warning.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 \
// RUN:   --rules=no-coresidency,tail-overlap-only \
// RUN:   --ptxas-log %S/Inputs/no-coresidency.log -- | FileCheck %s
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --level=note \
// RUN:   --rules=no-coresidency,tail-overlap-only \
// RUN:   --ptxas-log %S/Inputs/no-coresidency.log -- \
// RUN:   | FileCheck %s --check-prefix=NOTE

#include <cuda_runtime.h>

#include <vector>

__global__ void smooth(float *image);
__global__ void sharpen(float *image);

// By way of a function that launches whatever it is given.
template <typename Kernel> void launch(Kernel kernel, float *p, cudaStream_t s) {
  kernel<<<528, 256, 0, s>>>(p);
}

void wrapped(float *p, float *q) {
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  launch(smooth, p, s);
  launch(sharpen, q, t);
  // CHECK: no-coresidency-intent.cu:[[#@LINE-1]]:3: warning: 'sharpen' cannot run beside 'smooth' on h100: limited by registers [no-coresidency]
  // CHECK: no-coresidency-intent.cu:[[#@LINE-3]]:3: note: 'smooth' is launched here on stream 's'; nothing orders the two
}

void smoothOn(float *p, cudaStream_t s) { smooth<<<528, 256, 0, s>>>(p); }
void sharpenOn(float *p, cudaStream_t s) { sharpen<<<528, 256, 0, s>>>(p); }

void oneFunctionEach(float *p, float *q) {
  std::vector<cudaStream_t> streams(2);
  for (cudaStream_t &one : streams)
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  smoothOn(p, streams[0]);
  sharpenOn(q, streams[1]);
  // CHECK: no-coresidency-intent.cu:[[#@LINE-8]]:44: warning: 'sharpen' cannot run beside 'smooth' on h100: limited by registers [no-coresidency]
  // CHECK: no-coresidency-intent.cu:[[#@LINE-3]]:3: note: 'smooth' is reached by this call of 'smoothOn'
  // CHECK: no-coresidency-intent.cu:[[#@LINE-3]]:3: note: 'sharpen' is reached by this call of 'sharpenOn'
}

// The copies belong to another part: the host waits for them.
void copiesBefore(float *p, float *q, float *host) {
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  cudaMemcpyAsync(p, host, 4096, cudaMemcpyHostToDevice, s);
  cudaMemcpyAsync(q, host, 4096, cudaMemcpyHostToDevice, t);
  cudaDeviceSynchronize();
  smooth<<<528, 256, 0, s>>>(p);
  sharpen<<<528, 256, 0, t>>>(q);
  // CHECK: no-coresidency-intent.cu:[[#@LINE-1]]:3: warning: 'sharpen' cannot run beside 'smooth'
}

// In the next turn the first waits for the second: it is said once.
void repeated(float *p, float *q, int turns) {
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  for (int i = 0; i < turns; ++i) {
    smooth<<<528, 256, 0, s>>>(p);
    sharpen<<<528, 256, 0, t>>>(q);
    // CHECK: no-coresidency-intent.cu:[[#@LINE-1]]:5: warning: 'sharpen' cannot run beside 'smooth'
  }
}
// CHECK-NOT: warning:

void copiesAround(float *p, float *q, float *host) {
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  cudaMemcpyAsync(p, host, 4096, cudaMemcpyHostToDevice, s);
  smooth<<<528, 256, 0, s>>>(p);
  cudaMemcpyAsync(q, host, 4096, cudaMemcpyHostToDevice, t);
  sharpen<<<528, 256, 0, t>>>(q);
  // NOTE: no-coresidency-intent.cu:[[#@LINE-1]]:3: note: 'sharpen' cannot run beside 'smooth' on h100: limited by registers [no-coresidency]
  // NOTE: note: only a note: these streams carry copies, which do overlap with the kernels
}

// Each half is smoothed and sharpened.
void process(float *p, cudaStream_t s) {
  smooth<<<528, 256, 0, s>>>(p);
  sharpen<<<528, 256, 0, s>>>(p);
}

void halves(float *p, float *q) {
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  process(p, s);
  process(q, t);
  // NOTE: note: 'smooth:[[#@LINE-1]]' cannot run beside 'smooth:[[#@LINE-2]]' on h100
  // NOTE: note: only a note: both streams run the same kernels on parts of the work, and each part keeps the GPU busy
}

// Written down for each half.
void halvesByHand(float *p, float *q) {
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  smooth<<<528, 256, 0, s>>>(p);
  smooth<<<528, 256, 0, t>>>(q);
  // NOTE: no-coresidency-intent.cu:[[#@LINE-1]]:3: note: 'smooth:[[#@LINE-1]]' cannot run beside 'smooth:[[#@LINE-2]]' on h100
}

// The small one is there first: it runs beside the one that 'smooth' waits for.
void afterAnother(float *p, float *q) {
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  sharpen<<<8, 256, 0, s>>>(p);
  smooth<<<528, 256, 0, s>>>(p);
  sharpen<<<16, 256, 0, t>>>(q);
  // NOTE: no-coresidency-intent.cu:[[#@LINE-1]]:3: note: 'sharpen' cannot run beside 'smooth' on h100
  // NOTE: no-coresidency-intent.cu:[[#@LINE-3]]:3: note: only a note: 'smooth' has to wait for earlier work, and 'sharpen' may have started by then
}
