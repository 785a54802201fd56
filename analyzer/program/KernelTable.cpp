// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   FunctionDecls.
// Out:  Kernels.

#include "KernelTable.h"

#include "KernelBodies.h"
#include "ReadBody.h"
#include "WrittenText.h"
#include "source/SourceName.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Mangle.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/raw_ostream.h"

using namespace clang;

namespace coreside {

SourcePlace placeOf(SourceLocation location, const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  PresumedLoc place = sources.getPresumedLoc(sources.getExpansionLoc(location));
  if (place.isInvalid())
    return {};
  return {absoluteName(place.getFilename(), sources.getFileManager()),
          place.getLine(), place.getColumn()};
}

std::string nameOf(const FunctionDecl &function) {
  if (const auto *method = dyn_cast<CXXMethodDecl>(&function);
      method && method->getParent()->isLambda()) {
    const DeclContext *around = method->getParent()->getParent();
    while (around && !isa<FunctionDecl>(around))
      around = around->getParent();
    if (around)
      return "lambda in " + nameOf(*cast<FunctionDecl>(around));
    return "lambda";
  }
  PrintingPolicy policy(function.getASTContext().getLangOpts());
  policy.SuppressUnwrittenScope = true;
  policy.AnonymousTagLocations = false;
  std::string name;
  llvm::raw_string_ostream stream(name);
  function.getNameForDiagnostic(stream, policy, /*Qualified=*/true);
  return name;
}

namespace {

Value evaluate(const Expr *expression, ASTContext &context) {
  if (!expression || expression->isValueDependent())
    return Value::unknown("depends on a template parameter");
  Expr::EvalResult result;
  if (!expression->EvaluateAsInt(result, context))
    return Value::unknown("not a constant");
  llvm::APSInt number = result.Val.getInt();
  if (!number.isRepresentableByInt64())
    return Value::unknown("larger than 2^63");
  return Value::known(number.getExtValue());
}

/// Bytes of the __shared__ variables in `statement`.
uint64_t sharedBytes(const Stmt *statement, ASTContext &context) {
  if (!statement)
    return 0;
  uint64_t bytes = 0;
  if (const auto *declarations = dyn_cast<DeclStmt>(statement))
    for (const Decl *declaration : declarations->decls())
      if (const auto *variable = dyn_cast<VarDecl>(declaration))
        if (variable->hasAttr<CUDASharedAttr>() &&
            !variable->hasExternalStorage() &&
            !variable->getType()->isDependentType() &&
            !variable->getType()->isIncompleteType())
          bytes +=
              context.getTypeSizeInChars(variable->getType()).getQuantity();
  for (const Stmt *child : statement->children())
    bytes += sharedBytes(child, context);
  return bytes;
}

/// Whether something in `statement` may let programmatic dependents start:
/// the call that does, inline assembly, or a function that cannot be seen.
bool mayTrigger(const Stmt *statement, const ASTContext &context,
                llvm::SmallPtrSetImpl<const FunctionDecl *> &seen) {
  if (!statement)
    return false;
  if (isa<AsmStmt>(statement))
    return true;
  if (const auto *call = dyn_cast<CallExpr>(statement)) {
    const FunctionDecl *callee = call->getDirectCallee();
    if (!callee)
      return true;
    if (callee->getIdentifier() &&
        callee->getName() == "cudaTriggerProgrammaticLaunchCompletion")
      return true;
    const FunctionDecl *definition = readDefinition(callee);
    bool system =
        callee->getBuiltinID() ||
        context.getSourceManager().isInSystemHeader(callee->getLocation());
    if (!system && !definition && !callee->isDefaulted())
      return true;
    if (!system && definition && seen.insert(definition).second &&
        mayTrigger(definition->getBody(), context, seen))
      return true;
  }
  for (const Stmt *child : statement->children())
    if (mayTrigger(child, context, seen))
      return true;
  return false;
}

bool isDeviceVariable(const VarDecl &variable) {
  if (variable.hasAttr<CUDASharedAttr>() || variable.isConstexpr())
    return false;
  if (variable.hasAttr<CUDADeviceAttr>() ||
      variable.hasAttr<CUDAConstantAttr>() ||
      variable.hasAttr<HIPManagedAttr>())
    return true;
  return llvm::any_of(variable.specific_attrs<AnnotateAttr>(),
                      [](const AnnotateAttr *attribute) {
                        return attribute->getAnnotation() == "coreside.managed";
                      });
}

/// The variables of the device that `statement`, or what it calls, names.
void findVariables(const Stmt *statement, const ASTContext &context,
                   llvm::SmallPtrSetImpl<const FunctionDecl *> &seen,
                   std::vector<const VarDecl *> &variables) {
  if (!statement)
    return;
  if (const auto *reference = dyn_cast<DeclRefExpr>(statement)) {
    if (const auto *variable = dyn_cast<VarDecl>(reference->getDecl());
        variable && variable->hasGlobalStorage() &&
        isDeviceVariable(*variable) &&
        !context.getSourceManager().isInSystemHeader(variable->getLocation()) &&
        !llvm::is_contained(variables, variable->getCanonicalDecl()))
      variables.push_back(variable->getCanonicalDecl());
    const auto *callee = dyn_cast<FunctionDecl>(reference->getDecl());
    const FunctionDecl *definition = callee ? readDefinition(callee) : nullptr;
    if (definition &&
        !context.getSourceManager().isInSystemHeader(
            definition->getLocation()) &&
        seen.insert(definition).second)
      findVariables(definition->getBody(), context, seen, variables);
  } else if (const auto *member = dyn_cast<MemberExpr>(statement)) {
    const auto *callee = dyn_cast<FunctionDecl>(member->getMemberDecl());
    const FunctionDecl *definition = callee ? readDefinition(callee) : nullptr;
    if (definition && seen.insert(definition).second)
      findVariables(definition->getBody(), context, seen, variables);
  }
  for (const Stmt *child : statement->children())
    findVariables(child, context, seen, variables);
}

} // namespace

KernelTable::KernelTable(ASTContext &context, std::vector<Kernel> &kernels)
    : Context(context), Kernels(kernels),
      Mangler(context.createMangleContext()) {}
KernelTable::~KernelTable() = default;

const FunctionDecl *KernelTable::byName(llvm::StringRef mangled) const {
  for (size_t i = 0; i < Kernels.size(); ++i)
    if (Kernels[i].mangled == mangled)
      return Declarations[i];
  return nullptr;
}

std::vector<const FunctionDecl *> KernelTable::declarations() const {
  std::vector<const FunctionDecl *> result;
  for (const auto &[function, index] : Indices)
    if (index >= 0)
      result.push_back(function);
  return result;
}

int KernelTable::indexOf(const FunctionDecl *kernel) {
  if (!kernel || !kernel->hasAttr<CUDAGlobalAttr>() ||
      kernel->isDependentContext())
    return -1;
  auto [at, isNew] = Indices.try_emplace(kernel->getCanonicalDecl(), -1);
  if (!isNew)
    return at->second;
  const FunctionDecl *read = readDefinition(kernel);
  const FunctionDecl *definition = read ? read : kernel->getMostRecentDecl();

  Kernel record;
  record.name = nameOf(*kernel);
  // The place of a template is that of its text.
  const FunctionDecl *written = definition->getTemplateInstantiationPattern();
  record.place =
      placeOf((written ? written : definition)->getLocation(), Context);
  llvm::raw_string_ostream stream(record.mangled);
  GlobalDecl declaration(kernel, KernelReferenceKind::Kernel);
  if (Mangler->shouldMangleDeclName(kernel))
    Mangler->mangleName(declaration, stream);
  else
    stream << kernel->getName();

  if (read)
    record.text.beforeName =
        spanBeforeName(written ? written : definition, Context);
  for (const auto *attribute : definition->specific_attrs<AnnotateAttr>()) {
    auto argument = [&](unsigned index) -> std::optional<Value> {
      if (index >= attribute->args_size())
        return std::nullopt;
      return evaluate(attribute->args_begin()[index], Context);
    };
    llvm::StringRef name = attribute->getAnnotation();
    if (name == "coreside.launch_bounds") {
      record.maxThreads = argument(0);
      record.minBlocks = argument(1);
      record.maxBlocksPerCluster = argument(2);
      record.text.launchBounds = spanOf(attribute, Context);
      if (record.text.launchBounds)
        for (unsigned i = 0; i < attribute->args_size() && i < 3; ++i)
          record.text.launchBoundsArguments[i] =
              spanOf(attribute->args_begin()[i], Context);
    } else if (name == "coreside.maxnreg") {
      record.maxRegisters = argument(0);
      record.text.maxRegisters = spanOf(attribute, Context);
    } else if (name == "coreside.block_size") {
      Value threads = Value::known(1);
      for (unsigned i = 0; i < attribute->args_size() && i < 3; ++i) {
        Value one = *argument(i);
        threads = one.isKnown() && threads.isKnown()
                      ? Value::known(one.low * threads.low)
                      : Value::unknown(one.text);
      }
      record.maxThreads = threads;
    } else if (name == "coreside.cluster_dims") {
      std::array<Value, 3> dims = {Value::known(1), Value::known(1),
                                   Value::known(1)};
      for (unsigned i = 0; i < 3; ++i)
        if (auto value = argument(i))
          dims[i] = *value;
      record.clusterDims = dims;
    }
  }
  // __attribute__((launch_bounds(...))) without the macro.
  if (const auto *bounds = definition->getAttr<CUDALaunchBoundsAttr>()) {
    if (bounds->getMaxThreads())
      record.maxThreads = evaluate(bounds->getMaxThreads(), Context);
    if (bounds->getMinBlocks())
      record.minBlocks = evaluate(bounds->getMinBlocks(), Context);
    if (bounds->getMaxBlocks())
      record.maxBlocksPerCluster = evaluate(bounds->getMaxBlocks(), Context);
  }
  if (read) {
    record.body = readKernelBody(*read, Context);
    llvm::SmallPtrSet<const FunctionDecl *, 8> seen;
    record.mayTrigger = mayTrigger(read->getBody(), Context, seen);
    record.declaredShared = sharedBytes(read->getBody(), Context);
  }
  record.defined = read != nullptr;
  std::vector<const VarDecl *> &variables = Variables.emplace_back();
  if (read) {
    llvm::SmallPtrSet<const FunctionDecl *, 8> seen;
    findVariables(read->getBody(), Context, seen, variables);
    for (const VarDecl *variable : variables)
      record.variables.push_back(variable->getNameAsString());
  }
  Declarations.push_back(kernel);
  Kernels.push_back(std::move(record));
  return Indices[kernel->getCanonicalDecl()] =
             static_cast<int>(Kernels.size()) - 1;
}

} // namespace coreside
