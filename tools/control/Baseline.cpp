// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Baseline.h"

#include "WholeFile.h"

#include "llvm/ADT/STLExtras.h"
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
    const json::Array *gpus = nullptr;
    if (fields) {
      fingerprint = fields->getString("fingerprint");
      rule = fields->getString("rule");
      name = fields->getString("file");
      message = fields->getString("message");
      gpus = fields->getArray("gpus");
    }
    if (!fingerprint || !rule || !name || !message || !gpus)
      return fail(
          "an entry lacks its fingerprint, rule, file, message or gpus");
    llvm::SmallString<128> full(*name);
    if (path::is_relative(full)) {
      full = folder;
      path::append(full, *name);
      path::remove_dots(full, true);
    }
    Entry &entry = baseline.Entries[fingerprint->str()];
    entry = {rule->str(), full.str().str(), message->str(), {}};
    for (const json::Value &gpu : *gpus)
      if (std::optional<StringRef> gpuName = gpu.getAsString())
        entry.gpus.push_back(gpuName->str());
  }
  return baseline;
}

bool Baseline::has(const Finding &finding) const {
  return Entries.count(finding.fingerprint);
}

void Baseline::add(const Finding &finding) {
  llvm::SmallString<128> full(finding.place.file);
  fs::make_absolute(full);
  path::remove_dots(full, true);
  Entries[finding.fingerprint] = {finding.rule, full.str().str(),
                                  finding.message, finding.gpus};
}

std::vector<Finding>
Baseline::takeGone(const std::vector<Finding> &findings,
                   const BaselineScope &scope,
                   llvm::function_ref<bool(StringRef, StringRef)> isOn) {
  llvm::StringSet<> found;
  for (const Finding &finding : findings)
    found.insert(finding.fingerprint);
  std::vector<Finding> gone;
  std::erase_if(Entries, [&](const auto &named) {
    const auto &[fingerprint, entry] = named;
    if (found.contains(fingerprint) || !scope.files.contains(entry.file) ||
        !isOn(entry.rule, entry.file) ||
        !llvm::all_of(entry.gpus, [&](const std::string &gpu) {
          return scope.gpus.contains(gpu);
        }))
      return false;
    Finding &finding = gone.emplace_back();
    finding.rule = entry.rule;
    finding.place.file = entry.file;
    finding.message = entry.message;
    finding.gpus = entry.gpus;
    finding.fingerprint = fingerprint;
    return true;
  });
  return gone;
}

llvm::Error Baseline::write(StringRef file) const {
  // By file, so that what belongs together stands together.
  std::map<std::pair<std::string, std::string>, const Entry *> sorted;
  for (const auto &[fingerprint, entry] : Entries)
    sorted[{entry.file, fingerprint}] = &entry;
  std::string folder = folderOf(file);
  std::string text;
  llvm::raw_string_ostream out(text);
  out << "{\"version\": 1, \"findings\": [";
  const char *separator = "\n";
  for (const auto &[key, entry] : sorted) {
    StringRef name = entry->file;
    name.consume_front(folder);
    out << separator
        << json::Value(json::Object{{"fingerprint", key.second},
                                    {"rule", entry->rule},
                                    {"file", json::fixUTF8(name)},
                                    {"message", json::fixUTF8(entry->message)},
                                    {"gpus", json::Array(entry->gpus)}});
    separator = ",\n";
  }
  out << "\n]}\n";
  return writeWholeFile(file, text);
}
