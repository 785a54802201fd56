// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What can be done about the findings at a place.
//
// In:   the range of the cursor, the last checks
// Out:  code actions: the fixes of the findings there, and a comment that
//       allows each
//
// Only for text that is as it was when it was checked: an edit of other text
// would hit the wrong place.

#ifndef CORESIDE_EDITOR_FINDINGACTIONS_H
#define CORESIDE_EDITOR_FINDINGACTIONS_H

#include "CheckedFile.h"
#include "FindingDiagnostics.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/JSON.h"

#include <memory>

namespace coreside {

/// `documents` are all that are open; `context` is a CodeActionContext.
llvm::json::Array
findingActions(const OpenDocument &document, TextRange range,
               const llvm::json::Value &context,
               llvm::ArrayRef<std::shared_ptr<const CheckedFile>> checks,
               const OpenDocuments &documents, const ClientAbilities &client);

} // namespace coreside

#endif
