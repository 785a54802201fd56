// Which launches are on one stream, on different ones, or on who knows which.
//
// RUN: %python %S/check.py %coreside %s

#include "Inputs/kernels.h"

#include <array>
#include <map>
#include <memory>
#include <utility>
#include <vector>

// EXPECT a b: ordered "both on stream 's'"
void oneStream(cudaStream_t s) {
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, s>>>();
}

// EXPECT a b: may overlap, intended
void twoCreated() {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap, incidental, assuming "'s' and 't' are different streams"
void twoParameters(cudaStream_t s, cudaStream_t t) {
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap, incidental
void createdAndParameter(cudaStream_t s) {
  cudaStream_t t;
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: ordered "both on stream 's'"
void copyOfAHandle() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  cudaStream_t t = s;
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
// EXPECT b c: ordered
void handleAssignedAnew() {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaStream_t now = s;
  a<<<1, 32, 0, now>>>();
  now = t;
  b<<<1, 32, 0, now>>>();
  c<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
// EXPECT a c: ordered
void swapped() {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  a<<<1, 32, 0, s>>>();
  std::swap(s, t);
  b<<<1, 32, 0, s>>>();
  c<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
// EXPECT a c: ordered "both on stream 'streams[0]'"
void arrayWithConstantIndex() {
  cudaStream_t streams[2];
  for (int i = 0; i < 2; ++i)
    cudaStreamCreate(&streams[i]);
  a<<<1, 32, 0, streams[0]>>>();
  b<<<1, 32, 0, streams[1]>>>();
  c<<<1, 32, 0, streams[0]>>>();
}

// EXPECT a b: may overlap
// EXPECT b c: ordered
void arrayBehindAPointer() {
  cudaStream_t streams[2];
  cudaStreamCreate(streams);
  cudaStreamCreate(streams + 1);
  cudaStream_t *p = streams;
  a<<<1, 32, 0, *p>>>();
  ++p;
  b<<<1, 32, 0, *p>>>();
  c<<<1, 32, 0, streams[1]>>>();
}

struct Pair {
  cudaStream_t left, right;
};

// EXPECT a b: may overlap
// EXPECT a c: ordered
void members() {
  Pair pair;
  cudaStreamCreate(&pair.left);
  cudaStreamCreate(&pair.right);
  a<<<1, 32, 0, pair.left>>>();
  b<<<1, 32, 0, pair.right>>>();
  Pair &same = pair;
  c<<<1, 32, 0, same.left>>>();
}

struct Worker {
  cudaStream_t compute, copy;

  // EXPECT a b: may overlap, incidental, assuming "different streams"
  // EXPECT a c: ordered
  void membersOfThis() {
    a<<<1, 32, 0, compute>>>();
    b<<<1, 32, 0, copy>>>();
    c<<<1, 32, 0, this->compute>>>();
  }
};

// EXPECT a b: may overlap
// EXPECT a c: ordered
void vectorOfStreams() {
  std::vector<cudaStream_t> streams(3);
  for (auto &one : streams)
    cudaStreamCreate(&one);
  a<<<1, 32, 0, streams[0]>>>();
  b<<<1, 32, 0, streams.back()>>>();
  c<<<1, 32, 0, streams.front()>>>();
}

// EXPECT a b: may overlap
// EXPECT b c: ordered
void vectorThatGrows() {
  std::vector<cudaStream_t> streams;
  for (int i = 0; i < 2; ++i) {
    cudaStream_t s;
    cudaStreamCreate(&s);
    streams.push_back(s);
  }
  a<<<1, 32, 0, streams[0]>>>();
  b<<<1, 32, 0, streams[1]>>>();
  c<<<1, 32, 0, streams.at(1)>>>();
}

// EXPECT a b: may overlap
void standardArray() {
  std::array<cudaStream_t, 2> streams;
  cudaStreamCreate(&streams[0]);
  cudaStreamCreate(&streams[1]);
  a<<<1, 32, 0, streams[0]>>>();
  b<<<1, 32, 0, streams[1]>>>();
}

// EXPECT a b: may overlap
// EXPECT a c: ordered
void arrayFromNew() {
  cudaStream_t *streams = new cudaStream_t[2];
  cudaStreamCreate(&streams[0]);
  cudaStreamCreate(&streams[1]);
  a<<<1, 32, 0, streams[0]>>>();
  b<<<1, 32, 0, streams[1]>>>();
  c<<<1, 32, 0, streams[0]>>>();
}

// EXPECT a b: may overlap
void arrayFromMalloc() {
  cudaStream_t *streams = (cudaStream_t *)malloc(2 * sizeof(cudaStream_t));
  cudaStreamCreate(&streams[0]);
  cudaStreamCreate(&streams[1]);
  a<<<1, 32, 0, streams[0]>>>();
  b<<<1, 32, 0, streams[1]>>>();
}

// A handle that owns its stream.
class Lane {
public:
  Lane() { cudaStreamCreateWithFlags(&Handle, cudaStreamNonBlocking); }
  ~Lane() { cudaStreamDestroy(Handle); }
  operator cudaStream_t() const { return Handle; }
  cudaStream_t get() const { return Handle; }

private:
  cudaStream_t Handle;
};

// EXPECT a b: may overlap, intended
// EXPECT a c: ordered
void owningHandles() {
  Lane one, two;
  a<<<1, 32, 0, one>>>();
  b<<<1, 32, 0, two>>>();
  c<<<1, 32, 0, one.get()>>>();
}

// The destructor of a lane does not wait.
// EXPECT a b: may overlap
void owningHandlesInScopes() {
  {
    Lane one;
    a<<<1, 32, 0, one>>>();
  }
  {
    Lane two;
    b<<<1, 32, 0, two>>>();
  }
}

// EXPECT a b: may overlap
// EXPECT a c: ordered
void handlesOnTheHeap() {
  auto one = std::make_unique<Lane>();
  auto two = std::make_unique<Lane>();
  a<<<1, 32, 0, one->get()>>>();
  b<<<1, 32, 0, two->get()>>>();
  c<<<1, 32, 0, *one>>>();
}

class Pool {
public:
  Pool() {
    for (int i = 0; i < 4; ++i)
      cudaStreamCreate(&Streams[i]);
  }
  cudaStream_t next() { return Streams[At++ % 4]; }
  cudaStream_t at(int i) { return Streams[i % 4]; }

private:
  cudaStream_t Streams[4];
  unsigned At = 0;
};

// EXPECT a b: may overlap
void poolInTurn() {
  Pool pool;
  a<<<1, 32, 0, pool.next()>>>();
  b<<<1, 32, 0, pool.next()>>>();
}

// EXPECT a b: ordered
// EXPECT a c: may overlap
void poolByNumber() {
  Pool pool;
  a<<<1, 32, 0, pool.at(0)>>>();
  b<<<1, 32, 0, pool.at(4)>>>();
  c<<<1, 32, 0, pool.at(5)>>>();
}

cudaStream_t currentStream();

// EXPECT a b: unknown
void getterOfAnotherFile() {
  a<<<1, 32, 0, currentStream()>>>();
  b<<<1, 32, 0, currentStream()>>>();
}

// EXPECT a b: ordered
void getterAskedOnce() {
  cudaStream_t s = currentStream();
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, s>>>();
}

// EXPECT a b: unknown
void getterAskedAgain() {
  cudaStream_t s = currentStream();
  a<<<1, 32, 0, s>>>();
  s = currentStream();
  b<<<1, 32, 0, s>>>();
}

// EXPECT a b: unknown "it cannot be told which stream"
void getterAndCreated() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, currentStream()>>>();
}

cudaStream_t theStream;
cudaStream_t otherStream;

// EXPECT a b: ordered
// EXPECT a c: may overlap, assuming "'theStream' and 'otherStream' are different"
void globals() {
  a<<<1, 32, 0, theStream>>>();
  b<<<1, 32, 0, theStream>>>();
  c<<<1, 32, 0, otherStream>>>();
}

// EXPECT a b: unknown
// EXPECT a c: unknown
void indexNotKnown(int i, int j) {
  cudaStream_t streams[4];
  for (int k = 0; k < 4; ++k)
    cudaStreamCreate(&streams[k]);
  a<<<1, 32, 0, streams[i]>>>();
  b<<<1, 32, 0, streams[j]>>>();
  c<<<1, 32, 0, streams[0]>>>();
}

// EXPECT a b: may overlap
void priorities() {
  int least, greatest;
  cudaDeviceGetStreamPriorityRange(&least, &greatest);
  cudaStream_t low, high;
  cudaStreamCreateWithPriority(&low, cudaStreamNonBlocking, least);
  cudaStreamCreateWithPriority(&high, cudaStreamNonBlocking, greatest);
  a<<<1, 32, 0, low>>>();
  b<<<1, 32, 0, high>>>();
}

// EXPECT a b: unknown
void eitherOfTwo(bool first) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  a<<<1, 32, 0, first ? s : t>>>();
  b<<<1, 32, 0, s>>>();
}

// EXPECT a b: ordered
void eitherOfTwoButOne(bool first) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaStream_t chosen = first ? s : t;
  a<<<1, 32, 0, chosen>>>();
  b<<<1, 32, 0, chosen>>>();
}

void fill(cudaStream_t *streams);

// EXPECT a b: unknown
void filledElsewhere() {
  cudaStream_t streams[2];
  fill(streams);
  a<<<1, 32, 0, streams[0]>>>();
  b<<<1, 32, 0, streams[1]>>>();
}

// EXPECT a b: unknown
void mapOfStreams(std::map<int, cudaStream_t> &streams) {
  a<<<1, 32, 0, streams[0]>>>();
  b<<<1, 32, 0, streams[1]>>>();
}

// EXPECT a b: may overlap
void destroyedAndMadeAnew() {
  cudaStream_t s;
  cudaStreamCreate(&s);
  a<<<1, 32, 0, s>>>();
  cudaStreamDestroy(s);
  cudaStreamCreate(&s);
  b<<<1, 32, 0, s>>>();
}

// EXPECT a b: ordered
void launchedByFunction(cudaStream_t s) {
  cudaLaunchKernel(a, dim3(1), dim3(32), nullptr, 0, s);
  cudaLaunchConfig_t config = {};
  config.gridDim = 1;
  config.blockDim = 32;
  config.stream = s;
  cudaLaunchKernelEx(&config, b);
}

// EXPECT numbered<1> numbered<2>: may overlap
void templates() {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  numbered<1><<<1, 32, 0, s>>>();
  numbered<2><<<1, 32, 0, t>>>();
}
