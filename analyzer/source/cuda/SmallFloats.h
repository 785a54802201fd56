// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of 16 bits, as kernels commonly use them, declared for parsing only,
// where no toolkit is installed. As Declarations.h. HIP's bfloat has a name of
// its own.

#pragma once
#include <Declarations.h>
#pragma clang system_header

#pragma clang force_cuda_host_device begin
template <bool> struct CoresideIf {};
template <> struct CoresideIf<true> {
  static constexpr bool yes = true;
};
#define CORESIDE_SMALL_FLOAT(Name, Raw)                                        \
  struct Raw {                                                                 \
    unsigned short x;                                                          \
  };                                                                           \
  struct alignas(2) Name {                                                     \
    Name() = default;                                                          \
    Name(Raw);                                                                 \
    template <class T, bool = CoresideIf<__is_arithmetic(T)>::yes> Name(T);    \
    operator float() const;                                                    \
    operator Raw() const;                                                      \
    Name &operator+=(Name);                                                    \
    Name &operator-=(Name);                                                    \
    Name &operator*=(Name);                                                    \
    Name &operator/=(Name);                                                    \
    Name operator-() const;                                                    \
    friend Name operator+(Name, Name);                                         \
    friend Name operator-(Name, Name);                                         \
    friend Name operator*(Name, Name);                                         \
    friend Name operator/(Name, Name);                                         \
    friend bool operator==(Name, Name);                                        \
    friend bool operator!=(Name, Name);                                        \
    friend bool operator<(Name, Name);                                         \
    friend bool operator>(Name, Name);                                         \
    friend bool operator<=(Name, Name);                                        \
    friend bool operator>=(Name, Name);                                        \
                                                                               \
  private:                                                                     \
    unsigned short Bits;                                                       \
  };                                                                           \
  struct alignas(4) Name##2 {                                                  \
    Name x, y;                                                                 \
    Name##2() = default;                                                       \
    Name##2(Name, Name);                                                       \
    Name##2 &operator+=(Name##2);                                              \
    friend Name##2 operator+(Name##2, Name##2);                                \
    friend Name##2 operator-(Name##2, Name##2);                                \
    friend Name##2 operator*(Name##2, Name##2);                                \
    friend Name##2 operator/(Name##2, Name##2);                                \
  };                                                                           \
  CORESIDE_SMALL_FLOAT_1(Name, __hneg)                                         \
  CORESIDE_SMALL_FLOAT_1(Name, __habs)                                         \
  CORESIDE_SMALL_FLOAT_1(Name, hexp)                                           \
  CORESIDE_SMALL_FLOAT_1(Name, hexp2)                                          \
  CORESIDE_SMALL_FLOAT_1(Name, hlog)                                           \
  CORESIDE_SMALL_FLOAT_1(Name, hsqrt)                                          \
  CORESIDE_SMALL_FLOAT_1(Name, hrsqrt)                                         \
  CORESIDE_SMALL_FLOAT_1(Name, hrcp)                                           \
  CORESIDE_SMALL_FLOAT_2(Name, __hadd)                                         \
  CORESIDE_SMALL_FLOAT_2(Name, __hsub)                                         \
  CORESIDE_SMALL_FLOAT_2(Name, __hmul)                                         \
  Name __hdiv(Name, Name);                                                     \
  Name##2 __h2div(Name##2, Name##2);                                           \
  CORESIDE_SMALL_FLOAT_2(Name, __hmax)                                         \
  CORESIDE_SMALL_FLOAT_2(Name, __hmin)                                         \
  Name __hfma(Name, Name, Name);                                               \
  Name##2 __hfma2(Name##2, Name##2, Name##2);                                  \
  bool __heq(Name, Name);                                                      \
  bool __hne(Name, Name);                                                      \
  bool __hlt(Name, Name);                                                      \
  bool __hle(Name, Name);                                                      \
  bool __hgt(Name, Name);                                                      \
  bool __hge(Name, Name);                                                      \
  bool __hisnan(Name);                                                         \
  bool __hisinf(Name);                                                         \
  float __low2float(Name##2);                                                  \
  float __high2float(Name##2);                                                 \
  Name atomicAdd(Name *, Name);                                                \
  Name##2 atomicAdd(Name##2 *, Name##2);
#define CORESIDE_SMALL_FLOAT_1(Name, function)                                 \
  Name function(Name);                                                         \
  Name##2 function##2(Name##2);
#define CORESIDE_SMALL_FLOAT_2(Name, function)                                 \
  Name function(Name, Name);                                                   \
  Name##2 function##2(Name##2, Name##2);

// `word` is what the conversions call the type: __float2half.
#define CORESIDE_SMALL_FLOAT_CONVERSIONS(Name, word, wordOf2)                  \
  Name __float2##word(float);                                                  \
  Name __float2##word##_rn(float);                                             \
  Name __float2##word##_rz(float);                                             \
  Name __double2##word(double);                                                \
  float __##word##2float(Name);                                                \
  Name __int2##word##_rn(int);                                                 \
  Name __uint2##word##_rn(unsigned);                                           \
  int __##word##2int_rn(Name);                                                 \
  int __##word##2int_rz(Name);                                                 \
  Name __ushort_as_##word(unsigned short);                                     \
  unsigned short __##word##_as_ushort(Name);                                   \
  Name __short_as_##word(short);                                               \
  short __##word##_as_short(Name);                                             \
  Name##2 __float2##wordOf2##_rn(float);                                       \
  Name##2 __floats2##wordOf2##_rn(float, float);                               \
  Name##2 __float22##wordOf2##_rn(float2);                                     \
  float2 __##word##22float2(Name##2);                                          \
  Name##2 __##word##2##wordOf2(Name);                                          \
  Name __low2##word(Name##2);                                                  \
  Name __high2##word(Name##2);

CORESIDE_SMALL_FLOAT(__half, __half_raw)
CORESIDE_SMALL_FLOAT_CONVERSIONS(__half, half, half2)
__half2 __halves2half2(__half, __half);
__half2 make_half2(__half, __half);
typedef __half half;
typedef __half2 half2;

#ifdef __HIP__
CORESIDE_SMALL_FLOAT(__hip_bfloat16, __hip_bfloat16_raw)
CORESIDE_SMALL_FLOAT_CONVERSIONS(__hip_bfloat16, bfloat16, bfloat162)
__hip_bfloat162 __halves2bfloat162(__hip_bfloat16, __hip_bfloat16);
typedef __hip_bfloat16 hip_bfloat16;
#else
CORESIDE_SMALL_FLOAT(__nv_bfloat16, __nv_bfloat16_raw)
CORESIDE_SMALL_FLOAT_CONVERSIONS(__nv_bfloat16, bfloat16, bfloat162)
__nv_bfloat162 __halves2bfloat162(__nv_bfloat16, __nv_bfloat16);
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif
#undef CORESIDE_SMALL_FLOAT
#undef CORESIDE_SMALL_FLOAT_1
#undef CORESIDE_SMALL_FLOAT_2
#undef CORESIDE_SMALL_FLOAT_CONVERSIONS
#pragma clang force_cuda_host_device end
