// Conditions, early returns, and what only some ways through the code do.
//
// RUN: %python %S/check.py %coreside %s

#include "Inputs/kernels.h"

// EXPECT a b: exclusive
void twoArms(cudaStream_t s, cudaStream_t t, bool flag) {
  if (flag)
    a<<<1, 32, 0, s>>>();
  else
    b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void oneArm(cudaStream_t s, cudaStream_t t, bool flag) {
  if (flag)
    a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: exclusive
// EXPECT a c: exclusive
void earlyReturn(cudaStream_t s, cudaStream_t t, bool flag) {
  if (flag) {
    a<<<1, 32, 0, s>>>();
    return;
  }
  b<<<1, 32, 0, t>>>();
  c<<<1, 32, 0, s>>>();
}

// EXPECT a b: may overlap
void waitsOnOneArm(cudaStream_t s, cudaStream_t t, bool flag) {
  a<<<1, 32, 0, s>>>();
  if (flag)
    cudaDeviceSynchronize();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: ordered
// EXPECT a c: may overlap
void waitsOnTheArmOfTheSecond(cudaStream_t s, cudaStream_t t, bool flag) {
  a<<<1, 32, 0, s>>>();
  if (flag) {
    cudaDeviceSynchronize();
    b<<<1, 32, 0, t>>>();
  } else {
    c<<<1, 32, 0, t>>>();
  }
}

// EXPECT a b: may overlap
void recordsOnOneArm(cudaStream_t s, cudaStream_t t, bool flag) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  a<<<1, 32, 0, s>>>();
  if (flag)
    cudaEventRecord(e, s);
  cudaStreamWaitEvent(t, e);
  b<<<1, 32, 0, t>>>();
}

// Where the flag is set, the event says nothing about a.
// EXPECT a b: may overlap
void recordsAgainOnOneArm(cudaStream_t s, cudaStream_t t, cudaStream_t u,
                          bool flag) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  a<<<1, 32, 0, s>>>();
  cudaEventRecord(e, s);
  if (flag)
    cudaEventRecord(e, u);
  cudaStreamWaitEvent(t, e);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: ordered
void oneConditionTwice(cudaStream_t s, cudaStream_t t, int n) {
  if (n > 4)
    a<<<1, 32, 0, s>>>();
  if (n > 4)
    cudaStreamSynchronize(s);
  if (n > 4)
    b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void twoConditions(cudaStream_t s, cudaStream_t t, int n, int m) {
  if (n > 4)
    a<<<1, 32, 0, s>>>();
  if (m > 4)
    cudaStreamSynchronize(s);
  if (n > 4)
    b<<<1, 32, 0, t>>>();
}

// EXPECT a b: exclusive
// EXPECT a d: may overlap
// EXPECT b d: ordered
void cases(cudaStream_t s, cudaStream_t t, int which) {
  switch (which) {
  case 0:
    a<<<1, 32, 0, s>>>();
    break;
  case 1:
    b<<<1, 32, 0, t>>>();
    break;
  default:
    c<<<1, 32, 0, s>>>();
  }
  d<<<1, 32, 0, t>>>();
}

// A call is taken to succeed.
// EXPECT a b: may overlap
void failures(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  if (cudaGetLastError() != cudaSuccess) {
    cudaDeviceSynchronize();
    return;
  }
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: ordered
void conditionThatIsKnown(cudaStream_t s, cudaStream_t t) {
  constexpr bool careful = true;
  a<<<1, 32, 0, s>>>();
  if (careful)
    cudaDeviceSynchronize();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void conditionThatIsKnownNot(cudaStream_t s, cudaStream_t t) {
  constexpr bool careful = false;
  a<<<1, 32, 0, s>>>();
  if (careful)
    cudaDeviceSynchronize();
  b<<<1, 32, 0, t>>>();
}

// The stream is another one on each arm.
// EXPECT a b: unknown
void streamByCondition(cudaStream_t s, cudaStream_t t, bool flag) {
  cudaStream_t chosen = s;
  if (flag)
    chosen = t;
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, chosen>>>();
}

// EXPECT a b: may overlap
// EXPECT a c: ordered
void bothArmsWait(cudaStream_t s, cudaStream_t t, bool flag) {
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, t>>>();
  if (flag) {
    cudaDeviceSynchronize();
    c<<<1, 32, 0, t>>>();
  } else {
    cudaDeviceSynchronize();
    d<<<1, 32, 0, t>>>();
  }
}

// What a switch is about does not change from turn to turn.
// EXPECT a b: exclusive
// EXPECT a a#2: may overlap
// EXPECT a b#2: exclusive
void switchInALoop(cudaStream_t *streams, int kind, int count) {
  for (int i = 0; i < count; ++i)
    switch (kind) {
    case 1:
      a<<<1, 32, 0, streams[i]>>>();
      break;
    default:
      b<<<1, 32, 0, streams[i]>>>();
    }
}

// Two switches on one number have other arms.
// EXPECT a b: may overlap
void twoSwitches(cudaStream_t s, cudaStream_t t, int kind) {
  switch (kind) {
  case 1:
    a<<<1, 32, 0, s>>>();
  }
  switch (kind) {
  case 2:
    break;
  case 1:
    b<<<1, 32, 0, t>>>();
  }
}

struct Settings {
  bool fast;
};

// EXPECT a b#2: exclusive
// EXPECT b a#2: exclusive
// EXPECT b b#2: may overlap
void pointerOrNone(cudaStream_t *streams, const Settings *settings, int count) {
  for (int i = 0; i < count; ++i)
    if (!settings)
      a<<<1, 32, 0, streams[i]>>>();
    else
      b<<<1, 32, 0, streams[i]>>>();
}

// EXPECT a b#2: may overlap
void pointerThatMoves(cudaStream_t *streams, const Settings *settings,
                      int count) {
  const Settings *others[2] = {settings, nullptr};
  for (int i = 0; i < count; ++i) {
    if (!settings)
      a<<<1, 32, 0, streams[i]>>>();
    else
      b<<<1, 32, 0, streams[i]>>>();
    settings = others[i & 1];
  }
}
