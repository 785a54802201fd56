// Kernels that spill, with and without a bound that makes them.
//
// RUN: %coreside check %s --cuda-path=none --gpu a100,h100,l4 --level=note --rules=bounds-spill \
// RUN:   --ptxas-log %S/Inputs/bounds.log -- | FileCheck %s
// RUN: %coreside check %s --cuda-path=none --gpu h100 --level=note --rules=bounds-spill \
// RUN:   --ptxas-log %S/Inputs/bounds.log -- -maxrregcount=64 | FileCheck %s --check-prefix=COUNT

#include <cuda_runtime.h>

__global__ void __launch_bounds__(1024, 2) topk(float *p) { *p = 0; }
// CHECK: bounds-spill.cu:[[#@LINE-1]]:44: note: 'topk' spills registers on a100 and h100 to keep to __launch_bounds__(1024, 2) [bounds-spill]
// CHECK: note: a100 and h100: 32 registers a thread are left; 708 bytes a thread are stored and 712 loaded again

// 255 registers are all there are: no bound is to blame.
__global__ void loose(float *p) { *p = 0; }

// Without bounds; with -maxrregcount it is that.
__global__ void tight(float *p) { *p = 0; }
// COUNT: bounds-spill.cu:[[#@LINE-1]]:17: note: 'tight' spills registers on h100 to keep to -maxrregcount=64

// The bound is not near.
__global__ void __launch_bounds__(256) even(float *p) { *p = 0; }

template <int N>
__global__ void __launch_bounds__(N, 4) squeeze(float *p) { *p = 0; }
template __global__ void squeeze<256>(float *);
// CHECK: bounds-spill.cu:[[#@LINE-2]]:41: note: 'squeeze<256>' spills registers on a100, h100 and l4 to keep to __launch_bounds__(256, 4)

// No record, no word.
__global__ void __launch_bounds__(1024, 2) missing(float *p) {}
// CHECK-NOT: {{(error|warning|note): .*[[]bounds-spill}}
