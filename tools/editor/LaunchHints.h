// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A few words behind each launch.
//
//   edges<<<n, 256, 0, t>>> 4 blocks/SM, 3.9 waves; waits for 'blur' (map);
//
// With several target GPUs the words are of the one where it goes worst, the
// first of these, which is named; the tooltip has all.

#ifndef CORESIDE_EDITOR_LAUNCHHINTS_H
#define CORESIDE_EDITOR_LAUNCHHINTS_H

#include "FindingDiagnostics.h"
#include "LaunchSummary.h"

#include "llvm/ADT/ArrayRef.h"

#include <memory>

namespace coreside {

/// InlayHints in `range` of the document as it is now.
llvm::json::Array
launchHints(const OpenDocument &document, TextRange range,
            llvm::ArrayRef<std::shared_ptr<const CheckedFile>> checks,
            const ClientAbilities &client);

} // namespace coreside

#endif
