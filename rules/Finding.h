// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a rule has to say: facts, and the words made of them.
//
//   pair.cu:31:3: warning: 'edge' has to wait for 'blur' on h100 ...
//   pair.cu:30:3: note: 'blur' is launched here on stream 's'
//
// Writers print findings and know nothing of rules. The facts are there for
// writers that are read by programs; a rule words its message from the same
// facts, so that all outputs agree.

#ifndef CORESIDE_RULES_FINDING_H
#define CORESIDE_RULES_FINDING_H

#include "program/Program.h"

#include <string>
#include <vector>

namespace coreside {

enum class Level {
  /// Of a rule that is new and not yet proven; printed with --level=preview.
  Preview,
  /// Worth knowing; printed with --level=note.
  Note,
  /// Something does not run as it was meant to.
  Warning,
  /// A launch fails or the program hangs.
  Error,
};

/// "preview", "note", "warning", "error".
const char *levelName(Level level);

/// A second place, or a further fact about the first.
struct FindingNote {
  SourcePlace place;
  std::string message;
  auto operator<=>(const FindingNote &) const = default;
};

/// Text in place of a part of a file. Lines and columns count from 1, columns
/// in bytes; the end is the first byte that stays. Begin and end are the same
/// for text that is put in between.
struct SourceEdit {
  std::string file;
  unsigned line = 0;
  unsigned column = 0;
  unsigned endLine = 0;
  unsigned endColumn = 0;
  std::string text;
  auto operator<=>(const SourceEdit &) const = default;
};

/// One change of the source after which the finding is gone: all of its edits
/// or none.
struct Fix {
  /// Says what it does: "launch 'edges' first".
  std::string title;
  std::vector<SourceEdit> edits;
  bool operator==(const Fix &) const = default;
};

/// What becomes of the finding's launch, or launches, on one GPU, from good to
/// bad.
enum class Outcome {
  Unknown,
  Shares,
  SharesPartly,
  TailOnly,
  Waits,
  Fails,
  Hangs
};

/// "unknown", "shares", "shares partly", "tail only", "waits", "fails",
/// "hangs".
const char *outcomeName(Outcome outcome);

/// What a rule knows of one target GPU.
struct GPUFact {
  /// "h100", "sm_90".
  std::string gpu;
  std::string architecture;
  Outcome outcome = Outcome::Unknown;
  /// What is not enough: "registers"; empty where nothing is.
  std::string limiter;
  /// Blocks of the first launch from which on it is so, where its grid is open.
  std::optional<uint64_t> fromBlocks;
  /// The smallest changes after which it is not so, in words.
  std::vector<std::string> changes;
};

/// A launch that a finding speaks of.
struct LaunchFact {
  std::string kernel;
  SourcePlace place;
  /// The stream's or graph's name in the source.
  std::string stream;
  /// The calls from the facts' function down to the launch.
  std::vector<CallSite> path;
};

/// What a finding says of the launch at `step`.
LaunchFact factOf(const Program &program, const Trace &trace, const Step &step);

struct FindingFacts {
  /// The host function in which the launches are made.
  std::string function;
  /// In host order. One for what concerns a launch alone.
  std::vector<LaunchFact> launches;
  /// One for each target GPU of which something is known.
  std::vector<GPUFact> onGPU;
  /// Blocks of the first launch as the source puts it; empty where known.
  std::string formula;
  /// What was taken to hold: "'s' and 't' are different streams".
  std::vector<std::string> assumptions;

  /// Names of the GPUs with this outcome.
  std::vector<std::string> gpusThat(Outcome outcome) const;
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
  FindingFacts facts;
  /// A name that stays when lines move; set once all findings are there.
  std::string fingerprint;
  /// Ways out that a program can write, the smallest first; one of them is
  /// enough.
  std::vector<Fix> fixes;
};

} // namespace coreside

#endif
