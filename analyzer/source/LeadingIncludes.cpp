// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LeadingIncludes.h"

#include "BodilessDeclarations.h"

using namespace clang;

namespace coreside {
namespace {

class Scan {
public:
  Scan(const LangOptions &language, llvm::StringRef text)
      : Text(text), Raw(SourceLocation::getFromRawEncoding(1), language,
                        text.begin(), text.begin(), text.end()) {}

  /// Where the last directive ends that stands between declarations.
  unsigned endFrom(unsigned begin) {
    unsigned end = begin;
    bool includes = false;
    // What opens in the rest is closed there as well.
    unsigned conditions = 0;
    skipTo(begin);
    for (;;) {
      if (Next.is(tok::hash) && Next.isAtStartOfLine()) {
        // A directive in the middle of a declaration.
        if (!Declared.isBetween())
          return end;
        advance();
        const llvm::StringRef word = Next.is(tok::raw_identifier)
                                         ? Next.getRawIdentifier()
                                         : llvm::StringRef();
        if (word.starts_with("if"))
          ++conditions;
        else if (word == "endif" && conditions-- == 0)
          return end;
        else if (word.starts_with("el") && conditions == 0)
          return end;
        includes |= word == "include";
        while (Next.isNot(tok::eof) && !Next.isAtStartOfLine())
          advance();
        if (includes && conditions == 0)
          end = lineOf(offset());
        continue;
      }
      if (Next.is(tok::eof) || !Declared.take(Next))
        return end;
      advance();
    }
  }

private:
  llvm::StringRef Text;
  Lexer Raw;
  Token Next;
  /// Text with bodies is edited more often than a constant.
  BodilessDeclarations Declared;

  unsigned offset() const { return Next.getLocation().getRawEncoding() - 1; }
  void advance() { Raw.LexFromRawLexer(Next); }
  void skipTo(unsigned begin) {
    do
      advance();
    while (Next.isNot(tok::eof) && offset() < begin);
  }
  unsigned lineOf(unsigned offset) const {
    return Text.take_front(offset).rfind('\n') + 1;
  }
};

} // namespace

PreambleBounds leadingIncludes(const LangOptions &language,
                               llvm::MemoryBufferRef text) {
  PreambleBounds bounds =
      Lexer::ComputePreamble(text.getBuffer(), language, /*MaxLines=*/0);
  const unsigned end = Scan(language, text.getBuffer()).endFrom(bounds.Size);
  return end > bounds.Size ? PreambleBounds(end, true) : bounds;
}

} // namespace coreside
