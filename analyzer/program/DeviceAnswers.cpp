// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   calls that ask about the device, or about the occupancy of a kernel.
// Out:  their answers by name, to be filled in once the GPU is known.
//
//   cudaDeviceGetAttribute(&n, cudaDevAttrMultiProcessorCount, 0);
//   blur<<<n * 4, 256>>>();              a grid of "multiProcessorCount * 4"
//
// Ranges are those of compute capabilities 7.5 to 12.1, widened.

#include "Formula.h"
#include "Interpreter.h"

#include "clang/AST/ASTContext.h"

using namespace clang;

namespace coreside {
namespace {

struct Property {
  /// The member of cudaDeviceProp; "" where there is none.
  llvm::StringRef member;
  /// The number of the cudaDeviceAttr and the CUdevice_attribute; 0 for none.
  int attribute;
  int64_t low, high;
};

constexpr Property properties[] = {
    {"maxThreadsPerBlock", 1, 1024, 1024},
    {"sharedMemPerBlock", 8, 49152, 49152},
    {"warpSize", 10, 32, 32},
    {"regsPerBlock", 12, 32768, 65536},
    {"multiProcessorCount", 16, 1, 1024},
    {"concurrentKernels", 31, 1, 1},
    {"l2CacheSize", 38, 0, 1 << 30},
    {"maxThreadsPerMultiProcessor", 39, 1024, 2048},
    {"major", 75, 5, 99},
    {"minor", 76, 0, 9},
    {"sharedMemPerMultiprocessor", 81, 49152, 1 << 20},
    {"regsPerMultiprocessor", 82, 65536, 65536},
    {"cooperativeLaunch", 95, 1, 1},
    {"sharedMemPerBlockOptin", 97, 49152, 1 << 20},
    {"maxBlocksPerMultiProcessor", 106, 8, 64},
    {"reservedSharedMemPerBlock", 111, 0, 4096},
};

Value valueOf(const Property &property) {
  if (property.low == property.high)
    return Value::known(property.low);
  Value value =
      Value::symbolic(property.member.str(), property.low, property.high);
  value.formula = formulaOfName("@" + property.member.str(), value);
  return value;
}

} // namespace

/// A member of a cudaDeviceProp that was filled where nobody looked, in another
/// file or in a container: the runtime fills them, and says the same again.
std::optional<Value> Interpreter::deviceProperty(const Expr *expression) {
  const auto *member =
      expression ? dyn_cast<MemberExpr>(expression->IgnoreParenImpCasts())
                 : nullptr;
  const auto *field =
      member ? dyn_cast<FieldDecl>(member->getMemberDecl()) : nullptr;
  if (!field || field->getParent()->getName() != "cudaDeviceProp")
    return std::nullopt;
  for (const Property &property : properties)
    if (field->getName() == property.member)
      return valueOf(property);
  return std::nullopt;
}

/// The answer to a question about the device; nothing where `name` asks none.
std::optional<Datum>
Interpreter::deviceCall(llvm::StringRef name, const FunctionDecl *function,
                        llvm::ArrayRef<const Expr *> arguments,
                        const Expr *call) {
  // HIP numbers its attributes in another way, and its GPUs are others.
  if (function->getName().starts_with("hip"))
    return std::nullopt;
  Datum success = Datum::of(0);
  const CallArguments given(*this, arguments);
  auto number = [&](unsigned index) {
    if (index >= arguments.size())
      return Value::known(0);
    return narrowed(numberOf(given.value(index), arguments[index]->getType(),
                             arguments[index]));
  };
  auto target = [&](unsigned index) -> Address {
    const Expr *one = arguments[index];
    if (index < function->getNumParams() &&
        function->getParamDecl(index)->getType()->isReferenceType())
      return locate(one).address;
    Datum pointer = evaluate(one);
    return pointer.isPointer() ? pointer.pointer : Address();
  };

  if (name == "cudaGetDeviceProperties" && arguments.size() == 2) {
    Address record = target(0);
    given.value(1);
    if (!record.object)
      return success;
    loseReachable(Datum::to(record), "answer of '" + name.str() + "'");
    for (const Property &property : properties)
      writeAddress(record.part("." + property.member.str()),
                   Datum::of(valueOf(property)));
    return success;
  }
  if ((name == "cudaDeviceGetAttribute" || name == "cuDeviceGetAttribute") &&
      arguments.size() == 3) {
    Address result = target(0);
    auto attribute = given.value(1).known();
    given.value(2);
    if (!result.object)
      return success;
    loseReachable(Datum::to(result), "answer of '" + name.str() + "'");
    for (const Property &property : properties)
      if (attribute && *attribute == property.attribute)
        writeAddress(result, Datum::of(valueOf(property)));
    return success;
  }

  if (!name.contains("OccupancyMax"))
    return std::nullopt;
  auto ask = [&](const Address &result, llvm::StringRef question, int kernel,
                 llvm::ArrayRef<Value> operands, int64_t low, int64_t high) {
    if (!result.object)
      return;
    loseReachable(Datum::to(result), "answer of '" + name.str() + "'");
    std::string text = (question + "(").str();
    const FunctionDecl *declaration = Kernels.declarationOf(kernel);
    text += declaration ? nameOf(*declaration) : "a kernel";
    for (const Value &operand : operands)
      if (operand.isKnown() && operand.low)
        text += ", " + std::to_string(operand.low);
    Value answer = Value::symbolic(text + ")", low, high);
    if (kernel >= 0)
      answer.formula = formulaOfQuestion(question, Kernels.mangledName(kernel),
                                         operands, answer);
    writeAddress(result, Datum::of(std::move(answer)));
  };
  bool flags = name.ends_with("WithFlags");
  if (name.contains("MaxActiveBlocksPerMultiprocessor") &&
      arguments.size() >= 4) {
    Address result = target(0);
    int kernel = kernelOf(given.value(1));
    Value threads = number(2), shared = number(3);
    if (flags)
      given.value(4);
    ask(result, "activeBlocks", kernel, {threads, shared}, 0, 64);
    return success;
  }
  if (name.contains("MaxPotentialBlockSize") && !name.starts_with("cu") &&
      arguments.size() < 3)
    return std::nullopt;
  if (name.starts_with("cudaOccupancyMaxPotentialBlockSize") &&
      arguments.size() >= 3) {
    Address grid = target(0), block = target(1);
    int kernel = kernelOf(given.value(2));
    // How much a block of some size takes is for a function to say.
    bool variable = name.contains("VariableSMem");
    Value shared = variable ? Value::bounded(0, 232448) : number(3);
    if (variable && arguments.size() > 3)
      locate(arguments[3]);
    Value limit = number(4);
    if (arguments.size() > 5)
      given.value(5);
    ask(grid, "potentialGrid", kernel, {shared, limit}, 1, 65536);
    ask(block, "potentialBlock", kernel, {shared, limit}, 1, 1024);
    return success;
  }
  return std::nullopt;
}

} // namespace coreside
