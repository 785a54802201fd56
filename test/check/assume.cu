// Numbers that the source does not tell, said by the user.
//
// RUN: %coreside check --cuda-path=none --dump=program %s \
// RUN:   --assume n=1000000 --assume assume.cu:step:threads=64..256 \
// RUN:   --assume blocks=7 --assume ":go:depth=3" --assume other.cu:go:depth=4 \
// RUN:   --assume nobody=1 -- > %t.json 2> %t.err
// RUN: FileCheck %s < %t.json
// RUN: FileCheck %s --check-prefix=SAYS < %t.err

#include <cuda_runtime.h>

int input(const char *);
__global__ void k(float *p) {}

void step(float *p, int threads) { k<<<3, threads>>>(p); }

void go(float *p, int depth) {
  int n = input("n");
  int blocks = 5;
  k<<<(n + 255) / 256, 256>>>(p);
  k<<<blocks, depth>>>(p);
  step(p, input("threads"));
}

// CHECK: "grid": [
// CHECK-NEXT: 3907
// CHECK: "block": [
// CHECK-NEXT: 3,
// CHECK: "grid": [
// CHECK-NEXT: 5,
// CHECK: "threads": "[64, 256]"

// SAYS-DAG: coreside: warning: assumption 'blocks=7' is not used at {{.*}}assume.cu:19, where the source says 5
// SAYS-DAG: coreside: warning: assumption 'other.cu:go:depth=4' matched nothing
// SAYS-DAG: coreside: warning: assumption 'nobody=1' matched nothing

// RUN: not %coreside check --cuda-path=none %s --assume n 2>&1 | FileCheck %s --check-prefix=EQUALS
// EQUALS: coreside: error: assumption 'n': there is no '='; write NAME=VALUE or FILE:FUNCTION:NAME=VALUE with a whole number or a range like 64..1024
// RUN: not %coreside check --cuda-path=none %s --assume n=many 2>&1 | FileCheck %s --check-prefix=WHOLE
// WHOLE: coreside: error: assumption 'n=many': the value is no whole number
// RUN: not %coreside check --cuda-path=none %s --assume n=9..3 2>&1 | FileCheck %s --check-prefix=BEFORE
// BEFORE: coreside: error: assumption 'n=9..3': the range ends before it begins
// RUN: not %coreside check --cuda-path=none %s --assume n=9.. 2>&1 | FileCheck %s --check-prefix=END
// END: coreside: error: assumption 'n=9..': the range has no whole number as its end
// RUN: not %coreside check --cuda-path=none %s --assume a:n=9 2>&1 | FileCheck %s --check-prefix=PARTS
// PARTS: coreside: error: assumption 'a:n=9': FILE and FUNCTION go together
// RUN: not %coreside check --cuda-path=none %s --assume =9 2>&1 | FileCheck %s --check-prefix=NAME
// NAME: coreside: error: assumption '=9': there is no name
