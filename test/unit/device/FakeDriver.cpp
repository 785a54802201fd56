// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A driver library with the devices that the environment names, for tests on
// machines without a GPU. CORESIDE_FAKE_DEVICES=3 gives an H200, a slice of one
// and a device that no table knows; =0 none; unset, cuInit fails.

#include <cstdio>
#include <cstdlib>

extern "C" {

int cuInit(unsigned) { return std::getenv("CORESIDE_FAKE_DEVICES") ? 0 : 999; }

int cuDeviceGetCount(int *count) {
  *count = std::atoi(std::getenv("CORESIDE_FAKE_DEVICES"));
  return 0;
}

int cuDeviceGet(int *device, int ordinal) {
  *device = ordinal;
  return 0;
}

int cuDeviceGetName(char *name, int length, int device) {
  std::snprintf(name, size_t(length), "%s",
                device < 2 ? "NVIDIA H200" : "NVIDIA Prototype");
  return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  switch (attribute) {
  case 16: // multiprocessors
    *value = device == 0 ? 132 : device == 1 ? 16 : 7;
    return 0;
  case 38: // L2
    *value = 62914560;
    return 0;
  case 75: // capability
    *value = device == 3 ? 99 : 9;
    return 0;
  case 76:
    *value = 0;
    return 0;
  case 106: // blocks per SM
    *value = device == 2 ? 24 : 32;
    return 0;
  }
  return 1; // CUDA_ERROR_INVALID_VALUE: an attribute it does not know
}

int cuDeviceTotalMem_v2(size_t *bytes, int) {
  *bytes = size_t(140) << 30;
  return 0;
}

} // extern "C"
