// Blocks per SM that a target has no room for: ptxas ignores the number there.
//
// RUN: %coreside check %s --cuda-path=none --gpu a100,l4,h100,rtx3090 --level=note --rules=min-blocks-ignored \
// RUN:   --ptxas-log %S/Inputs/bounds.log -- | FileCheck %s
// RUN: %coreside check %s --cuda-path=none --gpu a100,l4,h100,rtx3090 \
// RUN:   --ptxas-log %S/Inputs/bounds.log -- | FileCheck %s --check-prefix=DEFAULT --allow-empty
// DEFAULT-NOT: ignored

#include <cuda_runtime.h>

__global__ void __launch_bounds__(1024, 2) topk(float *p) { *p = 0; }
// CHECK: min-blocks-ignored.cu:[[#@LINE-1]]:44: note: 'topk' asks for 2 blocks of 1,024 threads per SM, which is ignored on l4 and rtx3090 [min-blocks-ignored]
// CHECK: note: l4 and rtx3090: an SM has 48 warps, 2 x 32 are asked for; the kernel is compiled as if none were asked for, 64 registers at most
// CHECK: note: a100 and h100: heeded

__global__ void __launch_bounds__(512, 3) fold(float *p) { *p = 0; }

// Warps are whole: 65 threads are three of them.
__global__ void __launch_bounds__(65, 31) odd(float *p) { *p = 0; }
// CHECK: min-blocks-ignored.cu:[[#@LINE-1]]:43: note: 'odd' asks for 31 blocks of 65 threads per SM, which is ignored on a100, l4, h100 and rtx3090
// CHECK: note: a100 and h100: an SM has 64 warps, 31 x 3 are asked for
// CHECK: note: l4{{.*}}: an SM has 24 block slots

__global__ void __launch_bounds__(32, 40) slot(float *p) { *p = 0; }
// CHECK: min-blocks-ignored.cu:[[#@LINE-1]]:43: note: 'slot' asks for 40 blocks of 32 threads per SM, which is ignored on a100, l4, h100 and rtx3090
// CHECK: note: a100 and h100: an SM has 32 block slots
// CHECK: note: l4: an SM has 24 block slots

// A number that is not known is not judged.
template <int N> __global__ void __launch_bounds__(1024, N) open(float *p) {}

__global__ void __launch_bounds__(1024, 9) // coreside: allow-next-line bounds
    allowed(float *p) {}
// CHECK-NOT: {{(error|warning|note): .*[[]min-blocks-ignored}}
