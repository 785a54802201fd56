// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is known of the launch or the kernel under the cursor.
//
// In:   a place in blur<<<528, 256, 0, s>>>, or in blur where it is defined
// Out:  a Hover with a table: registers, shared memory, blocks per SM, ...

#ifndef CORESIDE_EDITOR_LAUNCHHOVER_H
#define CORESIDE_EDITOR_LAUNCHHOVER_H

#include "FindingDiagnostics.h"

#include "llvm/ADT/ArrayRef.h"

#include <memory>
#include <optional>

namespace coreside {

std::optional<llvm::json::Value>
launchHover(const OpenDocument &document, TextPosition position,
            llvm::ArrayRef<std::shared_ptr<const CheckedFile>> checks,
            const ClientAbilities &client);

} // namespace coreside

#endif
