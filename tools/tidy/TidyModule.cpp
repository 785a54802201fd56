// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// coreside as a module of clang-tidy:
//
//   clang-tidy-22 -load libcoreside-tidy.so -checks='coreside-*' pair.cu
//
// In:   a translation unit of clang-tidy
// Out:  each rule's findings as those of a check, coreside-no-coresidency
//
// All checks of a unit share one analysis, which the first of them starts.

#include "TidyFindings.h"
#include "TidyFlags.h"
#include "control/Fixes.h"
#include "rules/Rules.h"

#include "clang-tidy/ClangTidyCheck.h"
#include "clang-tidy/ClangTidyModule.h"
#include "clang/AST/ASTContext.h"
#include "clang/ASTMatchers/ASTMatchFinder.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <memory>

using namespace coreside;
using llvm::StringRef;

namespace {

/// The analysis of the unit at hand, alive as long as one of its checks is.
class UnitAnalysis {
public:
  /// That of the checks that clang-tidy is making or has made for this unit.
  static std::shared_ptr<UnitAnalysis> current() {
    static std::weak_ptr<UnitAnalysis> last;
    std::shared_ptr<UnitAnalysis> shared = last.lock();
    if (!shared)
      last = shared = std::make_shared<UnitAnalysis>();
    return shared;
  }

  const std::vector<Finding> &
  findings(const TidyFile &file,
           const clang::tidy::ClangTidyOptions::OptionMap &given) {
    if (Found)
      return *Found;
    std::map<std::string, std::string> words;
    for (const auto &option : given)
      words[option.getKey().str()] = option.getValue().Value;
    auto found = [&]() -> llvm::Expected<std::vector<Finding>> {
      llvm::Expected<TidyOptions> options = readTidyOptions(words);
      if (!options)
        return options.takeError();
      return findInFile(file, *options);
    }();
    if (!found) {
      Problem = llvm::toString(found.takeError());
      Found.emplace();
    } else {
      Found = std::move(*found);
    }
    return *Found;
  }

  /// Why there is nothing, once; empty where nothing is wrong.
  std::string takeProblem() { return std::exchange(Problem, {}); }

private:
  std::optional<std::vector<Finding>> Found;
  std::string Problem;
};

/// Whether the lines of a file end as on Windows.
bool hasReturns(StringRef file) {
  return file.take_front(file.find('\n')).ends_with("\r");
}

/// Places of findings in the files of a unit.
class Places {
public:
  explicit Places(clang::SourceManager &sources) : Sources(sources) {}

  /// Invalid where the file cannot be read.
  clang::SourceLocation find(StringRef file, unsigned line, unsigned column) {
    auto entry = Sources.getFileManager().getOptionalFileRef(file);
    if (!entry)
      return {};
    // The unit may not have it: device code leaves out what only the host
    // includes.
    clang::FileID known = Sources.translateFile(*entry);
    if (known.isInvalid())
      known = Sources.getOrCreateFileID(*entry, clang::SrcMgr::C_User);
    return Sources.translateLineCol(known, line, column);
  }
  clang::SourceLocation find(const SourcePlace &place) {
    return find(place.file, place.line, place.column);
  }

  /// Nothing unless all of the fix can be placed.
  std::vector<clang::FixItHint> hints(const Fix &fix) {
    std::vector<clang::FixItHint> result;
    for (const SourceEdit &edit : fix.edits) {
      clang::SourceLocation begin = find(edit.file, edit.line, edit.column);
      clang::SourceLocation end = find(edit.file, edit.endLine, edit.endColumn);
      if (begin.isInvalid() || end.isInvalid())
        return {};
      std::string text = withLineEnds(
          edit.text,
          hasReturns(Sources.getBufferData(Sources.getFileID(begin))));
      result.push_back(
          begin == end
              ? clang::FixItHint::CreateInsertion(begin, text)
              : clang::FixItHint::CreateReplacement(
                    clang::CharSourceRange::getCharRange(begin, end), text));
    }
    return result;
  }

private:
  clang::SourceManager &Sources;
};

class RuleCheck : public clang::tidy::ClangTidyCheck {
public:
  RuleCheck(StringRef name, clang::tidy::ClangTidyContext *context,
            const Rule &rule)
      : ClangTidyCheck(name, context), Context(*context), TheRule(rule),
        Unit(UnitAnalysis::current()) {}

  bool isLanguageVersionSupported(
      const clang::LangOptions &language) const override {
    return language.CUDA || language.HIP;
  }

  void registerPPCallbacks(const clang::SourceManager &, clang::Preprocessor *,
                           clang::Preprocessor *preprocessor) override {
    Flags = flagsOf(*preprocessor);
  }

  void registerMatchers(clang::ast_matchers::MatchFinder *finder) override {
    finder->addMatcher(clang::ast_matchers::translationUnitDecl(), this);
  }

  void
  check(const clang::ast_matchers::MatchFinder::MatchResult &result) override {
    clang::SourceManager &sources = *result.SourceManager;
    llvm::SmallString<128> path(getCurrentMainFile());
    sources.getFileManager().makeAbsolutePath(path);
    TidyFile file{path.str().str(), Context.getCurrentBuildDirectory(), Flags};
    Places places(sources);
    const auto &findings =
        Unit->findings(file, Context.getOptions().CheckOptions);
    if (std::string problem = Unit->takeProblem(); !problem.empty())
      Context.configurationDiag("coreside: %0") << problem;
    for (const Finding &finding : findings)
      if (finding.rule == TheRule.name)
        report(finding, places);
  }

private:
  void report(const Finding &finding, Places &places) {
    clang::SourceLocation place = places.find(finding.place);
    {
      auto builder = diag(place, "%0");
      builder << finding.message;
      // The first is the smallest change; -fix makes this one.
      if (!finding.fixes.empty())
        for (clang::FixItHint &hint : places.hints(finding.fixes.front()))
          builder << hint;
    }
    for (const FindingNote &note : finding.notes)
      diag(places.find(note.place), "%0", clang::DiagnosticIDs::Note)
          << note.message;
    for (size_t i = 1; i < finding.fixes.size(); ++i) {
      auto builder = diag(place, "or: %0", clang::DiagnosticIDs::Note);
      builder << finding.fixes[i].title;
      for (clang::FixItHint &hint : places.hints(finding.fixes[i]))
        builder << hint;
    }
  }

  clang::tidy::ClangTidyContext &Context;
  const Rule &TheRule;
  std::shared_ptr<UnitAnalysis> Unit;
  std::vector<std::string> Flags;
};

class Module : public clang::tidy::ClangTidyModule {
public:
  void
  addCheckFactories(clang::tidy::ClangTidyCheckFactories &factories) override {
    for (const Rule &rule : allRules())
      factories.registerCheckFactory(
          std::string("coreside-") + rule.name,
          [&rule](StringRef name, clang::tidy::ClangTidyContext *context) {
            return std::make_unique<RuleCheck>(name, context, rule);
          });
  }
};

// clang-tidy knows a module by this object.
clang::tidy::ClangTidyModuleRegistry::Add<Module>
    registration("coreside", "CUDA launches that cannot share the GPU.");

} // namespace
