// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which memory a launch, a copy or a call is about.
//
// In:   cudaMalloc(&d, n * 4); cudaMemcpyAsync(d, h, n * 4, kind, s);
//       front<<<1, 1, 0, s>>>(d + 8);
// Out:  allocation 0 "d", "n * 4" bytes; a copy of "n * 4" bytes from "h" to
//       it; a launch whose parameter 0 leads to it.
//
// A pointer is known by the object that it points into, wherever in it. What a
// pointer from outside leads to is an allocation too, of unknown size.

#include "Interpreter.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace coreside {

using Kind = Allocation::Kind;
using Direction = Step::Direction;

int Interpreter::newAllocation(unsigned object, Allocation allocation) {
  allocation.device = currentDevice();
  allocation.isOne = Loops.empty();
  Result.allocations.push_back(std::move(allocation));
  int index = Result.allocations.size() - 1;
  Allocated[object] = index;
  return index;
}

/// The allocation that an object is, which is made if need be.
int Interpreter::allocationOfObject(unsigned object) {
  if (!object)
    return -1;
  if (auto at = Allocated.find(object); at != Allocated.end())
    return at->second;
  Allocation made;
  made.name = Store.object(object).name;
  made.bytes = coreside::Value::unknown("made elsewhere");
  if (Store.object(object).external) {
    made.kind = Kind::External;
    made.from = referenceTo({object, {}}, 0);
  } else {
    made.kind = Kind::Host;
    made.bytes = coreside::Value::unknown("memory of the host");
  }
  for (auto &[variable, address] : Globals)
    if (address.object == object && address.path.empty() &&
        (variable->hasAttr<CUDADeviceAttr>() ||
         variable->hasAttr<CUDAConstantAttr>() ||
         variable->hasAttr<HIPManagedAttr>() || Store.object(object).shared)) {
      made.kind = Kind::Variable;
      made.name = variable->getNameAsString();
      made.place = placeOf(variable->getLocation(), Context);
      QualType type = variable->getType();
      if (!type->isIncompleteType() && !type->isDependentType())
        made.bytes = coreside::Value::known(
            Context.getTypeSizeInChars(type).getQuantity());
    }
  bool isVariable = made.kind == Kind::Variable;
  int index = newAllocation(object, std::move(made));
  Result.allocations[index].isOne = isVariable || Loops.empty();
  return index;
}

int Interpreter::allocationOf(const Datum &datum) {
  if (datum.isPointer() || datum.isUnknown())
    return allocationOfObject(datum.pointer.object);
  return -1;
}

/// Adds what `datum`, the argument for a parameter, leads to.
void Interpreter::addArgument(const Datum &datum, int parameter,
                              std::vector<KernelArgument> &arguments) {
  auto add = [&](int allocation) {
    KernelArgument argument{parameter, allocation};
    if (!llvm::is_contained(arguments, argument))
      arguments.push_back(argument);
  };
  if (datum.kind != Datum::Kind::Record) {
    if (datum.isPointer() || datum.pointer.object)
      add(allocationOf(datum));
    return;
  }
  // The pointers in a structure or an array.
  unsigned budget = 64;
  auto walk = [&](auto &self, const Node &node) -> void {
    if (node.datum && node.datum->kind != Datum::Kind::Record &&
        (node.datum->isPointer() || node.datum->pointer.object))
      add(allocationOf(*node.datum));
    for (const auto &[name, part] : node.parts)
      if (part && budget && budget--)
        self(self, *part);
  };
  if (datum.record)
    walk(walk, *datum.record);
}

/// What the arguments of a launch lead to.
void Interpreter::addArguments(llvm::ArrayRef<const Expr *> expressions,
                               Step &step) {
  for (unsigned i = 0; i < expressions.size(); ++i) {
    const Expr *one = expressions[i];
    QualType type = one->getType().getNonReferenceType();
    if (type->isArrayType())
      type = Context.getArrayDecayedType(type);
    if (type->isPointerType()) {
      // A name that is handed on by reference is not converted.
      Datum datum = one->isGLValue() && !one->getType()->isArrayType()
                        ? read(locate(one), type, one)
                    : one->isGLValue() ? Datum::to(locate(one).address)
                                       : evaluate(one);
      if (datum.isPointer() || datum.pointer.object)
        addArgument(datum, i, step.arguments);
      else if (datum.kind != Datum::Kind::Null)
        step.arguments.push_back({static_cast<int>(i), -1});
    } else if (type->isRecordType()) {
      Datum datum;
      if (one->isGLValue()) {
        datum = read(locate(one), type, one);
      } else {
        Address copy{Store.create("argument"), {}};
        this->initialise(copy, type, one);
        datum = readAddress(copy, type);
      }
      addArgument(datum, i, step.arguments);
    } else if (one->HasSideEffects(Context)) {
      evaluate(one);
    } else if (integerType(type) && Context.getTypeSize(type) == 64) {
      // The driver's pointers are numbers.
      if (Datum datum = evaluate(one); datum.isPointer())
        addArgument(datum, i, step.arguments);
    }
  }
}

/// The same for `void *arguments[] = {&a, &b}` and the kernel `launched`.
void Interpreter::addArgumentList(const Datum &launched, const Datum &list,
                                  Step &step) {
  const FunctionDecl *kernel =
      launched.kind == Datum::Kind::Function ? launched.function : nullptr;
  if (list.isPointer() && !list.pointer.path.empty() &&
      list.pointer.path.back()[0] == '[') {
    unsigned count = kernel ? kernel->getNumParams() : 64;
    for (unsigned i = 0; i < count; ++i) {
      Address at = list.pointer;
      at.path.back() = "[" + std::to_string(i) + "]";
      auto node = Store.find(at);
      if (!node || !node->datum) {
        if (!kernel)
          break;
        if (kernel->getParamDecl(i)->getType()->isPointerType())
          step.arguments.push_back({static_cast<int>(i), -1});
        continue;
      }
      if (!node->datum->isPointer()) {
        if (kernel && kernel->getParamDecl(i)->getType()->isPointerType())
          step.arguments.push_back({static_cast<int>(i), -1});
        continue;
      }
      QualType type =
          kernel ? kernel->getParamDecl(i)->getType() : Context.VoidPtrTy;
      if (!type->isPointerType() && !type->isRecordType() &&
          !(integerType(type) && Context.getTypeSize(type) == 64))
        continue;
      auto held = Store.find(node->datum->pointer);
      if (!kernel && (!held || !held->datum || !held->datum->isPointer()))
        continue;
      Datum datum = readAddress(node->datum->pointer, type);
      if (datum.isPointer() || datum.pointer.object ||
          datum.kind == Datum::Kind::Record)
        addArgument(datum, i, step.arguments);
      else if (type->isPointerType() && datum.kind != Datum::Kind::Null)
        step.arguments.push_back({static_cast<int>(i), -1});
    }
  } else if (kernel) {
    for (unsigned i = 0; i < kernel->getNumParams(); ++i)
      if (kernel->getParamDecl(i)->getType()->isPointerType())
        step.arguments.push_back({static_cast<int>(i), -1});
  }
}

void Interpreter::addVariables(Step &step) {
  for (const VarDecl *variable : Kernels.variablesOf(step.kernel))
    step.arguments.push_back(
        {-1, allocationOfObject(globalAddress(variable).object)});
}

/// A window of cudaStreamSetAttribute or a launch attribute, at `address`.
AccessPolicyWindow Interpreter::windowAt(const Address &address) {
  auto field = [&](const char *name) {
    auto node = Store.find(address.part(name));
    return node && node->datum ? *node->datum
                               : Datum::unknown("the window's parameters");
  };
  AccessPolicyWindow window;
  window.allocation = allocationOf(field(".base_ptr"));
  window.bytes =
      within(numberOf(field(".num_bytes"), Context.getSizeType(), nullptr), 0,
             coreside::Value::highest);
  Datum ratio = field(".hitRatio");
  if (ratio.real)
    window.hitRatio = *ratio.real;
  else if (auto number = ratio.known())
    window.hitRatio = *number;
  auto property = [&](const char *name) -> std::string {
    switch (field(name).known().value_or(-1)) {
    case 0:
      return "normal";
    case 1:
      return "streaming";
    case 2:
      return "persisting";
    default:
      return "";
    }
  };
  window.hit = property(".hitProp");
  window.miss = property(".missProp");
  return window;
}

namespace {

/// Where a copy or a set has its operands; -1 for none. Names without "cuda" or
/// "cu" in front and "Async" behind.
struct CopyForm {
  llvm::StringRef name;
  int target, source, bytes, times;
  Direction direction;
  /// Bytes of what `bytes` counts.
  int unit = 1;
};

} // namespace

static const CopyForm *copyForm(llvm::StringRef name) {
  static const CopyForm forms[] = {
      {"Memcpy", 0, 1, 2, -1, Direction::Unknown},
      {"MemcpyPeer", 0, 2, 4, -1, Direction::DeviceToDevice},
      {"Memcpy2D", 0, 2, 4, 5, Direction::Unknown},
      {"MemcpyToSymbol", 0, 1, 2, -1, Direction::HostToDevice},
      {"MemcpyHtoD", 0, 1, 2, -1, Direction::HostToDevice},
      {"MemcpyDtoH", 0, 1, 2, -1, Direction::DeviceToHost},
      {"MemcpyDtoD", 0, 1, 2, -1, Direction::DeviceToDevice},
      {"Memset", 0, -1, 2, -1, Direction::Unknown},
      {"Memset2D", 0, -1, 3, 4, Direction::Unknown},
      {"MemsetD8", 0, -1, 2, -1, Direction::Unknown},
      {"MemsetD16", 0, -1, 2, -1, Direction::Unknown, 2},
      {"MemsetD32", 0, -1, 2, -1, Direction::Unknown, 4},
      {"MemPrefetch", 0, -1, 1, -1, Direction::Unknown},
      {"MemcpyFromSymbol", 0, 1, 2, -1, Direction::DeviceToHost},
  };
  if (!name.consume_front("cuda"))
    name.consume_front("cu");
  name.consume_back("Async");
  for (const CopyForm &form : forms)
    if (form.name == name)
      return &form;
  return nullptr;
}

/// Allocation, copies and sets, and what gives pointers to memory.
std::optional<Datum>
Interpreter::memoryCall(llvm::StringRef name, const FunctionDecl *function,
                        llvm::ArrayRef<const Expr *> arguments,
                        const Expr *call) {
  std::vector<Datum> values(arguments.size());
  auto isReference = [&](unsigned i) {
    return i < function->getNumParams() &&
           function->getParamDecl(i)->getType()->isReferenceType();
  };
  auto evaluateAll = [&](std::optional<unsigned> except = std::nullopt) {
    for (unsigned i = 0; i < arguments.size(); ++i)
      if (!except || i != *except) {
        if (isReference(i)) {
          // A variable of the device, by its name.
          Place place = locate(arguments[i]);
          values[i] = place.known() ? Datum::to(place.address)
                                    : Datum::unknown(place.why);
        } else {
          values[i] = evaluate(arguments[i]);
        }
      }
  };
  auto size = [&](int index) {
    if (index < 0 || static_cast<size_t>(index) >= arguments.size())
      return coreside::Value::unknown("missing");
    return within(
        numberOf(values[index], Context.getSizeType(), arguments[index]), 0,
        coreside::Value::highest);
  };
  auto product = [](coreside::Value one, coreside::Value other) {
    return apply(coreside::Operation::Multiply, one, other, {64, false});
  };
  auto store = [&](const Datum &pointer, Datum what) {
    if (pointer.isPointer())
      writeAddress(pointer.pointer, std::move(what));
  };
  Step step;
  step.function = name.str();
  Datum success = Datum::of(0);
  std::string answer = "answer of '" + name.str() + "'";

  bool onStream = name == "cudaMallocAsync" || name == "cuMemAllocAsync" ||
                  name == "cudaMallocFromPoolAsync" ||
                  name == "cuMemAllocFromPoolAsync";
  bool allocates = onStream || name == "cudaMalloc" ||
                   name == "cudaMallocHost" || name == "cudaHostAlloc" ||
                   name == "cudaMallocManaged" || name == "cudaMallocPitch" ||
                   name == "cudaMalloc3D" || name == "cudaMallocArray" ||
                   name == "cudaMalloc3DArray" ||
                   name == "cudaMallocMipmappedArray" || name == "cuMemAlloc" ||
                   name == "cuMemAllocPitch" || name == "cuMemAllocHost" ||
                   name == "cuMemHostAlloc" || name == "cuMemAllocManaged" ||
                   name == "cudaHostMalloc" || name == "cudaExtMallocWithFlags";
  if (allocates && !arguments.empty()) {
    std::optional<unsigned> streamAt;
    if (onStream)
      streamAt = arguments.size() - 1;
    evaluateAll(streamAt);
    Allocation made;
    made.function = name.str();
    made.place = placeOf(call->getBeginLoc(), Context);
    made.kind = name.contains("Managed") ? Kind::Managed
                : name.contains("Host")  ? Kind::Pinned
                                         : Kind::Device;
    made.bytes = size(1);
    Datum pointer = values[0];
    if (name.contains("Pitch")) {
      // Rows are made longer, never shorter.
      coreside::Value least = product(size(2), size(3));
      made.bytes = within(coreside::Value::unknown("rows of the pitch that '" +
                                                   name.str() + "' picks"),
                          least.low, coreside::Value::highest);
      loseReachable(values[1], answer);
    } else if (name.contains("3D") || name.contains("Array")) {
      made.bytes = coreside::Value::unknown("an array of '" + name.str() + "'");
    }
    if (name == "cudaMalloc3D") {
      loseReachable(pointer, answer);
      if (pointer.isPointer())
        pointer.pointer.path.push_back(".ptr");
    }
    unsigned object = Store.create("");
    Store.share(object);
    store(pointer, Datum::to({object, {"[0]"}}));
    made.name = Store.object(object).name;
    if (made.name.empty() && pointer.isPointer())
      made.name = Store.nameOf(pointer.pointer);
    step.kind = onStream ? Step::Kind::MemoryOperation : Step::Kind::Allocation;
    step.bytes = made.bytes;
    step.target = newAllocation(object, std::move(made));
    if (onStream) {
      const Expr *stream = arguments.back();
      step.stream = streamOf(evaluate(stream), stream);
    }
    emit(std::move(step), call);
    return success;
  }
  if (name == "cudaHostRegister" || name == "cuMemHostRegister") {
    evaluateAll();
    step.kind = Step::Kind::Allocation;
    step.bytes = size(1);
    step.target = values.empty() ? -1 : allocationOf(values[0]);
    if (step.target >= 0) {
      Allocation &pinned = Result.allocations[step.target];
      if (pinned.kind == Kind::Host || pinned.kind == Kind::External) {
        pinned.kind = Kind::Pinned;
        pinned.bytes = step.bytes;
      }
    }
    emit(std::move(step), call);
    return success;
  }
  if ((name == "cudaHostGetDevicePointer" ||
       name == "cuMemHostGetDevicePointer" || name == "cudaGetSymbolAddress") &&
      arguments.size() > 1) {
    evaluateAll();
    if (values[1].isPointer()) {
      Address first = values[1].pointer;
      if (first.path.empty())
        first.path.push_back("[0]");
      store(values[0], Datum::to(first));
    } else {
      loseReachable(values[0], answer);
    }
    return success;
  }

  bool copies =
      name.starts_with("cudaMemcpy") || name.starts_with("cudaMemset") ||
      name.starts_with("cuMemcpy") || name.starts_with("cuMemset") ||
      name == "cudaMemPrefetchAsync" || name == "cuMemPrefetchAsync" ||
      name == "cudaFreeAsync" || name == "cuMemFreeAsync";
  if (!copies)
    return std::nullopt;
  step.kind = Step::Kind::MemoryOperation;
  std::optional<unsigned> streamAt;
  for (unsigned i = arguments.size(); i > 0 && !streamAt; --i)
    if (isStreamType(i - 1 < function->getNumParams()
                         ? function->getParamDecl(i - 1)->getType()
                         : arguments[i - 1]->getType()))
      streamAt = i - 1;
  evaluateAll(streamAt);
  const CopyForm *form = copyForm(name);
  if (form)
    step.direction = form->direction;
  for (unsigned i = 0; i < arguments.size(); ++i)
    if (arguments[i]->IgnoreImpCasts()->getType()->isEnumeralType() ||
        arguments[i]->getType()->isEnumeralType())
      // cudaMemcpyKind
      switch (values[i].known().value_or(-1)) {
      case 0:
        step.direction = Direction::HostToHost;
        break;
      case 1:
        step.direction = Direction::HostToDevice;
        break;
      case 2:
        step.direction = Direction::DeviceToHost;
        break;
      case 3:
        step.direction = Direction::DeviceToDevice;
        break;
      default:
        step.direction = Direction::Unknown;
      }
  auto operand = [&](int index) {
    return index >= 0 && static_cast<size_t>(index) < values.size()
               ? allocationOf(values[index])
               : -1;
  };
  if (form) {
    step.target = operand(form->target);
    step.source = operand(form->source);
    step.bytes = size(form->bytes);
    if (form->times >= 0)
      step.bytes = product(step.bytes, size(form->times));
    if (form->unit != 1)
      step.bytes = product(step.bytes, coreside::Value::known(form->unit));
    if (step.direction == Direction::Unknown && step.target >= 0 &&
        step.source >= 0) {
      // cudaMemcpyDefault: the pointers say it.
      auto isHost = [&](int index) -> std::optional<bool> {
        switch (Result.allocations[index].kind) {
        case Kind::Device:
        case Kind::Variable:
          return false;
        case Kind::Pinned:
        case Kind::Host:
          return true;
        default:
          return std::nullopt;
        }
      };
      auto to = isHost(step.target), from = isHost(step.source);
      if (to && from)
        step.direction =
            *from ? *to ? Direction::HostToHost : Direction::HostToDevice
            : *to ? Direction::DeviceToHost
                  : Direction::DeviceToDevice;
    }
  } else if (name.contains("Free")) {
    step.target = operand(0);
    step.bytes = coreside::Value::unknown("all of it");
  } else {
    step.bytes = coreside::Value::unknown("the copy's parameters");
  }
  // Host memory that is copied to: none of its numbers is known.
  if (name.starts_with("cudaMemcpy") && !values.empty() &&
      values[0].isPointer())
    loseReachable(values[0], "copied by '" + name.str() + "'");
  if (streamAt)
    step.stream =
        streamOf(evaluate(arguments[*streamAt]), arguments[*streamAt]);
  else
    step.stream = defaultStream();
  step.waits =
      !name.contains("Async") && !name.contains("Memset") &&
      !(step.direction == Direction::DeviceToDevice && !name.contains("Peer"));
  emit(std::move(step), call);
  return success;
}

} // namespace coreside
