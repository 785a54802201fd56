// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Three steps: lines out of bytes, messages out of lines (whole, torn or
// wrapped), and kernels out of messages.

#include "PtxasLog.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"

#include <cstring>
#include <deque>
#include <map>

using llvm::StringRef;

namespace coreside {

namespace {

/// No name and no line is longer; what is, is not compiler output.
constexpr size_t LongestLine = 1 << 20;
/// Kernels open at once in one stream: more than any machine has compilers.
constexpr size_t MostOpen = 1024;

enum class Kind { Compiling, Properties, Spills, Used };
enum class Shape { None, Head, Whole };

/// One message, as far as it could be read.
struct Message {
  Kind kind = Kind::Compiling;
  Shape shape = Shape::None;
  /// Printed by nvlink, or by the linker inside the driver.
  bool linker = false;
  StringRef name;
  /// "sm_90a"; empty where the message has none.
  StringRef target;
  std::optional<unsigned> registers, barriers, shared, constant, stack;
  std::optional<unsigned> spillStores, spillLoads;
};

bool consumeNumber(StringRef &text, unsigned &number) {
  if (text.empty() || !llvm::isDigit(text.front()))
    return false;
  return !text.consumeInteger(10, number);
}

/// `text` ends before `word` does, and agrees so far.
bool endsWithin(StringRef text, StringRef word) {
  return text.size() < word.size() && word.starts_with(text);
}

/// "sm_90a" -> 9.0, "sm_120" -> 12.0.
std::optional<ComputeCapability> capabilityOf(StringRef target) {
  unsigned number;
  if (!target.consume_front("sm_") || !consumeNumber(target, number) ||
      number < 10 || number > 999 || target.size() > 1)
    return std::nullopt;
  return ComputeCapability{number / 10, number % 10};
}

Message parseCompiling(StringRef text) {
  Message message;
  message.kind = Kind::Compiling;
  constexpr StringRef Start = "Compiling entry function '";
  constexpr StringRef Middle = "' for '";
  if (!text.consume_front(Start)) {
    if (text.size() >= 6 && endsWithin(text, Start))
      message.shape = Shape::Head;
    return message;
  }
  message.shape = Shape::Head;
  size_t end = text.find('\'');
  if (end == StringRef::npos || end == 0)
    return message;
  message.name = text.take_front(end);
  text = text.drop_front(end);
  if (!text.consume_front(Middle))
    return message;
  end = text.find('\'');
  if (end == StringRef::npos)
    return message;
  message.target = text.take_front(end);
  message.shape = Shape::Whole;
  return message;
}

/// "(target: sm_90)", which linkers put behind a line when there are several.
StringRef consumeTarget(StringRef &text) {
  size_t at = text.rfind("(target: ");
  if (at == StringRef::npos || !text.ends_with(")"))
    return {};
  StringRef target = text.substr(at + 9).drop_back();
  text = text.take_front(at).rtrim();
  return target;
}

Message parseProperties(StringRef text) {
  Message message;
  message.kind = Kind::Properties;
  constexpr StringRef Start = "Function properties for ";
  if (!text.consume_front(Start)) {
    if (!text.empty() && endsWithin(text, Start))
      message.shape = Shape::Head;
    return message;
  }
  message.target = consumeTarget(text);
  text = text.rtrim();
  if (text.consume_front("'")) {
    // nvlink quotes the name and ends with a colon; an old ptxas only quotes.
    size_t end = text.find('\'');
    message.shape = end == StringRef::npos ? Shape::Head : Shape::Whole;
    if (end != StringRef::npos) {
      message.name = text.take_front(end);
      message.linker = text.substr(end).starts_with("':");
    }
    return message;
  }
  message.name = text.take_until(llvm::isSpace);
  message.shape = message.name.empty() ? Shape::Head : Shape::Whole;
  return message;
}

/// The items after "N registers", each ", " and words around a number.
bool parseItem(StringRef item, Message &message) {
  item.consume_front("used ");
  unsigned number, more;
  if (!consumeNumber(item, number))
    return false;
  // CUDA 3 told apart what the user and what the system had asked for.
  if (item.consume_front("+")) {
    if (!consumeNumber(item, more))
      return false;
    number += more;
  }
  if (!item.consume_front(" "))
    return false;
  if (item == "barriers")
    message.barriers = number;
  else if (item == "bytes smem")
    message.shared = number;
  else if (item == "bytes cmem[0]")
    message.constant = number;
  else if (item == "bytes cumulative stack size" || item == "stack" ||
           item == "bytes stack")
    message.stack = number;
  else
    // Textures, samplers, lmem, other banks, and what a later tool may add;
    // but not a known one that has lost its end.
    for (StringRef known :
         {"barriers", "bytes smem", "bytes cmem[0]", "bytes lmem", "bytes gmem",
          "bytes cumulative stack size", "textures", "samplers", "surfaces"})
      if (endsWithin(item, known))
        return false;
  return !item.empty();
}

Message parseUsed(StringRef text) {
  Message message;
  message.kind = Kind::Used;
  for (StringRef start : {"Used ", "used "}) {
    if (!text.empty() && endsWithin(text, start))
      message.shape = Shape::Head;
    if (!text.consume_front(start))
      continue;
    message.shape = Shape::Head;
    message.target = consumeTarget(text);
    unsigned number;
    if (!consumeNumber(text, number)) {
      if (!text.empty())
        message.shape = Shape::None;
      return message;
    }
    if (!text.consume_front(" registers")) {
      if (!endsWithin(text, " registers"))
        message.shape = Shape::None;
      return message;
    }
    message.registers = number;
    message.linker = start == "used ";
    while (!text.empty()) {
      if (!text.consume_front(", "))
        return message;
      size_t end = std::min(text.find(','), text.size());
      if (!parseItem(text.take_front(end), message))
        return message;
      text = text.drop_front(end);
    }
    message.shape = Shape::Whole;
    return message;
  }
  return message;
}

/// A line without a prefix of its own, told by its words.
Message parseSpills(StringRef text) {
  Message message;
  message.kind = Kind::Spills;
  constexpr StringRef Words[] = {" bytes stack frame, ",
                                 " bytes spill stores, ", " bytes spill loads"};
  std::optional<unsigned> *numbers[] = {&message.stack, &message.spillStores,
                                        &message.spillLoads};
  for (int i = 0; i != 3; ++i) {
    unsigned number;
    if (!consumeNumber(text, number)) {
      // Only a first number that is missing says nothing at all.
      message.shape = text.empty() && i ? Shape::Head : Shape::None;
      return message;
    }
    *numbers[i] = number;
    if (!text.consume_front(Words[i])) {
      message.shape = endsWithin(text, Words[i]) && (i || text.size() > 3)
                          ? Shape::Head
                          : Shape::None;
      return message;
    }
  }
  message.shape = text.trim().empty() ? Shape::Whole : Shape::Head;
  return message;
}

/// Where a tool's own words begin in a line.
struct Marker {
  size_t begin = StringRef::npos;
  size_t message = 0;
  enum { Ptxas, Nvlink, NoTool } tool = NoTool;
  enum { Info, Warning, Error } severity = Info;
};

/// The next "ptxas info    :", "nvlink error   :", "ptxas : info :" or, from
/// the driver's linker, "info    :" alone.
Marker findMarker(StringRef line, size_t from) {
  Marker found;
  constexpr std::pair<StringRef, decltype(Marker::severity)> Severities[] = {
      {"info", Marker::Info},
      {"warning", Marker::Warning},
      {"error", Marker::Error},
      {"fatal", Marker::Error}};
  for (auto [word, severity] : Severities)
    for (size_t at = line.find(word, from);
         at != StringRef::npos && at < found.begin;
         at = line.find(word, at + 1)) {
      size_t colon = line.find_first_not_of(' ', at + word.size());
      if (colon == StringRef::npos || line[colon] != ':')
        continue;
      StringRef before = line.slice(from, at).rtrim(' ');
      if (before.consume_back(":"))
        before = before.rtrim(' ');
      Marker marker;
      marker.severity = severity;
      marker.message =
          std::min(line.find_first_not_of(' ', colon + 1), line.size());
      if (before.ends_with("ptxas"))
        marker.tool = Marker::Ptxas, marker.begin = from + before.size() - 5;
      else if (before.ends_with("nvlink"))
        marker.tool = Marker::Nvlink, marker.begin = from + before.size() - 6;
      else if (severity == Marker::Info &&
               (at == from || !llvm::isAlnum(line[at - 1])))
        marker.begin = at;
      else
        continue;
      if (marker.begin < found.begin)
        found = marker;
      break;
    }
  return found;
}

/// Takes colours out: ESC [ ... letter.
StringRef withoutColours(StringRef line, llvm::SmallVectorImpl<char> &buffer) {
  if (!line.contains('\x1b'))
    return line;
  buffer.clear();
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\x1b') {
      buffer.push_back(line[i]);
      continue;
    }
    if (i + 1 < line.size() && line[i + 1] == '[') {
      i += 2;
      while (i < line.size() && !(line[i] >= '@' && line[i] <= '~'))
        ++i;
    }
  }
  return StringRef(buffer.data(), buffer.size());
}

/// True for the lines worth a closer look; most of a build log is not.
bool mayMatter(StringRef line) {
  auto has = [&](StringRef word) {
    return memmem(line.data(), line.size(), word.data(), word.size()) !=
           nullptr;
  };
  return has("info") || has("bytes") || has("ptxas") || has("nvlink") ||
         has("registers") || has("properties for") || has("entry f");
}

/// A kernel, or another function, whose lines have begun and not ended.
struct Open {
  std::string name;
  std::string target;
  size_t line = 0;
  bool entry = true;
  enum { AwaitsProperties, AwaitsSpills, AwaitsUsed } state = AwaitsProperties;
  /// A line that may have been its own could not be read or told apart.
  bool uncertain = false;
  std::optional<unsigned> stack, spillStores, spillLoads;
};

/// The output of one tool, or of several that share a pipe.
struct Stream {
  std::vector<Open> open;
  /// Lines still to come of kernels that were given up.
  unsigned strayUsed = 0, straySpills = 0;
  /// "Compiling" lines of which only the beginning was readable.
  unsigned tornCompiling = 0;
  /// Kernels in a row whose lines stood together undisturbed.
  unsigned undisturbed = 0;
  /// Since the last "bytes gmem" line, which opens a file's output.
  bool sawEntry = false, relocatable = false;
  size_t firstRecord = 0;
  /// The record that callees printed next belong to.
  std::optional<size_t> last;
};

/// The linker's number before it is known what it holds.
struct Linked {
  KernelResources record;
  size_t line;
};

} // namespace

struct PtxasLogReader::State {
  std::string name;
  LogOptions options;
  LogReading reading;
  size_t line = 0;
  size_t droppedNotes = 0;

  // Bytes to lines.
  std::string partial;
  bool skipping = false;
  bool started = false;
  enum { UTF8, UTF16Low, UTF16High } encoding = UTF8;
  bool oddByte = false;

  // Lines to messages.
  std::string pending;
  bool pendingLinker = false;
  unsigned torn[4] = {};
  bool sawIndented = false, sawProperties = false, sawSpills = false;

  // Messages to kernels. Compilers and linkers do not share a state.
  std::string streamName;
  llvm::StringMap<Stream> streams;
  llvm::StringMap<Stream> linkStreams;
  std::vector<Linked> linked;
  struct Recent {
    size_t line;
    std::string kernel;
    size_t record;
    bool linker;
  };
  std::deque<Recent> recent;
  std::vector<size_t> withdrawn, withdrawnLinks;
  /// Kernels that ptxas refused, with the shared memory it names, if any.
  llvm::StringMap<std::optional<unsigned>> refused;

  Stream &stream(bool linker) {
    auto &all = linker ? linkStreams : streams;
    if (all.size() > 256 && !all.contains(streamName))
      return all[""];
    return all[streamName];
  }

  std::string at(size_t where) const {
    return name + ":" + std::to_string(where);
  }

  void note(size_t where, const llvm::Twine &text) {
    if (reading.notes.size() < options.maxNotes)
      reading.notes.push_back((at(where) + ": " + text).str());
    else
      ++droppedNotes;
  }

  void dropped(const Open &kernel, StringRef why) {
    note(kernel.line, "registers of '" + kernel.name + "'" +
                          (kernel.target.empty() ? "" : " for ") +
                          kernel.target + " dropped: " + why);
  }

  //===-- Messages to kernels ---------------------------------------------===//

  void apply(const Message &message) {
    switch (message.kind) {
    case Kind::Compiling:
      return compiling(message);
    case Kind::Properties:
      return properties(message);
    case Kind::Spills:
      return spills(message);
    case Kind::Used:
      return used(message);
    }
  }

  void push(Stream &now, Open kernel) {
    if (now.open.size() == MostOpen) {
      dropped(now.open.front(), "its lines do not end");
      now.open.erase(now.open.begin());
    }
    now.open.push_back(std::move(kernel));
  }

  void compiling(const Message &message) {
    Stream &now = stream(false);
    now.last.reset();
    now.sawEntry = true;
    // Its own line may have been torn and come together only after the next.
    for (Open &kernel : now.open)
      if (kernel.entry && kernel.target.empty() &&
          kernel.name == message.name) {
        kernel.target = message.target.str();
        if (now.tornCompiling)
          --now.tornCompiling;
        return;
      }
    Open kernel;
    kernel.name = message.name.str();
    kernel.target = message.target.str();
    kernel.line = line;
    push(now, std::move(kernel));
  }

  void properties(const Message &message) {
    Stream &now = stream(message.linker);
    Open *match = nullptr;
    bool several = false;
    if (!message.linker)
      for (Open &kernel : now.open)
        if (kernel.entry && kernel.state == Open::AwaitsProperties &&
            kernel.name == message.name) {
          several |= match && match->target != kernel.target;
          if (!match)
            match = &kernel;
        }
    if (match) {
      // The same kernel for two architectures at once: any may be meant.
      for (Open &kernel : now.open)
        if (several ? kernel.entry && kernel.name == message.name &&
                          kernel.state == Open::AwaitsProperties
                    : &kernel == match) {
          kernel.uncertain |= several;
          kernel.state = Open::AwaitsSpills;
        }
      return;
    }
    for (const Open &kernel : now.open)
      if (kernel.uncertain && kernel.name == message.name)
        return;
    Open function;
    function.name = message.name.str();
    function.target = message.target.str();
    function.line = line;
    if (message.linker) {
      function.state = Open::AwaitsUsed;
    } else {
      function.state = Open::AwaitsSpills;
      // A kernel whose "Compiling" line is in pieces, or not a kernel.
      function.entry = now.tornCompiling != 0;
      if (!function.entry && !now.sawEntry)
        relocatable(now);
    }
    push(now, std::move(function));
  }

  void spills(const Message &message) {
    Stream &now = stream(false);
    Open *match = nullptr;
    unsigned waiting = 0;
    for (Open &kernel : now.open)
      if (kernel.state == Open::AwaitsSpills) {
        ++waiting;
        match = &kernel;
      }
    if (waiting == 0) {
      if (now.straySpills)
        --now.straySpills;
      return;
    }
    if (waiting == 1 && !now.straySpills && message.shape == Shape::Whole &&
        !match->uncertain) {
      match->stack = message.stack;
      match->spillStores = message.spillStores;
      match->spillLoads = message.spillLoads;
    }
    now.straySpills += waiting - 1;
    for (Open &kernel : now.open)
      if (kernel.state == Open::AwaitsSpills)
        kernel.state = Open::AwaitsUsed;
    // A function that is not a kernel has no "Used" line.
    for (const Open &kernel : now.open)
      if (!kernel.entry)
        closeFunction(now, kernel);
    llvm::erase_if(now.open, [](const Open &open) { return !open.entry; });
  }

  void closeFunction(Stream &now, const Open &open) {
    DeviceFunction function;
    function.name = open.name;
    function.stack = open.stack;
    function.spillStores = open.spillStores;
    function.spillLoads = open.spillLoads;
    bool alone = llvm::none_of(now.open, [](auto &open) { return open.entry; });
    if (now.last && !now.relocatable && alone) {
      KernelResources &kernel = reading.records[*now.last];
      function.kernel = kernel.kernel;
      auto worst = [](std::optional<unsigned> &all,
                      std::optional<unsigned> one) {
        if (one)
          all = std::max(all.value_or(0), *one);
      };
      worst(kernel.calleeSpillStores, function.spillStores);
      worst(kernel.calleeSpillLoads, function.spillLoads);
    }
    reading.functions.push_back(std::move(function));
  }

  void used(const Message &message) {
    Stream &now = stream(message.linker);
    // A log that went through grep may lack a kind of line altogether.
    auto mayOwn = [&](const Open &kernel) {
      return kernel.entry &&
             kernel.state >= (sawSpills       ? Open::AwaitsUsed
                              : sawProperties ? Open::AwaitsSpills
                                              : Open::AwaitsProperties);
    };
    Open *match = nullptr;
    unsigned waiting = 0;
    for (Open &kernel : now.open)
      if (mayOwn(kernel)) {
        ++waiting;
        match = &kernel;
      }
    now.last.reset();
    if (waiting == 0) {
      if (now.strayUsed)
        --now.strayUsed;
      else if (message.shape == Shape::Whole)
        note(line, "a 'Used' line belongs to no kernel that was announced");
      return;
    }
    bool certain = waiting == 1 && !now.strayUsed && !match->uncertain &&
                   message.shape == Shape::Whole;
    if (certain) {
      emit(now, *match, message);
      now.open.erase(now.open.begin() + (match - now.open.data()));
      return;
    }
    StringRef why =
        waiting == 1 && !now.strayUsed
            ? "its lines are torn by other output"
            : "the output of several compilers is mixed, and this line may be "
              "another kernel's; build with ninja, make --output-sync or -j1";
    for (const Open &kernel : now.open)
      if (mayOwn(kernel))
        dropped(kernel, why);
    llvm::erase_if(now.open, mayOwn);
    now.strayUsed += waiting - 1;
  }

  void emit(Stream &now, const Open &kernel, const Message &message) {
    KernelResources record;
    record.kernel = kernel.name;
    record.registers = message.registers;
    record.barriers = message.barriers;
    // ptxas leaves out shared memory that is not used. Barriers it prints
    // always or, in older releases, never: no number is not zero barriers.
    record.staticShared = message.shared.value_or(0);
    record.stack = message.stack ? message.stack : kernel.stack;
    record.spillStores = kernel.spillStores;
    record.spillLoads = kernel.spillLoads;
    record.constant = message.constant;
    record.source = at(line);
    StringRef target =
        message.target.empty() ? StringRef(kernel.target) : message.target;
    auto capability = capabilityOf(target);
    if (capability) {
      record.capability = *capability;
      if (target != smName(*capability))
        record.target = target.str();
    }
    if (message.linker) {
      remember(linked.size(), record.kernel, true);
      linked.push_back({std::move(record), line});
      return;
    }
    if (!capability) {
      dropped(kernel, "its architecture is not known");
      return;
    }
    // Only -rdc names a kernel so, and it does so to the whole file.
    if (StringRef(record.kernel).starts_with("__nv_static_"))
      relocatable(now);
    record.final = !now.relocatable && !options.relocatable;
    remember(reading.records.size(), record.kernel, false);
    now.last = reading.records.size();
    reading.records.push_back(std::move(record));
  }

  void relocatable(Stream &now) {
    now.relocatable = true;
    for (size_t i = now.firstRecord; i < reading.records.size(); ++i)
      reading.records[i].final = false;
  }

  void remember(size_t record, const std::string &kernel, bool linker) {
    recent.push_back({line, kernel, record, linker});
    if (recent.size() > 8)
      recent.pop_front();
  }

  /// The end of a "Used" line came by itself: one of the last lines read was
  /// shorter than its tool had printed it. Which one is not known.
  void withdrawRecent() {
    while (!recent.empty()) {
      const Recent &one = recent.back();
      if (line - one.line > 32)
        break;
      note(one.line, "numbers of '" + one.kernel +
                         "' dropped: a line was torn by other output, "
                         "perhaps this one");
      (one.linker ? withdrawnLinks : withdrawn).push_back(one.record);
      recent.pop_back();
    }
    recent.clear();
  }

  /// A line of this kind came, but what it said is lost.
  void lost(Kind kind, bool linker) {
    Stream &now = stream(linker);
    now.undisturbed = 0;
    Message message;
    message.kind = kind;
    message.shape = Shape::Head;
    message.linker = linker;
    switch (kind) {
    case Kind::Compiling:
      ++now.tornCompiling;
      return;
    case Kind::Properties:
      // Any kernel that waits for it may have got it.
      for (Open &kernel : now.open) {
        kernel.uncertain = true;
        if (kernel.state == Open::AwaitsProperties)
          kernel.state = Open::AwaitsSpills;
      }
      return;
    case Kind::Spills:
      return spills(message);
    case Kind::Used:
      return used(message);
    }
  }

  //===-- Lines to messages -----------------------------------------------===//

  /// The message that `text`, which follows a marker, is or begins.
  Message parse(StringRef text, bool linker) {
    Message message;
    if (text.empty())
      return message;
    switch (text.front()) {
    case 'C':
      message = parseCompiling(text);
      break;
    case 'F':
      message = parseProperties(text);
      // A name that is the beginning of the one expected was wrapped.
      if (message.shape == Shape::Whole && !message.linker) {
        bool exact = false, longer = false;
        for (const Open &kernel : stream(false).open)
          if (kernel.state == Open::AwaitsProperties) {
            exact |= kernel.name == message.name;
            longer |= StringRef(kernel.name).starts_with(message.name);
          }
        if (longer && !exact)
          message.shape = Shape::Head;
      }
      break;
    case 'U':
    case 'u':
      message = parseUsed(text);
      break;
    default:
      if (llvm::isDigit(text.front()))
        message = parseSpills(text);
      break;
    }
    message.linker |= linker;
    return message;
  }

  /// Text behind a marker. `ended`: a newline, not another message, ended it.
  void marked(StringRef text, const Marker &marker, bool ended) {
    bool linker = marker.tool == Marker::Nvlink;
    if (marker.severity == Marker::Error)
      return failed(text.rtrim(), linker);
    if (marker.severity == Marker::Warning)
      return;
    StringRef trimmed = text.rtrim();
    if (trimmed.contains(" bytes gmem")) {
      Stream &now = stream(linker);
      now.sawEntry = now.relocatable = false;
      now.firstRecord = reading.records.size();
      now.last.reset();
      return;
    }
    whole(parse(trimmed, linker), text, ended);
  }

  void whole(const Message &message, StringRef text, bool ended) {
    if (message.shape == Shape::Whole) {
      track(message);
      apply(message);
    } else if (message.shape == Shape::Head) {
      // The next line may hold the rest, unless halves are about already.
      if (ended && !llvm::any_of(torn, [](unsigned n) { return n; })) {
        pending = text.str();
        pendingLinker = message.linker;
      } else {
        ++torn[unsigned(message.kind)];
        lost(message.kind, message.linker);
      }
    }
  }

  /// Counts kernels whose lines stand together. After two, what was lost
  /// before has no lines left to come: a compiler that was killed prints none.
  void track(const Message &message) {
    Stream &now = stream(message.linker);
    sawProperties |= message.kind == Kind::Properties;
    sawSpills |= message.kind == Kind::Spills;
    bool next = line <= lastLine + 1;
    lastLine = line;
    if (message.kind == Kind::Compiling)
      step = 0;
    bool inOrder = unsigned(message.kind) == step && (step == 0 || next);
    step = inOrder ? step + 1 : 5;
    if (!inOrder)
      now.undisturbed = 0;
    if (step != 4)
      return;
    if (++now.undisturbed > 2 && (now.strayUsed || now.straySpills)) {
      now.strayUsed = now.straySpills = now.tornCompiling = 0;
      std::fill(std::begin(torn), std::end(torn), 0);
    }
  }
  size_t lastLine = 0;
  unsigned step = 5;

  void failed(StringRef text, bool linker) {
    if (reading.errors.size() < options.maxNotes)
      reading.errors.push_back(text.str());
    constexpr StringRef TooMuch = " uses too much shared data (0x";
    size_t open = text.find('\''), close = text.find('\'', open + 1);
    if (open == StringRef::npos || close == StringRef::npos)
      return;
    StringRef kernel = text.slice(open + 1, close);
    if (linker || !(text.starts_with("Entry function '") ||
                    text.starts_with("entry function '")))
      return;
    std::optional<unsigned> shared;
    StringRef rest = text.substr(close + 1);
    unsigned number;
    if (rest.consume_front(TooMuch) && !rest.consumeInteger(16, number))
      shared = number;
    refused[kernel] = shared;
  }

  /// Text that no marker precedes: spills, or a piece of a message. `ended` as
  /// above; `begun`: it stands at the beginning of its line.
  void unmarked(StringRef text, bool begun, bool ended) {
    if (size_t at = text.find("bytes "); at != StringRef::npos) {
      // The number before the first "bytes".
      size_t digits = text.take_front(at).rtrim(' ').size();
      size_t first = digits;
      while (first > 0 && llvm::isDigit(text[first - 1]))
        --first;
      if (first < digits) {
        StringRef rest = text.substr(first).rtrim();
        bool indented = first > 0;
        Message message = parseSpills(rest);
        if (message.shape == Shape::Head && !rest.contains("bytes stack") &&
            llvm::none_of(stream(false).open, [](const Open &kernel) {
              return kernel.state == Open::AwaitsSpills;
            }))
          return;
        if (message.shape != Shape::None) {
          // At the margin it may have lost digits, unless the log is always so.
          if (!indented && sawIndented)
            return tail(Kind::Spills);
          sawIndented |= indented;
          return whole(message, text.substr(first), ended);
        }
      }
    }
    // A message whose prefix was lost, but that is itself complete.
    size_t at = text.find("Compiling entry function '");
    if (at == StringRef::npos)
      at = text.find("Function properties for ");
    if (at == StringRef::npos && (text.starts_with("Used ")))
      at = 0;
    if (at == StringRef::npos) {
      at = text.find(": Used ");
      if (at != StringRef::npos)
        at += 2;
    }
    if (at != StringRef::npos) {
      Message message = parse(text.substr(at).rtrim(), false);
      if (message.shape != Shape::None)
        return whole(message, text.substr(at), ended);
    }
    // The end of one.
    StringRef trimmed = text.trim();
    if (size_t entry = trimmed.find("entry function '");
        entry != StringRef::npos && trimmed.ends_with("'")) {
      std::string joined = ("Compiling " + trimmed.substr(entry)).str();
      Message message = parseCompiling(joined);
      if (message.shape == Shape::Whole) {
        if (torn[unsigned(Kind::Compiling)])
          --torn[unsigned(Kind::Compiling)];
        compiling(message);
        // The kernel it announces is no longer an unknown one.
        Stream &now = stream(false);
        if (now.tornCompiling && !now.open.empty() &&
            now.open.back().name == message.name)
          --now.tornCompiling;
      }
      return;
    }
    if (trimmed.ends_with("bytes spill loads") ||
        trimmed.contains("bytes spill"))
      return tail(Kind::Spills);
    if (trimmed.contains("registers,") || trimmed.ends_with("registers"))
      return begun && llvm::isDigit(trimmed.empty() ? ' ' : trimmed.front())
                 ? tail(Kind::Used)
                 : void();
    if (begun &&
        (trimmed.ends_with("smem") || trimmed.ends_with("]") ||
         trimmed.ends_with("barriers") || trimmed.ends_with("lmem") ||
         trimmed.ends_with("stack size")) &&
        usedTail(trimmed)) {
      if (torn[unsigned(Kind::Used)])
        --torn[unsigned(Kind::Used)];
      else
        withdrawRecent();
    }
  }

  /// ", 1024 bytes smem, 372 bytes cmem[0]" or the end of that.
  static bool usedTail(StringRef text) {
    text.consume_front(",");
    while (!text.empty()) {
      auto [item, rest] = text.split(',');
      item = item.trim();
      text = rest;
      Message message;
      if (parseItem(item, message))
        continue;
      // Only the first may have lost its beginning.
      bool partly = false;
      for (StringRef known :
           {"used 0 barriers", "0 bytes smem", "0 bytes cmem[0]",
            "0 bytes lmem", "0 bytes cumulative stack size"})
        partly |= item.size() > 2 && known.ends_with(item);
      if (!partly)
        return false;
    }
    return true;
  }

  void tail(Kind kind) {
    if (torn[unsigned(kind)])
      --torn[unsigned(kind)];
    else
      lost(kind, false);
  }

  /// True when `text` was the rest of the pending message.
  bool join(StringRef text) {
    // Some wrap within a word, others at a blank that is then gone.
    return joined(pending + text.str()) || joined(pending + " " + text.str());
  }

  bool joined(std::string joined) {
    if (joined.size() > LongestLine || joined.size() == pending.size())
      return false;
    Message message = parse(StringRef(joined).rtrim(), pendingLinker);
    if (message.shape == Shape::Whole) {
      // A name at the end of its line fits only as the name that is awaited.
      if (message.kind == Kind::Properties && !message.linker &&
          llvm::none_of(stream(false).open, [&](const Open &kernel) {
            return kernel.name == message.name;
          }))
        return false;
      pending.clear();
      track(message);
      apply(message);
      return true;
    }
    // The name of a function has no blanks.
    if (message.shape == Shape::Head &&
        (message.kind != Kind::Properties || message.linker ||
         StringRef(joined).rtrim().count(' ') == 3)) {
      pending = std::move(joined);
      return true;
    }
    return false;
  }

  void giveUpPending() {
    std::string text = std::move(pending);
    pending.clear();
    Message message = parse(StringRef(text).rtrim(), pendingLinker);
    ++torn[unsigned(message.kind)];
    lost(message.kind, message.linker);
  }

  /// MSBuild says which project a line is from: "  3>ptxas info ...".
  void readStreamName(StringRef text) {
    StringRef rest = text.ltrim(' ');
    size_t digits = 0;
    while (digits < rest.size() && digits < 6 && llvm::isDigit(rest[digits]))
      ++digits;
    if (digits && digits < rest.size() && rest[digits] == '>')
      streamName = rest.take_front(digits).str();
  }

  void readLine(StringRef text) {
    ++line;
    text.consume_back("\r");
    if (pending.empty() && !mayMatter(text))
      return;
    llvm::SmallString<256> buffer;
    text = withoutColours(text, buffer);
    readStreamName(text);
    Marker marker = findMarker(text, 0);
    if (!pending.empty()) {
      if (marker.begin == StringRef::npos && join(text))
        return;
      giveUpPending();
    }
    if (marker.begin == StringRef::npos)
      return unmarked(text, true, true);
    if (StringRef before = text.take_front(marker.begin);
        !before.trim().empty() && before.contains("bytes "))
      unmarked(before, true, false);
    while (marker.begin != StringRef::npos) {
      Marker next = findMarker(text, marker.message);
      // A message may speak of an error itself.
      if (next.tool == Marker::NoTool)
        next.begin = StringRef::npos;
      marked(text.slice(marker.message, next.begin), marker,
             next.begin == StringRef::npos);
      marker = next;
    }
  }

  //===-- Bytes to lines --------------------------------------------------===//

  void feed(StringRef bytes) {
    if (!started && !bytes.empty()) {
      // Windows PowerShell writes UTF-16 when it redirects.
      started = true;
      if (bytes.consume_front("\xff\xfe"))
        encoding = UTF16Low;
      else if (bytes.consume_front("\xfe\xff"))
        encoding = UTF16High;
      else
        bytes.consume_front("\xef\xbb\xbf");
    }
    if (encoding == UTF8)
      return feedText(bytes);
    std::string narrow;
    narrow.reserve(bytes.size() / 2 + 1);
    for (char c : bytes) {
      if (oddByte == (encoding == UTF16High))
        narrow += c;
      oddByte = !oddByte;
    }
    feedText(narrow);
  }

  void feedText(StringRef bytes) {
    while (!bytes.empty()) {
      const void *found = memchr(bytes.data(), '\n', bytes.size());
      size_t end = found ? static_cast<const char *>(found) - bytes.data()
                         : bytes.size();
      StringRef piece = bytes.take_front(end);
      if (!found || !partial.empty() || skipping) {
        if (!skipping && partial.size() + piece.size() <= LongestLine) {
          partial += piece;
        } else {
          skipping = true;
          partial.clear();
        }
        if (!found)
          return;
        if (skipping)
          ++line;
        else
          readLine(partial);
        skipping = false;
        partial.clear();
      } else {
        readLine(piece);
      }
      bytes = bytes.drop_front(end + 1);
    }
  }

  //===-- The end ---------------------------------------------------------===//

  void close() {
    if (!partial.empty())
      readLine(partial);
    if (!pending.empty())
      giveUpPending();
    for (auto &entry : streams)
      for (const Open &kernel : entry.second.open)
        if (kernel.entry && !refused.contains(kernel.name))
          dropped(kernel, "the log has no 'Used' line for it");
  }

  void open(StringRef next) {
    close();
    name = next.str();
    partial.clear();
    skipping = started = oddByte = false;
    encoding = UTF8;
    line = lastLine = 0;
    std::fill(std::begin(torn), std::end(torn), 0);
    sawIndented = sawProperties = sawSpills = false;
    step = 5;
    streamName.clear();
    streams.clear();
    linkStreams.clear();
    recent.clear();
  }

  void finish() {
    close();
    withdraw();
    settleLinked();
    if (droppedNotes)
      reading.notes.push_back(name + ": and " + std::to_string(droppedNotes) +
                              " more");
  }

  void withdraw() {
    auto erase = [](auto &all, std::vector<size_t> &places) {
      llvm::sort(places, std::greater<size_t>());
      places.erase(llvm::unique(places), places.end());
      for (size_t place : places)
        all.erase(all.begin() + place);
    };
    erase(reading.records, withdrawn);
    erase(linked, withdrawnLinks);
    llvm::erase_if(reading.records, [&](const KernelResources &record) {
      auto found = refused.find(record.kernel);
      return found != refused.end() &&
             (!found->second || found->second == record.staticShared);
    });
  }

  /// Gives the linker's records their architecture, and takes the system's
  /// reserve out of their shared memory.
  void settleLinked() {
    llvm::StringMap<std::vector<size_t>> compiled;
    for (auto [place, record] : llvm::enumerate(reading.records))
      compiled[record.kernel].push_back(place);
    llvm::StringMap<std::vector<Linked *>> byKernel;
    std::vector<std::string> order;
    for (Linked &one : linked) {
      auto &group = byKernel[one.record.kernel];
      if (group.empty())
        order.push_back(one.record.kernel);
      group.push_back(&one);
    }
    std::vector<KernelResources> settled;
    for (const std::string &kernel : order) {
      auto &group = byKernel[kernel];
      auto found = compiled.find(kernel);
      std::map<std::pair<ComputeCapability, std::string>, KernelResources *>
          targets;
      if (found != compiled.end())
        for (size_t place : found->second) {
          KernelResources &record = reading.records[place];
          record.final = false;
          targets[{record.capability, record.target}] = &record;
        }
      std::vector<Linked *> nameless;
      for (Linked *one : group)
        if (one->record.capability == ComputeCapability{})
          nameless.push_back(one);
        else
          settled.push_back(one->record);
      if (nameless.empty())
        continue;
      bool same = llvm::all_of(nameless, [&](Linked *one) {
        const KernelResources &a = one->record, &b = nameless[0]->record;
        return a.registers == b.registers && a.barriers == b.barriers &&
               a.staticShared == b.staticShared && a.stack == b.stack;
      });
      if (targets.size() == 1 || (targets.size() == nameless.size() && same)) {
        for (auto &[target, record] : targets)
          for (Linked *one : nameless) {
            settled.push_back(one->record);
            settled.back().capability = target.first;
            settled.back().target = target.second;
            if (targets.size() > 1)
              break;
          }
      } else if (targets.empty() && options.linkedFor) {
        for (Linked *one : nameless) {
          settled.push_back(one->record);
          settled.back().capability = *options.linkedFor;
        }
      } else {
        note(
            nameless[0]->line,
            "linked registers of '" + kernel +
                "' dropped: the linker does not say for which architecture" +
                (targets.empty() ? ", and no other line of the log does" : ""));
      }
    }
    // Whether the linker counts the reserve is seen where ptxas has printed
    // the same kernel; nvlink 13.0 counts it for sm_90 only.
    std::map<ComputeCapability, std::pair<unsigned, unsigned>> evidence;
    for (const KernelResources &record : settled)
      if (auto found = compiled.find(record.kernel); found != compiled.end())
        for (size_t place : found->second) {
          const KernelResources &before = reading.records[place];
          if (before.capability != record.capability || !before.staticShared)
            continue;
          auto &[with, without] = evidence[record.capability];
          with += *record.staticShared == *before.staticShared + Reserve;
          without += *before.staticShared &&
                     *record.staticShared == *before.staticShared;
        }
    for (KernelResources &record : settled) {
      auto [with, without] = evidence[record.capability];
      bool counted = with != without
                         ? with > without
                         : record.capability == ComputeCapability{9, 0};
      if (counted && *record.staticShared >= Reserve)
        record.staticShared = *record.staticShared - Reserve;
      record.final = true;
      reading.records.push_back(std::move(record));
    }
  }

  /// Bytes that the system takes of each block from sm_80 on.
  static constexpr unsigned Reserve = 1024;
};

PtxasLogReader::PtxasLogReader(StringRef name, LogOptions options)
    : Now(std::make_unique<State>()) {
  Now->name = name.str();
  Now->options = options;
}

PtxasLogReader::~PtxasLogReader() = default;

void PtxasLogReader::open(StringRef name) { Now->open(name); }

void PtxasLogReader::feed(StringRef bytes) { Now->feed(bytes); }

LogReading PtxasLogReader::finish() {
  Now->finish();
  return std::move(Now->reading);
}

LogReading readPtxasLog(llvm::MemoryBufferRef log, LogOptions options) {
  PtxasLogReader reader(log.getBufferIdentifier(), options);
  reader.feed(log.getBuffer());
  return reader.finish();
}

namespace {

/// Feeds the file at `path` to `reader`, or says why it cannot be read.
llvm::Error feedFile(StringRef path, PtxasLogReader &reader) {
  namespace fs = llvm::sys::fs;
  auto failed = [&](std::error_code error) {
    return llvm::createStringError("cannot read '" + path +
                                   "': " + error.message());
  };
  fs::file_t file = fs::getStdinHandle();
  if (path != "-") {
    llvm::Expected<fs::file_t> opened = fs::openNativeFileForRead(path);
    if (!opened)
      return failed(llvm::errorToErrorCode(opened.takeError()));
    file = *opened;
  }
  std::vector<char> chunk(1 << 20);
  std::error_code error;
  while (!error) {
    llvm::Expected<size_t> size =
        fs::readNativeFile(file, llvm::MutableArrayRef(chunk));
    if (!size)
      error = llvm::errorToErrorCode(size.takeError());
    else if (*size == 0)
      break;
    else
      reader.feed(StringRef(chunk.data(), *size));
  }
  if (path != "-")
    fs::closeFile(file);
  return error ? failed(error) : llvm::Error::success();
}

} // namespace

llvm::Expected<LogReading> readPtxasLogFiles(llvm::ArrayRef<std::string> paths,
                                             LogOptions options) {
  PtxasLogReader reader("", options);
  std::string names;
  for (StringRef path : paths) {
    StringRef name = path == "-" ? "<stdin>" : path;
    names += (names.empty() ? "'" : ", '") + name.str() + "'";
    reader.open(name);
    if (llvm::Error error = feedFile(path, reader))
      return error;
  }
  LogReading reading = reader.finish();
  if (reading.records.empty())
    return llvm::createStringError(
        "no ptxas records in " + names + ": " +
        (!reading.notes.empty()    ? reading.notes.front()
         : !reading.errors.empty() ? reading.errors.front()
                                   : "build with -Xptxas -v (or "
                                     "--resource-usage) and save what the "
                                     "compiler prints"));
  return reading;
}

llvm::Expected<LogReading> readPtxasLogFile(StringRef path,
                                            LogOptions options) {
  return readPtxasLogFiles(path.str(), options);
}

} // namespace coreside
