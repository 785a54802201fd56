// Directives of OpenMP that capture nothing are read like their bodies.
// RUN: %coreside check %s --cuda-path=none --dump=program -- -fopenmp | FileCheck %s
__global__ void step(float *data) {}

int main() {
  float *data = nullptr;
  int done = 0;
#pragma omp critical
  done += 1;
#pragma omp parallel
  {
#pragma omp critical
    done += 1;
#pragma omp master
    done += 1;
#pragma omp single
    done += 1;
#pragma omp atomic
    done += 1;
  }
#pragma omp critical(queue)
  { step<<<3, 64>>>(data); }
}

// CHECK: "function": "main"
// CHECK: "block": [
// CHECK-NEXT: 64,
// CHECK: "kind": "launch"
// CHECK-NOT: "kind": "launch"
