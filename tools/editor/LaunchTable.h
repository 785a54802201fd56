// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A launch or a kernel in words: a label for its line, a table for its hover.
//
//   | GPU | registers | shared memory | blocks/SM | limited by | waves |
//   | h100 | 64 | 0 bytes | 4 | registers | 1.0 |
//
//   - after `blur` (line 30): h100 waits for it (registers)

#ifndef CORESIDE_EDITOR_LAUNCHTABLE_H
#define CORESIDE_EDITOR_LAUNCHTABLE_H

#include "LaunchSummary.h"

#include <string>

namespace coreside {

/// "4 blocks/SM, 3.9 waves; waits for 'blur'"; empty where nothing is known.
std::string launchLabel(const LaunchSummary &launch,
                        const CheckedFile &checked);

/// In Markdown, or in lines of plain text.
std::string launchTable(const LaunchSummary &launch, const CheckedFile &checked,
                        bool markdown);

/// What kernel number `kernel` of an analysis takes, and where it is launched.
std::string kernelTable(const Analysis &analysis, unsigned kernel,
                        const CheckedFile &checked, bool markdown);

} // namespace coreside

#endif
