// Kernels of a graph are on no stream.
//
// RUN: not %coreside check %s --cuda-path=none --gpu a100 \
// RUN:   --ptxas-log %S/Inputs/tail-overlap-only.log -- > %t
// RUN: FileCheck %s < %t
// RUN: grep -c warning: %t | FileCheck --check-prefix=COUNT %s
// COUNT: {{^}}1{{$}}

#include <cuda_runtime.h>

__global__ void scale(float *v, int n);
__global__ void shift(float *v, int n);

cudaGraphExec_t twoNodes(float *p, int n) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  void *arguments[] = {&p, &n};
  cudaKernelNodeParams node = {};
  node.blockDim = dim3(8);
  node.kernelParams = arguments;
  cudaGraphNode_t first, second;
  node.func = (void *)scale;
  node.gridDim = dim3(30000);
  // CHECK: note: 'scale' is launched here in graph 'graph'; nothing orders the two
  cudaGraphAddKernelNode(&first, graph, nullptr, 0, &node);
  node.func = (void *)shift;
  cudaGraphAddKernelNode(&second, graph, nullptr, 0, &node);
  cudaGraphExec_t ready;
  cudaGraphInstantiate(&ready, graph, 0);
  return ready;
}

void replay(float *p, int n) {
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaGraphLaunch(twoNodes(p, n), s);
}

// Which stream the graph was put on is not asked: no word on the default
// stream.
void defaultStreamBetween(float *p, int n) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  void *arguments[] = {&p, &n};
  cudaKernelNodeParams node = {};
  node.func = (void *)scale;
  node.gridDim = node.blockDim = dim3(8);
  node.kernelParams = arguments;
  cudaGraphNode_t only;
  cudaGraphAddKernelNode(&only, graph, nullptr, 0, &node);
  cudaGraphExec_t ready;
  cudaGraphInstantiate(&ready, graph, 0);
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaGraphLaunch(ready, s);
  shift<<<1, 8>>>(p, n);
  shift<<<8, 8, 0, t>>>(p, n);
}
