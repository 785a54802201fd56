// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// sync*.csv: a kernel on one stream, a host call, a kernel on another stream;
// did they overlap? Rows that are about streams and events alone, and those
// that count resident kernels, are played on the scheduler.

#include "MeasuredFile.h"
#include "Score.h"
#include "device/HostCalls.h"
#include "device/Scheduler.h"

#include "llvm/Support/FormatVariadic.h"

#include <algorithm>
#include <optional>

using namespace coreside;

namespace {

/// Non-blocking 0 and 1, blocking 2 and 3, the legacy default stream 4, the
/// per-thread default stream 5, which is a blocking stream.
std::vector<DeviceStream> streams() {
  std::vector<DeviceStream> all(6);
  all[2].blocking = all[3].blocking = all[5].blocking = true;
  all[4].legacyDefault = true;
  return all;
}

DeviceKernel smallKernel(unsigned stream, uint64_t blocks, uint64_t time) {
  DeviceKernel kernel;
  kernel.grid.footprint = {64, 32};
  kernel.grid.blocks = blocks;
  kernel.blockNanoseconds = time;
  kernel.stream = stream;
  return kernel;
}

struct Situation {
  const char *name;
  unsigned firstStream;
  unsigned secondStream;
  bool event = false;
  bool hostWaits = false;
};
constexpr Situation situations[] = {
    {"cudaEventRecord_A_then_query", 0, 1},
    {"event_edge_A_to_B", 0, 1, true},
    {"event_wait_on_never_recorded", 0, 1},
    {"event_synchronize", 0, 1, false, true},
    {"legacy_default_B_after_A_blocking", 2, 4},
    {"legacy_default_B_after_A_nonblocking", 0, 4},
    {"A_default_B_blocking", 4, 3},
    {"A_default_B_nonblocking", 4, 1},
    {"perthread_B_after_A_default", 4, 5},
    {"same_stream", 0, 0},
};

bool overlaps(const GPU &gpu, const Situation &situation) {
  DeviceProgram program;
  program.streams = streams();
  program.kernels = {smallKernel(situation.firstStream, 8, 3000000),
                     smallKernel(situation.secondStream, 8, 100000)};
  if (situation.event)
    program.kernels[1].awaits = {0};
  if (situation.hostWaits)
    program.kernels[1].hostAwaits = {0};
  return simulate(gpu, program).pairs[0].overlap > 0;
}

/// Of `count` one-block kernels, how many ran when the first ended.
unsigned residentAtOnce(const GPU &gpu, unsigned count) {
  DeviceProgram program;
  program.streams.resize(count);
  for (unsigned i = 0; i < count; ++i)
    program.kernels.push_back(smallKernel(i, 1, 20000000));
  const Schedule schedule = simulate(gpu, program);
  double firstEnd = schedule.makespan;
  for (const KernelTimes &times : schedule.kernels)
    firstEnd = std::min(firstEnd, times.firstEnd);
  return unsigned(
      std::ranges::count_if(schedule.kernels, [&](const KernelTimes &times) {
        return times.firstStart < firstEnd;
      }));
}

} // namespace

llvm::Expected<std::vector<Score>>
coreside::scoreHostCalls(const GPU &gpu, llvm::StringRef path,
                         unsigned wrongKept) {
  auto file = MeasuredFile::read(path);
  if (!file)
    return file.takeError();
  const llvm::StringRef name = llvm::StringRef(path).rsplit('/').second;
  const bool eager = name.contains("eager");
  const bool oneQueue = name.contains("maxconn1");
  Score score(wrongKept);
  for (const MeasuredRow &row : file->rows()) {
    const llvm::StringRef between = row.text("between");
    const auto [overlapped, tries] = row.text("overlapped").split('/');
    unsigned was = 0, of = 1;
    if (overlapped.getAsInteger(10, was) ||
        (!tries.empty() && tries.getAsInteger(10, of)))
      continue;
    unsigned count;
    if (llvm::StringRef number = between;
        number.consume_front("concurrent_kernels_of_") &&
        !number.getAsInteger(10, count)) {
      const unsigned said = residentAtOnce(gpu, count);
      score.count(said == was, [&] {
        return llvm::formatv("{0}\n    model: {1}", row.line(), said).str();
      });
      continue;
    }
    std::optional<bool> said;
    std::string reason = "not known";
    const auto *situation = std::ranges::find_if(
        situations, [&](const Situation &one) { return between == one.name; });
    if (situation != std::end(situations)) {
      said = overlaps(gpu, *situation);
      // An event record takes its place in the queue behind the kernel.
      if (oneQueue && between == "cudaEventRecord_A_then_query")
        said = false;
      reason = "played";
    } else if (const HostCall *call = findHostCall(between)) {
      const bool blocking = row.text("streams") == "blocking";
      const bool loaded = eager && call->name == "first_launch";
      said =
          loaded || (call->observed != Stops::EveryPair &&
                     !(blocking && call->observed == Stops::BlockingStreams));
      reason = stopsName(call->observed);
    }
    score.count(said && *said == (2 * was > of), [&] {
      return llvm::formatv("{0}\n    model: {1}", row.line(), reason).str();
    });
  }
  return std::vector<Score>{score};
}
