// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A GPU described in a YAML file.
//
// In:   capability: 8.0
//       SMs: 20
//       threadsPerSM: 2048
//       sharedPerSM: 100 KiB
// Out:  a GPU with the line of 8.0, 20 SMs, and 99 KiB per block with opt-in.
//
// LLVM's YAML parser gives nodes with their places. A table of fields says for
// each its range and where its number goes; so an error can always name the
// line, and a new field is a new line of the table. What is wrong first is
// reported, nothing after it is looked at.

#include "GPUFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/YAMLParser.h"

#include <functional>
#include <map>
#include <optional>

namespace coreside {

namespace {

using llvm::StringRef;
using llvm::Twine;

constexpr uint64_t KiB = 1024, MiB = 1024 * KiB, GiB = 1024 * MiB;

/// A field that holds a number: its range and its place. The highest values
/// are far beyond any GPU, and low enough that no sum of them wraps.
struct NumberField {
  const char *name;
  uint64_t lowest;
  uint64_t highest;
  /// True for sizes, which may have a unit.
  bool isBytes;
  std::function<void(GPU &, uint64_t)> set;
};

template <typename Member>
std::function<void(GPU &, uint64_t)> into(Member Architecture::*member) {
  return [member](GPU &gpu, uint64_t value) {
    gpu.architecture.*member = static_cast<Member>(value);
  };
}

const std::vector<NumberField> &numberFields() {
  using A = Architecture;
  static const std::vector<NumberField> fields = {
      {"SMs", 1, 4096, false,
       [](GPU &gpu, uint64_t value) { gpu.SMs = unsigned(value); }},
      {"l2Bytes", 0, 1024 * GiB, true,
       [](GPU &gpu, uint64_t value) { gpu.l2Bytes = value; }},
      {"memoryBytes", 0, 1024 * 1024 * GiB, true,
       [](GPU &gpu, uint64_t value) { gpu.memoryBytes = value; }},
      {"threadsPerSM", 32, 65536, false, into(&A::threadsPerSM)},
      {"threadsPerBlock", 32, 65536, false, into(&A::threadsPerBlock)},
      {"blocksPerSM", 1, 4096, false, into(&A::blocksPerSM)},
      {"subPartitions", 1, 64, false, into(&A::subPartitions)},
      {"registersPerSM", 1024, 16 * MiB, false, into(&A::registersPerSM)},
      {"registersPerBlock", 1024, 16 * MiB, false, into(&A::registersPerBlock)},
      {"registersPerThread", 16, 1024, false, into(&A::registersPerThread)},
      {"sharedPerSM", 1 * KiB, 64 * MiB, true, into(&A::sharedPerSM)},
      {"sharedPerBlock", 1 * KiB, 64 * MiB, true, into(&A::sharedPerBlock)},
      {"sharedPerBlockOptIn", 1 * KiB, 64 * MiB, true,
       into(&A::sharedPerBlockOptIn)},
      {"sharedReservedPerBlock", 0, 1 * MiB, true,
       into(&A::sharedReservedPerBlock)},
      {"l1AndShared", 0, 64 * MiB, true, into(&A::l1AndShared)},
      {"barriersPerSM", 0, 65536, false, into(&A::barriersPerSM)},
      {"residentGrids", 1, 1048576, false, into(&A::residentGrids)},
      {"clusterPortable", 0, 1024, false, into(&A::clusterPortable)},
      {"clusterNonPortable", 0, 1024, false, into(&A::clusterNonPortable)},
      {"clusterBlocksPerSM", 0, 4096, false, into(&A::clusterBlocksPerSM)},
  };
  return fields;
}

/// A field that holds a list of numbers.
struct ListField {
  const char *name;
  uint64_t highest;
  bool isBytes;
  std::function<void(GPU &, std::vector<unsigned>)> set;
};

const std::vector<ListField> &listFields() {
  static const std::vector<ListField> fields = {
      {"sharedConfigurations", 64 * MiB, true,
       [](GPU &gpu, std::vector<unsigned> values) {
         gpu.architecture.sharedConfigurations = std::move(values);
       }},
      {"clusterGroups", 4096, false,
       [](GPU &gpu, std::vector<unsigned> values) {
         gpu.clusterGroups = std::move(values);
       }},
  };
  return fields;
}

constexpr const char *textFields[] = {"like", "capability", "name", "product"};

/// What a file says, fit for one line of an error: the start of it, without
/// line ends.
std::string shown(StringRef text) {
  std::string result = text.take_front(40).str();
  for (char &c : result)
    if (!llvm::isPrint(c))
      c = ' ';
  return text.size() > 40 ? result + "..." : result;
}

/// The known field nearest to `key`, or nothing.
StringRef nearestField(StringRef key) {
  StringRef best;
  unsigned bestDistance = std::max(1u, unsigned(key.size()) / 3) + 1;
  auto consider = [&](StringRef name) {
    const unsigned distance =
        key.lower() == name.lower()
            ? 0
            : StringRef(key).edit_distance(name, true, bestDistance);
    if (distance < bestDistance) {
      bestDistance = distance;
      best = name;
    }
  };
  for (const NumberField &field : numberFields())
    consider(field.name);
  for (const ListField &field : listFields())
    consider(field.name);
  for (StringRef name : textFields)
    consider(name);
  return best;
}

/// Reads one file. Each step returns an error for the first thing wrong.
class Reader {
public:
  Reader(StringRef text, StringRef file) : File(file) {
    Sources.setDiagHandler(
        [](const llvm::SMDiagnostic &diagnostic, void *reader) {
          static_cast<Reader *>(reader)->noteSyntaxError(diagnostic);
        },
        this);
    Document = std::make_unique<llvm::yaml::Stream>(
        llvm::MemoryBufferRef(text, File), Sources, /*ShowColors=*/false);
  }

  llvm::Expected<GPU> read() {
    if (llvm::Error error = readFields())
      return std::move(error);
    llvm::Expected<GPU> gpu = base();
    if (!gpu)
      return gpu.takeError();
    apply(*gpu);
    workOut(*gpu);
    if (llvm::Error error = check(*gpu))
      return std::move(error);
    return gpu;
  }

private:
  struct Number {
    uint64_t value;
    unsigned line;
  };
  struct List {
    std::vector<unsigned> values;
    unsigned line;
  };
  struct Text {
    std::string value;
    unsigned line;
  };

  void noteSyntaxError(const llvm::SMDiagnostic &diagnostic) {
    if (SyntaxError.empty()) {
      SyntaxError = diagnostic.getMessage().str();
      SyntaxErrorLine = unsigned(std::max(diagnostic.getLineNo(), 1));
    }
  }

  llvm::Error error(unsigned line, const Twine &message) const {
    return llvm::createStringError(Twine(File) + ":" + Twine(line) + ": " +
                                   message);
  }

  unsigned lineOf(const llvm::yaml::Node &node) const {
    return Sources.getLineAndColumn(node.getSourceRange().Start).first;
  }

  /// The line of a field, or 1 when it was not given.
  unsigned lineOf(StringRef field) const {
    if (auto it = Numbers.find(field.str()); it != Numbers.end())
      return it->second.line;
    if (auto it = Lists.find(field.str()); it != Lists.end())
      return it->second.line;
    if (auto it = Texts.find(field.str()); it != Texts.end())
      return it->second.line;
    return 1;
  }

  bool isGiven(StringRef field) const {
    return Numbers.count(field.str()) || Lists.count(field.str()) ||
           Texts.count(field.str());
  }

  llvm::Error readFields() {
    auto document = Document->begin();
    llvm::yaml::Node *root =
        document == Document->end() ? nullptr : document->getRoot();
    if (llvm::Error problem = syntaxError())
      return problem;
    auto *mapping = llvm::dyn_cast_or_null<llvm::yaml::MappingNode>(root);
    if (!mapping)
      return error(1, "expected fields such as 'like: h100'");
    for (llvm::yaml::KeyValueNode &pair : *mapping) {
      if (llvm::Error problem = readField(pair))
        return problem;
      if (llvm::Error problem = syntaxError())
        return problem;
    }
    if (llvm::Error problem = syntaxError())
      return problem;
    if (++document != Document->end())
      return error(1, "holds more than one document; one file describes one "
                      "GPU");
    return syntaxError();
  }

  llvm::Error syntaxError() const {
    return SyntaxError.empty() ? llvm::Error::success()
                               : error(SyntaxErrorLine, SyntaxError);
  }

  llvm::Error readField(llvm::yaml::KeyValueNode &pair) {
    auto *keyNode =
        llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(pair.getKey());
    if (!keyNode)
      return SyntaxError.empty() ? error(1, "a field's name must be a word")
                                 : syntaxError();
    llvm::SmallString<32> storage;
    const std::string key = keyNode->getValue(storage).str();
    const unsigned line = lineOf(*keyNode);
    if (isGiven(key))
      return error(line, "'" + shown(key) + "' is given twice");
    llvm::yaml::Node *value = pair.getValue();
    if (!SyntaxError.empty())
      return syntaxError();

    for (const NumberField &field : numberFields())
      if (key == field.name) {
        llvm::Expected<uint64_t> number = readNumber(
            value, line, key, field.lowest, field.highest, field.isBytes);
        if (!number)
          return number.takeError();
        Numbers[key] = {*number, line};
        return llvm::Error::success();
      }
    for (const ListField &field : listFields())
      if (key == field.name) {
        llvm::Expected<std::vector<unsigned>> values =
            readList(value, line, key, field.highest, field.isBytes);
        if (!values)
          return values.takeError();
        Lists[key] = {std::move(*values), line};
        return llvm::Error::success();
      }
    for (StringRef name : textFields)
      if (key == name) {
        llvm::Expected<std::string> text = scalar(value, line, key);
        if (!text)
          return text.takeError();
        Texts[key] = {std::move(*text), line};
        return llvm::Error::success();
      }
    const StringRef nearest = nearestField(key);
    return error(line, "unknown field '" + shown(key) + "'" +
                           (nearest.empty()
                                ? Twine()
                                : "; did you mean '" + Twine(nearest) + "'?"));
  }

  llvm::Expected<std::string> scalar(llvm::yaml::Node *node, unsigned line,
                                     StringRef field) {
    auto *value = llvm::dyn_cast_or_null<llvm::yaml::ScalarNode>(node);
    llvm::SmallString<32> storage;
    const StringRef text =
        value ? value->getValue(storage).trim() : StringRef();
    if (text.empty())
      return error(line, "'" + Twine(field) + "' has no value");
    if (!llvm::all_of(text.bytes(), [](unsigned char c) { return c >= ' '; }))
      return error(line, "'" + Twine(field) + "' has more than one line");
    return text.str();
  }

  llvm::Expected<uint64_t> readNumber(llvm::yaml::Node *node, unsigned line,
                                      StringRef field, uint64_t lowest,
                                      uint64_t highest, bool isBytes) {
    llvm::Expected<std::string> text = scalar(node, line, field);
    if (!text)
      return text.takeError();
    StringRef digits = *text;
    uint64_t unit = 1;
    if (isBytes)
      for (auto [name, size] : {std::pair<StringRef, uint64_t>{"KiB", KiB},
                                {"MiB", MiB},
                                {"GiB", GiB},
                                {"B", 1}})
        if (digits.consume_back(name)) {
          unit = size;
          digits = digits.rtrim();
          break;
        }
    const bool isNegative = digits.consume_front("-");
    if (digits.empty() || !llvm::all_of(digits, llvm::isDigit))
      return error(line, "'" + Twine(field) + "' is '" + shown(*text) +
                             "', not a whole number" +
                             (isBytes ? " of bytes, KiB, MiB or GiB" : ""));
    uint64_t value = 0;
    // Digits that do not fit 64 bits are out of range like any large number.
    const bool isHuge =
        digits.getAsInteger(10, value) || (unit != 1 && value > highest / unit);
    if (isNegative || isHuge || value * unit < lowest || value * unit > highest)
      return error(line, "'" + Twine(field) + "' is " + shown(*text) +
                             ", must be " + Twine(lowest) + " to " +
                             Twine(highest));
    return value * unit;
  }

  llvm::Expected<std::vector<unsigned>> readList(llvm::yaml::Node *node,
                                                 unsigned line, StringRef field,
                                                 uint64_t highest,
                                                 bool isBytes) {
    auto *sequence = llvm::dyn_cast_or_null<llvm::yaml::SequenceNode>(node);
    if (!sequence)
      return error(line,
                   "'" + Twine(field) + "' must be a list, such as [0, 8 KiB]");
    std::vector<unsigned> values;
    for (llvm::yaml::Node &item : *sequence) {
      llvm::Expected<uint64_t> value =
          readNumber(&item, lineOf(item), field, 0, highest, isBytes);
      if (!value)
        return value.takeError();
      values.push_back(static_cast<unsigned>(*value));
      if (values.size() > 4096)
        return error(line, "'" + Twine(field) + "' has more than 4096 entries");
    }
    return values;
  }

  /// What the file starts from.
  llvm::Expected<GPU> base() const {
    const auto like = Texts.find("like"), written = Texts.find("capability");
    std::optional<Architecture> architecture;
    if (written != Texts.end()) {
      const Architecture *found = parseCapability(written->second.value);
      if (!found)
        return error(written->second.line,
                     "'capability' is '" + shown(written->second.value) +
                         "', must be one of " + capabilities());
      architecture = *found;
    }
    if (like != Texts.end()) {
      const GPU *product = findGPU(like->second.value);
      if (!product) {
        const std::string nearest = nearestGPUName(like->second.value);
        return error(like->second.line,
                     "'like' is '" + shown(like->second.value) +
                         "', which is no known GPU" +
                         (nearest.empty()
                              ? Twine()
                              : "; did you mean '" + Twine(nearest) + "'?"));
      }
      if (architecture &&
          architecture->capability != product->architecture.capability)
        return error(written->second.line,
                     "'capability' " + Twine(written->second.value) +
                         " contradicts 'like': " + product->name + " has " +
                         number(product->architecture.capability));
      return *product;
    }
    if (!architecture)
      return error(1, "needs 'like: PRODUCT' or 'capability: 9.0'");
    if (!isGiven("SMs"))
      return error(written->second.line,
                   "'SMs' is missing; a capability does not say how many "
                   "there are");
    GPU gpu;
    gpu.architecture = *architecture;
    return gpu;
  }

  static std::string number(ComputeCapability capability) {
    return std::to_string(capability.major) + "." +
           std::to_string(capability.minor);
  }

  static const Architecture *parseCapability(StringRef text) {
    for (const Architecture &architecture : architectures())
      if (text == number(architecture.capability) ||
          text == smName(architecture.capability))
        return &architecture;
    return nullptr;
  }

  static std::string capabilities() {
    std::string all;
    for (const Architecture &architecture : architectures())
      all += (all.empty() ? "" : " ") + number(architecture.capability);
    return all;
  }

  void apply(GPU &gpu) const {
    gpu.name = llvm::sys::path::stem(File).str();
    gpu.product = gpu.name;
    if (auto it = Texts.find("name"); it != Texts.end())
      gpu.name = gpu.product = it->second.value;
    if (auto it = Texts.find("product"); it != Texts.end())
      gpu.product = it->second.value;
    for (const NumberField &field : numberFields())
      if (auto it = Numbers.find(field.name); it != Numbers.end())
        field.set(gpu, it->second.value);
    for (const ListField &field : listFields())
      if (auto it = Lists.find(field.name); it != Lists.end())
        field.set(gpu, it->second.values);
  }

  /// Fields that follow from others and were not given themselves.
  void workOut(GPU &gpu) const {
    Architecture &a = gpu.architecture;
    a.warpsPerSM = a.threadsPerSM / a.warpSize;
    if (!isGiven("threadsPerBlock"))
      a.threadsPerBlock = std::min(a.threadsPerBlock, a.threadsPerSM);
    if (!isGiven("registersPerBlock"))
      a.registersPerBlock = std::min(a.registersPerBlock, a.registersPerSM);
    if (isGiven("sharedPerSM") || isGiven("sharedReservedPerBlock")) {
      // From 7.0 on a block can opt in to all but the reserve.
      const unsigned most =
          a.sharedPerSM - std::min(a.sharedPerSM, a.sharedReservedPerBlock);
      if (!isGiven("sharedPerBlockOptIn"))
        a.sharedPerBlockOptIn = a.capability.major >= 7
                                    ? most
                                    : std::min(a.sharedPerBlockOptIn, most);
    }
    if (!isGiven("sharedPerBlock"))
      a.sharedPerBlock = std::min(a.sharedPerBlock, a.sharedPerBlockOptIn);
    if (isGiven("sharedPerSM")) {
      // The base's sizes below the new total, and the total.
      if (!isGiven("sharedConfigurations") && !a.sharedConfigurations.empty()) {
        std::vector<unsigned> sizes;
        for (unsigned size : a.sharedConfigurations)
          if (size < a.sharedPerSM)
            sizes.push_back(size);
        sizes.push_back(a.sharedPerSM);
        a.sharedConfigurations = std::move(sizes);
      }
      if (!isGiven("l1AndShared"))
        a.l1AndShared = 0;
    }
    if (isGiven("SMs") && !isGiven("clusterGroups"))
      gpu.clusterGroups.clear();
  }

  /// Fields that contradict each other.
  llvm::Error check(const GPU &gpu) const {
    const Architecture &a = gpu.architecture;
    /// The first of the two that was given is to blame.
    const auto contradiction = [&](StringRef field, uint64_t value,
                                   const Twine &what, StringRef other,
                                   uint64_t otherValue) {
      return error(isGiven(field) ? lineOf(field) : lineOf(other),
                   "'" + Twine(field) + "' " + Twine(value) + " " + what +
                       " '" + other + "' " + Twine(otherValue));
    };
    if (a.threadsPerSM % (a.warpSize * a.subPartitions) != 0)
      return error(isGiven("threadsPerSM") ? lineOf("threadsPerSM")
                                           : lineOf("subPartitions"),
                   "'threadsPerSM' " + Twine(a.threadsPerSM) +
                       " is not a whole number of warps in each of " +
                       Twine(a.subPartitions) + " sub-partitions");
    if (a.registersPerSM % a.subPartitions != 0)
      return contradiction("registersPerSM", a.registersPerSM,
                           "cannot be shared out evenly over", "subPartitions",
                           a.subPartitions);
    if (a.threadsPerBlock > a.threadsPerSM)
      return contradiction("threadsPerBlock", a.threadsPerBlock, "is more than",
                           "threadsPerSM", a.threadsPerSM);
    if (a.blocksPerSM > a.warpsPerSM)
      return error(isGiven("blocksPerSM") ? lineOf("blocksPerSM")
                                          : lineOf("threadsPerSM"),
                   "'blocksPerSM' " + Twine(a.blocksPerSM) +
                       " is more than the " + Twine(a.warpsPerSM) +
                       " warps of an SM");
    if (a.registersPerBlock > a.registersPerSM)
      return contradiction("registersPerBlock", a.registersPerBlock,
                           "is more than", "registersPerSM", a.registersPerSM);
    if (a.sharedReservedPerBlock >= a.sharedPerSM)
      return contradiction("sharedReservedPerBlock", a.sharedReservedPerBlock,
                           "leaves nothing of", "sharedPerSM", a.sharedPerSM);
    if (a.sharedPerBlockOptIn > a.sharedPerSM - a.sharedReservedPerBlock)
      return contradiction("sharedPerBlockOptIn", a.sharedPerBlockOptIn,
                           "and the reserve of " +
                               Twine(a.sharedReservedPerBlock) +
                               " are more than",
                           "sharedPerSM", a.sharedPerSM);
    if (a.sharedPerBlock > a.sharedPerBlockOptIn)
      return contradiction("sharedPerBlock", a.sharedPerBlock, "is more than",
                           "sharedPerBlockOptIn", a.sharedPerBlockOptIn);
    if (a.l1AndShared != 0 && a.l1AndShared < a.sharedPerSM)
      return contradiction("l1AndShared", a.l1AndShared, "is less than",
                           "sharedPerSM", a.sharedPerSM);
    for (size_t i = 1; i < a.sharedConfigurations.size(); ++i)
      if (a.sharedConfigurations[i - 1] >= a.sharedConfigurations[i])
        return error(lineOf("sharedConfigurations"),
                     "'sharedConfigurations' must rise, but " +
                         Twine(a.sharedConfigurations[i]) + " follows " +
                         Twine(a.sharedConfigurations[i - 1]));
    if (!a.sharedConfigurations.empty() &&
        a.sharedConfigurations.back() != a.sharedPerSM)
      return contradiction("sharedConfigurations",
                           a.sharedConfigurations.back(), "at its end is not",
                           "sharedPerSM", a.sharedPerSM);
    if (a.clusterNonPortable < a.clusterPortable)
      return contradiction("clusterNonPortable", a.clusterNonPortable,
                           "is less than", "clusterPortable",
                           a.clusterPortable);
    uint64_t inGroups = 0;
    for (unsigned SMs : gpu.clusterGroups)
      inGroups += SMs;
    if (!gpu.clusterGroups.empty() && inGroups != gpu.SMs)
      return contradiction("clusterGroups", inGroups, "in all is not", "SMs",
                           gpu.SMs);
    return llvm::Error::success();
  }

  std::string File;
  llvm::SourceMgr Sources;
  std::unique_ptr<llvm::yaml::Stream> Document;
  std::string SyntaxError;
  unsigned SyntaxErrorLine = 1;
  std::map<std::string, Number> Numbers;
  std::map<std::string, List> Lists;
  std::map<std::string, Text> Texts;
};

} // namespace

llvm::Expected<GPU> parseGPUFile(StringRef text, StringRef file) {
  return Reader(text, file).read();
}

llvm::Expected<GPU> readGPUFile(StringRef path) {
  if (llvm::sys::fs::exists(path) && !llvm::sys::fs::is_regular_file(path))
    return llvm::createStringError(Twine(path) +
                                   ": not a GPU file: it is no regular file");
  auto buffer = llvm::MemoryBuffer::getFile(path);
  if (!buffer)
    return llvm::createStringError(
        Twine(path) + ": cannot be read: " + buffer.getError().message());
  // A description is a few lines; anything large was named by mistake.
  if ((*buffer)->getBufferSize() > 64 * KiB)
    return llvm::createStringError(Twine(path) +
                                   ": too large for a GPU file (64 KiB)");
  return parseGPUFile((*buffer)->getBuffer(), path);
}

} // namespace coreside
