// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a rule has to say: facts, and the words made of them.
//
//   pair.cu:31:3: warning: 'edge' has to wait for 'blur' on h100 ...
//   pair.cu:30:3: note: 'blur' is launched here on stream 's'
//
// Writers print findings and know nothing of rules.

#ifndef CORESIDE_RULES_FINDING_H
#define CORESIDE_RULES_FINDING_H

#include "program/Program.h"

#include <string>
#include <vector>

namespace coreside {

enum class Level {
  /// Worth knowing; printed with --level=note.
  Note,
  /// Something does not run as it was meant to.
  Warning,
  /// A launch fails or the program hangs.
  Error,
};

/// "note", "warning", "error".
const char *levelName(Level level);

/// A second place, or a further fact about the first.
struct FindingNote {
  SourcePlace place;
  std::string message;
};

struct Finding {
  /// The rule's name as users write it: "no-coresidency".
  std::string rule;
  Level level = Level::Warning;
  /// The launch that has to wait, or that fails.
  SourcePlace place;
  /// Lower case, no full stop; names in single quotes.
  std::string message;
  std::vector<FindingNote> notes;
  /// Target GPUs it holds for, by name.
  std::vector<std::string> gpus;
};

} // namespace coreside

#endif
