// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceBounds.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

using namespace coreside;

static const KernelOnDevice *passFor(const Kernel &kernel,
                                     ComputeCapability capability) {
  for (const KernelOnDevice &pass : kernel.onDevice)
    if (pass.capability == capability)
      return &pass;
  return nullptr;
}

KernelBounds coreside::boundsOn(const Kernel &kernel,
                                ComputeCapability capability) {
  const KernelOnDevice *pass = passFor(kernel, capability);
  KernelBounds bounds = kernel;
  // A kernel without a body there is launched with what the host pass knows.
  if (pass && pass->hasBody)
    bounds = *pass;
  if (capability.major < 9)
    bounds.maxBlocksPerCluster.reset();
  return bounds;
}

void coreside::addDevicePass(std::vector<Kernel> &kernels,
                             ComputeCapability capability,
                             const std::vector<Kernel> &found) {
  llvm::StringMap<const Kernel *> byName;
  for (const Kernel &kernel : found)
    byName.try_emplace(kernel.mangled, &kernel);
  for (Kernel &kernel : kernels) {
    KernelOnDevice &pass = kernel.onDevice.emplace_back();
    pass.capability = capability;
    const Kernel *there = byName.lookup(kernel.mangled);
    pass.hasBody = there != nullptr;
    if (there) {
      static_cast<KernelBounds &>(pass) = *there;
      kernel.mayTrigger |= there->mayTrigger;
    }
  }
}
