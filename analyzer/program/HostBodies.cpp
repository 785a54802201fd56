// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HostBodies.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace coreside {
namespace {

/// Whether code for the device may be in a lambda.
bool mayBeForDevice(const LambdaExpr &lambda) {
  const auto *device = lambda.getCallOperator()->getAttr<CUDADeviceAttr>();
  return device && !device->isImplicit();
}

/// A declaration in a body that means something outside of it.
bool reachesOut(const Decl &declaration) {
  if (const auto *variable = dyn_cast<VarDecl>(&declaration))
    return variable->hasExternalStorage() ||
           variable->hasAttr<CUDADeviceAttr>() ||
           variable->hasAttr<CUDAConstantAttr>() ||
           variable->hasAttr<CUDASharedAttr>() ||
           variable->hasAttr<HIPManagedAttr>();
  // A type may be the argument of a template that device code instantiates.
  return isa<TagDecl, FunctionDecl>(declaration);
}

bool isSeenByDevice(const Stmt *statement) {
  if (!statement)
    return false;
  if (const auto *lambda = dyn_cast<LambdaExpr>(statement))
    if (mayBeForDevice(*lambda))
      return true;
  if (const auto *declarations = dyn_cast<DeclStmt>(statement))
    for (const Decl *declaration : declarations->decls())
      if (reachesOut(*declaration))
        return true;
  for (const Stmt *child : statement->children())
    if (isSeenByDevice(child))
      return true;
  return false;
}

/// Whether the text says something to the preprocessor.
bool holdsDirectives(const SourceManager &sources, FileID file, size_t begin,
                     size_t end, const LangOptions &language) {
  llvm::StringRef text = sources.getBufferData(file);
  // The lexer wants a text that ends with a zero: it is that of the whole file.
  Lexer lexer(sources.getLocForStartOfFile(file), language, text.begin(),
              text.begin() + begin, text.end());
  Token token;
  while (!lexer.LexFromRawLexer(token)) {
    if (sources.getFileOffset(token.getLocation()) >= end)
      return false;
    if (token.is(tok::hash) && token.isAtStartOfLine())
      return true;
    if (token.is(tok::raw_identifier) &&
        (token.getRawIdentifier() == "_Pragma" ||
         token.getRawIdentifier() == "__COUNTER__"))
      return true;
  }
  return false;
}

} // namespace

std::vector<HostBody> hostBodies(llvm::ArrayRef<const FunctionDecl *> functions,
                                 const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  std::vector<HostBody> result;
  for (const FunctionDecl *function : functions) {
    const auto *body = dyn_cast_or_null<CompoundStmt>(function->getBody());
    if (!body || function->hasAttr<CUDADeviceAttr>() ||
        function->hasAttr<CUDAGlobalAttr>() || function->isConstexpr() ||
        function->isConsteval() || function->isTemplated() ||
        function->getTemplatedKind() != FunctionDecl::TK_NonTemplate ||
        function->getDeclaredReturnType()->getContainedDeducedType() ||
        isLambdaCallOperator(function))
      continue;
    SourceLocation begin = body->getLBracLoc(), end = body->getRBracLoc();
    if (!begin.isFileID() || !end.isFileID() || !sources.isInMainFile(begin) ||
        !sources.isInMainFile(end))
      continue;
    HostBody one;
    one.begin = sources.getFileOffset(begin) + 1;
    one.end = sources.getFileOffset(end);
    if (one.begin > one.end || isSeenByDevice(body) ||
        holdsDirectives(sources, sources.getFileID(begin), one.begin, one.end,
                        context.getLangOpts()))
      continue;
    result.push_back(one);
  }
  return result;
}

} // namespace coreside
