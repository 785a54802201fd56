// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Adds what coreside has to say to what clangd says.
//
// In:   {"id":3,"result":[A]} and [B]
// Out:  {"id":3,"result":[A,B]}
//
// All is text: not a byte of clangd's is changed, whatever it says in versions
// to come. Where a message does not have the expected form, it stays as it is.

#ifndef CORESIDE_EDITOR_MERGEANSWERS_H
#define CORESIDE_EDITOR_MERGEANSWERS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace coreside {

/// Whether the JSON `value` says nothing: it is empty, null, [] or {}.
bool saysNothing(llvm::StringRef value);

/// The notification textDocument/publishDiagnostics `body` with the items of
/// the array `ours` behind its own.
std::string withDiagnostics(llvm::StringRef body, llvm::StringRef ours);

/// The response `body`, whose result is an array or null, with the items of the
/// array `ours` behind its own.
std::string withItems(llvm::StringRef body, llvm::StringRef ours);

/// The response `body`, whose result is a Hover or null, with the text of the
/// Hover `ours` below its own, a line between them.
std::string withHover(llvm::StringRef body, llvm::StringRef ours);

/// The response `body` to `initialize` with what coreside can do where the
/// server cannot.
std::string withCapabilities(llvm::StringRef body);

/// `body` with the text `part` of it replaced.
std::string withPartReplaced(llvm::StringRef body, llvm::StringRef part,
                             llvm::StringRef replacement);

} // namespace coreside

#endif
