// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   a kernel's code.
// Out:  whether its loops do all the work whatever the grid.
//
// Each use of blockIdx, gridDim, threadIdx and blockDim is counted, and so are
// those in the first number and the step of loops over the whole grid: where
// these are all, nothing else depends on them.

#include "GridStride.h"

#include "ReadBody.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringSwitch.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

using namespace clang;

namespace coreside {
namespace {

enum Name { BlockIndex, GridSize, ThreadIndex, BlockSize, NameCount };

/// How often each of the names is used.
using Counts = std::array<unsigned, NameCount>;

std::optional<Name> nameOf(const DeclRefExpr *reference) {
  if (!reference->getDecl()->getIdentifier())
    return std::nullopt;
  return llvm::StringSwitch<std::optional<Name>>(
             reference->getDecl()->getName())
      .Case("blockIdx", BlockIndex)
      .Case("gridDim", GridSize)
      .Case("threadIdx", ThreadIndex)
      .Case("blockDim", BlockSize)
      .Default(std::nullopt);
}

/// What an expression that is no more than products and sums is made of: a
/// factor is "gridDim.x", a number, or a variable.
using Product = std::vector<std::string>;

/// Everything in one function body that matters.
class Uses : public RecursiveASTVisitor<Uses> {
public:
  /// In what the code says, not in what clang makes of it: a property of
  /// CUDA's headers is read once.
  bool VisitDeclRefExpr(DeclRefExpr *reference) {
    if (std::optional<Name> name = nameOf(reference))
      Named.insert(reference);
    else if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl()))
      ++References[variable];
    return true;
  }

  bool TraversePseudoObjectExpr(PseudoObjectExpr *expression) {
    return TraverseStmt(expression->getSyntacticForm());
  }

  bool TraverseOpaqueValueExpr(OpaqueValueExpr *expression) {
    return !expression->getSourceExpr() ||
           TraverseStmt(expression->getSourceExpr());
  }

  bool VisitForStmt(ForStmt *loop) {
    Loops.push_back(loop);
    return true;
  }

  bool VisitVarDecl(VarDecl *variable) {
    Shares |= variable->hasAttr<CUDASharedAttr>();
    return true;
  }

  bool VisitCallExpr(CallExpr *call) {
    Calls.push_back(call);
    return true;
  }

  bool VisitCXXConstructExpr(CXXConstructExpr *construct) {
    Constructed.push_back(construct->getConstructor());
    return true;
  }

  bool VisitGCCAsmStmt(GCCAsmStmt *) {
    Assembles = true;
    return true;
  }

  bool VisitLambdaExpr(LambdaExpr *) {
    Assembles = true;
    return true;
  }

  Counts counts() const {
    Counts result = {};
    for (const DeclRefExpr *reference : Named)
      ++result[*nameOf(reference)];
    return result;
  }

  llvm::DenseSet<const DeclRefExpr *> Named;
  llvm::DenseMap<const VarDecl *, unsigned> References;
  std::vector<ForStmt *> Loops;
  std::vector<CallExpr *> Calls;
  std::vector<CXXConstructorDecl *> Constructed;
  bool Shares = false;
  bool Assembles = false;
};

/// Whether something in a loop's body ends it before its time, or keeps more
/// than a sum for the next turn.
class Leaves : public RecursiveASTVisitor<Leaves> {
public:
  Leaves(const VarDecl *index, SourceLocation loop)
      : Index(index), Loop(loop) {}

  bool VisitReturnStmt(ReturnStmt *) { return fail(); }
  bool VisitGotoStmt(GotoStmt *) { return fail(); }
  bool VisitBreakStmt(BreakStmt *) { return Depth != 0 || fail(); }

  bool TraverseForStmt(ForStmt *s) { return inside(s); }
  bool TraverseWhileStmt(WhileStmt *s) { return inside(s); }
  bool TraverseDoStmt(DoStmt *s) { return inside(s); }
  bool TraverseSwitchStmt(SwitchStmt *s) { return inside(s); }

  bool VisitBinaryOperator(BinaryOperator *operation) {
    if (!operation->isAssignmentOp())
      return true;
    const VarDecl *variable = target(operation->getLHS());
    if (!variable)
      return true;
    if (variable == Index)
      return fail();
    // What the turn makes anew, and sums.
    return !isOutside(variable) || operation->getOpcode() == BO_AddAssign ||
           fail();
  }

  bool VisitCXXOperatorCallExpr(CXXOperatorCallExpr *call) {
    if (!call->isAssignmentOp())
      return true;
    const VarDecl *variable = target(call->getArg(0));
    return !variable || !isOutside(variable) ||
           call->getOperator() == OO_PlusEqual || fail();
  }

  bool VisitUnaryOperator(UnaryOperator *operation) {
    if (!operation->isIncrementDecrementOp() &&
        operation->getOpcode() != UO_AddrOf)
      return true;
    const VarDecl *variable = target(operation->getSubExpr());
    return !variable || !isOutside(variable) || fail();
  }

  bool Failed = false;

private:
  /// The variable of which `expression` is a part.
  static const VarDecl *target(const Expr *expression) {
    for (;;) {
      expression = expression->IgnoreParenImpCasts();
      if (const auto *element = dyn_cast<ArraySubscriptExpr>(expression);
          element &&
          element->getBase()->IgnoreParenImpCasts()->getType()->isArrayType())
        expression = element->getBase();
      else if (const auto *member = dyn_cast<MemberExpr>(expression);
               member && !member->isArrow())
        expression = member->getBase();
      else
        break;
    }
    const auto *reference = dyn_cast<DeclRefExpr>(expression);
    const auto *variable =
        reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
    return variable && variable->hasLocalStorage() ? variable : nullptr;
  }

  bool isOutside(const VarDecl *variable) const {
    const SourceLocation place = variable->getLocation();
    return place.isMacroID() || Loop.isMacroID() ||
           place.getRawEncoding() < Loop.getRawEncoding();
  }

  bool fail() {
    Failed = true;
    return false;
  }

  template <typename Statement> bool inside(Statement *statement) {
    ++Depth;
    for (Stmt *child : statement->children())
      if (child && !TraverseStmt(child))
        return false;
    --Depth;
    return true;
  }

  const VarDecl *Index;
  SourceLocation Loop;
  unsigned Depth = 0;
};

class Reader {
public:
  Reader(const FunctionDecl &kernel, const ASTContext &context)
      : Context(context) {
    In.TraverseStmt(kernel.getBody());
  }

  GridStride read() {
    GridStride result;
    if (In.Assembles || !areHarmless())
      return result;
    for (ForStmt *loop : In.Loops)
      take(loop);
    const Counts all = In.counts();
    Counts seen = {};
    for (const DeclRefExpr *reference : Taken)
      ++seen[*nameOf(reference)];
    if (!seen[BlockIndex] || !areOnlyFor())
      return result;
    result.anyBlocks =
        all[BlockIndex] == seen[BlockIndex] && all[GridSize] == seen[GridSize];
    result.anyThreads = result.anyBlocks && !In.Shares && !Waits &&
                        all[ThreadIndex] == seen[ThreadIndex] &&
                        all[BlockSize] == seen[BlockSize] && OverThreads;
    return result;
  }

private:
  /// Whether what is called knows nothing of blocks and threads.
  bool areHarmless() {
    llvm::SmallVector<const FunctionDecl *, 8> open;
    llvm::DenseSet<const FunctionDecl *> known;
    auto add = [&](const Uses &uses) {
      for (const CallExpr *call : uses.Calls) {
        const FunctionDecl *callee = call->getDirectCallee();
        if (!callee)
          return false;
        open.push_back(callee);
      }
      open.append(uses.Constructed.begin(), uses.Constructed.end());
      return true;
    };
    if (!add(In))
      return false;
    while (!open.empty()) {
      const FunctionDecl *callee = open.pop_back_val();
      if (!known.insert(callee->getCanonicalDecl()).second)
        continue;
      llvm::StringRef name =
          callee->getIdentifier() ? callee->getName() : llvm::StringRef();
      // Between the threads of a block or a warp.
      Waits |= name.starts_with("__sync") || name.starts_with("__shfl") ||
               name.starts_with("__any") || name.starts_with("__all") ||
               name.starts_with("__ballot") || name.starts_with("__match") ||
               name.starts_with("__reduce") || name.starts_with("__active") ||
               name.starts_with("__barrier");
      const FunctionDecl *definition = readDefinition(callee);
      const bool isSystem =
          Context.getSourceManager().isInSystemHeader(callee->getLocation());
      if (!definition) {
        // Mathematics and the like; others may do anything.
        if (!isSystem && !callee->getBuiltinID())
          return false;
        if (callee->getQualifiedNameAsString().starts_with("cooperative"))
          return false;
        continue;
      }
      if (known.size() > 256)
        return false;
      Uses uses;
      uses.TraverseStmt(definition->getBody());
      if (uses.counts() != Counts{} || uses.Shares ||
          (uses.Assembles && !isSystem) || !add(uses))
        return false;
    }
    return true;
  }

  const Expr *plain(const Expr *expression) const {
    for (;;) {
      expression = expression->IgnoreParenCasts();
      if (const auto *pseudo = dyn_cast<PseudoObjectExpr>(expression))
        expression = pseudo->getSyntacticForm();
      else if (const auto *opaque = dyn_cast<OpaqueValueExpr>(expression);
               opaque && opaque->getSourceExpr())
        expression = opaque->getSourceExpr();
      else if (const auto *construct = dyn_cast<CXXConstructExpr>(expression);
               construct && construct->getNumArgs() == 1)
        expression = construct->getArg(0);
      else
        return expression;
    }
  }

  static const VarDecl *variableOf(const Expr *expression) {
    const auto *reference = dyn_cast<DeclRefExpr>(expression);
    return reference ? dyn_cast<VarDecl>(reference->getDecl()) : nullptr;
  }

  /// Appends the factors of `expression`; false where it is no product.
  bool factors(const Expr *expression, Product &to, unsigned depth = 0) {
    expression = plain(expression);
    if (depth > 8)
      return false;
    if (const auto *operation = dyn_cast<BinaryOperator>(expression);
        operation && operation->getOpcode() == BO_Mul)
      return factors(operation->getLHS(), to, depth + 1) &&
             factors(operation->getRHS(), to, depth + 1);
    const Expr *base = nullptr;
    std::string member;
    if (const auto *property = dyn_cast<MSPropertyRefExpr>(expression)) {
      base = plain(property->getBaseExpr());
      member = property->getPropertyDecl()->getNameAsString();
    } else if (const auto *access = dyn_cast<MemberExpr>(expression)) {
      base = plain(access->getBase());
      member = access->getMemberDecl()->getNameAsString();
    }
    if (base)
      if (const auto *reference = dyn_cast<DeclRefExpr>(base);
          reference && nameOf(reference)) {
        Pending.push_back(reference);
        to.push_back(reference->getDecl()->getNameAsString() + "." + member);
        return true;
      }
    Expr::EvalResult number;
    if (expression->getType()->isIntegralOrEnumerationType() &&
        !expression->isValueDependent() &&
        expression->EvaluateAsInt(number, Context)) {
      to.push_back(llvm::toString(number.Val.getInt(), 10));
      return true;
    }
    const VarDecl *variable = variableOf(expression);
    if (!variable || !variable->hasLocalStorage() || !variable->getInit() ||
        isa<ParmVarDecl>(variable))
      return false;
    // A name for a number that is made once.
    ++Through[variable];
    return factors(variable->getInit(), to, depth + 1);
  }

  /// The terms of a sum.
  void terms(const Expr *expression, std::vector<const Expr *> &to,
             unsigned depth = 0) {
    expression = plain(expression);
    if (const auto *operation = dyn_cast<BinaryOperator>(expression);
        operation && operation->getOpcode() == BO_Add) {
      terms(operation->getLHS(), to, depth + 1);
      terms(operation->getRHS(), to, depth + 1);
      return;
    }
    if (const VarDecl *variable = variableOf(expression);
        variable && variable->hasLocalStorage() && variable->getInit() &&
        !isa<ParmVarDecl>(variable) && depth < 4) {
      ++Through[variable];
      return terms(variable->getInit(), to, depth + 1);
    }
    to.push_back(expression);
  }

  /// Takes a loop that goes over the grid.
  void take(ForStmt *loop) {
    const VarDecl *index = nullptr;
    const Expr *first = nullptr;
    if (const auto *declaration = dyn_cast_or_null<DeclStmt>(loop->getInit())) {
      if (!declaration->isSingleDecl())
        return;
      index = dyn_cast<VarDecl>(declaration->getSingleDecl());
      first = index ? index->getInit() : nullptr;
    }
    const auto *step = dyn_cast_or_null<BinaryOperator>(loop->getInc());
    if (!first || !step || step->getOpcode() != BO_AddAssign ||
        variableOf(plain(step->getLHS())) != index)
      return;
    Pending.clear();
    llvm::DenseMap<const VarDecl *, unsigned> before = Through;
    if (!goesOverGrid(first, step->getRHS()) || leaves(loop, index)) {
      Through = before;
      return;
    }
    Taken.insert(Pending.begin(), Pending.end());
  }

  bool goesOverGrid(const Expr *first, const Expr *step) {
    std::vector<const Expr *> sum;
    terms(first, sum);
    Product start, stride;
    bool threads = false;
    for (const Expr *term : sum) {
      Product product;
      if (!factors(term, product))
        return false;
      if (llvm::is_contained(product, "blockIdx.x")) {
        if (!start.empty())
          return false;
        start = std::move(product);
      } else if (product == Product{"threadIdx.x"}) {
        threads = true;
      } else {
        return false;
      }
    }
    if (start.empty() || !factors(step, stride))
      return false;
    llvm::replace(start, std::string("blockIdx.x"), std::string("gridDim.x"));
    llvm::sort(start);
    llvm::sort(stride);
    if (start != stride)
      return false;
    OverThreads |= threads && llvm::is_contained(stride, "blockDim.x") &&
                   stride.size() == 2;
    return true;
  }

  static bool leaves(ForStmt *loop, const VarDecl *index) {
    Leaves body(index, loop->getBeginLoc());
    body.TraverseStmt(loop->getBody());
    return body.Failed;
  }

  /// Whether the variables that the numbers went through are for that alone.
  bool areOnlyFor() const {
    for (const auto &[variable, uses] : Through)
      if (In.References.lookup(variable) != uses)
        return false;
    return true;
  }

  const ASTContext &Context;
  Uses In;
  /// Uses of the names in what is looked at, and in loops over the grid.
  std::vector<const DeclRefExpr *> Pending;
  llvm::DenseSet<const DeclRefExpr *> Taken;
  llvm::DenseMap<const VarDecl *, unsigned> Through;
  bool Waits = false;
  bool OverThreads = false;
};

} // namespace

GridStride gridStrideOf(const FunctionDecl &kernel, const ASTContext &context) {
  if (!kernel.getBody())
    return {};
  return Reader(kernel, context).read();
}

} // namespace coreside
