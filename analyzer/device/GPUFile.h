// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GPUs that are not in the table: described in a file, recorded by a tool, or
// in this machine; and the one function that makes targets of --gpu.
//
// In:   "h100,lab.yaml,native", where lab.yaml says
//
//           like: h100
//           SMs: 20
//           sharedPerSM: 100 KiB
//
// Out:  three GPUs, or one line: "lab.yaml:2: 'SMs' is 0, must be 1 to 4096".

#ifndef CORESIDE_DEVICE_GPUFILE_H
#define CORESIDE_DEVICE_GPUFILE_H

#include "GPU.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace coreside {

/// The GPU that the YAML file at `path` describes. The file has a base, either
/// `like` (a product) or `capability`, and fields named like those of GPU and
/// Architecture that differ from it; SMs is needed with `capability`. Sizes are
/// bytes or have a unit: 100 KiB. What follows from a field that is given, and
/// is not given itself, is worked out: the opt-in limit from sharedPerSM.
/// Errors name file, line and field.
llvm::Expected<GPU> readGPUFile(llvm::StringRef path);

/// The same for text that is in memory; `file` is its name in errors.
llvm::Expected<GPU> parseGPUFile(llvm::StringRef text, llvm::StringRef file);

/// The GPUs in saved output of deviceQuery, nvidia-smi, nvidia-smi -q, -L or
/// --query-gpu=name, each once. What deviceQuery says of SMs, L2 and memory
/// goes before the table. An output that lists MIG slices is an error unless
/// `SMs` says how large they are.
llvm::Expected<std::vector<GPU>> readDeviceRecord(llvm::StringRef path,
                                                  unsigned SMs = 0);

/// The same for text that is in memory.
llvm::Expected<std::vector<GPU>>
parseDeviceRecord(llvm::StringRef text, llvm::StringRef file, unsigned SMs = 0);

/// This machine's GPUs, each kind once, by asking the driver, which is loaded
/// for that. `library` is where the driver is.
llvm::Expected<std::vector<GPU>>
nativeGPUs(llvm::StringRef library = "libcuda.so.1");

/// The GPUs of a list: product names, "native", GPU files (*.yaml, *.yml) and
/// device records, separated by commas; each once. With `SMs` other than 0,
/// shares of that many SMs.
llvm::Expected<std::vector<GPU>> resolveGPUs(llvm::StringRef commaList,
                                             unsigned SMs);

} // namespace coreside

#endif
