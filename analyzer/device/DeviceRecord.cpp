// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPUs in saved output of NVIDIA's tools.
//
// In:   "GPU 0: NVIDIA H200 (UUID: GPU-5f...)"           nvidia-smi -L
//       "    Product Name      : NVIDIA H200"            nvidia-smi -q
//       "name\nNVIDIA H200"                              --query-gpu=name
//       "|   0  NVIDIA H200           On  |  0000..."    nvidia-smi
//       "Device 0: \"NVIDIA H200\" ... (132) Multiprocessors"   deviceQuery
// Out:  h200.

#include "GPUFile.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <optional>

namespace coreside {

namespace {

using llvm::StringRef;
using llvm::Twine;

/// One device as the output tells it. 0 where it does not.
struct Device {
  std::string name;
  unsigned line = 0;
  ComputeCapability capability;
  unsigned SMs = 0;
  uint64_t l2Bytes = 0;
  uint64_t memoryBytes = 0;
};

/// The first number in `text`, which people may have given commas; 0 when there
/// is none or it does not fit.
uint64_t firstNumber(StringRef text) {
  std::string digits;
  for (char c : text.drop_until(llvm::isDigit))
    if (llvm::isDigit(c))
      digits += c;
    else if (c != ',')
      break;
  uint64_t value = 0;
  return StringRef(digits).getAsInteger(10, value) ? 0 : value;
}

/// What is between the first pair of `open` and `close`.
StringRef between(StringRef text, char open, char close) {
  return text.split(open).second.split(close).first;
}

/// Devices of deviceQuery: a line 'Device 0: "NVIDIA H200"' and facts below.
class DeviceQuery {
public:
  /// True when the line belongs to deviceQuery's output.
  bool takeLine(StringRef line, unsigned number, std::vector<Device> &devices) {
    const auto [key, value] = line.split(':');
    if (key.starts_with("Device ") && value.trim().starts_with("\"")) {
      devices.push_back({between(value, '"', '"').str(), number, {}, 0, 0, 0});
      IsOpen = true;
      return true;
    }
    if (!IsOpen)
      return false;
    Device &device = devices.back();
    if (key.starts_with("CUDA Capability Major")) {
      const auto [major, minor] = value.trim().split('.');
      device.capability = {unsigned(firstNumber(major)),
                           unsigned(firstNumber(minor))};
    } else if (key.contains("Multiprocessors,")) {
      device.SMs = unsigned(firstNumber(between(key, '(', ')')));
    } else if (key == "L2 Cache Size") {
      device.l2Bytes = firstNumber(value);
    } else if (key == "Total amount of global memory") {
      device.memoryBytes = firstNumber(between(value, '(', ')'));
    }
    return true;
  }

private:
  bool IsOpen = false;
};

/// The name of a device in a line of nvidia-smi's several outputs, or nothing.
StringRef smiName(StringRef line) {
  // -L: "GPU 0: NVIDIA H200 (UUID: ...)"
  if (line.starts_with("GPU ") && line.contains("(UUID:"))
    return line.split(':').second.split("(UUID:").first.trim();
  const auto [key, value] = line.split(':');
  // -q
  if (key.trim() == "Product Name")
    return value.trim();
  // The table: "|   0  NVIDIA H200      On  | 00000000:19:00.0 Off | ...". The
  // second cell tells it from the table of processes.
  if (line.starts_with("|")) {
    const auto [first, rest] = line.drop_front().split('|');
    StringRef cell = first.trim();
    const StringRef index = cell.take_while(llvm::isDigit);
    cell = cell.drop_front(index.size());
    if (!index.empty() && cell.starts_with("  ") &&
        rest.split('|').first.contains(':'))
      return cell.trim().split("  ").first;
  }
  return {};
}

llvm::Expected<GPU> toGPU(const Device &device, StringRef file) {
  const auto error = [&](const Twine &message) {
    return llvm::createStringError(Twine(file) + ":" + Twine(device.line) +
                                   ": " + message);
  };
  const GPU *product = findGPU(device.name);
  GPU gpu;
  if (product) {
    gpu = *product;
    if (device.capability.major != 0 &&
        device.capability != gpu.architecture.capability) {
      // CUDA 12 and 13 number Thor differently; the record is right.
      const Architecture *architecture = findArchitecture(device.capability);
      if (!architecture)
        return error("'" + Twine(device.name) + "' has " +
                     smName(device.capability) + ", which is not known");
      gpu.architecture = *architecture;
    }
  } else if (const Architecture *architecture =
                 findArchitecture(device.capability);
             architecture && device.SMs != 0) {
    gpu.name = gpu.product = device.name;
    gpu.architecture = *architecture;
  } else {
    const std::string nearest = nearestGPUName(device.name);
    return error("unknown GPU '" + Twine(device.name) + "'" +
                 (nearest.empty()
                      ? Twine()
                      : "; did you mean '" + Twine(nearest) + "'?") +
                 " A GPU file can describe it");
  }
  if (device.SMs != 0 && device.SMs != gpu.SMs) {
    gpu.SMs = device.SMs;
    gpu.clusterGroups.clear();
  }
  if (device.l2Bytes != 0)
    gpu.l2Bytes = device.l2Bytes;
  if (device.memoryBytes != 0)
    gpu.memoryBytes = device.memoryBytes;
  return gpu;
}

} // namespace

llvm::Expected<std::vector<GPU>>
parseDeviceRecord(StringRef text, StringRef file, unsigned SMs) {
  std::vector<Device> devices;
  DeviceQuery deviceQuery;
  unsigned number = 0, firstMIG = 0;
  // The column of `--query-gpu=...,name,... --format=csv`.
  std::optional<size_t> nameColumn;
  for (StringRef rest = text; !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    ++number;
    line = line.trim();
    if (line.empty() || deviceQuery.takeLine(line, number, devices))
      continue;
    if (line.starts_with("MIG ") && line.contains("(UUID:")) {
      firstMIG = firstMIG ? firstMIG : number;
      continue;
    }
    if (StringRef name = smiName(line); !name.empty()) {
      devices.push_back({name.str(), number, {}, 0, 0, 0});
      continue;
    }
    llvm::SmallVector<StringRef, 8> cells;
    line.split(cells, ',');
    for (StringRef &cell : cells)
      cell = cell.trim();
    if (!nameColumn)
      if (auto it = llvm::find(cells, "name"); it != cells.end()) {
        nameColumn = size_t(it - cells.begin());
        continue;
      }
    if (nameColumn && *nameColumn < cells.size())
      devices.push_back({cells[*nameColumn].str(), number, {}, 0, 0, 0});
    else if (auto it = llvm::find_if(
                 cells, [](StringRef cell) { return findGPU(cell); });
             !nameColumn && it != cells.end())
      devices.push_back({it->str(), number, {}, 0, 0, 0});
  }
  if (devices.empty())
    return llvm::createStringError(
        Twine(file) + ": names no GPU; expected output of deviceQuery or "
                      "nvidia-smi, or a GPU file whose name ends in .yaml");
  if (firstMIG != 0 && SMs == 0)
    return llvm::createStringError(
        Twine(file) + ":" + Twine(firstMIG) +
        ": lists MIG slices; say how many SMs one has with --sms");
  std::vector<GPU> gpus;
  for (const Device &device : devices) {
    llvm::Expected<GPU> gpu = toGPU(device, file);
    if (!gpu)
      return gpu.takeError();
    if (llvm::none_of(gpus, [&](const GPU &known) {
          return known.name == gpu->name && known.SMs == gpu->SMs;
        }))
      gpus.push_back(std::move(*gpu));
  }
  return gpus;
}

llvm::Expected<std::vector<GPU>> readDeviceRecord(StringRef path,
                                                  unsigned SMs) {
  if (llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path))
    return llvm::createStringError(
        Twine(path) + ": not a device record: it is no regular file");
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError(
        Twine(path) + ": cannot be read: " + buffer.getError().message());
  if ((*buffer)->getBufferSize() > 4 << 20)
    return llvm::createStringError(Twine(path) +
                                   ": too large for a device record (4 MiB)");
  return parseDeviceRecord((*buffer)->getBuffer(), path, SMs);
}

} // namespace coreside
