// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Baseline.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

using namespace coreside;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace json = llvm::json;
namespace path = llvm::sys::path;

/// The folder of `file` with a '/' at its end, absolute.
static std::string folderOf(StringRef file) {
  llvm::SmallString<128> full(file);
  fs::make_absolute(full);
  path::remove_dots(full, true);
  path::remove_filename(full);
  return full.str().str() + "/";
}

llvm::Expected<Baseline> Baseline::read(StringRef file) {
  auto fail = [&](StringRef why) {
    return llvm::createStringError(fmt::format(
        "cannot read the baseline '{}': {}", file.str(), why.str()));
  };
  auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
  if (!buffer)
    return fail(buffer.getError().message());
  llvm::Expected<json::Value> value = json::parse((*buffer)->getBuffer());
  if (!value) {
    llvm::consumeError(value.takeError());
    return fail("it is not JSON; --write-baseline makes one");
  }
  const json::Object *object = value->getAsObject();
  const json::Array *findings = object ? object->getArray("findings") : nullptr;
  if (!findings || object->getInteger("version") != 1)
    return fail("it is not what --write-baseline of this version makes");
  Baseline baseline;
  std::string folder = folderOf(file);
  for (const json::Value &finding : *findings) {
    const json::Object *fields = finding.getAsObject();
    std::optional<StringRef> fingerprint, rule, name, message;
    if (fields) {
      fingerprint = fields->getString("fingerprint");
      rule = fields->getString("rule");
      name = fields->getString("file");
      message = fields->getString("message");
    }
    if (!fingerprint || !rule || !name || !message)
      return fail("an entry lacks its fingerprint, rule, file or message");
    llvm::SmallString<128> full(*name);
    if (path::is_relative(full)) {
      full = folder;
      path::append(full, *name);
      path::remove_dots(full, true);
    }
    baseline.Entries[fingerprint->str()] = {rule->str(), full.str().str(),
                                            message->str()};
  }
  return baseline;
}

bool Baseline::has(const Finding &finding) const {
  return Entries.count(finding.fingerprint);
}

std::vector<std::string>
Baseline::gone(const std::vector<Finding> &findings,
               const llvm::StringSet<> &analyzed) const {
  llvm::StringSet<> found;
  for (const Finding &finding : findings)
    found.insert(finding.fingerprint);
  std::vector<std::string> texts;
  for (const auto &[fingerprint, entry] : Entries)
    if (!found.contains(fingerprint) && analyzed.contains(entry.file))
      texts.push_back(
          fmt::format("{}: {} [{}]", entry.file, entry.message, entry.rule));
  return texts;
}

llvm::Error Baseline::write(StringRef file,
                            const std::vector<Finding> &findings,
                            const llvm::StringSet<> &analyzed) const {
  std::map<std::string, Entry> entries = Entries;
  std::erase_if(entries, [&](const auto &entry) {
    return analyzed.contains(entry.second.file);
  });
  for (const Finding &finding : findings) {
    llvm::SmallString<128> full(finding.place.file);
    fs::make_absolute(full);
    path::remove_dots(full, true);
    entries[finding.fingerprint] = {finding.rule, full.str().str(),
                                    finding.message};
  }
  // By file, so that what belongs together stands together.
  std::map<std::pair<std::string, std::string>, const Entry *> sorted;
  for (const auto &[fingerprint, entry] : entries)
    sorted[{entry.file, fingerprint}] = &entry;
  std::string folder = folderOf(file);
  // Through a temporary file: what was there is never half written over.
  llvm::Error error =
      llvm::writeToOutput(file, [&](llvm::raw_ostream &out) -> llvm::Error {
        out << "{\"version\": 1, \"findings\": [";
        const char *separator = "\n";
        for (const auto &[key, entry] : sorted) {
          StringRef name = entry->file;
          name.consume_front(folder);
          out << separator
              << json::Value(
                     json::Object{{"fingerprint", key.second},
                                  {"rule", entry->rule},
                                  {"file", json::fixUTF8(name)},
                                  {"message", json::fixUTF8(entry->message)}});
          separator = ",\n";
        }
        out << "\n]}\n";
        return llvm::Error::success();
      });
  if (error)
    return llvm::createStringError(
        fmt::format("cannot write the baseline '{}': {}", file.str(),
                    llvm::toString(std::move(error))));
  return llvm::Error::success();
}
