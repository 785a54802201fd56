// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   the definition of a kernel.
// Out:  a KernelBody.
//
// The code is walked in the order of its text, calls included, three times:
// twice to learn what variables may hold, whatever the order, and once to note
// what is done to shared memory. A loop is a wait when every way out of it
// depends on memory that it reads anew and does not change, and on nothing that
// changes from turn to turn by itself.

#include "KernelBodies.h"

#include "DeviceAccess.h"
#include "GridStride.h"
#include "KernelEvents.h"
#include "KernelTable.h"
#include "ReadBody.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSwitch.h"

#include <map>
#include <set>
#include <tuple>

using namespace clang;

namespace coreside {
namespace {

using From = DeviceNumber::From;
using Offset = DeviceNumber::Offset;
using Who = DeviceBlocks::Who;
using Access = DeviceAccess::Kind;

/// Statements walked for one kernel; larger ones are not read to the end.
constexpr unsigned statementLimit = 60000;
/// Calls inside calls.
constexpr unsigned callLimit = 24;

/// What an expression may be worth.
struct DeviceValue {
  /// Of a pointer: what it is moved on by.
  DeviceNumber number;
  /// What it points to.
  DevicePlaces points;
  /// Memory that it was read from anew, and memory that it was just read from.
  DevicePlaces loaded;
  DevicePlaces read;
  /// Objects that it is a copy of.
  DevicePlaces copies;
};

void addPlaces(DevicePlaces &to, const DevicePlaces &from) {
  for (const DevicePlace &place : from)
    if (!llvm::is_contained(to, place) && to.size() < 16)
      to.push_back(place);
}

void join(DeviceValue &to, const DeviceValue &from) {
  to.number.join(from.number);
  addPlaces(to.points, from.points);
  addPlaces(to.loaded, from.loaded);
  addPlaces(to.read, from.read);
  addPlaces(to.copies, from.copies);
}

bool overlapAny(const DevicePlaces &a, const DevicePlaces &b) {
  for (const DevicePlace &one : a)
    for (const DevicePlace &other : b)
      if (one.overlaps(other))
        return true;
  return false;
}

/// Where an lvalue lies, and what it is indexed with.
struct DeviceLvalue {
  DevicePlaces places;
  DeviceNumber index;
};

DevicePlace inside(DevicePlace place, llvm::StringRef member, bool arrow) {
  if (!place.members.empty() && !llvm::StringRef(place.members).ends_with("->"))
    place.members += '.';
  place.members += member;
  place.name += (arrow ? "->" : ".") + member.str();
  return place;
}

/// What a pointer in memory points to.
DevicePlace behind(DevicePlace place) {
  place.members += "->";
  return place;
}

/// Whether the way out of a loop can change, and by what.
struct Dependence {
  enum Kind {
    /// Not while the loop runs.
    Invariant,
    /// When memory changes.
    Memory,
    /// By itself.
    Own,
  };
  Kind kind = Invariant;
  DevicePlaces places;
  DeviceNumber index;
  /// Exchanges that take what they wait for.
  llvm::SmallVector<const void *, 2> attempts;

  void join(const Dependence &other) {
    kind = std::max(kind, other.kind);
    addPlaces(places, other.places);
    if (other.kind == Memory)
      index.join(other.index);
    attempts.append(other.attempts.begin(), other.attempts.end());
  }
};

Dependence own() {
  Dependence result;
  result.kind = Dependence::Own;
  return result;
}

/// Functions whose result depends on their arguments alone, or on those of the
/// other threads.
bool isPure(llvm::StringRef name) {
  return name.starts_with("__shfl") || name.starts_with("__syncthreads") ||
         llvm::StringSwitch<bool>(name)
             .Cases({"__any_sync",
                     "__all_sync",
                     "__ballot_sync",
                     "__any",
                     "__all",
                     "__ballot",
                     "__ldg",
                     "__popc",
                     "__ffs",
                     "__clz",
                     "__builtin_expect",
                     "min",
                     "max",
                     "abs",
                     "any",
                     "all",
                     "ballot",
                     "shfl",
                     "__uint_as_float",
                     "__float_as_uint",
                     "__int_as_float",
                     "__float_as_int",
                     "__activemask",
                     "__cvta_generic_to_global",
                     "__brev",
                     "move",
                     "forward",
                     "addressof"},
                    true)
             .Default(false);
}

class BodyReader {
public:
  BodyReader(const FunctionDecl &kernel, const ASTContext &context)
      : Kernel(kernel), Context(context) {}

  KernelBody read() {
    Body.complete = true;
    Frames.push_back({&Kernel, 0, 0, {}});
    for (unsigned pass = 0; pass != 3; ++pass) {
      Recording = pass == 2;
      Statements = 0;
      Current = 0;
      Conditions.clear();
      Loops.clear();
      walk(Kernel.getBody());
    }
    if (Statements > statementLimit)
      Body.complete = false;
    classifyWaits(Events, &variableName, Body);
    return std::move(Body);
  }

private:
  struct Frame {
    const FunctionDecl *function;
    unsigned parent;
    unsigned depth;
    /// Where the kernel itself makes the call.
    SourceLocation calledAt;
    DeviceValue object = {};
  };
  struct Condition {
    const Expr *expression;
    bool holds;
    unsigned frame;
    DeviceBlocks blocks;
  };
  struct Assignment {
    DevicePlaces places;
    /// Null for what changes by itself.
    const Expr *value;
    /// Read by inline assembly.
    Dependence direct;
    unsigned frame;
    std::vector<Condition> under;
  };
  struct Exit {
    std::vector<Condition> under;
    bool own = false;
  };
  struct LoopInside {
    unsigned frame;
    size_t conditions;
    size_t assignments;
    size_t events;
    std::vector<Exit> exits;
    bool isSwitch = false;
    /// Something in it makes the compiler read memory anew.
    bool rereads = false;
    /// The threads of the block meet in it, and may store to what they share.
    bool meets = false;
  };
  using Key = std::tuple<const void *, unsigned, std::string>;

  const FunctionDecl &Kernel;
  const ASTContext &Context;
  KernelBody Body;
  std::vector<Frame> Frames;
  std::map<std::pair<unsigned, const Stmt *>, unsigned> FrameOf;
  std::map<Key, DeviceValue> Values;
  /// By the look-up that goes on.
  mutable std::set<Key> Looked;
  std::vector<DeviceEvent> Events;
  std::vector<Condition> Conditions;
  std::vector<Assignment> Assignments;
  std::vector<LoopInside> Loops;
  unsigned Current = 0;
  bool Recording = false;
  unsigned Statements = 0;
  /// Assignments that were asked about for one way out, with how deep in
  /// arithmetic, and whether that is still being done.
  struct Asking {
    unsigned depth;
    bool active;
  };
  std::map<const Assignment *, Asking> Asked;
  unsigned ArithmeticDepth = 0;

  static std::string variableName(const void *root) {
    return static_cast<const VarDecl *>(root)->getQualifiedNameAsString();
  }

  SourcePlace placeOfEvent(SourceLocation location) const {
    return placeOf(location, Context);
  }

  /// Looks at what is noted elsewhere.
  void quietly(llvm::function_ref<void()> look) {
    bool recording = Recording;
    Recording = false;
    look();
    Recording = recording;
  }
  void quietly(unsigned frame, llvm::function_ref<void()> look) {
    unsigned outer = Current;
    Current = frame;
    quietly(look);
    Current = outer;
  }

  // Values.

  unsigned frameOf(const VarDecl *variable) const {
    for (unsigned frame = Current;; frame = Frames[frame].parent) {
      const DeclContext *around = variable->getDeclContext();
      while (around && !around->isFunctionOrMethod())
        around = around->getParent();
      if (around && cast<Decl>(around)->getCanonicalDecl() ==
                        Frames[frame].function->getCanonicalDecl())
        return frame;
      if (frame == 0)
        return Current;
    }
  }

  DevicePlace placeOfVariable(const VarDecl *variable) const {
    DevicePlace place;
    variable = variable->getCanonicalDecl();
    place.root = variable;
    place.name = variable->getNameAsString();
    place.local =
        variable->hasLocalStorage() || variable->hasAttr<CUDASharedAttr>();
    place.ofBlock = variable->hasAttr<CUDASharedAttr>();
    place.changesAnytime = variable->getType().isVolatileQualified();
    if (place.local && !variable->isFileVarDecl())
      place.frame = frameOf(variable);
    return place;
  }

  /// The number of `place`'s root among the kernel's parameters, or -1.
  int parameterOf(const DevicePlace &place) const {
    if (!place.local || place.frame != 0)
      return -1;
    for (const ParmVarDecl *parameter : Kernel.parameters())
      if (parameter->getCanonicalDecl() == place.root)
        return parameter->getFunctionScopeIndex();
    return -1;
  }

  DeviceValue lookUp(const DevicePlace &place, QualType type,
                     unsigned depth = 0) const {
    DeviceValue value;
    bool found = false;
    // Copies of copies lead to the same places again and again.
    if (depth == 0)
      Looked.clear();
    Looked.insert({place.root, place.frame, place.members});
    if (auto at = Values.find({place.root, place.frame, place.members});
        at != Values.end()) {
      value = at->second;
      found = true;
    }
    // It, or what it is in, may be a copy of something.
    if (depth < 8)
      for (llvm::StringRef whole = place.members;;) {
        if (auto at = Values.find({place.root, place.frame, whole.str()});
            at != Values.end())
          for (const DevicePlace &copied : at->second.copies) {
            DevicePlace other = copied;
            llvm::StringRef rest =
                llvm::StringRef(place.members).drop_front(whole.size());
            rest.consume_front(".");
            if (!rest.empty())
              other = inside(other, rest, false);
            if (other == place ||
                (other.local &&
                 Looked.contains({other.root, other.frame, other.members})))
              continue;
            DeviceValue from = load(other, type, depth + 1);
            if (found)
              join(value, from);
            else
              value = from;
            found = true;
          }
        if (whole.empty())
          break;
        size_t dot = whole.rfind('.');
        whole = dot == llvm::StringRef::npos ? llvm::StringRef()
                                             : whole.take_front(dot);
      }
    if (int parameter = parameterOf(place); parameter >= 0) {
      DeviceValue given;
      if (type->isPointerType() || type->isReferenceType()) {
        DevicePlace to;
        to.parameter = parameter;
        to.pointer = place.members;
        to.name = place.name;
        given.points.push_back(to);
      } else {
        if (parameter < 64)
          given.number.parameters |= 1ull << parameter;
        given.number.from |= From::NotConstant;
      }
      if (found)
        join(value, given);
      else
        value = given;
    }
    return value;
  }

  /// What is read at `place`.
  DeviceValue load(const DevicePlace &place, QualType type,
                   unsigned depth = 0) const {
    if (place.local)
      return lookUp(place, type, depth);
    DeviceValue value;
    value.number.from = From::Memory | From::NotConstant;
    if (type->isPointerType())
      value.points.push_back(behind(place));
    value.read.push_back(place);
    return value;
  }

  void assign(const DeviceLvalue &to, const DeviceValue &value) {
    for (const DevicePlace &place : to.places) {
      if (!place.local)
        continue;
      auto [at, isNew] =
          Values.try_emplace({place.root, place.frame, place.members}, value);
      if (!isNew)
        join(at->second, value);
    }
  }

  void noteAssignment(const DevicePlaces &places, const Expr *value,
                      Dependence direct = {}) {
    if (!Recording || Loops.empty())
      return;
    Assignments.push_back({places,
                           value,
                           std::move(direct),
                           Current,
                           {Conditions.begin(), Conditions.end()}});
  }

  std::optional<int64_t> constantOf(const Expr *expression) const {
    Expr::EvalResult result;
    if (!expression || expression->isValueDependent() ||
        !expression->getType()->isIntegralOrEnumerationType() ||
        !expression->EvaluateAsInt(result, Context))
      return std::nullopt;
    const llvm::APSInt &number = result.Val.getInt();
    return number.isRepresentableByInt64() ? std::optional(number.getExtValue())
                                           : std::nullopt;
  }

  /// blockIdx and its kin, in CUDA's headers an object with properties.
  static std::optional<unsigned> builtin(const Expr *base) {
    base = base->IgnoreParenImpCasts();
    if (const auto *opaque = dyn_cast<OpaqueValueExpr>(base);
        opaque && opaque->getSourceExpr())
      base = opaque->getSourceExpr()->IgnoreParenImpCasts();
    const auto *reference = dyn_cast<DeclRefExpr>(base);
    if (!reference || !reference->getDecl()->getIdentifier())
      return std::nullopt;
    return llvm::StringSwitch<std::optional<unsigned>>(
               reference->getDecl()->getName())
        .Case("blockIdx", From::Block)
        .Case("threadIdx", From::Thread)
        .Case("gridDim", From::GridSize)
        .Case("blockDim", From::NotConstant)
        .Default(std::nullopt);
  }

  DeviceValue builtinValue(unsigned from) const {
    DeviceValue value;
    value.number.from = from | From::NotConstant;
    if (from & From::Block)
      value.number.offset = Offset::Own;
    return value;
  }

  DeviceLvalue lvalue(const Expr *expression) {
    expression = expression->IgnoreParens();
    DeviceLvalue result;
    if (const auto *cast = dyn_cast<CastExpr>(expression)) {
      if (cast->getSubExpr()->isGLValue())
        return lvalue(cast->getSubExpr());
      return result;
    }
    if (const auto *reference = dyn_cast<DeclRefExpr>(expression)) {
      const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
      if (!variable)
        return result;
      DevicePlace place = placeOfVariable(variable);
      if (variable->getType()->isReferenceType()) {
        DeviceValue value = load(place, variable->getType());
        return {value.points, value.number};
      }
      result.places.push_back(place);
      return result;
    }
    if (const auto *member = dyn_cast<MemberExpr>(expression)) {
      const auto *field = dyn_cast<FieldDecl>(member->getMemberDecl());
      if (!field) {
        if (const auto *variable = dyn_cast<VarDecl>(member->getMemberDecl()))
          result.places.push_back(placeOfVariable(variable));
        return result;
      }
      if (member->isArrow()) {
        DeviceValue base = value(member->getBase());
        result = {base.points, base.number};
      } else {
        result = lvalue(member->getBase());
      }
      for (DevicePlace &place : result.places)
        place = inside(place, field->getName(), member->isArrow());
      if (field->getType()->isReferenceType()) {
        DeviceValue joined;
        for (const DevicePlace &place : result.places)
          join(joined, load(place, field->getType()));
        return {joined.points, joined.number};
      }
      return result;
    }
    if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(expression)) {
      DeviceValue base = value(subscript->getBase());
      DeviceNumber index = value(subscript->getIdx()).number;
      if (base.number.from || base.number.offset != Offset::None)
        index = sum(base.number, index, false);
      return {base.points, index};
    }
    if (const auto *unary = dyn_cast<UnaryOperator>(expression)) {
      if (unary->getOpcode() == UO_Deref) {
        DeviceValue base = value(unary->getSubExpr());
        return {base.points, base.number};
      }
      if (unary->isIncrementDecrementOp()) {
        value(unary);
        return lvalue(unary->getSubExpr());
      }
      if (unary->getOpcode() == UO_Extension)
        return lvalue(unary->getSubExpr());
      return result;
    }
    if (const auto *binary = dyn_cast<BinaryOperator>(expression)) {
      value(binary);
      return binary->isAssignmentOp()          ? lvalue(binary->getLHS())
             : binary->getOpcode() == BO_Comma ? lvalue(binary->getRHS())
                                               : result;
    }
    if (const auto *choice = dyn_cast<ConditionalOperator>(expression)) {
      result = lvalue(choice->getTrueExpr());
      DeviceLvalue other = lvalue(choice->getFalseExpr());
      addPlaces(result.places, other.places);
      result.index.join(other.index);
      return result;
    }
    if (const auto *temporary =
            dyn_cast<MaterializeTemporaryExpr>(expression)) {
      DevicePlace place;
      place.local = true;
      place.root = temporary;
      place.frame = Current;
      result.places.push_back(place);
      assign(result, value(temporary->getSubExpr()));
      return result;
    }
    if (isa<CallExpr>(expression)) {
      DeviceValue called = value(expression);
      return {called.points, called.number};
    }
    if (const auto *full = dyn_cast<FullExpr>(expression))
      return lvalue(full->getSubExpr());
    return result;
  }

  static DeviceNumber sum(const DeviceNumber &a, const DeviceNumber &b,
                          bool minus) {
    DeviceNumber result = a;
    result.join(b);
    result.constant.reset();
    Offset offset = a.offset;
    if (a.offset == Offset::None && b.offset != Offset::None) {
      offset = minus ? Offset::Mixed : b.offset;
      // What is added to a block's number.
      if (!minus && a.constant && *a.constant != 0 && !b.scaled)
        offset = *a.constant > 0 ? Offset::Above : Offset::Below;
      else if (!minus && !a.constant && !b.scaled && !(a.from & (From::Block)))
        offset = Offset::Mixed;
    } else if (a.offset != Offset::None && b.offset == Offset::None) {
      if (b.constant) {
        int64_t by = minus ? -*b.constant : *b.constant;
        if (by != 0 && !a.scaled) {
          Offset to = by > 0 ? Offset::Above : Offset::Below;
          offset =
              a.offset == Offset::Own || a.offset == to ? to : Offset::Mixed;
        }
      } else if (!a.scaled) {
        // Numbers of threads are not negative.
        bool thread = b.has(From::Thread) && !b.has(From::Memory);
        offset = minus && thread &&
                         (a.offset == Offset::Own || a.offset == Offset::Below)
                     ? Offset::Below
                     : Offset::Mixed;
      }
    } else if (a.offset != Offset::None) {
      // blockIdx.y * gridDim.x + blockIdx.x.
      offset = a.offset == b.offset && !minus ? a.offset : Offset::Mixed;
    }
    result.offset = offset;
    return result;
  }

  DeviceValue arithmetic(const BinaryOperator *binary, const DeviceValue &left,
                         const DeviceValue &right) {
    DeviceValue result = left;
    join(result, right);
    result.number.constant.reset();
    BinaryOperatorKind opcode = binary->getOpcode();
    if (BinaryOperator::isCompoundAssignmentOp(opcode))
      opcode = BinaryOperator::getOpForCompoundAssignment(opcode);
    switch (opcode) {
    case BO_Add:
      result.number = sum(left.number, right.number, false);
      break;
    case BO_Sub:
      result.number = sum(left.number, right.number, true);
      break;
    case BO_Mul:
    case BO_Shl:
      if (left.number.offset == Offset::None ||
          right.number.offset == Offset::None) {
        result.number.scaled = true;
        // round * 96
        if (left.number.constant || right.number.constant)
          result.number.step = left.number.constant ? left.number.constant
                                                    : right.number.constant;
        break;
      }
      result.number.offset = Offset::Mixed;
      break;
    default:
      if (result.number.offset != Offset::None)
        result.number.offset = Offset::Mixed;
    }
    return result;
  }

  /// `t += gridDim.x`: what belongs to the block goes on in steps of the grid.
  bool isStride(const DeviceNumber &to, const DeviceNumber &by) const {
    return to.has(From::Block) && by.has(From::GridSize) &&
           !by.has(From::Block);
  }

  DeviceValue value(const Expr *expression) {
    if (!expression)
      return {};
    expression = expression->IgnoreParens();
    if (const auto *literal = dyn_cast<IntegerLiteral>(expression)) {
      DeviceValue result;
      if (literal->getValue().getActiveBits() < 64)
        result.number.constant = literal->getValue().getZExtValue();
      return result;
    }
    if (const auto *pseudo = dyn_cast<PseudoObjectExpr>(expression))
      return value(pseudo->getSyntacticForm());
    if (const auto *property = dyn_cast<MSPropertyRefExpr>(expression)) {
      if (auto from = builtin(property->getBaseExpr()))
        return builtinValue(*from);
      return {};
    }
    if (const auto *cast = dyn_cast<CastExpr>(expression)) {
      const Expr *inner = cast->getSubExpr();
      switch (cast->getCastKind()) {
      case CK_LValueToRValue: {
        const Expr *plain = inner->IgnoreParens();
        if (const auto *member = dyn_cast<MemberExpr>(plain))
          if (auto from = builtin(member->getBase()))
            return builtinValue(*from);
        if (isa<PseudoObjectExpr, MSPropertyRefExpr>(plain))
          return value(plain);
        DeviceLvalue from = lvalue(inner);
        DeviceValue result;
        bool first = true;
        for (const DevicePlace &place : from.places) {
          DeviceValue one = load(place, inner->getType());
          if (!place.local) {
            // What is read at a block's place belongs to the block.
            one.number.from |= from.index.from & (From::Block | From::Thread |
                                                  From::Ticket | From::Strided);
            if (one.number.has(From::Block))
              one.number.offset = Offset::Mixed;
            if (inner->getType().isVolatileQualified())
              one.loaded.push_back(place);
          }
          if (first)
            result = std::move(one);
          else
            join(result, one);
          first = false;
        }
        if (first)
          result.number.from |= From::NotConstant;
        if (std::optional<int64_t> constant = constantOf(cast)) {
          result = {};
          result.number.constant = constant;
        }
        return result;
      }
      case CK_ArrayToPointerDecay: {
        DeviceLvalue to = lvalue(inner);
        DeviceValue result;
        result.points = to.places;
        result.number = to.index;
        return result;
      }
      default:
        if (inner->isGLValue() && cast->isPRValue() &&
            !cast->getType()->isRecordType())
          return value(inner);
        return value(inner);
      }
    }
    if (const auto *unary = dyn_cast<UnaryOperator>(expression)) {
      if (unary->getOpcode() == UO_AddrOf) {
        DeviceLvalue to = lvalue(unary->getSubExpr());
        DeviceValue result;
        result.points = to.places;
        result.number = to.index;
        return result;
      }
      if (unary->isIncrementDecrementOp()) {
        DeviceLvalue to = lvalue(unary->getSubExpr());
        DeviceValue step;
        step.number.from = From::NotConstant;
        DeviceValue before;
        for (const DevicePlace &place : to.places)
          join(before, load(place, unary->getType()));
        DeviceValue after = before;
        after.number.constant.reset();
        after.number.from |= From::NotConstant;
        if (after.number.offset != Offset::None) {
          Offset towards =
              unary->isIncrementOp() ? Offset::Above : Offset::Below;
          after.number.offset =
              after.number.offset == towards ? towards : Offset::Mixed;
        }
        assign(to, after);
        noteAssignment(to.places, nullptr);
        noteStore(to, unary->getBeginLoc(),
                  !unary->getSubExpr()->getType().isVolatileQualified());
        return after;
      }
      DeviceValue result = value(unary->getSubExpr());
      if (unary->getOpcode() == UO_Minus && result.number.constant)
        result.number.constant = -*result.number.constant;
      else if (unary->getOpcode() != UO_Plus && unary->getOpcode() != UO_LNot &&
               unary->getOpcode() != UO_Extension)
        result.number.constant.reset();
      return result;
    }
    if (const auto *binary = dyn_cast<BinaryOperator>(expression))
      return valueOfBinary(binary);
    if (const auto *choice =
            dyn_cast<AbstractConditionalOperator>(expression)) {
      value(choice->getCond());
      DeviceValue result = value(choice->getTrueExpr());
      join(result, value(choice->getFalseExpr()));
      return result;
    }
    if (const auto *opaque = dyn_cast<OpaqueValueExpr>(expression))
      return value(opaque->getSourceExpr());
    if (isa<CXXThisExpr>(expression))
      return object();
    if (const auto *call = dyn_cast<CallExpr>(expression))
      return valueOfCall(call);
    if (const auto *construction = dyn_cast<CXXConstructExpr>(expression))
      return valueOfConstruction(construction);
    if (const auto *list = dyn_cast<InitListExpr>(expression))
      return valueOfList(list);
    if (const auto *full = dyn_cast<FullExpr>(expression))
      return value(full->getSubExpr());
    if (const auto *temporary =
            dyn_cast<MaterializeTemporaryExpr>(expression)) {
      DeviceValue result;
      result.points = lvalue(temporary).places;
      return result;
    }
    if (const auto *bound = dyn_cast<CXXBindTemporaryExpr>(expression))
      return value(bound->getSubExpr());
    if (const auto *standard = dyn_cast<CXXStdInitializerListExpr>(expression))
      return value(standard->getSubExpr());
    if (const auto *defaulted = dyn_cast<CXXDefaultArgExpr>(expression))
      return value(defaulted->getExpr());
    if (const auto *defaulted = dyn_cast<CXXDefaultInitExpr>(expression))
      return value(defaulted->getExpr());
    if (const auto *replaced =
            dyn_cast<SubstNonTypeTemplateParmExpr>(expression))
      return value(replaced->getReplacement());
    if (isa<CXXNewExpr, CXXDeleteExpr>(expression)) {
      noteHeap(expression->getBeginLoc());
      DeviceValue result;
      result.number.from = From::NotConstant;
      return result;
    }
    if (isa<LambdaExpr, UnaryExprOrTypeTraitExpr>(expression))
      return {};
    if (expression->isGLValue()) {
      DeviceLvalue to = lvalue(expression);
      DeviceValue result;
      result.copies = to.places;
      result.number = to.index;
      return result;
    }
    DeviceValue result;
    for (const Stmt *child : expression->children())
      if (const auto *inner = dyn_cast_or_null<Expr>(child))
        join(result, value(inner));
    if (std::optional<int64_t> constant = constantOf(expression))
      result.number.constant = constant;
    return result;
  }

  /// *this of the method that is being read; a lambda's is that of the method
  /// around it.
  DeviceValue object() const {
    for (unsigned frame = Current;; frame = Frames[frame].parent) {
      const auto *method = dyn_cast<CXXMethodDecl>(Frames[frame].function);
      if (method && !method->getParent()->isLambda())
        return Frames[frame].object;
      if (frame == 0)
        return {};
    }
  }

  DeviceValue valueOfBinary(const BinaryOperator *binary) {
    if (binary->getOpcode() == BO_Comma) {
      value(binary->getLHS());
      return value(binary->getRHS());
    }
    if (binary->isLogicalOp()) {
      DeviceValue result = value(binary->getLHS());
      // a && f(): f() runs only under a.
      size_t conditions = Conditions.size();
      push(binary->getLHS(), binary->getOpcode() == BO_LAnd);
      join(result, value(binary->getRHS()));
      Conditions.resize(conditions);
      return result;
    }
    if (!binary->isAssignmentOp())
      return arithmetic(binary, value(binary->getLHS()),
                        value(binary->getRHS()));
    DeviceValue right = value(binary->getRHS());
    DeviceLvalue to = lvalue(binary->getLHS());
    if (binary->isCompoundAssignmentOp()) {
      DeviceValue left;
      bool first = true;
      for (const DevicePlace &place : to.places) {
        DeviceValue one = load(place, binary->getLHS()->getType());
        if (first)
          left = std::move(one);
        else
          join(left, one);
        first = false;
      }
      DeviceValue result;
      if (binary->getOpcode() == BO_AddAssign &&
          isStride(left.number, right.number)) {
        result = left;
        result.number.from |= From::Strided;
      } else {
        result = arithmetic(binary, left, right);
        result.number.from |= From::NotConstant;
        result.number.constant.reset();
        if (right.number.constant)
          result.number.step = right.number.constant;
      }
      assign(to, result);
      bool gathers = binary->getOpcode() == BO_OrAssign ||
                     binary->getOpcode() == BO_AndAssign;
      noteAssignment(to.places, gathers ? binary->getRHS() : nullptr);
      noteStore(to, binary->getBeginLoc(),
                !binary->getLHS()->getType().isVolatileQualified());
      return result;
    }
    // t = t + gridDim.x
    if (const auto *add =
            dyn_cast<BinaryOperator>(binary->getRHS()->IgnoreParenImpCasts());
        add && add->getOpcode() == BO_Add) {
      quietly([&] {
        DeviceValue first = value(add->getLHS());
        DeviceValue second = value(add->getRHS());
        if (isStride(first.number, second.number) &&
            overlapAny(to.places, lvalueIfAny(add->getLHS()))) {
          right = first;
          right.number.from |= From::Strided;
        }
      });
    }
    assign(to, right);
    noteAssignment(to.places, binary->getRHS());
    noteStore(to, binary->getBeginLoc(),
              !binary->getLHS()->getType().isVolatileQualified());
    return right;
  }

  DevicePlaces lvalueIfAny(const Expr *expression) {
    const Expr *plain = expression->IgnoreParenImpCasts();
    return plain->isGLValue() ? lvalue(plain).places : DevicePlaces();
  }

  DeviceValue valueOfConstruction(const CXXConstructExpr *construction) {
    const CXXConstructorDecl *constructor = construction->getConstructor();
    const CXXRecordDecl *record = constructor->getParent();
    if (constructor->isCopyOrMoveConstructor() &&
        construction->getNumArgs() >= 1) {
      DeviceValue result;
      const Expr *from = construction->getArg(0);
      if (from->isGLValue())
        result.copies = lvalue(from).places;
      else
        result = value(from);
      return result;
    }
    // An atomic_ref stands for what it refers to.
    if (record->getIdentifier() && record->getName().contains("atomic_ref") &&
        construction->getNumArgs() >= 1 &&
        construction->getArg(0)->isGLValue()) {
      DeviceLvalue to = lvalue(construction->getArg(0));
      DeviceValue result;
      result.points = to.places;
      result.number = to.index;
      return result;
    }
    DevicePlace place;
    place.local = true;
    place.root = construction;
    place.frame = Current;
    DeviceValue result;
    result.copies.push_back(place);
    DeviceValue object;
    object.points.push_back(place);
    llvm::SmallVector<const Expr *, 4> arguments(construction->arg_begin(),
                                                 construction->arg_end());
    enter(construction, constructor, object, arguments);
    return result;
  }

  DeviceValue valueOfList(const InitListExpr *list) {
    if (list->isSemanticForm() == false && list->getSemanticForm())
      list = list->getSemanticForm();
    const CXXRecordDecl *record = list->getType()->getAsCXXRecordDecl();
    DeviceValue result;
    if (!record || record->isUnion()) {
      for (const Expr *one : list->inits())
        join(result, value(one));
      return result;
    }
    DevicePlace place;
    place.local = true;
    place.root = list;
    place.frame = Current;
    unsigned next = record->getNumBases();
    for (const FieldDecl *field : record->fields()) {
      if (field->isUnnamedBitField() || next >= list->getNumInits())
        continue;
      const Expr *init = list->getInit(next++);
      DeviceLvalue to;
      to.places.push_back(inside(place, field->getName(), false));
      assign(to, bound(init, field->getType()));
    }
    result.copies.push_back(place);
    return result;
  }

  /// What a variable of `type` holds that starts as `init`.
  DeviceValue bound(const Expr *init, QualType type) {
    if (!type->isReferenceType())
      return value(init);
    DeviceLvalue to = lvalue(init);
    DeviceValue result;
    result.points = to.places;
    result.number = to.index;
    return result;
  }

  // Calls.

  DeviceValue unseen(llvm::ArrayRef<const Expr *> arguments, bool pure) {
    DeviceValue result;
    for (const Expr *argument : arguments) {
      DeviceValue one =
          argument->isGLValue() && !argument->getType()->isRecordType()
              ? DeviceValue()
              : value(argument);
      join(result, one);
    }
    result.number.constant.reset();
    if (!pure) {
      result.number.from |= From::Unseen | From::NotConstant;
      // It may store through pointers to locals.
      for (const Expr *argument : arguments) {
        DevicePlaces to;
        quietly([&] {
          if (argument->getType()->isPointerType())
            to = value(argument).points;
          else if (argument->isGLValue())
            to = lvalue(argument).places;
        });
        noteAssignment(to, nullptr);
      }
    }
    return result;
  }

  void noteHeap(SourceLocation location) {
    if (Recording && !Body.heap)
      Body.heap = placeOfEvent(location);
  }

  /// Facts of calls by name.
  void noteCall(const CallExpr *call, llvm::StringRef name) {
    SourceLocation location = call->getBeginLoc();
    auto note = [&](std::optional<SourcePlace> &fact) {
      if (!fact)
        fact = placeOfEvent(location);
    };
    if (!Recording)
      return;
    if (name == "malloc" || name == "free")
      note(Body.heap);
    else if (name == "printf" || name == "vprintf" || name == "puts")
      note(Body.prints);
    else if (name == "__assert_fail" || name == "__assertfail" ||
             name == "__assert" || name == "_wassert")
      note(Body.asserts);
    else if (name == "cudaLaunchDevice" || name == "cudaLaunchDeviceV2" ||
             name == "cudaLaunchKernel" || name == "cudaLaunchKernelEx")
      note(Body.launches);
    else if (name == "__barrier_sync" || name == "__barrier_sync_count" ||
             name == "__named_barrier_sync") {
      if (call->getNumArgs() && !constantOf(call->getArg(0)))
        note(Body.runTimeBarrier);
    } else if (name == "cudaCGSynchronize") {
      note(Body.gridSync);
      Body.gridSyncAlways |= Conditions.empty();
    } else if (name == "sync" || name == "barrier_wait") {
      const Expr *group = nullptr;
      if (const auto *member = dyn_cast<CXXMemberCallExpr>(call))
        group = member->getImplicitObjectArgument();
      else if (call->getNumArgs())
        group = call->getArg(0);
      QualType type =
          group ? group->IgnoreParenImpCasts()->getType().getNonReferenceType()
                : QualType();
      if (!type.isNull() && type->isPointerType())
        type = type->getPointeeType();
      const CXXRecordDecl *record =
          type.isNull() ? nullptr : type->getAsCXXRecordDecl();
      if (!record || !record->getIdentifier() ||
          !record->getQualifiedNameAsString().starts_with(
              "cooperative_groups::"))
        return;
      if (record->getName() != "grid_group" &&
          record->getName() != "multi_grid_group")
        return;
      note(record->getName() == "grid_group" ? Body.gridSync
                                             : Body.multiGridSync);
      Body.gridSyncAlways |= Conditions.empty();
    }
  }

  DeviceValue valueOfCall(const CallExpr *call) {
    ++Statements;
    const FunctionDecl *callee = call->getDirectCallee();
    llvm::SmallVector<const Expr *, 4> arguments(call->arg_begin(),
                                                 call->arg_end());
    if (isa<CUDAKernelCallExpr>(call)) {
      if (Recording && !Body.launches)
        Body.launches = placeOfEvent(call->getBeginLoc());
      return {};
    }
    if (!callee) {
      Body.complete = false;
      return unseen(arguments, false);
    }
    llvm::StringRef name =
        callee->getIdentifier() ? callee->getName() : llvm::StringRef();
    noteCall(call, name);
    if (std::optional<DeviceAccess> access = accessOf(*call, Context))
      return play(*access, call->getBeginLoc());
    if (name.starts_with("__threadfence") ||
        name.starts_with("__syncthreads") || name == "__nanosleep" ||
        name == "__syncwarp" || name == "atomic_thread_fence" ||
        name == "__nv_atomic_thread_fence")
      reread();
    if (name.starts_with("__syncthreads"))
      for (LoopInside &loop : Loops)
        loop.meets = true;
    if (name == "__trap" || name == "__builtin_trap" || name == "exit" ||
        name == "__assert_fail" || name == "__assertfail")
      leave(/*everything=*/true);
    if (name == "clock" || name == "clock64" || name == "wall_clock64" ||
        name == "__globaltimer" || name == "globaltimer") {
      DeviceValue result;
      result.number.from = From::Clock | From::NotConstant;
      return result;
    }
    DeviceValue object;
    const auto *method = dyn_cast<CXXMethodDecl>(callee);
    if (const auto *member = dyn_cast<CXXMemberCallExpr>(call)) {
      const Expr *whole = member->getImplicitObjectArgument();
      if (whole && whole->getType()->isPointerType()) {
        object = value(whole);
      } else if (whole) {
        DeviceLvalue to = lvalue(whole);
        object.points = to.places;
        object.number = to.index;
      }
      if (DeviceValue result; asGroup(method, result))
        return result;
    } else if (method && method->isInstance() && !arguments.empty()) {
      // An operator: the first argument is the object.
      const Expr *whole = arguments[0];
      if (whole->isGLValue()) {
        DeviceLvalue to = lvalue(whole);
        object.points = to.places;
        object.number = to.index;
      }
      arguments.erase(arguments.begin());
      if (method->isCopyAssignmentOperator() ||
          method->isMoveAssignmentOperator())
        if (!readDefinition(method) || method->isDefaulted()) {
          DeviceValue copied;
          if (!arguments.empty() && arguments[0]->isGLValue())
            copied.copies = lvalue(arguments[0]).places;
          DeviceLvalue to{object.points, object.number};
          assign(to, copied);
          noteStore(to, call->getBeginLoc(), true);
          return copied;
        }
    }
    if (std::optional<DeviceValue> result =
            enter(call, callee, object, arguments))
      return *result;
    return unseen(arguments, isPure(name));
  }

  /// Ranks and sizes that cooperative_groups gives.
  bool asGroup(const CXXMethodDecl *method, DeviceValue &result) const {
    if (!method || !method->getIdentifier() ||
        !method->getParent()->getIdentifier())
      return false;
    llvm::StringRef group = method->getParent()->getName();
    llvm::StringRef name = method->getName();
    if (group == "grid_group") {
      unsigned from = llvm::StringSwitch<unsigned>(name)
                          .Cases({"block_rank", "block_index"}, From::Block)
                          .Case("thread_rank", From::Block | From::Thread)
                          .Cases({"size", "num_threads", "num_blocks",
                                  "dim_blocks", "group_dim"},
                                 From::GridSize)
                          .Default(0);
      if (from)
        result = builtinValue(from);
      if (from & From::Thread)
        result.number.scaled = true;
      return from != 0;
    }
    if (group == "thread_block" || group == "coalesced_group" ||
        group.starts_with("thread_block_tile")) {
      if (name == "group_index" || name == "block_index") {
        result = builtinValue(From::Block);
        return true;
      }
      if (name == "thread_rank" || name == "thread_index") {
        result = builtinValue(From::Thread);
        return true;
      }
    }
    return false;
  }

  /// Follows a call; nothing where its body is not there.
  std::optional<DeviceValue> enter(const Expr *call, const FunctionDecl *callee,
                                   const DeviceValue &object,
                                   llvm::ArrayRef<const Expr *> arguments) {
    const FunctionDecl *definition = readDefinition(callee);
    if (!definition || definition->isDependentContext())
      return std::nullopt;
    if (Frames[Current].depth >= callLimit || Statements > statementLimit) {
      Body.complete = false;
      return std::nullopt;
    }
    for (unsigned frame = Current;; frame = Frames[frame].parent) {
      if (Frames[frame].function == definition)
        return std::nullopt;
      if (frame == 0)
        break;
    }
    auto [at, isNew] = FrameOf.try_emplace({Current, call}, Frames.size());
    unsigned frame = at->second;
    if (isNew)
      Frames.push_back(
          {definition, Current, Frames[Current].depth + 1,
           Current == 0 ? call->getBeginLoc() : Frames[Current].calledAt});
    join(Frames[frame].object, object);
    for (unsigned i = 0; i != definition->getNumParams(); ++i) {
      const ParmVarDecl *parameter = definition->getParamDecl(i);
      DevicePlace place;
      place.local = true;
      place.root = parameter->getCanonicalDecl();
      place.frame = frame;
      place.name = parameter->getNameAsString();
      if (i >= arguments.size())
        break;
      const Expr *argument = arguments[i];
      DeviceValue given = bound(argument, parameter->getType());
      DeviceLvalue to;
      to.places.push_back(place);
      assign(to, given);
      noteAssignment(to.places, argument);
    }
    unsigned outer = Current;
    size_t conditions = Conditions.size();
    Current = frame;
    if (const auto *constructor = dyn_cast<CXXConstructorDecl>(definition))
      for (const CXXCtorInitializer *initialiser : constructor->inits()) {
        if (!initialiser->isAnyMemberInitializer()) {
          value(initialiser->getInit());
          continue;
        }
        const FieldDecl *field = initialiser->getAnyMember();
        DeviceLvalue to;
        for (const DevicePlace &place : object.points)
          to.places.push_back(inside(place, field->getName(), false));
        assign(to, bound(initialiser->getInit(), field->getType()));
      }
    walk(definition->getBody());
    Conditions.resize(conditions);
    Current = outer;
    DevicePlace result;
    result.local = true;
    result.root = definition;
    result.frame = frame;
    return lookUp(result, definition->getReturnType());
  }

  // Memory that is shared.

  DeviceBlocks blocksNow() const {
    DeviceBlocks blocks;
    for (const Condition &condition : Conditions)
      blocks = both(blocks, condition.blocks);
    return blocks;
  }

  static DeviceBlocks both(const DeviceBlocks &a, const DeviceBlocks &b) {
    if (a.who == Who::All || a.who == b.who)
      return b;
    if (b.who == Who::All)
      return a;
    auto isOne = [](Who who, Who one, Who notOther) {
      return who == one || who == notOther;
    };
    if (isOne(a.who, Who::First, Who::NotLast) &&
        isOne(b.who, Who::First, Who::NotLast))
      return a.who == Who::First ? a : b;
    if (isOne(a.who, Who::Last, Who::NotFirst) &&
        isOne(b.who, Who::Last, Who::NotFirst))
      return a.who == Who::Last ? a : b;
    DeviceBlocks some;
    some.who = Who::Some;
    return some;
  }

  void noteEvent(DeviceEvent event, SourceLocation location) {
    llvm::erase_if(event.places,
                   [](const DevicePlace &place) { return place.local; });
    if (event.places.empty())
      return;
    event.place = placeOfEvent(location);
    if (Current != 0)
      event.calledAt = placeOfEvent(Frames[Current].calledAt);
    event.blocks = blocksNow();
    Events.push_back(std::move(event));
  }

  void noteStore(const DeviceLvalue &to, SourceLocation location, bool plain) {
    if (!Recording)
      return;
    DeviceEvent event;
    event.places = to.places;
    event.index = to.index;
    event.plain = plain;
    noteEvent(std::move(event), location);
  }

  DeviceLvalue memoryOf(const DeviceAccess &access) {
    if (!access.isObject) {
      DeviceValue pointer = value(access.memory);
      return {pointer.points, pointer.number};
    }
    DeviceLvalue object;
    if (access.memory->isGLValue()) {
      object = lvalue(access.memory);
    } else {
      DeviceValue made = value(access.memory);
      return {made.points, made.number};
    }
    // A reference object stands for what it was made from.
    const CXXRecordDecl *record =
        access.memory->getType()->getAsCXXRecordDecl();
    if (record && record->getIdentifier() &&
        record->getName().contains("atomic_ref")) {
      DeviceLvalue to;
      for (const DevicePlace &place : object.places) {
        DeviceValue held = load(place, access.memory->getType());
        addPlaces(to.places, held.points);
        to.index.join(held.number);
      }
      return to;
    }
    return object;
  }

  DeviceValue play(const DeviceAccess &access, SourceLocation location) {
    DeviceLvalue to = memoryOf(access);
    DeviceValue result;
    result.number.from = From::NotConstant;
    bool shared = llvm::any_of(
        to.places, [](const DevicePlace &place) { return place.isShared(); });
    if (access.expected)
      value(access.expected);
    DeviceValue operand;
    if (access.operand)
      operand = value(access.operand);
    DeviceEvent event;
    event.places = to.places;
    event.index = to.index;
    event.number = operand.number;
    event.expression = access.memory;
    if (shared)
      reread();
    switch (access.kind) {
    case Access::Load:
      result.number.from |= From::Memory;
      result.loaded = to.places;
      return result;
    case Access::Store:
    case Access::Release:
      event.kind = DeviceEvent::Kind::Write;
      break;
    case Access::Change:
    case Access::Decrease:
      event.kind = access.kind == Access::Change ? DeviceEvent::Kind::Change
                                                 : DeviceEvent::Kind::Decrease;
      if (shared) {
        result.number.from |= From::Ticket;
        if (access.kind == Access::Decrease)
          result.number.from |= From::CountedDown;
        // atomicInc(p, gridDim.x - 1) starts again by itself.
        result.number.parameters |= operand.number.parameters;
        result.number.from |= operand.number.from & From::GridSize;
      }
      result.number.tickets = to.places;
      break;
    case Access::Exchange:
    case Access::CompareExchange:
      event.kind = DeviceEvent::Kind::Exchange;
      if (shared)
        result.number.from |= From::Elected;
      result.number.tickets = to.places;
      break;
    case Access::Arrive:
      event.kind = DeviceEvent::Kind::Change;
      event.number.from |= From::GridSize;
      break;
    case Access::ArriveAndWait:
      event.kind = DeviceEvent::Kind::Wait;
      event.arrives = true;
      break;
    case Access::Wait:
      event.kind = DeviceEvent::Kind::Wait;
      break;
    case Access::Acquire:
      event.kind = DeviceEvent::Kind::Wait;
      event.takes = true;
      break;
    }
    if (access.kind == Access::Load || !Recording)
      return result;
    noteEvent(std::move(event), location);
    return result;
  }

  // Statements.

  void reread() {
    for (LoopInside &loop : Loops)
      loop.rereads = true;
  }

  std::vector<Condition> conditionsSince(size_t start) const {
    return {Conditions.begin() + std::min(start, Conditions.size()),
            Conditions.end()};
  }

  /// The way out by return, or by the end of the whole kernel.
  void leave(bool everything) {
    if (!Recording)
      return;
    for (LoopInside &loop : Loops)
      if (!loop.isSwitch && (everything || loop.frame == Current))
        loop.exits.push_back({conditionsSince(loop.conditions)});
  }

  void push(const Expr *condition, bool holds) {
    DeviceBlocks blocks;
    if (Recording)
      blocks = blocksUnder(condition, holds);
    Conditions.push_back({condition, holds, Current, blocks});
  }

  static bool endsFlow(const Stmt *statement) {
    if (!statement)
      return false;
    if (isa<ReturnStmt, ContinueStmt, BreakStmt, GotoStmt>(statement))
      return true;
    if (const auto *compound = dyn_cast<CompoundStmt>(statement))
      return !compound->body_empty() && endsFlow(compound->body_back());
    return false;
  }

  void walk(const Stmt *statement) {
    if (!statement || ++Statements > statementLimit)
      return;
    if (const auto *expression = dyn_cast<Expr>(statement)) {
      value(expression);
      return;
    }
    if (const auto *compound = dyn_cast<CompoundStmt>(statement)) {
      for (const Stmt *child : compound->body())
        walk(child);
      return;
    }
    if (const auto *declarations = dyn_cast<DeclStmt>(statement)) {
      for (const Decl *declaration : declarations->decls())
        if (const auto *variable = dyn_cast<VarDecl>(declaration))
          declare(variable);
      return;
    }
    if (const auto *branch = dyn_cast<IfStmt>(statement))
      return walkIf(branch);
    if (const auto *loop = dyn_cast<WhileStmt>(statement))
      return walkLoop(nullptr, loop->getCond(), nullptr, loop->getBody(), false,
                      loop->getWhileLoc());
    if (const auto *loop = dyn_cast<DoStmt>(statement))
      return walkLoop(nullptr, loop->getCond(), nullptr, loop->getBody(), true,
                      loop->getDoLoc());
    if (const auto *loop = dyn_cast<ForStmt>(statement))
      return walkLoop(loop->getInit(), loop->getCond(), loop->getInc(),
                      loop->getBody(), false, loop->getForLoc());
    if (const auto *loop = dyn_cast<CXXForRangeStmt>(statement)) {
      walk(loop->getRangeStmt());
      walk(loop->getLoopVarStmt());
      // Its end is known when it begins.
      Loops.push_back(
          {Current, Conditions.size(), Assignments.size(), Events.size(), {}});
      walk(loop->getBody());
      Conditions.resize(Loops.back().conditions);
      Loops.pop_back();
      return;
    }
    if (const auto *choice = dyn_cast<SwitchStmt>(statement)) {
      value(choice->getCond());
      Loops.push_back({Current,
                       Conditions.size(),
                       Assignments.size(),
                       Events.size(),
                       {},
                       /*isSwitch=*/true});
      push(choice->getCond(), true);
      Conditions.back().blocks = {};
      if (unsigned from = numberIn(choice->getCond(), Current).from;
          from & (From::Block | From::Ticket | From::Elected))
        Conditions.back().blocks.who = Who::Some;
      walk(choice->getBody());
      Conditions.resize(Loops.back().conditions);
      Loops.pop_back();
      return;
    }
    if (const auto *result = dyn_cast<ReturnStmt>(statement)) {
      if (const Expr *returned = result->getRetValue()) {
        DevicePlace place;
        place.local = true;
        place.root = Frames[Current].function;
        place.frame = Current;
        DeviceLvalue to;
        to.places.push_back(place);
        DeviceValue given =
            bound(returned, Frames[Current].function->getReturnType());
        assign(to, given);
        noteAssignment(to.places, returned);
      }
      leave(false);
      return;
    }
    if (isa<BreakStmt>(statement)) {
      if (Recording && !Loops.empty() && !Loops.back().isSwitch)
        Loops.back().exits.push_back(
            {conditionsSince(Loops.back().conditions)});
      return;
    }
    if (isa<GotoStmt, IndirectGotoStmt>(statement)) {
      for (LoopInside &loop : Loops)
        loop.exits.push_back({{}, /*own=*/true});
      return;
    }
    if (const auto *text = dyn_cast<GCCAsmStmt>(statement))
      return walkAssembly(text);
    for (const Stmt *child : statement->children())
      walk(child);
  }

  void declare(const VarDecl *variable) {
    if (!variable->getInit())
      return;
    DeviceLvalue to;
    to.places.push_back(placeOfVariable(variable));
    assign(to, bound(variable->getInit(), variable->getType()));
    noteAssignment(to.places, variable->getInit());
  }

  void walkIf(const IfStmt *branch) {
    walk(branch->getInit());
    if (const DeclStmt *variable = branch->getConditionVariableDeclStmt())
      walk(variable);
    value(branch->getCond());
    std::optional<int64_t> decided = constantOf(branch->getCond());
    size_t conditions = Conditions.size();
    if (!decided || *decided) {
      push(branch->getCond(), true);
      walk(branch->getThen());
      Conditions.resize(conditions);
    }
    if (branch->getElse() && (!decided || !*decided)) {
      push(branch->getCond(), false);
      walk(branch->getElse());
      Conditions.resize(conditions);
    }
    if (decided)
      return;
    // What follows an arm that leaves runs only without it.
    if (endsFlow(branch->getThen()))
      push(branch->getCond(), false);
    else if (branch->getElse() && endsFlow(branch->getElse()))
      push(branch->getCond(), true);
  }

  void walkAssembly(const GCCAsmStmt *text) {
    AssemblyFacts facts = factsOf(*text, Context);
    if (facts.runTimeBarrier && Recording && !Body.runTimeBarrier)
      Body.runTimeBarrier = placeOfEvent(text->getAsmLoc());
    if (facts.memory)
      reread();
    if (facts.ends)
      leave(/*everything=*/true);
    // Outputs depend on inputs.
    DeviceValue inputs;
    for (unsigned i = 0; i != text->getNumInputs(); ++i)
      join(inputs, value(text->getInputExpr(i)));
    inputs.points.clear();
    inputs.number.from |= From::NotConstant;
    std::string code = text->getAsmString();
    if (llvm::StringRef(code).contains("clock") ||
        llvm::StringRef(code).contains("globaltimer"))
      inputs.number.from |= From::Clock;
    auto accesses = accessesOf(*text);
    for (unsigned i = 0; i != text->getNumOutputs(); ++i) {
      const Expr *output = text->getOutputExpr(i);
      DeviceLvalue to = lvalue(output);
      DeviceValue result = inputs;
      Dependence direct;
      if (inputs.number.has(From::Clock))
        direct = own();
      for (const DeviceAccess &access : accesses)
        if (access.result == output) {
          DeviceLvalue memory = memoryOf(access);
          direct = ofAccess(access, memory);
        }
      for (const DeviceAccess &access : accesses)
        if (access.result == output)
          result = play(access, text->getAsmLoc());
      assign(to, result);
      noteAssignment(to.places, nullptr, direct);
    }
    for (const DeviceAccess &access : accesses)
      if (!access.result)
        play(access, text->getAsmLoc());
  }

  void walkLoop(const Stmt *init, const Expr *condition, const Expr *step,
                const Stmt *body, bool bodyFirst, SourceLocation location) {
    walk(init);
    size_t conditions = Conditions.size();
    Loops.push_back(
        {Current, conditions, Assignments.size(), Events.size(), {}});
    if (!bodyFirst && condition)
      value(condition);
    walk(body);
    Conditions.resize(conditions);
    if (step)
      value(step);
    if (bodyFirst && condition)
      value(condition);
    Conditions.resize(conditions);
    LoopInside loop = std::move(Loops.back());
    Loops.pop_back();
    if (Recording)
      judgeLoop(loop, condition, location);
    Conditions.resize(conditions);
  }

  // Loops.

  /// The ways in which `condition` may come to be `holds`, each a list of
  /// expressions that all take part.
  void ways(const Expr *condition, bool holds, unsigned frame,
            std::vector<std::vector<Condition>> &result) const {
    const Expr *plain = condition->IgnoreParenImpCasts();
    if (const auto *unary = dyn_cast<UnaryOperator>(plain);
        unary && unary->getOpcode() == UO_LNot)
      return ways(unary->getSubExpr(), !holds, frame, result);
    if (const auto *binary = dyn_cast<BinaryOperator>(plain);
        binary && binary->isLogicalOp() &&
        (binary->getOpcode() == BO_LOr) == holds) {
      ways(binary->getLHS(), holds, frame, result);
      ways(binary->getRHS(), holds, frame, result);
      return;
    }
    result.push_back({{condition, holds, frame, {}}});
  }

  void judgeLoop(const LoopInside &loop, const Expr *condition,
                 SourceLocation location) {
    std::vector<std::vector<Condition>> exits;
    if (condition) {
      std::optional<int64_t> constant = constantOf(condition);
      if (constant && *constant == 0)
        return;
      if (!constant)
        ways(condition, false, Current, exits);
    }
    for (const Exit &exit : loop.exits) {
      if (exit.own || exit.under.empty())
        return;
      if (exit.under.size() == 1)
        ways(exit.under[0].expression, exit.under[0].holds, exit.under[0].frame,
             exits);
      else
        exits.push_back(exit.under);
    }
    Dependence all;
    DeviceEvent wait;
    wait.kind = DeviceEvent::Kind::Wait;
    bool first = true;
    for (const std::vector<Condition> &way : exits) {
      Dependence one;
      for (const Condition &part : way) {
        Asked.clear();
        one.join(dependence(part.expression, part.frame, loop));
      }
      if (one.kind == Dependence::Own)
        return;
      if (one.kind == Dependence::Invariant)
        continue;
      all.join(one);
      for (const Condition &part : way) {
        DeviceNumber number = numberIn(part.expression, part.frame);
        if (first)
          wait.number = number;
        else
          wait.number.join(number);
        if (std::optional<int64_t> compared = comparedWith(part.expression))
          wait.compared = compared;
        first = false;
      }
    }
    if (all.kind != Dependence::Memory)
      return;
    llvm::erase_if(all.places,
                   [](const DevicePlace &place) { return place.local; });
    auto isAttempt = [&](const DeviceEvent &event) {
      return event.expression &&
             llvm::is_contained(all.attempts, event.expression);
    };
    // What the loop itself brings on is no wait.
    for (size_t i = loop.events; i != Events.size(); ++i) {
      const DeviceEvent &event = Events[i];
      if (event.kind == DeviceEvent::Kind::Wait || isAttempt(event))
        continue;
      if (overlapAny(event.places, all.places))
        return;
    }
    Events.erase(
        std::remove_if(Events.begin() + loop.events, Events.end(), isAttempt),
        Events.end());
    wait.places = all.places;
    wait.index = all.index;
    wait.takes = !all.attempts.empty();
    noteEvent(std::move(wait), location);
  }

  DeviceNumber numberIn(const Expr *expression, unsigned frame) {
    DeviceNumber number;
    quietly(frame, [&] { number = value(expression).number; });
    return number;
  }

  std::optional<int64_t> comparedWith(const Expr *condition) const {
    const Expr *plain = condition->IgnoreParenImpCasts();
    if (const auto *binary = dyn_cast<BinaryOperator>(plain)) {
      if (binary->isComparisonOp()) {
        if (auto right = constantOf(binary->getRHS()))
          return right;
        return constantOf(binary->getLHS());
      }
      return std::nullopt;
    }
    return 0;
  }

  Dependence ofAccess(const DeviceAccess &access, const DeviceLvalue &memory) {
    DevicePlaces shared = memory.places;
    llvm::erase_if(shared,
                   [](const DevicePlace &place) { return place.local; });
    Dependence result;
    if (shared.empty())
      return own();
    switch (access.kind) {
    case Access::Load:
      break;
    case Access::CompareExchange: {
      // With what was read there before: an update that others only delay.
      DeviceValue expected = value(access.expected);
      if (const Expr *plain = access.expected
                                  ? access.expected->IgnoreParenImpCasts()
                                  : nullptr;
          plain && plain->isGLValue())
        for (const DevicePlace &place : lvalue(plain).places)
          join(expected, load(place, plain->getType()));
      if (overlapAny(expected.loaded, shared) ||
          overlapAny(expected.read, shared) ||
          overlapAny(expected.number.tickets, shared))
        return own();
      result.attempts.push_back(access.memory);
      break;
    }
    case Access::Exchange:
      result.attempts.push_back(access.memory);
      break;
    default:
      return own();
    }
    result.kind = Dependence::Memory;
    result.places = shared;
    result.index = memory.index;
    return result;
  }

  /// What `expression`, in `frame`, depends on while `loop` turns.
  Dependence dependence(const Expr *expression, unsigned frame,
                        const LoopInside &loop) {
    Dependence result;
    quietly(frame, [&] { result = depends(expression, loop); });
    return result;
  }

  Dependence depends(const Expr *expression, const LoopInside &loop) {
    expression = expression->IgnoreParens();
    if (const auto *pseudo = dyn_cast<PseudoObjectExpr>(expression))
      return depends(pseudo->getSyntacticForm(), loop);
    if (isa<MSPropertyRefExpr, DeclRefExpr, CXXThisExpr, LambdaExpr>(
            expression))
      return {};
    if (const auto *cast = dyn_cast<CastExpr>(expression)) {
      if (cast->getCastKind() != CK_LValueToRValue)
        return depends(cast->getSubExpr(), loop);
      const Expr *inner = cast->getSubExpr()->IgnoreParens();
      if (const auto *member = dyn_cast<MemberExpr>(inner);
          member && builtin(member->getBase()))
        return {};
      if (isa<PseudoObjectExpr, MSPropertyRefExpr>(inner) || constantOf(cast))
        return {};
      return dependsOnLoad(inner, loop);
    }
    if (const auto *unary = dyn_cast<UnaryOperator>(expression)) {
      if (unary->isIncrementDecrementOp())
        return own();
      return depends(unary->getSubExpr(), loop);
    }
    if (const auto *binary = dyn_cast<BinaryOperator>(expression)) {
      if (binary->isCompoundAssignmentOp())
        return own();
      if (binary->isAssignmentOp())
        return depends(binary->getRHS(), loop);
      if (binary->isMultiplicativeOp() || binary->isAdditiveOp() ||
          binary->isShiftOp() || binary->getOpcode() == BO_Xor) {
        ++ArithmeticDepth;
        Dependence result = depends(binary->getLHS(), loop);
        result.join(depends(binary->getRHS(), loop));
        --ArithmeticDepth;
        return result;
      }
    }
    if (const auto *call = dyn_cast<CallExpr>(expression))
      return dependsOnCall(call, loop);
    if (const auto *opaque = dyn_cast<OpaqueValueExpr>(expression))
      return opaque->getSourceExpr() ? depends(opaque->getSourceExpr(), loop)
                                     : Dependence();
    if (isa<StmtExpr, CXXNewExpr>(expression))
      return own();
    Dependence result;
    for (const Stmt *child : expression->children())
      if (const auto *inner = dyn_cast_or_null<Expr>(child))
        result.join(depends(inner, loop));
    return result;
  }

  /// The address of what is read may itself change.
  Dependence dependsOnAddress(const Expr *expression, const LoopInside &loop) {
    expression = expression->IgnoreParens();
    if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(expression)) {
      Dependence result = depends(subscript->getIdx(), loop);
      result.join(depends(subscript->getBase(), loop));
      return result;
    }
    if (const auto *member = dyn_cast<MemberExpr>(expression))
      return member->isArrow() ? depends(member->getBase(), loop)
                               : dependsOnAddress(member->getBase(), loop);
    if (const auto *unary = dyn_cast<UnaryOperator>(expression))
      return depends(unary->getSubExpr(), loop);
    if (isa<DeclRefExpr>(expression)) {
      const auto *variable =
          dyn_cast<VarDecl>(cast<DeclRefExpr>(expression)->getDecl());
      if (variable && variable->getType()->isReferenceType())
        return dependsOnVariable({placeOfVariable(variable)}, loop);
      return {};
    }
    if (const auto *cast = dyn_cast<CastExpr>(expression))
      return dependsOnAddress(cast->getSubExpr(), loop);
    return depends(expression, loop);
  }

  Dependence dependsOnLoad(const Expr *inner, const LoopInside &loop) {
    DeviceLvalue from = lvalue(inner);
    DevicePlaces local, shared;
    for (const DevicePlace &place : from.places)
      (place.local ? local : shared).push_back(place);
    Dependence result;
    if (!local.empty())
      result.join(dependsOnVariable(local, loop));
    if (from.places.empty())
      return own();
    Dependence address = dependsOnAddress(inner, loop);
    if (shared.empty()) {
      // An array's element by a number that changes.
      if (address.kind == Dependence::Own)
        return own();
      return result;
    }
    if (address.kind != Dependence::Invariant)
      return own();
    if (!inner->getType().isVolatileQualified()) {
      for (size_t i = loop.events; i < Events.size(); ++i)
        if (Events[i].kind != DeviceEvent::Kind::Wait &&
            overlapAny(Events[i].places, shared))
          return own();
      if (!loop.rereads)
        return result;
    }
    Dependence memory;
    memory.kind = Dependence::Memory;
    memory.places = shared;
    memory.index = from.index;
    result.join(memory);
    return result;
  }

  Dependence dependsOnVariable(const DevicePlaces &places,
                               const LoopInside &loop) {
    Dependence result;
    bool any = false;
    for (size_t i = loop.assignments; i < Assignments.size(); ++i) {
      const Assignment &assignment = Assignments[i];
      if (!overlapAny(assignment.places, places))
        continue;
      any = true;
      auto [asked, isNew] =
          Asked.try_emplace(&assignment, Asking{ArithmeticDepth, true});
      if (!isNew) {
        // i = i + 1 changes by itself; ready = shfl(ready) does not.
        if (asked->second.active && ArithmeticDepth > asked->second.depth)
          return own();
        continue;
      }
      if (assignment.value)
        result.join(dependence(assignment.value, assignment.frame, loop));
      else if (assignment.direct.kind != Dependence::Invariant)
        result.join(assignment.direct);
      else
        return own();
      // And on whether it is made at all.
      for (size_t c = loop.conditions; c < assignment.under.size(); ++c)
        result.join(dependence(assignment.under[c].expression,
                               assignment.under[c].frame, loop));
      Asked[&assignment].active = false;
    }
    // The other threads of the block may store to what is theirs, too.
    if (!any)
      for (const DevicePlace &place : places)
        if (place.ofBlock && (place.changesAnytime || loop.meets))
          return own();
    return result;
  }

  Dependence dependsOnCall(const CallExpr *call, const LoopInside &loop) {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee)
      return own();
    if (std::optional<DeviceAccess> access = accessOf(*call, Context)) {
      Dependence address = access->isObject
                               ? dependsOnAddress(access->memory, loop)
                               : depends(access->memory, loop);
      if (address.kind != Dependence::Invariant)
        return own();
      if (access->expected &&
          depends(access->expected, loop).kind != Dependence::Invariant)
        return own();
      return ofAccess(*access, memoryOf(*access));
    }
    llvm::StringRef name =
        callee->getIdentifier() ? callee->getName() : llvm::StringRef();
    Dependence result;
    for (const Expr *argument : call->arguments())
      result.join(argument->isGLValue() ? dependsOnAddress(argument, loop)
                                        : depends(argument, loop));
    if (const auto *member = dyn_cast<CXXMemberCallExpr>(call)) {
      if (DeviceValue group; asGroup(dyn_cast<CXXMethodDecl>(callee), group))
        return {};
      const Expr *object = member->getImplicitObjectArgument();
      result.join(object->isGLValue() ? dependsOnAddress(object, loop)
                                      : depends(object, loop));
    }
    auto frame = FrameOf.find({Current, call});
    if (frame == FrameOf.end())
      return isPure(name) ? result : own();
    if (result.kind == Dependence::Own)
      return result;
    // What it returns.
    DevicePlace returned;
    returned.local = true;
    returned.root = Frames[frame->second].function;
    returned.frame = frame->second;
    result.join(dependsOnVariable({returned}, loop));
    return result;
  }

  // Which blocks.

  DeviceBlocks blocksUnder(const Expr *condition, bool holds) {
    DeviceBlocks blocks;
    quietly([&] { blocks = whoUnder(condition, holds); });
    return blocks;
  }

  DeviceBlocks whoUnder(const Expr *whole, bool holds) {
    const Expr *condition = whole->IgnoreParenImpCasts();
    DeviceBlocks blocks;
    if (const auto *unary = dyn_cast<UnaryOperator>(condition);
        unary && unary->getOpcode() == UO_LNot)
      return whoUnder(unary->getSubExpr(), !holds);
    if (const auto *binary = dyn_cast<BinaryOperator>(condition);
        binary && binary->isLogicalOp()) {
      DeviceBlocks left = whoUnder(binary->getLHS(), holds);
      DeviceBlocks right = whoUnder(binary->getRHS(), holds);
      if ((binary->getOpcode() == BO_LAnd) == holds)
        return both(left, right);
      // Either suffices.
      if (left.who == right.who)
        return left;
      if (value(binary->getLHS()).number.has(From::Thread) ||
          value(binary->getRHS()).number.has(From::Thread))
        return blocks;
      blocks.who = Who::Some;
      return blocks;
    }
    DeviceNumber number = value(whole).number;
    const auto *comparison = dyn_cast<BinaryOperator>(condition);
    if (comparison && !comparison->isComparisonOp())
      comparison = nullptr;
    if (number.has(From::Ticket | From::Elected))
      return byTicket(comparison, number, holds);
    if (!number.has(From::Block))
      return blocks;
    bool thread = number.has(From::Thread);
    if (number.has(From::Memory) || number.has(From::Unseen)) {
      blocks.who = thread ? Who::All : Who::Some;
      return blocks;
    }
    blocks.who = thread ? Who::All : Who::Some;
    if (!comparison) {
      // if (blockIdx.x)
      if (number.offset == Offset::Own && condition->getType()->isIntegerType())
        blocks.who = holds ? (thread ? Who::All : Who::NotFirst) : Who::First;
      return blocks;
    }
    const Expr *left = comparison->getLHS(), *right = comparison->getRHS();
    BinaryOperatorKind opcode = comparison->getOpcode();
    if (!value(left).number.has(From::Block)) {
      std::swap(left, right);
      opcode = BinaryOperator::reverseComparisonOp(opcode);
    }
    if (!holds)
      opcode = BinaryOperator::negateComparisonOp(opcode);
    DeviceNumber block = value(left).number, other = value(right).number;
    if (other.has(From::Block))
      return blocks;
    std::optional<int64_t> constant = constantOf(right);
    bool itself = block.offset == Offset::Own;
    if (constant == 0 && (opcode == BO_EQ || opcode == BO_LE))
      blocks.who = Who::First;
    else if (constant == 1 && opcode == BO_LT && !thread)
      blocks.who = Who::First;
    else if (thread)
      return blocks;
    else if (other.has(From::GridSize) &&
             (opcode == BO_LT || opcode == BO_LE) &&
             (itself || block.offset == Offset::Above)) {
      // b < gridDim.x - 1, b + 1 < gridDim.x
      const auto *less = dyn_cast<BinaryOperator>(right->IgnoreParenImpCasts());
      bool notLast = block.offset == Offset::Above ||
                     (opcode == BO_LT && less && less->getOpcode() == BO_Sub);
      blocks.who = notLast ? Who::NotLast : Who::All;
    } else if (!itself)
      return blocks;
    else if ((constant == 0 && (opcode == BO_NE || opcode == BO_GT)) ||
             (constant == 1 && opcode == BO_GE))
      blocks.who = Who::NotFirst;
    else if (other.has(From::GridSize) && opcode == BO_EQ)
      blocks.who = Who::Last;
    else if (other.has(From::GridSize) && opcode == BO_NE)
      blocks.who = Who::NotLast;
    else if (opcode == BO_LT || opcode == BO_LE)
      blocks.who = Who::Lower;
    else if (opcode == BO_GT || opcode == BO_GE)
      blocks.who = Who::Upper;
    return blocks;
  }

  DeviceBlocks byTicket(const BinaryOperator *comparison, DeviceNumber number,
                        bool holds) {
    DeviceBlocks blocks;
    blocks.who = Who::Some;
    blocks.ticket = number;
    blocks.ticket.constant.reset();
    bool counted = number.has(From::Ticket);
    if (!comparison) {
      // `if (isLast)`, with what isLast was compared with in its number.
      if (!counted)
        return blocks;
      if (number.has(From::GridSize) || number.parameters)
        blocks.who = holds ? Who::LastToArrive : Who::NotLastToArrive;
      return blocks;
    }
    const Expr *left = comparison->getLHS(), *right = comparison->getRHS();
    BinaryOperatorKind opcode = comparison->getOpcode();
    if (!value(left).number.has(From::Ticket | From::Elected)) {
      std::swap(left, right);
      opcode = BinaryOperator::reverseComparisonOp(opcode);
    }
    if (!holds)
      opcode = BinaryOperator::negateComparisonOp(opcode);
    std::optional<int64_t> constant = constantOf(right);
    if (!counted) {
      if (opcode == BO_EQ)
        blocks.who = Who::FirstToArrive;
      return blocks;
    }
    bool down = number.has(From::CountedDown);
    if (constant == 0 && !down) {
      if (opcode == BO_EQ)
        blocks.who = Who::FirstToArrive;
      return blocks;
    }
    blocks.ticket.constant = constant;
    if (opcode == BO_EQ || opcode == BO_GE || opcode == BO_GT)
      blocks.who = Who::LastToArrive;
    else if (opcode == BO_NE || opcode == BO_LT || opcode == BO_LE)
      blocks.who = Who::NotLastToArrive;
    return blocks;
  }
};

} // namespace

KernelBody readKernelBody(const FunctionDecl &kernel,
                          const ASTContext &context) {
  KernelBody body = BodyReader(kernel, context).read();
  // Blocks that wait for each other count each other.
  if (body.complete && body.waits.empty() && !body.gridSync &&
      !body.multiGridSync) {
    const GridStride stride = gridStrideOf(kernel, context);
    body.anyBlocks = stride.anyBlocks;
    body.anyThreads = stride.anyThreads;
  }
  return body;
}

} // namespace coreside
