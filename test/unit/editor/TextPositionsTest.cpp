// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "editor/TextPositions.h"

#include "gtest/gtest.h"

using namespace coreside;
namespace json = llvm::json;

// A letter of one byte, of two, of three and of four: 1, 1, 1 and 2 units of
// UTF-16.
static const char letters[] = "a\u00e9\u20ac\U0001D11Eb";

static size_t offset(llvm::StringRef text, PositionEncoding encoding,
                     unsigned line, unsigned character) {
  return TextPositions(text, encoding).offset({line, character}).value_or(~0);
}

TEST(TextPositions, UnitsOfEncodings) {
  // Where each letter begins, and the end.
  const size_t bytes[] = {0, 1, 3, 6, 10, 11};
  const unsigned inUTF16[] = {0, 1, 2, 3, 5, 6};
  for (unsigned i = 0; i != 6; ++i) {
    EXPECT_EQ(bytes[i],
              offset(letters, PositionEncoding::UTF16, 0, inUTF16[i]));
    EXPECT_EQ(bytes[i], offset(letters, PositionEncoding::UTF32, 0, i));
    EXPECT_EQ(bytes[i], offset(letters, PositionEncoding::UTF8, 0, bytes[i]));
    TextPositions utf16(letters, PositionEncoding::UTF16);
    EXPECT_EQ(inUTF16[i], utf16.position(bytes[i]).character);
    TextPositions utf32(letters, PositionEncoding::UTF32);
    EXPECT_EQ(i, utf32.position(bytes[i]).character);
    TextPositions utf8(letters, PositionEncoding::UTF8);
    EXPECT_EQ(bytes[i], utf8.position(bytes[i]).character);
  }
}

TEST(TextPositions, MiddleOfACharacterIsItsBeginning) {
  EXPECT_EQ(6u, offset(letters, PositionEncoding::UTF16, 0, 4));
  EXPECT_EQ(3u, offset(letters, PositionEncoding::UTF8, 0, 5));
  EXPECT_EQ(
      3u,
      TextPositions(letters, PositionEncoding::UTF16).position(8).character);
}

TEST(TextPositions, BytesThatAreNoUTF8CountOneEach) {
  llvm::StringRef text("\xff\xfe\xe2\x82x", 5);
  EXPECT_EQ(4u, offset(text, PositionEncoding::UTF16, 0, 4));
  EXPECT_EQ(4u,
            TextPositions(text, PositionEncoding::UTF16).position(4).character);
}

TEST(TextPositions, EndsOfLines) {
  llvm::StringRef text = "a\r\nbc\rd\n\ne";
  TextPositions positions(text, PositionEncoding::UTF16);
  ASSERT_EQ(5u, positions.lines());
  const char *lines[] = {"a", "bc", "d", "", "e"};
  const size_t starts[] = {0, 3, 6, 8, 9};
  for (unsigned i = 0; i != 5; ++i) {
    EXPECT_EQ(lines[i], positions.line(i));
    EXPECT_EQ(starts[i], positions.offset({i, 0}));
    EXPECT_EQ((TextPosition{i, 0}), positions.position(starts[i]));
    // What is behind the end of a line is its end.
    EXPECT_EQ(starts[i] + positions.line(i).size(),
              positions.offset({i, 1000}));
  }
  EXPECT_EQ(std::nullopt, positions.offset({5, 0}));
  EXPECT_EQ("", positions.line(5));
  // Between \r and \n is the end of the line.
  EXPECT_EQ((TextPosition{0, 1}), positions.position(2));
}

TEST(TextPositions, PlacesOfACompiler) {
  llvm::StringRef text = "a\n\u00e9 b\n";
  TextPositions positions(text, PositionEncoding::UTF16);
  EXPECT_EQ((TextPosition{1, 2}), positions.of(2, 4));
  EXPECT_EQ(4u, positions.column({1, 2}));
  EXPECT_EQ((TextPosition{1, 3}), positions.of(2, 99));
  EXPECT_EQ((TextPosition{2, 0}), positions.of(3, 1));
  EXPECT_EQ((TextPosition{2, 0}), positions.of(99, 1));
  EXPECT_EQ((TextPosition{0, 0}), positions.of(0, 0));
}

static json::Value change(unsigned line, unsigned character, unsigned endLine,
                          unsigned endCharacter, const char *text) {
  return json::Object{
      {"range", toJSON(TextRange{{line, character}, {endLine, endCharacter}})},
      {"text", text}};
}

static std::string changed(llvm::StringRef text,
                           std::initializer_list<json::Value> changes) {
  auto result =
      applyChanges(text.str(), json::Array(changes), PositionEncoding::UTF16);
  return result ? *result : "error: " + llvm::toString(result.takeError());
}

TEST(ApplyChanges, OneAfterTheOther) {
  EXPECT_EQ("xbc", changed("abc", {change(0, 0, 0, 1, "x")}));
  // The second is about what the first has left.
  EXPECT_EQ("a\nzb", changed("ab", {change(0, 1, 0, 1, "\ny"),
                                    change(1, 0, 1, 1, "z")}));
  EXPECT_EQ("new", changed("old\ntext", {json::Object{{"text", "new"}}}));
  EXPECT_EQ("a\nc", changed("a\nb\nc", {change(1, 0, 2, 0, "")}));
  EXPECT_EQ("a\nbc", changed("a\nb", {change(1, 1, 1, 1, "c")}));
}

TEST(ApplyChanges, PairsOfUTF16) {
  EXPECT_EQ("\U0001D11Ex", changed("\U0001D11Eb", {change(0, 2, 0, 3, "x")}));
  EXPECT_EQ("xb", changed("\U0001D11Eb", {change(0, 0, 0, 2, "x")}));
}

TEST(ApplyChanges, CarriageReturnsStay) {
  EXPECT_EQ("a\r\nx\r\n", changed("a\r\nb\r\n", {change(1, 0, 1, 1, "x")}));
  // The end of a line, and what is behind it.
  EXPECT_EQ("a;\r\nb", changed("a\r\nb", {change(0, 1, 0, 1, ";")}));
  EXPECT_EQ("ab", changed("a\r\nb", {change(0, 9, 1, 0, "")}));
}

TEST(ApplyChanges, WhatDoesNotFit) {
  EXPECT_EQ("error: a change outside of the text, which has 1 lines",
            changed("a", {change(1, 0, 1, 0, "x")}));
  EXPECT_EQ("error: a change outside of the text, which has 1 lines",
            changed("a", {change(0, 1, 0, 0, "x")}));
  EXPECT_EQ("error: a change outside of the text, which has 1 lines",
            changed("a", {json::Object{{"range", 4}, {"text", "x"}}}));
  EXPECT_EQ("error: a change without text", changed("a", {json::Object{}}));
  EXPECT_EQ("error: a change without text", changed("a", {"x"}));
}

TEST(PositionFromJSON, NonsenseIsNone) {
  EXPECT_EQ(std::nullopt,
            positionFromJSON(json::Object{{"line", -1}, {"character", 0}}));
  EXPECT_EQ(std::nullopt, positionFromJSON(json::Object{{"line", 1}}));
  EXPECT_EQ(std::nullopt, positionFromJSON(json::Array{}));
  std::optional<TextPosition> far = positionFromJSON(
      json::Object{{"line", int64_t(1) << 40}, {"character", 2147483648}});
  ASSERT_TRUE(far);
  EXPECT_EQ((TextPosition{INT32_MAX, INT32_MAX}), *far);
}
