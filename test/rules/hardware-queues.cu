// More streams than hardware queues: issued stream by stream, and one launch on
// each.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --level=note \
// RUN:   --ptxas-log %S/Inputs/hardware-queues.log -- | FileCheck %s
// RUN: %coreside check %s --cuda-path=none --gpu h100 --level=note \
// RUN:   --rules=hardware-queues --connections=32 \
// RUN:   --ptxas-log %S/Inputs/hardware-queues.log -- | count 0

#include <cuda_runtime.h>

__global__ void head(float *p);
__global__ void tail(float *p);

struct Streams {
  cudaStream_t all[12];
  Streams() {
    for (cudaStream_t &one : all)
      cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  }
};

void streamByStream(float *p) {
  Streams streams;
  for (int i = 0; i < 12; ++i) {
    head<<<2, 64, 0, streams.all[i]>>>(p);
    tail<<<2, 64, 0, streams.all[i]>>>(p);
  }
  // CHECK: hardware-queues.cu:[[#@LINE-3]]:5: note: 12 streams that get kernels share 8 hardware queues [hardware-queues]
  // CHECK: hardware-queues.cu:[[#@LINE-3]]:5: note: 'tail', launched here on stream 'streams.all[0]', waits for 'head', and 'head' on stream 'streams.all[8]' stands behind it in a queue
  // CHECK: note: issue the launches of all streams in turn, one for each, or raise CUDA_DEVICE_MAX_CONNECTIONS, to 32 at most
}

void oneOnEach(float *p) {
  Streams streams;
  for (int i = 0; i < 12; ++i)
    head<<<2, 64, 0, streams.all[i]>>>(p);
  // CHECK: hardware-queues.cu:[[#@LINE-1]]:5: note: 12 streams that get kernels share 8 hardware queues [hardware-queues]
  // CHECK: note: 'head' on stream 'streams.all[8]' comes through the queue of 'head' on stream 'streams.all[0]'
  // CHECK: note: with one launch on each stream no kernel waited for that on an H200, older GPUs ran 8 at a time; CUDA_DEVICE_MAX_CONNECTIONS raises the number, to 32 at most
}
// CHECK-NOT: [hardware-queues]

void eightStreams(float *p) {
  cudaStream_t all[8];
  for (cudaStream_t &one : all)
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
  for (int i = 0; i < 8; ++i) {
    head<<<2, 64, 0, all[i]>>>(p);
    tail<<<2, 64, 0, all[i]>>>(p);
  }
}

// How many there are is not known.
void unknown(float *p, cudaStream_t *all, int n) {
  for (int i = 0; i < n; ++i)
    head<<<2, 64, 0, all[i]>>>(p);
}

void allowed(float *p) {
  Streams streams;
  for (int i = 0; i < 12; ++i)
    head<<<2, 64, 0, streams.all[i]>>>(p); // coreside: allow hardware-queues
}
