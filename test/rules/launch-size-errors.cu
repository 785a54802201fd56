// A size that is zero as far as it was read, in a file of which a part could not
// be: the call that sets it is not there.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --level=note --rules=launch-size \
// RUN:   --ptxas-log %S/Inputs/launch.log -- 2>&1 | FileCheck %s
// CHECK: 'not-there.h' file not found
// CHECK-NOT: [launch-size]
// RUN: not %coreside check %s --cuda-path=none --gpu h100 --rules=launch-size \
// RUN:   --ptxas-log %S/Inputs/launch.log -- -DWHOLE 2>&1 | FileCheck --check-prefix=WHOLE %s
// WHOLE: [[#@LINE+13]]:3: error: launch of 'fill' fails on h100: a dimension of its grid or block is 0 [launch-size]

#ifndef WHOLE
#include "not-there.h"
#endif

__global__ void fill(float *p) { *p = 1; }

void run(float *p) {
  unsigned width = 0;
#ifndef WHOLE
  readSize("image", &width);
#endif
  fill<<<width, 256>>>(p);
}
