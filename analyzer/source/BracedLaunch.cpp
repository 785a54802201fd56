// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BracedLaunch.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/Token.h"
#include "llvm/ADT/SmallVector.h"

using namespace clang;
using namespace coreside;
using llvm::StringRef;

/// Where the next token of `text` begins, white space, comments and the
/// backslashes of macros left out.
static size_t nextToken(StringRef text, size_t at) {
  while (at < text.size()) {
    at = text.find_first_not_of(" \t\r\n\\", at);
    if (at == StringRef::npos)
      break;
    StringRef rest = text.substr(at);
    size_t end = rest.starts_with("/*")   ? text.find("*/", at + 2)
                 : rest.starts_with("//") ? text.find('\n', at)
                                          : at;
    if (end == at)
      return at;
    if (end == StringRef::npos)
      break;
    at = end + (rest.starts_with("/*") ? 2 : 1);
  }
  return text.size();
}

bool coreside::mayHoldBracedLaunch(StringRef text) {
  for (size_t at = text.find("<<<"); at != StringRef::npos;
       at = text.find("<<<", at + 3)) {
    StringRef rest = text.substr(at);
    if (rest.take_front(rest.find_first_of(";"))
            .split(">>>")
            .first.contains('{'))
      return true;
  }
  return false;
}

namespace {

class Watcher {
public:
  explicit Watcher(Preprocessor &preprocessor) : PP(preprocessor) {}

  void operator()(const Token &token) {
    switch (token.getKind()) {
    case tok::lesslessless:
      Open.push_back({});
      return complete(token);
    case tok::greatergreatergreater:
      if (!Open.empty() && Open.back().depth == 0)
        Open.pop_back();
      return;
    case tok::semi:
      // Of a lambda's body, or there was no launch.
      if (!Open.empty() && Open.back().depth == 0)
        Open.pop_back();
      return;
    case tok::l_paren:
    case tok::l_square:
    case tok::l_brace:
      if (!Open.empty())
        ++Open.back().depth;
      return;
    case tok::r_paren:
    case tok::r_square:
    case tok::r_brace:
      if (!Open.empty() && --Open.back().depth < 0)
        Open.pop_back();
      return;
    case tok::comma:
      if (Open.empty() || Open.back().depth != 0)
        return;
      ++Open.back().argument;
      return complete(token);
    default:
      return;
    }
  }

private:
  /// A configuration that has begun.
  struct Configuration {
    int depth = 0;
    unsigned argument = 0;
  };

  /// Names the type of the argument that begins behind `before`, where that is
  /// a brace.
  void complete(const Token &before) {
    const SourceManager &sources = PP.getSourceManager();
    SourceLocation place = before.getLocation();
    auto [file, offset] =
        sources.getDecomposedLoc(sources.getSpellingLoc(place));
    bool invalid = false;
    StringRef text = sources.getBufferData(file, &invalid);
    if (invalid)
      return;
    size_t next = nextToken(text, offset + before.getLength());
    if (next >= text.size() || text[next] != '{')
      return;
    static constexpr StringRef types[] = {"dim3", "dim3", "size_t",
                                          "cudaStream_t"};
    if (Open.back().argument >= std::size(types))
      return;
    // Where the brace stands, so that the argument begins there.
    place = place.getLocWithOffset(next - offset);
    Token words[2];
    for (Token &word : words) {
      word.startToken();
      word.setLocation(place);
    }
    words[0].setKind(tok::coloncolon);
    words[0].setLength(2);
    IdentifierInfo *name = PP.getIdentifierInfo(types[Open.back().argument]);
    words[1].setKind(tok::identifier);
    words[1].setIdentifierInfo(name);
    words[1].setLength(name->getLength());
    auto stream = std::make_unique<Token[]>(2);
    std::copy(std::begin(words), std::end(words), stream.get());
    PP.EnterTokenStream(std::move(stream), 2, /*DisableMacroExpansion=*/true,
                        /*IsReinject=*/true);
  }

  Preprocessor &PP;
  llvm::SmallVector<Configuration, 2> Open;
};

/// Watches tokens from the first file on that has such braces.
class Files : public PPCallbacks {
public:
  explicit Files(Preprocessor &preprocessor) : PP(preprocessor) {}

  void FileChanged(SourceLocation place, FileChangeReason reason,
                   SrcMgr::CharacteristicKind kind, FileID) override {
    if (Watches || reason != EnterFile || isSystem(kind))
      return;
    const SourceManager &sources = PP.getSourceManager();
    bool invalid = false;
    StringRef text = sources.getBufferData(sources.getFileID(place), &invalid);
    if (invalid || !mayHoldBracedLaunch(text))
      return;
    PP.setTokenWatcher(Watcher(PP));
    Watches = true;
  }

private:
  Preprocessor &PP;
  bool Watches = false;
};

} // namespace

std::unique_ptr<PPCallbacks>
coreside::completeBracedLaunches(Preprocessor &preprocessor) {
  return std::make_unique<Files>(preprocessor);
}
