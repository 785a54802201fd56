// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "RuntimeNames.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

namespace coreside {

bool isRuntimeFunction(llvm::StringRef name) {
  for (llvm::StringRef prefix : {"cuda", "hip", "cu", "nccl"})
    if (name.size() > prefix.size() && name.starts_with(prefix) &&
        llvm::isUpper(name[prefix.size()]))
      return true;
  for (llvm::StringRef prefix :
       {"cublas",    "cudnn",    "cufft",
        "cusparse",  "cusolver", "curand",
        "cutensor",  "nvtx",     "npp",
        "nvjpeg",    "hipblas",  "hipfft",
        "hipsparse", "hiprand",  "hipsolver",
        "rocblas_",  "rocfft_",  "rocsparse",
        "miopen",    "rccl",     "__cudaPopCallConfiguration"})
    if (name.starts_with(prefix))
      return true;
  return false;
}

std::string runtimeName(llvm::StringRef name) {
  for (llvm::StringRef suffix : {"_ptsz", "_ptds", "_spt"})
    name.consume_back(suffix);
  size_t at = name.rfind("_v");
  if (at != llvm::StringRef::npos && at + 2 < name.size() &&
      llvm::all_of(name.drop_front(at + 2), llvm::isDigit))
    name = name.take_front(at);
  if (name.size() <= 3 || !name.starts_with("hip") || !llvm::isUpper(name[3]))
    return name.str();
  // What HIP does not call as the runtime does.
  llvm::StringRef other =
      llvm::StringSwitch<llvm::StringRef>(name.drop_front(3))
          .Cases({"HostMalloc", "ExtHostMalloc"}, "cudaHostAlloc")
          .Case("HostFree", "cudaFreeHost")
          .Case("ExtMallocWithFlags", "cudaMalloc")
          .Case("ExtLaunchKernel", "cudaLaunchKernel")
          .Case("ExtStreamCreateWithCUMask", "cudaStreamCreate")
          .Case("ModuleLaunchKernel", "cuLaunchKernel")
          .Case("ModuleLaunchCooperativeKernel", "cuLaunchCooperativeKernel")
          .Case("DrvLaunchKernelEx", "cuLaunchKernelEx")
          .Default("");
  if (!other.empty())
    return other.str();
  // The driver's part of it.
  for (llvm::StringRef driver :
       {"Module", "Ctx", "DevicePrimaryCtx", "MemcpyHtoD", "MemcpyDtoH",
        "MemcpyDtoD", "MemsetD", "MemAllocHost", "MemAllocPitch",
        "StreamWaitValue", "StreamWriteValue", "StreamBatchMemOp"})
    if (name.drop_front(3).starts_with(driver))
      return ("cu" + name.drop_front(3)).str();
  return ("cuda" + name.drop_front(3)).str();
}

bool isLaunchFunction(llvm::StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"cudaLaunchKernel", "cudaLaunchCooperativeKernel",
              "cudaLaunchKernelEx", "cudaLaunchKernelExC",
              "cudaLaunchCooperativeKernelMultiDevice"},
             true)
      .Cases({"cuLaunchKernel", "cuLaunchKernelEx", "cuLaunchCooperativeKernel",
              "cuLaunchCooperativeKernelMultiDevice"},
             true)
      .Default(false);
}

} // namespace coreside
