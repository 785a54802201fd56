// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// This machine's GPUs.
//
// In:   the driver's library, libcuda.so.1.
// Out:  h200, with the SM count, L2 and limits that the driver tells; or one
//       line that says why there is none.
//
// The library is loaded when it is asked for, so that coreside runs, and is
// built, on machines without one.

#include "GPUFile.h"

#include "llvm/ADT/Twine.h"
#include "llvm/Support/DynamicLibrary.h"

#include <algorithm>

namespace coreside {

namespace {

using llvm::Twine;

/// CUdevice_attribute; driver API reference.
enum Attribute {
  MaxRegistersPerBlock = 12,
  MultiprocessorCount = 16,
  L2CacheSize = 38,
  MaxThreadsPerMultiprocessor = 39,
  ComputeCapabilityMajor = 75,
  ComputeCapabilityMinor = 76,
  MaxSharedPerMultiprocessor = 81,
  MaxRegistersPerMultiprocessor = 82,
  MaxSharedPerBlockOptIn = 97,
  MaxBlocksPerMultiprocessor = 106,
  ReservedSharedPerBlock = 111,
};

/// The functions of the driver that are needed.
struct Driver {
  int (*init)(unsigned flags);
  int (*deviceGetCount)(int *count);
  int (*deviceGet)(int *device, int ordinal);
  int (*deviceGetName)(char *name, int length, int device);
  int (*deviceGetAttribute)(int *value, int attribute, int device);
  int (*deviceTotalMemory)(size_t *bytes, int device);
};

llvm::Error noGPU(const Twine &why) {
  return llvm::createStringError("no GPU for 'native': " + why +
                                 "; name the target instead");
}

llvm::Expected<Driver> load(llvm::StringRef path) {
  std::string message;
  llvm::sys::DynamicLibrary library =
      llvm::sys::DynamicLibrary::getPermanentLibrary(path.str().c_str(),
                                                     &message);
  if (!library.isValid())
    return noGPU("the NVIDIA driver's library cannot be loaded (" + message +
                 ")");
  Driver driver;
  const char *missing = nullptr;
  const auto find = [&](auto &function, const char *name) {
    void *address = library.getAddressOfSymbol(name);
    if (!address)
      missing = name;
    function = reinterpret_cast<std::decay_t<decltype(function)>>(address);
  };
  find(driver.init, "cuInit");
  find(driver.deviceGetCount, "cuDeviceGetCount");
  find(driver.deviceGet, "cuDeviceGet");
  find(driver.deviceGetName, "cuDeviceGetName");
  find(driver.deviceGetAttribute, "cuDeviceGetAttribute");
  find(driver.deviceTotalMemory, "cuDeviceTotalMem_v2");
  if (missing)
    return noGPU(Twine(path) + " has no function " + missing);
  return driver;
}

/// Device `ordinal` as the driver tells it.
llvm::Expected<GPU> ask(const Driver &driver, int ordinal) {
  int device = 0;
  if (int error = driver.deviceGet(&device, ordinal))
    return noGPU("cuDeviceGet failed with error " + Twine(error));
  char name[256] = {};
  if (int error = driver.deviceGetName(name, sizeof(name) - 1, device))
    return noGPU("cuDeviceGetName failed with error " + Twine(error));
  // 0 where the driver does not know the attribute.
  const auto attribute = [&](Attribute which) -> unsigned {
    int value = 0;
    if (driver.deviceGetAttribute(&value, which, device) != 0 || value < 0)
      return 0;
    return static_cast<unsigned>(value);
  };
  const ComputeCapability capability = {attribute(ComputeCapabilityMajor),
                                        attribute(ComputeCapabilityMinor)};
  const Architecture *architecture = findArchitecture(capability);
  if (!architecture)
    return noGPU("'" + Twine(name) + "' has " + smName(capability) +
                 ", which coreside does not know");

  GPU gpu;
  if (const GPU *product = findGPU(name))
    gpu = *product;
  else
    gpu.name = name;
  gpu.product = name;
  gpu.architecture = *architecture;
  const auto replace = [&](auto &field, Attribute which) {
    if (unsigned value = attribute(which))
      field = value;
  };
  const unsigned tableSMs = gpu.SMs;
  replace(gpu.SMs, MultiprocessorCount);
  // A MIG slice has other groups; so may another chip of the same product.
  if (gpu.SMs != tableSMs)
    gpu.clusterGroups.clear();
  if (gpu.SMs == 0)
    return noGPU("the driver does not tell how many SMs '" + Twine(name) +
                 "' has");
  replace(gpu.l2Bytes, L2CacheSize);
  Architecture &limits = gpu.architecture;
  replace(limits.threadsPerSM, MaxThreadsPerMultiprocessor);
  limits.warpsPerSM = limits.threadsPerSM / limits.warpSize;
  replace(limits.blocksPerSM, MaxBlocksPerMultiprocessor);
  replace(limits.registersPerSM, MaxRegistersPerMultiprocessor);
  replace(limits.registersPerBlock, MaxRegistersPerBlock);
  replace(limits.sharedPerSM, MaxSharedPerMultiprocessor);
  replace(limits.sharedPerBlockOptIn, MaxSharedPerBlockOptIn);
  replace(limits.sharedReservedPerBlock, ReservedSharedPerBlock);
  size_t memory = 0;
  if (driver.deviceTotalMemory(&memory, device) == 0)
    gpu.memoryBytes = memory;
  return gpu;
}

} // namespace

llvm::Expected<std::vector<GPU>> nativeGPUs(llvm::StringRef path) {
  llvm::Expected<Driver> driver = load(path);
  if (!driver)
    return driver.takeError();
  // 100 is CUDA_ERROR_NO_DEVICE.
  if (int error = driver->init(0))
    return noGPU(error == 100 ? Twine("the driver finds none")
                              : "cuInit failed with error " + Twine(error));
  int count = 0;
  if (int error = driver->deviceGetCount(&count))
    return noGPU("cuDeviceGetCount failed with error " + Twine(error));
  std::vector<GPU> gpus;
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    llvm::Expected<GPU> gpu = ask(*driver, ordinal);
    if (!gpu)
      return gpu.takeError();
    if (std::none_of(gpus.begin(), gpus.end(), [&](const GPU &known) {
          return known.name == gpu->name && known.SMs == gpu->SMs;
        }))
      gpus.push_back(std::move(*gpu));
  }
  if (gpus.empty())
    return noGPU("the driver finds none");
  return gpus;
}

} // namespace coreside
