// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   what a preprocessor meets.
// Out:  an ArchitectureText.
//
// A chain of #if to #endif depends on the architecture when one of its
// conditions does; all of its text is then taken, whichever branch was. Names
// stand for what they name: one that is the same by chance only costs a parse.

#include "ArchitectureText.h"

#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroArgs.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"

#include <vector>

using namespace clang;
using llvm::StringRef;
using llvm::StringSet;

namespace coreside {

/// __CUDA_ARCH__ and its kin; the list of all targets is the same everywhere.
static bool isArchitecture(StringRef name) {
  return name.starts_with("__CUDA_ARCH_") && name != "__CUDA_ARCH_LIST__";
}

bool ArchitectureText::depends(StringRef name) const {
  return isArchitecture(name) || names.contains(name);
}

void ArchitectureText::add(const ArchitectureText &other) {
  holdsKernels |= other.holdsKernels;
  holdsTriggers |= other.holdsTriggers;
  for (const auto &name : other.names)
    names.insert(name.getKey());
  for (const auto &name : other.boundNames)
    boundNames.insert(name.getKey());
}

/// Declares a kernel or says something about one.
static bool isKernelWord(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"__global__", "global", "__launch_bounds__", "launch_bounds"},
             true)
      .Cases(
          {"__maxnreg__", "__cluster_dims__", "cluster_dims", "__block_size__"},
          true)
      .Default(false);
}

static bool isBound(StringRef name) {
  return llvm::StringSwitch<bool>(name)
      .Cases({"__launch_bounds__", "__maxnreg__", "__cluster_dims__",
              "__block_size__"},
             true)
      .Default(false);
}

struct ArchitectureWatch::Seen {
  ArchitectureText text;
  /// Macros of the user's and the names in their bodies.
  std::vector<std::pair<std::string, std::vector<std::string>>> macros;

  /// Goes on until nothing is added: a macro may be used before what it
  /// mentions is defined.
  void followMacros() {
    StringSet<> kernelWords;
    for (bool more = true; more;) {
      more = false;
      for (const auto &[name, body] : macros) {
        if (!text.names.contains(name) &&
            llvm::any_of(body,
                         [&](StringRef word) { return text.depends(word); }))
          more |= text.names.insert(name).second;
        if (!kernelWords.contains(name) &&
            llvm::any_of(body, [&](StringRef word) {
              return isKernelWord(word) || kernelWords.contains(word);
            }))
          more |= kernelWords.insert(name).second;
      }
    }
    for (const auto &word : kernelWords)
      if (text.names.contains(word.getKey()))
        text.holdsKernels = true;
  }
};

namespace {

class Callbacks : public PPCallbacks {
public:
  Callbacks(
      Preprocessor &preprocessor, ArchitectureText &text,
      std::vector<std::pair<std::string, std::vector<std::string>>> &macros,
      std::shared_ptr<void> owner)
      : PP(preprocessor), Text(text), Macros(macros), Owner(std::move(owner)) {}

  void If(SourceLocation place, SourceRange condition,
          ConditionValueKind) override {
    open(place, dependsIn(condition));
  }
  void Ifdef(SourceLocation place, const Token &name,
             const MacroDefinition &) override {
    open(place, depends(name));
  }
  void Ifndef(SourceLocation place, const Token &name,
              const MacroDefinition &) override {
    open(place, depends(name));
  }
  void Elif(SourceLocation, SourceRange condition, ConditionValueKind,
            SourceLocation) override {
    go(dependsIn(condition));
  }
  void Elifdef(SourceLocation, const Token &name,
               const MacroDefinition &) override {
    go(depends(name));
  }
  void Elifdef(SourceLocation, SourceRange condition, SourceLocation) override {
    go(dependsIn(condition));
  }
  void Elifndef(SourceLocation, const Token &name,
                const MacroDefinition &) override {
    go(depends(name));
  }
  void Elifndef(SourceLocation, SourceRange condition,
                SourceLocation) override {
    go(dependsIn(condition));
  }
  void Endif(SourceLocation place, SourceLocation) override {
    if (Open.empty())
      return;
    auto [begin, taken] = Open.pop_back_val();
    if (taken)
      forEachWord(SourceRange(begin, place),
                  [&](StringRef word) { take(word); });
  }

  void MacroDefined(const Token &name,
                    const MacroDirective *directive) override {
    if (isSystem(name.getLocation()))
      return;
    auto &[macro, body] = Macros.emplace_back();
    macro = name.getIdentifierInfo()->getName().str();
    for (const Token &token : directive->getMacroInfo()->tokens())
      if (const IdentifierInfo *word = token.getIdentifierInfo())
        body.push_back(word->getName().str());
    // The conditions below see it at once.
    if (llvm::any_of(body, [&](StringRef word) { return Text.depends(word); }))
      Text.names.insert(macro);
  }

  void MacroExpands(const Token &name, const MacroDefinition &, SourceRange,
                    const MacroArgs *arguments) override {
    if (!arguments || !isBound(name.getIdentifierInfo()->getName()) ||
        isSystem(name.getLocation()))
      return;
    for (unsigned i = 0; i != arguments->getNumMacroArguments(); ++i)
      for (const Token *token = arguments->getUnexpArgument(i);
           token->isNot(tok::eof); ++token)
        if (IdentifierInfo *word = token->getIdentifierInfo())
          follow(word);
  }

private:
  Preprocessor &PP;
  ArchitectureText &Text;
  std::vector<std::pair<std::string, std::vector<std::string>>> &Macros;
  std::shared_ptr<void> Owner;
  /// Where each open #if stands, and whether it depends on the architecture.
  llvm::SmallVector<std::pair<SourceLocation, bool>, 8> Open;

  bool isSystem(SourceLocation place) const {
    const SourceManager &sources = PP.getSourceManager();
    return sources.isInSystemHeader(sources.getExpansionLoc(place));
  }

  void open(SourceLocation place, bool depends) {
    Open.push_back({place, depends});
  }
  void go(bool depends) {
    if (!Open.empty())
      Open.back().second |= depends;
  }

  bool depends(const Token &name) const {
    return Text.depends(name.getIdentifierInfo()->getName()) &&
           !isSystem(name.getLocation());
  }

  bool dependsIn(SourceRange condition) {
    if (isSystem(condition.getBegin()))
      return false;
    bool result = false;
    forEachWord(condition, [&](StringRef word) {
      result = result || Text.depends(word) || macroDepends(word);
    });
    return result;
  }

  /// Macros of system headers are looked at only here, where one is used.
  bool macroDepends(StringRef word) const {
    const IdentifierInfo *name = PP.getIdentifierInfo(word);
    const MacroInfo *macro = name ? PP.getMacroInfo(name) : nullptr;
    return macro && llvm::any_of(macro->tokens(), [](const Token &token) {
             const IdentifierInfo *inner = token.getIdentifierInfo();
             return inner && isArchitecture(inner->getName());
           });
  }

  void follow(IdentifierInfo *word) {
    if (!Text.boundNames.insert(word->getName()).second)
      return;
    if (const MacroInfo *macro = PP.getMacroInfo(word))
      for (const Token &token : macro->tokens())
        if (IdentifierInfo *inner = token.getIdentifierInfo())
          follow(inner);
  }

  void take(StringRef word) {
    Text.names.insert(word);
    if (isKernelWord(word) || word == "include")
      Text.holdsKernels = true;
    if (word == "asm" || word == "__asm__" || word == "__asm" ||
        word == "cudaTriggerProgrammaticLaunchCompletion")
      Text.holdsTriggers = true;
  }

  /// The identifiers of a piece of a file, comments and strings left out.
  void forEachWord(SourceRange range,
                   llvm::function_ref<void(StringRef)> use) const {
    const SourceManager &sources = PP.getSourceManager();
    auto [file, begin] =
        sources.getDecomposedLoc(sources.getExpansionLoc(range.getBegin()));
    auto [endFile, end] =
        sources.getDecomposedLoc(sources.getExpansionLoc(range.getEnd()));
    bool invalid = false;
    StringRef buffer = sources.getBufferData(file, &invalid);
    if (invalid || file != endFile || begin > end || end > buffer.size())
      return;
    Lexer lexer(sources.getLocForStartOfFile(file), PP.getLangOpts(),
                buffer.begin(), buffer.begin() + begin, buffer.end());
    for (Token token;;) {
      bool atEnd = lexer.LexFromRawLexer(token);
      if (sources.getFileOffset(token.getLocation()) > end)
        return;
      if (token.is(tok::raw_identifier))
        use(token.getRawIdentifier());
      if (atEnd)
        return;
    }
  }
};

} // namespace

ArchitectureWatch::ArchitectureWatch() : All(std::make_shared<Seen>()) {}
ArchitectureWatch::~ArchitectureWatch() = default;

std::unique_ptr<PPCallbacks>
ArchitectureWatch::callbacks(Preprocessor &preprocessor) {
  return std::make_unique<Callbacks>(preprocessor, All->text, All->macros, All);
}

ArchitectureText ArchitectureWatch::take() {
  All->followMacros();
  return std::move(All->text);
}

} // namespace coreside
