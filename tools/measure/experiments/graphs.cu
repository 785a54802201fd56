// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Do independent nodes of a graph share the GPU as kernels of two streams do?
// The same pair runs on two streams, as a graph whose node A was added first,
// and as one whose node B was added first.
//
// Columns: tA,rA,smA,gA,occA,tB,rB,smB,gB,occB
//          then for each way (stream, graphAB, graphBA):
//          _B_start       ns from A's first start to B's first
//          _A_first_end   ns
//          _makespan      ns
// Notes:   ns from the end of one kernel to the start of the next, when they
//          follow each other in a stream and in a graph (median of 50).

#include "Lab.h"

#include <algorithm>
#include <array>

using namespace lab;

namespace {

cudaGraphNode_t addNode(cudaGraph_t graph, const Shape &shape,
                        BlockRecord *records,
                        std::vector<cudaGraphNode_t> after = {}) {
  uint64_t nanoseconds = shape.nanoseconds;
  int never = 0;
  float *scratch = nullptr;
  void *arguments[] = {&records, &nanoseconds, &never, &scratch};
  cudaKernelNodeParams parameters = {};
  parameters.func = reinterpret_cast<void *>(shape.kernel->function);
  parameters.gridDim = dim3(shape.grid);
  parameters.blockDim = dim3(shape.threads);
  parameters.sharedMemBytes = shape.shared;
  parameters.kernelParams = arguments;
  cudaGraphNode_t node;
  check(cudaGraphAddKernelNode(&node, graph, after.data(), after.size(),
                               &parameters));
  return node;
}

void launchOnce(cudaGraph_t graph, cudaStream_t stream) {
  cudaGraphExec_t executable;
  check(cudaGraphInstantiate(&executable, graph, 0));
  check(cudaGraphUpload(executable, stream));
  check(cudaStreamSynchronize(stream));
  check(cudaGraphLaunch(executable, stream));
  check(cudaStreamSynchronize(stream));
  check(cudaGraphExecDestroy(executable));
  check(cudaGraphDestroy(graph));
}

void printLatency(cudaStream_t stream) {
  Track first(1), second(1);
  std::vector<int64_t> inStream, inGraph;
  const Shape shape{.kernel = &holdKernel(24), .nanoseconds = 20000};
  for (int i = 0; i < 50; ++i) {
    launch(shape, first.onDevice(), stream);
    launch(shape, second.onDevice(), stream);
    check(cudaDeviceSynchronize());
    inStream.push_back(second.read(1)[0].start - first.read(1)[0].end);
    cudaGraph_t graph;
    check(cudaGraphCreate(&graph, 0));
    const cudaGraphNode_t node = addNode(graph, shape, first.onDevice());
    addNode(graph, shape, second.onDevice(), {node});
    launchOnce(graph, stream);
    inGraph.push_back(second.read(1)[0].start - first.read(1)[0].end);
  }
  std::ranges::sort(inStream);
  std::ranges::sort(inGraph);
  std::printf("# end to next start: stream %lld ns, graph %lld ns\n",
              (long long)inStream[25], (long long)inGraph[25]);
}

} // namespace

int main(int argc, char **argv) {
  const Options options = readOptions(argc, argv, 300);
  printDevice();
  warmUp();
  const cudaStream_t streamA = newStream(), streamB = newStream();
  printLatency(streamA);
  std::printf("tA,rA,smA,gA,occA,tB,rB,smB,gB,occB");
  for (const char *way : {"stream", "graphAB", "graphBA"})
    std::printf(",%s_B_start,%s_A_first_end,%s_makespan", way, way, way);
  std::printf("\n");
  Draw draw(options.seed);
  const int SMs = device().SMs, capacity = SMs * 64;
  Track trackA(capacity), trackB(capacity);
  for (int row = 0; row < options.rows;) {
    std::array<Shape, 2> shapes;
    std::array<int, 2> occupancies;
    for (int i = 0; i < 2; ++i) {
      Shape &drawn = shapes[i];
      drawn.kernel = &holdKernels()[draw.below(int(holdKernels().size()))];
      drawn.threads = 32 * (1 + draw.below(32));
      drawn.shared = draw.below(2) ? 0 : draw.below(device().optInShared);
      drawn.nanoseconds = i ? 100000 : 200000;
      occupancies[i] = blocksPerSM(drawn);
      const double waves = draw.pick({20, 60, 100, 140, 210}) / 100.0;
      drawn.grid = std::clamp(int(waves * occupancies[i] * SMs), 1, capacity);
    }
    if (!occupancies[0] || !occupancies[1] ||
        shapes[0].kernel == shapes[1].kernel)
      continue;
    ++row;
    const auto &[A, B] = shapes;
    std::printf("%d,%d,%d,%d,%d,%d,%d,%d,%d,%d", A.threads, A.kernel->registers,
                A.shared, A.grid, occupancies[0], B.threads,
                B.kernel->registers, B.shared, B.grid, occupancies[1]);
    for (int way = 0; way < 3; ++way) {
      check(cudaDeviceSynchronize());
      if (way == 0) {
        launch(A, trackA.onDevice(), streamA);
        launch(B, trackB.onDevice(), streamB);
      } else {
        cudaGraph_t graph;
        check(cudaGraphCreate(&graph, 0));
        if (way == 1)
          addNode(graph, A, trackA.onDevice());
        addNode(graph, B, trackB.onDevice());
        if (way == 2)
          addNode(graph, A, trackA.onDevice());
        launchOnce(graph, streamA);
      }
      check(cudaDeviceSynchronize());
      const uint64_t origin = firstStart(trackA.read(A.grid));
      const Times ofA = timesOf(trackA.blocks(), origin);
      const Times ofB = timesOf(trackB.read(B.grid), origin);
      std::printf(",%lld,%lld,%lld", (long long)ofB.firstStart,
                  (long long)ofA.firstEnd,
                  (long long)(std::max(ofA.lastEnd, ofB.lastEnd) -
                              std::min(ofA.firstStart, ofB.firstStart)));
    }
    std::printf("\n");
  }
}
