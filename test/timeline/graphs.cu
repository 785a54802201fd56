// Graphs: captured from streams, or built node by node.
//
// RUN: %python %S/check.py %coreside %s

#include "Inputs/kernels.h"

static cudaGraphExec_t ready(cudaGraph_t graph) {
  cudaGraphExec_t executable;
  cudaGraphInstantiate(&executable, graph);
  return executable;
}

// EXPECT a b: ordered "both on stream 's'"
void capturedInOrder(cudaStream_t s) {
  cudaGraph_t graph;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, s>>>();
  cudaStreamEndCapture(s, &graph);
  cudaGraphLaunch(ready(graph), s);
}

// EXPECT a b: ordered
// EXPECT b c: may overlap
// EXPECT c d: ordered
void capturedFork(cudaStream_t s, cudaStream_t t) {
  cudaGraph_t graph;
  cudaEvent_t fork, join;
  cudaEventCreate(&fork);
  cudaEventCreate(&join);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  a<<<1, 32, 0, s>>>();
  cudaEventRecord(fork, s);
  cudaStreamWaitEvent(t, fork);
  b<<<1, 32, 0, s>>>();
  c<<<1, 32, 0, t>>>();
  cudaEventRecord(join, t);
  cudaStreamWaitEvent(s, join);
  d<<<1, 32, 0, s>>>();
  cudaStreamEndCapture(s, &graph);
  cudaGraphLaunch(ready(graph), s);
}

// EXPECT a b: ordered
// EXPECT b c: ordered
void aroundALaunch(cudaStream_t s, cudaStream_t t) {
  cudaGraph_t graph;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  b<<<1, 32, 0, s>>>();
  cudaStreamEndCapture(s, &graph);
  cudaGraphExec_t executable = ready(graph);
  a<<<1, 32, 0, t>>>();
  cudaGraphLaunch(executable, t);
  c<<<1, 32, 0, t>>>();
}

// It was captured on s, and is launched on t.
// EXPECT a b: may overlap
void launchedOnAnotherStream(cudaStream_t s, cudaStream_t t) {
  cudaGraph_t graph;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  b<<<1, 32, 0, s>>>();
  cudaStreamEndCapture(s, &graph);
  cudaGraphExec_t executable = ready(graph);
  a<<<1, 32, 0, s>>>();
  cudaGraphLaunch(executable, t);
}

// EXPECT a b: may overlap
void twoGraphsOnTwoStreams(cudaStream_t s, cudaStream_t t) {
  cudaGraph_t one, other;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  a<<<1, 32, 0, s>>>();
  cudaStreamEndCapture(s, &one);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  b<<<1, 32, 0, s>>>();
  cudaStreamEndCapture(s, &other);
  cudaGraphLaunch(ready(one), s);
  cudaGraphLaunch(ready(other), t);
}

// EXPECT a b: ordered
void twoGraphsOnOneStream(cudaStream_t s) {
  cudaGraph_t one, other;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  a<<<1, 32, 0, s>>>();
  cudaStreamEndCapture(s, &one);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  b<<<1, 32, 0, s>>>();
  cudaStreamEndCapture(s, &other);
  cudaGraphLaunch(ready(one), s);
  cudaGraphLaunch(ready(other), s);
}

// One executable graph runs once at a time.
// EXPECT a b: ordered
void onTwoStreams(cudaStream_t s, cudaStream_t t) {
  cudaGraph_t graph;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, s>>>();
  cudaStreamEndCapture(s, &graph);
  cudaGraphExec_t executable = ready(graph);
  cudaGraphLaunch(executable, s);
  cudaGraphLaunch(executable, t);
}

// The second launch of the graph may meet c.
// EXPECT a c: may overlap
void launchedTwice(cudaStream_t s, cudaStream_t t) {
  cudaGraph_t graph;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  a<<<1, 32, 0, s>>>();
  cudaStreamEndCapture(s, &graph);
  cudaGraphExec_t executable = ready(graph);
  cudaGraphLaunch(executable, s);
  cudaStreamSynchronize(s);
  c<<<1, 32, 0, t>>>();
  cudaGraphLaunch(executable, s);
}

// EXPECT a b: unknown "launch is not seen"
void launchedElsewhere(cudaStream_t s, cudaStream_t t, cudaGraph_t *graph) {
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  a<<<1, 32, 0, s>>>();
  cudaStreamEndCapture(s, graph);
  b<<<1, 32, 0, t>>>();
}

// What is captured does not run: there is nothing to wait for.
// EXPECT a b: may overlap
void waitsWhileCapturing(cudaStream_t s, cudaStream_t t, cudaStream_t u) {
  cudaGraph_t graph;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  a<<<1, 32, 0, s>>>();
  cudaStreamEndCapture(s, &graph);
  cudaStreamSynchronize(s);
  cudaGraphLaunch(ready(graph), u);
  b<<<1, 32, 0, t>>>();
}

static cudaKernelNodeParams launchOf(void (*kernel)()) {
  cudaKernelNodeParams parameters = {};
  parameters.func = (void *)kernel;
  parameters.gridDim = 1;
  parameters.blockDim = 32;
  return parameters;
}

// EXPECT a b: may overlap "nodes of a graph", intended
// EXPECT a c: ordered "nodes of graph"
// EXPECT b c: ordered
void nodes(cudaStream_t s) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t before[2], after;
  cudaKernelNodeParams first = launchOf(a), second = launchOf(b),
                       third = launchOf(c);
  cudaGraphAddKernelNode(&before[0], graph, nullptr, 0, &first);
  cudaGraphAddKernelNode(&before[1], graph, nullptr, 0, &second);
  cudaGraphAddKernelNode(&after, graph, before, 2, &third);
  cudaGraphLaunch(ready(graph), s);
}

// EXPECT a b: ordered
void nodesLinkedLater(cudaStream_t s) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t from, to;
  cudaKernelNodeParams first = launchOf(a), second = launchOf(b);
  cudaGraphAddKernelNode(&to, graph, nullptr, 0, &second);
  cudaGraphAddKernelNode(&from, graph, nullptr, 0, &first);
  cudaGraphAddDependencies(graph, &from, &to, 1);
  cudaGraphLaunch(ready(graph), s);
}

// EXPECT a b: ordered
void emptyNodeInBetween(cudaStream_t s) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t from, join, to;
  cudaKernelNodeParams first = launchOf(a), second = launchOf(b);
  cudaGraphAddKernelNode(&from, graph, nullptr, 0, &first);
  cudaGraphAddEmptyNode(&join, graph, &from, 1);
  cudaGraphAddKernelNode(&to, graph, &join, 1, &second);
  cudaGraphLaunch(ready(graph), s);
}

// EXPECT a b: may overlap
// EXPECT a c: may overlap
// EXPECT a d: ordered
void nodesAndStreams(cudaStream_t s, cudaStream_t t) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t one, other;
  cudaKernelNodeParams first = launchOf(a), second = launchOf(b);
  cudaGraphAddKernelNode(&one, graph, nullptr, 0, &first);
  cudaGraphAddKernelNode(&other, graph, nullptr, 0, &second);
  cudaGraphLaunch(ready(graph), s);
  c<<<1, 32, 0, t>>>();
  d<<<1, 32, 0, s>>>();
}

// EXPECT c a: ordered "graph 'executable' is launched"
// EXPECT d a: may overlap
void nodesAfterALaunch(cudaStream_t s, cudaStream_t t) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t node;
  cudaKernelNodeParams only = launchOf(a);
  cudaGraphAddKernelNode(&node, graph, nullptr, 0, &only);
  c<<<1, 32, 0, s>>>();
  d<<<1, 32, 0, t>>>();
  cudaGraphLaunch(ready(graph), s);
}

// EXPECT a b: ordered
void waitedFor(cudaStream_t s, cudaStream_t t) {
  cudaGraph_t graph;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  a<<<1, 32, 0, s>>>();
  cudaStreamEndCapture(s, &graph);
  cudaGraphLaunch(ready(graph), s);
  cudaStreamSynchronize(s);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
// EXPECT a c: ordered
void copied(cudaStream_t s, cudaStream_t t) {
  cudaGraph_t graph, copy;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  a<<<1, 32, 0, s>>>();
  cudaStreamEndCapture(s, &graph);
  cudaGraphClone(&copy, graph);
  cudaGraphLaunch(ready(copy), t);
  b<<<1, 32, 0, s>>>();
  c<<<1, 32, 0, t>>>();
}

// EXPECT a b: ordered
void capturedOnceLaunchedOften(cudaStream_t s, cudaStream_t t, int count) {
  cudaGraph_t graph;
  cudaGraphExec_t executable;
  bool captured = false;
  for (int i = 0; i < count; ++i) {
    if (!captured) {
      cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
      a<<<1, 32, 0, s>>>();
      b<<<1, 32, 0, s>>>();
      cudaStreamEndCapture(s, &graph);
      cudaGraphInstantiate(&executable, graph);
      captured = true;
    }
    cudaGraphLaunch(executable, s);
  }
}

// Each fork stands in a loop that may not run, but is part of the graph anyway.
// EXPECT a b: ordered
void forkedInALoop(int width) {
  cudaStream_t streams[16];
  cudaEvent_t fork;
  cudaEventCreate(&fork);
  for (int i = 0; i < 16; ++i)
    cudaStreamCreate(&streams[i]);
  cudaGraph_t graph;
  cudaStreamBeginCapture(streams[0], cudaStreamCaptureModeGlobal);
  cudaEventRecord(fork, streams[0]);
  for (int i = 1; i < width; ++i)
    cudaStreamWaitEvent(streams[i], fork);
  for (int i = 1; i < width; ++i)
    b<<<1, 32, 0, streams[i]>>>();
  for (int i = 1; i < width; ++i) {
    cudaEventRecord(fork, streams[i]);
    cudaStreamWaitEvent(streams[0], fork);
  }
  cudaStreamEndCapture(streams[0], &graph);
  a<<<1, 32, 0, streams[0]>>>();
  cudaGraphLaunch(ready(graph), streams[0]);
}

// The capture adds to a graph that is there already.
// EXPECT a b: ordered
// EXPECT b c: ordered "both on stream 's'"
void capturedToAGraph(cudaStream_t s, cudaStream_t t) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaStreamBeginCaptureToGraph(s, graph, nullptr, nullptr, 0,
                                cudaStreamCaptureModeGlobal);
  b<<<1, 32, 0, s>>>();
  c<<<1, 32, 0, s>>>();
  cudaStreamEndCapture(s, nullptr);
  a<<<1, 32, 0, t>>>();
  cudaGraphLaunch(ready(graph), t);
}

// As the body of a loop in a graph would be.
// EXPECT a b: unknown "graph"
void capturedToAnotherFilesGraph(cudaGraph_t body, cudaStream_t s) {
  cudaStreamBeginCaptureToGraph(s, body, nullptr, nullptr, 0,
                                cudaStreamCaptureModeGlobal);
  a<<<1, 32, 0, s>>>();
  cudaStreamEndCapture(s, nullptr);
  b<<<1, 32, 0, s>>>();
}

static cudaGraphNodeParams nodeOf(void (*kernel)()) {
  cudaGraphNodeParams parameters = {};
  parameters.type = cudaGraphNodeTypeKernel;
  parameters.kernel.func = reinterpret_cast<void *>(kernel);
  parameters.kernel.gridDim = dim3(1);
  parameters.kernel.blockDim = dim3(32);
  return parameters;
}

// EXPECT a b: ordered
// EXPECT a c: may overlap
void nodesOfAnyKind(cudaStream_t s) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t first, second, third;
  cudaGraphNodeParams one = nodeOf(a), two = nodeOf(b), three = nodeOf(c);
  cudaGraphAddNode(&first, graph, nullptr, nullptr, 0, &one);
  cudaGraphAddNode(&second, graph, &first, nullptr, 1, &two);
  cudaGraphAddNode(&third, graph, nullptr, nullptr, 0, &three);
  cudaGraphLaunch(ready(graph), s);
}

// CUDA 13 has data about edges between the nodes and their count.
// EXPECT a b: ordered
void linkedWithEdgeData(cudaStream_t s) {
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t from, to;
  cudaKernelNodeParams first = launchOf(a), second = launchOf(b);
  cudaGraphAddKernelNode(&from, graph, nullptr, 0, &first);
  cudaGraphAddKernelNode(&to, graph, nullptr, 0, &second);
  cudaGraphAddDependencies(graph, &from, &to, nullptr, 1);
  cudaGraphLaunch(ready(graph), s);
}

// EXPECT a b: ordered "graph 'graph' starts after it"
void nodesAfterAKernel(cudaStream_t s) {
  a<<<1, 32, 0, s>>>();
  cudaGraph_t graph;
  cudaGraphCreate(&graph, 0);
  cudaGraphNode_t join, node;
  cudaKernelNodeParams parameters = launchOf(b);
  cudaGraphAddEmptyNode(&join, graph, nullptr, 0);
  cudaGraphAddKernelNode(&node, graph, &join, 1, &parameters);
  cudaGraphLaunch(ready(graph), s);
}

// EXPECT a b: unknown "a graph that cannot be told"
void nodesOfAnotherFilesGraph(cudaGraph_t *bodies, int which) {
  cudaGraphNode_t first, second;
  cudaGraphNodeParams one = nodeOf(a), two = nodeOf(b);
  cudaGraphAddNode(&first, bodies[which], nullptr, nullptr, 0, &one);
  cudaGraphAddNode(&second, bodies[which], nullptr, nullptr, 0, &two);
}

// A child graph stands in its node: after what the node waits for, before what
// waits for the node.
// EXPECT a b: ordered
// EXPECT b d: ordered
// EXPECT b c: may overlap
void graphInAGraph(cudaStream_t s) {
  cudaGraph_t outer, inner;
  cudaGraphNode_t first, other, node, last, inside;
  cudaGraphCreate(&outer, 0);
  cudaGraphCreate(&inner, 0);
  cudaKernelNodeParams parameters = {(void *)b, 1, 32, 0, 0, 0};
  cudaGraphAddKernelNode(&inside, inner, 0, 0, &parameters);
  parameters.func = (void *)a;
  cudaGraphAddKernelNode(&first, outer, 0, 0, &parameters);
  cudaGraphAddChildGraphNode(&node, outer, &first, 1, inner);
  parameters.func = (void *)c;
  cudaGraphAddKernelNode(&other, outer, &first, 1, &parameters);
  parameters.func = (void *)d;
  cudaGraphAddKernelNode(&last, outer, &node, 1, &parameters);
  cudaGraphLaunch(ready(outer), s);
}

// The body of a condition is a graph that the runtime makes.
// EXPECT a b: ordered
// EXPECT b c: ordered
void conditional(cudaStream_t s, cudaStream_t t) {
  cudaGraph_t graph;
  cudaGraphNode_t first, node, last, inside;
  cudaGraphCreate(&graph, 0);
  cudaKernelNodeParams parameters = {(void *)a, 1, 32, 0, 0, 0};
  cudaGraphAddKernelNode(&first, graph, 0, 0, &parameters);
  cudaGraphConditionalHandle handle;
  cudaGraphConditionalHandleCreate(&handle, graph);
  cudaGraphNodeParams condition = {};
  condition.type = cudaGraphNodeTypeConditional;
  condition.conditional.handle = handle;
  condition.conditional.type = cudaGraphCondTypeIf;
  condition.conditional.size = 1;
  cudaGraphAddNode(&node, graph, &first, 1, &condition);
  cudaGraph_t body = condition.conditional.phGraph_out[0];
  parameters.func = (void *)b;
  cudaGraphAddKernelNode(&inside, body, 0, 0, &parameters);
  parameters.func = (void *)c;
  cudaGraphAddKernelNode(&last, graph, &node, 1, &parameters);
  cudaGraphLaunch(ready(graph), s);
}

// After the update it is the other graph that runs.
// EXPECT a c: unknown "whose launch is not seen"
// EXPECT b c: ordered
void updated(cudaStream_t s, cudaStream_t t) {
  cudaGraph_t one, other;
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  a<<<1, 32, 0, s>>>();
  cudaStreamEndCapture(s, &one);
  cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
  b<<<1, 32, 0, s>>>();
  cudaStreamEndCapture(s, &other);
  cudaGraphExec_t executable = ready(one);
  cudaGraphExecUpdateResultInfo result;
  cudaGraphExecUpdate(executable, other, &result);
  cudaGraphLaunch(executable, s);
  c<<<1, 32, 0, s>>>();
}
