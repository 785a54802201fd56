// Kernels that wait for another one.
//
// RUN: not %coreside check %s --cuda-path=none --gpu h100,b200 \
// RUN:   --ptxas-log %S/Inputs/released-too-late.log --level=note \
// RUN:   --rules=released-too-late -- | FileCheck %s

#include <cuda_runtime.h>

struct Mail {
  int ready;
  int done;
};

__global__ void consumer(volatile Mail *mail) {
  if (threadIdx.x == 0)
    while (mail->ready == 0) {
    }
  __syncthreads();
}
__global__ void producer(Mail *mail) {
  if (threadIdx.x == 0)
    mail->ready = 1;
}
__global__ void reporter(Mail *mail) {
  printf("ready\n");
  mail->ready = 1;
}
__global__ void finisher(Mail *mail) { mail->done = 1; }

// Roles of one protocol: each waits for the other.
__global__ void worker(volatile int *inbox, volatile int *outbox) {
  if (threadIdx.x == 0)
    while (inbox[blockIdx.x] == 0) {
    }
  __syncthreads();
  if (threadIdx.x == 0)
    outbox[blockIdx.x] = 1;
}
__global__ void scheduler(volatile int *inbox, volatile int *outbox, int each) {
  int i = blockIdx.x * each + threadIdx.x;
  inbox[i] = 1;
  while (outbox[i] == 0) {
  }
}

__device__ int gate;
__device__ bool isOpen() { return atomicAdd(&gate, 0) != 0; }
__global__ void enter(float *v) {
  while (!isOpen())
    __nanosleep(64);
  v[0] = 1;
}
__global__ void open() { atomicExch(&gate, 1); }

void sameStream() {
  Mail *mail;
  cudaMalloc(&mail, sizeof(Mail));
  cudaMemset(mail, 0, sizeof(Mail));
  consumer<<<1, 32>>>(mail);
  producer<<<1, 32>>>(mail);
  // CHECK: released-too-late.cu:[[#@LINE-2]]:3: error: 'consumer' hangs: it waits for what 'producer' stores, and 'producer' starts only when it is done [released-too-late]
  // CHECK: released-too-late.cu:16:5: note: 'consumer' waits here until 'mail->ready' changes
  // CHECK: released-too-late.cu:22:5: note: 'producer' stores to it here
  // CHECK: released-too-late.cu:[[#@LINE-4]]:3: note: 'producer' is launched here: {{.*}}default stream
  // CHECK: note: two roles in one cooperative launch are sure to run together, two launches are not
}

void variable(float *v) {
  cudaStream_t s, t;
  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
  enter<<<1, 32, 0, s>>>(v);
  cudaStreamSynchronize(s);
  open<<<1, 1, 0, t>>>();
  // CHECK: :[[#@LINE-3]]:3: error: 'enter' hangs: it waits for what 'open' stores, and 'open' starts only when it is done
}

void noRoom(Mail *mail) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  producer<<<1, 32>>>(nullptr);
  cudaDeviceSynchronize();
  consumer<<<264, 1024, 0, s>>>(mail);
  producer<<<1, 32, 0, t>>>(mail);
  // CHECK: :[[#@LINE-2]]:3: error: 'consumer' hangs on h100 and b200: it waits for what 'producer' stores, and no block of 'producer' fits beside it
  // CHECK: note: h100: the waiting blocks of 'consumer' stay; no block of 'producer' starts beside them: limited by warps
}

void placement(int *inbox, int *outbox, cudaEvent_t ready) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaFuncAttributes a;
  cudaFuncGetAttributes(&a, worker);
  cudaFuncGetAttributes(&a, scheduler);
  cudaFuncSetAttribute(worker, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       213 * 1024);
  cudaStreamWaitEvent(s, ready, 0);
  cudaStreamWaitEvent(t, ready, 0);
  worker<<<144, 256, 213 * 1024, s>>>(inbox, outbox);
  scheduler<<<16, 32, 0, t>>>(inbox, outbox, 9);
  // CHECK: :[[#@LINE-2]]:3: error: 'worker' hangs on h100: it waits for what 'scheduler' stores, and no block of 'scheduler' fits beside it
  // CHECK: :[[#@LINE-2]]:3: error: 'scheduler' and 'worker' can hang on b200: they wait for each other and not all of their blocks run at once
}

void placementHere(int *inbox, int *outbox, cudaEvent_t ready) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaFuncAttributes a;
  cudaFuncGetAttributes(&a, worker);
  cudaFuncGetAttributes(&a, scheduler);
  cudaFuncSetAttribute(worker, cudaFuncAttributeMaxDynamicSharedMemorySize,
                       213 * 1024);
  cudaStreamWaitEvent(s, ready, 0);
  cudaStreamWaitEvent(t, ready, 0);
  worker<<<128, 256, 213 * 1024, s>>>(inbox, outbox);
  scheduler<<<16, 32, 0, t>>>(inbox, outbox, 8);
  // CHECK: :[[#@LINE-2]]:3: error: 'worker' and 'scheduler' can hang on h100: they wait for each other and not all of their blocks run at once
  // CHECK: note: h100: with 'scheduler' placed first, 116 of 128 blocks of 'worker' run beside it: limited by shared-memory configuration
}

void cold(Mail *mail) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  consumer<<<1, 32, 0, s>>>(mail);
  producer<<<1, 32, 0, t>>>(mail);
  // CHECK: :[[#@LINE-2]]:3: error: 'consumer' can hang: it waits for what 'producer' stores, and loading 'producer' for its first launch waits for 'consumer'
  // CHECK: :[[#@LINE-2]]:3: note: a launch of 'producer' before, cudaFuncGetAttributes, or CUDA_MODULE_LOADING=EAGER loads it in time
}

void warm(Mail *mail) {
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaFuncAttributes a;
  cudaFuncGetAttributes(&a, producer);
  consumer<<<1, 32, 0, s>>>(mail);
  producer<<<1, 32, 0, t>>>(mail);
}

// Eight hardware queues: the ninth stream comes behind the first.
void queue(Mail *mail) {
  cudaStream_t s[9];
  for (int i = 0; i < 9; ++i)
    cudaStreamCreate(&s[i]);
  cudaFuncAttributes a;
  cudaFuncGetAttributes(&a, producer);
  consumer<<<1, 32, 0, s[0]>>>(mail);
  finisher<<<1, 32, 0, s[0]>>>(mail);
  for (int i = 1; i < 8; ++i)
    finisher<<<1, 32, 0, s[i]>>>(mail);
  producer<<<1, 32, 0, s[8]>>>(mail);
  // CHECK: :[[#@LINE-5]]:3: error: 'consumer' can hang: it waits for what 'producer' stores, and 'producer' stands behind 'finisher' in a hardware queue, which comes after 'consumer'
}

// What prints has memory set up for that when it is first launched.
void setUp() {
  Mail *mail;
  cudaMalloc(&mail, sizeof(Mail));
  cudaStream_t s, t;
  cudaStreamCreate(&s);
  cudaStreamCreate(&t);
  cudaFuncAttributes a;
  cudaFuncGetAttributes(&a, reporter);
  consumer<<<1, 32, 0, s>>>(mail);
  reporter<<<1, 32, 0, t>>>(mail);
  // CHECK: :[[#@LINE-2]]:3: error: 'consumer' can hang: it waits for what 'reporter' stores, and the first launch of 'reporter', which prints or allocates, waits for 'consumer'
}

// It may have been set before.
void fromElsewhere(Mail *mail) {
  consumer<<<1, 32>>>(mail);
  producer<<<1, 32>>>(mail);
  // CHECK: :[[#@LINE-2]]:3: warning: 'consumer' hangs unless its wait is over from the start: it waits for what 'producer' stores, and 'producer' starts only when it is done [released-too-late]
}

void producerFirst(Mail *mail) {
  producer<<<1, 32>>>(mail);
  consumer<<<1, 32>>>(mail);
}

// Another member of the structure, and other memory.
void others(Mail *mail, Mail *other) {
  consumer<<<1, 32>>>(mail);
  finisher<<<1, 32>>>(mail);
  producer<<<1, 32>>>(other);
}

// Which memory is waited for is not known.
Mail *find();
void unknown() {
  consumer<<<1, 32>>>(find());
  producer<<<1, 32>>>(find());
}

void allowed(Mail *mail) {
  consumer<<<1, 32>>>(mail); // coreside: allow released-too-late
  producer<<<1, 32>>>(mail);
}
// CHECK-NOT: [released-too-late]
