// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Plays a small program of kernels, streams and events on a GPU: who runs
// when, and on which SMs.
//
// In:   h200; A, 132 blocks of 1,024 threads for 100 us on stream 0, and B,
//       the same on stream 1.
// Out:  A 0 to 100 us, B 5 to 105 us, both on 132 SMs.
//
// The rules were measured on an H200 and agree with what others published for
// other GPUs (docs/model.md): kernels that are ready form one queue by
// priority and time; only its head is placed, each block on the SM with most
// free warp slots; placed blocks stay until they end.

#ifndef CORESIDE_DEVICE_SCHEDULER_H
#define CORESIDE_DEVICE_SCHEDULER_H

#include "DeviceProgram.h"

#include <cstdint>
#include <vector>

namespace coreside {

/// When one kernel ran; nanoseconds since the first block of all started.
struct KernelTimes {
  double firstStart = 0;
  double lastStart = 0;
  double firstEnd = 0;
  double lastEnd = 0;
};

/// Two kernels of one schedule, `first` issued before `second`.
struct PairTimes {
  unsigned first = 0;
  unsigned second = 0;
  /// Nanoseconds during which both had blocks on the GPU.
  double overlap = 0;
  /// SMs that held blocks of both at once.
  unsigned SMsShared = 0;
};

/// Blocks of one kernel that started on one SM at the same time.
struct BlockSpan {
  unsigned kernel = 0;
  unsigned SM = 0;
  uint64_t blocks = 1;
  double start = 0;
  double end = 0;
};

/// One way in which the program can run.
struct Schedule {
  std::vector<KernelTimes> kernels;
  /// Every pair, (0,1), (0,2), ..., (1,2), ...
  std::vector<PairTimes> pairs;
  /// From the first start to the last end.
  double makespan = 0;
  /// Only when asked for; waves that were passed over are one long span.
  std::vector<BlockSpan> spans;
};

/// Chances that differ from run to run, and stay the same for one `run`.
struct Chance {
  /// 0: nominal latencies, ties by issue order; others draw them.
  unsigned run = 0;
  bool recordSpans = false;
};

/// Plays `program`, which `checkProgram` found nothing wrong with, once.
Schedule simulate(const GPU &gpu, const DeviceProgram &program,
                  const Chance &chance = {});

} // namespace coreside

#endif
