// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Contexts of the driver API.
//
// In:   cuCtxCreate(&c, 0, device); cuCtxPushCurrent(c); cuCtxPopCurrent(&old);
// Out:  which context is current, as the number of a device.
//
// Kernels of two contexts take turns on a device (CUDA C++ Programming Guide,
// "Context": each has resources of its own), so a context that is made counts
// as a device of its own: no launch of it shares an SM with one of another.
// The primary context of a device is that device, which the runtime uses too.

#include "Interpreter.h"

#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace coreside {

/// Numbers from here on stand for contexts.
constexpr int firstContext = 1000;

std::optional<Datum>
Interpreter::contextCall(llvm::StringRef name,
                         llvm::ArrayRef<const Expr *> arguments,
                         const Expr *call) {
  if (!name.starts_with("cuCtx") && !name.starts_with("cuDevice"))
    return std::nullopt;
  Datum success = Datum::of(0);
  const CallArguments given(*this, arguments);
  auto store = [&](const Datum &pointer, Datum what) {
    if (pointer.isPointer())
      writeAddress(pointer.pointer, std::move(what));
  };
  auto current = [&] {
    auto node = Store.find(Device);
    return node && node->datum ? *node->datum : Datum::unknown("the context");
  };
  // The stack below the current one: a part ".count", and one for each.
  if (!Contexts.object)
    Contexts = {Store.create("the stack of contexts"), {}};
  auto depth = [&]() -> int64_t {
    auto node = Store.find(Contexts.part(".count"));
    return node && node->datum ? node->datum->known().value_or(0) : 0;
  };
  auto push = [&](Datum context) {
    int64_t at = depth();
    writeAddress(Contexts.part("." + std::to_string(at)), current());
    writeAddress(Contexts.part(".count"), Datum::of(at + 1));
    writeAddress(Device, std::move(context));
  };

  if (name == "cuDeviceGet" && arguments.size() == 2) {
    Datum device = given.value(0);
    store(device, given.value(1));
    return success;
  }
  if (name == "cuDevicePrimaryCtxRetain" && arguments.size() == 2) {
    Datum context = given.value(0);
    store(context, given.value(1));
    return success;
  }
  if (name == "cuCtxCreate") {
    Datum target = given.value(0);
    Datum made = Datum::of(firstContext + MadeContexts);
    if (!Dry)
      ++MadeContexts;
    for (const Expr *one : arguments.drop_front(!arguments.empty()))
      evaluate(one);
    store(target, made);
    push(made);
    return success;
  }
  if (name == "cuCtxSetCurrent") {
    Datum context = given.value(0);
    writeAddress(Device, context.kind == Datum::Kind::Number
                             ? context
                             : Datum::unknown(textOf(arguments[0])));
    return success;
  }
  if (name == "cuCtxPushCurrent") {
    Datum context = given.value(0);
    push(context.kind == Datum::Kind::Number
             ? context
             : Datum::unknown(textOf(arguments[0])));
    return success;
  }
  if (name == "cuCtxPopCurrent") {
    store(given.value(0), current());
    int64_t at = depth() - 1;
    if (at < 0) {
      writeAddress(Device, Datum::unknown("the context before"));
      return success;
    }
    auto node = Store.find(Contexts.part("." + std::to_string(at)));
    writeAddress(Device, node && node->datum
                             ? *node->datum
                             : Datum::unknown("the context before"));
    writeAddress(Contexts.part(".count"), Datum::of(at));
    return success;
  }
  if (name == "cuCtxGetCurrent") {
    store(given.value(0), current());
    return success;
  }
  return std::nullopt;
}

} // namespace coreside
