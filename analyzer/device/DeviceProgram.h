// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A host program as the device sees it: launches on streams, in issue order.
//
// In:   two streams; A on the first, B on the second, which awaits A.
// Out:  nothing from checkProgram; had A awaited B, "kernel 'A': awaits 'B',
//       which is issued later".

#ifndef CORESIDE_DEVICE_DEVICEPROGRAM_H
#define CORESIDE_DEVICE_DEVICEPROGRAM_H

#include "Footprint.h"
#include "GPU.h"

#include <cstdint>
#include <string>
#include <vector>

namespace coreside {

/// A stream of the host program.
struct DeviceStream {
  std::string name;
  /// As cudaStreamCreateWithPriority takes it: less is more urgent.
  int priority = 0;
  /// The legacy default stream: waits for all blocking streams, and they for
  /// it.
  bool legacyDefault = false;
  /// Made without cudaStreamNonBlocking.
  bool blocking = false;
};

/// One launch, in the order in which the host issues them.
struct DeviceKernel {
  std::string name;
  Grid grid;
  /// How long each block stays on its SM, 1 to 10^15.
  uint64_t blockNanoseconds = 100000;
  /// Index into DeviceProgram::streams.
  unsigned stream = 0;
  /// Kernels (indices, issued earlier) whose end its stream waits for.
  std::vector<unsigned> awaits;
  /// Kernels (indices, issued earlier) whose end the host waits for before it
  /// issues this one.
  std::vector<unsigned> hostAwaits;
};

struct DeviceProgram {
  std::vector<DeviceStream> streams;
  std::vector<DeviceKernel> kernels;
  /// CUDA_DEVICE_MAX_CONNECTIONS, 1 to 32: how many streams with work that
  /// waits do not hold each other up.
  unsigned hardwareQueues = 8;
};

/// What is wrong with `program`: one line that names the field ("kernel 'a':
/// blockNanoseconds is 0 ..."), empty when it can be played.
std::string checkProgram(const GPU &gpu, const DeviceProgram &program);

} // namespace coreside

#endif
