// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   a Program.
// Out:  JSON, as ProgramJSON.h shows.

#include "ProgramJSON.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace coreside {
namespace {

json::Value triple(const std::array<Value, 3> &values) {
  return json::Array{toJSON(values[0]), toJSON(values[1]), toJSON(values[2])};
}

StringRef originName(Stream::Origin origin) {
  switch (origin) {
  case Stream::Origin::Created:
    return "created";
  case Stream::Origin::Parameter:
    return "parameter";
  case Stream::Origin::External:
    return "external";
  case Stream::Origin::LegacyDefault:
    return "legacy default";
  case Stream::Origin::PerThreadDefault:
    return "per-thread default";
  case Stream::Origin::Unknown:
    return "unknown";
  }
  return "";
}

StringRef blockingName(Stream::Blocking blocking) {
  switch (blocking) {
  case Stream::Blocking::Yes:
    return "yes";
  case Stream::Blocking::No:
    return "no";
  case Stream::Blocking::Unknown:
    return "unknown";
  }
  return "";
}

StringRef kindName(Step::Kind kind) {
  switch (kind) {
  case Step::Kind::Launch:
    return "launch";
  case Step::Kind::StreamDestroy:
    return "stream destroy";
  case Step::Kind::EventRecord:
    return "event record";
  case Step::Kind::StreamWait:
    return "stream wait";
  case Step::Kind::StreamSynchronize:
    return "stream synchronize";
  case Step::Kind::EventSynchronize:
    return "event synchronize";
  case Step::Kind::DeviceSynchronize:
    return "device synchronize";
  case Step::Kind::MemoryOperation:
    return "memory operation";
  case Step::Kind::ImplicitSynchronization:
    return "implicit synchronization";
  case Step::Kind::Allocation:
    return "allocation";
  case Step::Kind::FunctionAttribute:
    return "function attribute";
  case Step::Kind::Setting:
    return "setting";
  case Step::Kind::Opaque:
    return "opaque";
  case Step::Kind::CaptureBegin:
    return "capture begin";
  case Step::Kind::CaptureEnd:
    return "capture end";
  case Step::Kind::GraphNode:
    return "graph node";
  case Step::Kind::GraphDependency:
    return "graph dependency";
  case Step::Kind::GraphLaunch:
    return "graph launch";
  case Step::Kind::GraphUpdate:
    return "graph update";
  case Step::Kind::ThreadStart:
    return "thread start";
  case Step::Kind::ThreadJoin:
    return "thread join";
  }
  return "";
}

StringRef kindName(Allocation::Kind kind) {
  switch (kind) {
  case Allocation::Kind::Device:
    return "device";
  case Allocation::Kind::Managed:
    return "managed";
  case Allocation::Kind::Pinned:
    return "pinned";
  case Allocation::Kind::Host:
    return "host";
  case Allocation::Kind::Variable:
    return "variable";
  case Allocation::Kind::External:
    return "external";
  }
  return "";
}

StringRef directionName(Step::Direction direction) {
  switch (direction) {
  case Step::Direction::Unknown:
    return "";
  case Step::Direction::HostToHost:
    return "host to host";
  case Step::Direction::HostToDevice:
    return "host to device";
  case Step::Direction::DeviceToHost:
    return "device to host";
  case Step::Direction::DeviceToDevice:
    return "device to device";
  }
  return "";
}

/// Allocations have no names of their own that would tell them apart, so a step
/// gives their number with it: "0 d".
std::string allocationText(int index, const Trace &trace) {
  if (index < 0)
    return "?";
  return std::to_string(index) + " " + trace.allocations[index].name;
}

json::Object windowJSON(const AccessPolicyWindow &window, const Trace &trace) {
  json::Object object{{"allocation", allocationText(window.allocation, trace)},
                      {"bytes", toJSON(window.bytes)}};
  if (window.hitRatio)
    object["hitRatio"] = *window.hitRatio;
  if (!window.hit.empty())
    object["hit"] = window.hit;
  if (!window.miss.empty())
    object["miss"] = window.miss;
  return object;
}

/// "a.cu:9:10-9:14".
std::string spanText(const SourceSpan &span) {
  return span.file + ":" + std::to_string(span.line) + ":" +
         std::to_string(span.column) + "-" + std::to_string(span.endLine) +
         ":" + std::to_string(span.endColumn);
}

json::Object
spansJSON(std::initializer_list<std::pair<StringRef, const SourceSpan &>> all) {
  json::Object object;
  for (const auto &[key, span] : all)
    if (span)
      object[key] = spanText(span);
  return object;
}

/// "[1, 256]"; an end that is not known is "...".
std::string rangeText(int64_t low, int64_t high) {
  auto end = [](int64_t number, int64_t open) {
    return number == open ? std::string("...") : std::to_string(number);
  };
  return "[" + end(low, Value::lowest) + ", " + end(high, Value::highest) + "]";
}

/// The most that `value` times `other` is where `other` is a quotient by
/// `value`, as in dim3(x, 256 / x); else the highest number.
int64_t mostWithQuotient(const Value &value, const Value &other) {
  // Conversions change nothing: the ranges would be the types' own.
  auto plain = [](StringRef formula) {
    for (;;) {
      auto [rest, last] = formula.rsplit(' ');
      if (!last.starts_with("to:"))
        return formula;
      formula = rest;
    }
  };
  if (value.low < 0 || other.low < 0 || value.formula.empty())
    return Value::highest;
  StringRef quotient = plain(other.formula);
  auto [operands, division] = quotient.rsplit(' ');
  StringRef dividend = operands;
  int64_t most;
  if (division.starts_with("/:") &&
      (dividend.consume_back(value.formula) ||
       dividend.consume_back(plain(value.formula))) &&
      !dividend.rtrim().getAsInteger(10, most) && most >= 0)
    return most;
  return Value::highest;
}

/// Threads or blocks in all.
std::string productRange(const std::array<Value, 3> &sizes) {
  auto times = [](int64_t product, int64_t size) {
    uint64_t result =
        SaturatingMultiply<uint64_t>(product, std::max<int64_t>(size, 0));
    return int64_t(std::min<uint64_t>(result, Value::highest));
  };
  int64_t low = 1, high = 1;
  for (const Value &size : sizes) {
    low = times(low, size.low);
    high = times(high, size.high);
  }
  for (size_t i = 0; i < 3; ++i)
    for (size_t j = 0; j < 3; ++j)
      if (int64_t most = mostWithQuotient(sizes[i], sizes[j]);
          i != j && most != Value::highest)
        high = std::min(high, times(most, sizes[3 - i - j].high));
  return rangeText(low, high);
}

void addBounds(json::Object &object, const KernelBounds &bounds) {
  auto add = [&](StringRef key, const std::optional<Value> &value) {
    if (value)
      object[key] = toJSON(*value);
  };
  add("maxThreads", bounds.maxThreads);
  add("minBlocks", bounds.minBlocks);
  add("maxBlocksPerCluster", bounds.maxBlocksPerCluster);
  add("maxRegisters", bounds.maxRegisters);
  if (bounds.clusterDims)
    object["clusterDims"] = triple(*bounds.clusterDims);
}

json::Object kernelJSON(const Kernel &kernel) {
  json::Object object{{"name", kernel.name},
                      {"mangled", kernel.mangled},
                      {"place", placeText(kernel.place)}};
  addBounds(object, kernel);
  json::Array passes;
  for (const KernelOnDevice &pass : kernel.onDevice) {
    json::Object one{{"for", smName(pass.capability)}};
    if (pass.hasBody)
      addBounds(one, pass);
    else
      one["missing"] = true;
    passes.push_back(std::move(one));
  }
  if (!passes.empty())
    object["onDevice"] = std::move(passes);
  if (kernel.declaredShared)
    object["declaredShared"] = kernel.declaredShared;
  if (json::Object body = toJSON(kernel.body); !body.empty())
    object["body"] = std::move(body);
  if (!kernel.variables.empty())
    object["variables"] = json::Array(kernel.variables);
  if (json::Object text = spansJSON({{"launchBounds", kernel.text.launchBounds},
                                     {"maxRegisters", kernel.text.maxRegisters},
                                     {"beforeName", kernel.text.beforeName}});
      !text.empty())
    object["text"] = std::move(text);
  return object;
}

json::Object stepJSON(const Step &step, const Trace &trace,
                      const Program &program) {
  json::Object object{{"kind", kindName(step.kind)},
                      {"place", placeText(step.place)}};
  if (step.text >= 0)
    object["text"] = step.text;
  if (!step.function.empty())
    object["function"] = step.function;
  if (step.kernel >= 0)
    object["kernel"] = program.kernels[step.kernel].name;
  if (step.stream >= 0)
    object["stream"] = trace.streams[step.stream].name;
  if (step.event >= 0)
    object["event"] = trace.events[step.event].name;
  if (step.graph >= 0)
    object["graph"] = trace.graphs[step.graph].name;
  if (step.node >= 0)
    object["node"] = step.node;
  if (!step.after.empty())
    object["after"] = json::Array(step.after);
  if (!step.children.empty()) {
    json::Array children;
    for (int child : step.children)
      children.push_back(child < 0 ? std::string("?")
                                   : trace.graphs[child].name);
    object["children"] = std::move(children);
  }
  if (step.device)
    object["device"] = step.device;
  if (step.thread)
    object["thread"] = step.thread;
  if (step.otherThread)
    object["otherThread"] = step.otherThread;
  if (step.kind == Step::Kind::Launch) {
    object["grid"] = triple(step.grid);
    object["block"] = triple(step.block);
    object["dynamicShared"] = toJSON(step.dynamicShared);
    auto known = [](const Value &value) { return value.isKnown(); };
    if (!all_of(step.grid, known))
      object["blocks"] = productRange(step.grid);
    if (!all_of(step.block, known))
      object["threads"] = productRange(step.block);
    if (!step.dynamicShared.isKnown())
      object["sharedBytes"] =
          rangeText(step.dynamicShared.low, step.dynamicShared.high);
    if (step.cooperative)
      object["cooperative"] = true;
    if (step.programmatic)
      object["programmatic"] = true;
    if (step.cluster)
      object["cluster"] = triple(*step.cluster);
    if (step.preferredCluster)
      object["preferredCluster"] = triple(*step.preferredCluster);
    if (step.priority)
      object["priority"] = toJSON(*step.priority);
    if (step.carveout)
      object["carveout"] = toJSON(*step.carveout);
    json::Array arguments;
    for (const KernelArgument &argument : step.arguments)
      arguments.push_back((argument.parameter < 0
                               ? std::string("variable")
                               : std::to_string(argument.parameter)) +
                          ": " + allocationText(argument.allocation, trace));
    if (!arguments.empty())
      object["arguments"] = std::move(arguments);
  }
  if (step.window)
    object["window"] = windowJSON(*step.window, trace);
  if (step.target >= 0)
    object["target"] = allocationText(step.target, trace);
  if (step.source >= 0)
    object["source"] = allocationText(step.source, trace);
  if (step.kind == Step::Kind::MemoryOperation)
    object["bytes"] = toJSON(step.bytes);
  if (step.direction != Step::Direction::Unknown)
    object["direction"] = directionName(step.direction);
  if (step.waits)
    object["waits"] = true;
  if (!step.attribute.empty()) {
    object["attribute"] = step.attribute;
    if (!step.window)
      object["value"] = toJSON(step.attributeValue);
  }
  if (!step.path.empty()) {
    json::Array path;
    for (const CallSite &site : step.path)
      path.push_back(site.callee + " from " + placeText(site.place));
    object["path"] = std::move(path);
  }
  if (!step.guards.empty()) {
    json::Array guards;
    for (const Guard &guard : step.guards)
      guards.push_back(std::to_string(guard.condition) + "." +
                       std::to_string(guard.arm));
    object["guards"] = std::move(guards);
  }
  if (!step.loops.empty()) {
    object["loops"] = json::Array(step.loops);
    object["turns"] = json::Array(step.turns);
  }
  return object;
}

json::Object traceJSON(const Trace &trace, const Program &program) {
  json::Object object{{"function", trace.function},
                      {"place", placeText(trace.place)}};
  json::Array streams;
  for (const Stream &stream : trace.streams) {
    json::Object one{{"name", stream.name},
                     {"origin", originName(stream.origin)},
                     {"blocking", blockingName(stream.blocking)}};
    if (stream.priority)
      one["priority"] = toJSON(*stream.priority);
    if (stream.place.line)
      one["place"] = placeText(stream.place);
    if (!stream.isOne)
      one["isOne"] = false;
    if (stream.device)
      one["device"] = stream.device;
    streams.push_back(std::move(one));
  }
  if (!streams.empty())
    object["streams"] = std::move(streams);
  json::Array events;
  for (const Event &event : trace.events) {
    json::Object one{{"name", event.name}, {"place", placeText(event.place)}};
    if (!event.known)
      one["known"] = false;
    events.push_back(std::move(one));
  }
  if (!events.empty())
    object["events"] = std::move(events);
  json::Array graphs;
  for (const Graph &graph : trace.graphs) {
    json::Object one{{"name", graph.name}, {"place", placeText(graph.place)}};
    if (graph.of >= 0)
      one["of"] = trace.graphs[graph.of].name;
    graphs.push_back(std::move(one));
  }
  if (!graphs.empty())
    object["graphs"] = std::move(graphs);
  json::Array allocations;
  for (const Allocation &allocation : trace.allocations) {
    json::Object one{{"name", allocation.name},
                     {"kind", kindName(allocation.kind)},
                     {"bytes", toJSON(allocation.bytes)}};
    if (!allocation.function.empty())
      one["function"] = allocation.function;
    if (allocation.place.line)
      one["place"] = placeText(allocation.place);
    if (allocation.device)
      one["device"] = allocation.device;
    if (!allocation.isOne)
      one["isOne"] = false;
    allocations.push_back(std::move(one));
  }
  if (!allocations.empty())
    object["allocations"] = std::move(allocations);
  json::Array loops;
  for (const Loop &loop : trace.loops)
    loops.push_back(json::Object{{"place", placeText(loop.place)},
                                 {"turns", toJSON(loop.turns)}});
  if (!loops.empty())
    object["loops"] = std::move(loops);
  json::Array steps;
  for (const Step &step : trace.steps)
    steps.push_back(stepJSON(step, trace, program));
  object["steps"] = std::move(steps);
  if (!trace.cuts.empty())
    object["cuts"] = json::Array(trace.cuts);
  return object;
}

json::Object stepTextJSON(const StepText &text) {
  return spansJSON({{"call", text.call},
                    {"statement", text.statement},
                    {"kernel", text.kernel},
                    {"grid", text.grid},
                    {"block", text.block},
                    {"dynamicShared", text.dynamicShared},
                    {"stream", text.stream}});
}

json::Array unreadJSON(const std::vector<Unread> &unread) {
  json::Array array;
  for (const Unread &one : unread)
    array.push_back(
        json::Object{{"place", placeText(one.place)}, {"why", one.why}});
  return array;
}

} // namespace

std::string placeText(const SourcePlace &place) {
  if (place.line == 0)
    return place.file;
  return place.file + ":" + std::to_string(place.line) + ":" +
         std::to_string(place.column);
}

json::Value toJSON(const Value &value) {
  switch (value.kind) {
  case Value::Kind::Known:
    return value.low;
  case Value::Kind::Bounded:
    return rangeText(value.low, value.high);
  case Value::Kind::Symbolic:
    return json::fixUTF8(value.text);
  case Value::Kind::Unknown:
    return json::Object{{"unknown", json::fixUTF8(value.text)}};
  }
  return nullptr;
}

json::Value toJSON(const Program &program) {
  json::Object object{{"file", program.file}};
  json::Array kernels;
  for (const Kernel &kernel : program.kernels)
    kernels.push_back(kernelJSON(kernel));
  object["kernels"] = std::move(kernels);
  json::Array traces;
  for (const Trace &trace : program.traces)
    traces.push_back(traceJSON(trace, program));
  object["traces"] = std::move(traces);
  json::Array contracts;
  for (const Together &contract : program.contracts)
    contracts.push_back(
        json::Object{{"together", json::Array(contract.kernels)},
                     {"place", placeText(contract.place)}});
  if (!contracts.empty())
    object["contracts"] = std::move(contracts);
  json::Array texts;
  for (const StepText &text : program.stepTexts)
    texts.push_back(stepTextJSON(text));
  if (!texts.empty())
    object["stepTexts"] = std::move(texts);
  if (!program.unread.empty())
    object["unread"] = unreadJSON(program.unread);
  if (!program.lostLaunches.empty())
    object["lostLaunches"] = unreadJSON(program.lostLaunches);
  if (!program.untakenLaunches.empty()) {
    json::Array array;
    for (const UntakenLaunch &one : program.untakenLaunches) {
      json::Object untaken{{"place", placeText(one.place)}};
      if (!one.kernel.empty())
        untaken["kernel"] = one.kernel;
      if (one.decision.line)
        untaken["decision"] = placeText(one.decision);
      if (!one.condition.empty())
        untaken["condition"] = one.condition;
      if (!one.outcome.empty())
        untaken["outcome"] = one.outcome;
      array.push_back(std::move(untaken));
    }
    object["untakenLaunches"] = std::move(array);
  }
  if (program.ownDeclarations)
    object["ownDeclarations"] = true;
  return object;
}

} // namespace coreside
