// An instruction that ptxas does not know loses its kernel, not the file.
//
// REQUIRES: nvcc
// RUN: %coreside resources %s --gpu a100 -- > %t.out 2> %t.err
// RUN: FileCheck %s --check-prefix=OUT < %t.out
// RUN: FileCheck %s --check-prefix=ERR < %t.err
// RUN: %coreside resources %s --gpu a100 -- | FileCheck %s --check-prefix=OUT
// RUN: ls %t.home/tmp | count 0
//
// ERR: warning: nvcc {{[0-9.]+}} failed on 'refused.cu' for sm_80: ptxas: Not a name of any known instruction: 'bogus'; the other kernels count
// OUT-DAG: first(float*) sm_80
// OUT-DAG: third(float*) sm_80
// OUT-NOT: second

__global__ void first(float *p) { p[threadIdx.x] *= 2; }
__global__ void second(float *p) {
  asm volatile("bogus.f32 %0, %0;" ::"f"(p[0]));
}
__global__ void third(float *p) { p[threadIdx.x] *= 3; }
