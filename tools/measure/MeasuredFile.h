// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file of measurements with named columns.
//
// In:   "tA,rA,occA" and "384,40,4".
// Out:  rows()[0].number("rA") == 40, .number("cvA", -1) == -1.

#ifndef CORESIDE_MEASURE_MEASUREDFILE_H
#define CORESIDE_MEASURE_MEASUREDFILE_H

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBuffer.h"

#include <memory>
#include <vector>

namespace coreside {

/// One line of a MeasuredFile.
class MeasuredRow {
public:
  MeasuredRow(const llvm::StringMap<unsigned> &columns, llvm::StringRef line);
  /// The number in `column`; `missing` when the file has no such column or
  /// the field is not a number.
  int64_t number(llvm::StringRef column, int64_t missing = 0) const;
  /// The text in `column`, empty when the file has no such column.
  llvm::StringRef text(llvm::StringRef column) const;
  llvm::StringRef line() const { return whole; }

private:
  const llvm::StringMap<unsigned> *columns;
  llvm::StringRef whole;
  llvm::SmallVector<llvm::StringRef, 40> fields;
};

class MeasuredFile {
public:
  /// Reads comma-separated values. Lines that begin with # are notes.
  static llvm::Expected<MeasuredFile> read(llvm::StringRef path);
  const std::vector<MeasuredRow> &rows() const { return allRows; }
  bool has(llvm::StringRef column) const { return columns->contains(column); }

private:
  std::unique_ptr<llvm::MemoryBuffer> buffer;
  /// Apart, so that rows may point at it when the file moves.
  std::unique_ptr<llvm::StringMap<unsigned>> columns;
  std::vector<MeasuredRow> allRows;
};

} // namespace coreside

#endif
