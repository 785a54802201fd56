// Launches that the file's own values keep from being made are told apart from
// those that were not read.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program | FileCheck %s
// RUN: %coreside check %s --cuda-path=none --gpu h100 --explain 2>&1 | FileCheck %s --check-prefix=SAID
// RUN: %coreside check %s --cuda-path=none --gpu h100 2>&1 | FileCheck %s --check-prefix=QUIET

template <int Size> __global__ void scan(float *data) { data[0] = Size; }
__global__ void tail(float *data) { data[1] = 0; }
__global__ void debug(float *data) { data[2] = 0; }
__global__ void never(float *data) { data[3] = 0; }

template <int Size> void launch(float *data) { scan<Size><<<1, Size>>>(data); }

static void choose(float *data, int size) {
  switch (size) {
  case 128:
    launch<128>(data);
    break;
  case 256:
    launch<256>(data);
    break;
  default:
    return;
  }
}

static void unused(float *data) { never<<<1, 3>>>(data); }

template <class Use> static void given(bool how, Use use) {
  if (how)
    use.template operator()<32>();
  else
    use.template operator()<64>();
}

template <class Body> void each(int times, Body body) {
  for (int i = 0; i < times; ++i)
    body();
}

int main() {
  float *data = nullptr;
  const bool verbose = false;
  choose(data, 256);
  if (verbose)
    debug<<<1, 1>>>(data);
  verbose && (debug<<<1, 2>>>(data), true);
  each(0, [&] { tail<<<1, 4>>>(data); });
  auto twice = [&]<int Size>() { scan<Size><<<2, Size>>>(data); };
  given(true, twice);
  return 0;
  tail<<<1, 5>>>(data);
}

// What stands in a lambda that nothing calls has a trace of its own.
// CHECK-NOT:  "lostLaunches"
// CHECK:      "traces": [
// CHECK-DAG:    "function": "lambda in main"
// CHECK-DAG:    "kernel": "scan<256>"
// CHECK-DAG:    "kernel": "scan<32>"
// CHECK-DAG:    "kernel": "never"
// CHECK:      "untakenLaunches": [
// CHECK-NEXT: {
// CHECK-NEXT:   "condition": "size",
// CHECK-NEXT:   "decision": "{{.*}}untaken-launches.cu:16:3",
// CHECK-NEXT:   "kernel": "scan<128>",
// CHECK-NEXT:   "outcome": "256",
// CHECK-NEXT:   "place": "{{.*}}untaken-launches.cu:13:48"
// CHECK:        "kernel": "debug",
// CHECK-NEXT:   "outcome": "false",
// CHECK-NEXT:   "place": "{{.*}}untaken-launches.cu:47:5"
// CHECK:        "kernel": "debug",
// CHECK-NEXT:   "outcome": "false",
// CHECK-NEXT:   "place": "{{.*}}untaken-launches.cu:48:15"
// CHECK:        "decision": "{{.*}}untaken-launches.cu:52:3",
// CHECK-NEXT:   "kernel": "tail",
// CHECK-NEXT:   "place": "{{.*}}untaken-launches.cu:53:3"
// CHECK:        "kernel": "scan<64>",
// CHECK-NEXT:   "outcome": "true",
// CHECK-NEXT:   "place": "{{.*}}untaken-launches.cu:50:34"
// CHECK-NOT:    "place"

// Each with what decides it: the value that a switch has, a condition that
// holds or does not, a loop without a turn, a return.
// SAID: note: launch never made: {{.*}}untaken-launches.cu:13:48: 'scan<128>', 'size' at {{.*}}untaken-launches.cu:16 is 256
// SAID: note: launch never made: {{.*}}untaken-launches.cu:47:5: 'debug', 'verbose' at {{.*}}untaken-launches.cu:46 is false
// SAID: note: launch never made: {{.*}}untaken-launches.cu:48:15: 'debug', 'verbose' at {{.*}}untaken-launches.cu:48 is false
// SAID: note: launch never made: {{.*}}untaken-launches.cu:53:3: 'tail', the way there is left at {{.*}}untaken-launches.cu:52
// SAID: note: launch never made: {{.*}}untaken-launches.cu:50:34: 'scan<64>', 'how' at {{.*}}untaken-launches.cu:31 is true

// QUIET-NOT: not analysed
