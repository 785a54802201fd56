// What runs a node of a graph with others of its parameters: all of them count.
//
// RUN: %coreside check %s --cuda-path=none --dump=program | FileCheck %s

__global__ void relax(float *) {}

cudaKernelNodeParams with(unsigned threads, unsigned bytes, void **arguments) {
  cudaKernelNodeParams made = {};
  made.func = (void *)relax;
  made.gridDim = dim3(16);
  made.blockDim = dim3(threads);
  made.sharedMemBytes = bytes;
  made.kernelParams = arguments;
  return made;
}

void turns(int count, float *one, float *other, cudaStream_t stream) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  void *there[] = {&one}, *back[] = {&other};
  cudaKernelNodeParams even = with(128, 0, there), odd = with(192, 256, back);
  cudaGraphNode_t node;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &even);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  for (int i = 0; i < count; ++i) {
    cudaGraphExecKernelNodeSetParams(executable, node,
                                     i % 2 == 0 ? &even : &odd);
    cudaGraphLaunch(executable, stream);
  }
}
// CHECK-LABEL: "function": "turns"
// CHECK:         "block": [
// CHECK-NEXT:      "[128, 192]",
// CHECK:         "dynamicShared": "[0, 256]",

// What a pointer from elsewhere points to is not known.
void handed(const cudaKernelNodeParams *next, float *one) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  void *there[] = {&one};
  cudaKernelNodeParams first = with(128, 0, there);
  cudaGraphNode_t node;
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &first);
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph, 0);
  cudaGraphExecKernelNodeSetParams(executable, node, one ? &first : next);
}
// CHECK-LABEL: "function": "handed"
// CHECK:         "block": [
// CHECK-NEXT:      {
// CHECK-NEXT:        "unknown": "the node's parameters"
