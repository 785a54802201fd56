// What events order.
//
// RUN: %python %S/check.py %coreside %s

#include "Inputs/kernels.h"

#include <vector>

// EXPECT a b: ordered "stream 't' waits for event 'e'"
// EXPECT c b: may overlap
void recordAndWait(cudaStream_t s, cudaStream_t t) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  a<<<1, 32, 0, s>>>();
  cudaEventRecord(e, s);
  c<<<1, 32, 0, s>>>();
  cudaStreamWaitEvent(t, e);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void waitBeforeRecord(cudaStream_t s, cudaStream_t t) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  cudaStreamWaitEvent(t, e);
  a<<<1, 32, 0, s>>>();
  cudaEventRecord(e, s);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void neverRecorded(cudaStream_t s, cudaStream_t t) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  a<<<1, 32, 0, s>>>();
  cudaStreamWaitEvent(t, e);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void recordedBeforeTheLaunch(cudaStream_t s, cudaStream_t t) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  cudaEventRecord(e, s);
  a<<<1, 32, 0, s>>>();
  cudaStreamWaitEvent(t, e);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a c: may overlap
// EXPECT b c: ordered
void recordedAgainElsewhere(cudaStream_t s, cudaStream_t t, cudaStream_t u) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  a<<<1, 32, 0, s>>>();
  cudaEventRecord(e, s);
  b<<<1, 32, 0, u>>>();
  cudaEventRecord(e, u);
  cudaStreamWaitEvent(t, e);
  c<<<1, 32, 0, t>>>();
}

// A wait takes what was recorded when it was issued.
// EXPECT a c: ordered
// EXPECT b c: may overlap
void recordedAgainAfterTheWait(cudaStream_t s, cudaStream_t t, cudaStream_t u) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  a<<<1, 32, 0, s>>>();
  cudaEventRecord(e, s);
  cudaStreamWaitEvent(t, e);
  b<<<1, 32, 0, u>>>();
  cudaEventRecord(e, u);
  c<<<1, 32, 0, t>>>();
}

// EXPECT a c: ordered "stream 'u' waits for event 'f'"
void chainOfTwo(cudaStream_t s, cudaStream_t t, cudaStream_t u) {
  cudaEvent_t e, f;
  cudaEventCreate(&e);
  cudaEventCreate(&f);
  a<<<1, 32, 0, s>>>();
  cudaEventRecord(e, s);
  cudaStreamWaitEvent(t, e);
  b<<<1, 32, 0, t>>>();
  cudaEventRecord(f, t);
  cudaStreamWaitEvent(u, f);
  c<<<1, 32, 0, u>>>();
}

// EXPECT a b: ordered
// EXPECT a c: ordered
// EXPECT b c: may overlap
// EXPECT b d: ordered
// EXPECT c d: ordered
void forkAndJoin(cudaStream_t s, cudaStream_t t) {
  cudaEvent_t fork, join;
  cudaEventCreateWithFlags(&fork, cudaEventDisableTiming);
  cudaEventCreateWithFlags(&join, cudaEventDisableTiming);
  a<<<1, 32, 0, s>>>();
  cudaEventRecord(fork, s);
  cudaStreamWaitEvent(t, fork, 0);
  b<<<1, 32, 0, s>>>();
  c<<<1, 32, 0, t>>>();
  cudaEventRecord(join, t);
  cudaStreamWaitEvent(s, join, 0);
  d<<<1, 32, 0, s>>>();
}

// EXPECT b c: may overlap
// EXPECT c d: may overlap
void forkWithoutJoin(cudaStream_t s, cudaStream_t t) {
  cudaEvent_t fork;
  cudaEventCreate(&fork);
  a<<<1, 32, 0, s>>>();
  cudaEventRecord(fork, s);
  cudaStreamWaitEvent(t, fork, 0);
  b<<<1, 32, 0, s>>>();
  c<<<1, 32, 0, t>>>();
  d<<<1, 32, 0, s>>>();
}

// Forks at its beginning, joins at its end.
class Section {
public:
  Section(cudaStream_t main, cudaStream_t side) : Main(main), Side(side) {
    cudaEventCreate(&Event);
    cudaEventRecord(Event, Main);
    cudaStreamWaitEvent(Side, Event, 0);
  }
  ~Section() {
    cudaEventRecord(Event, Side);
    cudaStreamWaitEvent(Main, Event, 0);
    cudaEventDestroy(Event);
  }

private:
  cudaStream_t Main, Side;
  cudaEvent_t Event;
};

// EXPECT a b: ordered
// EXPECT b c: may overlap
// EXPECT b d: ordered
void joinedByADestructor(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  {
    Section section(s, t);
    b<<<1, 32, 0, t>>>();
    c<<<1, 32, 0, s>>>();
  }
  d<<<1, 32, 0, s>>>();
}

// EXPECT a b: ordered "event 'events[0]'"
// EXPECT a c: may overlap
void arrayOfEvents(cudaStream_t s, cudaStream_t t, cudaStream_t u) {
  cudaEvent_t events[2];
  for (cudaEvent_t &one : events)
    cudaEventCreate(&one);
  a<<<1, 32, 0, s>>>();
  cudaEventRecord(events[0], s);
  cudaStreamWaitEvent(t, events[0]);
  cudaStreamWaitEvent(u, events[1]);
  b<<<1, 32, 0, t>>>();
  c<<<1, 32, 0, u>>>();
}

cudaEvent_t somewhere();

// EXPECT a b: unknown "perhaps ordered"
void eventOfAnotherFile(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  cudaStreamWaitEvent(t, somewhere());
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: unknown
void eventByUnknownIndex(cudaStream_t s, cudaStream_t t, int i, int j) {
  cudaEvent_t events[4];
  for (cudaEvent_t &one : events)
    cudaEventCreate(&one);
  a<<<1, 32, 0, s>>>();
  cudaEventRecord(events[i], s);
  cudaStreamWaitEvent(t, events[j]);
  b<<<1, 32, 0, t>>>();
}

// The event of a caller was recorded before anything here.
// EXPECT a b: may overlap
void eventOfTheCaller(cudaStream_t s, cudaStream_t t, cudaEvent_t e) {
  cudaStreamWaitEvent(t, e);
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: ordered "the host waits for event 'e'"
// EXPECT c b: may overlap
void hostWaitsForEvent(cudaStream_t s, cudaStream_t t) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  a<<<1, 32, 0, s>>>();
  cudaEventRecord(e, s);
  c<<<1, 32, 0, s>>>();
  cudaEventSynchronize(e);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void hostWaitsForNothing(cudaStream_t s, cudaStream_t t) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  a<<<1, 32, 0, s>>>();
  cudaEventSynchronize(e);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void createdAndDestroyed(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  cudaEvent_t e;
  cudaEventCreate(&e);
  cudaEventRecord(e, s);
  cudaEventDestroy(e);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void elapsedTimeDoesNotWait(cudaStream_t s, cudaStream_t t, cudaEvent_t e,
                            cudaEvent_t f) {
  float milliseconds;
  a<<<1, 32, 0, s>>>();
  cudaEventElapsedTime(&milliseconds, e, f);
  b<<<1, 32, 0, t>>>();
}

// On its own stream a wait changes nothing.
// EXPECT a b: may overlap
void waitsForItself(cudaStream_t s, cudaStream_t t) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  a<<<1, 32, 0, s>>>();
  cudaEventRecord(e, s);
  cudaStreamWaitEvent(s, e);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a c: ordered
// EXPECT b c: ordered
void waitsForTwo(cudaStream_t s, cudaStream_t t, cudaStream_t u) {
  cudaEvent_t e, f;
  cudaEventCreate(&e);
  cudaEventCreate(&f);
  a<<<1, 32, 0, s>>>();
  cudaEventRecord(e, s);
  b<<<1, 32, 0, t>>>();
  cudaEventRecord(f, t);
  cudaStreamWaitEvent(u, e);
  cudaStreamWaitEvent(u, f);
  c<<<1, 32, 0, u>>>();
}

// EXPECT a b: ordered
// EXPECT b c: ordered
// EXPECT a c: ordered
// EXPECT a d: may overlap
void oneEventUsedTwice(cudaStream_t s, cudaStream_t t, cudaStream_t u) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  a<<<1, 32, 0, s>>>();
  cudaEventRecord(e, s);
  cudaStreamWaitEvent(t, e);
  b<<<1, 32, 0, t>>>();
  cudaEventRecord(e, t);
  cudaStreamWaitEvent(s, e);
  c<<<1, 32, 0, s>>>();
  d<<<1, 32, 0, u>>>();
}

// Waiting for one stream's event and launching on another does not help.
// EXPECT a b: may overlap
void wrongStreamWaits(cudaStream_t s, cudaStream_t t, cudaStream_t u) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  a<<<1, 32, 0, s>>>();
  cudaEventRecord(e, s);
  cudaStreamWaitEvent(u, e);
  b<<<1, 32, 0, t>>>();
}
