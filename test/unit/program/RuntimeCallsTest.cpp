// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Streams, events, synchronisation, memory and attributes.

#include "Snippet.h"

using namespace coreside;

namespace {

const Stream *findStream(llvm::StringRef name, const Trace &trace) {
  for (const Stream &stream : trace.streams)
    if (stream.name == name)
      return &stream;
  return nullptr;
}

TEST(RuntimeCalls, StreamsThatAreCreated) {
  Program program = readSnippet(R"(
    void go(unsigned flags) {
      cudaStream_t a, b, c, d;
      cudaStreamCreate(&a);
      cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
      cudaStreamCreateWithPriority(&c, cudaStreamDefault, -1);
      cudaStreamCreateWithFlags(&d, flags);
      front<<<1, 1, 0, a>>>(nullptr);
      front<<<2, 1, 0, b>>>(nullptr);
      front<<<3, 1, 0, c>>>(nullptr);
      front<<<4, 1, 0, d>>>(nullptr);
      cudaStreamDestroy(a);
    }
  )");
  const Trace &trace = *findTrace("go", program);
  EXPECT_EQ(findStream("a", trace)->origin, Stream::Origin::Created);
  EXPECT_EQ(findStream("a", trace)->blocking, Stream::Blocking::Yes);
  EXPECT_EQ(findStream("a", trace)->place.line, 7u);
  EXPECT_EQ(findStream("b", trace)->blocking, Stream::Blocking::No);
  EXPECT_EQ(findStream("c", trace)->blocking, Stream::Blocking::Yes);
  EXPECT_EQ(findStream("c", trace)->priority, Value::known(-1));
  EXPECT_EQ(findStream("d", trace)->blocking, Stream::Blocking::Unknown);
  EXPECT_EQ(steps("go", program).back(), "destroy a");
}

TEST(RuntimeCalls, StreamsFromOutside) {
  Program program = readSnippet(R"(
    cudaStream_t global;
    cudaStream_t make();
    struct Engine {
      cudaStream_t member;
      void run(cudaStream_t one, cudaStream_t other, cudaStream_t *list) {
        front<<<1, 1, 0, one>>>(nullptr);
        front<<<2, 1, 0, other>>>(nullptr);
        front<<<3, 1, 0, member>>>(nullptr);
        front<<<4, 1, 0, global>>>(nullptr);
        front<<<5, 1, 0, list[1]>>>(nullptr);
        front<<<6, 1, 0, member>>>(nullptr);
        front<<<7, 1, 0, make()>>>(nullptr);
      }
    };
  )");
  const Trace &trace = *findTrace("Engine::run", program);
  EXPECT_EQ(findStream("one", trace)->origin, Stream::Origin::Parameter);
  EXPECT_EQ(findStream("one", trace)->blocking, Stream::Blocking::Unknown);
  EXPECT_NE(trace.steps[0].stream, trace.steps[1].stream);
  EXPECT_EQ(findStream("member", trace)->origin, Stream::Origin::External);
  EXPECT_EQ(findStream("global", trace)->origin, Stream::Origin::External);
  EXPECT_EQ(findStream("list[1]", trace)->origin, Stream::Origin::External);
  EXPECT_EQ(trace.steps[2].stream, trace.steps[5].stream);
  EXPECT_EQ(findStream("make()", trace)->origin, Stream::Origin::Unknown);
}

TEST(RuntimeCalls, DefaultStreams) {
  std::string text = R"(
    void go(cudaStream_t s) {
      front<<<1, 1>>>(nullptr);
      front<<<2, 1, 0, 0>>>(nullptr);
      front<<<3, 1, 0, nullptr>>>(nullptr);
      front<<<4, 1, 0, cudaStreamLegacy>>>(nullptr);
      front<<<5, 1, 0, cudaStreamPerThread>>>(nullptr);
      cudaStream_t none = NULL;
      front<<<6, 1, 0, none>>>(nullptr);
      cudaMemcpyAsync(nullptr, nullptr, 4, cudaMemcpyDefault);
    }
  )";
  auto origins = [](const Program &program) {
    std::vector<Stream::Origin> result;
    const Trace &trace = *findTrace("go", program);
    for (const Step &step : trace.steps)
      result.push_back(trace.streams[step.stream].origin);
    return result;
  };
  auto legacy = Stream::Origin::LegacyDefault;
  auto perThread = Stream::Origin::PerThreadDefault;
  EXPECT_EQ(
      origins(readSnippet(text)),
      (std::vector{legacy, legacy, legacy, legacy, perThread, legacy, legacy}));
  CompileCommand command;
  command.perThreadDefaultStream = true;
  EXPECT_EQ(origins(readSnippet(text, {}, command)),
            (std::vector{perThread, perThread, perThread, legacy, perThread,
                         perThread, perThread}));
}

TEST(RuntimeCalls, ArraysOfStreams) {
  Program program = readSnippet(R"(
    #include <vector>
    void go() {
      cudaStream_t s[3];
      for (int i = 0; i < 3; i++) cudaStreamCreate(&s[i]);
      for (int i = 0; i < 4; i++) front<<<i, 1, 0, s[i % 3]>>>(nullptr);
      std::vector<cudaStream_t> v(2);
      for (auto &one : v) cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking);
      for (size_t i = 0; i < v.size(); i++) back<<<1, 1, 0, v[i]>>>(nullptr);
      std::vector<cudaStream_t> grown;
      for (int i = 0; i < 2; i++) {
        cudaStream_t one;
        cudaStreamCreate(&one);
        grown.push_back(one);
      }
      back<<<2, 1, 0, grown[0]>>>(nullptr);
      back<<<3, 1, 0, grown.back()>>>(nullptr);
      auto *heap = new cudaStream_t[2];
      auto *raw = (cudaStream_t *)malloc(2 * sizeof(cudaStream_t));
      cudaStreamCreate(&heap[1]);
      cudaStreamCreate(raw + 1);
      back<<<4, 1, 0, heap[1]>>>(nullptr);
      back<<<5, 1, 0, raw[1]>>>(nullptr);
      for (cudaStream_t one : s) cudaStreamDestroy(one);
    }
  )");
  EXPECT_EQ(
      steps("go", program),
      (Steps{"launch front 0 1 0 on s[0]", "launch front 1 1 0 on s[1]",
             "launch front 2 1 0 on s[2]", "launch front 3 1 0 on s[0]",
             "launch back 1 1 0 on v[0]", "launch back 1 1 0 on v[1]",
             "launch back 2 1 0 on one", "launch back 3 1 0 on one",
             "launch back 4 1 0 on heap[1]", "launch back 5 1 0 on raw[1]",
             "destroy s[0]", "destroy s[1]", "destroy s[2]"}));
  const Trace &trace = *findTrace("go", program);
  EXPECT_NE(trace.steps[6].stream, trace.steps[7].stream);
  EXPECT_EQ(trace.streams[trace.steps[4].stream].blocking,
            Stream::Blocking::No);
}

TEST(RuntimeCalls, StreamsInALoopOfUnknownLength) {
  Program program = readSnippet(R"(
    void go(int n) {
      cudaStream_t *s = new cudaStream_t[n];
      for (int i = 0; i < n; i++) cudaStreamCreate(&s[i]);
      for (int i = 0; i < n; i++) front<<<i, 1, 0, s[i]>>>(nullptr);
      cudaStream_t fixed[2];
      cudaStreamCreate(&fixed[0]);
      cudaStreamCreate(&fixed[1]);
      for (int i = 0; i < n; i++) back<<<1, 1, 0, fixed[i % 2]>>>(nullptr);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"launch front i 1 0 on s[0] in loop 1 turn 0",
                   "launch front i + 1 1 0 on s[1] in loop 1 turn 1",
                   "launch back 1 1 0 on fixed[0] in loop 2 turn 0",
                   "launch back 1 1 0 on fixed[1] in loop 2 turn 1"}));
}

TEST(RuntimeCalls, StreamsThatDependOnACondition) {
  Program program = readSnippet(R"(
    void go(bool b, cudaStream_t s, cudaStream_t t) {
      cudaStream_t chosen = b ? s : t;
      front<<<1, 1, 0, chosen>>>(nullptr);
      front<<<2, 1, 0, true ? s : t>>>(nullptr);
      cudaStream_t made = s;
      if (!made) cudaStreamCreate(&made);
      front<<<3, 1, 0, made>>>(nullptr);
    }
  )");
  const Trace &trace = *findTrace("go", program);
  EXPECT_EQ(trace.streams[trace.steps[0].stream].origin,
            Stream::Origin::Unknown);
  EXPECT_EQ(trace.streams[trace.steps[1].stream].name, "s");
  EXPECT_EQ(trace.streams[trace.steps[2].stream].origin,
            Stream::Origin::Unknown);
}

TEST(RuntimeCalls, AStreamMadeElsewhereIsOneStream) {
  Program program = readSnippet(R"(
    void make(cudaStream_t *);
    struct Pool { cudaStream_t a, b; Pool(); void use(); };
    void go() {
      cudaStream_t s;
      make(&s);
      front<<<1, 1, 0, s>>>(nullptr);
      front<<<2, 1, 0, s>>>(nullptr);
      Pool pool;
      front<<<3, 1, 0, pool.a>>>(nullptr);
      front<<<4, 1, 0, pool.b>>>(nullptr);
      pool.use();
      front<<<5, 1, 0, pool.a>>>(nullptr);
    }
  )");
  const Trace &trace = *findTrace("go", program);
  ASSERT_EQ(trace.steps.size(), 6u);
  EXPECT_EQ(steps("go", program)[0], "opaque make");
  EXPECT_EQ(trace.streams[trace.steps[1].stream].origin,
            Stream::Origin::External);
  EXPECT_EQ(trace.steps[1].stream, trace.steps[2].stream);
  EXPECT_NE(trace.steps[3].stream, trace.steps[4].stream);
  EXPECT_EQ(trace.steps[3].stream, trace.steps[5].stream);
}

TEST(RuntimeCalls, Events) {
  Program program = readSnippet(R"(
    void go(cudaStream_t s, cudaStream_t t, cudaEvent_t given) {
      cudaEvent_t e, f[2];
      cudaEventCreate(&e);
      for (auto &one : f) cudaEventCreateWithFlags(&one, cudaEventDisableTiming);
      front<<<1, 1, 0, s>>>(nullptr);
      cudaEventRecord(e, s);
      cudaStreamWaitEvent(t, e, 0);
      cudaEventRecord(f[1], t);
      cudaEventRecord(e);
      cudaEventSynchronize(f[1]);
      cudaStreamWaitEvent(t, given);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"launch front 1 1 0 on s", "record e on s", "t waits for e",
                   "record f[1] on t", "record e on default stream",
                   "synchronize event f[1]", "t waits for given"}));
}

TEST(RuntimeCalls, Synchronisation) {
  Program program = readSnippet(R"(
    void go(cudaStream_t s, cudaEvent_t e) {
      cudaDeviceSynchronize();
      cudaStreamSynchronize(s);
      cudaStreamSynchronize(0);
      while (cudaStreamQuery(s) == cudaErrorNotReady) {}
      cudaEventQuery(e);
    }
  )");
  auto result = steps("go", program);
  ASSERT_EQ(result.size(), 7u);
  EXPECT_EQ(result[0], "synchronize device");
  EXPECT_EQ(result[1], "synchronize s");
  EXPECT_EQ(result[2], "synchronize default stream");
  EXPECT_EQ(result[3], "opaque cudaStreamQuery on s in loop 0 turn 0");
  // The loop ends when the stream is done.
  EXPECT_EQ(result[5], "synchronize s");
  EXPECT_EQ(result[6], "opaque cudaEventQuery for e");
}

TEST(RuntimeCalls, Memory) {
  Program program = readSnippet(R"(
    __constant__ int table[4];
    void go(int *h, cudaStream_t s) {
      int *d;
      cudaMalloc(&d, 64);
      cudaMallocHost((void **)&h, 64);
      cudaMemcpy(d, h, 64, cudaMemcpyHostToDevice);
      cudaMemcpy(d, d + 8, 32, cudaMemcpyDeviceToDevice);
      cudaMemcpyAsync(h, d, 64, cudaMemcpyDeviceToHost, s);
      cudaMemset(d, 0, 64);
      cudaMemsetAsync(d, 0, 64, s);
      cudaMemcpyToSymbol(table, h, 16);
      cudaFree(d);
      cudaFree(0);
      cudaFreeHost(h);
      cudaFreeAsync(d, s);
    }
  )");
  EXPECT_EQ(
      steps("go", program),
      (Steps{"allocate cudaMalloc", "allocate cudaMallocHost",
             "cudaMemcpy on default stream waits",
             "cudaMemcpy on default stream", "cudaMemcpyAsync on s",
             "cudaMemset on default stream", "cudaMemsetAsync on s",
             "cudaMemcpyToSymbol on default stream waits", "implicit cudaFree",
             "implicit cudaFreeHost", "cudaFreeAsync on s"}));
}

TEST(RuntimeCalls, Limits) {
  Program program = readSnippet(R"(
    void go() {
      cudaDeviceSetLimit(cudaLimitStackSize, 4096);
      cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20);
      cudaCtxResetPersistingL2Cache();
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"implicit cudaDeviceSetLimit",
                   "implicit cudaCtxResetPersistingL2Cache"}));
}

TEST(RuntimeCalls, FunctionAttributes) {
  Program program = readSnippet(R"(
    template <int N> __global__ void tile(int *p) {}
    void go(int bytes) {
      cudaFuncSetAttribute(front, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536);
      cudaFuncSetAttribute((const void *)tile<4>, cudaFuncAttributePreferredSharedMemoryCarveout, bytes);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"MaxDynamicSharedMemorySize of front = 65536",
                   "PreferredSharedMemoryCarveout of tile<4> = bytes"}));
}

TEST(RuntimeCalls, ChecksOfErrorsDoNotDisturb) {
  Program program = readSnippet(R"(
#define CHECK(call)                                                            \
  do {                                                                         \
    cudaError_t error = (call);                                                \
    if (error != cudaSuccess) {                                                \
      printf("%s\n", cudaGetErrorString(error));                               \
      exit(EXIT_FAILURE);                                                      \
    }                                                                          \
  } while (0)
    inline void check(cudaError_t error, const char *file, int line) {
      if (error) { fprintf(stderr, "%s:%d", file, line); cudaDeviceReset(); exit(1); }
    }
    bool failed(cudaError_t error) { return error != cudaSuccess; }
    int go(int *d) {
      CHECK(cudaMalloc(&d, 4));
      check(cudaMemset(d, 0, 4), __FILE__, __LINE__);
      front<<<1, 1>>>(d);
      CHECK(cudaGetLastError());
      if (failed(cudaDeviceSynchronize())) return 1;
      if (cudaFree(d) != cudaSuccess) { back<<<1, 1>>>(d); return 2; }
      cudaError_t last = cudaPeekAtLastError();
      if (last == cudaSuccess) front<<<2, 1>>>(d);
      return 0;
    }
  )");
  EXPECT_EQ(
      steps("go", program),
      (Steps{"allocate cudaMalloc", "cudaMemset on default stream",
             "launch front 1 1 0 on default stream", "synchronize device",
             "implicit cudaFree", "launch front 2 1 0 on default stream"}));
}

TEST(RuntimeCalls, UnknownCallsWithAStream) {
  Program program = readSnippet(R"(
    void library(float *p, cudaStream_t s);
    struct Handle; int setStream(Handle *h, cudaStream_t s);
    void plain(int);
    void go(float *p, cudaStream_t s, Handle *h) {
      library(p, s);
      plain(3);
      setStream(h, s);
    }
  )");
  EXPECT_EQ(steps("go", program), (Steps{"opaque library on s", "opaque plain",
                                         "opaque setStream on s"}));
}

TEST(RuntimeCalls, DestructorsOfLocals) {
  Program program = readSnippet(R"(
    struct Guard {
      int *p;
      Guard() { cudaMalloc(&p, 4); }
      ~Guard() { cudaFree(p); }
    };
    struct StreamHolder {
      cudaStream_t s;
      StreamHolder() { cudaStreamCreate(&s); }
      ~StreamHolder() { cudaStreamDestroy(s); }
      operator cudaStream_t() const { return s; }
    };
    void go() {
      {
        Guard guard;
        StreamHolder holder;
        front<<<1, 1, 0, holder>>>(guard.p);
      }
      back<<<2, 1>>>(nullptr);
    }
  )");
  auto result = steps("go", program);
  EXPECT_EQ(result,
            (Steps{"allocate cudaMalloc", "launch front 1 1 0 on holder.s",
                   "destroy holder.s", "implicit cudaFree",
                   "launch back 2 1 0 on default stream"}));
}

TEST(RuntimeCalls, ArraysOfObjects) {
  Program program = readSnippet(R"(
    struct Lane {
      cudaStream_t s;
      Lane() { cudaStreamCreate(&s); }
      ~Lane() { cudaStreamDestroy(s); }
    };
    void go() {
      {
        Lane lanes[2];
        Lane more[2] = {};
        front<<<1, 1, 0, lanes[0].s>>>(nullptr);
        back<<<2, 1, 0, lanes[1].s>>>(nullptr);
        back<<<3, 1, 0, more[1].s>>>(nullptr);
      }
    }
  )");
  EXPECT_EQ(
      steps("go", program),
      (Steps{"launch front 1 1 0 on lanes[0].s",
             "launch back 2 1 0 on lanes[1].s",
             "launch back 3 1 0 on more[1].s", "destroy more[1].s",
             "destroy more[0].s", "destroy lanes[1].s", "destroy lanes[0].s"}));
}

TEST(RuntimeCalls, WhatTheDeviceAnswersHasItsName) {
  Program program = readSnippet(R"(
    void go() {
      cudaDeviceProp prop;
      cudaGetDeviceProperties(&prop, 0);
      int count = 7, blocks = 8, threads = 9;
      cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, 0);
      cudaOccupancyMaxPotentialBlockSize(&blocks, &threads, front);
      front<<<prop.multiProcessorCount * 2, 1>>>(nullptr);
      front<<<count, 1>>>(nullptr);
      front<<<blocks, threads>>>(nullptr);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"launch front multiProcessorCount * 2 1 0 on default stream",
                   "launch front multiProcessorCount 1 0 on default stream",
                   "launch front potentialGrid(front) potentialBlock(front) 0 "
                   "on default stream"}));
}

TEST(RuntimeCalls, ThreadsAndCallbacks) {
  Program program = readSnippet(R"(
    #include <thread>
    void later(void (*)(), int);
    void work(int n, cudaStream_t s) { front<<<n, 1, 0, s>>>(nullptr); }
    void go(cudaStream_t s) {
      std::thread one(work, 3, s);
      std::thread two([&] { back<<<4, 1, 0, s>>>(nullptr); });
      one.join();
      two.join();
    }
  )");
  const Trace &trace = *findTrace("go", program);
  std::vector<std::pair<Step::Kind, unsigned>> kinds;
  for (const Step &step : trace.steps)
    kinds.push_back({step.kind, step.kind == Step::Kind::Launch
                                    ? step.thread
                                    : step.otherThread});
  using Kind = Step::Kind;
  EXPECT_EQ(kinds, (decltype(kinds){{Kind::ThreadStart, 1},
                                    {Kind::Launch, 1},
                                    {Kind::ThreadStart, 2},
                                    {Kind::Launch, 2},
                                    {Kind::ThreadJoin, 1},
                                    {Kind::ThreadJoin, 2}}));
  EXPECT_TRUE(program.lostLaunches.empty());
}

TEST(RuntimeCalls, StreamCapture) {
  Program program = readSnippet(R"(
    void go(cudaStream_t s) {
      cudaGraph_t graph;
      cudaGraphExec_t executable;
      cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal);
      front<<<1, 1, 0, s>>>(nullptr);
      cudaStreamEndCapture(s, &graph);
      cudaGraphInstantiate(&executable, graph);
      for (int i = 0; i < 2; ++i) cudaGraphLaunch(executable, s);
    }
  )");
  const Trace &trace = *findTrace("go", program);
  ASSERT_EQ(trace.steps.size(), 5u);
  EXPECT_EQ(trace.steps[0].kind, Step::Kind::CaptureBegin);
  EXPECT_EQ(trace.steps[2].kind, Step::Kind::CaptureEnd);
  EXPECT_EQ(trace.graphs[trace.steps[2].graph].name, "graph");
  EXPECT_EQ(trace.steps[4].kind, Step::Kind::GraphLaunch);
  EXPECT_EQ(trace.graphs[trace.steps[4].graph].of, trace.steps[2].graph);
}

TEST(RuntimeCalls, Devices) {
  Program program = readSnippet(R"(
    void go(int n) {
      front<<<1, 1>>>(nullptr);
      cudaSetDevice(1);
      cudaStream_t s;
      cudaStreamCreate(&s);
      front<<<2, 1>>>(nullptr);
      cudaSetDevice(n);
      front<<<3, 1, 0, s>>>(nullptr);
    }
  )");
  const Trace &trace = *findTrace("go", program);
  EXPECT_EQ(trace.steps[0].device, 0);
  EXPECT_EQ(trace.steps[1].device, 1);
  EXPECT_LT(trace.steps[2].device, 0);
  EXPECT_EQ(trace.streams[trace.steps[2].stream].device, 1);
}

TEST(RuntimeCalls, HIPIsReadTheSameWay) {
  Program program = readSnippet(R"(
    struct ihipStream_t; typedef ihipStream_t *hipStream_t;
    enum hipError_t { hipSuccess };
    extern "C" hipError_t hipStreamCreate(hipStream_t *);
    extern "C" hipError_t hipDeviceSynchronize();
    extern "C" hipError_t hipMemcpyAsync(void *, const void *, size_t, int, hipStream_t);
    void go() {
      hipStream_t s;
      if (hipStreamCreate(&s) != hipSuccess) return;
      hipMemcpyAsync(nullptr, nullptr, 4, 1, s);
      hipDeviceSynchronize();
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"cudaMemcpyAsync on s", "synchronize device"}));
}

} // namespace
