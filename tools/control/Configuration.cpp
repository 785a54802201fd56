// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Configuration.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

using namespace coreside;
using llvm::StringRef;
namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

Configuration::Configuration(std::string file, Settings given)
    : File(std::move(file)), Given(std::move(given)) {}

static std::string absolute(StringRef file) {
  llvm::SmallString<128> full(file);
  fs::make_absolute(full);
  path::remove_dots(full, true);
  return full.str().str();
}

llvm::Expected<Settings> Configuration::of(StringRef source) {
  Settings settings;
  std::string full = absolute(source);
  if (File.empty()) {
    if (llvm::Error error = addNearest(path::parent_path(full), full, settings))
      return std::move(error);
  } else {
    llvm::Expected<const SettingsFile *> file = read(absolute(File));
    if (!file)
      return file.takeError();
    if (!*file)
      return llvm::createStringError(fmt::format(
          "cannot read '{}': no such file; --config names a file like "
          ".coreside",
          File));
    (*file)->addTo(settings, full);
  }
  settings.add(Given);
  return settings;
}

llvm::Error Configuration::addNearest(StringRef folder, StringRef source,
                                      Settings &settings) {
  for (; !folder.empty(); folder = path::parent_path(folder)) {
    llvm::SmallString<128> name(folder);
    path::append(name, ".coreside");
    llvm::Expected<const SettingsFile *> file = read(name);
    if (!file)
      return file.takeError();
    if (!*file)
      continue;
    if ((*file)->inheritParent)
      if (llvm::Error error =
              addNearest(path::parent_path(folder), source, settings))
        return error;
    (*file)->addTo(settings, source);
    break;
  }
  return llvm::Error::success();
}

llvm::Expected<const SettingsFile *> Configuration::read(StringRef file) {
  auto [entry, isNew] = Files.try_emplace(file);
  if (isNew && fs::exists(file)) {
    if (!fs::is_regular_file(file))
      // A folder of that name is something else's.
      return nullptr;
    auto buffer = llvm::MemoryBuffer::getFile(file, /*IsText=*/true);
    if (!buffer) {
      Files.erase(file);
      return llvm::createStringError(fmt::format(
          "cannot read '{}': {}", file.str(), buffer.getError().message()));
    }
    llvm::Expected<SettingsFile> parsed =
        parseSettings((*buffer)->getBuffer(), file);
    if (!parsed) {
      // Whoever asks next hears the same.
      Files.erase(file);
      return parsed.takeError();
    }
    entry->second = std::move(*parsed);
  }
  return entry->second ? &*entry->second : nullptr;
}

std::vector<std::string> Configuration::filesRead() const {
  std::vector<std::string> names;
  for (const auto &file : Files)
    if (file.second)
      names.push_back(file.first().str());
  return names;
}
