// The object that the compile command names is read, as long as it is newer
// than all that it is made from; what it does not have, nvcc says.
//
// REQUIRES: nvcc
// RUN: mkdir -p %t && cp %s %t/object.cu && echo '#define N 64' > %t/size.h
// RUN: cd %t && %cuda/bin/nvcc -gencode arch=compute_90,code=sm_90 -c object.cu -o object.o
// RUN: echo '[{"directory": "%t", "file": "object.cu", "command": "nvcc -c object.cu -o object.o"}]' > %t/compile_commands.json
// RUN: touch -d '1 hour ago' %t/object.cu %t/size.h %t/compile_commands.json
// RUN: %coreside check %t/object.cu --gpu h100,a100 --explain 2>&1 | FileCheck %s
// RUN: touch -d '1 hour' %t/size.h
// RUN: %coreside check %t/object.cu --gpu h100 --explain 2>&1 | FileCheck %s --check-prefix=OLD
//
// CHECK: note: {{.*}}object.cu: numbers for sm_90 from '{{.*}}object.o', which the compile command wrote
// CHECK: note: {{.*}}object.cu: numbers for sm_80 from nvcc -arch=sm_80
// OLD: note: {{.*}}object.cu: '{{.*}}object.o' is not used, '{{.*}}size.h' is newer
// OLD: note: {{.*}}object.cu: numbers for sm_90 from nvcc -arch=sm_90
//
// Something else has its name.
// RUN: touch -d '1 hour ago' %t/size.h && echo text > %t/object.o
// RUN: %coreside check %t/object.cu --gpu h100 --explain 2>&1 | FileCheck %s --check-prefix=OTHER
// OTHER: note: {{.*}}object.cu: {{.*}}object.o
// OTHER: note: {{.*}}object.cu: numbers for sm_90 from nvcc -arch=sm_90
#include "size.h"
__global__ void fill(float *p) { p[threadIdx.x] = N; }
void run(float *p) { fill<<<1, N>>>(p); }
