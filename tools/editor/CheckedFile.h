// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One file, from its unsaved text to findings, in two steps: what is read of
// the source, and what follows from it with the numbers of the kernels.
//
// In:   a.cu, the open documents, settings
// Out:  its programs; with numbers the analyses and the findings for the user
//
// The second step is cheap, and done again alone when numbers arrive.

#ifndef CORESIDE_EDITOR_CHECKEDFILE_H
#define CORESIDE_EDITOR_CHECKEDFILE_H

#include "DeviceText.h"
#include "EditorSettings.h"
#include "OpenDocuments.h"
#include "analysis/Analysis.h"
#include "checking/TextCopies.h"
#include "checking/Units.h"
#include "rules/Finding.h"

#include <atomic>
#include <memory>
#include <string>
#include <vector>

namespace coreside {

/// A file as its commands compile it.
struct ReadFile {
  std::string path;
  /// The open documents among what was read.
  OpenDocuments documents;
  /// With their programs.
  std::vector<Unit> units;
  /// All that was read, absolute.
  std::vector<std::string> files;
  /// What device code depends on, as a word; see DeviceText.h.
  std::string deviceKey;
  /// What there is to say: "coreside: note: a.cu: ...", one a line.
  std::string remarks;
  /// Why nothing could be read; then there are no units.
  std::string problem;

  /// The texts that differ from what is on disk.
  SourceTexts unsaved() const;
};

/// How good the numbers are that an analysis has.
enum class NumbersState {
  Current,
  /// Of kernels as they were before a change.
  Stale,
  /// There are none (yet).
  None,
};

struct CheckedFile {
  std::shared_ptr<const ReadFile> read;
  NumbersState numbers = NumbersState::None;
  /// Why there are none, in a line; empty where they are on their way.
  std::string problem;
  std::vector<Analysis> analyses;
  /// Those for the user, with their levels and fingerprints.
  std::vector<Finding> findings;
  /// What is wrong with allows.
  std::vector<std::string> warnings;
};

/// What several analyses share; of one thread.
struct CheckingContext {
  /// Toolkit, flags and folder are set.
  UnitOptions reading;
  Preambles preambles{Preambles::Kind::OfFile};
  DeviceTexts deviceTexts;
};

/// Reads `path`. Error: its settings are wrong. Once `stop` is set what comes
/// out is of no use.
llvm::Expected<ReadFile> readFile(const std::string &path,
                                  const OpenDocuments &documents,
                                  const EditorSettings &settings,
                                  CheckingContext &context,
                                  const std::atomic<bool> &stop);

/// Judges what was read. `tables`: one for each unit, or none at all. Error:
/// settings are wrong.
llvm::Expected<CheckedFile> judgeFile(std::shared_ptr<const ReadFile> read,
                                      std::vector<ResourceTable> tables,
                                      const EditorSettings &settings);

} // namespace coreside

#endif
