// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   attributes.
// Out:  whether anything that their arguments are made from, however far, is
//       written with a name that depends on the architecture.

#include "BoundsDependence.h"

#include "ReadBody.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace coreside {
namespace {

class Follower {
public:
  Follower(const ArchitectureText &text, const ASTContext &context)
      : Text(text), Context(context) {}

  /// Whether an attribute of `kernel` depends.
  bool kernelDepends(const FunctionDecl *kernel) {
    for (const FunctionDecl *one : kernel->redecls()) {
      for (const auto *note : one->specific_attrs<AnnotateAttr>())
        for (const Expr *argument : note->args())
          if (depends(argument))
            return true;
      if (const auto *bounds = one->getAttr<CUDALaunchBoundsAttr>())
        if (depends(bounds->getMaxThreads()) ||
            depends(bounds->getMinBlocks()) || depends(bounds->getMaxBlocks()))
          return true;
    }
    return false;
  }

private:
  const ArchitectureText &Text;
  const ASTContext &Context;
  llvm::DenseSet<const Decl *> Seen;

  bool depends(const Stmt *statement) {
    if (!statement)
      return false;
    if (const auto *reference = dyn_cast<DeclRefExpr>(statement)) {
      if (depends(reference->getDecl()))
        return true;
    } else if (const auto *member = dyn_cast<MemberExpr>(statement)) {
      if (depends(member->getMemberDecl()))
        return true;
    } else if (const auto *construction =
                   dyn_cast<CXXConstructExpr>(statement)) {
      if (depends(construction->getConstructor()))
        return true;
    } else if (const auto *ofType =
                   dyn_cast<UnaryExprOrTypeTraitExpr>(statement)) {
      QualType type = ofType->getTypeOfArgument();
      if (const auto *record = type->getAsCXXRecordDecl();
          record && depends(record))
        return true;
    }
    return llvm::any_of(statement->children(),
                        [&](const Stmt *child) { return depends(child); });
  }

  bool depends(const Decl *declaration) {
    if (!Seen.insert(declaration).second)
      return false;
    if (const auto *named = dyn_cast<NamedDecl>(declaration))
      if (const IdentifierInfo *name = named->getIdentifier();
          name && Text.depends(name->getName()))
        return true;
    if (textDepends(declaration->getSourceRange()))
      return true;
    // Which specialisation it is may depend.
    if (const auto *record =
            dyn_cast<CXXRecordDecl>(declaration->getDeclContext());
        record && depends(record))
      return true;
    if (const auto *variable = dyn_cast<VarDecl>(declaration))
      return depends(variable->getAnyInitializer());
    if (const auto *constant = dyn_cast<EnumConstantDecl>(declaration))
      return depends(constant->getInitExpr());
    if (const auto *field = dyn_cast<FieldDecl>(declaration))
      return depends(field->getInClassInitializer());
    if (const auto *function = dyn_cast<FunctionDecl>(declaration)) {
      const FunctionDecl *definition = readDefinition(function);
      return definition && depends(definition->getBody());
    }
    return false;
  }

  /// Macros leave no trace in the tree.
  bool textDepends(SourceRange range) const {
    const SourceManager &sources = Context.getSourceManager();
    SourceLocation begin = sources.getExpansionLoc(range.getBegin());
    if (begin.isInvalid() || sources.isInSystemHeader(begin))
      return false;
    auto [file, at] = sources.getDecomposedLoc(begin);
    auto [endFile, end] =
        sources.getDecomposedLoc(sources.getExpansionLoc(range.getEnd()));
    llvm::StringRef buffer = sources.getBufferData(file);
    if (file != endFile || at > end || end > buffer.size())
      return true;
    Lexer lexer(sources.getLocForStartOfFile(file), Context.getLangOpts(),
                buffer.begin(), buffer.begin() + at, buffer.end());
    for (Token token;;) {
      bool atEnd = lexer.LexFromRawLexer(token);
      if (sources.getFileOffset(token.getLocation()) > end)
        return false;
      if (token.is(tok::raw_identifier) &&
          Text.depends(token.getRawIdentifier()))
        return true;
      if (atEnd)
        return false;
    }
  }
};

} // namespace

bool boundsMayDiffer(const ArchitectureText &text,
                     llvm::ArrayRef<const FunctionDecl *> kernels,
                     const ASTContext &context) {
  if (kernels.empty())
    return false;
  if (text.holdsKernels)
    return true;
  for (const auto &name : text.boundNames)
    if (text.depends(name.getKey()))
      return true;
  if (text.names.empty())
    return false;
  Follower follower(text, context);
  return llvm::any_of(kernels, [&](const FunctionDecl *kernel) {
    return follower.kernelDepends(kernel);
  });
}

} // namespace coreside
