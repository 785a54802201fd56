// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// When a program that has ended is started again.
//
// In:   the times at which it ended
// Out:  at once, after half a second, after a whole one; then not any more
//
// A file that makes it end will do so each time.

#ifndef CORESIDE_EDITOR_RESTARTPOLICY_H
#define CORESIDE_EDITOR_RESTARTPOLICY_H

#include <chrono>
#include <optional>
#include <vector>

namespace coreside {

using Clock = std::chrono::steady_clock;
using Milliseconds = std::chrono::milliseconds;

class RestartPolicy {
public:
  /// It ended at `now`: when to start it, nothing where it ended four times
  /// within three minutes.
  std::optional<Clock::time_point> afterEnd(Clock::time_point now) {
    std::erase_if(Ends, [&](Clock::time_point end) {
      return now - end > std::chrono::minutes(3);
    });
    Ends.push_back(now);
    switch (Ends.size()) {
    case 1:
      return now;
    case 2:
      return now + Milliseconds(500);
    case 3:
      return now + Milliseconds(1000);
    default:
      return std::nullopt;
    }
  }

private:
  std::vector<Clock::time_point> Ends;
};

} // namespace coreside

#endif
