// Streams were made and only one of them gets anything.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --rules=same-stream \
// RUN:   --ptxas-log %S/Inputs/same-stream.log -- | FileCheck %s
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --rules=same-stream \
// RUN:   --level=note --ptxas-log %S/Inputs/same-stream.log -- \
// RUN:   | FileCheck %s --check-prefix=NOTE

#include <cuda_runtime.h>

#include <vector>

__global__ void scale(float *p);
__global__ void shift(float *p);

void make(std::vector<cudaStream_t> &streams) {
  for (cudaStream_t &one : streams)
    cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
}

void destroy(std::vector<cudaStream_t> &streams) {
  for (cudaStream_t one : streams)
    cudaStreamDestroy(one);
}

// The remainder of one is always 0.
void wrongRemainder(float *p) {
  cudaStream_t streams[2];
  for (int i = 0; i < 2; ++i)
    cudaStreamCreate(&streams[i]);
  for (int i = 0; i < 4; ++i)
    scale<<<8, 64, 0, streams[i % 1]>>>(p + i);
  // CHECK: same-stream.cu:[[#@LINE-1]]:5: warning: all 4 launches go to stream 'streams[0]'; 'streams[1]' is made and never used [same-stream]
  // CHECK: same-stream.cu:[[#@LINE-4]]:5: note: the streams of 'streams' are made here
  for (int i = 0; i < 2; ++i)
    cudaStreamDestroy(streams[i]);
}

void copiedLine(float *p, float *q) {
  std::vector<cudaStream_t> streams(3);
  make(streams);
  scale<<<8, 64, 0, streams[0]>>>(p);
  shift<<<8, 64, 0, streams[0]>>>(q);
  // CHECK: same-stream.cu:[[#@LINE-1]]:3: warning: all 2 launches go to stream 'streams[0]'; 'streams[1]' and 'streams[2]' are made and never used [same-stream]
  destroy(streams);
}
// CHECK-NOT: warning:

// The second goes on with what the first has made.
void oneAfterTheOther(float *p) {
  std::vector<cudaStream_t> streams(2);
  make(streams);
  scale<<<8, 64, 0, streams[0]>>>(p);
  shift<<<8, 64, 0, streams[0]>>>(p);
  // NOTE: same-stream.cu:[[#@LINE-1]]:3: note: all 2 launches go to stream 'streams[0]'; 'streams[1]' is made and never used [same-stream]
  destroy(streams);
}

void copiesOnTheOther(float *p, float *q, float *host) {
  std::vector<cudaStream_t> streams(2);
  make(streams);
  scale<<<8, 64, 0, streams[0]>>>(p);
  cudaMemcpyAsync(q, host, 4096, cudaMemcpyHostToDevice, streams[1]);
  shift<<<8, 64, 0, streams[0]>>>(q);
  destroy(streams);
}
// NOTE-NOT: note: all

void bothUsed(float *p, float *q) {
  std::vector<cudaStream_t> streams(2);
  make(streams);
  scale<<<8, 64, 0, streams[0]>>>(p);
  shift<<<8, 64, 0, streams[1]>>>(q);
  destroy(streams);
}

// Another file may use it.
void library(cudaStream_t);
void unknown(float *p, float *q) {
  std::vector<cudaStream_t> streams(2);
  make(streams);
  scale<<<8, 64, 0, streams[0]>>>(p);
  library(streams[1]);
  shift<<<8, 64, 0, streams[0]>>>(q);
  destroy(streams);
}

void allowed(float *p, float *q) {
  std::vector<cudaStream_t> streams(2);
  make(streams);
  scale<<<8, 64, 0, streams[0]>>>(p);
  shift<<<8, 64, 0, streams[0]>>>(q); // coreside: allow same-stream
  destroy(streams);
}
