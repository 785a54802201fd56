// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of documents as editors write them.
//
// In:   "file:///home/me/my%20project/a.cu"
// Out:  "/home/me/my project/a.cu"

#ifndef CORESIDE_EDITOR_DOCUMENTURI_H
#define CORESIDE_EDITOR_DOCUMENTURI_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace coreside {

/// The file that `uri` names, absolute; nothing for other schemes and for files
/// of other machines.
std::optional<std::string> pathOfURI(llvm::StringRef uri);

/// "file://" and the rest; `path` is absolute.
std::string uriOfPath(llvm::StringRef path);

/// `text` with %20 for a blank and the like, undone. A % that two hexadecimal
/// digits do not follow stays.
std::string percentDecoded(llvm::StringRef text);

} // namespace coreside

#endif
