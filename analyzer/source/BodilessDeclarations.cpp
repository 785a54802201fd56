// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BodilessDeclarations.h"

#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace coreside {

bool BodilessDeclarations::take(const Token &token) {
  if (token.is(tok::l_brace) && Depth == 0 && Before != tok::equal)
    return false;
  if (token.is(tok::raw_identifier) && Depth == 0 &&
      llvm::StringSwitch<bool>(token.getRawIdentifier())
          .Cases({"template", "namespace", "__global__", "operator"}, true)
          .Default(false))
    return false;
  if (token.isOneOf(tok::l_brace, tok::l_paren, tok::l_square))
    ++Depth;
  else if (token.isOneOf(tok::r_brace, tok::r_paren, tok::r_square)) {
    if (Depth-- == 0)
      return false;
  }
  Between = token.is(tok::semi) && Depth == 0;
  Before = token.getKind();
  return true;
}

} // namespace coreside
