// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device/Outcomes.h"

#include <gtest/gtest.h>

#include <numeric>

using namespace coreside;

namespace {

const GPU &h200() { return *findGPU("h200"); }

/// Times are right to this many nanoseconds: latencies and the chance in them.
constexpr double nearby = 15000;

DeviceKernel kernel(unsigned stream, unsigned threads, unsigned registers,
                    uint64_t blocks, uint64_t nanoseconds = 100000) {
  DeviceKernel result;
  result.name = std::string(1, char('A' + stream));
  result.grid.footprint.threadsPerBlock = threads;
  result.grid.footprint.registersPerThread = registers;
  result.grid.blocks = blocks;
  result.blockNanoseconds = nanoseconds;
  result.stream = stream;
  return result;
}

/// One block per SM and no room for another.
DeviceKernel wholeSM(unsigned stream, uint64_t blocks,
                     uint64_t nanoseconds = 100000) {
  return kernel(stream, 1024, 64, blocks, nanoseconds);
}

DeviceProgram program(unsigned streams, std::vector<DeviceKernel> kernels) {
  DeviceProgram result;
  result.streams.resize(streams);
  result.kernels = std::move(kernels);
  return result;
}

/// Sum of the kernels' times over the time of all, as published results count.
double overlapOf(const Schedule &schedule) {
  double sum = 0;
  for (const KernelTimes &times : schedule.kernels)
    sum += times.lastEnd - times.firstStart;
  return sum / schedule.makespan;
}

TEST(Scheduler, TwoKernelsThatFitRunTogether) {
  const Schedule schedule = simulate(
      h200(), program(2, {kernel(0, 512, 32, 132), kernel(1, 512, 32, 132)}));
  EXPECT_NEAR(schedule.makespan, 105000, nearby);
  EXPECT_EQ(schedule.pairs[0].SMsShared, 132u);
}

TEST(Scheduler, TwoFullKernelsRunOneAfterTheOther) {
  const Schedule schedule =
      simulate(h200(), program(2, {wholeSM(0, 132), wholeSM(1, 132)}));
  EXPECT_NEAR(schedule.makespan, 200000, nearby);
  EXPECT_EQ(schedule.pairs[0].SMsShared, 0u);
}

// Half a wave is left over of the first: the second takes the other half.
TEST(Scheduler, TheLastWaveLeavesRoom) {
  const Schedule schedule =
      simulate(h200(), program(2, {wholeSM(0, 198), wholeSM(1, 66)}));
  EXPECT_NEAR(schedule.kernels[1].firstStart, 100000, nearby);
  EXPECT_NEAR(schedule.makespan, 200000, nearby);
}

// A third kernel would fit at once, but the second waits before it.
TEST(Scheduler, OnlyTheHeadIsPlaced) {
  const Schedule schedule = simulate(
      h200(), program(3, {wholeSM(0, 100), wholeSM(1, 132), wholeSM(2, 1)}));
  EXPECT_NEAR(schedule.kernels[1].firstStart, 5000, nearby);
  EXPECT_GT(schedule.kernels[2].firstStart, 90000);
}

TEST(Scheduler, AStreamAndAnEventOrder) {
  DeviceProgram ordered =
      program(2, {wholeSM(0, 10), wholeSM(0, 10), wholeSM(1, 10)});
  ordered.kernels[2].awaits = {0};
  const Schedule schedule = simulate(h200(), ordered);
  EXPECT_NEAR(schedule.kernels[1].firstStart, 100000, nearby);
  EXPECT_NEAR(schedule.kernels[2].firstStart, 100000, nearby);
  EXPECT_EQ(schedule.pairs[0].overlap, 0);
  EXPECT_GT(schedule.pairs[2].overlap, 80000);
}

// Successor and waiter both need the whole GPU when the first is done.
TEST(Outcomes, ARaceIsEitherOrder) {
  DeviceProgram race = program(
      3, {wholeSM(0, 132), wholeSM(0, 132), wholeSM(1, 132), wholeSM(2, 1)});
  race.kernels[2].awaits = {0};
  race.kernels[3].awaits = {1};
  const Outcomes outcomes = playAll(h200(), race, 16);
  // 1 and 2 never together; 3, which follows 1, is beside 2 if 1 won.
  EXPECT_EQ(outcomes.pairs[3].overlap, Certainty::Never);
  bool firstWon = false, secondWon = false;
  for (const Schedule &schedule : outcomes.schedules)
    (schedule.kernels[1].firstStart < schedule.kernels[2].firstStart
         ? firstWon
         : secondWon) = true;
  EXPECT_TRUE(firstWon);
  EXPECT_TRUE(secondWon);
}

TEST(Scheduler, AHighPriorityGoesBeforeABlockThatWaits) {
  DeviceProgram urgent = program(2, {wholeSM(0, 528), wholeSM(1, 132)});
  const Schedule plain = simulate(h200(), urgent);
  EXPECT_NEAR(plain.kernels[1].firstStart, 400000, nearby);
  urgent.streams[1].priority = -5;
  const Schedule schedule = simulate(h200(), urgent);
  // Blocks that run stay.
  EXPECT_NEAR(schedule.kernels[1].firstStart, 100000, nearby);
  EXPECT_NEAR(schedule.kernels[0].lastEnd, 500000, nearby);
}

TEST(Scheduler, TheLegacyDefaultStreamOrdersBlockingStreams) {
  DeviceProgram legacy =
      program(4, {kernel(0, 32, 32, 1), kernel(1, 32, 32, 1),
                  kernel(2, 32, 32, 1), kernel(3, 32, 32, 1)});
  legacy.streams[0].blocking = legacy.streams[2].blocking = true;
  legacy.streams[1].legacyDefault = true;
  const Schedule schedule = simulate(h200(), legacy);
  EXPECT_NEAR(schedule.kernels[1].firstStart, 100000, nearby);
  EXPECT_NEAR(schedule.kernels[2].firstStart, 200000, nearby);
  EXPECT_NEAR(schedule.kernels[3].firstStart, 15000, nearby);
}

TEST(Scheduler, TheHostWaits) {
  DeviceProgram waits =
      program(2, {kernel(0, 32, 32, 1), kernel(1, 32, 32, 1)});
  waits.kernels[1].hostAwaits = {0};
  EXPECT_EQ(simulate(h200(), waits).pairs[0].overlap, 0);
}

TEST(Scheduler, AtMost128KernelsAreResident) {
  DeviceProgram many = program(129, {});
  for (unsigned i = 0; i < 129; ++i)
    many.kernels.push_back(kernel(i, 32, 32, 1, 20000000));
  const Schedule schedule = simulate(h200(), many);
  EXPECT_LT(schedule.kernels[127].firstStart, 2000000);
  EXPECT_NEAR(schedule.kernels[128].firstStart, 20000000, 100000);
}

/// `streams` x `each` one-block kernels of 0.5 ms, stream by stream or not.
double queueOverlap(unsigned streams, unsigned each, bool depthFirst,
                    unsigned queues = 8) {
  DeviceProgram many = program(streams, {});
  many.hardwareQueues = queues;
  for (unsigned i = 0; i < streams * each; ++i)
    many.kernels.push_back(
        kernel(depthFirst ? i / each : i % streams, 32, 32, 1, 500000));
  return overlapOf(simulate(h200(), many));
}

// Measured on an H200: 6.41 and 11.68, 8.90 and 30.00; with 32 queues 25.46,
// with one 1.19 and 30.39. A queue of four streams x 6 kernels takes
// 4 x 5 + 1 = 21 times, so 32 x 6 / 21 = 9.1.
TEST(Scheduler, StreamsThatShareAHardwareQueue) {
  EXPECT_NEAR(queueOverlap(12, 6, true), 6.41, 0.4);
  EXPECT_NEAR(queueOverlap(12, 6, false), 11.68, 0.6);
  EXPECT_NEAR(queueOverlap(32, 6, true), 8.90, 0.5);
  EXPECT_NEAR(queueOverlap(32, 6, false), 30.0, 2);
  EXPECT_NEAR(queueOverlap(32, 6, true, 32), 25.46, 2);
  EXPECT_NEAR(queueOverlap(32, 6, true, 1), 1.19, 0.05);
  EXPECT_NEAR(queueOverlap(32, 6, false, 1), 30.39, 2);
}

// One kernel per stream: no effect of the queues.
TEST(Scheduler, QueuesDoNotMatterForOneKernelAStream) {
  EXPECT_NEAR(queueOverlap(64, 1, true, 8), queueOverlap(64, 1, true, 32), 0.5);
}

// Published for a GB200: two kernels at one block per SM.
TEST(Scheduler, PublishedOverlapOfHalfAndWholeGrids) {
  const GPU &gb200 = *findGPU("gb200");
  ASSERT_EQ(gb200.SMs, 152u);
  const std::pair<uint64_t, double> measured[] = {
      {38, 1.99}, {76, 1.99}, {114, 1.50}, {152, 1.00}, {304, 1.00}};
  for (auto [blocks, overlap] : measured)
    EXPECT_NEAR(
        overlapOf(simulate(gb200, program(2, {wholeSM(0, blocks, 10000000),
                                              wholeSM(1, blocks, 10000000)}))),
        overlap, 0.02)
        << blocks;
}

TEST(Scheduler, PublishedFourStreamsAndTheDefaultStreamBetween) {
  const GPU &gb200 = *findGPU("gb200");
  std::vector<DeviceKernel> four, between;
  for (unsigned i = 0; i < 4; ++i) {
    four.push_back(wholeSM(i, 38, 1000000));
    between.push_back(wholeSM(i, 38, 1000000));
    if (i < 3)
      between.push_back(kernel(4, 32, 32, 1, 1000));
  }
  EXPECT_NEAR(overlapOf(simulate(gb200, program(4, four))), 3.90, 0.1);
  DeviceProgram legacy = program(5, between);
  for (unsigned i = 0; i < 4; ++i)
    legacy.streams[i].blocking = true;
  legacy.streams[4].legacyDefault = true;
  EXPECT_NEAR(overlapOf(simulate(gb200, legacy)), 0.99, 0.03);
}

// The third of a second's worth of waves is passed over, not played.
TEST(Scheduler, TwoBillionBlocksTakeAsManyWaves) {
  DeviceProgram huge =
      program(2, {wholeSM(0, 2'000'000'000, 1000), wholeSM(1, 132, 1000)});
  const Schedule schedule = simulate(h200(), huge);
  const double waves = 2e9 / 132;
  EXPECT_GT(schedule.makespan, waves * 1000);
  EXPECT_LT(schedule.makespan, waves * 2000);
  EXPECT_GE(schedule.kernels[1].lastEnd, schedule.kernels[0].lastStart);
}

TEST(Scheduler, LongestProgramsEnd) {
  // 10^12 blocks of a microsecond, 4,224 at a time, and beside them a block of
  // eleven days.
  DeviceProgram longest =
      program(2, {kernel(0, 32, 16, 1, 1'000'000'000'000'000),
                  kernel(1, 32, 16, 1'000'000'000'000, 1000)});
  ASSERT_EQ(checkProgram(h200(), longest), "");
  EXPECT_NEAR(simulate(h200(), longest).makespan, 1e15, 1e12);
  longest.kernels[1].grid.blocks = ~0ull;
  EXPECT_EQ(checkProgram(h200(), longest),
            "kernel 'B': 18446744073709551615 blocks of 1000 ns would take "
            "longer than 52 days");
}

// The number of blocks and the time for which they stay do not change what a
// run costs; spans say that many waves stand behind one.
TEST(Scheduler, SpansAddUpToTheGrid) {
  const Schedule schedule = simulate(h200(), program(1, {wholeSM(0, 100000)}),
                                     {0, /*recordSpans=*/true});
  uint64_t blocks = 0;
  for (const BlockSpan &span : schedule.spans)
    blocks += span.blocks;
  EXPECT_EQ(blocks, 100000u);
  EXPECT_LT(schedule.spans.size(), 2000u);
}

TEST(DeviceProgram, SaysWhichFieldIsWrong) {
  const auto problem = [](auto change) {
    DeviceProgram bad =
        program(2, {kernel(0, 32, 32, 1), kernel(1, 32, 32, 1)});
    change(bad);
    return checkProgram(h200(), bad);
  };
  EXPECT_EQ(problem([](DeviceProgram &) {}), "");
  EXPECT_EQ(problem([](DeviceProgram &p) { p.kernels[1].awaits = {1}; }),
            "kernel 'B': awaits is the kernel itself: it would wait for ever");
  EXPECT_EQ(problem([](DeviceProgram &p) { p.kernels[0].awaits = {1}; }),
            "kernel 'A': awaits is 'B', which is issued later: the program "
            "would wait for itself");
  EXPECT_EQ(problem([](DeviceProgram &p) { p.kernels[0].hostAwaits = {7}; }),
            "kernel 'A': hostAwaits names kernel 7, but there are only 2");
  EXPECT_EQ(problem([](DeviceProgram &p) { p.kernels[0].stream = 2; }),
            "kernel 'A': stream is 2, but there are only 2");
  EXPECT_EQ(
      problem([](DeviceProgram &p) { p.kernels[0].blockNanoseconds = 0; }),
      "kernel 'A': blockNanoseconds is 0; expected 1 to 1000000000000000");
  EXPECT_EQ(problem([](DeviceProgram &p) { p.kernels[0].grid.blocks = 0; }),
            "kernel 'A': blocks is 0; expected at least 1");
  EXPECT_EQ(problem([](DeviceProgram &p) {
              p.kernels[0].grid.footprint.threadsPerBlock = 1025;
            }),
            "kernel 'A': threadsPerBlock is 1025; expected 1 to 1024");
  EXPECT_EQ(problem([](DeviceProgram &p) {
              p.kernels[0].grid.footprint.dynamicShared = 240000;
            }),
            "kernel 'A': no block fits on an SM of h200: too much of shared "
            "memory");
  EXPECT_EQ(problem([](DeviceProgram &p) { p.hardwareQueues = 0; }),
            "hardwareQueues is 0; expected 1 to 32");
  EXPECT_EQ(problem([](DeviceProgram &p) { p.streams[1].priority = -2000; }),
            "stream 1: priority is -2000; expected -1000 to 1000");
}

TEST(DeviceProgram, AnEmptyProgramTakesNoTime) {
  EXPECT_EQ(checkProgram(h200(), {}), "");
  EXPECT_EQ(simulate(h200(), {}).makespan, 0);
}

} // namespace
