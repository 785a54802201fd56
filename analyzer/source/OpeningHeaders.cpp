// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A raw lexer reads the text, and clang's own search finds the headers. What a
// condition holds is passed over; a header in it must be of the system, where
// the order is taken not to matter.

#include "OpeningHeaders.h"

#include "BodilessDeclarations.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using llvm::StringRef;
using Use = coreside::OpeningHeaders::Word::Use;

namespace coreside {
namespace {

class Reader {
public:
  Reader(Preprocessor &preprocessor, const llvm::StringSet<> &known)
      : PP(preprocessor), Search(preprocessor.getHeaderSearchInfo()),
        Files(preprocessor.getFileManager()), Known(known) {}

  OpeningHeaders read(StringRef name) {
    Result = {};
    Seen.clear();
    if (OptionalFileEntryRef file = Files.getOptionalFileRef(name))
      (void)readFile(*file);
    return std::move(Result);
  }

private:
  Preprocessor &PP;
  HeaderSearch &Search;
  FileManager &Files;
  const llvm::StringSet<> &Known;
  OpeningHeaders Result;
  llvm::StringSet<> Seen;

  /// One file while it is read.
  struct Text {
    FileEntryRef file;
    StringRef text;
    Lexer raw;
    Token next;
    BodilessDeclarations declared;
    /// Of each open condition: it only keeps the file from being read twice.
    llvm::SmallVector<bool, 4> conditions;
    /// The macro of a condition that the file begins with.
    std::string guard;
    unsigned directives = 0;

    void advance() { raw.LexFromRawLexer(next); }
    bool isInCondition() const { return llvm::is_contained(conditions, false); }
    /// The next token belongs to the directive.
    bool isOnLine() const {
      return next.isNot(tok::eof) && !next.isAtStartOfLine();
    }
    StringRef rest() const {
      return text.drop_front(next.getLocation().getRawEncoding() - 1)
          .take_until([](char c) { return c == '\n'; })
          .trim();
    }
  };

  void use(StringRef word, Use how) {
    Result.words.push_back({word.str(), how});
  }

  /// False: the opening ends in it.
  bool readFile(FileEntryRef file) {
    if (!Seen.insert(file.getName()).second)
      return true;
    // Of the main file, which was not looked for, it makes one.
    (void)Search.getFileInfo(file);
    auto buffer = Files.getBufferForFile(file);
    if (!buffer)
      return false;
    const StringRef all = (*buffer)->getBuffer();
    Text text{file,
              all,
              Lexer(SourceLocation::getFromRawEncoding(1), PP.getLangOpts(),
                    all.begin(), all.begin(), all.end()),
              {},
              {},
              {},
              {}};
    text.advance();
    while (text.next.isNot(tok::eof))
      if (text.next.is(tok::hash) && text.next.isAtStartOfLine()) {
        if (!text.declared.isBetween() || !readDirective(text))
          return false;
        ++text.directives;
      } else if (!readDeclaration(text)) {
        return false;
      }
    return text.declared.isBetween();
  }

  bool readDeclaration(Text &text) {
    if (text.isInCondition() || !text.declared.take(text.next))
      return false;
    // No condition around the whole file.
    if (text.directives == 1)
      text.guard.clear();
    if (text.next.is(tok::raw_identifier)) {
      const IdentifierInfo *word =
          PP.getIdentifierInfo(text.next.getRawIdentifier());
      if (word->isStr("using") || word->isStr("asm"))
        return false;
      if (!word->isKeyword(PP.getLangOpts()))
        use(word->getName(), Use::Named);
    }
    text.advance();
    return true;
  }

  bool readDirective(Text &text) {
    text.advance();
    if (!text.isOnLine())
      return true;
    if (text.next.isNot(tok::raw_identifier))
      return false;
    const StringRef word = text.next.getRawIdentifier();
    text.advance();
    bool goesOn = true;
    if (word == "include") {
      goesOn = text.isOnLine() && include(text, text.rest());
    } else if (word == "define" || word == "undef") {
      goesOn = define(text);
    } else if (word.starts_with("if")) {
      text.conditions.push_back(false);
      if (word == "ifndef" && text.directives == 0 &&
          text.next.is(tok::raw_identifier))
        text.guard = text.next.getRawIdentifier();
      ask(text);
    } else if (word.starts_with("el")) {
      goesOn = !text.conditions.empty() && !text.conditions.back();
      ask(text);
    } else if (word == "endif") {
      goesOn = !text.conditions.empty();
      if (goesOn)
        text.conditions.pop_back();
    } else if (word == "pragma") {
      goesOn = text.next.is(tok::raw_identifier) &&
               text.next.getRawIdentifier() == "once";
    } else {
      // An #error that is not met says nothing.
      goesOn = text.isInCondition();
    }
    while (text.isOnLine())
      text.advance();
    return goesOn;
  }

  bool define(Text &text) {
    if (!text.isOnLine() || text.next.isNot(tok::raw_identifier))
      return false;
    const StringRef name = text.next.getRawIdentifier();
    if (text.directives == 1 && name == text.guard)
      text.conditions.back() = true;
    use(name, Use::Defined);
    return true;
  }

  void ask(Text &text) {
    for (; text.isOnLine(); text.advance())
      if (text.next.is(tok::raw_identifier))
        use(text.next.getRawIdentifier(), Use::Asked);
  }

  OptionalFileEntryRef find(StringRef name, bool isAngled,
                            FileEntryRef includer) {
    return Search.LookupFile(name, SourceLocation(), isAngled, nullptr, nullptr,
                             {{includer, includer.getDir()}}, nullptr, nullptr,
                             nullptr, nullptr, nullptr, nullptr);
  }

  bool include(Text &text, StringRef written) {
    const bool isAngled = written.consume_front("<");
    if (!isAngled && !written.consume_front("\""))
      return false;
    const size_t end = written.find(isAngled ? '>' : '"');
    if (end == StringRef::npos)
      return false;
    const StringRef name = written.take_front(end);
    OptionalFileEntryRef found = find(name, isAngled, text.file);
    // What is missing is missed wherever it is looked for.
    if (!found)
      return true;
    const bool isSystem = SrcMgr::isSystem(Search.getFileDirFlavor(*found));
    if (text.isInCondition())
      return isSystem;
    if (!isSystem)
      return readFile(*found);
    if (Known.contains(found->getName()) || !Seen.insert(name).second)
      return true;
    if (!isAngled && find(name, true, text.file) != found)
      return false;
    Result.headers.push_back({name.str(), Result.words.size()});
    return true;
  }
};

} // namespace

std::vector<OpeningHeaders>
readOpenings(const CompilerInvocation &invocation,
             llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
             llvm::ArrayRef<std::string> names,
             const llvm::StringSet<> &known) {
  std::vector<OpeningHeaders> result(names.size());
  CompilerInstance compiler(std::make_shared<CompilerInvocation>(invocation));
  IgnoringDiagConsumer ignore;
  compiler.setVirtualFileSystem(std::move(files));
  compiler.createDiagnostics(&ignore, /*ShouldOwnClient=*/false);
  compiler.createFileManager();
  compiler.createSourceManager();
  if (!compiler.createTarget())
    return result;
  compiler.createPreprocessor(TU_Complete);
  Reader reader(compiler.getPreprocessor(), known);
  llvm::transform(names, result.begin(),
                  [&](const std::string &name) { return reader.read(name); });
  return result;
}

} // namespace coreside
