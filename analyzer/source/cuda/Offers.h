// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read after CUDA's headers (or Declarations.h), before the user's file: what
// nvcc offers to every file and clang does not.
//
//   int blocks = min(n, 1024);   assert(blocks);

#pragma once

// nvcc declares assert, printf and the functions of the C library's mathematics
// to every file (isfinite, which <cmath> alone does not leave in the open).
#include <assert.h>
#include <math.h>
#include <stdio.h>

// Without assert, libcu++ declares this for both sides, which clang's header has
// done for one: an error. Nobody else names it then.
#ifdef NDEBUG
#define __assert_fail __coreside_assert_fail
#endif

// clang gives it no value, and "#if __CUDACC__" is an error then.
#undef __CUDACC__
#define __CUDACC__ 1

// Many files tell CUDA from HIP by it. CUDA's headers then ask nvcc what a
// type is; on the host side no type is the closure of a device lambda.
#ifndef __NVCC__
#define __NVCC__ 1
#endif
#define __nv_is_extended_device_lambda_closure_type(type) false
#define __nv_is_extended_host_device_lambda_closure_type(type) false
#define __nv_is_extended_device_lambda_with_preserved_return_type(type) false

// Of the cuda.h that clang's headers got; whoever includes cuda.h has it again.
#ifndef __cuda_cuda_h__
#undef CUDA_VERSION
#endif

// clang's own; libraries leave out what clang could not compile where they see
// it (CUTLASS, most kernels from sm_100 on). clang's headers, which ask for it,
// are read by now.
#ifndef CORESIDE_COMPILED_BY_CLANG
#undef __CUDA__
#endif

// Atomics that are built into nvcc from CUDA 12.8 on.
#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4
#define CORESIDE_ATOMIC(Result, name)                                          \
  template <class T, class... Rest>                                            \
  __attribute__((device)) Result __nv_atomic_##name(T *, Rest...);
CORESIDE_ATOMIC(T, load_n)
CORESIDE_ATOMIC(void, load)
CORESIDE_ATOMIC(void, store_n)
CORESIDE_ATOMIC(void, store)
CORESIDE_ATOMIC(T, exchange_n)
CORESIDE_ATOMIC(void, exchange)
CORESIDE_ATOMIC(bool, compare_exchange_n)
CORESIDE_ATOMIC(bool, compare_exchange)
CORESIDE_ATOMIC(T, fetch_add)
CORESIDE_ATOMIC(T, fetch_sub)
CORESIDE_ATOMIC(T, fetch_and)
CORESIDE_ATOMIC(T, fetch_or)
CORESIDE_ATOMIC(T, fetch_xor)
CORESIDE_ATOMIC(T, fetch_min)
CORESIDE_ATOMIC(T, fetch_max)
#undef CORESIDE_ATOMIC
__attribute__((device)) void __nv_atomic_thread_fence(int order, int scope = 0);

// nvcc's host min and max of the global namespace; clang has the device's only.
#ifdef CORESIDE_DECLARATIONS
#define CORESIDE_SIDE __attribute__((host)) __attribute__((device))
#else
#define CORESIDE_SIDE __attribute__((host))
#endif
#define CORESIDE_MIN_MAX(Result, A, B)                                         \
  static inline constexpr CORESIDE_SIDE Result min(A a, B b) {                 \
    return (Result)a < (Result)b ? (Result)a : (Result)b;                      \
  }                                                                            \
  static inline constexpr CORESIDE_SIDE Result max(A a, B b) {                 \
    return (Result)a < (Result)b ? (Result)b : (Result)a;                      \
  }
CORESIDE_MIN_MAX(int, int, int)
CORESIDE_MIN_MAX(unsigned, unsigned, unsigned)
CORESIDE_MIN_MAX(unsigned, int, unsigned)
CORESIDE_MIN_MAX(unsigned, unsigned, int)
CORESIDE_MIN_MAX(long, long, long)
CORESIDE_MIN_MAX(unsigned long, unsigned long, unsigned long)
CORESIDE_MIN_MAX(unsigned long, long, unsigned long)
CORESIDE_MIN_MAX(unsigned long, unsigned long, long)
CORESIDE_MIN_MAX(long long, long long, long long)
CORESIDE_MIN_MAX(unsigned long long, unsigned long long, unsigned long long)
CORESIDE_MIN_MAX(unsigned long long, long long, unsigned long long)
CORESIDE_MIN_MAX(unsigned long long, unsigned long long, long long)
CORESIDE_MIN_MAX(float, float, float)
CORESIDE_MIN_MAX(double, double, double)
CORESIDE_MIN_MAX(double, float, double)
CORESIDE_MIN_MAX(double, double, float)
#undef CORESIDE_MIN_MAX
#undef CORESIDE_SIDE
