// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A language server around the EditorService.
//
// In:   {"id": 1, "method": "textDocument/hover", "params": {...}}
// Out:  {"id": 1, "result": {"contents": ...}}
//
// Three threads: one reads, so that a request can be cancelled before its turn;
// one answers; one writes, so that nothing waits for a client that does not
// read. What a client sends wrong gets an error, and things go on.

#ifndef CORESIDE_EDITOR_LANGUAGESERVER_H
#define CORESIDE_EDITOR_LANGUAGESERVER_H

#include "EditorService.h"

namespace coreside {

/// Serves the client behind two files until it leaves: 0 after it asked for
/// the end in order, 1 else.
int serveLanguage(const EditorOptions &options, int input, int output);

} // namespace coreside

#endif
