// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   expressions, attributes, functions.
// Out:  SourceSpans.

#include "WrittenText.h"
#include "source/SourceName.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include <utility>

using namespace clang;

namespace coreside {

namespace {

/// The text from `begin` to before `end`, both places in a file.
SourceSpan spanOf(SourceLocation begin, SourceLocation end,
                  const SourceManager &sources) {
  if (begin.isInvalid() || end.isInvalid() || !begin.isFileID() ||
      !end.isFileID() || sources.isInSystemHeader(begin))
    return {};
  auto [beginFile, beginOffset] = sources.getDecomposedLoc(begin);
  auto [endFile, endOffset] = sources.getDecomposedLoc(end);
  if (beginFile != endFile || beginOffset > endOffset)
    return {};
  PresumedLoc shown = sources.getPresumedLoc(begin);
  PresumedLoc real = sources.getPresumedLoc(begin, /*UseLineDirectives=*/false);
  if (shown.isInvalid() || shown.getLine() != real.getLine() ||
      llvm::StringRef(shown.getFilename()) != real.getFilename())
    return {};
  bool invalid = false;
  llvm::StringRef buffer = sources.getBufferData(beginFile, &invalid);
  if (invalid || endOffset > buffer.size())
    return {};
  SourceSpan span;
  span.file = absoluteName(shown.getFilename(), sources.getFileManager());
  span.line = sources.getLineNumber(beginFile, beginOffset);
  span.column = sources.getColumnNumber(beginFile, beginOffset);
  span.endLine = sources.getLineNumber(endFile, endOffset);
  span.endColumn = sources.getColumnNumber(endFile, endOffset);
  span.text = buffer.slice(beginOffset, endOffset).str();
  return span;
}

/// The text of the tokens in `range`: between its ends, or the macro that makes
/// all of it, or what was passed to a macro.
SourceSpan spanOf(SourceRange range, const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  if (range.isInvalid())
    return {};
  CharSourceRange characters = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(range), sources, context.getLangOpts());
  if (characters.isInvalid())
    return {};
  return spanOf(characters.getBegin(), characters.getEnd(), sources);
}

/// Whether one macro makes all of `statement`, `CHECK(cudaFree(p));`.
bool isOneMacro(const Stmt *statement, const SourceManager &sources) {
  return statement->getBeginLoc().isMacroID() &&
         statement->getEndLoc().isMacroID() &&
         sources.getExpansionLoc(statement->getBeginLoc()) ==
             sources.getExpansionRange(statement->getEndLoc()).getBegin();
}

/// The text of `statement`, with its semicolon, where another may go before it.
SourceSpan statementSpan(const Stmt *statement, const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  if (!isa<Expr, DeclStmt, ReturnStmt>(statement) &&
      !isOneMacro(statement, sources))
    return {};
  CharSourceRange characters =
      isOneMacro(statement, sources)
          ? sources.getExpansionRange(statement->getBeginLoc())
          : CharSourceRange::getTokenRange(statement->getSourceRange());
  characters =
      Lexer::makeFileCharRange(characters, sources, context.getLangOpts());
  if (characters.isInvalid())
    return {};
  SourceLocation end = characters.getEnd();
  if (auto next = Lexer::findNextToken(end.getLocWithOffset(-1), sources,
                                       context.getLangOpts());
      next && next->is(tok::semi))
    end = next->getEndLoc();
  return spanOf(characters.getBegin(), end, sources);
}

/// The blanks between the beginning of the line and `statement`.
std::string blanksBefore(const Stmt *statement, const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  auto [file, offset] = sources.getDecomposedLoc(
      sources.getExpansionLoc(statement->getBeginLoc()));
  llvm::StringRef before = sources.getBufferData(file).take_front(offset);
  before = before.drop_front(before.rfind('\n') + 1);
  return before.take_while([](char c) { return c == ' ' || c == '\t'; }).str();
}

/// A call that stands in the body of a macro cannot be changed where the macro
/// is used.
SourceSpan callSpan(const Expr *call, const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  for (SourceLocation end : {call->getBeginLoc(), call->getEndLoc()})
    if (end.isMacroID() && !sources.isMacroArgExpansion(end))
      return {};
  return spanOf(call->getSourceRange(), context);
}

bool contains(const SourceSpan &outer, const SourceSpan &inner) {
  return outer.file == inner.file &&
         std::pair(outer.line, outer.column) <=
             std::pair(inner.line, inner.column) &&
         std::pair(inner.endLine, inner.endColumn) <=
             std::pair(outer.endLine, outer.endColumn);
}

} // namespace

SourceSpan spanOf(const Expr *expression, const ASTContext &context) {
  if (!expression || isa<CXXDefaultArgExpr>(expression))
    return {};
  return spanOf(expression->IgnoreImplicit()->getSourceRange(), context);
}

std::string shortText(const Expr *expression, const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  SourceRange range = expression->IgnoreImplicit()->getSourceRange();
  if (range.isInvalid())
    return "";
  CharSourceRange characters = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(range), sources, context.getLangOpts());
  if (characters.isInvalid())
    characters = sources.getExpansionRange(range);
  llvm::StringRef text =
      Lexer::getSourceText(characters, sources, context.getLangOpts());
  if (text.empty() || text.size() > 80 || text.contains('\n'))
    return "";
  return text.trim().str();
}

SourceSpan spanOf(const Attr *attribute, const ASTContext &context) {
  const SourceManager &sources = context.getSourceManager();
  SourceLocation made = attribute->getLocation();
  if (!made.isMacroID())
    return {};
  CharSourceRange macro = sources.getImmediateExpansionRange(made);
  if (!macro.getBegin().isFileID() || !macro.getEnd().isFileID())
    return {};
  return spanOf(macro.getAsRange(), context);
}

SourceSpan spanBeforeName(const FunctionDecl *function,
                          const ASTContext &context) {
  SourceLocation place = function->getQualifierLoc()
                             ? function->getQualifierLoc().getBeginLoc()
                             : function->getLocation();
  return spanOf(place, place, context.getSourceManager());
}

int StepTexts::indexOf(const Expr *call, const Stmt *statement) {
  auto [at, isNew] = Indices.try_emplace(call, -1);
  if (!isNew)
    return at->second;
  StepText text;
  text.call = callSpan(call, Context);
  if (text.call && statement)
    if (SourceSpan whole = statementSpan(statement, Context);
        whole && contains(whole, text.call)) {
      text.statement = std::move(whole);
      text.indentation = blanksBefore(statement, Context);
    }
  auto configure = [&](const CallExpr &from, unsigned grid, unsigned block,
                       unsigned dynamicShared, unsigned stream) {
    auto argument = [&](unsigned index) {
      return index < from.getNumArgs() ? spanOf(from.getArg(index), Context)
                                       : SourceSpan();
    };
    text.grid = argument(grid);
    text.block = argument(block);
    text.dynamicShared = argument(dynamicShared);
    text.stream = argument(stream);
  };
  if (const auto *launch = dyn_cast<CUDAKernelCallExpr>(call)) {
    text.kernel = spanOf(launch->getCallee(), Context);
    if (launch->getConfig())
      configure(*launch->getConfig(), 0, 1, 2, 3);
  } else if (const auto *other = dyn_cast<CallExpr>(call)) {
    const FunctionDecl *callee = other->getDirectCallee();
    llvm::StringRef name =
        callee && callee->getIdentifier() ? callee->getName() : "";
    // (kernel, grid, block, arguments, bytes, stream)
    if ((name == "cudaLaunchKernel" || name == "cudaLaunchCooperativeKernel") &&
        other->getNumArgs() > 0) {
      text.kernel = spanOf(other->getArg(0), Context);
      configure(*other, 1, 2, 4, 5);
    }
  }
  if (const auto *any = dyn_cast<CallExpr>(call))
    for (const Expr *argument : any->arguments())
      text.arguments.push_back(spanOf(argument, Context));
  Texts.push_back(std::move(text));
  return Indices[call] = static_cast<int>(Texts.size()) - 1;
}

const Stmt *StepTexts::statementToChange(const Stmt *outer, const Stmt *braces,
                                         const Stmt *inner) const {
  const SourceManager &sources = Context.getSourceManager();
  auto isOfSameMacro = [&](const Stmt *other) {
    return other && other->getBeginLoc().isMacroID() &&
           sources.getExpansionLoc(other->getBeginLoc()) ==
               sources.getExpansionLoc(inner->getBeginLoc());
  };
  if (!inner->getBeginLoc().isMacroID() || !isOfSameMacro(braces))
    return inner;
  return isOfSameMacro(outer) ? outer : nullptr;
}

} // namespace coreside
