// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   calls of the CUDA runtime and driver.
// Out:  steps; streams and events in the variables that they are stored to.
//
// HIP's runtime has the same functions under another prefix and is read the
// same way. A call that is not known here and is given a stream stands as
// opaque work on that stream.

#include "Interpreter.h"

#include "RuntimeNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace coreside {

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
  std::string name = runtimeName(callee->getName());
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

std::optional<Datum>
Interpreter::runtimeCall(llvm::StringRef written, const FunctionDecl *function,
                         llvm::ArrayRef<const Expr *> arguments,
                         const Expr *call) {
  // A function of the user's own that is only called like that.
  const FunctionDecl *definition = nullptr;
  if (function->hasBody(definition) &&
      !Context.getSourceManager().isInSystemHeader(definition->getLocation()))
    return std::nullopt;
  std::string name = runtimeName(written);
  llvm::StringRef n = name;

  const CallArguments given(*this, arguments);
  auto event = [&](unsigned index) {
    return eventOf(given.value(index), given.at(index));
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
    std::string text = textOf(given.at(index));
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
    Datum pointer = given.value(0);
    Stream made;
    made.origin = Stream::Origin::Created;
    made.name = targetName(pointer, 0);
    made.blocking = Stream::Blocking::Yes;
    if (n != "cudaStreamCreate") {
      auto flags = given.value(1).known();
      made.blocking = !flags         ? Stream::Blocking::Unknown
                      : (*flags & 1) ? Stream::Blocking::No
                                     : Stream::Blocking::Yes;
    }
    if (n.ends_with("WithPriority"))
      made.priority = numberOf(given.value(2), Context.IntTy, given.at(2));
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
    step.stream = given.stream(0);
    emit(std::move(step), call);
    return success;
  }
  if (n == "cudaStreamSynchronize" || n == "cuStreamSynchronize") {
    Step step = simple(Step::Kind::StreamSynchronize);
    step.stream = given.stream(0);
    emit(std::move(step), call);
    return success;
  }
  if (n == "cudaStreamWaitEvent" || n == "cuStreamWaitEvent") {
    Step step = simple(Step::Kind::StreamWait);
    step.stream = given.stream(0);
    step.event = event(1);
    emit(std::move(step), call);
    return success;
  }
  if (n == "cudaStreamQuery" || n == "cuStreamQuery" || n == "cudaEventQuery" ||
      n == "cuEventQuery") {
    // Success here says that the work is done; neither answer is the usual one.
    Step step = simple(Step::Kind::Opaque);
    if (n.contains("Stream"))
      step.stream = given.stream(0);
    else
      step.event = event(0);
    emit(std::move(step), call);
    return Datum::of(
        within(coreside::Value::unknown("answer of '" + name + "'"), 0, 999));
  }

  // Events.
  if (n == "cudaEventCreate" || n == "cudaEventCreateWithFlags" ||
      n == "cuEventCreate") {
    Datum pointer = given.value(0);
    store(pointer,
          Datum::event(newEvent({targetName(pointer, 0), true,
                                 placeOf(call->getBeginLoc(), Context)})));
    return success;
  }
  if (n == "cudaEventRecord" || n == "cudaEventRecordWithFlags" ||
      n == "cuEventRecord" || n == "cuEventRecordWithFlags") {
    Step step = simple(Step::Kind::EventRecord);
    step.event = event(0);
    step.stream = given.stream(1);
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
      auto limit = given.value(0).known();
      if (limit && *limit == 2) // cudaLimitMallocHeapSize
        return success;
      Step step = simple(Step::Kind::ImplicitSynchronization);
      if (limit && *limit == 0)
        step.attribute = "stack";
      if (limit && *limit == 6) {
        step.attribute = "persistingL2";
        step.attributeValue =
            numberOf(given.value(1), Context.getSizeType(), given.at(1));
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
    bool ofKernel = arguments.size() > 1;
    if (ofKernel)
      step.kernel = kernelOf(given.value(0));
    Datum preference = given.value(ofKernel ? 1 : 0);
    Step setting = simple(Step::Kind::FunctionAttribute);
    setting.kernel = step.kernel;
    setting.attribute = "PreferredCacheConfig";
    setting.attributeValue =
        numberOf(preference, Context.IntTy, given.at(ofKernel ? 1 : 0));
    emit(std::move(step), call);
    // Without a preference nothing changes.
    if (preference.known() != 0)
      emit(std::move(setting), call);
    return success;
  }
  // A stream that waits until memory has some value.
  if (n == "cuStreamWaitValue32" || n == "cuStreamWaitValue64" ||
      n == "cuStreamBatchMemOp") {
    Step step = simple(Step::Kind::StreamWait);
    step.stream = given.stream(0);
    for (const Expr *one : arguments.drop_front(!arguments.empty()))
      evaluate(one);
    emit(std::move(step), call);
    return success;
  }

  if (auto result = memoryCall(n, function, arguments, call))
    return *result;
  if (n == "cudaStreamSetAttribute" || n == "cuStreamSetAttribute") {
    Step step = simple(Step::Kind::Setting);
    step.stream = given.stream(0);
    Datum attributeId = given.value(1), attribute = given.value(2);
    if (attributeId.known() == 1 && attribute.isPointer()) {
      step.attribute = "accessPolicyWindow";
      step.window = windowAt(attribute.pointer.part(".accessPolicyWindow"));
      emit(std::move(step), call);
    }
    return success;
  }

  // Kernels.
  if (n == "cudaFuncGetAttributes" && arguments.size() == 2) {
    loseReachable(given.value(0), "answer of '" + name + "'");
    // It loads the kernel.
    Step step = simple(Step::Kind::FunctionAttribute);
    step.kernel = kernelOf(given.value(1));
    emit(std::move(step), call);
    return success;
  }
  if (n == "cudaFuncSetAttribute" || n == "cuFuncSetAttribute") {
    Step step = simple(Step::Kind::FunctionAttribute);
    Datum kernel = given.value(0);
    auto attribute = given.value(1).known();
    Datum amount = given.value(2);
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
    step.attributeValue = numberOf(amount, Context.IntTy, given.at(2));
    emitForKernel(kernel, step, call);
    return success;
  }
  if (auto result = launchCall(n, arguments, call))
    return *result;

  // Errors that did not happen.
  if (n == "cudaGetLastError" || n == "cudaPeekAtLastError")
    return success;

  if (n == "cudaSetDevice") {
    const Expr *one = given.at(0);
    Datum number = given.value(0);
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
  if (auto result = contextCall(n, arguments, call))
    return *result;
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
    int index = given.stream(*at);
    if (!asks) {
      Step step = simple(Step::Kind::Opaque);
      step.stream = index;
      emit(std::move(step), call);
    }
  }
  return resultOfUnknown(function->getReturnType(), "answer of '" + name + "'");
}

} // namespace coreside
