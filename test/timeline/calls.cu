// Functions of the file are followed with their callers' streams.
//
// RUN: %python %S/check.py %coreside %s
// RUN: %coreside check %s --gpu h100 --cuda-path=none --dump=timeline -- \
// RUN:   | FileCheck %s

#include "Inputs/kernels.h"

#include <functional>

static void launchA(cudaStream_t stream) { a<<<1, 32, 0, stream>>>(); }
static void launchB(cudaStream_t stream) { b<<<1, 32, 0, stream>>>(); }
static void waitFor(cudaStream_t stream) { cudaStreamSynchronize(stream); }

// EXPECT a b: may overlap, intended
// CHECK-LABEL: "function": "ofDifferentStreams"
// CHECK: "kernel": "a"
// CHECK: "path": [
// CHECK-NEXT: "launchA from {{.*}}calls.cu:[[#@LINE+6]]:3"
// CHECK: "relation": "may overlap"
void ofDifferentStreams() {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  launchA(s);
  launchB(t);
}

// EXPECT a b: ordered
void ofOneStream() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  launchA(s);
  launchB(s);
}

// EXPECT a b: ordered "the host waits for stream 's'"
void waitInACall(cudaStream_t s, cudaStream_t t) {
  launchA(s);
  waitFor(s);
  launchB(t);
}

static void both(cudaStream_t one, cudaStream_t other) {
  a<<<1, 32, 0, one>>>();
  b<<<1, 32, 0, other>>>();
}

// What looks like two streams inside is one.
// EXPECT a b: ordered
void oneStreamTwice(cudaStream_t s) { both(s, s); }

// EXPECT a#1 b#1: may overlap
// EXPECT b#1 a#2: ordered
// EXPECT a#1 b#2: ordered
void turnedAround(cudaStream_t s, cudaStream_t t) {
  both(s, t);
  both(t, s);
}

static void byPointer(cudaStream_t *streams) {
  a<<<1, 32, 0, streams[0]>>>();
  b<<<1, 32, 0, streams[1]>>>();
}

// EXPECT a b: may overlap
void arrayToACall() {
  cudaStream_t streams[2];
  cudaStreamCreate(&streams[0]);
  cudaStreamCreate(&streams[1]);
  byPointer(streams);
}

static cudaStream_t make() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  return s;
}

// EXPECT a b: may overlap, intended
void madeByACall() {
  cudaStream_t s = make(), t = make();
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void lambdas(cudaStream_t s, cudaStream_t t) {
  auto first = [&] { a<<<1, 32, 0, s>>>(); };
  auto second = [=](cudaStream_t stream) { b<<<1, 32, 0, stream>>>(); };
  first();
  second(t);
}

// EXPECT a b: ordered
void standardFunction(cudaStream_t s) {
  std::function<void()> work = [s] { a<<<1, 32, 0, s>>>(); };
  work();
  b<<<1, 32, 0, s>>>();
}

template <class Work> static void run(Work work, cudaStream_t stream) {
  work(stream);
}

// EXPECT a b: may overlap
void functionsAsArguments(cudaStream_t s, cudaStream_t t) {
  run(launchA, s);
  run(launchB, t);
}

static void recursive(cudaStream_t s, int depth) {
  a<<<1, 32, 0, s>>>();
  if (depth > 0)
    recursive(s, depth - 1);
}

// EXPECT cut "recursion in 'recursive'"
// EXPECT a b: may overlap
void callsItself(cudaStream_t s, cudaStream_t t, int depth) {
  recursive(s, depth);
  b<<<1, 32, 0, t>>>();
}

static void optional(cudaStream_t stream = nullptr) {
  a<<<1, 32, 0, stream>>>();
}

// EXPECT a#1 a#2: ordered
void defaultArgument() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  optional();
  optional(s);
}

// EXPECT a#1 a#2: may overlap
void defaultArgumentNonBlocking() {
  cudaStream_t s;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  optional();
  optional(s);
}
