// Several devices: launches on different ones are no pairs.
//
// RUN: %python %S/check.py %coreside %s

#include "Inputs/kernels.h"

#include <set>

// EXPECT a b: none
void twoDevices() {
  cudaStream_t s, t;
  cudaSetDevice(0);
  cudaStreamCreate(&s);
  cudaSetDevice(1);
  cudaStreamCreate(&t);
  cudaSetDevice(0);
  a<<<1, 32, 0, s>>>();
  cudaSetDevice(1);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void oneDeviceAfterAnother() {
  cudaStream_t s, t;
  cudaSetDevice(1);
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaSetDevice(0);
  cudaSetDevice(1);
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: none
// EXPECT a c: ordered
void defaultStreamsOfTwoDevices() {
  cudaSetDevice(0);
  a<<<1, 32>>>();
  cudaSetDevice(1);
  b<<<1, 32>>>();
  cudaSetDevice(0);
  c<<<1, 32>>>();
}

// Only the current device is waited for.
// EXPECT a b: may overlap
void waitsForTheOtherDevice() {
  cudaStream_t s, t;
  cudaSetDevice(0);
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  a<<<1, 32, 0, s>>>();
  cudaSetDevice(1);
  cudaDeviceSynchronize();
  cudaSetDevice(0);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: ordered
void waitsForTheSameDevice() {
  cudaStream_t s, t;
  cudaSetDevice(0);
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  a<<<1, 32, 0, s>>>();
  cudaSetDevice(1);
  cudaSetDevice(0);
  cudaDeviceSynchronize();
  b<<<1, 32, 0, t>>>();
}

// The other device's default stream does not come between.
// EXPECT a b: may overlap
void defaultStreamOfTheOtherDevice() {
  cudaStream_t s, t;
  cudaSetDevice(0);
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  a<<<1, 32, 0, s>>>();
  cudaSetDevice(1);
  c<<<1, 32>>>();
  cudaSetDevice(0);
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: may overlap
void oneUnknownDevice(int device) {
  cudaStream_t s, t;
  cudaSetDevice(device);
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a b: unknown "one device"
void twoUnknownDevices(int one, int other) {
  cudaStream_t s, t;
  cudaSetDevice(one);
  cudaStreamCreate(&s);
  cudaSetDevice(other);
  cudaStreamCreate(&t);
  a<<<1, 32, 0, s>>>();
  b<<<1, 32, 0, t>>>();
}

// EXPECT a#1 a#2: none
void aDeviceForEachTurn() {
  cudaStream_t streams[2];
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(i);
    cudaStreamCreate(&streams[i]);
  }
  for (int i = 0; i < 2; ++i) {
    cudaSetDevice(i);
    a<<<1, 32, 0, streams[i]>>>();
  }
}

// EXPECT a c: ordered
void eventBetweenDevices() {
  cudaStream_t s, t, u;
  cudaEvent_t e, f;
  cudaSetDevice(0);
  cudaStreamCreate(&s);
  cudaStreamCreate(&u);
  cudaEventCreate(&e);
  cudaSetDevice(1);
  cudaStreamCreate(&t);
  cudaEventCreate(&f);
  a<<<1, 32, 0, s>>>();
  cudaEventRecord(e, s);
  cudaStreamWaitEvent(t, e);
  b<<<1, 32, 0, t>>>();
  cudaEventRecord(f, t);
  cudaStreamWaitEvent(u, f);
  c<<<1, 32, 0, u>>>();
}

// Something else moves the iterator: each turn may have a device of its own.
// EXPECT a a#2: unknown "one device"
// EXPECT a b: may overlap
void deviceOfAnIterator(const std::set<int> &devices) {
  cudaStream_t streams[4], others[4];
  auto device = devices.begin();
  for (int i = 0; i < 4; ++i) {
    cudaSetDevice(i);
    cudaStreamCreate(&streams[i]);
  }
  int count = 0;
  while (device != devices.end()) {
    cudaSetDevice(*device);
    cudaStreamCreate(&streams[count]);
    cudaStreamCreate(&others[count]);
    a<<<1, 32, 0, streams[count]>>>();
    b<<<1, 32, 0, others[count++]>>>();
    device++;
  }
}

// EXPECT a a#2: may overlap
void deviceOfAParameter(int device, int turns) {
  cudaStream_t streams[16];
  cudaSetDevice(device);
  for (int i = 0; i < turns; ++i) {
    cudaSetDevice(device);
    cudaStreamCreate(&streams[i]);
    a<<<1, 32, 0, streams[i]>>>();
  }
}

// Kernels of two contexts take turns on the device.
// EXPECT a b: none
// EXPECT b c: may overlap
void contexts(CUdevice device, int *p) {
  CUcontext one, other;
  CUstream s, t, u;
  cuCtxCreate(&one, 0, 0);
  cuStreamCreate(&s, CU_STREAM_NON_BLOCKING);
  a<<<1, 32, 0, s>>>();
  cuCtxCreate(&other, 0, 0);
  cuStreamCreate(&t, CU_STREAM_NON_BLOCKING);
  cuStreamCreate(&u, CU_STREAM_NON_BLOCKING);
  b<<<1, 32, 0, t>>>();
  c<<<1, 32, 0, u>>>();
}

// EXPECT a b: may overlap
// EXPECT a c: none
void pushedAndPopped(int *p) {
  CUcontext other, old;
  CUstream s, t, u;
  cuStreamCreate(&s, CU_STREAM_NON_BLOCKING);
  cuStreamCreate(&u, CU_STREAM_NON_BLOCKING);
  a<<<1, 32, 0, s>>>();
  cuCtxCreate(&other, 0, 0);
  cuStreamCreate(&t, CU_STREAM_NON_BLOCKING);
  c<<<1, 32, 0, t>>>();
  cuCtxPopCurrent(&old);
  b<<<1, 32, 0, u>>>();
}
