// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "TidyFlags.h"

#include "clang/Basic/LangStandard.h"
#include "clang/Lex/HeaderSearch.h"
#include "clang/Lex/HeaderSearchOptions.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/Path.h"

using llvm::StringRef;

std::vector<std::string>
coreside::flagsOf(const clang::Preprocessor &preprocessor) {
  std::vector<std::string> flags;
  clang::LangStandard::Kind standard = preprocessor.getLangOpts().LangStd;
  if (standard != clang::LangStandard::lang_unspecified)
    flags.push_back(
        std::string("-std=") +
        clang::LangStandard::getLangStandardForKind(standard).getName());
  const auto &search = preprocessor.getHeaderSearchInfo().getHeaderSearchOpts();
  for (const auto &entry : search.UserEntries) {
    if (entry.Group == clang::frontend::Quoted)
      flags.insert(flags.end(), {"-iquote", entry.Path});
    else if (entry.Group == clang::frontend::Angled)
      flags.push_back("-I" + entry.Path);
    // The user's are not told from the driver's but by where they lie.
    else if (entry.Group == clang::frontend::System &&
             !StringRef(entry.Path).starts_with(search.ResourceDir))
      flags.insert(flags.end(), {"-isystem", entry.Path});
    else if (entry.Group == clang::frontend::After)
      flags.insert(flags.end(), {"-idirafter", entry.Path});
  }
  const clang::PreprocessorOptions &options =
      preprocessor.getPreprocessorOpts();
  for (const auto &[macro, isUndefined] : options.Macros)
    flags.push_back((isUndefined ? "-U" : "-D") + macro);
  for (const std::string &file : options.Includes)
    if (!llvm::sys::path::filename(file).starts_with("__clang_"))
      flags.insert(flags.end(), {"-include", file});
  return flags;
}
