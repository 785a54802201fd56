// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HIP's spelling is read like CUDA's, without ROCm.

#include "Snippet.h"

#include "program/RuntimeNames.h"

using namespace coreside;

namespace {

TEST(HIP, Names) {
  EXPECT_EQ(runtimeName("hipMemcpyAsync"), "cudaMemcpyAsync");
  EXPECT_EQ(runtimeName("hipHostMalloc"), "cudaHostAlloc");
  EXPECT_EQ(runtimeName("hipHostFree"), "cudaFreeHost");
  EXPECT_EQ(runtimeName("hipModuleLaunchKernel"), "cuLaunchKernel");
  EXPECT_EQ(runtimeName("hipMemcpyHtoDAsync"), "cuMemcpyHtoDAsync");
  EXPECT_EQ(runtimeName("hipCtxSetCurrent"), "cuCtxSetCurrent");
  EXPECT_EQ(runtimeName("cuMemAlloc_v2"), "cuMemAlloc");
  EXPECT_EQ(runtimeName("cudaLaunchKernel_ptsz"), "cudaLaunchKernel");
  // hipblas is no part of the runtime.
  EXPECT_EQ(runtimeName("hipblasSgemm"), "hipblasSgemm");
}

TEST(HIP, AProgram) {
  Program program = readSnippet(R"(
    #include <hip/hip_runtime.h>
    template <typename T> __global__ void scale(T *p, T by) {
      p[hipBlockIdx_x * hipBlockDim_x + hipThreadIdx_x] *= by;
    }
    int go(int n) {
      float *d, *h;
      hipStream_t s, t;
      hipEvent_t e;
      hipDeviceProp_t properties;
      hipGetDeviceProperties(&properties, 0);
      hipStreamCreate(&s);
      hipStreamCreateWithFlags(&t, hipStreamNonBlocking);
      hipEventCreateWithFlags(&e, hipEventDisableTiming);
      hipMalloc(&d, 1024);
      hipHostMalloc(&h, 1024, hipHostMallocDefault);
      hipMemcpyAsync(d, h, 1024, hipMemcpyHostToDevice, s);
      hipLaunchKernelGGL(HIP_KERNEL_NAME(scale<float>), dim3(4), dim3(64), 0, s,
                         d, 2.0f);
      hipEventRecord(e, s);
      hipStreamWaitEvent(t, e, 0);
      scale<<<n / 64, 64, 16, t>>>(d, 3.0f);
      hipDeviceSynchronize();
      hipFree(d);
      return hipGetLastError() == hipSuccess;
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"allocate cudaMalloc", "allocate cudaHostAlloc",
                   "cudaMemcpyAsync on s", "launch scale<float> 4 64 0 on s",
                   "record e on s", "t waits for e",
                   "launch scale<float> n / 64 64 16 on t",
                   "synchronize device", "implicit cudaFree"}));
  const Trace &trace = *findTrace("go", program);
  EXPECT_EQ(trace.allocations[0].name, "d");
  EXPECT_EQ(trace.steps[2].direction, Step::Direction::HostToDevice);
  EXPECT_EQ(trace.streams[trace.steps[6].stream].blocking,
            Stream::Blocking::No);
}

} // namespace
