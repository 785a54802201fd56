// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "GPUsCommand.h"

#include "device/GPUFile.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <fmt/format.h>

using namespace coreside;

namespace {

std::string capabilityNumber(ComputeCapability capability) {
  return fmt::format("{}.{}", capability.major, capability.minor);
}

/// "50 MiB", "5.5 MiB", or "-" for what is not known.
std::string sizeInWords(uint64_t bytes) {
  if (bytes == 0)
    return "-";
  constexpr std::pair<uint64_t, const char *> units[] = {
      {uint64_t(1) << 30, "GiB"}, {1 << 20, "MiB"}, {1 << 10, "KiB"}};
  for (auto [size, name] : units)
    if (bytes >= size)
      return fmt::format("{:.4g} {}", double(bytes) / double(size), name);
  return fmt::format("{} B", bytes);
}

llvm::json::Array array(const std::vector<unsigned> &values) {
  llvm::json::Array result;
  for (unsigned value : values)
    result.push_back(value);
  return result;
}

/// The fields of a GPU file; what is not known is left out.
llvm::json::Object object(const GPU &gpu) {
  const Architecture &a = gpu.architecture;
  llvm::json::Object result{
      {"name", gpu.name},
      {"product", gpu.product},
      {"capability", capabilityNumber(a.capability)},
      {"SMs", gpu.SMs},
      {"threadsPerSM", a.threadsPerSM},
      {"threadsPerBlock", a.threadsPerBlock},
      {"blocksPerSM", a.blocksPerSM},
      {"subPartitions", a.subPartitions},
      {"registersPerSM", a.registersPerSM},
      {"registersPerBlock", a.registersPerBlock},
      {"registersPerThread", a.registersPerThread},
      {"sharedPerSM", a.sharedPerSM},
      {"sharedPerBlock", a.sharedPerBlock},
      {"sharedPerBlockOptIn", a.sharedPerBlockOptIn},
      {"sharedReservedPerBlock", a.sharedReservedPerBlock},
      {"barriersPerSM", a.barriersPerSM},
      {"residentGrids", a.residentGrids},
      {"clusterPortable", a.clusterPortable},
      {"clusterNonPortable", a.clusterNonPortable},
      {"clusterBlocksPerSM", a.clusterBlocksPerSM}};
  if (gpu.l2Bytes)
    result["l2Bytes"] = gpu.l2Bytes;
  if (gpu.memoryBytes)
    result["memoryBytes"] = gpu.memoryBytes;
  if (a.l1AndShared)
    result["l1AndShared"] = a.l1AndShared;
  if (!a.sharedConfigurations.empty())
    result["sharedConfigurations"] = array(a.sharedConfigurations);
  if (!gpu.clusterGroups.empty())
    result["clusterGroups"] = array(gpu.clusterGroups);
  return result;
}

} // namespace

int coreside::runGPUs(const GPUsOptions &options, llvm::raw_ostream &out,
                      llvm::raw_ostream &errors) {
  std::vector<GPU> gpus(products().begin(), products().end());
  if (!options.gpus.empty() || options.SMs != 0) {
    llvm::Expected<std::vector<GPU>> named =
        resolveGPUs(options.gpus, options.SMs);
    if (!named) {
      errors << "coreside: error: " << llvm::toString(named.takeError())
             << '\n';
      return 2;
    }
    gpus = std::move(*named);
  }

  if (options.json) {
    llvm::json::Array list;
    for (const GPU &gpu : gpus)
      list.push_back(object(gpu));
    out << llvm::formatv("{0:2}", llvm::json::Value(std::move(list))) << '\n';
    return 0;
  }
  out << fmt::format("{:<18}{:>4}  {:<12}{:<11}{:<10}{}\n", "NAME", "SMS",
                     "CAPABILITY", "L2", "MEMORY", "PRODUCT");
  for (const GPU &gpu : gpus)
    out << fmt::format("{:<18}{:>4}  {:<12}{:<11}{:<10}{}\n", gpu.name, gpu.SMs,
                       capabilityNumber(gpu.architecture.capability),
                       sizeInWords(gpu.l2Bytes), sizeInWords(gpu.memoryBytes),
                       gpu.product);
  return 0;
}
