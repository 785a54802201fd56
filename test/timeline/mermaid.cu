// The drawing: streams as lanes, an arrow for what orders, a dotted line for
// what may overlap. Orders that follow from others are left out.
//
// RUN: %coreside check %s --gpu h100 --cuda-path=none --dump=timeline-mermaid \
// RUN:   -- 2>/dev/null | FileCheck %s

#include "Inputs/kernels.h"

// CHECK:      %% draw
// CHECK-NEXT: flowchart LR
// CHECK-NEXT:   subgraph lane1["s"]
// CHECK-NEXT:     [[A:k[0-9]+]]["a :[[#@LINE+13]]"]
// CHECK-NEXT:     [[B:k[0-9]+]]["b :[[#@LINE+15]]"]
// CHECK-NEXT:   end
// CHECK-NEXT:   subgraph lane2["t"]
// CHECK-NEXT:     [[C:k[0-9]+]]["c :[[#@LINE+13]]"]
// CHECK-NEXT:   end
// CHECK-NEXT:   [[A]] --> [[B]]
// CHECK-NEXT:   [[A]] -- "stream 't' waits for event 'e'" --> [[C]]
// CHECK-NEXT:   [[B]] -.- [[C]]
// CHECK-NOT:  -->
void draw(cudaStream_t s, cudaStream_t t) {
  cudaEvent_t e;
  cudaEventCreate(&e);
  a<<<1, 32, 0, s>>>();
  cudaEventRecord(e, s);
  cudaStreamWaitEvent(t, e);
  b<<<1, 32, 0, s>>>();
  c<<<1, 32, 0, t>>>();
}
