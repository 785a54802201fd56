// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ResourceCache.h"
#include "ResourcesJSON.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/CachePruning.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using llvm::StringRef;

namespace coreside {

namespace {

namespace fs = llvm::sys::fs;

// LLVM's pruning looks after files of these two names only: entries, and what
// was being written when a process was killed.
constexpr StringRef EntryPrefix = "llvmcache-";
constexpr StringRef UnfinishedModel = "Thin-%%%%%%%%.tmp";

/// Grows when the meaning of an entry changes.
constexpr StringRef Format = "coreside resources 1";
constexpr size_t ResultsPerCommand = 4;

std::string hashOf(StringRef bytes) {
  return llvm::toHex(llvm::BLAKE3::hash<20>(llvm::arrayRefFromStringRef(bytes)),
                     /*LowerCase=*/true);
}

std::optional<std::string> hashOfFile(StringRef path) {
  // A device may have no end.
  if (!fs::is_regular_file(path))
    return std::nullopt;
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return std::nullopt;
  return hashOf((*file)->getBuffer());
}

int64_t nanoseconds(llvm::sys::TimePoint<> time) {
  return time.time_since_epoch().count();
}

/// A file that was read: [path, size, time, hash].
using Dependency = llvm::json::Array;

bool isUnchanged(const llvm::json::Value &value) {
  const Dependency *dependency = value.getAsArray();
  if (!dependency || dependency->size() != 4)
    return false;
  auto path = (*dependency)[0].getAsString();
  auto size = (*dependency)[1].getAsInteger();
  auto time = (*dependency)[2].getAsInteger();
  auto hash = (*dependency)[3].getAsString();
  fs::file_status status;
  if (!path || !size || !time || !hash || fs::status(*path, status) ||
      int64_t(status.getSize()) != *size)
    return false;
  return nanoseconds(status.getLastModificationTime()) == *time ||
         hashOfFile(*path) == hash->str();
}

/// The results in an entry; nothing when it is damaged.
std::optional<llvm::json::Array> readEntry(StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                          /*RequiresNullTerminator=*/false);
  if (!file)
    return std::nullopt;
  auto [hash, rest] = (*file)->getBuffer().split('\n');
  if (hash != hashOf(rest) || !rest.consume_front(Format) ||
      !rest.consume_front("\n"))
    return std::nullopt;
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(rest);
  if (!value) {
    llvm::consumeError(value.takeError());
    return std::nullopt;
  }
  llvm::json::Array *results = value->getAsArray();
  if (!results)
    return std::nullopt;
  return std::move(*results);
}

std::optional<CachedResult> resultOf(const llvm::json::Object &object) {
  CachedResult result;
  const llvm::json::Value *records = object.get("records");
  const llvm::json::Array *notes = object.getArray("notes");
  auto error = object.getString("error");
  if (!records || !notes || !error)
    return std::nullopt;
  llvm::Expected<std::vector<KernelResources>> read = recordsFromJSON(*records);
  if (!read) {
    llvm::consumeError(read.takeError());
    return std::nullopt;
  }
  result.records = std::move(*read);
  for (const llvm::json::Value &note : *notes)
    result.notes.push_back(note.getAsString().value_or("").str());
  result.error = error->str();
  return result;
}

/// Calls `take` with the path of each entry, unfinished ones too.
void forEachFile(StringRef folder, llvm::function_ref<void(StringRef)> take) {
  std::error_code error;
  for (fs::directory_iterator file(folder, error), end; file != end && !error;
       file.increment(error)) {
    StringRef name = llvm::sys::path::filename(file->path());
    if (name.starts_with(EntryPrefix) || name.starts_with("Thin-"))
      take(file->path());
  }
}

} // namespace

std::string ResourceCache::defaultFolder() {
  llvm::SmallString<128> folder;
  if (const char *base = std::getenv("XDG_CACHE_HOME"); base && *base)
    folder = base;
  else if (!llvm::sys::path::home_directory(folder))
    return {};
  else
    llvm::sys::path::append(folder, ".cache");
  llvm::sys::path::append(folder, "coreside");
  return std::string(folder);
}

ResourceCache::ResourceCache(std::string folder, uint64_t limit)
    : Folder(std::move(folder)), Limit(limit) {}

std::string ResourceCache::entryPath(StringRef command) const {
  llvm::SmallString<128> path(Folder);
  llvm::sys::path::append(path, EntryPrefix + hashOf(command));
  return std::string(path);
}

std::optional<CachedResult> ResourceCache::find(StringRef command) const {
  if (Folder.empty())
    return std::nullopt;
  std::optional<llvm::json::Array> results = readEntry(entryPath(command));
  if (!results)
    return std::nullopt;
  for (const llvm::json::Value &value : *results)
    if (const llvm::json::Object *object = value.getAsObject())
      if (const llvm::json::Array *files = object->getArray("files");
          files && llvm::all_of(*files, isUnchanged))
        return resultOf(*object);
  return std::nullopt;
}

void ResourceCache::store(StringRef command, llvm::ArrayRef<std::string> paths,
                          llvm::sys::TimePoint<> began,
                          const CachedResult &result) const {
  if (Folder.empty() || paths.empty())
    return;
  llvm::json::Array files;
  for (const std::string &path : paths) {
    fs::file_status status;
    std::optional<std::string> hash = hashOfFile(path);
    if (!hash || fs::status(path, status) ||
        status.getLastModificationTime() >= began)
      return;
    files.push_back(Dependency{path, int64_t(status.getSize()),
                               nanoseconds(status.getLastModificationTime()),
                               std::move(*hash)});
  }
  write(command, std::move(files), result);
}

void ResourceCache::store(StringRef command, const CachedResult &result) const {
  if (!Folder.empty())
    write(command, {}, result);
}

void ResourceCache::write(StringRef command, llvm::json::Array files,
                          const CachedResult &result) const {
  llvm::json::Array records;
  for (const KernelResources &record : result.records)
    records.push_back(toJSON(record));
  llvm::json::Object object{{"files", std::move(files)},
                            {"records", std::move(records)},
                            {"notes", llvm::json::Array(result.notes)},
                            {"error", result.error}};

  std::string path = entryPath(command);
  llvm::json::Array results{std::move(object)};
  if (std::optional<llvm::json::Array> old = readEntry(path))
    for (llvm::json::Value &value : *old) {
      const llvm::json::Object *other = value.getAsObject();
      if (results.size() < ResultsPerCommand && other && other->get("files") &&
          *other->get("files") != *results[0].getAsObject()->get("files"))
        results.push_back(std::move(value));
    }
  std::string text = Format.str() + "\n";
  llvm::raw_string_ostream(text) << llvm::json::Value(std::move(results));

  if (fs::create_directories(Folder))
    return;
  llvm::SmallString<128> model(Folder);
  llvm::sys::path::append(model, UnfinishedModel);
  llvm::Expected<fs::TempFile> file = fs::TempFile::create(model);
  if (!file)
    return llvm::consumeError(file.takeError());
  llvm::raw_fd_ostream out(file->FD, /*shouldClose=*/false);
  out << hashOf(text) << '\n' << text;
  out.flush();
  bool written = !out.has_error();
  out.clear_error();
  if (llvm::Error error = written ? file->keep(path) : file->discard())
    llvm::consumeError(std::move(error));
}

void ResourceCache::prune() const {
  if (Folder.empty())
    return;
  llvm::CachePruningPolicy policy;
  policy.Interval = std::chrono::minutes(1);
  policy.Expiration = std::chrono::seconds(0);
  policy.MaxSizePercentageOfAvailableSpace = 0;
  policy.MaxSizeBytes = Limit;
  policy.MaxSizeFiles = 0;
  llvm::pruneCache(Folder, policy);
}

ResourceCache::Usage ResourceCache::check() const {
  Usage usage;
  forEachFile(Folder, [&](StringRef path) {
    uint64_t size = 0;
    fs::file_size(path, size);
    ++usage.entries;
    usage.bytes += size;
    usage.damaged += !readEntry(path);
  });
  return usage;
}

uint64_t ResourceCache::clear() const {
  std::vector<std::string> paths;
  forEachFile(Folder, [&](StringRef path) { paths.push_back(path.str()); });
  for (const std::string &path : paths)
    fs::remove(path);
  return paths.size();
}

std::vector<std::string> readDependencies(StringRef text, StringRef directory) {
  std::vector<std::string> files;
  std::string name;
  auto end = [&] {
    if (name.empty())
      return;
    llvm::SmallString<128> path(name);
    if (llvm::sys::path::is_relative(path)) {
      path = directory;
      llvm::sys::path::append(path, name);
    }
    files.push_back(std::string(path));
    name.clear();
  };
  // The target ends at the first colon before a blank.
  size_t at = text.find(": ");
  if (at == StringRef::npos)
    return files;
  for (text = text.drop_front(at + 2); !text.empty();
       text = text.drop_front()) {
    char c = text[0], next = text.size() > 1 ? text[1] : '\0';
    if (c == '\\' && (next == ' ' || next == '#' || next == '\\')) {
      name += next;
      text = text.drop_front();
    } else if (c == '$' && next == '$') {
      name += c;
      text = text.drop_front();
    } else if (c == '\\' && (next == '\n' || next == '\r')) {
      end();
      text = text.drop_front(text.drop_front().starts_with("\r\n") ? 2 : 1);
    } else if (llvm::isSpace(c)) {
      end();
      // Another rule would be about something else.
      if (c == '\n' && !files.empty())
        break;
    } else {
      name += c;
    }
  }
  end();
  return files;
}

} // namespace coreside
