// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   a Program, or what summarize made of one.
// Out:  JSON, or the Program.
//
// Each record lists its fields once, for both directions. It does so by a
// structured binding, which does not compile when a field is missing.

#include "Summary.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"

#include <concepts>
#include <type_traits>

using namespace llvm;

namespace coreside {
namespace {

constexpr int formatVersion = 1;

template <class T, class Record>
concept Of = std::same_as<std::remove_const_t<T>, Record>;

void eachField(Of<Value> auto &value, auto field) {
  auto &[kind, low, high, text, formula] = value;
  field("kind", kind);
  field("low", low);
  field("high", high);
  field("text", text);
  field("formula", formula);
}

void eachField(Of<SourceSpan> auto &span, auto field) {
  auto &[file, line, column, endLine, endColumn, text] = span;
  field("file", file);
  field("line", line);
  field("column", column);
  field("endLine", endLine);
  field("endColumn", endColumn);
  field("text", text);
}

void eachField(Of<KernelText> auto &text, auto field) {
  auto &[launchBounds, launchBoundsArguments, maxRegisters, beforeName] = text;
  field("launchBounds", launchBounds);
  field("launchBoundsArguments", launchBoundsArguments);
  field("maxRegisters", maxRegisters);
  field("beforeName", beforeName);
}

void eachField(Of<StepText> auto &text, auto field) {
  auto &[call, statement, indentation, kernel, grid, block, dynamicShared,
         stream, arguments] = text;
  field("call", call);
  field("statement", statement);
  field("indentation", indentation);
  field("kernel", kernel);
  field("grid", grid);
  field("block", block);
  field("dynamicShared", dynamicShared);
  field("stream", stream);
  field("arguments", arguments);
}

void eachField(Of<SharedState> auto &state, auto field) {
  auto &[parameter, variable, pointer, members, name] = state;
  field("parameter", parameter);
  field("variable", variable);
  field("pointer", pointer);
  field("members", members);
  field("name", name);
}

void eachField(Of<KernelWait> auto &wait, auto field) {
  auto &[what, place, calledAt, on, inEveryBlock, blocks, blocksParameter] =
      wait;
  field("what", what);
  field("place", place);
  field("calledAt", calledAt);
  field("on", on);
  field("inEveryBlock", inEveryBlock);
  field("blocks", blocks);
  field("blocksParameter", blocksParameter);
}

void eachField(Of<KernelRelease> auto &release, auto field) {
  auto &[state, place, plain, after] = release;
  field("state", state);
  field("place", place);
  field("plain", plain);
  field("after", after);
}

void eachField(Of<KernelBody> auto &body, auto field) {
  auto &[complete, waits, releases, gridSync, multiGridSync, gridSyncAlways,
         runTimeBarrier, heap, prints, asserts, launches, anyBlocks,
         anyThreads] = body;
  field("complete", complete);
  field("waits", waits);
  field("releases", releases);
  field("gridSync", gridSync);
  field("multiGridSync", multiGridSync);
  field("gridSyncAlways", gridSyncAlways);
  field("runTimeBarrier", runTimeBarrier);
  field("heap", heap);
  field("prints", prints);
  field("asserts", asserts);
  field("launches", launches);
  field("anyBlocks", anyBlocks);
  field("anyThreads", anyThreads);
}

void eachField(Of<Together> auto &together, auto field) {
  auto &[kernels, place] = together;
  field("kernels", kernels);
  field("place", place);
}

void eachField(Of<KernelBounds> auto &bounds, auto field) {
  auto &[maxThreads, minBlocks, maxBlocksPerCluster, maxRegisters,
         clusterDims] = bounds;
  field("maxThreads", maxThreads);
  field("minBlocks", minBlocks);
  field("maxBlocksPerCluster", maxBlocksPerCluster);
  field("maxRegisters", maxRegisters);
  field("clusterDims", clusterDims);
}

KernelBounds &boundsIn(KernelBounds &bounds) { return bounds; }
const KernelBounds &boundsIn(const KernelBounds &bounds) { return bounds; }

void eachField(Of<ComputeCapability> auto &capability, auto field) {
  auto &[major, minor] = capability;
  field("major", major);
  field("minor", minor);
}

// With a base there is no binding of all: a new field must be added here.
void eachField(Of<KernelOnDevice> auto &device, auto field) {
  eachField(boundsIn(device), field);
  field("capability", device.capability);
  field("hasBody", device.hasBody);
}

void eachField(Of<Kernel> auto &kernel, auto field) {
  eachField(boundsIn(kernel), field);
  field("name", kernel.name);
  field("mangled", kernel.mangled);
  field("place", kernel.place);
  field("declaredShared", kernel.declaredShared);
  field("defined", kernel.defined);
  field("unit", kernel.unit);
  field("unitMaxRegisters", kernel.unitMaxRegisters);
  field("mayTrigger", kernel.mayTrigger);
  field("body", kernel.body);
  field("variables", kernel.variables);
  field("text", kernel.text);
  field("onDevice", kernel.onDevice);
}

void eachField(Of<Reference> auto &reference, auto field) {
  auto &[root, index, symbol, call, path] = reference;
  field("root", root);
  field("index", index);
  field("symbol", symbol);
  field("call", call);
  field("path", path);
}

void eachField(Of<Handed> auto &handed, auto field) {
  auto &[where, kind, value, handle, object] = handed;
  field("where", where);
  field("kind", kind);
  field("value", value);
  field("handle", handle);
  field("object", object);
}

void eachField(Of<NumberName> auto &number, auto field) {
  auto &[word, from] = number;
  field("word", word);
  field("from", from);
}

void eachField(Of<ExternalCall> auto &call, auto field) {
  auto &[callee, arguments] = call;
  field("callee", callee);
  field("arguments", arguments);
}

void eachField(Of<Stream> auto &stream, auto field) {
  auto &[origin, name, blocking, priority, place, isOne, device, number, text,
         from] = stream;
  field("origin", origin);
  field("name", name);
  field("blocking", blocking);
  field("priority", priority);
  field("place", place);
  field("isOne", isOne);
  field("device", device);
  field("number", number);
  field("text", text);
  field("from", from);
}

void eachField(Of<Event> auto &event, auto field) {
  auto &[name, known, place, from] = event;
  field("name", name);
  field("known", known);
  field("place", place);
  field("from", from);
}

void eachField(Of<Graph> auto &graph, auto field) {
  auto &[name, place, of] = graph;
  field("name", name);
  field("place", place);
  field("of", of);
}

void eachField(Of<Allocation> auto &allocation, auto field) {
  auto &[kind, name, function, bytes, place, device, isOne, from] = allocation;
  field("kind", kind);
  field("name", name);
  field("function", function);
  field("bytes", bytes);
  field("place", place);
  field("device", device);
  field("isOne", isOne);
  field("from", from);
}

void eachField(Of<KernelArgument> auto &argument, auto field) {
  auto &[parameter, allocation] = argument;
  field("parameter", parameter);
  field("allocation", allocation);
}

void eachField(Of<AccessPolicyWindow> auto &window, auto field) {
  auto &[allocation, bytes, hitRatio, hit, miss] = window;
  field("allocation", allocation);
  field("bytes", bytes);
  field("hitRatio", hitRatio);
  field("hit", hit);
  field("miss", miss);
}

void eachField(Of<Guard> auto &guard, auto field) {
  auto &[condition, arm] = guard;
  field("condition", condition);
  field("arm", arm);
}

void eachField(Of<CallSite> auto &site, auto field) {
  auto &[callee, place] = site;
  field("callee", callee);
  field("place", place);
}

void eachField(Of<Step> auto &step, auto field) {
  auto &[kind, place, text, function, path, guards, loops, turns, stream, event,
         kernel, graph, node, after, children, device, call, thread,
         otherThread, grid, block, dynamicShared, cooperative, programmatic,
         cluster, preferredCluster, priority, carveout, arguments, window,
         waits, target, source, bytes, direction, attribute, attributeValue] =
      step;
  field("kind", kind);
  field("place", place);
  field("text", text);
  field("function", function);
  field("path", path);
  field("guards", guards);
  field("loops", loops);
  field("turns", turns);
  field("stream", stream);
  field("event", event);
  field("kernel", kernel);
  field("graph", graph);
  field("node", node);
  field("after", after);
  field("children", children);
  field("device", device);
  field("call", call);
  field("thread", thread);
  field("otherThread", otherThread);
  field("grid", grid);
  field("block", block);
  field("dynamicShared", dynamicShared);
  field("cooperative", cooperative);
  field("programmatic", programmatic);
  field("cluster", cluster);
  field("preferredCluster", preferredCluster);
  field("priority", priority);
  field("carveout", carveout);
  field("arguments", arguments);
  field("window", window);
  field("waits", waits);
  field("target", target);
  field("source", source);
  field("bytes", bytes);
  field("direction", direction);
  field("attribute", attribute);
  field("attributeValue", attributeValue);
}

void eachField(Of<Loop> auto &loop, auto field) {
  auto &[place, turns] = loop;
  field("place", place);
  field("turns", turns);
}

void eachField(Of<Trace> auto &trace, auto field) {
  // What reading cost is of no use to others.
  auto &[function, place, streams, events, graphs, allocations, loops, calls,
         steps, cuts, symbol, isRoot, leaves, numbers, evaluations] = trace;
  field("function", function);
  field("place", place);
  field("streams", streams);
  field("events", events);
  field("graphs", graphs);
  field("allocations", allocations);
  field("loops", loops);
  field("calls", calls);
  field("steps", steps);
  field("cuts", cuts);
  field("symbol", symbol);
  field("isRoot", isRoot);
  field("leaves", leaves);
  field("numbers", numbers);
}

void eachField(Of<Unread> auto &unread, auto field) {
  auto &[place, why] = unread;
  field("place", place);
  field("why", why);
}

void eachField(Of<UntakenLaunch> auto &untaken, auto field) {
  auto &[place, kernel, decision, condition, outcome] = untaken;
  field("place", place);
  field("kernel", kernel);
  field("decision", decision);
  field("condition", condition);
  field("outcome", outcome);
}

void eachField(Of<Program> auto &program, auto field) {
  // Host bodies matter only while the text is at hand.
  auto &[file, files, kernels, traces, contracts, stepTexts, hostBodies, unread,
         lostLaunches, untakenLaunches, relocatable, deviceDebug,
         ownDeclarations, cudaVersion] = program;
  field("file", file);
  field("files", files);
  field("kernels", kernels);
  field("traces", traces);
  field("unread", unread);
  field("contracts", contracts);
  field("stepTexts", stepTexts);
  field("lostLaunches", lostLaunches);
  field("untakenLaunches", untakenLaunches);
  field("relocatable", relocatable);
  field("deviceDebug", deviceDebug);
  field("ownDeclarations", ownDeclarations);
  field("cudaVersion", cudaVersion);
}

class Writer {
public:
  json::Array Files;

  json::Value write(bool value) { return value; }
  json::Value write(std::integral auto value) {
    return static_cast<int64_t>(value);
  }
  json::Value write(double value) { return value; }
  template <class T>
    requires std::is_enum_v<T>
  json::Value write(T value) {
    return static_cast<int64_t>(value);
  }
  json::Value write(const std::string &text) { return json::fixUTF8(text); }
  json::Value write(const SourcePlace &place) {
    auto [at, isNew] = Numbers.try_emplace(place.file, Files.size());
    if (isNew)
      Files.push_back(json::fixUTF8(place.file));
    return json::Array{at->second, place.line, place.column};
  }
  template <class T> json::Value write(const std::vector<T> &list) {
    json::Array array;
    for (const T &one : list)
      array.push_back(write(one));
    return array;
  }
  template <class T, size_t Size>
  json::Value write(const std::array<T, Size> &list) {
    json::Array array;
    for (const T &one : list)
      array.push_back(write(one));
    return array;
  }
  template <class T> json::Value write(const std::optional<T> &value) {
    return value ? write(*value) : json::Value(nullptr);
  }
  template <class Record>
    requires requires(const Record &record) {
      eachField(record, [](StringRef, const auto &) {});
    }
  json::Value write(const Record &record) {
    json::Object object;
    eachField(record, [&](StringRef key, const auto &value) {
      object[key] = write(value);
    });
    // Nearly all fields of nearly all steps have their defaults.
    static const json::Object defaults = [] {
      json::Object object;
      const Record record{};
      Writer writer;
      eachField(record, [&](StringRef key, const auto &value) {
        if constexpr (!std::is_same_v<std::decay_t<decltype(value)>,
                                      SourcePlace>)
          object[key] = writer.write(value);
      });
      return object;
    }();
    for (const auto &[key, value] : defaults)
      if (auto at = object.find(key); at != object.end() && at->second == value)
        object.erase(at);
    return object;
  }

private:
  StringMap<int64_t> Numbers;
};

class Reader {
public:
  std::vector<std::string> Files;

  bool read(const json::Value &in, bool &value, json::Path path) {
    auto flag = in.getAsBoolean();
    if (!flag)
      return fail(path, "expected true or false");
    value = *flag;
    return true;
  }
  template <std::integral T>
  bool read(const json::Value &in, T &value, json::Path path) {
    auto number = in.getAsInteger();
    if (!number || !std::in_range<T>(*number))
      return fail(path, "expected a whole number");
    value = static_cast<T>(*number);
    return true;
  }
  bool read(const json::Value &in, double &value, json::Path path) {
    auto number = in.getAsNumber();
    // No test: the share of a window that hits, like a whole number.
    if (!number)
      return fail(path, "expected a number");
    value = *number;
    return true;
  }
  template <class T>
    requires std::is_enum_v<T>
  bool read(const json::Value &in, T &value, json::Path path) {
    // No enumeration has that many; a switch over one falls through.
    auto number = in.getAsInteger();
    if (!number || *number < 0 || *number > 63)
      return fail(path, "expected the number of a kind");
    value = static_cast<T>(*number);
    return true;
  }
  bool read(const json::Value &in, std::string &text, json::Path path) {
    auto string = in.getAsString();
    if (!string)
      return fail(path, "expected a string");
    text = string->str();
    return true;
  }
  bool read(const json::Value &in, SourcePlace &place, json::Path path) {
    const json::Array *array = in.getAsArray();
    unsigned file = 0;
    if (!array || array->size() != 3 || !read((*array)[0], file, path) ||
        file >= Files.size() || !read((*array)[1], place.line, path) ||
        !read((*array)[2], place.column, path))
      return fail(path, "expected a file's number, a line and a column");
    place.file = Files[file];
    return true;
  }
  template <class T>
  bool read(const json::Value &in, std::vector<T> &list, json::Path path) {
    const json::Array *array = in.getAsArray();
    if (!array)
      return fail(path, "expected a list");
    list.resize(array->size());
    for (size_t i = 0; i != array->size(); ++i)
      if (!read((*array)[i], list[i], path.index(i)))
        return false;
    return true;
  }
  template <class T, size_t Size>
  bool read(const json::Value &in, std::array<T, Size> &list, json::Path path) {
    const json::Array *array = in.getAsArray();
    if (!array || array->size() != Size)
      return fail(path, "expected a list of fixed length");
    for (size_t i = 0; i != Size; ++i)
      if (!read((*array)[i], list[i], path.index(i)))
        return false;
    return true;
  }
  template <class T>
  bool read(const json::Value &in, std::optional<T> &value, json::Path path) {
    if (in.getAsNull()) {
      value.reset();
      return true;
    }
    return read(in, value.emplace(), path);
  }
  template <class Record>
    requires requires(Record &record) {
      eachField(record, [](StringRef, auto &) {});
    }
  bool read(const json::Value &in, Record &record, json::Path path) {
    const json::Object *object = in.getAsObject();
    if (!object)
      return fail(path, "expected an object");
    bool good = true;
    eachField(record, [&](StringRef key, auto &value) {
      const json::Value *field = object->get(key);
      if (good && field)
        good = read(*field, value, path.field(key));
    });
    return good;
  }

private:
  static bool fail(json::Path path, StringLiteral expected) {
    path.report(expected);
    return false;
  }
};

/// Whether every index in `program` is one of something: later stages do not
/// ask.
bool isSound(const Program &program) {
  auto within = [](int index, size_t size) {
    return index >= -1 && index < static_cast<int64_t>(size);
  };
  for (const Trace &trace : program.traces) {
    auto handedSound = [&](const std::vector<Handed> &list) {
      return all_of(list, [&](const Handed &handed) {
        switch (handed.kind) {
        case Handed::Kind::Stream:
          return handed.handle >= 0 &&
                 within(handed.handle, trace.streams.size());
        case Handed::Kind::Event:
          return handed.handle >= 0 &&
                 within(handed.handle, trace.events.size());
        case Handed::Kind::Allocation:
          return handed.handle >= 0 &&
                 within(handed.handle, trace.allocations.size());
        case Handed::Kind::Number:
        case Handed::Kind::Object:
          return true;
        }
        return false;
      });
    };
    for (const Stream &stream : trace.streams)
      if (!within(stream.text, program.stepTexts.size()))
        return false;
    for (const Graph &graph : trace.graphs)
      if (!within(graph.of, trace.graphs.size()))
        return false;
    for (const ExternalCall &call : trace.calls)
      if (!handedSound(call.arguments))
        return false;
    if (!handedSound(trace.leaves))
      return false;
    for (const Step &step : trace.steps) {
      if (step.kind > Step::Kind::ThreadJoin ||
          !within(step.stream, trace.streams.size()) ||
          !within(step.event, trace.events.size()) ||
          !within(step.graph, trace.graphs.size()) ||
          !within(step.kernel, program.kernels.size()) ||
          !within(step.call, trace.calls.size()) ||
          !all_of(
              step.children,
              [&](int child) { return within(child, trace.graphs.size()); }) ||
          !within(step.text, program.stepTexts.size()) ||
          !within(step.target, trace.allocations.size()) ||
          !within(step.source, trace.allocations.size()) ||
          (step.window &&
           !within(step.window->allocation, trace.allocations.size())) ||
          !all_of(step.arguments,
                  [&](const KernelArgument &argument) {
                    return within(argument.allocation,
                                  trace.allocations.size());
                  }) ||
          step.loops.size() != step.turns.size() ||
          // Each of them has a clock for every other.
          step.thread > 4096 || step.otherThread > 4096)
        return false;
      for (unsigned loop : step.loops)
        if (loop >= trace.loops.size())
          return false;
      for (const Guard &guard : step.guards)
        if (guard.condition > 1u << 24)
          return false;
    }
  }
  return true;
}

} // namespace

json::Object summarize(const Program &program) {
  Writer writer;
  json::Value body = writer.write(program);
  return json::Object{{"summary", formatVersion},
                      {"version", CORESIDE_VERSION},
                      {"files", std::move(writer.Files)},
                      {"program", std::move(body)}};
}

bool isSummary(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  return object && object->getInteger("summary") && object->get("program");
}

Expected<Program> readSummary(const json::Value &value) {
  const json::Object *object = value.getAsObject();
  // No test: who reads files has asked before.
  if (!isSummary(value))
    return createStringError("not a summary");
  if (object->getInteger("summary") != formatVersion ||
      object->getString("version") != StringRef(CORESIDE_VERSION))
    return createStringError("made by another version of coreside: make it "
                             "again with 'coreside summarize'");
  Reader reader;
  Program program;
  json::Path::Root root("summary");
  json::Path path(root);
  const json::Value *files = object->get("files");
  if (!files || !reader.read(*files, reader.Files, path.field("files")) ||
      !reader.read(*object->get("program"), program, path.field("program")))
    return joinErrors(root.getError(), Error::success());
  if (!isSound(program))
    return createStringError("it names things that are not in it: make it "
                             "again with 'coreside summarize'");
  return program;
}

} // namespace coreside
