// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   what the host code asks of the device.
// Out:  steps, and the streams, events, graphs and threads that they name.

#include "Interpreter.h"

#include "clang/AST/ASTContext.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace coreside {

void Interpreter::emit(Step step, const Expr *at) {
  if (Dead || Stopped)
    return;
  ++Emitted;
  if (Dry)
    return;
  if (Result.steps.size() >= Options.stepLimit) {
    return stop("more than " + std::to_string(Options.stepLimit) + " steps");
  }
  if (at) {
    step.place = placeOf(at->getBeginLoc(), Context);
    step.text = Texts.indexOf(at, Statement);
  }
  for (coreside::Value &size : step.grid)
    size = narrowed(std::move(size));
  for (coreside::Value &size : step.block)
    size = narrowed(std::move(size));
  step.dynamicShared = narrowed(std::move(step.dynamicShared));
  narrowSharedByBlock(step);
  step.attributeValue = narrowed(std::move(step.attributeValue));
  step.path = Path;
  for (const ActiveGuard &active : Guards)
    if (!llvm::is_contained(step.guards, active.guard))
      step.guards.push_back(active.guard);
  step.loops = Loops;
  step.turns = Turns;
  step.device = currentDevice();
  step.thread = Thread;
  Result.steps.push_back(std::move(step));
}

void Interpreter::cut(const std::string &why) {
  if (!llvm::is_contained(Result.cuts, why))
    Result.cuts.push_back(why);
}

/// Nothing more is read of the trace.
void Interpreter::stop(const std::string &why) {
  cut(why);
  Stopped = true;
  for (const Frame &frame : Frames)
    leaveOpen(frame.function);
}

/// Notes that `function` and what it stands in may do more than was seen.
void Interpreter::leaveOpen(const FunctionDecl *function) {
  for (const DeclContext *context = function; context;
       context = context->getParent())
    if (const auto *one = dyn_cast<FunctionDecl>(context))
      Facts.open.insert(one);
}

/// Notes that a step of the trace comes from the launch `call`.
void Interpreter::meetLaunch(const Expr *call) {
  if (!Dry && !Stopped)
    Met.push_back({Result.steps.size(), call});
}

/// Forgets the steps from the one of number `count` on.
void Interpreter::takeBackSteps(size_t count) {
  if (Result.steps.size() > count)
    Result.steps.resize(count);
  while (!Met.empty() && Met.back().first >= count)
    Met.pop_back();
}

int Interpreter::newStream(Stream stream) {
  Result.streams.push_back(std::move(stream));
  return Result.streams.size() - 1;
}

int Interpreter::newGraph(Graph graph) {
  Result.graphs.push_back(std::move(graph));
  return Result.graphs.size() - 1;
}

/// The number of the current device; a negative one stands for a device that is
/// not known, the same for the same text.
int Interpreter::currentDevice() {
  auto node = Store.find(Device);
  const Datum *datum = node && node->datum ? &*node->datum : nullptr;
  if (datum)
    if (auto number = datum->pick(); number && *number >= 0)
      return *number;
  std::string name = !datum              ? ""
                     : datum->isNumber() ? datum->number.text
                                         : datum->text;
  return UnknownDevices.try_emplace(name, -1 - int(UnknownDevices.size()))
      .first->second;
}

/// Runs what another host thread does, there and then: its steps are marked as
/// that thread's.
unsigned Interpreter::startThread(const Expr *call,
                                  llvm::function_ref<void()> body) {
  unsigned before = Thread, started = ++Threads;
  Step step;
  step.kind = Step::Kind::ThreadStart;
  step.otherThread = started;
  emit(std::move(step), call);
  Thread = started;
  body();
  Thread = before;
  Dead = false;
  return started;
}

void Interpreter::joinThread(const Datum &handle, llvm::StringRef name,
                             const Expr *call) {
  auto number = handle.pick();
  if (!number)
    return;
  Step step;
  step.kind = Step::Kind::ThreadJoin;
  step.function = name.str();
  step.otherThread = *number;
  emit(std::move(step), call);
}

int Interpreter::newEvent(Event event) {
  Result.events.push_back(std::move(event));
  return Result.events.size() - 1;
}

int Interpreter::legacyStream() {
  if (LegacyStream < 0) {
    Stream stream;
    stream.origin = Stream::Origin::LegacyDefault;
    stream.name = "default stream";
    stream.blocking = Stream::Blocking::Yes;
    LegacyStream = newStream(std::move(stream));
  }
  return LegacyStream;
}

int Interpreter::perThreadStream() {
  if (PerThreadStream < 0) {
    Stream stream;
    stream.origin = Stream::Origin::PerThreadDefault;
    stream.name = "per-thread default stream";
    stream.blocking = Stream::Blocking::Yes;
    PerThreadStream = newStream(std::move(stream));
  }
  return PerThreadStream;
}

int Interpreter::defaultStream() {
  return PerThread ? perThreadStream() : legacyStream();
}

int Interpreter::streamOf(const Datum &datum, const Expr *expression) {
  if (datum.kind == Datum::Kind::Stream)
    return datum.handle;
  if (datum.kind == Datum::Kind::Null)
    return defaultStream();
  if (auto number = datum.known()) {
    // cudaStreamLegacy and cudaStreamPerThread are (cudaStream_t)1 and 2.
    if (*number == 0)
      return defaultStream();
    if (*number == 1)
      return legacyStream();
    if (*number == 2)
      return perThreadStream();
  }
  std::string name = expression ? textOf(expression) : "";
  if (name.empty())
    name = datum.text.empty() ? "unknown stream" : datum.text;
  auto [at, isNew] = UnknownStreams.try_emplace(name, -1);
  if (isNew) {
    Stream unknown;
    unknown.name = name;
    // Another time, the same expression may pick another stream.
    unknown.isOne = false;
    if (expression)
      unknown.place = placeOf(expression->getBeginLoc(), Context);
    at->second = newStream(std::move(unknown));
  }
  return at->second;
}

int Interpreter::eventOf(const Datum &datum, const Expr *expression) {
  if (datum.kind == Datum::Kind::Event)
    return datum.handle;
  std::string name = expression ? textOf(expression) : "";
  if (name.empty())
    name = "unknown event";
  auto [at, isNew] = UnknownEvents.try_emplace(name, -1);
  if (isNew)
    at->second =
        newEvent({name, false,
                  expression ? placeOf(expression->getBeginLoc(), Context)
                             : SourcePlace()});
  return at->second;
}

int Interpreter::kernelOf(const Datum &datum) {
  return datum.kind == Datum::Kind::Function ? Kernels.indexOf(datum.function)
                                             : -1;
}

void Interpreter::forEachFunction(
    const Datum &datum, llvm::function_ref<void(const FunctionDecl *)> use) {
  if (datum.kind == Datum::Kind::Function)
    return use(datum.function);
  if (datum.functions.size() == 1)
    return use(datum.functions[0]);
  if (datum.functions.empty())
    return;
  std::vector<std::function<Flow()>> ways;
  for (const FunctionDecl *function : datum.functions)
    ways.push_back([&use, function] {
      use(function);
      return Flow::Normal;
    });
  std::vector<llvm::function_ref<Flow()>> arms(ways.begin(), ways.end());
  branch({datum.handle < 0 ? Conditions++ : unsigned(datum.handle)}, arms);
}

void Interpreter::emitForKernel(const Datum &datum, const Step &step,
                                const Expr *call, const Datum *list) {
  auto emitFor = [&](const Datum &kernel) {
    Step one = step;
    one.kernel = kernelOf(kernel);
    if (list)
      addArgumentList(kernel, *list, one);
    if (one.kind == Step::Kind::Launch)
      addVariables(one);
    emit(std::move(one), call);
  };
  if (datum.functions.empty())
    return emitFor(datum);
  forEachFunction(datum, [&](const FunctionDecl *function) {
    emitFor(Datum::toFunction(function));
  });
}

} // namespace coreside
