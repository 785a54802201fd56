// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches in every form that host code has for them.
//
// In:   front<<<4, 128, 0, s>>>(p); cudaLaunchKernelExC(&config, front, list);
//       cuLaunchKernel(f, 4, 1, 1, 128, 1, 1, 0, s, list, 0);
// Out:  Launch steps: kernel, sizes, stream, attributes, arguments.
//
// An event that a launch attribute names is recorded when the kernel's blocks
// run, not when they are done. What waits for it knows only what came before
// the launch, so the record stands before it.

#include "Interpreter.h"

#include "RuntimeNames.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"

using namespace clang;

namespace coreside {

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

/// What stands in the field `name` of the structure at `address`.
Datum Interpreter::fieldAt(const Address &address, llvm::StringRef name,
                           const std::string &why) {
  const Node *loss = nullptr;
  auto node = Store.find(address.part(name.str()), &loss);
  if (node && node->datum)
    return *node->datum;
  if (node) {
    Datum datum;
    datum.kind = Datum::Kind::Record;
    datum.record = node;
    return datum;
  }
  return Datum::unknown(loss && loss->lost ? *loss->lost : why);
}

/// Bytes of dynamic shared memory. A known number is kept even where it is no
/// size: (size_t)-1 is huge, not unknown.
coreside::Value Interpreter::sharedSize(const Datum &datum, QualType type,
                                        const Expr *expression) {
  Expr::EvalResult result;
  if (!datum.known() && expression && !expression->isValueDependent() &&
      expression->EvaluateAsInt(result, Context) &&
      result.Val.getInt().getActiveBits() <= 64)
    return coreside::Value::known(
        static_cast<int64_t>(result.Val.getInt().getZExtValue()));
  coreside::Value number = numberOf(datum, type, expression);
  return number.isKnown() ? number
                          : within(number, 0, coreside::Value::highest);
}

void Interpreter::launch(const CUDAKernelCallExpr *expression) {
  const CallExpr *config = expression->getConfig();
  Step step;
  step.kind = Step::Kind::Launch;
  Datum kernel = evaluate(expression->getCallee());
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
    step.dynamicShared = sharedSize(datum, shared->getType(), shared);
  } else {
    step.dynamicShared = coreside::Value::known(0);
  }
  if (const Expr *stream = argument(3))
    step.stream = streamOf(evaluate(stream), stream);
  else
    step.stream = defaultStream();
  addArguments({expression->getArgs(), expression->getNumArgs()}, step);
  emitLaunch(kernel, std::move(step), expression);
}

void Interpreter::emitLaunch(const Datum &kernel, Step step, const Expr *call,
                             const Datum *list) {
  meetLaunch(call);
  emitForKernel(kernel, step, call, list);
}

/// Attribute `id`, of a launch or a kernel node, whose value is at `value`. The
/// events that it asks for are added to `events`.
void Interpreter::applyLaunchAttribute(int64_t id, const Address &value,
                                       Step &step, std::vector<int> &events) {
  const std::string why = "the launch attributes";
  auto number = [&](const char *field, QualType type) {
    return numberOf(fieldAt(value, field, why), type, nullptr);
  };
  auto eventIn = [&](const char *field) {
    Datum event = fieldAt(value.part(field), ".event", why);
    if (event.kind == Datum::Kind::Event)
      events.push_back(event.handle);
  };
  switch (id) {
  case 1: // AccessPolicyWindow
    step.window = windowAt(value.part(".accessPolicyWindow"));
    break;
  case 2: // Cooperative
    step.cooperative = fieldAt(value, ".cooperative", why).known() != 0;
    break;
  case 4: // ClusterDimension
    step.cluster = dimensions(fieldAt(value, ".clusterDim", why));
    break;
  case 6: // ProgrammaticStreamSerialization
    step.programmatic =
        fieldAt(value, ".programmaticStreamSerializationAllowed", why)
            .known() != 0;
    break;
  case 7: // ProgrammaticEvent
    eventIn(".programmaticEvent");
    break;
  case 8: // Priority
    step.priority = number(".priority", Context.IntTy);
    break;
  case 11: // PreferredClusterDimension
    step.preferredCluster =
        dimensions(fieldAt(value, ".preferredClusterDim", why));
    break;
  case 12: // LaunchCompletionEvent
    eventIn(".launchCompletionEvent");
    break;
  case 14: // PreferredSharedMemoryCarveout
    step.carveout = number(".sharedMemCarveout", Context.UnsignedIntTy);
    break;
  default: // Synchronisation policy, memory domains: no matter here.
    break;
  }
}

/// Reads `count` launch attributes from `list` on into `step`; what it returns
/// has to be recorded before the launch.
std::vector<int> Interpreter::readLaunchAttributes(const Datum &list,
                                                   const Datum &count,
                                                   bool driver, Step &step) {
  std::vector<int> events;
  const std::string why = "the launch attributes";
  if (count.known() == 0 || list.kind == Datum::Kind::Null)
    return events;
  // Attributes that cannot be seen may ask for clusters of any size.
  auto unknown = [&] {
    coreside::Value any = within(
        coreside::Value::unknown("the launch attributes cannot be followed"), 1,
        4294967295);
    step.cluster = {any, any, any};
    return events;
  };
  if (!list.isPointer())
    return list.isUnknown() && count.isUnknown() ? events : unknown();
  std::vector<Address> attributes;
  // Of how many there are perhaps, only the first are there for certain.
  const int64_t least = count.isNumber() ? count.number.low : 0;
  const int64_t most = count.known().value_or(
      count.isNumber() ? std::min<int64_t>(count.number.high, 16) : 16);
  int64_t from = 0;
  bool isArray =
      !list.pointer.path.empty() && list.pointer.path.back()[0] == '[';
  if (isArray)
    llvm::StringRef(list.pointer.path.back())
        .drop_front()
        .drop_back()
        .getAsInteger(10, from);
  for (int64_t i = 0; i < std::min<int64_t>(most, 32); ++i) {
    Address one = list.pointer;
    if (isArray)
      one.path.back() = "[" + std::to_string(from + i) + "]";
    else if (i > 0)
      break;
    attributes.push_back(std::move(one));
  }
  for (const auto &[i, attribute] : llvm::enumerate(attributes)) {
    auto id = fieldAt(attribute, ".id", why).known();
    if (!id) {
      if (!count.known())
        break;
      if (Store.find(attribute) || Store.object(attribute.object).external)
        unknown();
      continue;
    }
    applyLaunchAttribute(*id, attribute.part(driver ? ".value" : ".val"), step,
                         events);
    // Whether it counts depends on how many there are.
    if (*id == 4 && static_cast<int64_t>(i) >= least)
      unknown();
  }
  return events;
}

/// Reads grid and block of a launch configuration or of a kernel node's
/// parameters into `step`; `field` gives what a member holds.
void Interpreter::readShape(llvm::function_ref<Datum(const char *)> field,
                            bool driver, Step &step) {
  if (driver) {
    static const char *const grid[] = {".gridDimX", ".gridDimY", ".gridDimZ"};
    static const char *const block[] = {".blockDimX", ".blockDimY",
                                        ".blockDimZ"};
    for (unsigned i = 0; i < 3; ++i) {
      step.grid[i] =
          within(numberOf(field(grid[i]), Context.UnsignedIntTy, nullptr), 0,
                 4294967295);
      step.block[i] =
          within(numberOf(field(block[i]), Context.UnsignedIntTy, nullptr), 0,
                 4294967295);
    }
  } else {
    step.grid = dimensions(field(".gridDim"));
    step.block = dimensions(field(".blockDim"));
  }
}

/// cudaLaunchKernelEx, cuLaunchKernelEx: everything stands in a structure.
void Interpreter::launchFromConfig(const Datum &config, const Datum &kernel,
                                   llvm::StringRef name,
                                   llvm::ArrayRef<const Expr *> arguments,
                                   const Expr *call) {
  const bool driver = name == "cuLaunchKernelEx";
  Step step;
  step.kind = Step::Kind::Launch;
  step.function = name.str();
  std::optional<Datum> list;
  if (name == "cudaLaunchKernelEx")
    addArguments(arguments, step);
  else if (!arguments.empty())
    list = evaluate(arguments[0]);
  const Datum *given = list ? &*list : nullptr;
  std::string why = "the launch configuration cannot be followed";
  std::vector<int> events;
  if (!config.isPointer()) {
    step.grid = step.block = dimensions(Datum::unknown(why));
    step.dynamicShared =
        within(coreside::Value::unknown(why), 0, coreside::Value::highest);
    step.stream = streamOf(Datum::unknown(why), nullptr);
    return emitLaunch(kernel, std::move(step), call, given);
  }
  auto field = [&](const char *one) {
    return fieldAt(config.pointer, one, why);
  };
  readShape(field, driver, step);
  // `cudaLaunchConfig_t config;` and no word on shared memory: whoever leaves
  // it out zeroes the structure, or it would not work.
  step.dynamicShared =
      sharedSize(field(driver ? ".sharedMemBytes" : ".dynamicSmemBytes"),
                 Context.getSizeType(), nullptr);
  step.stream = streamOf(field(driver ? ".hStream" : ".stream"), nullptr);
  for (int event : readLaunchAttributes(field(".attrs"), field(".numAttrs"),
                                        driver, step)) {
    Step record;
    record.kind = Step::Kind::EventRecord;
    record.function = name.str();
    record.event = event;
    record.stream = step.stream;
    emit(std::move(record), call);
  }
  emitLaunch(kernel, std::move(step), call, given);
}

/// Kernels that a module or the runtime hands out, and launches by call.
std::optional<Datum>
Interpreter::launchCall(llvm::StringRef name,
                        llvm::ArrayRef<const Expr *> arguments,
                        const Expr *call) {
  Datum success = Datum::of(0);
  const CallArguments given(*this, arguments);

  // By name: extern "C" kernels are called as they are, others as mangled.
  if ((name == "cuModuleGetFunction" || name == "cuLibraryGetKernel" ||
       name == "cudaLibraryGetKernel") &&
      arguments.size() == 3) {
    Datum target = given.value(0);
    given.value(1);
    const auto *literal =
        dyn_cast<StringLiteral>(arguments[2]->IgnoreParenImpCasts());
    if (!literal)
      if (const auto *reference =
              dyn_cast<DeclRefExpr>(arguments[2]->IgnoreParenImpCasts()))
        if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
            variable && variable->getType().isConstQualified() &&
            variable->getAnyInitializer())
          literal = dyn_cast<StringLiteral>(
              variable->getAnyInitializer()->IgnoreParenImpCasts());
    Datum kernel = Datum::unknown("a kernel of a module");
    if (literal)
      if (const FunctionDecl *found = Kernels.byName(literal->getString()))
        kernel = Datum::toFunction(found);
    if (target.isPointer())
      writeAddress(target.pointer, kernel);
    return success;
  }
  if ((name == "cudaGetKernel" || name == "cudaGetFuncBySymbol" ||
       name == "cuKernelGetFunction") &&
      arguments.size() == 2) {
    Datum target = given.value(0), kernel = given.value(1);
    if (target.isPointer())
      writeAddress(target.pointer, kernel.kind == Datum::Kind::Function
                                       ? kernel
                                       : Datum::unknown("a kernel"));
    return success;
  }
  if (!isLaunchFunction(name))
    return std::nullopt;

  Step step;
  step.kind = Step::Kind::Launch;
  step.function = name.str();
  if (name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel") {
    step.cooperative = name == "cudaLaunchCooperativeKernel";
    Datum kernel = given.value(0);
    step.grid = dimensions(given.value(1));
    step.block = dimensions(given.value(2));
    const Datum list = given.value(3);
    step.dynamicShared =
        given.at(4)
            ? sharedSize(given.value(4), given.at(4)->getType(), given.at(4))
            : coreside::Value::known(0);
    step.stream = given.stream(5);
    emitLaunch(kernel, std::move(step), call, &list);
    return success;
  }
  if (name == "cudaLaunchKernelEx" || name == "cudaLaunchKernelExC" ||
      name == "cuLaunchKernelEx") {
    if (arguments.size() < 2)
      return success;
    Datum config = given.value(0), kernel = given.value(1);
    launchFromConfig(config, kernel, name, arguments.drop_front(2), call);
    return success;
  }
  if (name == "cuLaunchKernel" || name == "cuLaunchCooperativeKernel") {
    step.cooperative = name == "cuLaunchCooperativeKernel";
    Datum kernel = given.value(0);
    for (unsigned i = 0; i < 3; ++i) {
      step.grid[i] = within(
          numberOf(given.value(1 + i), Context.UnsignedIntTy, given.at(1 + i)),
          0, 4294967295);
      step.block[i] = within(
          numberOf(given.value(4 + i), Context.UnsignedIntTy, given.at(4 + i)),
          0, 4294967295);
    }
    step.dynamicShared =
        numberOf(given.value(7), Context.UnsignedIntTy, given.at(7));
    step.stream = given.stream(8);
    const Datum list = given.value(9);
    emitLaunch(kernel, std::move(step), call, &list);
    return success;
  }

  // One cooperative launch for each device of a list.
  const bool driver = name.starts_with("cuLaunch");
  Datum list = given.value(0), count = given.value(1);
  auto known = count.known();
  const std::string why = "the list of launches cannot be followed";
  if (!list.isPointer() || !known || *known > 32) {
    step.cooperative = true;
    step.grid = step.block = dimensions(Datum::unknown(why));
    step.dynamicShared =
        within(coreside::Value::unknown(why), 0, coreside::Value::highest);
    step.stream = streamOf(Datum::unknown(why), nullptr);
    emitLaunch(Datum::unknown(why), std::move(step), call);
    return success;
  }
  for (int64_t i = 0; i < *known; ++i) {
    Address at = list.pointer;
    if (!at.path.empty() && at.path.back()[0] == '[')
      at.path.back() = "[" + std::to_string(i) + "]";
    else if (i > 0)
      break;
    Step one = step;
    one.cooperative = true;
    Datum kernel = fieldAt(at, driver ? ".function" : ".func", why);
    auto size = [&](const char *field) {
      return within(
          numberOf(fieldAt(at, field, why), Context.UnsignedIntTy, nullptr), 0,
          4294967295);
    };
    if (driver) {
      one.grid = {size(".gridDimX"), size(".gridDimY"), size(".gridDimZ")};
      one.block = {size(".blockDimX"), size(".blockDimY"), size(".blockDimZ")};
    } else {
      one.grid = dimensions(fieldAt(at, ".gridDim", why));
      one.block = dimensions(fieldAt(at, ".blockDim", why));
    }
    one.dynamicShared =
        sharedSize(fieldAt(at, driver ? ".sharedMemBytes" : ".sharedMem", why),
                   Context.getSizeType(), nullptr);
    one.stream =
        streamOf(fieldAt(at, driver ? ".hStream" : ".stream", why), nullptr);
    const Datum arguments =
        fieldAt(at, driver ? ".kernelParams" : ".args", why);
    emitLaunch(kernel, std::move(one), call, &arguments);
  }
  return success;
}

} // namespace coreside
