// Host threads: what one waits for says nothing to another, and nobody knows in
// which order they make their calls.
//
// RUN: %python %S/check.py %coreside %s
// RUN: %python %S/check.py %coreside %s --prefix=THREAD -- \
// RUN:   --default-stream per-thread
// RUN: %python %S/check.py %coreside %s --prefix=OPENMP -- -Xcompiler -fopenmp

#include "Inputs/kernels.h"

#include <thread>
#include <vector>

// EXPECT a b: may overlap
void aThreadForEach(cudaStream_t s, cudaStream_t t) {
  std::thread one([=] { a<<<1, 32, 0, s>>>(); });
  std::thread other([=] { b<<<1, 32, 0, t>>>(); });
  one.join();
  other.join();
}

// One waits, the other does not know.
// EXPECT a b: may overlap
void oneThreadWaits(cudaStream_t s, cudaStream_t t) {
  std::thread one([=] {
    a<<<1, 32, 0, s>>>();
    cudaStreamSynchronize(s);
  });
  std::thread other([=] { b<<<1, 32, 0, t>>>(); });
  one.join();
  other.join();
}

// EXPECT a b: ordered
void waitsAndIsJoined(cudaStream_t s, cudaStream_t t) {
  std::thread one([=] {
    a<<<1, 32, 0, s>>>();
    cudaStreamSynchronize(s);
  });
  one.join();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void isJoinedWithoutWaiting(cudaStream_t s, cudaStream_t t) {
  std::thread one([=] { a<<<1, 32, 0, s>>>(); });
  one.join();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: ordered
void oneStream(cudaStream_t s) {
  std::thread one([=] { a<<<1, 32, 0, s>>>(); });
  std::thread other([=] { b<<<1, 32, 0, s>>>(); });
  one.join();
  other.join();
}

// EXPECT a b: ordered
// THREAD a b: may overlap
void defaultStreams() {
  std::thread one([] { a<<<1, 32>>>(); });
  std::thread other([] { b<<<1, 32>>>(); });
  one.join();
  other.join();
}

// EXPECT a b: ordered
void mainWaitedBeforeTheStart(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  cudaStreamSynchronize(s);
  std::thread other([=] { b<<<1, 32, 0, t>>>(); });
  other.join();
}

// Perhaps the other thread waits before a is launched, perhaps after.
// EXPECT a b: unknown
void waitsForTheDeviceMeanwhile(cudaStream_t s, cudaStream_t t) {
  std::thread one([=] { a<<<1, 32, 0, s>>>(); });
  std::thread other([=] {
    cudaDeviceSynchronize();
    b<<<1, 32, 0, t>>>();
  });
  one.join();
  other.join();
}

// Perhaps the wait comes before the record.
// EXPECT a b: unknown
void eventBetweenThreads(cudaStream_t s, cudaStream_t t) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  std::thread one([=] {
    a<<<1, 32, 0, s>>>();
    cudaEventRecord(e, s);
  });
  std::thread other([=] {
    cudaStreamWaitEvent(t, e);
    b<<<1, 32, 0, t>>>();
  });
  one.join();
  other.join();
}

static void worker(cudaStream_t stream) { a<<<1, 32, 0, stream>>>(); }

// EXPECT a#1 a#2: may overlap
void vectorOfThreads() {
  cudaStream_t streams[2];
  std::vector<std::thread> threads;
  for (auto &one : streams)
    cudaStreamCreate(&one);
  for (int i = 0; i < 2; ++i)
    threads.emplace_back(worker, streams[i]);
  for (auto &one : threads)
    one.join();
}

// EXPECT a#1 a#2: may overlap
// EXPECT a#1 b: ordered
// EXPECT a#2 b: ordered
void joinedThenWaitedFor(cudaStream_t s, cudaStream_t t) {
  std::thread one(worker, s);
  std::thread other(worker, t);
  one.join();
  other.join();
  cudaDeviceSynchronize();
  b<<<1, 32, 0, s>>>();
}

// EXPECT a b: unknown
void waitedForButNotJoined(cudaStream_t s, cudaStream_t t) {
  std::thread one(worker, s);
  cudaDeviceSynchronize();
  b<<<1, 32, 0, t>>>();
  one.join();
}

#ifdef _OPENMP
// OPENMP a#1 b#1: may overlap
// OPENMP a#1 a#2: ordered
// OPENMP a#1 b#2: may overlap
// OPENMP a#2 c: ordered
void parallelRegion(cudaStream_t s, cudaStream_t t) {
#pragma omp parallel
  {
    a<<<1, 32, 0, s>>>();
    b<<<1, 32, 0, t>>>();
  }
  cudaDeviceSynchronize();
  c<<<1, 32, 0, s>>>();
}

// One member of the team waits, the other does not know.
// OPENMP a#1 b#1: ordered
// OPENMP a#1 b#2: unknown
void parallelRegionThatWaits(cudaStream_t s, cudaStream_t t) {
#pragma omp parallel num_threads(2)
  {
    a<<<1, 32, 0, s>>>();
    cudaDeviceSynchronize();
    b<<<1, 32, 0, t>>>();
  }
}

// OPENMP a#1 a#2: may overlap
void parallelLoop() {
  cudaStream_t streams[2];
  for (auto &one : streams)
    cudaStreamCreate(&one);
#pragma omp parallel for
  for (int i = 0; i < 2; ++i)
    a<<<1, 32, 0, streams[i]>>>();
}
#endif

#include <future>

// EXPECT a b: may overlap
void twoFutures(cudaStream_t s, cudaStream_t t) {
  auto one = std::async(std::launch::async, [=] { a<<<1, 32, 0, s>>>(); });
  auto other = std::async(std::launch::async, [=] { b<<<1, 32, 0, t>>>(); });
  one.get();
  other.get();
}

// EXPECT a b: ordered "the host waits"
void waitsForAFuture(cudaStream_t s, cudaStream_t t) {
  std::future<void> one = std::async(std::launch::async, [=] {
    a<<<1, 32, 0, s>>>();
    cudaStreamSynchronize(s);
  });
  one.wait();
  b<<<1, 32, 0, t>>>();
}

#include <functional>
#include <queue>

// The queue may be worked off by another thread, at any time.
// EXPECT a b: unknown
void workInAQueue(cudaStream_t s, cudaStream_t t) {
  std::queue<std::function<void()>> queue;
  queue.push([=] { a<<<1, 32, 0, s>>>(); });
  cudaDeviceSynchronize();
  b<<<1, 32, 0, t>>>();
}

#ifdef _OPENMP
// OPENMP a b: may overlap
// OPENMP a c: ordered
void sections(cudaStream_t s, cudaStream_t t) {
#pragma omp parallel sections
  {
#pragma omp section
    a<<<1, 32, 0, s>>>();
#pragma omp section
    b<<<1, 32, 0, t>>>();
  }
  cudaDeviceSynchronize();
  c<<<1, 32, 0, s>>>();
}
#endif
