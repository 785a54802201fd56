// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SettingsFile.h"

#include "NearestName.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLTraits.h"

#include <fmt/format.h>

using namespace coreside;
using llvm::StringRef;
namespace path = llvm::sys::path;
namespace yaml = llvm::yaml;

namespace {

/// A scalar and where it begins in the text.
struct Word {
  std::string text;
  const char *at = nullptr;
};

using Words = std::vector<Word>;

/// A mapping as it stands, its words not looked at.
struct Mapping {
  std::map<std::string, Words> lists;
  std::map<std::string, Word> singles;
};

struct FileMapping : Mapping {
  bool inheritParent = false;
  std::vector<Mapping> paths;
};

/// What the parser's callbacks need.
struct Parsing {
  yaml::Input *input = nullptr;
  /// The first error: its place and words.
  unsigned line = 0;
  std::string error;
};

constexpr StringRef ownKeys[] = {"inherit-parent", "paths", "match"};

/// Whether `where`, the top or one of the paths, takes `key`.
std::vector<StringRef> keysOf(bool isPath) {
  std::vector<StringRef> names;
  for (const SettingKey &key : settingKeys())
    names.push_back(key.name);
  if (isPath)
    names.push_back("match");
  else
    llvm::append_range(names,
                       llvm::ArrayRef<StringRef>{"inherit-parent", "paths"});
  return names;
}

void mapSettings(yaml::IO &io, Mapping &mapping);

} // namespace

LLVM_YAML_IS_SEQUENCE_VECTOR(Word)
LLVM_YAML_IS_SEQUENCE_VECTOR(Mapping)

template <> struct llvm::yaml::ScalarTraits<Word> {
  static void output(const Word &, void *, raw_ostream &) {}
  static StringRef input(StringRef scalar, void *context, Word &word) {
    const Node *node = static_cast<Parsing *>(context)->input->getCurrentNode();
    word = {scalar.str(), node->getSourceRange().Start.getPointer()};
    return {};
  }
  static QuotingType mustQuote(StringRef) { return QuotingType::None; }
};

template <> struct llvm::yaml::MappingTraits<Mapping> {
  static void mapping(IO &io, Mapping &mapping) {
    io.mapRequired("match", mapping.lists["match"]);
    mapSettings(io, mapping);
  }
};

template <> struct llvm::yaml::MappingTraits<FileMapping> {
  static void mapping(IO &io, FileMapping &file) {
    io.mapOptional("inherit-parent", file.inheritParent);
    mapSettings(io, file);
    io.mapOptional("paths", file.paths);
  }
};

namespace {

void mapSettings(yaml::IO &io, Mapping &mapping) {
  for (const SettingKey &key : settingKeys())
    if (key.isList)
      io.mapOptional(key.name, mapping.lists[key.name]);
    else
      io.mapOptional(key.name, mapping.singles[key.name]);
}

/// Keeps the first error; of a key that is not known it names the nearest.
void keepError(const llvm::SMDiagnostic &diagnostic, void *context) {
  Parsing &parsing = *static_cast<Parsing *>(context);
  if (!parsing.error.empty() ||
      diagnostic.getKind() != llvm::SourceMgr::DK_Error)
    return;
  parsing.line = std::max(1, diagnostic.getLineNo());
  parsing.error = diagnostic.getMessage().str();
  StringRef name = diagnostic.getMessage();
  if (name.consume_front("unknown key '") && name.consume_back("'")) {
    // A key of a path stands behind its indentation or its dash.
    StringRef line = diagnostic.getLineContents();
    bool isPath = line.starts_with(" ") || line.starts_with("-");
    parsing.error += didYouMean(name, keysOf(isPath));
  }
}

/// Turns what is written into settings, each word looked at.
class Reading {
public:
  Reading(StringRef text, StringRef file) : Text(text), File(file) {}

  llvm::Error read(const Mapping &mapping, Settings &settings) const {
    for (const SettingKey &key : settingKeys()) {
      Words words;
      if (auto list = mapping.lists.find(key.name); list != mapping.lists.end())
        words = list->second;
      if (auto single = mapping.singles.find(key.name);
          single != mapping.singles.end() && single->second.at)
        words = {single->second};
      if (words.empty())
        continue;
      std::vector<std::string> texts;
      for (const Word &word : words)
        texts.push_back(StringRef(key.name) == "targets" ? target(word.text)
                                                         : word.text);
      // Word by word, so that the line is that of the word.
      for (auto [word, text] : llvm::zip(words, texts))
        if (llvm::Error error = key.check(text))
          return fail(word, llvm::toString(std::move(error)));
      settings.set(key.name, std::move(texts),
                   fmt::format("{}:{}", File, lineOf(words.front())));
    }
    return llvm::Error::success();
  }

  llvm::Error fail(const Word &word, StringRef why) const {
    return llvm::createStringError(
        fmt::format("{}:{}: {}", File, lineOf(word), why.str()));
  }

private:
  unsigned lineOf(const Word &word) const {
    return 1 + StringRef(Text.begin(), word.at - Text.begin()).count('\n');
  }

  /// A GPU file is looked for beside the file that names it.
  std::string target(StringRef word) const {
    if (path::is_absolute(word) ||
        (!word.ends_with(".yaml") && !word.ends_with(".yml") &&
         !word.contains('/')))
      return word.str();
    llvm::SmallString<128> absolute(path::parent_path(File));
    path::append(absolute, word);
    return absolute.str().str();
  }

  StringRef Text;
  std::string File;
};

} // namespace

llvm::ArrayRef<StringRef> coreside::fileKeys() { return ownKeys; }

void SettingsFile::addTo(Settings &to, StringRef file) const {
  to.add(settings);
  StringRef rest = file;
  // Files of elsewhere are asked for with --config; they go by whole paths.
  if (rest.consume_front(path::parent_path(this->path)))
    rest.consume_front("/");
  for (const OfPath &of : paths)
    if (llvm::any_of(of.globs, [&](const llvm::GlobPattern &glob) {
          return glob.match(rest);
        }))
      to.add(of.settings);
}

llvm::Expected<SettingsFile> coreside::parseSettings(StringRef text,
                                                     StringRef path) {
  SettingsFile file;
  file.path = path.str();
  Parsing parsing;
  yaml::Input input(text, &parsing, keepError, &parsing);
  parsing.input = &input;
  FileMapping mapping;
  input >> mapping;
  if (input.error() || !parsing.error.empty())
    return llvm::createStringError(
        fmt::format("{}:{}: {}", path.str(), parsing.line,
                    parsing.error.empty() ? "is not YAML" : parsing.error));

  file.inheritParent = mapping.inheritParent;
  Reading reading(text, path);
  if (llvm::Error error = reading.read(mapping, file.settings))
    return std::move(error);
  for (const Mapping &of : mapping.paths) {
    SettingsFile::OfPath ofPath;
    for (const Word &word : of.lists.at("match")) {
      llvm::Expected<llvm::GlobPattern> glob =
          llvm::GlobPattern::create(word.text, 64);
      if (!glob)
        return reading.fail(word, llvm::toString(glob.takeError()));
      ofPath.globs.push_back(std::move(*glob));
    }
    if (llvm::Error error = reading.read(of, ofPath.settings))
      return std::move(error);
    file.paths.push_back(std::move(ofPath));
  }
  return file;
}
