// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TokenizedFile.h"

#include "clang/Basic/CharInfo.h"
#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>
#include <utility>

using namespace coreside;
using llvm::StringRef;

TokenizedFile::TokenizedFile(std::unique_ptr<llvm::MemoryBuffer> text)
    : Text(std::move(text)) {}

void TokenizedFile::lex() const {
  if (std::exchange(IsLexed, true))
    return;
  clang::LangOptions language;
  language.CUDA = true;
  language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus14 = true;
  language.CPlusPlus17 = language.CPlusPlus20 = language.LineComment = true;
  language.RawStringLiterals = true;
  StringRef all = Text->getBuffer();
  clang::Lexer lexer(clang::SourceLocation::getFromRawEncoding(1), language,
                     all.begin(), all.begin(), all.end());
  lexer.SetCommentRetentionState(true);
  unsigned line = 1;
  size_t lineStart = 0, seen = 0;
  // Moves to `offset`, which is not before where it was last.
  auto moveTo = [&](size_t offset) {
    for (; seen < offset; ++seen)
      if (all[seen] == '\n') {
        ++line;
        lineStart = seen + 1;
      }
  };
  clang::Token token;
  for (bool atEnd = false; !atEnd;) {
    atEnd = lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof))
      break;
    size_t end = lexer.getCurrentBufferOffset();
    size_t start = end - token.getLength();
    moveTo(start);
    unsigned firstLine = line;
    unsigned column = start - lineStart + 1;
    moveTo(end);
    StringRef spelling = all.slice(start, end);
    if (token.is(clang::tok::comment))
      Comments.push_back({firstLine, column, spelling});
    else
      Tokens.push_back({firstLine, column, line, spelling});
  }
}

TokenizedFile::Statement TokenizedFile::statementAt(unsigned line,
                                                    unsigned column) const {
  lex();
  auto at = std::partition_point(
      Tokens.begin(), Tokens.end(), [&](const Token &token) {
        return std::pair(token.line, token.column) < std::pair(line, column);
      });
  if (at == Tokens.end() || at->line != line)
    return {line, line, {}};
  auto ends = [](const Token &token) {
    return token.text == ";" || token.text == "{" || token.text == "}";
  };
  // What ends a line as a call does, with a name on the next.
  auto endsLine = [](const Token &token, const Token &next) {
    return token.text == ")" && next.line > token.lastLine &&
           (clang::isAsciiIdentifierStart(next.text.front()) ||
            next.text == "#");
  };
  auto first = at;
  while (first != Tokens.begin() && !ends(first[-1]) &&
         !endsLine(first[-1], *first))
    --first;
  auto last = at;
  int depth = 0;
  for (auto token = at; token != Tokens.end(); ++token) {
    depth += token->text == "(" || token->text == "{" || token->text == "[";
    depth -= token->text == ")" || token->text == "}" || token->text == "]";
    if (depth < 0)
      break;
    last = token;
    if (depth == 0 && (token->text == ";" || (token + 1 != Tokens.end() &&
                                              endsLine(*token, token[1]))))
      break;
  }
  Statement statement{first->line, last->lastLine, {}};
  for (auto token = first; token <= last; ++token)
    statement.text += (token == first ? "" : " ") + token->text.str();
  return statement;
}
