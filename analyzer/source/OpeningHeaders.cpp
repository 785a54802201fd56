// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A raw lexer reads the text, and clang's own search finds the headers. What a
// condition holds is passed over.
//
// The order of headers must not matter, or one could not be read before others.
// The C++ standard says so of its library's ([using.headers]: "a translation
// unit may include library headers in any order"), POSIX of the system's; those
// of the CUDA toolkit include what they need. Others may ask whether a header
// was there before (gl.h and glew.h, cuda_bf16.h and nccl.h), and end the
// opening.

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
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Path.h"

using namespace clang;
using llvm::StringRef;
using Use = coreside::OpeningHeaders::Word::Use;

namespace coreside {
namespace {

/// Headers of POSIX.1-2017 that the C++ library has no counterpart of.
bool isOfPOSIX(StringRef name) {
  return name.starts_with("sys/") ||
         llvm::StringSwitch<bool>(name)
             .Cases({"ctype.h", "dirent.h", "dlfcn.h", "errno.h", "fcntl.h",
                     "inttypes.h", "libgen.h", "limits.h", "locale.h"},
                    true)
             .Cases({"poll.h", "pthread.h", "pwd.h", "sched.h", "semaphore.h",
                     "setjmp.h", "signal.h", "stdio.h", "string.h"},
                    true)
             .Cases({"strings.h", "time.h", "unistd.h", "wchar.h"}, true)
             // GNU's own.
             .Cases({"getopt.h", "malloc.h"}, true)
             .Default(false);
}

class Reader {
public:
  Reader(Preprocessor &preprocessor, const llvm::StringSet<> &known)
      : PP(preprocessor), Search(preprocessor.getHeaderSearchInfo()),
        Files(preprocessor.getFileManager()), Known(known) {
    // In a folder that the C library shares, others may lie as well.
    for (StringRef name : {"cstddef", "stddef.h", "cuda_runtime.h"})
      if (OptionalFileEntryRef file = find(name, true, std::nullopt))
        if (const StringRef folder =
                llvm::sys::path::parent_path(Files.getCanonicalName(*file));
            !Files.getOptionalFileRef((folder + "/features.h").str()))
          Folders.push_back((folder + "/").str());
  }

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
  /// Of headers whose order does not matter.
  std::vector<std::string> Folders;
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
                            OptionalFileEntryRef includer) {
    llvm::SmallVector<std::pair<OptionalFileEntryRef, DirectoryEntryRef>, 1>
        includers;
    if (includer)
      includers.push_back({includer, includer->getDir()});
    return Search.LookupFile(name, SourceLocation(), isAngled, nullptr, nullptr,
                             includers, nullptr, nullptr, nullptr, nullptr,
                             nullptr, nullptr, /*SkipCache=*/false,
                             /*BuildSystemModule=*/false, /*OpenFile=*/false);
  }

  /// Read before others it means the same, and so do they.
  bool isFree(StringRef name, FileEntryRef file) const {
    if (Known.contains(file.getName()) || isOfPOSIX(name))
      return true;
    // A folder may be found by way of links.
    const StringRef path = Files.getCanonicalName(file);
    return !name.contains("interop") &&
           llvm::any_of(Folders, [&](StringRef folder) {
             return path.starts_with(folder);
           });
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
    if (!isSystem)
      return !text.isInCondition() && readFile(*found);
    if (!isFree(name, *found))
      return false;
    if (text.isInCondition())
      return true;
    if (Known.contains(found->getName()) || !Seen.insert(name).second)
      return true;
    if (!isAngled && find(name, true, std::nullopt) != found)
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
