// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A source file's tokens and comments, as the lexer sees them.
//
// In:   edges<<<n,          // half of them
//           256>>>(map);
// Out:  statement at 1:1: lines 1 to 2, "edges <<< n , 256 >>> ( map ) ;"
//       comment at 1:23
//
// Words in strings are not comments, and what a preprocessor would leave out is
// there as well: a file stands for all of its configurations.

#ifndef CORESIDE_SOURCE_TOKENIZEDFILE_H
#define CORESIDE_SOURCE_TOKENIZEDFILE_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <vector>

namespace coreside {

class TokenizedFile {
public:
  struct Comment {
    /// From 1; columns in bytes.
    unsigned line = 0;
    unsigned column = 0;
    /// With its slashes and stars.
    llvm::StringRef text;
  };
  /// What stands from one ';', '{' or '}' to the next. A call that ends its
  /// line without a ';', as of a macro, ends its statement.
  struct Statement {
    unsigned firstLine = 0;
    unsigned lastLine = 0;
    /// Its tokens with one space between; no comments.
    std::string text;
  };

  explicit TokenizedFile(std::unique_ptr<llvm::MemoryBuffer> text);

  llvm::StringRef text() const { return Text->getBuffer(); }
  const std::vector<Comment> &comments() const {
    lex();
    return Comments;
  }
  /// The statement around a place; where no token is, the line with no text.
  Statement statementAt(unsigned line, unsigned column) const;

private:
  struct Token {
    unsigned line = 0;
    unsigned column = 0;
    unsigned lastLine = 0;
    llvm::StringRef text;
  };
  /// Once, when it is first needed: of most files only the text is.
  void lex() const;

  std::unique_ptr<llvm::MemoryBuffer> Text;
  mutable bool IsLexed = false;
  mutable std::vector<Token> Tokens;
  mutable std::vector<Comment> Comments;
};

} // namespace coreside

#endif
