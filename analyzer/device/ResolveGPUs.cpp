// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What --gpu names.
//
// In:   "h200, lab.yaml, native", 0 SMs.
// Out:  the GPUs in that order, each once; or "unknown GPU 'h10'; did you mean
//       'h100'? 'coreside gpus' lists them".

#include "GPUFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"

namespace coreside {

namespace {

using llvm::StringRef;
using llvm::Twine;

llvm::Expected<std::vector<GPU>> resolve(StringRef item, unsigned SMs) {
  if (item == "native")
    return nativeGPUs();
  if (item.ends_with(".yaml") || item.ends_with(".yml")) {
    llvm::Expected<GPU> gpu = readGPUFile(item);
    if (!gpu)
      return gpu.takeError();
    return std::vector<GPU>{std::move(*gpu)};
  }
  if (const GPU *gpu = findGPU(item))
    return std::vector<GPU>{*gpu};
  if (item.contains('/') || llvm::sys::fs::is_regular_file(item))
    return readDeviceRecord(item, SMs);
  for (const Architecture &architecture : architectures())
    if (const GPU *gpu = representativeGPU(architecture.capability);
        gpu && item == smName(architecture.capability))
      return llvm::createStringError(
          "'" + Twine(item) +
          "' is an architecture, and its GPUs have different numbers of SMs; "
          "name one, such as '" +
          gpu->name + "'");
  const std::string nearest = nearestGPUName(item);
  return llvm::createStringError(
      "unknown GPU '" + Twine(item) + "'; " +
      (nearest.empty() ? Twine() : "did you mean '" + Twine(nearest) + "'? ") +
      "'coreside gpus' lists them");
}

} // namespace

llvm::Expected<std::vector<GPU>> resolveGPUs(StringRef commaList,
                                             unsigned SMs) {
  std::vector<GPU> gpus;
  for (StringRef rest = commaList; !rest.empty();) {
    StringRef item;
    std::tie(item, rest) = rest.split(',');
    item = item.trim();
    if (item.empty())
      continue;
    llvm::Expected<std::vector<GPU>> found = resolve(item, SMs);
    if (!found)
      return found.takeError();
    for (GPU &gpu : *found) {
      if (SMs != 0) {
        std::optional<GPU> share = withSMs(gpu, SMs);
        if (!share)
          return llvm::createStringError(
              Twine(gpu.name) + " has " + Twine(gpu.SMs) +
              " SMs; a share of it cannot have " + Twine(SMs));
        gpu = std::move(*share);
      }
      if (llvm::none_of(gpus, [&](const GPU &known) {
            return known.name == gpu.name && known.SMs == gpu.SMs;
          }))
        gpus.push_back(std::move(gpu));
    }
  }
  if (gpus.empty())
    return llvm::createStringError(
        "no GPU is named; 'coreside gpus' lists them");
  return gpus;
}

} // namespace coreside
