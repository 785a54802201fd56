// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Traces written by hand: what orders two launches, and what does not.

#include "timeline/Timeline.h"

#include <gtest/gtest.h>

using namespace coreside;
using Relation = LaunchPair::Relation;

namespace {

/// Writes a trace step by step.
class Host {
public:
  int stream(std::string name, Stream::Blocking blocking = Stream::Blocking::No,
             Stream::Origin origin = Stream::Origin::Created) {
    Stream stream;
    stream.name = std::move(name);
    stream.blocking = blocking;
    stream.origin = origin;
    T.streams.push_back(stream);
    return T.streams.size() - 1;
  }
  int legacyDefault() {
    return stream("0", Stream::Blocking::Unknown,
                  Stream::Origin::LegacyDefault);
  }
  int event(std::string name, bool known = true) {
    T.events.push_back({std::move(name), known, {}});
    return T.events.size() - 1;
  }
  Step &add(Step::Kind kind, int stream = -1, int event = -1) {
    Step step;
    step.kind = kind;
    step.stream = stream;
    step.event = event;
    step.guards = Taken;
    T.steps.push_back(step);
    return T.steps.back();
  }
  unsigned launch(int stream) {
    add(Step::Kind::Launch, stream);
    return T.steps.size() - 1;
  }
  void under(std::vector<Guard> guards) { Taken = std::move(guards); }

  LaunchPair pair(unsigned first, unsigned second) const {
    for (const LaunchPair &pair : orderLaunches(T, 0).pairs)
      if (pair.first == first && pair.second == second)
        return pair;
    ADD_FAILURE() << "no such pair";
    return {};
  }
  Relation relation(unsigned first, unsigned second) const {
    return pair(first, second).relation;
  }

  Trace T;
  std::vector<Guard> Taken;
};

TEST(Timeline, DifferentStreamsMayOverlapOneStreamOrders) {
  Host host;
  int s = host.stream("s"), t = host.stream("t");
  unsigned a = host.launch(s), b = host.launch(s), c = host.launch(t);
  EXPECT_EQ(host.relation(a, b), Relation::Ordered);
  EXPECT_EQ(host.pair(a, b).why, "both on stream 's'");
  EXPECT_EQ(host.relation(a, c), Relation::MayOverlap);
  EXPECT_EQ(host.relation(b, c), Relation::MayOverlap);
}

TEST(Timeline, EventOrdersWhatWasRecordedBeforeIt) {
  Host host;
  int s = host.stream("s"), t = host.stream("t"), e = host.event("e");
  unsigned a = host.launch(s);
  host.add(Step::Kind::EventRecord, s, e);
  unsigned later = host.launch(s);
  host.add(Step::Kind::StreamWait, t, e);
  unsigned wait = host.T.steps.size() - 1;
  unsigned b = host.launch(t);
  EXPECT_EQ(host.relation(a, b), Relation::Ordered);
  EXPECT_EQ(host.pair(a, b).orderedBy, static_cast<int>(wait));
  EXPECT_EQ(host.pair(a, b).why, "stream 't' waits for event 'e'");
  EXPECT_EQ(host.relation(later, b), Relation::MayOverlap);
}

TEST(Timeline, AnEventWaitedForBeforeItsRecordOrdersNothing) {
  Host host;
  int s = host.stream("s"), t = host.stream("t"), e = host.event("e");
  host.add(Step::Kind::StreamWait, t, e);
  unsigned a = host.launch(s);
  host.add(Step::Kind::EventRecord, s, e);
  unsigned b = host.launch(t);
  EXPECT_EQ(host.relation(a, b), Relation::MayOverlap);
}

TEST(Timeline, ASecondRecordReplacesTheFirst) {
  Host host;
  int s = host.stream("s"), t = host.stream("t"), u = host.stream("u");
  int e = host.event("e");
  unsigned a = host.launch(s);
  host.add(Step::Kind::EventRecord, s, e);
  unsigned b = host.launch(u);
  host.add(Step::Kind::EventRecord, u, e);
  host.add(Step::Kind::StreamWait, t, e);
  unsigned c = host.launch(t);
  EXPECT_EQ(host.relation(a, c), Relation::MayOverlap);
  EXPECT_EQ(host.relation(b, c), Relation::Ordered);
}

TEST(Timeline, OrderPassesThroughAChainOfEvents) {
  Host host;
  int s = host.stream("s"), t = host.stream("t"), u = host.stream("u");
  int e = host.event("e"), f = host.event("f");
  unsigned a = host.launch(s);
  host.add(Step::Kind::EventRecord, s, e);
  host.add(Step::Kind::StreamWait, t, e);
  host.add(Step::Kind::EventRecord, t, f);
  host.add(Step::Kind::StreamWait, u, f);
  unsigned b = host.launch(u);
  EXPECT_EQ(host.relation(a, b), Relation::Ordered);
}

TEST(Timeline, HostWaitsOrderWhatTheyWaitFor) {
  Host host;
  int s = host.stream("s"), t = host.stream("t"), u = host.stream("u");
  unsigned a = host.launch(s), b = host.launch(t);
  host.add(Step::Kind::StreamSynchronize, s);
  unsigned c = host.launch(u);
  host.add(Step::Kind::DeviceSynchronize);
  unsigned d = host.launch(s);
  EXPECT_EQ(host.relation(a, c), Relation::Ordered);
  EXPECT_EQ(host.pair(a, c).why, "the host waits for stream 's'");
  EXPECT_EQ(host.relation(b, c), Relation::MayOverlap);
  EXPECT_EQ(host.relation(b, d), Relation::Ordered);
  EXPECT_EQ(host.relation(c, d), Relation::Ordered);
}

TEST(Timeline, AFreeOrdersAnAllocationDoesNot) {
  Host host;
  int s = host.stream("s"), t = host.stream("t");
  unsigned a = host.launch(s);
  host.add(Step::Kind::Allocation).function = "cudaMalloc";
  unsigned b = host.launch(t);
  host.add(Step::Kind::ImplicitSynchronization).function = "cudaFree";
  unsigned c = host.launch(s);
  EXPECT_EQ(host.relation(a, b), Relation::MayOverlap);
  EXPECT_EQ(host.relation(b, c), Relation::Ordered);
  EXPECT_EQ(host.pair(b, c).why, "'cudaFree' in between");
}

TEST(Timeline, DefaultStreamOrdersBlockingStreamsOnly) {
  for (Stream::Blocking blocking :
       {Stream::Blocking::Yes, Stream::Blocking::No}) {
    Host host;
    int s = host.stream("s", blocking), t = host.stream("t", blocking);
    int legacy = host.legacyDefault();
    unsigned a = host.launch(s), middle = host.launch(legacy),
             b = host.launch(t);
    bool orders = blocking == Stream::Blocking::Yes;
    Relation expected = orders ? Relation::Ordered : Relation::MayOverlap;
    EXPECT_EQ(host.relation(a, b), expected);
    EXPECT_EQ(host.relation(a, middle), expected);
    EXPECT_EQ(host.relation(middle, b), expected);
    EXPECT_EQ(host.pair(a, b).byDefaultStream, orders);
    if (orders) {
      EXPECT_EQ(host.pair(a, b).orderedBy, static_cast<int>(middle));
    }
  }
}

TEST(Timeline, DefaultStreamIsNotBlamedForWhatAnEventOrders) {
  Host host;
  int s = host.stream("s", Stream::Blocking::Yes);
  int t = host.stream("t", Stream::Blocking::Yes);
  int legacy = host.legacyDefault(), e = host.event("e");
  unsigned a = host.launch(s);
  host.add(Step::Kind::EventRecord, s, e);
  host.launch(legacy);
  host.add(Step::Kind::StreamWait, t, e);
  unsigned b = host.launch(t);
  EXPECT_EQ(host.relation(a, b), Relation::Ordered);
  EXPECT_FALSE(host.pair(a, b).byDefaultStream);
}

TEST(Timeline, StreamsOfUnknownKindMakeTheDefaultStreamUnknown) {
  Host host;
  int s =
      host.stream("s", Stream::Blocking::Unknown, Stream::Origin::Parameter);
  int t =
      host.stream("t", Stream::Blocking::Unknown, Stream::Origin::Parameter);
  int legacy = host.legacyDefault();
  unsigned a = host.launch(s);
  host.launch(legacy);
  unsigned b = host.launch(t);
  EXPECT_EQ(host.relation(a, b), Relation::Unknown);
}

TEST(Timeline, TwoParametersAreTakenToDifferAndThatIsSaid) {
  Host host;
  int s =
      host.stream("s", Stream::Blocking::Unknown, Stream::Origin::Parameter);
  int t =
      host.stream("t", Stream::Blocking::Unknown, Stream::Origin::Parameter);
  unsigned a = host.launch(s), b = host.launch(t);
  EXPECT_EQ(host.relation(a, b), Relation::MayOverlap);
  ASSERT_EQ(host.pair(a, b).assumptions.size(), 1u);
}

TEST(Timeline, AStreamThatCannotBeToldIsUnknownUntilTheHostWaits) {
  Host host;
  int s = host.stream("s");
  int q = host.stream("pick(i)", Stream::Blocking::Unknown,
                      Stream::Origin::Unknown);
  unsigned a = host.launch(s), b = host.launch(q);
  host.add(Step::Kind::DeviceSynchronize);
  unsigned c = host.launch(q);
  EXPECT_EQ(host.relation(a, b), Relation::Unknown);
  EXPECT_EQ(host.relation(a, c), Relation::Ordered);
}

TEST(Timeline, AnUnknownEventMayOrder) {
  Host host;
  int s = host.stream("s"), t = host.stream("t"), e = host.event("e", false);
  unsigned a = host.launch(s);
  host.add(Step::Kind::StreamWait, t, e);
  unsigned b = host.launch(t);
  EXPECT_EQ(host.relation(a, b), Relation::Unknown);
}

TEST(Timeline, OnlyAWaitThatRunsWheneverBothLaunchesDoOrders) {
  Host host;
  int s = host.stream("s"), t = host.stream("t");
  unsigned a = host.launch(s);
  host.under({{0, 0}});
  host.add(Step::Kind::DeviceSynchronize);
  unsigned b = host.launch(t);
  host.under({{0, 1}});
  unsigned other = host.launch(t);
  host.under({});
  unsigned c = host.launch(t);
  EXPECT_EQ(host.relation(a, b), Relation::Ordered);
  EXPECT_EQ(host.relation(a, c), Relation::MayOverlap);
  EXPECT_EQ(host.relation(b, other), Relation::Exclusive);
}

TEST(Timeline, ACopyTheHostWaitsForOrdersItsStream) {
  Host host;
  int s = host.stream("s"), t = host.stream("t");
  unsigned a = host.launch(s);
  host.add(Step::Kind::MemoryOperation, s).waits = true;
  unsigned b = host.launch(t);
  host.add(Step::Kind::MemoryOperation, t);
  unsigned c = host.launch(s);
  EXPECT_EQ(host.relation(a, b), Relation::Ordered);
  EXPECT_EQ(host.relation(b, c), Relation::MayOverlap);
}

TEST(Timeline, TooManyLaunchesAreCutAndSaid) {
  Host host;
  int s = host.stream("s");
  for (int i = 0; i != 3000; ++i)
    host.launch(s);
  EXPECT_EQ(orderLaunches(host.T, 0).cuts.size(), 1u);
}

TEST(Timeline, TheDocumentedReadingTurnsCallsAround) {
  Host host;
  int s = host.stream("s"), t = host.stream("t");
  unsigned a = host.launch(s);
  host.add(Step::Kind::Allocation).function = "cudaMalloc";
  unsigned b = host.launch(t);
  host.add(Step::Kind::ImplicitSynchronization).function = "cudaFree";
  unsigned c = host.launch(s);
  EXPECT_EQ(host.pair(a, b).otherwiseOrderedBy, static_cast<int>(a) + 1);
  TimelineOptions options;
  options.sync = SyncModel::Documented;
  for (const LaunchPair &pair : orderLaunches(host.T, 0, options).pairs) {
    if (pair.first == a && pair.second == b) {
      EXPECT_EQ(pair.relation, Relation::Ordered);
    }
    // Freed memory only may wait.
    if (pair.first == b && pair.second == c) {
      EXPECT_EQ(pair.relation, Relation::Unknown);
    }
  }
}

TEST(Timeline, ARecordThatPerhapsHappensWeakensTheEvent) {
  Host host;
  int s = host.stream("s"), t = host.stream("t"), u = host.stream("u");
  int e = host.event("e");
  unsigned a = host.launch(s);
  host.add(Step::Kind::EventRecord, s, e);
  host.under({{0, 0}});
  host.add(Step::Kind::EventRecord, u, e);
  host.under({});
  host.add(Step::Kind::StreamWait, t, e);
  unsigned b = host.launch(t);
  host.under({{0, 1}});
  unsigned c = host.launch(t);
  EXPECT_EQ(host.relation(a, b), Relation::MayOverlap);
  // On the other arm it did not happen.
  EXPECT_EQ(host.relation(a, c), Relation::Ordered);
}

TEST(Timeline, OneExpressionMayPickTwoStreamsOneVariableHoldsOne) {
  Host host;
  int picked = host.stream("pick(i)", Stream::Blocking::Unknown,
                           Stream::Origin::Unknown);
  host.T.streams[picked].isOne = false;
  int held =
      host.stream("held", Stream::Blocking::Unknown, Stream::Origin::Unknown);
  unsigned a = host.launch(picked), b = host.launch(picked);
  unsigned c = host.launch(held), d = host.launch(held);
  EXPECT_EQ(host.relation(a, b), Relation::Unknown);
  EXPECT_EQ(host.relation(c, d), Relation::Ordered);
  EXPECT_EQ(host.relation(b, c), Relation::Unknown);
}

TEST(Timeline, AWaitOfWhoeverMayOrder) {
  Host host;
  int s = host.stream("s"), t = host.stream("t"), e = host.event("e");
  int who =
      host.stream("?", Stream::Blocking::Unknown, Stream::Origin::Unknown);
  unsigned a = host.launch(s);
  host.add(Step::Kind::EventRecord, s, e);
  host.add(Step::Kind::StreamWait, who, e);
  unsigned b = host.launch(t);
  EXPECT_EQ(host.relation(a, b), Relation::Unknown);
}

TEST(Timeline, WhatAHostThreadWaitsForIsItsOwn) {
  Host host;
  int s = host.stream("s"), t = host.stream("t");
  auto inThread = [&](unsigned thread, Step &step) { step.thread = thread; };
  unsigned a = host.launch(s);
  host.add(Step::Kind::ThreadStart).otherThread = 1;
  inThread(1, host.add(Step::Kind::StreamSynchronize, s));
  unsigned before = host.launch(t);
  host.add(Step::Kind::ThreadJoin).otherThread = 1;
  unsigned after = host.launch(t);
  EXPECT_EQ(host.relation(a, before), Relation::MayOverlap);
  EXPECT_EQ(host.relation(a, after), Relation::Ordered);
}

TEST(Timeline, AGraphIsDoneWhereItIsLaunched) {
  Host host;
  int s = host.stream("s"), t = host.stream("t");
  host.T.graphs = {{"graph", {}, -1}, {"executable", {}, 0}};
  host.add(Step::Kind::CaptureBegin, s);
  unsigned inside = host.launch(s);
  host.add(Step::Kind::CaptureEnd, s).graph = 0;
  unsigned early = host.launch(t);
  host.add(Step::Kind::GraphLaunch, t).graph = 1;
  unsigned late = host.launch(t), beside = host.launch(s);
  // `early` was issued first, though it stands later.
  EXPECT_EQ(host.relation(early, inside), Relation::Ordered);
  EXPECT_EQ(host.relation(inside, late), Relation::Ordered);
  EXPECT_EQ(host.relation(inside, beside), Relation::MayOverlap);
}

TEST(Timeline, OfManyLaunchesEachIsPairedWithTheNextOfOtherStreams) {
  Host host;
  int s = host.stream("s"), t = host.stream("t");
  for (int i = 0; i != 400; ++i)
    host.launch(s);
  for (int i = 0; i != 400; ++i)
    host.launch(t);
  EXPECT_EQ(host.relation(0, 400), Relation::MayOverlap);
  EXPECT_EQ(host.relation(399, 400), Relation::MayOverlap);
  EXPECT_LT(orderLaunches(host.T, 0).pairs.size(), 1600u);
}

TEST(Timeline, ALoopThatMayNotRunOrdersNothingAroundIt) {
  for (int64_t least : {0, 1}) {
    Host host;
    int s = host.stream("s"), t = host.stream("t");
    host.T.loops.push_back({{}, Value::bounded(least, 9)});
    unsigned a = host.launch(s);
    Step &wait = host.add(Step::Kind::StreamSynchronize, s);
    wait.loops = {0};
    wait.turns = {0};
    unsigned b = host.launch(t);
    EXPECT_EQ(host.relation(a, b),
              least ? Relation::Ordered : Relation::MayOverlap);
  }
}

} // namespace
