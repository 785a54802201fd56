// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a CUDA source does on the host: kernels, and for every host function
// that nothing else in the file calls, the steps it takes, in host order.
//
//   front<<<4, 128, 0, s>>>(p);      Launch  front, stream s
//   cudaEventRecord(e, s);           EventRecord  e, s
//   cudaStreamWaitEvent(t, e, 0);    StreamWait   t, e
//   back<<<4, 128, 0, t>>>(q);       Launch  back, stream t
//
// Calls within the file are followed and loops with known bounds unrolled, so
// a trace is a flat list. Plain records: no Clang type is seen from here on.

#ifndef CORESIDE_PROGRAM_PROGRAM_H
#define CORESIDE_PROGRAM_PROGRAM_H

#include "KernelBody.h"
#include "SourcePlace.h"
#include "Value.h"
#include "device/Architecture.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace coreside {

/// Text of a source file, from one place up to another that it ends before;
/// without any text a place to write at. Without a line there is none: what a
/// macro made, or a system header holds, nobody wrote here.
struct SourceSpan {
  std::string file;
  /// From 1, columns in bytes.
  unsigned line = 0;
  unsigned column = 0;
  unsigned endLine = 0;
  unsigned endColumn = 0;
  std::string text;
  explicit operator bool() const { return line != 0; }
  auto operator<=>(const SourceSpan &) const = default;
};

/// What a kernel is made by, for who wants to change it.
struct KernelText {
  /// "__launch_bounds__(256, 2)".
  SourceSpan launchBounds;
  /// "256", "2".
  std::array<SourceSpan, 3> launchBoundsArguments;
  /// "__maxnreg__(64)".
  SourceSpan maxRegisters;
  /// Before the name in its definition, where an attribute may be added; no
  /// text.
  SourceSpan beforeName;
};

/// What a step is made by, for who wants to change it.
struct StepText {
  /// "blur<<<grid, 256, 0, s>>>(p)", "cudaFree(p)".
  SourceSpan call;
  /// The statement it stands in, with the semicolon: "CHECK(cudaFree(p));".
  /// Only where a further statement may be added before it.
  SourceSpan statement;
  /// The blanks before the statement on its line.
  std::string indentation;
  /// Launch: as named there, not where a structure holds them or they are left
  /// out.
  SourceSpan kernel;
  SourceSpan grid;
  SourceSpan block;
  SourceSpan dynamicShared;
  SourceSpan stream;
  /// Of the call; of a <<<>>> those of the kernel.
  std::vector<SourceSpan> arguments;
};

/// What the attributes of a kernel say.
struct KernelBounds {
  /// Arguments of __launch_bounds__; without a value where not given.
  std::optional<Value> maxThreads;
  std::optional<Value> minBlocks;
  std::optional<Value> maxBlocksPerCluster;
  /// __maxnreg__.
  std::optional<Value> maxRegisters;
  /// __cluster_dims__.
  std::optional<std::array<Value, 3>> clusterDims;
};

/// What the device pass for one architecture says of a kernel.
struct KernelOnDevice : KernelBounds {
  ComputeCapability capability;
  /// False where the kernel has no body in that pass.
  bool hasBody = true;
};

/// A __global__ function: one record for each instantiation of a template. Its
/// bounds are those of the host pass; DeviceBounds.h has those of a target.
struct Kernel : KernelBounds {
  /// As its user writes it: "tune<256>".
  std::string name;
  /// The name ptxas knows it by, as clang mangles it.
  std::string mangled;
  SourcePlace place;
  /// Bytes of __shared__ variables with a size in the kernel's own body: a
  /// lower bound until ptxas has spoken.
  uint64_t declaredShared = 0;
  /// Whether its body is in the file; else another one defines it.
  bool defined = true;
  /// The source file that it is compiled with, absolute.
  std::string unit;
  /// -maxrregcount of that compilation, per thread.
  std::optional<unsigned> unitMaxRegisters;
  /// Whether it may let programmatic dependents start before its blocks end:
  /// false where its whole body was seen and nothing in it does.
  bool mayTrigger = true;
  /// What its code waits for, releases and asks of the device.
  KernelBody body;
  /// The __device__, __managed__ and __constant__ variables that its code, or
  /// what it calls, names.
  std::vector<std::string> variables;
  /// Of the definition, or of the template it is made from, which all its
  /// instantiations share.
  KernelText text;
  /// One for each target, where its bounds may differ from the host pass.
  std::vector<KernelOnDevice> onDevice;
  /// How long a launch of it takes, where the user has said that.
  std::optional<double> microseconds;
};

/// Where something that a trace did not make itself was found: what the same
/// thing is called on the other side of a call into another file.
///
///   void run(Context *c) { edge<<<8, 128, 0, c->main>>>(); }
///                                      parameter 0, path "*.main"
struct Reference {
  enum class Root {
    None,
    /// A parameter of the trace's function, `index`; -1 is `this`.
    Parameter,
    /// A variable with external linkage, `symbol`.
    Global,
    /// What argument `index` of call `call` holds after it; -1 is `this`.
    Argument,
    /// What call `call` returned.
    Result,
  };
  Root root = Root::None;
  int index = 0;
  /// Mangled.
  std::string symbol;
  /// Index into Trace::calls. Global: the last call that may have changed it,
  /// -1 for none.
  int call = -1;
  /// "*" follows a pointer, ".x" is a member, "[3]" an element.
  std::string path;
  auto operator<=>(const Reference &) const = default;
};

/// Something that goes over a call into another file: handed to it, or left by
/// it. `where` says what it is reached by.
struct Handed {
  enum class Kind { Number, Stream, Event, Allocation, Object };
  Reference where;
  Kind kind = Kind::Number;
  /// Number.
  Value value;
  /// Index into the trace's streams, events or allocations.
  int handle = -1;
  /// Object: what it is called in the trace that hands it.
  Reference object;
};

/// A number that is not known in a trace, by a word of its formulas, and what
/// the other side calls it.
struct NumberName {
  std::string word;
  Reference from;
};

/// A call of a function that the file declares and does not define.
struct ExternalCall {
  /// Mangled.
  std::string callee;
  std::vector<Handed> arguments;
};

/// A stream object, one for each that a trace can tell apart.
struct Stream {
  enum class Origin {
    /// cudaStreamCreate and its kin, seen in this trace.
    Created,
    /// A parameter of the trace's function: taken to differ from every other.
    Parameter,
    /// A global, a member, something another file made.
    External,
    /// The legacy default stream.
    LegacyDefault,
    /// The per-thread default stream.
    PerThreadDefault,
    /// It cannot be told which stream this is.
    Unknown,
  };
  enum class Blocking { Yes, No, Unknown };
  Origin origin = Origin::Unknown;
  /// As the source calls it: "s", "streams[2]"; for Unknown, the expression.
  std::string name;
  /// Whether it waits for the legacy default stream.
  Blocking blocking = Blocking::Unknown;
  std::optional<Value> priority;
  /// Where it was made, or first seen.
  SourcePlace place;
  /// Unknown: whether whatever is on it is on one and the same stream; false
  /// where only the expression that picks it is known.
  bool isOne = true;
  /// The device that was current when it was made, as in Step.
  int device = 0;
  /// Created: how many were created in the trace before it, used or not; else
  /// -1.
  int number = -1;
  /// Created: index into Program::stepTexts of the call that makes it, or -1.
  int text = -1;
  /// Where it was found, if the trace did not make it.
  Reference from = {};
};

/// An event object, told apart like streams.
struct Event {
  std::string name;
  bool known = true;
  SourcePlace place;
  /// As for a stream.
  Reference from = {};
};

/// A CUDA graph, or an executable one.
struct Graph {
  std::string name;
  SourcePlace place;
  /// An executable graph or a copy: index into Trace::graphs of the graph that
  /// it was made from; -1 for others, or where that is not known.
  int of = -1;
};

/// Memory that kernels and copies reach, one for each that a trace can tell
/// apart.
struct Allocation {
  enum class Kind {
    /// cudaMalloc and its kin.
    Device,
    /// cudaMallocManaged.
    Managed,
    /// Page-locked memory of the host: cudaMallocHost, cudaHostRegister.
    Pinned,
    /// Other memory of the host: malloc, new, a variable.
    Host,
    /// A __device__, __managed__ or __constant__ variable.
    Variable,
    /// Made elsewhere: a parameter, a global or a member points to it. Two of
    /// these may be one.
    External,
  };
  Kind kind = Kind::External;
  /// What the source calls the pointer that it was first stored to, or the
  /// variable.
  std::string name;
  /// What made it, "cudaMalloc"; empty where that was not seen.
  std::string function;
  Value bytes = Value::unknown("made elsewhere");
  /// Where it was made, or first seen.
  SourcePlace place;
  /// The device that was current then, as in Step.
  int device = 0;
  /// False for what a loop that is not unrolled makes in each turn.
  bool isOne = true;
  /// External: where it was found. As for a stream.
  Reference from = {};
};

/// Memory that a launch gives its kernel.
struct KernelArgument {
  /// Counted from 0; -1 where the kernel's code names the variable itself. One
  /// parameter may hold several pointers.
  int parameter = -1;
  /// Index into Trace::allocations; -1 for a pointer to it is not known what.
  int allocation = -1;
  auto operator<=>(const KernelArgument &) const = default;
};

/// How L2 is asked to treat a range of memory
/// (cudaLaunchAttributeAccessPolicyWindow).
struct AccessPolicyWindow {
  /// What it lies in: index into Trace::allocations, or -1.
  int allocation = -1;
  Value bytes;
  /// The share of its lines that get `hit`; the others get `miss`.
  std::optional<double> hitRatio;
  /// "normal", "streaming", "persisting"; empty where that is not known.
  std::string hit;
  std::string miss;
};

/// One arm of a condition that was not decided: a step under two guards runs
/// only when both arms are taken.
struct Guard {
  /// Numbers the condition in its trace.
  unsigned condition = 0;
  unsigned arm = 0;
  auto operator<=>(const Guard &) const = default;
};

/// A call on the way from the trace's function to a step.
struct CallSite {
  std::string callee;
  SourcePlace place;
};

/// Something that host code asks of the device.
struct Step {
  enum class Kind {
    Launch,
    StreamDestroy,
    EventRecord,
    /// cudaStreamWaitEvent.
    StreamWait,
    StreamSynchronize,
    EventSynchronize,
    DeviceSynchronize,
    /// Copy or set on a stream: `waits` when the host waits for it.
    MemoryOperation,
    /// cudaFree and whatever else is known, or documented, to make the device
    /// finish first; `function` says which.
    ImplicitSynchronization,
    /// cudaMalloc and its kin: NVIDIA's guide lists them as making the device
    /// finish first, though on hardware they were not seen to.
    Allocation,
    /// cudaFuncSetAttribute on `kernel`.
    FunctionAttribute,
    /// What later launches run with, and no work: `attribute` says what.
    Setting,
    /// A call that may do any of these; `function` says which.
    Opaque,
    /// From here on work on `stream` is not done but noted as part of a graph,
    /// and so is that of streams which wait for events recorded on it.
    CaptureBegin,
    /// The end of that: the work is now `graph`.
    CaptureEnd,
    /// A node of `graph` that is no kernel: copy, set, host function, nothing.
    GraphNode,
    /// Node `node` of `graph` also waits for the nodes `after`.
    GraphDependency,
    /// `graph`, an executable one, is put on `stream`.
    GraphLaunch,
    /// `graph`, an executable one, does from here on what the graph in
    /// `children` does.
    GraphUpdate,
    /// Host thread `otherThread` starts, or this one waits for its end.
    ThreadStart,
    ThreadJoin,
  };
  Kind kind = Kind::Opaque;
  SourcePlace place;
  /// Index into Program::stepTexts, or -1.
  int text = -1;
  /// The API or function called, "cudaMemcpyAsync"; empty for <<<>>>.
  std::string function;
  /// From the outermost call to the innermost; empty for a step of the trace's
  /// own function.
  std::vector<CallSite> path;
  std::vector<Guard> guards;
  /// Indices into the trace's loops that the step repeats in with a count that
  /// is not known; it then stands for every turn.
  std::vector<unsigned> loops;
  /// The body of such a loop is there twice, for a general turn (0) and for the
  /// one after it (1), so that what follows from one turn to the next shows:
  /// which of the two this is, one for each of `loops`.
  std::vector<unsigned> turns;

  /// Index into Trace::streams, or -1.
  int stream = -1;
  /// Index into Trace::events, or -1.
  int event = -1;
  /// Index into Program::kernels, or -1 where the kernel is not known.
  int kernel = -1;
  /// Index into Trace::graphs, or -1. A Launch with a graph is a kernel node.
  int graph = -1;
  /// Kernel nodes and GraphNode: their number in the graph, and the numbers of
  /// the nodes that they wait for.
  int node = -1;
  std::vector<unsigned> after;
  /// GraphNode: the graphs that the node runs: a child graph, the bodies of a
  /// condition. Indices into Trace::graphs, or -1.
  std::vector<int> children;
  /// The current device: a number, or where it is not known a negative one that
  /// stands for one unknown device.
  int device = 0;
  /// Opaque: index into Trace::calls of a call that another file may answer,
  /// or -1.
  int call = -1;
  /// The host thread that makes the step; 0 is the one that runs the function.
  unsigned thread = 0;
  unsigned otherThread = 0;

  /// Launch: sizes as the source gives them; 1 where omitted.
  std::array<Value, 3> grid;
  std::array<Value, 3> block;
  /// Bytes.
  Value dynamicShared;
  bool cooperative = false;
  /// Launch: with cudaLaunchAttributeProgrammaticStreamSerialization, so that
  /// it need not wait for the end of the kernel before it on its stream.
  bool programmatic = false;
  /// Blocks per cluster, where the launch itself says so.
  std::optional<std::array<Value, 3>> cluster;
  /// Launch: what its attributes ask for; a larger cluster, where there is room
  /// for it, a priority of its own, and the carveout in per cent.
  std::optional<std::array<Value, 3>> preferredCluster;
  std::optional<Value> priority;
  std::optional<Value> carveout;
  /// Launch: the memory that its pointers lead to, also those in structures.
  std::vector<KernelArgument> arguments;
  /// Launch, and Setting "accessPolicyWindow" of a stream: the window; without
  /// bytes where it is taken back.
  std::optional<AccessPolicyWindow> window;

  /// MemoryOperation: whether the host waits for it.
  bool waits = false;
  /// What Allocation makes, a copy or a set writes to, cudaFree frees; and what
  /// a copy reads: indices into Trace::allocations, or -1.
  int target = -1;
  int source = -1;
  /// MemoryOperation: how many it is about.
  Value bytes;
  /// MemoryOperation that copies. Unknown also for sets and others.
  enum class Direction {
    Unknown,
    HostToHost,
    HostToDevice,
    DeviceToHost,
    DeviceToDevice
  };
  Direction direction = Direction::Unknown;
  /// FunctionAttribute: "MaxDynamicSharedMemorySize",
  /// "PreferredSharedMemoryCarveout", "NonPortableClusterSizeAllowed" or
  /// "PreferredCacheConfig" (the last also of a device, for all kernels), and
  /// what it is set to.
  /// ImplicitSynchronization by cudaDeviceSetLimit: "stack", or "persistingL2"
  /// and its bytes. Setting: "accessPolicyWindow".
  std::string attribute;
  Value attributeValue;
};

/// A loop that was not unrolled.
struct Loop {
  SourcePlace place;
  Value turns;
};

/// What one host function does, calls within the file included.
struct Trace {
  std::string function;
  SourcePlace place;
  std::vector<Stream> streams;
  std::vector<Event> events;
  std::vector<Graph> graphs;
  std::vector<Allocation> allocations;
  std::vector<Loop> loops;
  std::vector<ExternalCall> calls;
  std::vector<Step> steps;
  /// Why the list is not complete ("recursion in 'walk'", "more than 65,536
  /// steps"); empty when it is.
  std::vector<std::string> cuts;
  /// The mangled name by which other files call the function; empty where they
  /// cannot.
  std::string symbol;
  /// Nothing else in the file calls the function.
  bool isRoot = true;
  /// What parameters, globals and the result hold at its end.
  std::vector<Handed> leaves;
  /// Numbers that its caller may know.
  std::vector<NumberName> numbers;
  /// How many expressions were evaluated to read it. Not kept in summaries.
  uint64_t evaluations = 0;
};

/// Code that could not be read.
struct Unread {
  SourcePlace place;
  std::string why;
};

/// A launch that a condition, decided by the file's own values, keeps from
/// being made; see UntakenLaunches.h. Where the expression stands in a
/// template, other instantiations of it may be made.
struct UntakenLaunch {
  SourcePlace place;
  /// As Kernel::name; empty where the condition would choose it, too.
  std::string kernel;
  /// Where the way there is left.
  SourcePlace decision = {};
  /// The condition there in the source's words, and what it always is: "false",
  /// "256", "empty". Without words it is long; without an outcome there is
  /// none: the way is left by a `return` or the like.
  std::string condition = {};
  std::string outcome = {};
};

/// A contract: these kernels must all be on the GPU at the same time.
struct Together {
  /// As the contract writes them.
  std::vector<std::string> kernels;
  SourcePlace place;
};

/// Bytes of the file, between braces, from `begin` to before `end`.
struct HostBody {
  size_t begin = 0;
  size_t end = 0;
};

/// One translation unit.
struct Program {
  std::string file;
  /// All that was read for it, absolute, itself included.
  std::vector<std::string> files;
  std::vector<Kernel> kernels;
  std::vector<Trace> traces;
  std::vector<Together> contracts;
  /// One for each expression in the source that a step was made by.
  std::vector<StepText> stepTexts;
  /// Bodies of host functions that device code cannot see; see HostBodies.h.
  std::vector<HostBody> hostBodies;
  /// Errors of the parser, the first of each place.
  std::vector<Unread> unread;
  /// Launch expressions in the source that no trace holds, with the reason.
  std::vector<Unread> lostLaunches;
  /// In the order of the source's functions, each kernel once a place.
  std::vector<UntakenLaunch> untakenLaunches;
  /// Device code is linked after it is compiled, -rdc=true: kernels call
  /// functions of other files.
  bool relocatable = false;
  /// Device code is compiled for debugging, -G.
  bool deviceDebug = false;
  /// No CUDA toolkit was there: the tool's own declarations were read.
  bool ownDeclarations = false;
  /// Of the CUDA toolkit, as CUDA_VERSION: 12040 for 12.4; 0 where there was
  /// none.
  unsigned cudaVersion = 0;
};

} // namespace coreside

#endif
