// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReadBody.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/ASTLambda.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace coreside {

/// Whether a parser that skips bodies in system headers (Parse.cpp) has this
/// one: clang skips none that a constant or a type may depend on, and writes
/// those of defaulted functions itself.
static bool isParsed(const FunctionDecl *definition) {
  const SourceManager &sources = definition->getASTContext().getSourceManager();
  return !sources.isInSystemHeader(definition->getLocation()) ||
         definition->isConstexpr() || definition->isDefaulted() ||
         definition->getDeclaredReturnType()->getContainedDeducedType() ||
         isLambdaCallOperator(definition);
}

const FunctionDecl *readDefinition(const FunctionDecl *function) {
  const FunctionDecl *definition = nullptr;
  if (!function->hasBody(definition) || definition->hasSkippedBody() ||
      !isParsed(definition))
    return nullptr;
  return definition;
}

} // namespace coreside
