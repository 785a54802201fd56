// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit with other text, for compilers that read the disk.
//
// In:   /p/src/blur.cu's unit; /p/include/blur.cuh before a change, or unsaved
// Out:  TMP/p/src/blur.cu, TMP/p/include/blur.cuh, -ITMP/p/include before
//       -I/p/include
//
// What has other text is written below a private folder, at the path that it
// has. The user's other headers are linked to there, so that files find each
// other as they do in their places. The folder goes with the object.

#ifndef CORESIDE_TOOLS_TEXTCOPIES_H
#define CORESIDE_TOOLS_TEXTCOPIES_H

#include "Units.h"
#include "resources/CompilerRun.h"

#include "llvm/Support/Error.h"

#include <map>
#include <string>

namespace coreside {

/// Text by the absolute path of the file that it is laid over.
using SourceTexts = std::map<std::string, std::string>;

class TextCopies {
public:
  /// `unit.program.files` are the files that link to each other. Error: the
  /// disk is full, or the file itself is nowhere.
  static llvm::Expected<TextCopies> write(const Unit &unit,
                                          const SourceTexts &texts);
  /// The unit, its command about the copies. What the build has written is not
  /// of it.
  const Unit &unit() const { return Copied; }

private:
  TextCopies(CompilerRun run, Unit unit);
  llvm::Error fill(const SourceTexts &texts);
  llvm::Error link(llvm::StringRef file);

  /// Its folder is what copies are in: it goes on signals, too.
  CompilerRun Run;
  std::string Folder;
  Unit Copied;
};

} // namespace coreside

#endif
