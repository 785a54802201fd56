// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the source says what a fix would change.
//
// In:   the AST of `  blur<<<grid, 256, 0, s>>>(p);` at line 9.
// Out:  call 9:3 to 9:31, grid 9:10 to 9:14 "grid", block 9:16 to 9:19 "256"
//
// A place counts when a person wrote just that text there: what a macro made,
// what stands in a system header or under a #line directive has no place.

#ifndef CORESIDE_PROGRAM_WRITTENTEXT_H
#define CORESIDE_PROGRAM_WRITTENTEXT_H

#include "Program.h"

#include "llvm/ADT/DenseMap.h"

#include <vector>

namespace clang {
class ASTContext;
class Attr;
class Expr;
class FunctionDecl;
class Stmt;
} // namespace clang

namespace coreside {

/// The text of `expression`.
SourceSpan spanOf(const clang::Expr *expression,
                  const clang::ASTContext &context);

/// `expression` in the source's words, for messages: "(n + 255) / 256", or the
/// macro that made it. Empty where that is more than a line of 80 characters.
std::string shortText(const clang::Expr *expression,
                      const clang::ASTContext &context);

/// An attribute that one of CUDA's macros makes: the macro with its arguments,
/// `__launch_bounds__(256, 2)`, where the user wrote that.
SourceSpan spanOf(const clang::Attr *attribute,
                  const clang::ASTContext &context);

/// The empty text before the name of `function`, where attributes may stand.
SourceSpan spanBeforeName(const clang::FunctionDecl *function,
                          const clang::ASTContext &context);

/// The texts of the expressions that make steps: one record for each.
class StepTexts {
public:
  StepTexts(const clang::ASTContext &context, std::vector<StepText> &texts)
      : Context(context), Texts(texts) {}

  /// Index of the record of `call`, a call or a launch, which is made if need
  /// be. `statement`: the statement in braces that is being run.
  int indexOf(const clang::Expr *call, const clang::Stmt *statement);

  /// The statement before which a user would add one: `inner`, a statement in
  /// `braces`; where a macro makes the braces, `outer`, which they stand in and
  /// which that macro makes, or null.
  const clang::Stmt *statementToChange(const clang::Stmt *outer,
                                       const clang::Stmt *braces,
                                       const clang::Stmt *inner) const;

private:
  const clang::ASTContext &Context;
  std::vector<StepText> &Texts;
  llvm::DenseMap<const clang::Expr *, int> Indices;
};

} // namespace coreside

#endif
