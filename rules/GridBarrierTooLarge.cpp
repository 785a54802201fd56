// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// grid-barrier-too-large: all blocks of a kernel wait for each other, and not
// all of them are on the GPU at once, so that those which are wait for ever.
//
//   error: 'relay' hangs on t4: its 128 blocks wait for each other and 40 of
//   them run at once
//
// A cooperative launch of such a grid fails and does not hang: that is for
// unlaunchable. Where all blocks fit, or the grid is not known, it is a note.

#include "LaunchView.h"
#include "NotesByText.h"
#include "Rules.h"
#include "Words.h"
#include "device/Waves.h"

#include <fmt/format.h>

#include <algorithm>

using namespace coreside;

namespace {

/// The wait that needs all blocks of the grid; null for none.
const KernelWait *gridWait(const Kernel &kernel) {
  for (const KernelWait &wait : kernel.body.waits)
    if (wait.inEveryBlock && (wait.what == KernelWait::For::AllBlocks ||
                              wait.what == KernelWait::For::LaterBlocks))
      return &wait;
  return nullptr;
}

/// How many blocks have to be there for `wait` to end, of a grid of `blocks`.
uint64_t needed(const KernelWait &wait, uint64_t blocks) {
  // A larger number counts threads, or rounds.
  if (wait.blocks && uint64_t(*wait.blocks) < blocks)
    return *wait.blocks;
  return blocks;
}

/// Compute capability 8.0: the occupancy call does not count barriers there,
/// but a grid sized by it was reported to hang with 16 of them a block and 4
/// blocks an SM to run, as from 9.0 on.
constexpr ComputeCapability reported = {8, 0};
constexpr unsigned reportedBarriers = 64;

/// Lowers `room` to what barriers allow where only that report tells so.
bool limitByBarriers(const GPU &gpu, const Grid &grid, uint64_t &room) {
  if (gpu.architecture.barriersPerSM || !grid.footprint.barriers ||
      gpu.architecture.capability != reported)
    return false;
  uint64_t limit =
      uint64_t(reportedBarriers / grid.footprint.barriers) * gpu.SMs;
  if (limit >= room)
    return false;
  room = limit;
  return true;
}

/// One number where all are the same, else "40, 82 and 96".
std::string numbers(const std::vector<uint64_t> &values) {
  if (std::equal(values.begin() + 1, values.end(), values.begin()))
    return grouped(values.front());
  std::vector<std::string> words;
  for (uint64_t value : values)
    words.push_back(grouped(value));
  return listed(words);
}

class Launch {
public:
  Launch(const LaunchView &view, const KernelWait &wait)
      : View(view), Wait(wait), S(view.step), Name(view.kernel()->name),
        Found(findingAt(view)) {}

  Finding find() {
    for (unsigned g = 0; g != View.analysis.gpus.size(); ++g)
      look(View.analysis.gpus[g], View.on(g));
    Finding finding = std::move(Found);
    const char *each = Wait.what == KernelWait::For::AllBlocks
                           ? "wait for each other"
                           : "wait for later ones";
    const LaunchFacts &first = View.on(0);
    finding.facts.formula = first.gridFormula;
    if (!Hangs.empty()) {
      finding.level =
          Estimated.size() == Hangs.size() ? Level::Note : Level::Error;
      finding.gpus = Hangs;
      finding.message = fmt::format(
          "'{}' hangs on {}: its {}{} {} and {} of them run at once", Name,
          listed(Hangs), first.gridKnown ? "" : "at least ",
          counted(Needed, "block"), each, numbers(Room));
    } else if (!Grows.empty()) {
      finding.level = Level::Note;
      finding.gpus = Grows;
      finding.message = fmt::format(
          "'{}' hangs on {} as soon as it has more than {} blocks: they {}",
          Name, listed(Grows), numbers(From), each);
    } else if (!Holds.empty()) {
      finding.level = Level::Note;
      finding.gpus = Holds;
      finding.message = fmt::format(
          "the blocks of '{}' {}, and nothing guarantees that all {} run at "
          "once",
          Name, each, grouped(Needed));
    } else {
      return finding;
    }
    finding.notes.push_back(
        {Wait.place,
         Wait.what == KernelWait::For::AllBlocks
             ? fmt::format("here a block waits until all have changed '{}'",
                           Wait.on.front().name)
             : fmt::format("here a block waits for a later one to change '{}'",
                           Wait.on.front().name)});
    if (Wait.calledAt.line)
      finding.notes.push_back(
          {Wait.calledAt, fmt::format("called here by '{}'", Name)});
    Arithmetic.addTo(finding, S.place);
    if (!Estimated.empty())
      finding.notes.push_back({S.place, registersAreEstimated(Estimated)});
    finding.notes.push_back(
        {S.place, "launched with cudaLaunchCooperativeKernel, a grid that does "
                  "not fit fails and does not hang"});
    return finding;
  }

private:
  void look(const GPU &gpu, const LaunchFacts &launch) {
    if (!launch.problems.empty())
      return;
    // Of all that is possible, what takes least room.
    Grid grid = launch.least;
    uint64_t room = waves(gpu, grid).blocksPerWave;
    bool byBarriers = limitByBarriers(gpu, grid, room);
    uint64_t blocks = needed(Wait, launch.least.blocks);
    if (!room)
      return;
    Occupancy alone = occupancy(gpu.architecture, grid.footprint);
    const char *limiter =
        limiterName(byBarriers ? Limiter::Barriers : alone.limiter);
    std::string arithmetic = fmt::format(
        "{} an SM, limited by {}, on {}: {}{}",
        counted(byBarriers ? room / gpu.SMs : alone.blocksPerSM, "block"),
        limiter, counted(gpu.SMs, "SM"),
        launch.footprintKnown ? "" : "at most ", counted(room, "block"));
    if (blocks > room) {
      Needed = blocks;
      addFact(Found, gpu, Outcome::Hangs).limiter = limiter;
      Hangs.push_back(gpu.name);
      Room.push_back(room);
      Arithmetic.add(arithmetic, gpu.name);
      if (launch.estimated)
        Estimated.push_back(gpu.name);
    } else if (!launch.footprintKnown) {
      return;
    } else if (!launch.gridKnown) {
      if (needed(Wait, launch.most.blocks) <= room)
        return;
      GPUFact &fact = addFact(Found, gpu, Outcome::Hangs);
      fact.limiter = limiter;
      fact.fromBlocks = room + 1;
      Grows.push_back(gpu.name);
      From.push_back(room);
      Arithmetic.add(arithmetic, gpu.name);
    } else {
      if (Hangs.empty())
        Needed = blocks;
      addFact(Found, gpu, Outcome::Shares);
      Holds.push_back(gpu.name);
      Arithmetic.add(
          fmt::format("{}, {}; no other kernel may hold any of it then",
                      arithmetic,
                      blocks == room ? "not one to spare" : "enough"),
          gpu.name);
    }
  }

  const LaunchView &View;
  const KernelWait &Wait;
  const Step &S;
  std::string Name;
  Finding Found;
  std::vector<std::string> Hangs, Grows, Holds, Estimated;
  std::vector<uint64_t> Room, From;
  uint64_t Needed = 0;
  NotesByText Arithmetic;
};

} // namespace

std::vector<Finding>
coreside::findGridBarrierTooLarge(const Analysis &analysis) {
  std::vector<Finding> findings;
  forEachLaunch(analysis, [&](const LaunchView &view) {
    if (!view.kernel() || view.step.cooperative)
      return;
    const KernelWait *wait = gridWait(*view.kernel());
    if (!wait)
      return;
    Finding finding = Launch(view, *wait).find();
    if (!finding.message.empty())
      findings.push_back(std::move(finding));
  });
  return findings;
}
