// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Work of libraries stands on the stream that it runs on.

#include "Snippet.h"

using namespace coreside;

namespace {

/// A piece of the libraries' headers.
const std::string blas = R"(
  typedef struct cublasContext *cublasHandle_t;
  enum cublasStatus_t { CUBLAS_STATUS_SUCCESS };
  extern "C" {
  cublasStatus_t cublasCreate_v2(cublasHandle_t *handle);
  cublasStatus_t cublasDestroy_v2(cublasHandle_t handle);
  cublasStatus_t cublasSetStream_v2(cublasHandle_t handle, cudaStream_t s);
  cublasStatus_t cublasSetPointerMode_v2(cublasHandle_t handle, int mode);
  cublasStatus_t cublasSgemm_v2(cublasHandle_t handle, int n, float *c);
  cublasStatus_t cublasSdot_v2(cublasHandle_t handle, int n, const float *x,
                               float *result);
  cublasStatus_t cublasSetVector(int n, int size, const void *x, void *y);
  }
)";

TEST(LibraryWork, HandlesHoldTheirStream) {
  Program program = readSnippet(blas + R"(
    struct Engine { cublasHandle_t handle; };
    void go(cudaStream_t s, float *c, cublasHandle_t given) {
      Engine one;
      cublasCreate_v2(&one.handle);
      cublasSgemm_v2(one.handle, 4, c);
      cublasSetStream_v2(one.handle, s);
      Engine *pointer = &one;
      cublasSgemm_v2(pointer->handle, 4, c);
      cublasSgemm_v2(given, 4, c);
      float r;
      cublasSdot_v2(one.handle, 4, c, &r);
      cublasSetPointerMode_v2(one.handle, 1);
      cublasSdot_v2(one.handle, 4, c, c);
      cublasSetVector(4, 4, &r, c);
      cublasDestroy_v2(one.handle);
    }
  )");
  EXPECT_EQ(
      steps("go", program),
      (Steps{"opaque cublasSgemm on default stream", "opaque cublasSgemm on s",
             "opaque cublasSgemm on the stream of 'given'",
             "opaque cublasSdot on s", "opaque cublasSdot on s",
             "cublasSetVector on default stream waits", "synchronize device"}));
  const Trace &trace = *findTrace("go", program);
  EXPECT_TRUE(trace.steps[3].waits);
  EXPECT_FALSE(trace.steps[4].waits);
  EXPECT_EQ(trace.streams[trace.steps[2].stream].origin,
            Stream::Origin::Unknown);
}

TEST(LibraryWork, PlansAndGenerators) {
  Program program = readSnippet(R"(
    typedef int cufftHandle;
    typedef struct curandGenerator_st *curandGenerator_t;
    extern "C" {
    int cufftPlan1d(cufftHandle *plan, int n, int type, int batch);
    int cufftSetStream(cufftHandle plan, cudaStream_t s);
    int cufftExecC2C(cufftHandle plan, float *in, float *out, int direction);
    int curandCreateGenerator(curandGenerator_t *generator, int type);
    int curandSetStream(curandGenerator_t generator, cudaStream_t s);
    int curandSetPseudoRandomGeneratorSeed(curandGenerator_t g, int seed);
    int curandGenerateUniform(curandGenerator_t generator, float *p, size_t n);
    }
    void go(cudaStream_t s, cudaStream_t t, float *p) {
      cufftHandle plan, other;
      cufftPlan1d(&plan, 64, 0, 1);
      cufftSetStream(plan, s);
      cufftPlan1d(&other, 64, 0, 1);
      cufftExecC2C(plan, p, p, 1);
      cufftExecC2C(other, p, p, 1);
      curandGenerator_t generator;
      curandCreateGenerator(&generator, 0);
      curandSetPseudoRandomGeneratorSeed(generator, 7);
      curandSetStream(generator, t);
      curandGenerateUniform(generator, p, 64);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"opaque cufftExecC2C on s",
                   "opaque cufftExecC2C on default stream",
                   "opaque curandGenerateUniform on t"}));
}

TEST(LibraryWork, StreamsAsArguments) {
  Program program = readSnippet(R"(
    typedef struct ncclComm *ncclComm_t;
    struct NppStreamContext { cudaStream_t hStream; int device; };
    extern "C" {
    int ncclAllReduce(const void *from, void *to, size_t n, ncclComm_t comm,
                      cudaStream_t s);
    int ncclGroupStart();
    int nppiFilter_8u_C1R_Ctx(const void *from, NppStreamContext context);
    int nppiFilter_8u_C1R(const void *from);
    int nppSetStream(cudaStream_t s);
    }
    void go(cudaStream_t s, cudaStream_t t, ncclComm_t comm, float *p) {
      ncclGroupStart();
      ncclAllReduce(p, p, 4, comm, s);
      NppStreamContext context;
      context.hStream = t;
      nppiFilter_8u_C1R_Ctx(p, context);
      nppiFilter_8u_C1R(p);
      nppSetStream(s);
      nppiFilter_8u_C1R(p);
    }
  )");
  EXPECT_EQ(
      steps("go", program),
      (Steps{"opaque ncclAllReduce on s", "opaque nppiFilter_8u_C1R_Ctx on t",
             "opaque nppiFilter_8u_C1R on default stream",
             "opaque nppiFilter_8u_C1R on s"}));
}

const std::string templates = R"(
  namespace cub {
  struct DeviceReduce {
    template <class In, class Out>
    static cudaError_t Sum(void *storage, size_t &bytes, In in, Out out, int n,
                           cudaStream_t stream = 0) {
      front<<<1, 1, 0, stream>>>(nullptr);
      return cudaSuccess;
    }
  };
  } // namespace cub
  namespace thrust {
  template <class T> struct device_ptr { T *p; };
  template <class T> struct device_vector {
    device_vector() {}
    device_vector(size_t n) {}
    device_ptr<T> begin();
    device_ptr<T> end();
    device_ptr<T> data();
  };
  template <class T> T *raw_pointer_cast(device_ptr<T> p) { return p.p; }
  namespace cuda_cub {
  struct execute_on_stream {};
  struct execute_on_stream_nosync {};
  struct par_t { execute_on_stream on(cudaStream_t) const; };
  struct par_nosync_t { execute_on_stream_nosync on(cudaStream_t) const; };
  static par_t par;
  static par_nosync_t par_nosync;
  } // namespace cuda_cub
  namespace cuda { using cuda_cub::par; using cuda_cub::par_nosync; }
  template <class P, class I> void sort(P policy, I first, I last) {
    front<<<1, 1>>>(nullptr);
  }
  template <class I> void sort(I first, I last) {}
  template <class I, class T> T reduce(I first, I last, T init);
  } // namespace thrust
)";

TEST(LibraryWork, CUB) {
  Program program = readSnippet(templates + R"(
    void go(cudaStream_t s, int *p) {
      void *storage = nullptr;
      size_t bytes = 0;
      cub::DeviceReduce::Sum(storage, bytes, p, p, 4, s);
      cudaMalloc(&storage, bytes);
      cub::DeviceReduce::Sum(storage, bytes, p, p, 4, s);
      cub::DeviceReduce::Sum(storage, bytes, p, p, 4);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"allocate cudaMalloc", "opaque cub::DeviceReduce::Sum on s",
                   "opaque cub::DeviceReduce::Sum on default stream"}));
}

TEST(LibraryWork, Thrust) {
  Program program = readSnippet(templates + R"(
    void go(cudaStream_t s, cudaStream_t t, int *host) {
      thrust::device_vector<int> v(100);
      thrust::sort(v.begin(), v.end());
      thrust::sort(thrust::cuda::par.on(s), v.begin(), v.end());
      auto policy = thrust::cuda::par_nosync.on(t);
      thrust::sort(policy, v.begin(), v.end());
      thrust::sort(host, host + 4);
      thrust::reduce(v.begin(), v.end(), 0);
      front<<<1, 1, 0, s>>>(thrust::raw_pointer_cast(v.data()));
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"allocate cudaMalloc",
                   "opaque thrust::device_vector on default stream",
                   "opaque thrust::sort on default stream",
                   "opaque thrust::sort on s", "opaque thrust::sort on t",
                   "opaque thrust::reduce on default stream",
                   "launch front 1 1 0 on s"}));
  const Trace &trace = *findTrace("go", program);
  EXPECT_TRUE(trace.steps[3].waits);
  EXPECT_FALSE(trace.steps[4].waits);
  EXPECT_EQ(trace.allocations[0].bytes, Value::known(400));
  ASSERT_EQ(trace.steps[6].arguments.size(), 1u);
  EXPECT_EQ(trace.allocations[trace.steps[6].arguments[0].allocation].name,
            "v");
}

TEST(LibraryWork, FunctionsOfOtherFiles) {
  Program program = readSnippet(R"(
    void elsewhere(int n);
    void onAStream(int n, cudaStream_t s);
    void go(cudaStream_t s) {
      elsewhere(3);
      onAStream(3, s);
    }
  )");
  EXPECT_EQ(steps("go", program),
            (Steps{"opaque elsewhere", "opaque onAStream on s"}));
}

} // namespace
