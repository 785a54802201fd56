// Registers that are an estimate on one GPU and nvcc's on the other: what holds
// only where they are an estimate is a note.
//
// RUN: split-file %s %t
// RUN: %coreside check %t/pair.cu --cuda-path=none --gpu h100 --level=note \
// RUN:   --ptxas-log %t/both.json -- 2>/dev/null | FileCheck %t/pair.cu
// RUN: not %coreside check %t/pair.cu --cuda-path=none --gpu h100,a100 \
// RUN:   --ptxas-log %t/both.json -- 2>/dev/null \
// RUN:   | FileCheck %t/pair.cu --check-prefix=BOTH
//--- both.json
[
  {"mangled": "_Z4wallPf", "target": "sm_90", "registers": 32, "staticShared": 0,
   "barriers": 0, "estimated": true},
  {"mangled": "_Z4tickPf", "target": "sm_90", "registers": 32, "staticShared": 0,
   "barriers": 0},
  {"mangled": "_Z4wallPf", "target": "sm_80", "registers": 32, "staticShared": 0,
   "barriers": 0},
  {"mangled": "_Z4tickPf", "target": "sm_80", "registers": 32, "staticShared": 0,
   "barriers": 0}
]
//--- pair.cu
#include <cuda_runtime.h>
__global__ void wall(float *p);
__global__ void tick(float *p);
void run(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  wall<<<2376, 1024, 0, s>>>(p);
  tick<<<2376, 1024, 0, t>>>(q);
  // CHECK: pair.cu:[[#@LINE-1]]:3: note: 'tick' cannot run beside 'wall' on h100
  // CHECK: note: registers for h100 are an estimate
  // BOTH: pair.cu:[[#@LINE-3]]:3: warning: 'tick' cannot run beside 'wall' on h100 and a100
  // BOTH: note: registers for h100 are an estimate
}
