// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Durations.h"

#include <cmath>

using namespace llvm;

namespace coreside {

Expected<Duration> parseDuration(StringRef text) {
  auto [name, time] = text.rsplit('=');
  name = name.trim();
  time = time.trim();
  double unit = 0;
  for (auto [letters, microseconds] :
       {std::pair{"ns", 1e-3}, {"us", 1.0}, {"ms", 1e3}, {"s", 1e6}})
    if (time.consume_back(letters)) {
      unit = microseconds;
      break;
    }
  double number = 0;
  if (name.empty() || !unit || time.trim().getAsDouble(number) ||
      !std::isfinite(number * unit) || number <= 0)
    return createStringError("'" + text.str() +
                             "' is no duration; write KERNEL=TIME, as in "
                             "blur=400us, with ns, us, ms or s");
  return Duration{name.str(), number * unit};
}

bool isCalled(const Kernel &kernel, StringRef name) {
  StringRef full = kernel.name;
  if (!name.contains('<'))
    full = full.take_until([](char c) { return c == '<'; });
  return full == name || full.ends_with(("::" + name).str());
}

void useDurations(ArrayRef<Duration> durations, Program &program) {
  for (const Duration &duration : durations)
    for (Kernel &kernel : program.kernels)
      if (isCalled(kernel, duration.kernel))
        kernel.microseconds = duration.microseconds;
}

} // namespace coreside
