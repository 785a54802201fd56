// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// coreside lsp: a language server on standard input and output.
//
// In:   messages of an editor
// Out:  diagnostics, hovers, code actions, inlay hints; an exit code: 0 after
//       the editor asked for the end in order, 1 else

#ifndef CORESIDE_TOOLS_LSPCOMMAND_H
#define CORESIDE_TOOLS_LSPCOMMAND_H

#include "editor/EditorService.h"

namespace coreside {

int runLSP(const EditorOptions &options);

} // namespace coreside

#endif
