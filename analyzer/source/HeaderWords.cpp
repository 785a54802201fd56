// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "HeaderWords.h"

#include "clang/Basic/IdentifierTable.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/Preprocessor.h"

using namespace clang;

namespace coreside {

static bool isOfHeaders(const MacroDirective *directive,
                        const SourceManager &sources) {
  const SourceLocation place = directive->getLocation();
  return place.isValid() && !sources.isLoadedSourceLocation(place) &&
         !sources.isWrittenInBuiltinFile(place) &&
         !sources.isWrittenInCommandLineFile(place);
}

/// What is defined anew in the same words is not changed.
static bool isKept(const MacroDirective *latest, Preprocessor &preprocessor) {
  const SourceManager &sources = preprocessor.getSourceManager();
  const MacroDirective *before = latest;
  while (before && isOfHeaders(before, sources))
    before = before->getPrevious();
  if (!before || before == latest)
    return before;
  const MacroInfo *now = latest->getMacroInfo(), *then = before->getMacroInfo();
  return now && then &&
         now->isIdenticalTo(*then, preprocessor, /*Syntactically=*/true);
}

HeaderWords::HeaderWords(Preprocessor &preprocessor) {
  for (const auto &entry : preprocessor.getIdentifierTable()) {
    const IdentifierInfo *word = entry.second;
    if (!word)
      continue;
    Macro macro = Macro::None;
    if (word->hadMacroDefinition())
      if (const MacroDirective *latest =
              preprocessor.getLocalMacroDirectiveHistory(word))
        macro = isKept(latest, preprocessor) ? Macro::Kept : Macro::Changed;
    Words[entry.getKey()] = macro;
  }
}

bool HeaderWords::areIndependentOf(const OpeningHeaders::Word &word) const {
  auto found = Words.find(word.name);
  if (found == Words.end())
    return true;
  switch (word.use) {
  case OpeningHeaders::Word::Use::Defined:
    return false;
  case OpeningHeaders::Word::Use::Named:
    return found->second == Macro::Kept;
  case OpeningHeaders::Word::Use::Asked:
    return found->second != Macro::Changed;
  }
  return false;
}

} // namespace coreside
