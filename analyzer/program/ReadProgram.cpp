// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   an AST.
// Out:  a Program: its kernels, its traces, and the launches that no trace
//       holds.

#include "ReadProgram.h"

#include "BoundsDependence.h"
#include "Contracts.h"
#include "DeviceBounds.h"
#include "HostBodies.h"
#include "Interpreter.h"
#include "KernelTable.h"
#include "Lifetimes.h"
#include "ReadBody.h"
#include "RuntimeNames.h"
#include "UntakenLaunches.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclFriend.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace coreside {

static void relevantCallee(const FunctionDecl *callee, UnitFacts &facts,
                           bool &relevant);

/// Calls `use` for a statement and everything in it.
static void forEachStatement(const Stmt *statement,
                             llvm::function_ref<void(const Stmt *)> use) {
  if (!statement)
    return;
  use(statement);
  if (const auto *defaulted = dyn_cast<CXXDefaultArgExpr>(statement))
    forEachStatement(defaulted->getExpr(), use);
  // What an OpenMP directive stands for is none of its children.
  if (const auto *captured = dyn_cast<CapturedStmt>(statement))
    forEachStatement(captured->getCapturedStmt(), use);
  for (const Stmt *child : statement->children())
    forEachStatement(child, use);
}

static bool isRelevantFunction(const FunctionDecl *function, UnitFacts &facts) {
  const FunctionDecl *definition = readDefinition(function);
  if (!definition)
    return false;
  auto [at, isNew] = facts.relevant.try_emplace(definition, false);
  if (!isNew)
    return at->second;
  bool relevant = isRelevant(definition->getBody(), facts);
  if (const auto *constructor = dyn_cast<CXXConstructorDecl>(definition))
    for (const CXXCtorInitializer *initialiser : constructor->inits())
      relevant = relevant || isRelevant(initialiser->getInit(), facts);
  facts.relevant[definition] = relevant;
  return relevant;
}

static void relevantCallee(const FunctionDecl *callee, UnitFacts &facts,
                           bool &relevant) {
  if (!callee || relevant)
    return;
  if ((callee->getIdentifier() && isRuntimeFunction(callee->getName())) ||
      isTemplateLibrary(*callee)) {
    relevant = true;
    return;
  }
  for (const ParmVarDecl *parameter : callee->parameters()) {
    QualType type = parameter->getType().getNonReferenceType();
    if (isStreamType(type) || isEventType(type) ||
        (type->isPointerType() && (isStreamType(type->getPointeeType()) ||
                                   isEventType(type->getPointeeType())))) {
      relevant = true;
      return;
    }
  }
  if (isRelevantFunction(callee, facts))
    relevant = true;
  // What it may be for an object of a derived class.
  if (const auto *method = dyn_cast<CXXMethodDecl>(callee);
      method && method->isVirtual())
    for (const CXXMethodDecl *one :
         facts.overriders.lookup(method->getCanonicalDecl()))
      relevant = relevant || isRelevantFunction(one, facts);
}

bool isRelevantCallee(const FunctionDecl *callee, UnitFacts &facts) {
  bool relevant = false;
  relevantCallee(callee, facts, relevant);
  return relevant;
}

/// std::async
static bool isAsync(const FunctionDecl *callee) {
  return callee && callee->isInStdNamespace() && callee->getIdentifier() &&
         callee->getName() == "async";
}

/// The type of the object that a call or a construction makes, and whose end
/// somebody has to see to.
static QualType endedWith(const Stmt *statement) {
  if (isa<CallExpr, CXXConstructExpr>(statement))
    if (const auto *made = cast<Expr>(statement); made->isPRValue())
      return made->getType();
  return {};
}

bool isRelevant(const Stmt *statement, UnitFacts &facts) {
  bool relevant = false;
  forEachStatement(statement, [&](const Stmt *one) {
    if (relevant)
      return;
    if (isRelevantEnd(endedWith(one), facts)) {
      relevant = true;
    } else if (isa<CUDAKernelCallExpr>(one)) {
      relevant = true;
    } else if (const auto *call = dyn_cast<CallExpr>(one)) {
      const FunctionDecl *callee = call->getDirectCallee();
      if (isAsync(callee))
        relevant = true;
      else if (callee)
        relevantCallee(callee, facts, relevant);
      else if (!call->getType()->isDependentType() &&
               !isa<CXXPseudoDestructorExpr>(call->getCallee()->IgnoreParens()))
        relevant = true; // through a pointer
      // std::function and what is handed a closure.
      if (const auto *method = dyn_cast_or_null<CXXMethodDecl>(callee);
          method && isCallableWrapper(method->getParent()) &&
          method->getOverloadedOperator() == OO_Call)
        relevant = true;
    } else if (const auto *construction = dyn_cast<CXXConstructExpr>(one)) {
      relevantCallee(construction->getConstructor(), facts, relevant);
    } else if (const auto *expression = dyn_cast<Expr>(one);
               expression && isa<DeclRefExpr>(expression) &&
               (isStreamType(expression->getType()) ||
                isEventType(expression->getType()))) {
      // Choosing a stream matters to launches elsewhere.
      relevant = true;
    }
  });
  return relevant;
}

namespace {

/// Everything in a translation unit that the reader starts from.
class Unit {
public:
  Unit(const ParsedFile &parsed, Program &program)
      : Context(parsed.context), Sources(Context.getSourceManager()),
        Top(parsed.declarations), UserHeaders(parsed.userHeaders),
        Result(program), Kernels(Context, program.kernels),
        Texts(Context, program.stepTexts) {}

  void readKernels() {
    for (const Decl *declaration : Top)
      visit(declaration);
    for (const FunctionDecl *kernel : KernelDefinitions)
      Kernels.indexOf(kernel);
  }

  /// Whether the device side must be read too.
  bool boundsMayDiffer(const ArchitectureText &text) const {
    return coreside::boundsMayDiffer(text, Kernels.declarations(), Context);
  }

  void read(const ReadOptions &options, bool perThreadDefaultStream) {
    readKernels();
    readContracts(Context, UserHeaders, KernelDefinitions, Result);
    Result.hostBodies = hostBodies(Functions.getArrayRef(), Context);
    for (const FunctionDecl *function : Functions)
      noteOverridden(function);
    for (const FunctionDecl *function : Functions)
      look(function);
    UntakenLaunches untaken(Facts, Functions, Closures, Callees);
    auto follow = [&](const FunctionDecl *function, bool isRoot) {
      Interpreter interpreter(Context, Kernels, Texts, Facts, options,
                              perThreadDefaultStream);
      Trace trace = interpreter.run(function);
      trace.isRoot = isRoot;
      if (!trace.steps.empty() || !trace.cuts.empty() || !trace.leaves.empty())
        Result.traces.push_back(std::move(trace));
    };
    // A function whose address is taken is called through a pointer. Where a
    // trace does so, that call hands it its arguments, as with those that are
    // called by name.
    std::vector<const FunctionDecl *> first, pointedTo;
    for (const FunctionDecl *function : roots())
      (PointedTo.contains(function) && !function->isMain() ? pointedTo : first)
          .push_back(function);
    for (const FunctionDecl *function : first)
      follow(function, true);
    std::set<SourcePlace> reached =
        pointedTo.empty() ? std::set<SourcePlace>() : reachedPlaces();
    for (const FunctionDecl *function : pointedTo)
      if (!wasCalledInFull(function, reached)) {
        first.push_back(function);
        follow(function, true);
        reached = reachedPlaces();
      }
    if (options.forOtherFiles)
      for (const FunctionDecl *function : Functions)
        if (!llvm::is_contained(first, function) &&
            function->hasExternalFormalLinkage() &&
            (isRelevantFunction(function, Facts) || givesNumbers(function)))
          follow(function, function->isMain());
    llvm::DenseSet<const FunctionDecl *> followed(first.begin(), first.end());
    for (const FunctionDecl *function : unreached(untaken))
      if (followed.insert(function).second)
        follow(function, true);
    findLost(untaken);
  }

  const std::vector<AssumptionUse> &assumptions() const {
    return Facts.assumptions;
  }

private:
  ASTContext &Context;
  const SourceManager &Sources;
  llvm::ArrayRef<Decl *> Top;
  llvm::ArrayRef<std::string> UserHeaders;
  Program &Result;
  KernelTable Kernels;
  StepTexts Texts;
  UnitFacts Facts;
  std::vector<const FunctionDecl *> KernelDefinitions;
  /// Host functions with bodies, in the order of the source.
  llvm::SetVector<const FunctionDecl *> Functions;
  /// What generic lambdas in these were instantiated to.
  llvm::SetVector<const FunctionDecl *> Closures;
  llvm::DenseSet<const DeclContext *> Walked;
  /// Bodies of templates, and whether an instantiation was met.
  std::vector<const FunctionDecl *> Patterns;
  llvm::DenseSet<const FunctionDecl *> Instantiated;
  llvm::DenseMap<const FunctionDecl *, llvm::SetVector<const FunctionDecl *>>
      Callees;
  /// Functions whose address something in the file takes.
  llvm::DenseSet<const FunctionDecl *> PointedTo;
  /// Launch expressions, and what they stand in.
  std::vector<std::pair<const Expr *, const FunctionDecl *>> Launches;

  /// Whether callers in other files may have a size from `function`: it returns
  /// or sets numbers, and nothing in it is repeated, so that this is quick.
  static bool givesNumbers(const FunctionDecl *function) {
    auto isSize = [](QualType type) {
      return type->isIntegerType() && !type->isBooleanType();
    };
    QualType result = function->getReturnType();
    bool gives = isa<CXXConstructorDecl>(function) ||
                 (isSize(result) && !isStatusType(result)) ||
                 result->isRecordType();
    for (const ParmVarDecl *parameter : function->parameters()) {
      QualType target = parameter->getType()->getPointeeType();
      gives |= !target.isNull() && !target.isConstQualified() &&
               (isSize(target) || isDim3(target)) && !target->isCharType();
    }
    bool repeats = false;
    if (gives)
      forEachStatement(function->getBody(), [&](const Stmt *one) {
        repeats |= isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(one);
      });
    return gives && !repeats;
  }

  bool isSystem(const Decl *declaration) const {
    SourceLocation place = declaration->getLocation();
    return place.isInvalid() ||
           Sources.isInSystemHeader(Sources.getExpansionLoc(place));
  }

  void add(const FunctionDecl *function) {
    if (!function->doesThisDeclarationHaveABody() ||
        function->hasSkippedBody() || isSystem(function))
      return;
    if (function->isDependentContext()) {
      Patterns.push_back(function);
      return;
    }
    if (const FunctionDecl *pattern =
            function->getTemplateInstantiationPattern()) {
      // Instantiated by what a system header has in a body: with the body
      // skipped it is not there.
      if (SourceLocation place = function->getPointOfInstantiation();
          place.isValid() &&
          Sources.isInSystemHeader(Sources.getExpansionLoc(place)))
        return;
      Instantiated.insert(pattern);
    }
    if (function->hasAttr<CUDAGlobalAttr>()) {
      KernelDefinitions.push_back(function);
      return;
    }
    if (function->hasAttr<CUDADeviceAttr>() &&
        !function->hasAttr<CUDAHostAttr>())
      return;
    if (!function->isImplicit())
      Functions.insert(function);
    walk(function);
  }

  void walk(const DeclContext *context) {
    // A class template that is declared twice, or befriends itself, leads to
    // its specialisations from each of these places.
    if (!Walked.insert(context).second)
      return;
    for (const Decl *declaration : context->decls())
      visit(declaration);
  }

  void visit(const Decl *declaration) {
    // The bodies of system headers were skipped; a namespace may be reopened by
    // the user.
    if (isa<NamespaceDecl, LinkageSpecDecl, ExportDecl>(declaration))
      return walk(cast<DeclContext>(declaration));
    if (isSystem(declaration))
      return;
    if (const auto *aTemplate = dyn_cast<FunctionTemplateDecl>(declaration)) {
      add(aTemplate->getTemplatedDecl());
      for (const FunctionDecl *specialisation : aTemplate->specializations())
        add(specialisation->getDefinition() ? specialisation->getDefinition()
                                            : specialisation);
    } else if (const auto *aTemplate =
                   dyn_cast<ClassTemplateDecl>(declaration)) {
      walk(aTemplate->getTemplatedDecl());
      for (const auto *specialisation : aTemplate->specializations())
        if (!isa<ClassTemplatePartialSpecializationDecl>(specialisation))
          walk(specialisation);
    } else if (const auto *function = dyn_cast<FunctionDecl>(declaration)) {
      add(function);
    } else if (const auto *record = dyn_cast<CXXRecordDecl>(declaration)) {
      if (record->isThisDeclarationADefinition() && !record->isLambda())
        walk(record);
    } else if (const auto *friendship = dyn_cast<FriendDecl>(declaration)) {
      if (const NamedDecl *inner = friendship->getFriendDecl())
        visit(inner);
    } else if (const auto *variable = dyn_cast<VarDecl>(declaration)) {
      if (variable->getInit())
        noteStores(variable->getInit());
    }
  }

  static bool isLaunchCall(const FunctionDecl *callee) {
    if (!callee || !callee->getIdentifier())
      return false;
    return isLaunchFunction(runtimeName(callee->getName()));
  }

  void noteStores(const Stmt *statement) {
    auto global = [](const Expr *expression) -> const VarDecl * {
      // a, a.x, a[2].y: the variable that is stored to in part.
      for (;;) {
        expression = expression->IgnoreParenCasts();
        if (const auto *member = dyn_cast<MemberExpr>(expression)) {
          if (const auto *variable = dyn_cast<VarDecl>(member->getMemberDecl()))
            return variable;
          if (member->isArrow())
            return nullptr;
          expression = member->getBase();
        } else if (const auto *subscript =
                       dyn_cast<ArraySubscriptExpr>(expression)) {
          expression = subscript->getBase();
        } else if (const auto *reference = dyn_cast<DeclRefExpr>(expression)) {
          const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
          return variable && !variable->hasLocalStorage() ? variable : nullptr;
        } else {
          return nullptr;
        }
      }
    };
    auto note = [&](const Expr *expression) {
      if (const VarDecl *variable = global(expression))
        Facts.stored.insert(variable->getCanonicalDecl());
    };
    // An element that is only read tells nobody where the array is.
    llvm::SmallPtrSet<const Stmt *, 8> subscripts;
    llvm::SmallPtrSet<const Stmt *, 8> callees;
    forEachStatement(statement, [&](const Stmt *one) {
      if (const auto *call = dyn_cast<CallExpr>(one))
        callees.insert(call->getCallee()->IgnoreParenImpCasts());
      else if (const auto *reference = dyn_cast<DeclRefExpr>(one))
        if (const auto *function = dyn_cast<FunctionDecl>(reference->getDecl());
            function && !callees.contains(reference))
          if (const FunctionDecl *definition = readDefinition(function))
            PointedTo.insert(definition);
      if (const auto *subscript = dyn_cast<ArraySubscriptExpr>(one))
        subscripts.insert(subscript->getBase());
      if (const auto *binary = dyn_cast<BinaryOperator>(one)) {
        if (binary->isAssignmentOp())
          note(binary->getLHS());
      } else if (const auto *unary = dyn_cast<UnaryOperator>(one)) {
        if (unary->isIncrementDecrementOp() || unary->getOpcode() == UO_AddrOf)
          note(unary->getSubExpr());
      } else if (const auto *cast = dyn_cast<CastExpr>(one)) {
        if (cast->getCastKind() == CK_ArrayToPointerDecay &&
            !subscripts.contains(cast))
          note(cast->getSubExpr());
      } else if (const auto *call = dyn_cast<CallExpr>(one)) {
        const auto *method =
            dyn_cast_or_null<CXXMethodDecl>(call->getDirectCallee());
        const bool keeps = method && method->isInstance() && method->isConst();
        llvm::ArrayRef<const Expr *> arguments(call->getArgs(),
                                               call->getNumArgs());
        if (keeps && isa<CXXOperatorCallExpr>(call) && !arguments.empty())
          arguments = arguments.drop_front();
        for (const Expr *argument : arguments)
          if (argument->isGLValue())
            note(argument);
        if (const auto *member = dyn_cast<CXXMemberCallExpr>(call);
            member && !keeps)
          if (const Expr *object = member->getImplicitObjectArgument())
            note(object);
      } else if (const auto *construction = dyn_cast<CXXConstructExpr>(one)) {
        for (const Expr *argument : construction->arguments())
          if (argument->isGLValue())
            note(argument);
      } else if (const auto *declarations = dyn_cast<DeclStmt>(one)) {
        for (const Decl *declaration : declarations->decls())
          if (const auto *variable = dyn_cast<VarDecl>(declaration);
              variable && variable->getType()->isReferenceType() &&
              variable->getInit())
            note(variable->getInit());
      }
    });
  }

  /// Notes for the virtual functions above `function` that it may be what a
  /// call of these calls.
  void noteOverridden(const FunctionDecl *function) {
    const auto *method = dyn_cast<CXXMethodDecl>(function);
    if (!method || !method->isVirtual())
      return;
    llvm::SmallVector<const CXXMethodDecl *> open(method->overridden_methods());
    while (!open.empty()) {
      const CXXMethodDecl *above = open.pop_back_val();
      auto &list = Facts.overriders[above->getCanonicalDecl()];
      if (!llvm::is_contained(list, method))
        list.push_back(method);
      llvm::append_range(open, above->overridden_methods());
    }
  }

  /// Notes what a function calls, launches and stores to.
  void look(const FunctionDecl *function) {
    auto &callees = Callees[function];
    const FunctionDecl *within = function;
    auto calls = [&](const FunctionDecl *callee) {
      if (!callee)
        return;
      const FunctionDecl *definition = readDefinition(callee);
      if (definition && definition != function)
        callees.insert(definition);
    };
    llvm::DenseSet<QualType> ended;
    auto body = [&](const Stmt *one) {
      if (QualType type = endedWith(one);
          !type.isNull() && ended.insert(type.getCanonicalType()).second)
        forEachAtEndOf(type, calls);
      if (const auto *launch = dyn_cast<CUDAKernelCallExpr>(one)) {
        Launches.push_back({launch, within});
      } else if (const auto *call = dyn_cast<CallExpr>(one)) {
        const FunctionDecl *callee = call->getDirectCallee();
        calls(callee);
        if (const auto *method = dyn_cast_or_null<CXXMethodDecl>(callee);
            method && method->isVirtual())
          for (const CXXMethodDecl *overrider :
               Facts.overriders.lookup(method->getCanonicalDecl()))
            calls(overrider);
        // std::make_unique<Worker>(...) calls a constructor of Worker.
        if (isMakeOwner(callee))
          if (const auto *record = callee->getTemplateSpecializationArgs()
                                       ->get(0)
                                       .getAsType()
                                       ->getAsCXXRecordDecl();
              record && record->hasDefinition())
            for (const CXXConstructorDecl *constructor : record->ctors())
              calls(constructor);
        // std::async(worker, ...) calls worker.
        if (isAsync(callee))
          for (const Expr *argument : call->arguments())
            if (const auto *reference =
                    dyn_cast<DeclRefExpr>(argument->IgnoreParenCasts()))
              calls(dyn_cast<FunctionDecl>(reference->getDecl()));
        if (isLaunchCall(callee))
          Launches.push_back({call, within});
      } else if (const auto *construction = dyn_cast<CXXConstructExpr>(one)) {
        calls(construction->getConstructor());
        const CXXRecordDecl *record =
            construction->getConstructor()->getParent();
        // std::thread(worker, ...) calls worker.
        if (record->isInStdNamespace() && record->getIdentifier() &&
            (record->getName() == "thread" || record->getName() == "jthread") &&
            construction->getNumArgs())
          if (const auto *reference = dyn_cast<DeclRefExpr>(
                  construction->getArg(0)->IgnoreParenCasts()))
            calls(dyn_cast<FunctionDecl>(reference->getDecl()));
      } else if (const auto *deletion = dyn_cast<CXXDeleteExpr>(one)) {
        forEachAtEndOf(deletion->getDestroyedType(), calls);
      }
    };
    auto lookInto = [&](const Stmt *statement) {
      forEachStatement(statement, body);
      noteStores(statement);
    };
    lookInto(function->getBody());
    if (const auto *constructor = dyn_cast<CXXConstructorDecl>(function))
      for (const CXXCtorInitializer *initialiser : constructor->inits())
        lookInto(initialiser->getInit());
    // The bodies of generic lambdas are there once for each kind of argument.
    forEachStatement(function->getBody(), [&](const Stmt *one) {
      const auto *lambda = dyn_cast<LambdaExpr>(one);
      if (!lambda)
        return;
      if (const FunctionTemplateDecl *aTemplate =
              lambda->getCallOperator()->getDescribedFunctionTemplate())
        for (const FunctionDecl *specialisation : aTemplate->specializations())
          if (specialisation->hasBody()) {
            within = specialisation;
            Closures.insert(within);
            forEachStatement(specialisation->getBody(), body);
          }
    });
  }

  /// Functions that nothing else calls; of functions that only call one
  /// another, the first.
  std::vector<const FunctionDecl *> roots() {
    llvm::DenseSet<const FunctionDecl *> called;
    for (const auto &[function, callees] : Callees)
      for (const FunctionDecl *callee : callees)
        called.insert(callee);
    std::vector<const FunctionDecl *> result;
    llvm::DenseSet<const FunctionDecl *> seen;
    auto reach = [&](const FunctionDecl *from) {
      std::vector<const FunctionDecl *> open = {from};
      while (!open.empty()) {
        const FunctionDecl *function = open.back();
        open.pop_back();
        if (!seen.insert(function).second)
          continue;
        if (auto at = Callees.find(function); at != Callees.end())
          for (const FunctionDecl *callee : at->second)
            open.push_back(callee);
      }
    };
    auto isRoot = [&](const FunctionDecl *function) {
      const auto *method = dyn_cast<CXXMethodDecl>(function);
      return !(method && method->getParent()->isLambda());
    };
    for (const FunctionDecl *function : Functions)
      if ((!called.contains(function) || function->isMain()) &&
          isRoot(function)) {
        reach(function);
        if (isRelevantFunction(function, Facts))
          result.push_back(function);
      }
    for (const FunctionDecl *function : Functions)
      if (!seen.contains(function) && isRoot(function)) {
        reach(function);
        if (isRelevantFunction(function, Facts))
          result.push_back(function);
      }
    return result;
  }

  /// Whether traces hold a call of `function` and all launches of it and of
  /// what it calls; those at `reached` they hold.
  bool wasCalledInFull(const FunctionDecl *function,
                       const std::set<SourcePlace> &reached) {
    if (!Facts.followed.contains(function->getBody()))
      return false;
    llvm::SetVector<const FunctionDecl *> all;
    all.insert(function);
    for (size_t i = 0; i < all.size(); ++i)
      if (auto at = Callees.find(all[i]); at != Callees.end())
        all.insert(at->second.begin(), at->second.end());
    return llvm::all_of(Launches, [&](const auto &launch) {
      return !all.contains(launch.second) ||
             reached.contains(placeOf(launch.first->getBeginLoc(), Context));
    });
  }

  /// Of the launches that a trace holds. One in a template counts once, however
  /// often it is instantiated.
  std::set<SourcePlace> reachedPlaces() const {
    std::set<SourcePlace> reached;
    for (const Stmt *one : Facts.reached)
      reached.insert(placeOf(one->getBeginLoc(), Context));
    return reached;
  }

  /// Functions and lambdas that hold launches which no trace holds: others may
  /// call them by ways that are not seen, or the trace of what calls them was
  /// cut, and each gets a trace of its own.
  std::vector<const FunctionDecl *> unreached(UntakenLaunches &untaken) {
    const std::set<SourcePlace> reached = reachedPlaces();
    llvm::SetVector<const FunctionDecl *> result;
    for (auto [launch, function] : Launches) {
      if (reached.contains(placeOf(launch->getBeginLoc(), Context)) ||
          untaken.whyUntaken(launch, function))
        continue;
      const FunctionDecl *inside = function;
      forEachStatement(function->getBody(), [&](const Stmt *one) {
        // What a generic lambda was instantiated to is a function of its own.
        if (const auto *lambda = dyn_cast<LambdaExpr>(one);
            lambda && !lambda->isGenericLambda() &&
            holds(lambda->getBody(), launch))
          inside = lambda->getCallOperator();
      });
      result.insert(inside);
    }
    return {result.begin(), result.end()};
  }

  static bool holds(const Stmt *statement, const Expr *launch) {
    bool any = false;
    forEachStatement(statement,
                     [&](const Stmt *one) { any = any || one == launch; });
    return any;
  }

  void lose(const Expr *launch, std::string why) {
    Result.lostLaunches.push_back(
        {placeOf(launch->getBeginLoc(), Context), std::move(why)});
  }

  /// The kernel's name, where the launch says it without a choice.
  std::string kernelWrittenIn(const Expr *launch) {
    const auto *call = cast<CallExpr>(launch);
    const Expr *kernel = isa<CUDAKernelCallExpr>(launch) ? call->getCallee()
                         : call->getNumArgs()            ? call->getArg(0)
                                                         : nullptr;
    if (kernel)
      kernel = kernel->IgnoreParenCasts();
    if (const auto *address = dyn_cast_or_null<UnaryOperator>(kernel))
      kernel = address->getSubExpr()->IgnoreParenCasts();
    const auto *reference = dyn_cast_or_null<DeclRefExpr>(kernel);
    const auto *function =
        reference ? dyn_cast<FunctionDecl>(reference->getDecl()) : nullptr;
    int index = function ? Kernels.indexOf(function) : -1;
    return index < 0 ? "" : Result.kernels[index].name;
  }

  /// The launches that no trace holds: why, or that none should.
  void findLost(UntakenLaunches &untaken) {
    const std::set<SourcePlace> reached = reachedPlaces();
    std::set<std::pair<SourcePlace, std::string>> made;
    for (const Trace &trace : Result.traces)
      for (const Step &step : trace.steps)
        if (step.kind == Step::Kind::Launch && step.kernel >= 0)
          made.insert({step.place, Result.kernels[step.kernel].name});
    std::set<SourcePlace> told;
    for (auto [launch, function] : Launches) {
      if (Facts.reached.contains(launch))
        continue;
      SourcePlace place = placeOf(launch->getBeginLoc(), Context);
      if (auto why = untaken.whyUntaken(launch, function)) {
        std::string kernel = kernelWrittenIn(launch);
        if (made.insert({place, kernel}).second)
          Result.untakenLaunches.push_back(
              {place, std::move(kernel),
               placeOf(why->at->getBeginLoc(), Context),
               why->condition ? shortText(why->condition, Context) : "",
               why->outcome});
        told.insert(place);
        continue;
      }
      if (reached.contains(place) || !told.insert(place).second)
        continue;
      std::string why = "not reached from any function of the file";
      for (const Trace &trace : Result.traces)
        for (const std::string &cut : trace.cuts)
          why = "not reached: " + cut;
      lose(launch, why);
    }
    for (const FunctionDecl *pattern : Patterns)
      if (!pattern->hasAttr<CUDAGlobalAttr>() &&
          !(pattern->hasAttr<CUDADeviceAttr>() &&
            !pattern->hasAttr<CUDAHostAttr>()))
        forEachStatement(pattern->getBody(), [&](const Stmt *one) {
          const auto *launch = dyn_cast<CUDAKernelCallExpr>(one);
          if (!launch)
            return;
          SourcePlace place = placeOf(launch->getBeginLoc(), Context);
          if (reached.contains(place) || !told.insert(place).second)
            return;
          std::string name = "'" + pattern->getNameAsString() + "'";
          // What `if constexpr` leaves out of a template is not there.
          lose(launch, Instantiated.contains(pattern)
                           ? "no instance of " + name +
                                 " in this file takes the branch it is in"
                           : name + " is a template that this file does not "
                                    "instantiate");
        });
  }
};

/// Launches that an error took out of the AST: those whose text, from the
/// kernel's name to the semicolon, holds the place of an error.
void findUnparsed(Program &program, const ParseOptions &options) {
  std::map<std::string, std::unique_ptr<llvm::MemoryBuffer>> buffers;
  std::set<SourcePlace> known;
  for (const Trace &trace : program.traces)
    for (const Step &step : trace.steps)
      if (step.kind == Step::Kind::Launch)
        known.insert(step.place);
  for (const Unread &lost : program.lostLaunches)
    known.insert(lost.place);
  for (const Unread &error : program.unread) {
    if (error.place.line == 0)
      continue;
    auto [at, isNew] = buffers.try_emplace(error.place.file);
    if (isNew) {
      auto buffer = options.files
                        ? options.files->getBufferForFile(error.place.file)
                        : llvm::MemoryBuffer::getFile(error.place.file);
      if (buffer)
        at->second = std::move(*buffer);
    }
    if (!at->second)
      continue;
    llvm::StringRef text = at->second->getBuffer();
    size_t offset = 0;
    for (unsigned line = 1; line < error.place.line; ++line) {
      offset = text.find('\n', offset);
      if (offset == llvm::StringRef::npos)
        break;
      ++offset;
    }
    if (offset == llvm::StringRef::npos)
      continue;
    offset = std::min(offset + error.place.column - 1, text.size());
    // The statement around it; an error may stand at a brace of its own.
    size_t from = text.take_front(offset).find_last_of(";{}#");
    from = from == llvm::StringRef::npos ? 0 : from + 1;
    size_t to = std::min(text.find_first_of(";{}", offset + 1), text.size());
    size_t chevrons = text.slice(from, to).rfind("<<<");
    if (chevrons == llvm::StringRef::npos)
      continue;
    // The kernel's name, with its template arguments, stands before.
    llvm::StringRef head = text.slice(from, from + chevrons).rtrim();
    size_t begin = from + head.size();
    int depth = 0;
    while (begin > from) {
      char c = text[begin - 1];
      if (c == '>')
        ++depth;
      else if (c == '<')
        --depth;
      else if (depth == 0 && !llvm::isAlnum(c) && c != '_' && c != ':')
        break;
      --begin;
    }
    SourcePlace place = error.place;
    llvm::StringRef before = text.take_front(begin);
    place.line = before.count('\n') + 1;
    place.column = begin - (before.rfind('\n') + 1) + 1;
    if (known.insert(place).second)
      program.lostLaunches.push_back(
          {place, "could not be parsed: " + error.why});
  }
}

/// Ordinary stores matter only where a kernel may wait for them.
void dropStores(Program &program) {
  for (const Kernel &kernel : program.kernels)
    for (const KernelWait &wait : kernel.body.waits)
      if (wait.what == KernelWait::For::Others)
        return;
  for (Kernel &kernel : program.kernels)
    llvm::erase_if(kernel.body.releases,
                   [](const KernelRelease &release) { return release.plain; });
}

/// What the kernels are on each target.
llvm::Error readDeviceSides(Program &program, const CompileCommand &command,
                            const ReadOptions &options) {
  for (ComputeCapability capability : options.capabilities) {
    Program device;
    ParseOptions parsing = options.parse;
    parsing.device = capability;
    auto result = parse(command, parsing, [&](const ParsedFile &parsed) {
      Unit(parsed, device).readKernels();
    });
    if (!result)
      return result.takeError();
    addDevicePass(program.kernels, capability, device.kernels);
  }
  return llvm::Error::success();
}

} // namespace

llvm::Expected<Program> readProgram(const CompileCommand &command,
                                    const ReadOptions &options,
                                    std::vector<AssumptionUse> *uses) {
  Program program;
  program.file = command.file;
  program.relocatable = command.relocatable;
  program.deviceDebug = command.deviceDebug;
  bool boundsDiffer = false, bodiesDiffer = false, triggersDiffer = false;
  auto result = parse(command, options.parse, [&](const ParsedFile &parsed) {
    Unit unit(parsed, program);
    unit.read(options, command.perThreadDefaultStream);
    if (uses)
      *uses = unit.assumptions();
    boundsDiffer = unit.boundsMayDiffer(parsed.architecture);
    bodiesDiffer = !parsed.architecture.names.empty();
    triggersDiffer = parsed.architecture.holdsTriggers;
  });
  if (!result)
    return result.takeError();
  for (Kernel &kernel : program.kernels) {
    // A lower bound must be one on every target.
    if (bodiesDiffer)
      kernel.declaredShared = 0;
    kernel.mayTrigger |= triggersDiffer;
  }
  if (boundsDiffer)
    if (llvm::Error error = readDeviceSides(program, command, options))
      return error;
  program.files = std::move(result->files);
  for (Kernel &kernel : program.kernels) {
    kernel.unit = program.file;
    kernel.unitMaxRegisters = command.maxRegisters;
  }
  program.ownDeclarations = result->usedOwnDeclarations;
  if (const std::optional<Toolkit> &toolkit = options.parse.toolkit;
      toolkit && !program.ownDeclarations)
    program.cudaVersion =
        toolkit->majorVersion * 1000 + toolkit->minorVersion * 10;
  for (const ParseError &error : result->errors.first)
    program.unread.push_back(
        {{error.file, error.line, error.column}, error.message});
  findUnparsed(program, options.parse);
  dropStores(program);
  return program;
}

} // namespace coreside
