// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "source/TokenizedFile.h"

#include <gtest/gtest.h>

using namespace coreside;

static TokenizedFile tokenized(const char *text) {
  return TokenizedFile(llvm::MemoryBuffer::getMemBufferCopy(text));
}

TEST(TokenizedFile, StatementsGoFromEndToEnd) {
  TokenizedFile file = tokenized("f();\n"
                                 "a = k<<<1,  // one\n"
                                 "    2>>>(x);\n"
                                 "g();\n");
  TokenizedFile::Statement statement = file.statementAt(2, 5);
  EXPECT_EQ(statement.firstLine, 2u);
  EXPECT_EQ(statement.lastLine, 3u);
  EXPECT_EQ(statement.text, "a = k <<< 1 , 2 >>> ( x ) ;");
}

TEST(TokenizedFile, MacrosEndTheirLines) {
  TokenizedFile file = tokenized("void f() {\n  LAUNCH(a)\n  LAUNCH(b)\n}\n");
  EXPECT_EQ(file.statementAt(2, 3).text, "LAUNCH ( a )");
  EXPECT_EQ(file.statementAt(3, 3).text, "LAUNCH ( b )");
}

TEST(TokenizedFile, KnowsCommentsFromStrings) {
  TokenizedFile file = tokenized("x = \"// no\"; /* yes\n */ // too\n");
  ASSERT_EQ(file.comments().size(), 2u);
  EXPECT_EQ(file.comments()[0].line, 1u);
  EXPECT_EQ(file.comments()[0].column, 14u);
  EXPECT_EQ(file.comments()[1].text, "// too");
  EXPECT_EQ(file.comments()[1].line, 2u);
}

TEST(TokenizedFile, PlacesWithoutTokens) {
  TokenizedFile file = tokenized("\n// c\nx\n");
  EXPECT_EQ(file.statementAt(2, 1).text, "");
  EXPECT_EQ(file.statementAt(9, 1).lastLine, 9u);
  EXPECT_EQ(file.statementAt(3, 1).text, "x");
  // Half a file must not lead astray.
  EXPECT_EQ(tokenized("k<<<(((").statementAt(1, 1).text, "k <<< ( ( (");
  EXPECT_EQ(tokenized("\"abc").statementAt(1, 1).lastLine, 1u);
}
