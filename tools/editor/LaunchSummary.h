// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of each launch that stands in a file, for people.
//
// In:   an analysis
// Out:  blur at a.cu:30:3: h100: 4 blocks per SM, limited by registers, 3.9
//       waves; edges at a.cu:31:3 waits for it
//
// One place may launch several times: in a loop, in a function that is called
// from several places. Numbers are then ranges.

#ifndef CORESIDE_EDITOR_LAUNCHSUMMARY_H
#define CORESIDE_EDITOR_LAUNCHSUMMARY_H

#include "CheckedFile.h"

#include <optional>
#include <string>
#include <vector>

namespace coreside {

/// From a smallest to a largest number; nothing before the first.
template <typename Number> struct NumberRange {
  std::optional<Number> low, high;
  void add(Number number) {
    low = low ? std::min(*low, number) : number;
    high = high ? std::max(*high, number) : number;
  }
  explicit operator bool() const { return low.has_value(); }
};

struct LaunchNumbersOnGPU {
  std::string gpu;
  std::optional<unsigned> registers;
  bool estimated = false;
  /// Bytes.
  std::optional<unsigned> staticShared;
  NumberRange<unsigned> dynamicShared;
  NumberRange<unsigned> blocksPerSM;
  /// Of the launch with the fewest blocks.
  Limiter limiter = Limiter::None;
  NumberRange<double> waves;
  /// Why it fails there; empty where it does not.
  std::string fault;
  /// What is not known: "registers: ...".
  std::string missing;
};

/// Another launch that may run at the same time.
struct PartnerOnGPU {
  std::string gpu;
  PairOnGPU::State state = PairOnGPU::State::Unknown;
  Sharing sharing = Sharing::Full;
  Limiter limiter = Limiter::None;
  std::string why;
};
struct LaunchPartner {
  std::string kernel;
  SourcePlace place;
  /// It is issued before the launch itself.
  bool isFirst = false;
  /// One for each target, the worst of all pairs of the two places.
  std::vector<PartnerOnGPU> onGPU;
};

struct LaunchSummary {
  SourcePlace place;
  /// Index into the program's kernels.
  int kernel = -1;
  std::string kernelName;
  /// As the source calls it; empty where it is not known.
  std::string stream;
  /// Null where no one wrote it.
  const StepText *text = nullptr;
  /// "528 blocks of 256 threads"; parts that are not known as the source puts
  /// them.
  std::string shape;
  std::vector<LaunchNumbersOnGPU> onGPU;
  std::vector<LaunchPartner> partners;
};

/// The launches in `file`, by place.
std::vector<LaunchSummary> launchesIn(const Analysis &analysis,
                                      const std::string &file);

/// Where a launch's configuration ends: behind ">>>", or the end of the call.
/// Line and column from 1.
std::pair<unsigned, unsigned> endOfConfiguration(const StepText &text);

} // namespace coreside

#endif
