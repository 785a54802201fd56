// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where declarations end that have no body: constants, and functions that are
// only named.
//
// In:   the tokens of `const int sizes[] = {1, 2};  int main() {`, in turn
// Out:  yes for all up to the last, which opens a body
//
// What stands before a file's #includes is of that kind, if anything does.

#ifndef CORESIDE_SOURCE_BODILESSDECLARATIONS_H
#define CORESIDE_SOURCE_BODILESSDECLARATIONS_H

#include "clang/Lex/Token.h"

namespace coreside {

class BodilessDeclarations {
public:
  /// Takes the next token, of a raw lexer; false: it may be of a declaration
  /// with a body.
  bool take(const clang::Token &token);

  /// A declaration has ended and the next has not begun.
  bool isBetween() const { return Between; }

private:
  clang::tok::TokenKind Before = clang::tok::semi;
  unsigned Depth = 0;
  bool Between = true;
};

} // namespace coreside

#endif
