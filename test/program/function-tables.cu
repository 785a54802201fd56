// A function that is called through a pointer has what that call hands it, and
// is not read a second time with nothing known; one that nothing here calls is.
//
// RUN: %coreside check %s --cuda-path=none --dump=program | FileCheck %s --implicit-check-not='"kind": "launch"' --implicit-check-not='"function": "code'

extern "C" void *malloc(unsigned long);
extern "C" void free(void *);

__global__ void narrow(float *) {}
__global__ void wide(float *) {}
__global__ void other(float *) {}
__global__ void chosen(float *) {}

using Code = void (*)(float *, int);

void codeNarrow(float *data, int threads) {
  narrow<<<8, threads, threads * sizeof(float)>>>(data);
}
void codeWide(float *data, int threads) {
  wide<<<8, threads, threads * sizeof(float)>>>(data);
}
void codeOther(float *data, int threads) { other<<<8, threads>>>(data); }
// One arm is not taken by the call below, so others must be asked.
void codeChosen(float *data, int threads) {
  if (threads < 128)
    chosen<<<1, threads>>>(data);
}

Code codes[] = {codeNarrow, codeWide};
Code registered[] = {codeOther};
Code last = codeChosen;

int main(int argc, char **argv) {
  float *data;
  cudaMalloc(&data, 4096);
  const int count = 3;
  Code *tasks = (Code *)malloc(count * sizeof(Code));
  for (int i = 0; i < count; ++i)
    tasks[i] = codes[(argc + i) % 2];
  for (int i = 0; i < argc; ++i)
    tasks[i % count](data, 128);
  Code one = codeChosen;
  one(data, 128);
  free(tasks);
}

// CHECK:      "function": "main"
// Of the loop a general turn and the one after it.
// CHECK:        "dynamicShared": 512,
// CHECK:        "kernel": "narrow"
// CHECK-NEXT:   "kind": "launch"
// CHECK:        "dynamicShared": 512,
// CHECK:        "kernel": "wide"
// CHECK-NEXT:   "kind": "launch"
// CHECK:        "dynamicShared": 512,
// CHECK:        "kernel": "narrow"
// CHECK-NEXT:   "kind": "launch"
// CHECK:        "dynamicShared": 512,
// CHECK:        "kernel": "wide"
// CHECK-NEXT:   "kind": "launch"

// CHECK:      "function": "codeOther"
// CHECK:        "kernel": "other"
// CHECK-NEXT:   "kind": "launch"
// CHECK:        "threads": "[0, 2147483647]"

// CHECK:      "function": "codeChosen"
// CHECK:        "kernel": "chosen"
// CHECK-NEXT:   "kind": "launch"
// CHECK:        "threads": "[0, 127]"
