// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What typical sources include and use, read without a CUDA toolkit; and what
// happens to files that cannot be read.

#include "Snippet.h"

using namespace coreside;

namespace {

TEST(OwnDeclarations, TypicalDeviceCode) {
  Program program = readSnippet(R"(
    #include <cuda_runtime.h>
    #include <device_launch_parameters.h>
    #include <cstdio>
    #include <vector>
    __global__ void reduce(const float *in, float *out, int n) {
      extern __shared__ float tile[];
      int i = blockIdx.x * blockDim.x + threadIdx.x;
      float x = i < n ? __ldg(in + i) : 0.f;
      x = fmaxf(sqrtf(x), __expf(-x)) + max(i, n) + min(1.0f, x);
      for (int offset = warpSize / 2; offset > 0; offset /= 2)
        x += __shfl_down_sync(0xffffffffu, x, offset);
      tile[threadIdx.x] = x;
      __syncthreads();
      if (threadIdx.x == 0) atomicAdd(out, tile[0]);
      float4 v = make_float4(1, 2, 3, 4);
      assert(v.x == 1);
      if (i == 0) printf("%f\n", v.w);
      __threadfence();
      atomicCAS((unsigned *)out, 0u, 1u);
    }
    int main() {
      std::vector<float> h(1000);
      float *d, *o;
      cudaMalloc(&d, h.size() * sizeof(float));
      cudaMalloc((void **)&o, 4);
      reduce<<<4, 256, 256 * sizeof(float)>>>(d, o, 1000);
      float ms;
      cudaEvent_t a, b;
      cudaEventCreate(&a);
      cudaEventCreate(&b);
      cudaEventElapsedTime(&ms, a, b);
      return cudaDeviceSynchronize();
    }
  )");
  EXPECT_TRUE(program.ownDeclarations);
  EXPECT_EQ(steps("main", program)[2],
            "launch reduce 4 256 1024 on default stream");
}

TEST(OwnDeclarations, ErrorsDoNotStopTheRest) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile("/snippet/a.cu", 0, llvm::MemoryBuffer::getMemBuffer(R"(
#include "missing.h"
__global__ void front(int *p) {}
template <class T> __global__ void tuned(T *p) {}
void go(int *p) {
  front<<<undeclared, 32>>>(p);
  front<<<2, 32>>>(p);
  alsoUndeclared(p);
  tuned<<<3, 32>>>(p);
}
)"));
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::vfs::createPhysicalFileSystem());
  overlay->pushOverlay(memory);
  ReadOptions options;
  options.parse.files = overlay;
  CompileCommand command;
  command.file = "/snippet/a.cu";
  auto program = readProgram(command, options);
  ASSERT_TRUE(bool(program));
  ASSERT_GE(program->unread.size(), 2u);
  EXPECT_EQ(program->unread[0].place.line, 2u);
  EXPECT_NE(program->unread[0].why.find("missing.h"), std::string::npos);
  EXPECT_EQ(steps("go", *program),
            (Steps{"launch front 2 32 0 on default stream",
                   "launch tuned<int> 3 32 0 on default stream"}));
  // clang keeps no trace of the first launch.
  ASSERT_EQ(program->lostLaunches.size(), 1u);
  EXPECT_EQ(program->lostLaunches[0].place,
            (SourcePlace{"/snippet/a.cu", 6, 3}));
  EXPECT_NE(program->lostLaunches[0].why.find("undeclared"), std::string::npos);
}

TEST(OwnDeclarations, AFileThatIsNotThereIsOneLine) {
  CompileCommand command;
  command.file = "/snippet/none.cu";
  auto program = readProgram(command);
  ASSERT_FALSE(bool(program));
  EXPECT_EQ(llvm::toString(program.takeError()),
            "cannot read '/snippet/none.cu': No such file or directory");
}

} // namespace
