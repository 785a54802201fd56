// Loops, unrolled and not, and the launches of one turn against the next one's.
// The number of turns of `count` is not known.
//
// RUN: %python %S/check.py %coreside %s

#include "Inputs/kernels.h"

#include <vector>

// EXPECT a#1 a#2: may overlap
// EXPECT a#1 a#4: may overlap
void aStreamForEachTurn() {
  cudaStream_t streams[4];
  for (int i = 0; i < 4; ++i)
    cudaStreamCreate(&streams[i]);
  for (int i = 0; i < 4; ++i)
    a<<<1, 32, 0, streams[i]>>>();
}

// EXPECT a#1 a#2: ordered
void oneStreamForAllTurns(cudaStream_t s) {
  for (int i = 0; i < 4; ++i)
    a<<<1, 32, 0, s>>>();
}

// EXPECT a#1 a#2: ordered
void oneStreamForUnknownTurns(cudaStream_t s, int count) {
  for (int i = 0; i < count; ++i)
    a<<<1, 32, 0, s>>>();
}

// EXPECT a#1 a#2: may overlap
void aStreamForEachUnknownTurn(int count) {
  std::vector<cudaStream_t> streams(count);
  for (int i = 0; i < count; ++i)
    cudaStreamCreate(&streams[i]);
  for (int i = 0; i < count; ++i)
    a<<<1, 32, 0, streams[i]>>>();
}

// Turns 0 and 8 are on one stream, 0 and 9 are not.
// EXPECT a#1 a#9: ordered "both on stream 'streams[0]'"
// EXPECT a#1 a#10: may overlap
// EXPECT a#8 a#16: ordered
void indexByRemainder() {
  cudaStream_t streams[8];
  for (int i = 0; i < 8; ++i)
    cudaStreamCreate(&streams[i]);
  for (int i = 0; i < 16; ++i)
    a<<<1, 32, 0, streams[i % 8]>>>();
}

// EXPECT a#1 a#2: may overlap
void indexByRemainderUnknownTurns(int count) {
  cudaStream_t streams[8];
  for (int i = 0; i < 8; ++i)
    cudaStreamCreate(&streams[i]);
  for (int i = 0; i < count; ++i)
    a<<<1, 32, 0, streams[i % 8]>>>();
}

// EXPECT a#1 a#2: ordered
void remainderOfOne(int count) {
  cudaStream_t streams[1];
  cudaStreamCreate(&streams[0]);
  for (int i = 0; i < count; ++i)
    a<<<1, 32, 0, streams[i % 1]>>>();
}

// EXPECT a#1 b#1: may overlap
// EXPECT a#1 a#2: may overlap
// EXPECT b#1 a#2: ordered "both on stream 'streams[1]'"
void neighbours() {
  cudaStream_t streams[4];
  for (int i = 0; i < 4; ++i)
    cudaStreamCreate(&streams[i]);
  for (int i = 0; i < 3; ++i) {
    a<<<1, 32, 0, streams[i]>>>();
    b<<<1, 32, 0, streams[i + 1]>>>();
  }
}

// EXPECT a#1 b#1: may overlap
// EXPECT b#1 a#2: ordered
void neighboursUnknownTurns(int count) {
  cudaStream_t streams[65];
  for (int i = 0; i < 65; ++i)
    cudaStreamCreate(&streams[i]);
  for (int i = 0; i + 1 < count; ++i) {
    a<<<1, 32, 0, streams[i]>>>();
    b<<<1, 32, 0, streams[i + 1]>>>();
  }
}

// EXPECT a#1 b#1: may overlap
// EXPECT a#1 a#2: ordered
// EXPECT a#1 b#2: may overlap
// EXPECT b#1 a#2: may overlap
void twoStreamsUnknownTurns(cudaStream_t s, cudaStream_t t, int count) {
  for (int i = 0; i < count; ++i) {
    a<<<1, 32, 0, s>>>();
    b<<<1, 32, 0, t>>>();
  }
}

// EXPECT a#1 b#1: may overlap
// EXPECT a#1 b#2: ordered "the host waits for the device"
// EXPECT b#1 a#2: ordered
void waitsAtTheEndOfATurn(cudaStream_t s, cudaStream_t t, int count) {
  for (int i = 0; i < count; ++i) {
    a<<<1, 32, 0, s>>>();
    b<<<1, 32, 0, t>>>();
    cudaDeviceSynchronize();
  }
}

// The next turn's a waits for this turn's b.
// EXPECT a#1 b#1: ordered
// EXPECT b#1 a#2: ordered
void pingPong(cudaStream_t s, cudaStream_t t, int count) {
  cudaEvent_t e, f;
  cudaEventCreate(&e);
  cudaEventCreate(&f);
  for (int i = 0; i < count; ++i) {
    cudaStreamWaitEvent(s, f);
    a<<<1, 32, 0, s>>>();
    cudaEventRecord(e, s);
    cudaStreamWaitEvent(t, e);
    b<<<1, 32, 0, t>>>();
    cudaEventRecord(f, t);
  }
}

// A pipeline: b works on what a made, while a makes the next.
// EXPECT a#1 b#1: ordered
// EXPECT b#1 a#2: may overlap
void pipeline(cudaStream_t s, cudaStream_t t, int count) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  for (int i = 0; i < count; ++i) {
    a<<<1, 32, 0, s>>>();
    cudaEventRecord(e, s);
    cudaStreamWaitEvent(t, e);
    b<<<1, 32, 0, t>>>();
  }
}

// EXPECT a b: may overlap
void waitsInALoopThatMayNotRun(cudaStream_t s, cudaStream_t t, int count) {
  a<<<1, 32, 0, s>>>();
  for (int i = 0; i < count; ++i)
    cudaStreamSynchronize(s);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: ordered
void waitsInALoopThatRuns(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  for (int i = 0; i < 2; ++i)
    cudaStreamSynchronize(s);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: ordered
void waitsForAllStreams() {
  cudaStream_t streams[4];
  for (auto &one : streams)
    cudaStreamCreate(&one);
  a<<<1, 32, 0, streams[2]>>>();
  for (auto &one : streams)
    cudaStreamSynchronize(one);
  b<<<1, 32, 0, streams[3]>>>();
}

// EXPECT a b#1: ordered
// EXPECT b#1 b#2: may overlap
// EXPECT b#2 c: ordered
void fanOutAndIn(cudaStream_t main) {
  cudaStream_t streams[3];
  cudaEvent_t done[3], start;
  cudaEventCreate(&start);
  for (int i = 0; i < 3; ++i) {
    cudaStreamCreate(&streams[i]);
    cudaEventCreate(&done[i]);
  }
  a<<<1, 32, 0, main>>>();
  cudaEventRecord(start, main);
  for (int i = 0; i < 3; ++i) {
    cudaStreamWaitEvent(streams[i], start);
    b<<<1, 32, 0, streams[i]>>>();
    cudaEventRecord(done[i], streams[i]);
  }
  for (int i = 0; i < 3; ++i)
    cudaStreamWaitEvent(main, done[i]);
  c<<<1, 32, 0, main>>>();
}

// EXPECT a#1 a#2: ordered
// EXPECT a#2 b: ordered
void depthFirst() {
  cudaStream_t streams[2];
  for (auto &one : streams)
    cudaStreamCreate(&one);
  for (auto &one : streams) {
    a<<<1, 32, 0, one>>>();
    cudaStreamSynchronize(one);
  }
  b<<<1, 32, 0, streams[0]>>>();
}

// EXPECT a#1 a#2: ordered
void whileLoop(cudaStream_t s, bool *more) {
  while (*more)
    a<<<1, 32, 0, s>>>();
}

// EXPECT a#1 b#1: may overlap
void nestedLoops(cudaStream_t s, cudaStream_t t, int rows, int columns) {
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      a<<<1, 32, 0, s>>>();
      b<<<1, 32, 0, t>>>();
    }
}

// In the turn where i and j are the same, the other arm is not taken.
// EXPECT a b: may overlap
// EXPECT a c: unknown "streams[j]"
void anArmOfOtherTurns(cudaStream_t *streams, cudaStream_t *others, int count) {
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) {
      a<<<1, 32, 0, streams[i]>>>();
      if (i == j)
        b<<<1, 32, 0, others[j]>>>();
      else
        c<<<1, 32, 0, streams[j]>>>();
    }
}

// EXPECT a c: unknown "streams[j]"
// EXPECT a b: may overlap
void anArmOfOtherTurnsWithVectors(std::vector<cudaStream_t> &streams,
                                  std::vector<cudaStream_t> &others,
                                  int count) {
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < count; ++j) {
      a<<<1, 32, 0, streams[i]>>>();
      if (i == j)
        b<<<1, 32, 0, others[j]>>>();
      else
        c<<<1, 32, 0, streams[j]>>>();
    }
}
