// More streams than hardware queues: what was issued later stands behind what
// waits.
//
// RUN: %python %S/check.py %coreside %s
// RUN: %python %S/check.py %coreside %s --prefix=MANY --connections=32
// RUN: %python %S/check.py %coreside %s --prefix=ONE --connections=1

#include "Inputs/kernels.h"

struct Streams {
  cudaStream_t all[12];
  Streams() {
    for (auto &one : all)
      cudaStreamCreate(&one);
  }
};

// Streams 0 and 8 share a queue: b on 0 waits for a on 0, and a on 8 stands
// behind it.
// EXPECT a#1 a#9: may overlap, sharesQueue, queuedBehind
// EXPECT a#1 a#2: may overlap, no sharesQueue, no queuedBehind
// EXPECT b#1 a#9: may overlap, no queuedBehind
// MANY a#1 a#9: may overlap, no queuedBehind
// ONE a#1 a#2: may overlap, queuedBehind
void depthFirst() {
  Streams streams;
  for (auto &one : streams.all) {
    a<<<1, 32, 0, one>>>();
    b<<<1, 32, 0, one>>>();
  }
}

// EXPECT a#1 a#9: may overlap, no queuedBehind
// EXPECT a#1 b#9: may overlap, queuedBehind
// ONE a#1 a#2: may overlap, no queuedBehind
void breadthFirst() {
  Streams streams;
  for (auto &one : streams.all)
    a<<<1, 32, 0, one>>>();
  for (auto &one : streams.all)
    b<<<1, 32, 0, one>>>();
}

// EXPECT a#1 a#9: may overlap, sharesQueue, no queuedBehind
void oneKernelEach() {
  Streams streams;
  for (auto &one : streams.all)
    a<<<1, 32, 0, one>>>();
}

// EXPECT a#1 a#2: may overlap, no queuedBehind
void fewStreams() {
  cudaStream_t streams[4];
  for (auto &one : streams)
    cudaStreamCreate(&one);
  for (auto &one : streams) {
    a<<<1, 32, 0, one>>>();
    b<<<1, 32, 0, one>>>();
  }
}
