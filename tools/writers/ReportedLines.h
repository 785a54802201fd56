// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines of the sources that findings point into, and columns in them as others
// count.
//
// In:   pair.cu:31:9, a byte; "  größe<<<"
// Out:  the line; column 8 in UTF-16 units; that a name of 5 letters is there

#ifndef CORESIDE_WRITERS_REPORTEDLINES_H
#define CORESIDE_WRITERS_REPORTEDLINES_H

#include "program/SourcePlace.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <string>
#include <vector>

namespace coreside {

/// Each file is read once; what cannot be read has no lines.
class ReportedLines {
public:
  /// Without its end. Empty where there is none.
  llvm::StringRef get(llvm::StringRef file, unsigned line);

  /// The column of a place in UTF-16 code units, from 1. `place.column` counts
  /// bytes; without the line they are taken as they are. 0 stays 0.
  unsigned utf16Column(const SourcePlace &place);

  /// The column in bytes behind the name that begins at `place`; the next
  /// column where none does; 0 where the place has none.
  unsigned endOfName(const SourcePlace &place);

  /// Whether most lines of the file end with "\r\n".
  bool hasCarriageReturns(llvm::StringRef file);

  /// The whole text.
  llvm::StringRef text(llvm::StringRef file);

private:
  struct File {
    std::unique_ptr<llvm::MemoryBuffer> text;
    /// Where each line begins.
    std::vector<size_t> lines;
  };
  const File &open(llvm::StringRef file);

  llvm::StringMap<File> Files;
};

} // namespace coreside

#endif
