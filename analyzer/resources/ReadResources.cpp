// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ReadResources.h"
#include "CubinFile.h"
#include "ResourcesJSON.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

using llvm::StringRef;

namespace coreside {

namespace {

enum class FileKind { Log, Binary, Records };

llvm::Error cannotRead(StringRef path, std::error_code error) {
  return llvm::createStringError("cannot read '" + path +
                                 "': " + error.message());
}

bool isShellPipe(StringRef path) {
  return path.starts_with("/dev/fd/") || path.starts_with("/proc/") ||
         path == "/dev/stdin";
}

llvm::Expected<FileKind> kindOf(StringRef path) {
  namespace fs = llvm::sys::fs;
  fs::file_status status;
  if (path == "-")
    return FileKind::Log;
  if (std::error_code error = fs::status(path, status))
    return cannotRead(path, error);
  if (fs::is_directory(status))
    return cannotRead(path, std::make_error_code(std::errc::is_a_directory));
  // What the shell puts in place of <(...) is a pipe that someone writes to; it
  // can be read once only, and brings a log. Any other may wait for ever.
  if (status.type() == fs::file_type::fifo_file && isShellPipe(path))
    return FileKind::Log;
  if (!fs::is_regular_file(status))
    return llvm::createStringError("cannot read '" + path +
                                   "': it is a pipe or a device; save what it "
                                   "gives to a file, or give '-'");
  auto begin = llvm::MemoryBuffer::getFileSlice(
      path, std::min<uint64_t>(status.getSize(), 64), 0);
  if (!begin)
    return cannotRead(path, begin.getError());
  StringRef bytes = (*begin)->getBuffer();
  if (looksLikeBinary(bytes))
    return FileKind::Binary;
  StringRef text = bytes.ltrim();
  if (text.consume_front("[") &&
      (text.ltrim().starts_with("{") || text.ltrim().starts_with("]")))
    return FileKind::Records;
  return FileKind::Log;
}

llvm::Expected<std::vector<KernelResources>> readRecords(StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  if (!file)
    return cannotRead(path, file.getError());
  auto failed = [&](llvm::Error error) {
    return llvm::createStringError("cannot read '" + path +
                                   "': " + llvm::toString(std::move(error)));
  };
  llvm::Expected<llvm::json::Value> value =
      llvm::json::parse((*file)->getBuffer());
  if (!value)
    return failed(value.takeError());
  llvm::Expected<std::vector<KernelResources>> records =
      recordsFromJSON(*value);
  if (!records)
    return failed(records.takeError());
  return records;
}

} // namespace

llvm::Expected<ResourceReading> readResources(llvm::ArrayRef<std::string> paths,
                                              LogOptions options) {
  ResourceReading all;
  auto take = [&](auto &from) {
    llvm::append_range(all.records, std::move(from.records));
    llvm::append_range(all.notes, std::move(from.notes));
  };
  std::vector<std::string> logs;
  for (const std::string &path : paths) {
    llvm::Expected<FileKind> kind = kindOf(path);
    if (!kind)
      return kind.takeError();
    if (*kind == FileKind::Log) {
      logs.push_back(path);
    } else if (*kind == FileKind::Binary) {
      llvm::Expected<BinaryReading> binary = readBinaryFile(path);
      if (!binary)
        return binary.takeError();
      take(*binary);
    } else {
      llvm::Expected<std::vector<KernelResources>> records = readRecords(path);
      if (!records)
        return records.takeError();
      llvm::append_range(all.records, std::move(*records));
    }
  }
  if (!logs.empty()) {
    llvm::Expected<LogReading> reading = readPtxasLogFiles(logs, options);
    if (!reading)
      return reading.takeError();
    take(*reading);
  }
  return all;
}

} // namespace coreside
