// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchFacts.h"

#include "GPUAnswers.h"
#include "program/DeviceBounds.h"

#include "llvm/ADT/STLExtras.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <span>

using namespace coreside;

namespace {

/// The ends of `value` cut to [lowest, highest].
std::pair<uint64_t, uint64_t> range(const Value &value, uint64_t lowest,
                                    uint64_t highest) {
  auto clamp = [&](int64_t end) -> uint64_t {
    if (end < 0)
      return lowest;
    return std::clamp<uint64_t>(end, lowest, highest);
  };
  return {clamp(value.low), clamp(value.high)};
}

std::optional<uint64_t> asked(const Value &value) {
  // Dimensions and sizes are unsigned: what is negative in the source is huge.
  if (std::optional<int64_t> number = value.number())
    return static_cast<uint64_t>(*number);
  return std::nullopt;
}

std::string reason(const Value &value) {
  switch (value.kind) {
  case Value::Kind::Bounded:
    return fmt::format("between {} and {}", value.low, value.high);
  case Value::Kind::Known:
    return fmt::format("{}", value.low);
  case Value::Kind::Symbolic:
  case Value::Kind::Unknown:
    return value.text;
  }
  return "";
}

uint64_t saturatingProduct(uint64_t a, uint64_t b) {
  uint64_t product;
  return __builtin_mul_overflow(a, b, &product) ? ~0ull : product;
}

class Builder {
public:
  Builder(const Program &program, const Trace &trace, unsigned step,
          const FunctionAttributes &attributes, const ResourceTable &resources,
          const GPU &gpu)
      : T(trace), S(stepOn(program, trace.steps[step], resources, gpu)),
        Attributes(attributes), Table(resources), G(gpu),
        K(S.kernel >= 0 ? &program.kernels[S.kernel] : nullptr) {
    Facts.step = step;
    if (K)
      Bounds = boundsOn(*K, G.architecture.capability);
  }

  LaunchFacts build() {
    Facts.footprintKnown = true;
    if (K)
      Facts.bounds = boundsOf(*K, G.architecture.capability);
    addThreads();
    addResources();
    addDynamicShared();
    addCluster();
    addGrid();
    addAttributes();
    check();
    Facts.onlyRegistersOpen = RegistersOpen && FootprintGaps == 1;
    if (Facts.footprintKnown && Facts.problems.empty())
      Facts.alone = occupancy(G.architecture, Facts.most.footprint);
    return std::move(Facts);
  }

private:
  void miss(std::string what) {
    Facts.missing.push_back(std::move(what));
    Facts.footprintKnown = false;
    ++FootprintGaps;
  }

  void addThreads() {
    uint64_t least = 1, most = 1;
    for (unsigned i = 0; i != 3; ++i) {
      auto [low, high] = range(S.block[i], 1, G.architecture.blockDimension[i]);
      least *= low;
      most *= high;
      if (!S.block[i].isKnown())
        miss(fmt::format("block size: {}", reason(S.block[i])));
    }
    Facts.least.footprint.threadsPerBlock =
        std::min<uint64_t>(least, G.architecture.threadsPerBlock);
    Facts.most.footprint.threadsPerBlock =
        std::min<uint64_t>(most, G.architecture.threadsPerBlock);
  }

  void addResources() {
    std::string why =
        S.kernel < 0 ? "which kernel is launched is not known" : std::string();
    if (K)
      Facts.resources =
          Table.find(K->mangled, G.architecture.capability, &why, K->unit);
    const KernelResources *found = Facts.resources;
    Facts.estimated = found && found->estimated;
    Footprint &least = Facts.least.footprint, &most = Facts.most.footprint;
    if (found && found->registers) {
      least.registersPerThread = most.registersPerThread = *found->registers;
      // Before device linking the number is only a lower bound: a callee in
      // another file may need more.
      if (!found->final) {
        most.registersPerThread =
            std::max(most.registersPerThread,
                     registerLimit(G.architecture, Facts.bounds,
                                   Facts.least.footprint.threadsPerBlock));
        miss("registers: not linked yet, callees in other files may need more");
        RegistersOpen = true;
      }
    } else {
      least.registersPerThread = 1;
      most.registersPerThread =
          registerLimit(G.architecture, Facts.bounds, least.threadsPerBlock);
      miss(fmt::format("registers: {}",
                       why.empty()
                           ? fmt::format("no ptxas record for {}",
                                         smName(G.architecture.capability))
                           : why));
    }
    if (found) {
      // ptxas leaves out what a kernel does not use.
      least.staticShared = most.staticShared = found->staticShared.value_or(0);
      least.barriers = most.barriers = found->barriers.value_or(0);
    } else {
      least.staticShared = K ? K->declaredShared : 0;
      most.staticShared =
          std::max(least.staticShared, G.architecture.sharedPerBlock);
      least.barriers = 0;
      most.barriers = 16;
    }
    if (S.kernel < 0)
      return;
    FunctionAttribute carveout =
        Attributes.at(T, Facts.step, "PreferredSharedMemoryCarveout");
    if (!carveout.known)
      miss("shared-memory carveout: set by a call whose effect is not known");
    else if (carveout.value && *carveout.value >= 0 && *carveout.value <= 100)
      least.carveoutPercent = most.carveoutPercent = *carveout.value;
    // A carveout overrules it; what it does by itself was not measured.
    FunctionAttribute cache =
        Attributes.at(T, Facts.step, "PreferredCacheConfig");
    if (!carveout.value && (!cache.known || cache.value.value_or(0) != 0))
      miss("shared-memory carveout: a cache configuration is preferred");
  }

  void addDynamicShared() {
    auto [low, high] =
        range(S.dynamicShared, 0, G.architecture.sharedPerBlockOptIn);
    Facts.least.footprint.dynamicShared = low;
    Facts.most.footprint.dynamicShared = high;
    if (!S.dynamicShared.isKnown())
      miss(fmt::format("dynamic shared memory: {}", reason(S.dynamicShared)));
  }

  void addCluster() {
    const std::optional<std::array<Value, 3>> &cluster =
        S.cluster ? S.cluster : Bounds.clusterDims;
    if (!cluster)
      return;
    ClusterKnown.reset();
    std::array<uint64_t, 3> shape;
    for (unsigned i = 0; i != 3; ++i) {
      const Value &dimension = (*cluster)[i];
      if (!dimension.isKnown())
        return miss(fmt::format("cluster size: {}", reason(dimension)));
      shape[i] = range(dimension, 0, 1u << 20).first;
    }
    const uint64_t size = std::clamp<uint64_t>(
        saturatingProduct(shape[0], saturatingProduct(shape[1], shape[2])), 1,
        1024);
    Facts.least.footprint.clusterSize = Facts.most.footprint.clusterSize = size;
    ClusterShape = shape;
  }

  void addGrid() {
    Facts.gridKnown = true;
    Facts.least.blocks = Facts.most.blocks = 1;
    for (unsigned i = 0; i != 3; ++i) {
      auto [low, high] = range(S.grid[i], 1, G.architecture.gridDimension[i]);
      Facts.least.blocks = saturatingProduct(Facts.least.blocks, low);
      Facts.most.blocks = saturatingProduct(Facts.most.blocks, high);
      if (S.grid[i].isKnown())
        continue;
      Facts.gridKnown = false;
      Facts.missing.push_back(fmt::format("grid: {}", reason(S.grid[i])));
      if (S.grid[i].kind == Value::Kind::Symbolic)
        Facts.gridFormula +=
            (Facts.gridFormula.empty() ? "" : " x ") + S.grid[i].text;
    }
  }

  /// What the launch asks for, with the numbers that `size` gives.
  template <typename Size> LaunchRequest request(Size size) const {
    LaunchRequest request;
    for (unsigned i = 0; i != 3; ++i) {
      // Clusters must divide the grid: only the number itself says whether.
      request.grid[i] = ClusterShape ? asked(S.grid[i]) : size(S.grid, i);
      request.block[i] = size(S.block, i);
    }
    if (Facts.resources) {
      request.registersPerThread = Facts.resources->registers;
      request.staticShared = Facts.resources->staticShared.value_or(0);
    }
    request.dynamicShared = size(std::span(&S.dynamicShared, 1), 0);
    request.cooperative = S.cooperative;
    request.optIn = OptIn;
    if (S.kernel >= 0) {
      if (!Bounds.maxThreads)
        request.launchBound = 0;
      else if (std::optional<int64_t> bound = Bounds.maxThreads->number())
        request.launchBound = *bound;
    }
    request.clusterSize = ClusterKnown;
    request.clusterShape = ClusterShape;
    request.nonPortableCluster = NonPortable;
    return request;
  }

  void addAttributes() {
    if (S.kernel < 0)
      return;
    FunctionAttribute optIn =
        Attributes.at(T, Facts.step, "MaxDynamicSharedMemorySize");
    if (optIn.value)
      Facts.optedIn = *optIn.value;
    if (optIn.known) {
      OptIn = Facts.optedIn;
      Facts.optInStep = optIn.step;
    }
    FunctionAttribute nonPortable =
        Attributes.at(T, Facts.step, "NonPortableClusterSizeAllowed");
    // Where that is not known, it may be allowed.
    NonPortable = !nonPortable.known || nonPortable.value.value_or(0) != 0;
  }

  void check() {
    using Sizes = std::span<const Value>;
    // What is not known is at least as large as its range begins; a dimension
    // that may be 0 or 1 is left out.
    auto least = [](Sizes sizes, unsigned i) -> std::optional<uint64_t> {
      if (!sizes[i].isKnown() && sizes[i].low > 1)
        return sizes[i].low;
      return asked(sizes[i]);
    };
    // Of two axes that are open one is often small where the other is large:
    // the largest of both says nothing.
    auto most = [&](Sizes sizes, unsigned i) -> std::optional<uint64_t> {
      if (!sizes[i].isKnown() && sizes[i].high > 1 &&
          sizes[i].high < typesOwnRange &&
          llvm::count_if(sizes, std::not_fn(&Value::isKnown)) == 1)
        return sizes[i].high;
      return least(sizes, i);
    };
    Facts.problems = checkLaunch(G, request(least));
    for (LaunchProblem &problem : checkLaunch(G, request(most)))
      if (std::none_of(Facts.problems.begin(), Facts.problems.end(),
                       [&](const LaunchProblem &certain) {
                         return certain.fault == problem.fault &&
                                certain.dimension == problem.dimension;
                       }))
        Facts.possibleProblems.push_back(std::move(problem));
  }

  const Trace &T;
  const Step S;
  const FunctionAttributes &Attributes;
  const ResourceTable &Table;
  const GPU &G;
  const Kernel *K;
  /// What the kernel's attributes say on this GPU.
  KernelBounds Bounds;
  /// Blocks per cluster, 0 without clusters; empty when not known.
  std::optional<unsigned> ClusterKnown = 0;
  std::optional<std::array<uint64_t, 3>> ClusterShape;
  /// LaunchRequest::optIn, and nonPortableCluster.
  std::optional<std::optional<uint64_t>> OptIn;
  bool NonPortable = true;
  /// How much of the footprint is not known, and whether the registers are
  /// that within bounds.
  unsigned FootprintGaps = 0;
  bool RegistersOpen = false;
  LaunchFacts Facts;
};

} // namespace

LaunchBounds coreside::boundsOf(const Kernel &kernel,
                                ComputeCapability capability) {
  auto number = [](const std::optional<Value> &value) -> uint64_t {
    return value && value->isKnown() && value->low > 0 ? value->low : 0;
  };
  const KernelBounds bounds = boundsOn(kernel, capability);
  return {number(bounds.maxThreads), number(bounds.minBlocks),
          number(bounds.maxRegisters), kernel.unitMaxRegisters.value_or(0)};
}

Step coreside::stepOn(const Program &program, Step step,
                      const ResourceTable &resources, const GPU &gpu) {
  auto answers = [&](const FormulaName &asked) {
    return answerOf(gpu, program, resources, asked);
  };
  auto fill = [&](Value &value) {
    if (asksGPU(value.formula))
      value = resolve(value, answers);
  };
  llvm::for_each(step.grid, fill);
  llvm::for_each(step.block, fill);
  fill(step.dynamicShared);
  if (step.cluster)
    llvm::for_each(*step.cluster, fill);
  return step;
}

LaunchFacts coreside::launchFacts(const Program &program, const Trace &trace,
                                  unsigned step,
                                  const FunctionAttributes &attributes,
                                  const ResourceTable &resources,
                                  const GPU &gpu) {
  return Builder(program, trace, step, attributes, resources, gpu).build();
}
