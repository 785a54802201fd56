// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceProgram.h"
#include "ClusterOccupancy.h"

#include <string_view>

using namespace coreside;

namespace {

constexpr unsigned mostKernels = 1024;
constexpr unsigned mostQueues = 32;
constexpr uint64_t longestBlock = 1'000'000'000'000'000;
/// All waves together, in nanoseconds: 52 days. Up to here a nanosecond still
/// counts in a double.
constexpr double longestProgram = 0x1p52;
/// What a wave takes at least, in nanoseconds, however short its blocks are.
constexpr double shortestWave = 1000;
/// cudaDeviceGetStreamPriorityRange answers 0 to -5 today.
constexpr int mostUrgent = -1000, leastUrgent = 1000;

std::string quoted(const DeviceProgram &program, unsigned kernel) {
  const std::string &name = program.kernels[kernel].name;
  return "'" + (name.empty() ? std::to_string(kernel) : name) + "'";
}

/// What is wrong with a list of kernels to wait for.
std::string checkAwaited(const DeviceProgram &program, unsigned kernel,
                         const std::vector<unsigned> &awaited,
                         std::string_view field) {
  for (unsigned other : awaited) {
    std::string where =
        "kernel " + quoted(program, kernel) + ": " + std::string(field);
    if (other >= program.kernels.size())
      return where + " names kernel " + std::to_string(other) +
             ", but there are only " + std::to_string(program.kernels.size());
    if (other == kernel)
      return where + " is the kernel itself: it would wait for ever";
    if (other > kernel)
      return where + " is " + quoted(program, other) +
             ", which is issued later: the program would wait for itself";
  }
  return "";
}

std::string checkFootprint(const GPU &gpu, const Grid &grid) {
  const Footprint &footprint = grid.footprint;
  const Architecture &limits = gpu.architecture;
  if (footprint.threadsPerBlock == 0 ||
      footprint.threadsPerBlock > limits.threadsPerBlock)
    return "threadsPerBlock is " + std::to_string(footprint.threadsPerBlock) +
           "; expected 1 to " + std::to_string(limits.threadsPerBlock);
  if (footprint.registersPerThread == 0 ||
      footprint.registersPerThread > limits.registersPerThread)
    return "registersPerThread is " +
           std::to_string(footprint.registersPerThread) + "; expected 1 to " +
           std::to_string(limits.registersPerThread);
  if (footprint.carveoutPercent < -1 || footprint.carveoutPercent > 100)
    return "carveoutPercent is " + std::to_string(footprint.carveoutPercent) +
           "; expected -1 (none) to 100";
  if (footprint.barriers > 16)
    return "barriers is " + std::to_string(footprint.barriers) +
           "; expected 0 to 16";
  if (grid.blocks == 0)
    return "blocks is 0; expected at least 1";
  if (footprint.clusterSize == 0)
    return "clusterSize is 0; expected at least 1";
  const Occupancy alone = occupancy(limits, footprint);
  if (alone.blocksPerSM == 0)
    return "no block fits on an SM of " + gpu.name + ": too much of " +
           limiterName(alone.limiter);
  if (footprint.clusterSize > 1 && grid.blocks % footprint.clusterSize != 0)
    return "blocks is " + std::to_string(grid.blocks) +
           "; expected a multiple of clusterSize, " +
           std::to_string(footprint.clusterSize);
  if (footprint.clusterSize > 1 &&
      clusterOccupancy(gpu, footprint).clusters == 0)
    return "clusterSize is " + std::to_string(footprint.clusterSize) +
           ", but no such cluster fits on " + gpu.name;
  return "";
}

} // namespace

std::string coreside::checkProgram(const GPU &gpu,
                                   const DeviceProgram &program) {
  if (gpu.SMs == 0)
    return "gpu '" + gpu.name + "': SMs is 0; expected at least 1";
  if (program.hardwareQueues == 0 || program.hardwareQueues > mostQueues)
    return "hardwareQueues is " + std::to_string(program.hardwareQueues) +
           "; expected 1 to " + std::to_string(mostQueues);
  if (program.kernels.size() > mostKernels)
    return "there are " + std::to_string(program.kernels.size()) +
           " kernels; at most " + std::to_string(mostKernels) +
           " can be played";
  unsigned legacy = 0;
  for (unsigned i = 0; i < program.streams.size(); ++i) {
    const DeviceStream &stream = program.streams[i];
    legacy += stream.legacyDefault;
    if (stream.priority < mostUrgent || stream.priority > leastUrgent)
      return "stream " + std::to_string(i) + ": priority is " +
             std::to_string(stream.priority) + "; expected " +
             std::to_string(mostUrgent) + " to " + std::to_string(leastUrgent);
  }
  if (legacy > 1)
    return "streams: " + std::to_string(legacy) +
           " are the legacy default stream; there is one";
  double total = 0;
  for (unsigned i = 0; i < program.kernels.size(); ++i) {
    const DeviceKernel &kernel = program.kernels[i];
    const std::string where = "kernel " + quoted(program, i) + ": ";
    if (kernel.stream >= program.streams.size())
      return where + "stream is " + std::to_string(kernel.stream) +
             ", but there are only " + std::to_string(program.streams.size());
    if (kernel.blockNanoseconds == 0 || kernel.blockNanoseconds > longestBlock)
      return where + "blockNanoseconds is " +
             std::to_string(kernel.blockNanoseconds) + "; expected 1 to " +
             std::to_string(longestBlock);
    if (std::string problem = checkFootprint(gpu, kernel.grid);
        !problem.empty())
      return where + problem;
    const double wave =
        double(gpu.SMs) *
        occupancy(gpu.architecture, kernel.grid.footprint).blocksPerSM;
    total += (double(kernel.grid.blocks) / wave + 1) *
             (double(kernel.blockNanoseconds) + shortestWave);
    if (total > longestProgram)
      return where + std::to_string(kernel.grid.blocks) + " blocks of " +
             std::to_string(kernel.blockNanoseconds) +
             " ns would take longer than 52 days";
    if (std::string problem = checkAwaited(program, i, kernel.awaits, "awaits");
        !problem.empty())
      return problem;
    if (std::string problem =
            checkAwaited(program, i, kernel.hostAwaits, "hostAwaits");
        !problem.empty())
      return problem;
  }
  return "";
}
