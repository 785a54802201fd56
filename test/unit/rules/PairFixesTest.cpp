// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rules/PairFixes.h"
#include "rules/BoundsFix.h"

#include "gtest/gtest.h"

using namespace coreside;

namespace {

/// `text` at `line` and `column` of a.cu.
SourceSpan span(unsigned line, unsigned column, std::string text) {
  const unsigned end = column + unsigned(text.size());
  return {"a.cu", line, column, line, end, std::move(text)};
}

SourceEdit edit(unsigned line, unsigned column, unsigned endColumn,
                std::string text) {
  return {"a.cu", line, column, line, endColumn, std::move(text)};
}

/// blur on s at line 10 and edge on t at line 11 or later, on an H100.
struct Pair {
  Analysis analysis;

  Pair() {
    Program &program = analysis.program;
    analysis.gpus = {*findGPU("h100")};
    for (const char *name : {"blur", "edge"}) {
      Kernel kernel;
      kernel.name = name;
      kernel.place = {"a.cu", unsigned(program.kernels.size()) + 1, 17};
      kernel.unit = "a.cu";
      kernel.text.beforeName = span(kernel.place.line, 17, "");
      program.kernels.push_back(kernel);
    }
    Trace trace;
    for (const char *name : {"s", "t"}) {
      Stream stream;
      stream.origin = Stream::Origin::Created;
      stream.blocking = Stream::Blocking::Yes;
      stream.name = name;
      stream.text = int(program.stepTexts.size());
      StepText text;
      text.call = span(unsigned(program.stepTexts.size()) + 5, 3,
                       std::string("cudaStreamCreate(&") + name + ")");
      text.arguments = {span(text.call.line, 20, std::string("&") + name)};
      program.stepTexts.push_back(text);
      trace.streams.push_back(stream);
    }
    program.traces.push_back(trace);
    addLaunch(0, 10);
  }

  void addStep(Step step, const std::string &call, unsigned line,
               std::vector<SourceSpan> arguments = {}) {
    Program &program = analysis.program;
    step.place = {"a.cu", line, 3};
    step.text = int(program.stepTexts.size());
    StepText text;
    text.call = span(line, 3, call);
    text.statement = span(line, 3, call + ";");
    text.arguments = std::move(arguments);
    program.stepTexts.push_back(text);
    program.traces[0].steps.push_back(std::move(step));
  }

  void addLaunch(int kernel, unsigned line) {
    Step step;
    step.kind = Step::Kind::Launch;
    step.kernel = step.stream = kernel;
    step.block = {Value::known(kernel ? 64 : 256), Value::known(1),
                  Value::known(1)};
    addStep(step, kernel ? "edge<<<8, 64, 0, t>>>(q)" : "blur<<<g, 256>>>(p)",
            line, {span(line, 20, kernel ? "q" : "p")});
  }

  /// The launch of edge, and what the analysis says of both.
  PairView finish(unsigned line) {
    addLaunch(1, line);
    TraceFacts facts;
    LaunchPair pair;
    pair.second = unsigned(analysis.program.traces[0].steps.size()) - 1;
    pair.relation = LaunchPair::Relation::MayOverlap;
    facts.timeline.pairs = {pair};
    facts.pairs = {{0, {PairOnGPU()}}};
    facts.launches.resize(1);
    for (unsigned step : {0u, pair.second}) {
      LaunchFacts launch;
      launch.step = step;
      launch.footprintKnown = true;
      launch.most.footprint.threadsPerBlock = step ? 64 : 256;
      facts.launches[0].push_back(launch);
    }
    analysis.traces = {facts};
    return PairView(analysis, 0, 0);
  }
};

TEST(PairFixes, SwapsLaunchesThatStandNextToEachOther) {
  Pair pair;
  std::optional<Fix> fix = launchSecondFirst(pair.finish(11));
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->title, "launch 'edge' first");
  EXPECT_EQ(fix->edits,
            (std::vector{edit(10, 3, 23, "edge<<<8, 64, 0, t>>>(q);"),
                         edit(11, 3, 28, "blur<<<g, 256>>>(p);")}));
  // Something may stand between.
  Pair apart;
  EXPECT_FALSE(launchSecondFirst(apart.finish(12)));
  Pair record;
  Step step;
  step.kind = Step::Kind::EventRecord;
  record.addStep(step, "cudaEventRecord(e, s)", 10);
  EXPECT_FALSE(launchSecondFirst(record.finish(11)));
}

TEST(PairFixes, BoundsRegisters) {
  Pair pair;
  PairView view = pair.finish(11);
  std::optional<Fix> fix = boundRegisters(view.analysis, view.first.kernel, 48);
  ASSERT_TRUE(fix);
  // 65,536 / (5 x 8 warps), rounded down to 256, is 48 a thread.
  EXPECT_EQ(fix->title, "give 'blur' __launch_bounds__(256, 5)");
  EXPECT_EQ(fix->edits,
            (std::vector{edit(1, 17, 17, "__launch_bounds__(256, 5) ")}));

  Kernel &blur = pair.analysis.program.kernels[0];
  blur.maxThreads = Value::known(512);
  blur.text.launchBoundsArguments[0] = span(1, 30, "512");
  EXPECT_EQ(boundRegisters(view.analysis, view.first.kernel, 48)->edits,
            (std::vector{edit(1, 33, 33, ", 3")}));
  blur.text.launchBoundsArguments[1] = span(1, 35, "2");
  EXPECT_EQ(boundRegisters(view.analysis, view.first.kernel, 48)->edits,
            (std::vector{edit(1, 35, 36, "3")}));
  // No block of so many threads does with so few.
  EXPECT_FALSE(boundRegisters(view.analysis, view.first.kernel, 24));
  // Bounds that are not written down cannot be changed.
  blur.text = {};
  EXPECT_FALSE(boundRegisters(view.analysis, view.first.kernel, 48));
  // A block that is not known may be larger.
  Step &second = pair.analysis.program.traces[0].steps.back();
  second.block[0] = Value::symbolic("n", 1, 1024);
  EXPECT_FALSE(boundRegisters(view.analysis, view.second.kernel, 48));
  // Fewer registers refuse none.
  pair.analysis.program.cudaVersion = 12040;
  EXPECT_EQ(boundRegisters(view.analysis, view.second.kernel, 48)->title,
            "give 'edge' __maxnreg__(48)");
}

TEST(PairFixes, MakesStreamsNonBlocking) {
  Pair pair;
  PairView view = pair.finish(11);
  std::optional<Fix> fix = makeNonBlocking(view);
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->title, "create the streams with cudaStreamNonBlocking");
  EXPECT_EQ(
      fix->edits[0],
      edit(5, 3, 23, "cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking)"));
  // A set on the default stream may need that others wait for it.
  Stream standard;
  standard.origin = Stream::Origin::LegacyDefault;
  pair.analysis.program.traces[0].streams.push_back(standard);
  Step set;
  set.kind = Step::Kind::MemoryOperation;
  set.stream = 2;
  pair.addStep(set, "cudaMemsetAsync(p, 0, 4)", 9);
  EXPECT_FALSE(makeNonBlocking(PairView(pair.analysis, 0, 0)));
}

TEST(PairFixes, MovesACallBehindTheSecond) {
  Step call;
  call.kind = Step::Kind::ImplicitSynchronization;
  call.function = "cudaFree";
  Pair pair;
  pair.addStep(call, "cudaFree(x)", 11, {span(11, 12, "x")});
  PairView view = pair.finish(12);
  std::optional<Fix> fix = moveAfterSecond(view, view.trace.steps[1]);
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->title, "call 'cudaFree' after 'edge'");
  EXPECT_EQ(fix->edits, (std::vector{edit(11, 3, 15, ""),
                                     edit(12, 28, 28, "\n  cudaFree(x);")}));
  // The pointer may lead elsewhere by then.
  Pair anew;
  anew.addStep(call, "cudaFree(x)", 11, {span(11, 12, "x")});
  Step allocation;
  allocation.kind = Step::Kind::Allocation;
  anew.addStep(allocation, "cudaMalloc(&x, 8)", 12, {span(12, 14, "&x")});
  PairView second = anew.finish(13);
  EXPECT_FALSE(moveAfterSecond(second, second.trace.steps[1]));
}

TEST(PairFixes, SetsOneCarveoutForBoth) {
  Pair pair;
  for (int kernel : {0, 1}) {
    Step set;
    set.kind = Step::Kind::FunctionAttribute;
    set.kernel = kernel;
    set.attribute = "PreferredSharedMemoryCarveout";
    set.attributeValue = Value::known(kernel ? 0 : 100);
    const unsigned line = 7 + kernel;
    pair.addStep(
        set, "cudaFuncSetAttribute(k, c, v)", line,
        {span(line, 24, "k"), span(line, 27, "c"), span(line, 30, "v")});
  }
  std::optional<Fix> fix = setCarveouts(pair.finish(11), 100);
  ASSERT_TRUE(fix);
  EXPECT_EQ(fix->title, "prefer a carveout of 100 per cent for both kernels");
  EXPECT_EQ(fix->edits, (std::vector{edit(8, 30, 31, "100")}));
  Pair without;
  EXPECT_FALSE(setCarveouts(without.finish(11), 100));
}

} // namespace
