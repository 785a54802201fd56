// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   launches, and calls of the CUDA runtime and driver.
// Out:  steps; streams and events in the variables that they are stored to.
//
// HIP's runtime has the same functions under another prefix and is read the
// same way. A call that is not known here and is given a stream stands as
// opaque work on that stream.

#include "Interpreter.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace coreside {

bool isRuntimeFunction(llvm::StringRef name) {
  for (llvm::StringRef prefix : {"cuda", "hip", "cu", "nccl"})
    if (name.size() > prefix.size() && name.starts_with(prefix) &&
        llvm::isUpper(name[prefix.size()]))
      return true;
  for (llvm::StringRef prefix :
       {"cublas", "cudnn", "cufft", "cusparse", "cusolver", "curand", "nvtx",
        "__cudaPopCallConfiguration", "hipblas", "hipfft", "rocblas"})
    if (name.starts_with(prefix))
      return true;
  return false;
}

/// The name without what headers add for versions and per-thread streams, in
/// CUDA's spelling.
static std::string plainName(llvm::StringRef name) {
  for (llvm::StringRef suffix : {"_ptsz", "_ptds"})
    name.consume_back(suffix);
  size_t at = name.rfind("_v");
  if (at != llvm::StringRef::npos && at + 2 < name.size() &&
      llvm::all_of(name.drop_front(at + 2), llvm::isDigit))
    name = name.take_front(at);
  if (name.size() > 3 && name.starts_with("hip") && llvm::isUpper(name[3]))
    return ("cuda" + name.drop_front(3)).str();
  return name.str();
}

/// Sizes of a grid or a block: no dimension is negative.
std::array<coreside::Value, 3> Interpreter::dimensions(const Datum &datum) {
  std::array<coreside::Value, 3> result = {coreside::Value::known(1),
                                           coreside::Value::known(1),
                                           coreside::Value::known(1)};
  static const char *const names[] = {".x", ".y", ".z"};
  for (unsigned i = 0; i < 3; ++i) {
    std::string why = datum.text;
    if (datum.kind == Datum::Kind::Record && datum.record) {
      auto at = datum.record->parts.find(names[i]);
      if (at != datum.record->parts.end() && at->second->datum) {
        if (at->second->datum->isNumber()) {
          result[i] = within(at->second->datum->number, 0, 4294967295);
          continue;
        }
        why = at->second->datum->text;
      } else if (datum.record->lost) {
        why = *datum.record->lost;
      }
    }
    if (why.empty())
      why = "the size cannot be followed";
    result[i] = within(coreside::Value::unknown(why), 0, 4294967295);
  }
  return result;
}

void Interpreter::launch(const CUDAKernelCallExpr *expression) {
  const CallExpr *config = expression->getConfig();
  Step step;
  step.kind = Step::Kind::Launch;
  Datum kernel = evaluate(expression->getCallee());
  step.kernel = kernelOf(kernel);
  auto argument = [&](unsigned index) -> const Expr * {
    return config && index < config->getNumArgs() ? config->getArg(index)
                                                  : nullptr;
  };
  auto size = [&](const Expr *one) {
    if (!one)
      return dimensions(Datum::unknown("could not be parsed"));
    if (!one->getType()->isRecordType()) {
      // An error left it unconverted.
      Datum number = evaluate(one);
      std::array<coreside::Value, 3> result = {
          within(numberOf(number, one->getType(), one), 0, 4294967295),
          coreside::Value::known(1), coreside::Value::known(1)};
      return result;
    }
    Datum datum = one->isGLValue() ? read(locate(one), one->getType(), one)
                                   : evaluate(one);
    return dimensions(datum);
  };
  step.grid = size(argument(0));
  step.block = size(argument(1));
  if (const Expr *shared = argument(2)) {
    Datum datum = evaluate(shared);
    if (const auto *cast = dyn_cast<ImplicitCastExpr>(shared->IgnoreParens());
        cast && cast->getCastKind() == CK_IntegralCast && !datum.known() &&
        !cast->HasSideEffects(Context)) {
      Datum before = evaluate(cast->getSubExpr());
      if (before.isNumber())
        datum = before;
    }
    step.dynamicShared = within(numberOf(datum, shared->getType(), shared), 0,
                                coreside::Value::highest);
  } else {
    step.dynamicShared = coreside::Value::known(0);
  }
  if (const Expr *stream = argument(3))
    step.stream = streamOf(evaluate(stream), stream);
  else
    step.stream = defaultStream();
  addArguments({expression->getArgs(), expression->getNumArgs()}, step);
  if (!Dry)
    Facts.reached.insert(expression);
  emit(std::move(step), expression);
}

/// cudaLaunchKernelEx: everything stands in a structure.
void Interpreter::launchFromConfig(const Datum &config, const Datum &kernel,
                                   llvm::StringRef name,
                                   llvm::ArrayRef<const Expr *> arguments,
                                   const Expr *call) {
  Step step;
  step.kind = Step::Kind::Launch;
  step.function = name.str();
  step.kernel = kernelOf(kernel);
  if (name == "cudaLaunchKernelExC" && !arguments.empty())
    addArgumentList(evaluate(arguments[0]), step);
  else
    addArguments(arguments, step);
  std::string why = "the launch configuration cannot be followed";
  if (!config.isPointer()) {
    step.grid = step.block = dimensions(Datum::unknown(why));
    step.dynamicShared =
        within(coreside::Value::unknown(why), 0, coreside::Value::highest);
    step.stream = streamOf(Datum::unknown(why), nullptr);
  } else {
    auto part = [&](const char *one) { return config.pointer.part(one); };
    auto field = [&](const Address &address) -> Datum {
      const Node *loss = nullptr;
      auto node = Store.find(address, &loss);
      if (node && node->datum)
        return *node->datum;
      if (node) {
        Datum datum;
        datum.kind = Datum::Kind::Record;
        datum.record = node;
        return datum;
      }
      return Datum::unknown(loss && loss->lost ? *loss->lost : why);
    };
    auto size = [&](const char *one) {
      Datum datum = field(part(one));
      if (datum.kind == Datum::Kind::Record)
        return dimensions(datum);
      return dimensions(datum);
    };
    step.grid = size(".gridDim");
    step.block = size(".blockDim");
    Datum shared = field(part(".dynamicSmemBytes"));
    // `cudaLaunchConfig_t config;` and no word on shared memory: whoever leaves
    // it out zeroes the structure, or it would not work.
    step.dynamicShared = shared.isNumber()
                             ? shared.number
                             : within(coreside::Value::unknown(shared.text), 0,
                                      coreside::Value::highest);
    Datum stream = field(part(".stream"));
    step.stream = streamOf(stream, nullptr);
    Datum attributes = field(part(".attrs"));
    auto count = field(part(".numAttrs")).known();
    if (attributes.isPointer() && count && *count < 32)
      for (int64_t i = 0; i < *count; ++i) {
        Address attribute = attributes.pointer;
        if (attribute.path.empty() && i > 0)
          break;
        if (!attribute.path.empty())
          attribute.path.back() = "[" + std::to_string(i) + "]";
        auto id = field(attribute.part(".id")).known();
        if (id && *id == 1) // cudaLaunchAttributeAccessPolicyWindow
          step.window =
              windowAt(attribute.part(".val").part(".accessPolicyWindow"));
        if (id && *id == 2) // cudaLaunchAttributeCooperative
          step.cooperative =
              field(attribute.part(".val").part(".cooperative")).known() != 0;
        // cudaLaunchAttributeProgrammaticStreamSerialization
        if (id && *id == 6)
          step.programmatic =
              field(attribute.part(".val").part(
                        ".programmaticStreamSerializationAllowed"))
                  .known() != 0;
        if (id && *id == 4) { // cudaLaunchAttributeClusterDimension
          step.cluster =
              dimensions(field(attribute.part(".val").part(".clusterDim")));
        }
      }
  }
  if (!Dry)
    Facts.reached.insert(call);
  emit(std::move(step), call);
}

/// What is known of streams and events once `condition` was found to be
/// `truth`: where it asked them, and they were done, the host has waited.
void Interpreter::waitedFor(const Expr *condition, bool truth) {
  condition = condition->IgnoreParenImpCasts();
  if (const auto *negation = dyn_cast<UnaryOperator>(condition)) {
    if (negation->getOpcode() == UO_LNot)
      waitedFor(negation->getSubExpr(), !truth);
    return;
  }
  /// The answer that the call is known to have given, or not to have given.
  int64_t answer = 0;
  bool given = !truth;
  if (const auto *binary = dyn_cast<BinaryOperator>(condition)) {
    // Of `a && b` both are known when it is true, of `a || b` when it is not.
    if (binary->getOpcode() == (truth ? BO_LAnd : BO_LOr)) {
      waitedFor(binary->getLHS(), truth);
      waitedFor(binary->getRHS(), truth);
      return;
    }
    if (!binary->isEqualityOp())
      return;
    const Expr *left = binary->getLHS(), *right = binary->getRHS();
    if (isa<CallExpr>(right->IgnoreParenImpCasts()))
      std::swap(left, right);
    Expr::EvalResult result;
    if (right->isValueDependent() || !right->EvaluateAsInt(result, Context))
      return;
    answer = result.Val.getInt().getExtValue();
    given = (binary->getOpcode() == BO_EQ) == truth;
    condition = left->IgnoreParenImpCasts();
  }
  const auto *call = dyn_cast<CallExpr>(condition);
  const FunctionDecl *callee = call ? call->getDirectCallee() : nullptr;
  if (!callee || !callee->getIdentifier() || call->getNumArgs() != 1)
    return;
  // It is done after success, and after whatever is not cudaErrorNotReady.
  if (answer == 0 ? !given : answer != 600 || given)
    return;
  std::string name = plainName(callee->getName());
  bool stream = name == "cudaStreamQuery" || name == "cuStreamQuery";
  if (!stream && name != "cudaEventQuery" && name != "cuEventQuery")
    return;
  Step step;
  step.function = name;
  const Expr *one = call->getArg(0);
  if (stream) {
    step.kind = Step::Kind::StreamSynchronize;
    step.stream = streamOf(evaluate(one), one);
  } else {
    step.kind = Step::Kind::EventSynchronize;
    step.event = eventOf(evaluate(one), one);
  }
  emit(std::move(step), call);
}

/// Stream capture, and graphs built node by node.
std::optional<Datum>
Interpreter::graphCall(llvm::StringRef name,
                       llvm::ArrayRef<const Expr *> arguments,
                       const Expr *call) {
  if (!name.starts_with("cudaGraph") &&
      !name.starts_with("cudaStreamBeginCapture") &&
      name != "cudaStreamEndCapture")
    return std::nullopt;
  std::vector<Datum> values;
  for (const Expr *one : arguments)
    values.push_back(one->isGLValue() ? read(locate(one), one->getType(), one)
                                      : evaluate(one));
  auto value = [&](unsigned index) {
    return index < values.size() ? values[index] : Datum::unknown("missing");
  };
  auto stream = [&](unsigned index) {
    return streamOf(value(index),
                    index < arguments.size() ? arguments[index] : nullptr);
  };
  auto graph = [&](unsigned index) {
    Datum datum = value(index);
    return datum.kind == Datum::Kind::Graph ? datum.handle : -1;
  };
  Step step;
  step.function = name.str();
  /// A new graph in what argument `index` points to.
  auto make = [&](unsigned index, int of) {
    Graph made;
    Datum pointer = value(index);
    if (pointer.isPointer())
      made.name = Store.nameOf(pointer.pointer);
    made.place = placeOf(call->getBeginLoc(), Context);
    made.of = of;
    int at = newGraph(std::move(made));
    if (pointer.isPointer())
      writeAddress(pointer.pointer, Datum::graph(at));
    return at;
  };
  /// The numbers of `count` nodes from `pointer` on.
  auto nodes = [&](const Datum &pointer, const Datum &count) {
    std::vector<unsigned> result;
    auto number = count.known();
    if (!pointer.isPointer() || !number || *number > 1024)
      return result;
    for (int64_t i = 0; i < *number; ++i) {
      Address address = pointer.pointer;
      if (!address.path.empty() && address.path.back()[0] == '[') {
        int64_t from = 0;
        llvm::StringRef(address.path.back())
            .drop_front()
            .drop_back()
            .getAsInteger(10, from);
        address.path.back() = "[" + std::to_string(from + i) + "]";
      } else if (i > 0) {
        break;
      }
      auto node = Store.find(address);
      if (node && node->datum && node->datum->kind == Datum::Kind::GraphNode)
        result.push_back(node->datum->handle);
    }
    return result;
  };
  /// How many nodes there are at the pointer `index`: CUDA 13 has data about
  /// the edges in between.
  auto count = [&](unsigned index) {
    for (unsigned i = index + 1; i < arguments.size(); ++i)
      if (arguments[i]->getType()->isIntegerType())
        return value(i);
    return Datum::unknown("missing");
  };
  Datum success = Datum::of(0);

  if (name == "cudaStreamBeginCapture" ||
      name == "cudaStreamBeginCaptureToGraph") {
    step.kind = Step::Kind::CaptureBegin;
    step.stream = stream(0);
    CaptureTargets.erase(step.stream);
    if (name == "cudaStreamBeginCaptureToGraph") {
      int target = graph(1);
      if (target < 0) {
        Graph other;
        other.name = textOf(arguments.size() > 1 ? arguments[1] : nullptr);
        other.place = placeOf(call->getBeginLoc(), Context);
        target = newGraph(std::move(other));
      }
      CaptureTargets[step.stream] = target;
    }
    emit(std::move(step), call);
    return success;
  }
  if (name == "cudaStreamEndCapture") {
    step.kind = Step::Kind::CaptureEnd;
    step.stream = stream(0);
    if (auto at = CaptureTargets.find(step.stream);
        at != CaptureTargets.end()) {
      step.graph = at->second;
      CaptureTargets.erase(at);
      if (value(1).isPointer())
        writeAddress(value(1).pointer, Datum::graph(step.graph));
    } else {
      step.graph = make(1, -1);
    }
    emit(std::move(step), call);
    return success;
  }
  if (name == "cudaGraphCreate") {
    make(0, -1);
    return success;
  }
  if (name == "cudaGraphInstantiate" ||
      name == "cudaGraphInstantiateWithFlags" ||
      name == "cudaGraphInstantiateWithParams") {
    make(0, graph(1));
    return success;
  }
  if (name == "cudaGraphClone") {
    make(0, graph(1));
    return success;
  }
  if (name == "cudaGraphLaunch") {
    step.kind = Step::Kind::GraphLaunch;
    step.graph = graph(0);
    step.stream = stream(1);
    emit(std::move(step), call);
    return success;
  }
  if (name == "cudaGraphAddDependencies") {
    auto from = nodes(value(1), count(2)), to = nodes(value(2), count(2));
    for (size_t i = 0; i < std::min(from.size(), to.size()); ++i) {
      Step one = step;
      one.kind = Step::Kind::GraphDependency;
      one.graph = graph(0);
      one.node = to[i];
      one.after = {from[i]};
      emit(std::move(one), call);
    }
    return success;
  }
  if (name.starts_with("cudaGraphAdd") && name.contains("Node")) {
    step.graph = graph(1);
    step.node = Nodes[step.graph]++;
    step.after = nodes(value(2), count(2));
    if (value(0).isPointer())
      writeAddress(value(0).pointer, Datum::graphNode(step.node));
    Datum parameters =
        values.empty() ? Datum::unknown("missing") : values.back();
    bool kernel = name == "cudaGraphAddKernelNode";
    // cudaGraphAddNode: the parameters say what kind of node it is, and hold a
    // part for each kind.
    if (name == "cudaGraphAddNode" && parameters.isPointer())
      if (auto node = Store.find(parameters.pointer.part(".type"));
          node && node->datum && node->datum->known() == 0) {
        kernel = true;
        parameters.pointer.path.push_back(".kernel");
      }
    if (kernel) {
      step.kind = Step::Kind::Launch;
      auto field = [&](const char *part) {
        Datum datum = Datum::unknown("the node's parameters");
        if (parameters.isPointer())
          if (auto node = Store.find(parameters.pointer.part(part))) {
            if (node->datum)
              return *node->datum;
            datum.kind = Datum::Kind::Record;
            datum.record = node;
          }
        return datum;
      };
      step.kernel = kernelOf(field(".func"));
      step.grid = dimensions(field(".gridDim"));
      step.block = dimensions(field(".blockDim"));
      step.dynamicShared = within(
          numberOf(field(".sharedMemBytes"), Context.UnsignedIntTy, nullptr), 0,
          coreside::Value::highest);
      addArgumentList(field(".kernelParams"), step);
    } else {
      step.kind = Step::Kind::GraphNode;
    }
    emit(std::move(step), call);
    return success;
  }
  for (unsigned i = 0; i < values.size(); ++i)
    if (values[i].isPointer())
      loseReachable(values[i], "answer of '" + name.str() + "'");
  return success;
}

std::optional<Datum>
Interpreter::runtimeCall(llvm::StringRef written, const FunctionDecl *function,
                         llvm::ArrayRef<const Expr *> arguments,
                         const Expr *call) {
  // A function of the user's own that is only called like that.
  const FunctionDecl *definition = nullptr;
  if (function->hasBody(definition) &&
      !Context.getSourceManager().isInSystemHeader(definition->getLocation()))
    return std::nullopt;
  std::string name = plainName(written);
  llvm::StringRef n = name;

  auto argument = [&](unsigned index) -> const Expr * {
    return index < arguments.size() ? arguments[index] : nullptr;
  };
  auto value = [&](unsigned index) {
    const Expr *one = argument(index);
    return one ? evaluate(one) : Datum::unknown("missing");
  };
  auto stream = [&](unsigned index) {
    const Expr *one = argument(index);
    return one ? streamOf(evaluate(one), one) : defaultStream();
  };
  auto event = [&](unsigned index) {
    return eventOf(value(index), argument(index));
  };
  /// What `*pointer` is called.
  auto store = [&](const Datum &pointer, Datum what) {
    if (pointer.isPointer())
      writeAddress(pointer.pointer, std::move(what));
  };
  auto targetName = [&](const Datum &pointer, unsigned index) {
    if (pointer.isPointer()) {
      std::string text = Store.nameOf(pointer.pointer);
      if (!text.empty())
        return text;
    }
    std::string text = textOf(argument(index));
    return llvm::StringRef(text).ltrim('&').str();
  };
  auto simple = [&](Step::Kind kind) {
    Step step;
    step.kind = kind;
    step.function = name;
    return step;
  };
  /// The last argument that is a stream; none where there is none.
  auto streamArgument = [&]() -> std::optional<unsigned> {
    for (unsigned i = arguments.size(); i > 0; --i) {
      QualType type = i - 1 < function->getNumParams()
                          ? function->getParamDecl(i - 1)->getType()
                          : arguments[i - 1]->getType();
      if (isStreamType(type))
        return i - 1;
    }
    return std::nullopt;
  };
  Datum success = Datum::of(0);

  // Streams.
  if (n == "cudaStreamCreate" || n == "cudaStreamCreateWithFlags" ||
      n == "cudaStreamCreateWithPriority" || n == "cuStreamCreate" ||
      n == "cuStreamCreateWithPriority") {
    Datum pointer = value(0);
    Stream made;
    made.origin = Stream::Origin::Created;
    made.name = targetName(pointer, 0);
    made.blocking = Stream::Blocking::Yes;
    if (n != "cudaStreamCreate") {
      auto flags = value(1).known();
      made.blocking = !flags         ? Stream::Blocking::Unknown
                      : (*flags & 1) ? Stream::Blocking::No
                                     : Stream::Blocking::Yes;
    }
    if (n.ends_with("WithPriority"))
      made.priority = numberOf(value(2), Context.IntTy, argument(2));
    made.place = placeOf(call->getBeginLoc(), Context);
    made.text = Texts.indexOf(call, Statement);
    made.device = currentDevice();
    made.number = Created;
    if (!Dry)
      ++Created;
    store(pointer, Datum::stream(newStream(std::move(made))));
    return success;
  }
  if (n == "cudaStreamDestroy" || n == "cuStreamDestroy") {
    Step step = simple(Step::Kind::StreamDestroy);
    step.stream = stream(0);
    emit(std::move(step), call);
    return success;
  }
  if (n == "cudaStreamSynchronize" || n == "cuStreamSynchronize") {
    Step step = simple(Step::Kind::StreamSynchronize);
    step.stream = stream(0);
    emit(std::move(step), call);
    return success;
  }
  if (n == "cudaStreamWaitEvent" || n == "cuStreamWaitEvent") {
    Step step = simple(Step::Kind::StreamWait);
    step.stream = stream(0);
    step.event = event(1);
    emit(std::move(step), call);
    return success;
  }
  if (n == "cudaStreamQuery" || n == "cuStreamQuery" || n == "cudaEventQuery" ||
      n == "cuEventQuery") {
    // Success here says that the work is done; neither answer is the usual one.
    Step step = simple(Step::Kind::Opaque);
    if (n.contains("Stream"))
      step.stream = stream(0);
    else
      step.event = event(0);
    emit(std::move(step), call);
    return Datum::of(
        within(coreside::Value::unknown("answer of '" + name + "'"), 0, 999));
  }

  // Events.
  if (n == "cudaEventCreate" || n == "cudaEventCreateWithFlags" ||
      n == "cuEventCreate") {
    Datum pointer = value(0);
    store(pointer,
          Datum::event(newEvent({targetName(pointer, 0), true,
                                 placeOf(call->getBeginLoc(), Context)})));
    return success;
  }
  if (n == "cudaEventRecord" || n == "cudaEventRecordWithFlags" ||
      n == "cuEventRecord" || n == "cuEventRecordWithFlags") {
    Step step = simple(Step::Kind::EventRecord);
    step.event = event(0);
    step.stream = stream(1);
    emit(std::move(step), call);
    return success;
  }
  if (n == "cudaEventSynchronize" || n == "cuEventSynchronize") {
    Step step = simple(Step::Kind::EventSynchronize);
    step.event = event(0);
    emit(std::move(step), call);
    return success;
  }

  // The device.
  if (n == "cudaDeviceSynchronize" || n == "cudaThreadSynchronize" ||
      n == "cuCtxSynchronize") {
    emit(simple(Step::Kind::DeviceSynchronize), call);
    return success;
  }
  // Seen to stop everything: freeing, and limits on stack and L2 (heap size is
  // not among them).
  if (n == "cudaFree" || n == "cudaFreeHost" || n == "cudaFreeArray" ||
      n == "cudaFreeMipmappedArray" || n == "cuMemFree" ||
      n == "cuMemFreeHost" || n == "cudaDeviceReset" || n == "cudaThreadExit" ||
      n == "cudaCtxResetPersistingL2Cache" ||
      n == "cuCtxResetPersistingL2Cache" || n == "cudaHostFree" ||
      n == "cudaDeviceSetLimit" || n == "cuCtxSetLimit") {
    int freed = -1;
    for (const Expr *one : arguments) {
      Datum datum = evaluate(one);
      // cudaFree(0) only wakes the runtime up.
      if (n.contains("Free") && (datum.kind == Datum::Kind::Null))
        return success;
      if (n.contains("Free"))
        freed = allocationOf(datum);
    }
    if (n.ends_with("SetLimit")) {
      auto limit = value(0).known();
      if (limit && *limit == 2) // cudaLimitMallocHeapSize
        return success;
      Step step = simple(Step::Kind::ImplicitSynchronization);
      if (limit && *limit == 0)
        step.attribute = "stack";
      if (limit && *limit == 6) {
        step.attribute = "persistingL2";
        step.attributeValue =
            numberOf(value(1), Context.getSizeType(), argument(1));
      }
      emit(std::move(step), call);
      return success;
    }
    Step step = simple(Step::Kind::ImplicitSynchronization);
    step.target = freed;
    emit(std::move(step), call);
    return success;
  }

  // Documented to make the device finish first, and not seen to.
  if (n == "cudaDeviceSetCacheConfig" || n == "cudaFuncSetCacheConfig" ||
      n == "cuCtxSetCacheConfig" || n == "cuFuncSetCacheConfig") {
    Step step = simple(Step::Kind::Allocation);
    for (const Expr *one : arguments)
      if (Datum datum = evaluate(one); datum.kind == Datum::Kind::Function)
        step.kernel = kernelOf(datum);
    emit(std::move(step), call);
    return success;
  }
  // A stream that waits until memory has some value.
  if (n == "cuStreamWaitValue32" || n == "cuStreamWaitValue64" ||
      n == "cuStreamBatchMemOp") {
    Step step = simple(Step::Kind::StreamWait);
    step.stream = stream(0);
    for (const Expr *one : arguments.drop_front(!arguments.empty()))
      evaluate(one);
    emit(std::move(step), call);
    return success;
  }

  if (auto result = memoryCall(n, function, arguments, call))
    return *result;
  if (n == "cudaStreamSetAttribute" || n == "cuStreamSetAttribute") {
    Step step = simple(Step::Kind::Setting);
    step.stream = stream(0);
    Datum attributeId = value(1), attribute = value(2);
    if (attributeId.known() == 1 && attribute.isPointer()) {
      step.attribute = "accessPolicyWindow";
      step.window = windowAt(attribute.pointer.part(".accessPolicyWindow"));
      emit(std::move(step), call);
    }
    return success;
  }

  // Kernels.
  if (n == "cudaFuncGetAttributes" && arguments.size() == 2) {
    loseReachable(value(0), "answer of '" + name + "'");
    // It loads the kernel.
    Step step = simple(Step::Kind::FunctionAttribute);
    step.kernel = kernelOf(value(1));
    emit(std::move(step), call);
    return success;
  }
  if (n == "cudaFuncSetAttribute" || n == "cuFuncSetAttribute") {
    Step step = simple(Step::Kind::FunctionAttribute);
    step.kernel = kernelOf(value(0));
    auto attribute = value(1).known();
    Datum amount = value(2);
    if (!attribute)
      return success;
    if (*attribute == 8)
      step.attribute = "MaxDynamicSharedMemorySize";
    else if (*attribute == 9)
      step.attribute = "PreferredSharedMemoryCarveout";
    else if (*attribute == 14)
      step.attribute = "NonPortableClusterSizeAllowed";
    else
      return success;
    step.attributeValue = numberOf(amount, Context.IntTy, argument(2));
    emit(std::move(step), call);
    return success;
  }
  if (n == "cudaLaunchKernel" || n == "cudaLaunchCooperativeKernel" ||
      n == "cudaExtLaunchKernel") {
    Step step;
    step.kind = Step::Kind::Launch;
    step.function = name;
    step.cooperative = n == "cudaLaunchCooperativeKernel";
    step.kernel = kernelOf(value(0));
    step.grid = dimensions(value(1));
    step.block = dimensions(value(2));
    addArgumentList(value(3), step);
    step.dynamicShared =
        argument(4)
            ? within(numberOf(value(4), argument(4)->getType(), argument(4)), 0,
                     coreside::Value::highest)
            : coreside::Value::known(0);
    step.stream = stream(5);
    if (!Dry)
      Facts.reached.insert(call);
    emit(std::move(step), call);
    return success;
  }
  if (n == "cudaLaunchKernelEx" || n == "cudaLaunchKernelExC") {
    Datum config = value(0);
    Datum kernel = value(1);
    launchFromConfig(config, kernel, name, arguments.drop_front(2), call);
    return success;
  }
  if (n == "cuLaunchKernel" || n == "cuLaunchCooperativeKernel" ||
      n == "cudaModuleLaunchKernel") {
    Step step;
    step.kind = Step::Kind::Launch;
    step.function = name;
    step.cooperative = n == "cuLaunchCooperativeKernel";
    value(0);
    for (unsigned i = 0; i < 3; ++i) {
      step.grid[i] =
          within(numberOf(value(1 + i), Context.UnsignedIntTy, argument(1 + i)),
                 0, 4294967295);
      step.block[i] =
          within(numberOf(value(4 + i), Context.UnsignedIntTy, argument(4 + i)),
                 0, 4294967295);
    }
    step.dynamicShared = numberOf(value(7), Context.UnsignedIntTy, argument(7));
    step.stream = stream(8);
    addArgumentList(value(9), step);
    if (!Dry)
      Facts.reached.insert(call);
    emit(std::move(step), call);
    return success;
  }

  // Errors that did not happen.
  if (n == "cudaGetLastError" || n == "cudaPeekAtLastError")
    return success;

  if (n == "cudaSetDevice") {
    const Expr *one = argument(0);
    Datum number = value(0);
    if (!number.isNumber())
      number = Datum::unknown(one ? textOf(one) : "");
    // What cannot be followed may change from turn to turn: *device, where
    // something else moves the iterator.
    std::string &name = number.isNumber() ? number.number.text : number.text;
    if (!number.pick() && !hasStableNames(name))
      for (unsigned turn : Turns)
        if (turn)
          name += " in the next turn";
    writeAddress(Device, std::move(number));
    return success;
  }
  if (auto result = graphCall(n, arguments, call))
    return *result;
  if (auto result = deviceCall(n, function, arguments, call))
    return *result;

  // Everything else: answers in what its pointers point to, and work on the
  // stream that it is given, unless it only asks about it.
  bool asks = llvm::StringSwitch<bool>(n)
                  .Cases({"cudaStreamGetPriority", "cudaStreamGetFlags",
                          "cudaStreamIsCapturing", "cudaStreamGetId",
                          "cudaStreamGetDevice", "cudaStreamGetCaptureInfo"},
                         true)
                  .Cases({"cudaStreamGetAttribute", "cudaStreamAttachMemAsync",
                          "cudaStreamCopyAttributes"},
                         true)
                  .Default(n.contains("SetStream") || n.contains("GetStream"));
  std::optional<unsigned> at = streamArgument();
  for (unsigned i = 0; i < arguments.size(); ++i) {
    if (at && i == *at)
      continue;
    QualType type = i < function->getNumParams()
                        ? function->getParamDecl(i)->getType()
                        : arguments[i]->getType();
    if (type->isReferenceType()) {
      Place place = locate(arguments[i]);
      if (place.known() && !type.getNonReferenceType().isConstQualified())
        loseReachable(Datum::to(place.address), "answer of '" + name + "'");
      continue;
    }
    Datum datum = evaluate(arguments[i]);
    if (datum.isPointer() && type->isPointerType() &&
        !type->getPointeeType().isConstQualified())
      loseReachable(datum, "answer of '" + name + "'");
  }
  if (at) {
    int index = stream(*at);
    if (!asks) {
      Step step = simple(Step::Kind::Opaque);
      step.stream = index;
      emit(std::move(step), call);
    }
  }
  return resultOfUnknown(function->getReturnType(), "answer of '" + name + "'");
}

} // namespace coreside
