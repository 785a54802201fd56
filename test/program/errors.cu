// What cannot be parsed is named, and the rest is read.
//
// RUN: %coreside check --dump=program %s -- 2>/dev/null | FileCheck %s
// RUN: %coreside check --dump=program %s -- 2>&1 >/dev/null | FileCheck %s --check-prefix=SAID
// SAID: errors.cu: 1 launch could not be read: not-there.h not found; name its folder with -I after --

#include <cuda_runtime.h>
#include "not-there.h"

__global__ void step(float *p) {}

void run(float *p) {
  step<<<missing, 32>>>(p);
  step<<<7, 32>>>(p);
}

// CHECK:      "lostLaunches": [
// CHECK:        "place": "{{.*}}errors.cu:13:3"
// CHECK-NEXT:   "why": "could not be parsed: use of undeclared identifier {{.*}}missing
// CHECK:      "function": "run"
// CHECK:          7,
// CHECK:      "unread": [
// CHECK:        "place": "{{.*}}errors.cu:8:10"
// CHECK-NEXT:   "why": "'not-there.h' file not found"
