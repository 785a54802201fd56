// How many attributes a launch has may not be known: those that are there in any
// case count.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program | FileCheck %s

__global__ void work(float *data) { data[0] = 0; }

static void launch(bool early, bool clustered) {
  cudaLaunchAttribute attributes[2];
  attributes[0].id = cudaLaunchAttributeClusterDimension;
  attributes[0].val.clusterDim.x = 4;
  attributes[0].val.clusterDim.y = 1;
  attributes[0].val.clusterDim.z = 1;
  attributes[1].id = cudaLaunchAttributeProgrammaticStreamSerialization;
  attributes[1].val.programmaticStreamSerializationAllowed = 1;
  cudaLaunchConfig_t config = {};
  config.gridDim = dim3(8);
  config.blockDim = dim3(64);
  config.attrs = attributes;
  config.numAttrs = early ? 2 : 1;
  cudaLaunchKernelEx(&config, work, (float *)nullptr);
  config.numAttrs = clustered ? 1 : 0;
  cudaLaunchKernelEx(&config, work, (float *)nullptr);
}

void run(bool early, bool clustered) { launch(early, clustered); }

// CHECK:      "cluster": [
// CHECK-NEXT:   4,
// CHECK-NEXT:   1,
// CHECK-NEXT:   1
// CHECK:      "cluster": [
// CHECK-NEXT:   {
// CHECK-NEXT:     "unknown": "the launch attributes cannot be followed"
