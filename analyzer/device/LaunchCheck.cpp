// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Would the runtime accept this launch, and if not, why.
//
// In:   h200; 512 threads with 168 registers each; a cooperative grid of 200.
// Out:  RegistersPerBlock 86,016 over 65,536, and so CooperativeGrid 200 over
//       0: the runtime says cudaErrorCooperativeLaunchTooLarge.
//
// When several things are wrong the runtime reports one. Which one was read off
// 4,000 launches on an H200 that were wrong in one to eight ways. It looks in
// this order: dimensions and launch bounds; a cluster that does not divide the
// grid or is over the portable size unasked; a cooperative grid that does not
// fit; dynamic shared memory; registers; a cluster over the largest size there
// is. cudaLaunchKernel (`<<<>>>`) and cudaLaunchKernelExC agree.

#include "LaunchCheck.h"
#include "ClusterOccupancy.h"

#include <algorithm>

namespace coreside {

namespace {

constexpr const char *invalidValue = "cudaErrorInvalidValue";
constexpr const char *outOfResources = "cudaErrorLaunchOutOfResources";
constexpr const char *invalidCluster = "cudaErrorInvalidClusterSize";
constexpr const char *tooLarge = "cudaErrorCooperativeLaunchTooLarge";

using Dimensions = std::array<std::optional<uint64_t>, 3>;

uint64_t multiply(uint64_t a, uint64_t b) {
  return a != 0 && b > ~0ull / a ? ~0ull : a * b;
}

uint64_t add(uint64_t a, uint64_t b) { return b > ~0ull - a ? ~0ull : a + b; }

unsigned saturate(uint64_t value) {
  return value > ~0u ? ~0u : static_cast<unsigned>(value);
}

/// The fewest threads or blocks that there can be: unknown counts as 1.
uint64_t smallestProduct(const Dimensions &dimensions) {
  uint64_t product = 1;
  for (const std::optional<uint64_t> &size : dimensions)
    product = multiply(product, size.value_or(1));
  return product;
}

/// What the checks share.
struct Check {
  const GPU &gpu;
  const Architecture &architecture;
  const LaunchRequest &request;
  std::vector<LaunchProblem> problems;

  uint64_t threads() const { return smallestProduct(request.block); }
  uint64_t staticShared() const { return request.staticShared.value_or(0); }
  uint64_t dynamicShared() const { return request.dynamicShared.value_or(0); }

  void report(LaunchFault fault, unsigned dimension, uint64_t asked,
              uint64_t limit, const char *error) {
    problems.push_back({fault, dimension, asked, limit, error});
  }
};

void checkDimensions(Check &check) {
  const Architecture &architecture = check.architecture;
  bool isZero = false;
  auto each = [&](const Dimensions &dimensions, LaunchFault fault, auto limit) {
    for (unsigned i = 0; i < 3; ++i) {
      if (!dimensions[i])
        continue;
      if (*dimensions[i] == 0) {
        isZero = true;
        check.report(LaunchFault::ZeroDimension, i, 0, limit(i), invalidValue);
      } else if (*dimensions[i] > limit(i)) {
        check.report(fault, i, *dimensions[i], limit(i), invalidValue);
      }
    }
  };
  each(check.request.block, LaunchFault::BlockDimension,
       [&](unsigned i) { return uint64_t(architecture.blockDimension[i]); });
  each(check.request.grid, LaunchFault::GridDimension,
       [&](unsigned i) { return architecture.gridDimension[i]; });
  if (isZero)
    return;
  const uint64_t threads = check.threads();
  if (threads > architecture.threadsPerBlock)
    check.report(LaunchFault::ThreadsPerBlock, 0, threads,
                 architecture.threadsPerBlock, invalidValue);
  if (check.request.launchBound.value_or(0) != 0 &&
      threads > *check.request.launchBound)
    check.report(LaunchFault::LaunchBounds, 0, threads,
                 *check.request.launchBound, invalidValue);
}

/// The cluster's x, y and z; nothing when there is none or it is not known.
std::optional<std::array<uint64_t, 3>>
clusterShape(const LaunchRequest &request) {
  if (request.clusterShape)
    return request.clusterShape;
  if (request.clusterSize.value_or(0) == 0)
    return std::nullopt;
  return std::array<uint64_t, 3>{*request.clusterSize, 1, 1};
}

uint64_t clusterBlocks(const std::array<uint64_t, 3> &shape) {
  return multiply(shape[0], multiply(shape[1], shape[2]));
}

void checkClusterFits(Check &check) {
  const auto shape = clusterShape(check.request);
  if (!shape)
    return;
  const uint64_t blocks = clusterBlocks(*shape);
  const unsigned limit = check.architecture.clusterPortable;
  // On an architecture without clusters (limit 0) a cluster of one block is no
  // cluster; the error for larger ones is not measured.
  if (blocks > std::max(limit, 1u) && !check.request.nonPortableCluster)
    check.report(LaunchFault::ClusterSize, 0, blocks, limit, invalidCluster);
  for (unsigned i = 0; i < 3; ++i) {
    const std::optional<uint64_t> &grid = check.request.grid[i];
    if ((*shape)[i] == 0)
      check.report(LaunchFault::ClusterSize, i, 0, limit, invalidCluster);
    else if (grid && *grid % (*shape)[i] != 0)
      check.report(LaunchFault::ClusterDoesNotDivideGrid, i, *grid, (*shape)[i],
                   invalidCluster);
  }
}

void checkLargestCluster(Check &check) {
  const auto shape = clusterShape(check.request);
  const unsigned limit = check.architecture.clusterNonPortable;
  if (!shape || !check.request.nonPortableCluster)
    return;
  if (const uint64_t blocks = clusterBlocks(*shape);
      blocks > std::max(limit, 1u))
    check.report(LaunchFault::ClusterSize, 0, blocks, limit, invalidCluster);
}

/// A share of a GPU may have too few SMs for a cluster that the whole one
/// holds.
void checkClusterResident(Check &check) {
  const auto shape = clusterShape(check.request);
  const uint64_t blocks = shape ? clusterBlocks(*shape) : 0;
  if (blocks < 2 || !check.problems.empty())
    return;
  Footprint footprint;
  footprint.threadsPerBlock = saturate(check.threads());
  footprint.registersPerThread = check.request.registersPerThread.value_or(1);
  footprint.staticShared = saturate(check.staticShared());
  footprint.dynamicShared = saturate(check.dynamicShared());
  footprint.clusterSize = saturate(blocks);
  if (clusterOccupancy(check.gpu, footprint).clusters == 0)
    check.report(LaunchFault::ClusterNotResident, 0, blocks, 0, "");
}

/// Bytes of dynamic shared memory that the launch may ask for; nothing when it
/// is not known whether the attribute was set. Once set, it binds downwards
/// too: after a 0, 8,192 bytes are refused (measured).
std::optional<uint64_t> dynamicLimit(const Check &check) {
  if (!check.request.optIn)
    return std::nullopt;
  if (*check.request.optIn)
    return **check.request.optIn;
  const uint64_t limit = check.architecture.sharedPerBlock;
  return limit - std::min(limit, check.staticShared());
}

void checkSharedMemory(Check &check) {
  const uint64_t dynamic = check.dynamicShared();
  const uint64_t total = add(check.staticShared(), dynamic);
  const std::optional<uint64_t> limit = dynamicLimit(check);
  if (total > check.architecture.sharedPerBlockOptIn)
    check.report(LaunchFault::SharedPerBlock, 0, total,
                 check.architecture.sharedPerBlockOptIn, invalidValue);
  else if (limit && dynamic > *limit)
    check.report(LaunchFault::SharedWithoutOptIn, 0, dynamic, *limit,
                 invalidValue);
}

/// Registers of a block as the hardware's check counts them: of a warp rounded
/// up to the allocation unit, warps rounded up to a multiple of four.
uint64_t registersPerBlock(const Check &check) {
  const Architecture &architecture = check.architecture;
  const uint64_t unit = architecture.registerAllocationUnit;
  const uint64_t perWarp =
      (uint64_t(check.request.registersPerThread.value_or(0)) *
           architecture.warpSize +
       unit - 1) /
      unit * unit;
  const uint64_t threads = check.threads();
  const uint64_t warps = threads / architecture.warpSize +
                         (threads % architecture.warpSize != 0 ? 1 : 0);
  const uint64_t grain = architecture.warpAllocationUnit;
  const uint64_t grains = warps / grain + (warps % grain != 0 ? 1 : 0);
  return multiply(perWarp, multiply(grains, grain));
}

void checkRegisters(Check &check) {
  if (const uint64_t registers = registersPerBlock(check);
      registers > check.architecture.registersPerBlock)
    check.report(LaunchFault::RegistersPerBlock, 0, registers,
                 check.architecture.registersPerBlock, outOfResources);
}

/// Blocks of the launch that can be resident at once, at most.
uint64_t cooperativeCapacity(const Check &check) {
  const LaunchRequest &request = check.request;
  // Here, other than for a plain launch, an attribute below 48 KiB does not
  // bind (measured: such a grid passes this check and fails the next).
  const uint64_t dynamic = check.dynamicShared();
  const uint64_t limit = dynamicLimit(check).value_or(~0ull);
  if (dynamic > limit &&
      add(check.staticShared(), dynamic) > check.architecture.sharedPerBlock)
    return 0;
  Footprint footprint;
  footprint.threadsPerBlock = saturate(check.threads());
  footprint.registersPerThread = request.registersPerThread.value_or(0);
  footprint.staticShared = request.staticShared.value_or(0);
  footprint.dynamicShared = saturate(dynamic);
  return uint64_t(occupancy(check.architecture, footprint).blocksPerSM) *
         check.gpu.SMs;
}

void checkCooperative(Check &check) {
  if (!check.request.cooperative)
    return;
  const uint64_t blocks = smallestProduct(check.request.grid);
  if (const uint64_t capacity = cooperativeCapacity(check); blocks > capacity)
    check.report(LaunchFault::CooperativeGrid, 0, blocks, capacity, tooLarge);
}

} // namespace

std::vector<LaunchProblem> checkLaunch(const GPU &gpu,
                                       const LaunchRequest &request) {
  Check check{gpu, gpu.architecture, request, {}};
  // The runtime's order.
  checkDimensions(check);
  checkClusterFits(check);
  checkCooperative(check);
  checkSharedMemory(check);
  checkRegisters(check);
  checkLargestCluster(check);
  checkClusterResident(check);
  return std::move(check.problems);
}

const char *launchError(const GPU &gpu, const LaunchRequest &request) {
  const std::vector<LaunchProblem> problems = checkLaunch(gpu, request);
  return problems.empty() ? "cudaSuccess" : problems.front().error;
}

const char *launchFaultName(LaunchFault fault) {
  switch (fault) {
  case LaunchFault::ZeroDimension:
    return "zero dimension";
  case LaunchFault::BlockDimension:
    return "block dimension";
  case LaunchFault::ThreadsPerBlock:
    return "threads per block";
  case LaunchFault::GridDimension:
    return "grid dimension";
  case LaunchFault::LaunchBounds:
    return "launch bounds";
  case LaunchFault::RegistersPerBlock:
    return "registers per block";
  case LaunchFault::SharedWithoutOptIn:
    return "shared memory without opt-in";
  case LaunchFault::SharedPerBlock:
    return "shared memory per block";
  case LaunchFault::ClusterSize:
    return "cluster size";
  case LaunchFault::ClusterDoesNotDivideGrid:
    return "cluster does not divide grid";
  case LaunchFault::ClusterNotResident:
    return "cluster not resident";
  case LaunchFault::CooperativeGrid:
    return "cooperative grid";
  }
  return "";
}

} // namespace coreside
