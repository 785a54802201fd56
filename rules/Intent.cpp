// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Intent.h"

#include <algorithm>
#include <set>

using namespace coreside;

namespace {

/// Whether stream `launch.stream` carries an asynchronous copy that the host
/// does not wait for before the launch is made, or that comes after it.
bool carriesCopies(const Trace &trace, const Step &launch) {
  // Kernels of graphs are on none.
  if (launch.stream < 0)
    return false;
  const size_t at = &launch - trace.steps.data();
  auto isCopy = [&](const Step &step) {
    // Not what is allocated and freed in stream order, nor what is set.
    return step.kind == Step::Kind::MemoryOperation && !step.waits &&
           step.stream == launch.stream &&
           step.function.find("emcpy") != std::string::npos;
  };
  auto isWait = [&](const Step &step) {
    return step.kind == Step::Kind::DeviceSynchronize ||
           (step.kind == Step::Kind::StreamSynchronize &&
            step.stream == launch.stream);
  };
  for (size_t i = at; i-- != 0 && !isWait(trace.steps[i]);)
    if (isCopy(trace.steps[i]))
      return true;
  for (size_t i = at + 1; i != trace.steps.size() && !isWait(trace.steps[i]);
       ++i)
    if (isCopy(trace.steps[i]))
      return true;
  return false;
}

/// The launches that stream `stream` gets, as places and kernels.
std::set<std::pair<SourcePlace, int>> launchesOn(const Trace &trace,
                                                 int stream) {
  std::set<std::pair<SourcePlace, int>> launches;
  for (const Step &step : trace.steps)
    if (step.kind == Step::Kind::Launch && step.stream == stream)
      launches.emplace(step.place, step.kernel);
  return launches;
}

/// Whether a launch alone takes at least all the places that each GPU has.
bool fillsEveryGPU(const PairView &view, unsigned step) {
  for (unsigned g = 0; g != view.analysis.gpus.size(); ++g) {
    const LaunchFacts &facts = view.facts.launch(g, step);
    if (facts.most.blocks <
        uint64_t(facts.alone.blocksPerSM) * view.analysis.gpus[g].SMs)
      return false;
  }
  return true;
}

bool areChunks(const PairView &view) {
  if (view.first.stream < 0 || view.second.stream < 0 ||
      view.first.stream == view.second.stream)
    return false;
  // A loop, or a function called for each stream.
  if (launchesOn(view.trace, view.first.stream) ==
      launchesOn(view.trace, view.second.stream))
    return true;
  // Written down for each.
  return view.first.kernel == view.second.kernel && view.first.kernel >= 0 &&
         fillsEveryGPU(view, view.pair.first) &&
         fillsEveryGPU(view, view.pair.second);
}

} // namespace

Intent coreside::intentOf(const PairView &view) {
  if (carriesCopies(view.trace, view.first) ||
      carriesCopies(view.trace, view.second))
    return Intent::Copies;
  if (areChunks(view))
    return Intent::Chunks;
  return Intent::Together;
}

std::string coreside::intentInWords(Intent intent) {
  switch (intent) {
  case Intent::Together:
    return {};
  case Intent::Copies:
    return "only a note: these streams carry copies, which do overlap with "
           "the kernels";
  case Intent::Chunks:
    return "only a note: both streams run the same kernels on parts of the "
           "work, and each part keeps the GPU busy";
  }
  return {};
}

Level coreside::levelFor(Intent intent) {
  return intent == Intent::Together ? Level::Warning : Level::Note;
}
