// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MeasuredFile.h"

#include "llvm/Support/LineIterator.h"

using namespace coreside;

MeasuredRow::MeasuredRow(const llvm::StringMap<unsigned> &columns,
                         llvm::StringRef line)
    : columns(&columns), whole(line) {
  line.split(fields, ',');
}

llvm::StringRef MeasuredRow::text(llvm::StringRef column) const {
  const auto found = columns->find(column);
  if (found == columns->end() || found->second >= fields.size())
    return "";
  return fields[found->second].trim();
}

int64_t MeasuredRow::number(llvm::StringRef column, int64_t missing) const {
  int64_t value;
  return text(column).getAsInteger(10, value) ? missing : value;
}

llvm::Expected<MeasuredFile> MeasuredFile::read(llvm::StringRef path) {
  auto opened = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!opened)
    return llvm::createStringError(opened.getError(), "%s: cannot be read: %s",
                                   path.str().c_str(),
                                   opened.getError().message().c_str());
  MeasuredFile file;
  file.buffer = std::move(*opened);
  file.columns = std::make_unique<llvm::StringMap<unsigned>>();
  llvm::line_iterator line(*file.buffer, /*SkipBlanks=*/true, '#');
  if (line.is_at_eof())
    return llvm::createStringError("%s: has no header line; expected the names "
                                   "of its columns",
                                   path.str().c_str());
  llvm::SmallVector<llvm::StringRef, 40> names;
  line->split(names, ',');
  for (unsigned i = 0; i < names.size(); ++i)
    file.columns->try_emplace(names[i].trim(), i);
  for (++line; !line.is_at_eof(); ++line)
    file.allRows.emplace_back(*file.columns, *line);
  return std::move(file);
}
