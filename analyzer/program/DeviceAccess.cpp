// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   calls and inline assembly.
// Out:  DeviceAccesses. Names are those of the CUDA C++ Programming Guide, of
//       libcu++, HIP and the PTX ISA.

#include "DeviceAccess.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace coreside {
namespace {

using Kind = DeviceAccess::Kind;

bool isZero(const Expr *expression, const ASTContext &context) {
  Expr::EvalResult result;
  return expression && !expression->isValueDependent() &&
         expression->EvaluateAsInt(result, context) &&
         result.Val.getInt().isZero();
}

bool isNegative(const Expr *expression, const ASTContext &context) {
  Expr::EvalResult result;
  return expression && !expression->isValueDependent() &&
         expression->EvaluateAsInt(result, context) &&
         result.Val.getInt().isSigned() && result.Val.getInt().isNegative();
}

bool isSame(const Expr *a, const Expr *b, const ASTContext &context) {
  if (!a || !b)
    return false;
  const auto *one = dyn_cast<DeclRefExpr>(a->IgnoreParenImpCasts());
  const auto *other = dyn_cast<DeclRefExpr>(b->IgnoreParenImpCasts());
  if (one && other && one->getDecl() == other->getDecl())
    return true;
  Expr::EvalResult first, second;
  return !a->isValueDependent() && !b->isValueDependent() &&
         a->EvaluateAsInt(first, context) &&
         b->EvaluateAsInt(second, context) &&
         llvm::APSInt::isSameValue(first.Val.getInt(), second.Val.getInt());
}

/// Adding nothing and exchanging like for like are ways to read.
void readIfUnchanged(DeviceAccess &access, const ASTContext &context) {
  if ((access.kind == Kind::Change || access.kind == Kind::Decrease) &&
      isZero(access.operand, context))
    access.kind = Kind::Load;
  else if (access.kind == Kind::Change && isNegative(access.operand, context))
    access.kind = Kind::Decrease;
  else if (access.kind == Kind::CompareExchange &&
           isSame(access.operand, access.expected, context))
    access.kind = Kind::Load;
}

std::optional<Kind> kindOfFunction(StringRef name) {
  return llvm::StringSwitch<std::optional<Kind>>(name)
      .Cases({"__ldcg", "__ldcv", "__ldlu", "__nv_atomic_load_n",
              "__hip_atomic_load", "__atomic_load_n", "__ldvolatile",
              "__builtin_nontemporal_load"},
             Kind::Load)
      .Cases({"__stcg", "__stwt", "__stwb", "__stcs", "__nv_atomic_store_n",
              "__hip_atomic_store", "__atomic_store_n"},
             Kind::Store)
      .Cases({"atomicAdd", "atomicInc", "atomicOr", "atomicXor", "atomicMax",
              "atomicMin", "atomicAnd", "__nv_atomic_fetch_add",
              "__nv_atomic_fetch_or", "__nv_atomic_fetch_and",
              "__nv_atomic_fetch_xor", "__nv_atomic_fetch_max",
              "__nv_atomic_fetch_min", "__hip_atomic_fetch_add",
              "__hip_atomic_fetch_or", "__atomic_fetch_add"},
             Kind::Change)
      .Cases({"__sync_fetch_and_add", "__atomic_add_fetch"}, Kind::Change)
      .Cases({"atomicSub", "atomicDec", "__nv_atomic_fetch_sub",
              "__hip_atomic_fetch_sub", "__atomic_fetch_sub"},
             Kind::Decrease)
      .Cases({"atomicExch", "__nv_atomic_exchange_n", "__hip_atomic_exchange",
              "__atomic_exchange_n"},
             Kind::Exchange)
      .Cases({"atomicCAS", "__hip_atomic_compare_exchange_strong",
              "__hip_atomic_compare_exchange_weak",
              "__nv_atomic_compare_exchange_n"},
             Kind::CompareExchange)
      .Default(std::nullopt);
}

std::optional<Kind> kindOfMethod(StringRef object, StringRef method) {
  if (object.contains("atomic"))
    return llvm::StringSwitch<std::optional<Kind>>(method)
        .Cases({"load", "test"}, Kind::Load)
        .Cases({"store", "clear"}, Kind::Store)
        .Cases({"fetch_add", "fetch_or", "fetch_and", "fetch_xor", "fetch_max",
                "fetch_min"},
               Kind::Change)
        .Case("fetch_sub", Kind::Decrease)
        .Cases({"exchange", "test_and_set"}, Kind::Exchange)
        .Cases({"compare_exchange_weak", "compare_exchange_strong"},
               Kind::CompareExchange)
        .Case("wait", Kind::Wait)
        .Default(std::nullopt);
  if (object.contains("barrier"))
    return llvm::StringSwitch<std::optional<Kind>>(method)
        .Case("arrive_and_wait", Kind::ArriveAndWait)
        .Cases({"arrive", "arrive_and_drop"}, Kind::Arrive)
        .Cases({"wait", "wait_parity"}, Kind::Wait)
        .Default(std::nullopt);
  if (object.contains("latch"))
    return llvm::StringSwitch<std::optional<Kind>>(method)
        .Case("arrive_and_wait", Kind::ArriveAndWait)
        .Case("count_down", Kind::Arrive)
        .Case("wait", Kind::Wait)
        .Default(std::nullopt);
  if (object.contains("semaphore"))
    return llvm::StringSwitch<std::optional<Kind>>(method)
        .Case("acquire", Kind::Acquire)
        .Case("release", Kind::Release)
        .Default(std::nullopt);
  return std::nullopt;
}

/// The class of a library's object for threads: "atomic_ref", "barrier"; empty
/// for others. Methods may be those of a base.
StringRef libraryObject(QualType type) {
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->getIdentifier())
    return {};
  const DeclContext *around = record->getDeclContext();
  while (around && !around->isTranslationUnit()) {
    if (const auto *space = dyn_cast<NamespaceDecl>(around);
        space && space->getIdentifier() &&
        (space->getName() == "cuda" || space->getName() == "std" ||
         space->getName() == "hip" || space->getName() == "simt"))
      return record->getName();
    around = around->getParent();
  }
  return {};
}

std::optional<DeviceAccess> accessOfMethod(const Expr *object, StringRef method,
                                           llvm::ArrayRef<const Expr *> rest,
                                           const ASTContext &context) {
  // The most derived class is seen under the conversion to a base.
  const Expr *whole = object->IgnoreParenImpCasts();
  QualType type = whole->getType();
  bool pointer = type->isPointerType();
  if (pointer)
    type = type->getPointeeType();
  StringRef name = libraryObject(type);
  if (name.empty())
    return std::nullopt;
  std::optional<Kind> kind = kindOfMethod(name, method);
  if (!kind)
    return std::nullopt;
  DeviceAccess access;
  access.kind = *kind;
  access.memory = pointer ? object : whole;
  access.isObject = !pointer;
  if (*kind == Kind::CompareExchange && rest.size() > 1) {
    access.expected = rest[0];
    access.operand = rest[1];
  } else if (!rest.empty() && *kind != Kind::Load && *kind != Kind::Wait) {
    access.operand = rest[0];
  }
  readIfUnchanged(access, context);
  return access;
}

/// One instruction of inline assembly, without its guard.
struct Instruction {
  StringRef opcode;
  StringRef operands;
};

llvm::SmallVector<Instruction, 4> instructions(StringRef text) {
  llvm::SmallVector<Instruction, 4> result;
  llvm::SmallVector<StringRef, 8> pieces;
  llvm::SmallVector<StringRef, 8> lines;
  text.split(lines, '\n');
  for (StringRef line : lines)
    line.split(pieces, ';');
  for (StringRef piece : pieces) {
    piece = piece.trim(" \t{}\r\"");
    if (piece.starts_with("@"))
      piece =
          piece.drop_until([](char c) { return c == ' ' || c == '\t'; }).trim();
    auto [opcode, operands] = piece.split(' ');
    if (size_t tab = opcode.find('\t'); tab != StringRef::npos) {
      operands = piece.drop_front(tab + 1);
      opcode = opcode.take_front(tab);
    }
    if (!opcode.empty())
      result.push_back({opcode, operands.trim()});
  }
  return result;
}

/// Splits at commas that are in no brackets.
llvm::SmallVector<StringRef, 4> operandList(StringRef text) {
  llvm::SmallVector<StringRef, 4> result;
  int depth = 0;
  size_t from = 0;
  for (size_t i = 0; i != text.size(); ++i) {
    if (text[i] == '[' || text[i] == '{')
      ++depth;
    else if (text[i] == ']' || text[i] == '}')
      --depth;
    else if (text[i] == ',' && depth == 0) {
      result.push_back(text.slice(from, i).trim());
      from = i + 1;
    }
  }
  result.push_back(text.substr(from).trim());
  return result;
}

/// The expression that "%2", "[%1]", "%[flag]" or "[%0 + 16]" names.
const Expr *expressionOf(StringRef operand, const GCCAsmStmt &text) {
  size_t percent = operand.find('%');
  if (percent == StringRef::npos)
    return nullptr;
  StringRef rest = operand.drop_front(percent + 1);
  unsigned outputs = text.getNumOutputs();
  unsigned number = 0;
  if (rest.consume_front("[")) {
    StringRef name = rest.take_until([](char c) { return c == ']'; });
    for (unsigned i = 0; i != outputs; ++i)
      if (text.getOutputName(i) == name)
        return text.getOutputExpr(i);
    for (unsigned i = 0; i != text.getNumInputs(); ++i)
      if (text.getInputName(i) == name)
        return text.getInputExpr(i);
    return nullptr;
  }
  if (rest.consumeInteger(10, number))
    return nullptr;
  if (number < outputs)
    return text.getOutputExpr(number);
  number -= outputs;
  return number < text.getNumInputs() ? text.getInputExpr(number) : nullptr;
}

} // namespace

std::optional<DeviceAccess> accessOf(const CallExpr &call,
                                     const ASTContext &context) {
  const FunctionDecl *callee = call.getDirectCallee();
  if (!callee)
    return std::nullopt;
  llvm::SmallVector<const Expr *, 4> arguments(call.arg_begin(),
                                               call.arg_end());
  if (const auto *member = dyn_cast<CXXMemberCallExpr>(&call)) {
    if (isa<CXXConversionDecl>(callee))
      return accessOfMethod(member->getImplicitObjectArgument(), "load", {},
                            context);
    if (!callee->getIdentifier())
      return std::nullopt;
    return accessOfMethod(member->getImplicitObjectArgument(),
                          callee->getName(), arguments, context);
  }
  if (const auto *operation = dyn_cast<CXXOperatorCallExpr>(&call)) {
    if (!isa<CXXMethodDecl>(callee) || arguments.empty())
      return std::nullopt;
    StringRef method;
    switch (operation->getOperator()) {
    case OO_PlusPlus:
    case OO_PlusEqual:
    case OO_PipeEqual:
    case OO_AmpEqual:
    case OO_CaretEqual:
      method = "fetch_add";
      break;
    case OO_MinusMinus:
    case OO_MinusEqual:
      method = "fetch_sub";
      break;
    case OO_Equal:
      method = "store";
      break;
    default:
      return std::nullopt;
    }
    llvm::ArrayRef<const Expr *> rest(arguments);
    bool counts = operation->getOperator() == OO_PlusPlus ||
                  operation->getOperator() == OO_MinusMinus;
    return accessOfMethod(
        arguments[0], method,
        counts ? llvm::ArrayRef<const Expr *>() : rest.drop_front(), context);
  }
  if (!callee->getIdentifier() || arguments.empty())
    return std::nullopt;
  StringRef name = callee->getName();
  // Those for a block alone say nothing to others.
  if (name.ends_with("_block"))
    return std::nullopt;
  name.consume_back("_system");
  std::optional<Kind> kind = kindOfFunction(name);
  if (!kind)
    return std::nullopt;
  DeviceAccess access;
  access.kind = *kind;
  access.memory = arguments[0];
  if (*kind == Kind::CompareExchange && arguments.size() > 2) {
    access.expected = arguments[1];
    access.operand = arguments[2];
  } else if (arguments.size() > 1 && *kind != Kind::Load) {
    access.operand = arguments[1];
  }
  // atomicInc's second argument is the number after which it starts again.
  if (name != "atomicInc" && name != "atomicDec")
    readIfUnchanged(access, context);
  return access;
}

llvm::SmallVector<DeviceAccess, 2> accessesOf(const GCCAsmStmt &text) {
  llvm::SmallVector<DeviceAccess, 2> result;
  std::string code = text.getAsmString();
  for (const Instruction &instruction : instructions(code)) {
    StringRef opcode = instruction.opcode;
    llvm::SmallVector<StringRef, 8> words;
    opcode.split(words, '.');
    auto has = [&](StringRef word) { return llvm::is_contained(words, word); };
    // Shared memory, also of a cluster, is not asked about here.
    if (llvm::any_of(words,
                     [](StringRef word) {
                       return word.starts_with("shared") || word == "local" ||
                              word == "param" || word == "const";
                     }) ||
        has("cta"))
      continue;
    auto operands = operandList(instruction.operands);
    DeviceAccess access;
    unsigned memory = 0;
    if (words[0] == "ld" &&
        (has("acquire") || has("volatile") || has("relaxed") || has("cv") ||
         has("cg") || has("mmio"))) {
      access.kind = Kind::Load;
      memory = 1;
    } else if (words[0] == "st") {
      access.kind = Kind::Store;
    } else if (words[0] == "red") {
      access.kind = Kind::Change;
    } else if (words[0] == "atom") {
      memory = 1;
      access.kind = has("cas")    ? Kind::CompareExchange
                    : has("exch") ? Kind::Exchange
                                  : Kind::Change;
    } else {
      continue;
    }
    if (operands.size() <= memory)
      continue;
    access.memory = expressionOf(operands[memory], text);
    if (!access.memory)
      continue;
    if (memory == 1)
      access.result = expressionOf(operands[0], text);
    if (access.kind == Kind::CompareExchange) {
      if (operands.size() > 3) {
        access.expected = expressionOf(operands[2], text);
        access.operand = expressionOf(operands[3], text);
      }
    } else if (access.kind != Kind::Load && operands.size() > memory + 1) {
      access.operand = expressionOf(operands[memory + 1], text);
    }
    result.push_back(access);
  }
  return result;
}

AssemblyFacts factsOf(const GCCAsmStmt &text, const ASTContext &context) {
  AssemblyFacts facts;
  for (unsigned i = 0; i != text.getNumClobbers(); ++i)
    facts.memory |= text.getClobber(i) == "memory";
  std::string code = text.getAsmString();
  for (const Instruction &instruction : instructions(code)) {
    StringRef opcode = instruction.opcode;
    if (opcode == "trap" || opcode == "exit")
      facts.ends = true;
    if (!opcode.starts_with("bar.") && !opcode.starts_with("barrier."))
      continue;
    // barrier.cluster has no number, bar.warp.sync a mask.
    if (opcode.contains("cluster") || opcode.contains("warp"))
      continue;
    auto operands = operandList(instruction.operands);
    unsigned at = opcode.contains(".red") ? 1 : 0;
    if (operands.size() <= at)
      continue;
    const Expr *number = expressionOf(operands[at], text);
    Expr::EvalResult value;
    if (number && !number->isValueDependent() &&
        !number->EvaluateAsInt(value, context))
      facts.runTimeBarrier = true;
  }
  return facts;
}

} // namespace coreside
