// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines out of bytes, and messages out of lines: whole, wrapped or torn.

#include "PtxasLog.h"
#include "KernelLines.h"
#include "PtxasMessage.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"

#include <cstring>

using llvm::StringRef;

namespace coreside {

namespace {

/// A longer line is not compiler output, and a longer name no kernel's.
constexpr size_t LongestLine = 1 << 20;
/// Lines within which the end of a torn line comes.
constexpr size_t TornReach = 64;

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

/// The number that the first "bytes" of `text` counts, to the end of `text`.
/// Empty where there is none.
StringRef fromFirstBytes(StringRef text) {
  size_t at = text.find("bytes ");
  if (at == StringRef::npos)
    return {};
  size_t end = text.take_front(at).rtrim(' ').size();
  size_t first = end;
  while (first > 0 && llvm::isDigit(text[first - 1]))
    --first;
  return first == end ? StringRef() : text.substr(first);
}

/// Where the line of spills begins that another message runs into; npos where
/// there is none. `from`: it does not begin before.
size_t spillsWithin(StringRef text, size_t from) {
  constexpr StringRef Indent = "    ";
  size_t at = text.rfind(" bytes stack frame, ");
  if (at == StringRef::npos || at < from)
    return StringRef::npos;
  while (at > from && llvm::isDigit(text[at - 1]))
    --at;
  if (at < from + Indent.size() || text.substr(at - Indent.size(), 4) != Indent)
    return StringRef::npos;
  return at - Indent.size();
}

constexpr StringRef Prefix = "ptxas info    : ";

/// `text` ends within a tool's prefix, or begins within it.
bool endsInPrefix(StringRef text) {
  size_t at = text.rfind("ptxas i");
  return at != StringRef::npos && Prefix.starts_with(text.substr(at));
}
bool beginsInPrefix(StringRef before) {
  return !before.empty() && before.size() < Prefix.size() &&
         Prefix.ends_with(before);
}

/// A message whose prefix was lost, but which is itself complete from its first
/// word on. Empty where there is none.
StringRef fromFirstWord(StringRef text) {
  for (StringRef start :
       {"Compiling entry function '", "Function properties for "})
    if (size_t at = text.find(start); at != StringRef::npos)
      return text.substr(at);
  if (text.starts_with("Used "))
    return text;
  if (size_t at = text.find(": Used "); at != StringRef::npos)
    return text.substr(at + 2);
  return {};
}

} // namespace

struct PtxasLogReader::State {
  KernelLines kernels;
  size_t line = 0;
  std::string stream;

  // Bytes of a line whose end has not come.
  std::string partial;
  bool skipping = false;
  bool started = false;
  enum { UTF8, UTF16Low, UTF16High } encoding = UTF8;
  bool oddByte = false;

  // A message whose end may stand on the next line.
  std::string pending;
  bool pendingLinker = false;
  /// Of this line and of the longest one.
  size_t length = 0, longest = 0;
  /// The last line that was looked at, and whether a kernel waited behind it.
  size_t lastPtxas = 0;
  bool open = false;
  /// Beginnings, per kind, whose ends have not come.
  unsigned torn[4] = {};
  size_t lastTorn = 0;
  bool sawIndented = false;

  explicit State(LogOptions options) : kernels(options) {}

  //===-- Messages --------------------------------------------------------===//

  PtxasMessage parse(StringRef text, bool linker) {
    PtxasMessage message = parsePtxasMessage(text);
    // The beginning of the name that is awaited was wrapped.
    if (message.kind == MessageKind::Properties && !message.linker &&
        message.shape == MessageShape::Whole &&
        !kernels.awaitsProperties(message.name) &&
        kernels.awaitsLonger(message.name))
      message.shape = MessageShape::Head;
    message.linker |= linker;
    return message;
  }

  unsigned &tornOf(MessageKind kind) { return torn[unsigned(kind)]; }

  void passTorn(const PtxasMessage &message) {
    ++tornOf(message.kind);
    lastTorn = line;
    kernels.addTorn(message.kind, message.linker);
  }

  /// Passes on what was read of `text`. `ended`: a newline ended it, and not
  /// another message.
  void pass(const PtxasMessage &message, StringRef text, bool ended) {
    if (message.shape == MessageShape::Whole) {
      // As long as a line gets, it may be wrapped at one of its commas.
      if (message.kind != MessageKind::Used || !ended || length < longest)
        return kernels.add(message);
      pending = text.str();
      pendingLinker = message.linker;
      return;
    }
    if (message.shape == MessageShape::None)
      return;
    // The next line may hold the rest, unless it is here that another goes on,
    // or other halves are about already.
    if (ended && message.shape == MessageShape::Head &&
        llvm::none_of(torn, [](unsigned n) { return n != 0; })) {
      pending = text.str();
      pendingLinker = message.linker;
      return;
    }
    passTorn(message);
  }

  /// The end of a message came by itself.
  void passEnd(MessageKind kind) {
    if (tornOf(kind))
      --tornOf(kind);
    else
      kernels.addTorn(kind, false);
  }

  /// Text behind a marker.
  void readMarked(StringRef text, const ToolMarker &marker, bool ended) {
    bool linker = marker.tool == ToolMarker::Nvlink;
    StringRef trimmed = withoutEndBlanks(text);
    if (marker.severity == ToolMarker::Error)
      kernels.addError(trimmed, linker);
    else if (marker.severity == ToolMarker::Warning)
      return;
    else
      readInfo(text, trimmed, linker, marker, ended);
  }

  void readInfo(StringRef text, StringRef trimmed, bool linker,
                const ToolMarker &marker, bool ended) {
    PtxasMessage message = parse(trimmed, linker);
    // Another message has run into the name.
    if (message.kind == MessageKind::Properties && !message.name.empty())
      if (StringRef rest = trimmed.substr(message.name.end() - trimmed.begin());
          !fromFirstWord(rest).empty()) {
        message.shape = MessageShape::Broken;
        pass(message, text, false);
        return readUnmarked(rest, ended);
      }
    if (message.shape == MessageShape::Whole && ended)
      return pass(message, text, ended);
    if (trimmed.contains(" bytes gmem")) {
      // Behind the beginning of another message it is the end of a line that
      // began elsewhere.
      if (message.shape != MessageShape::None)
        passTorn(message);
      return kernels.beginSection(linker);
    }
    if (size_t at = spillsWithin(text, 0); at != StringRef::npos) {
      kernels.addTorn();
      readMarked(text.take_front(at), marker, false);
      return readUnmarked(text.substr(at), ended);
    }
    // A message stands behind the beginning of another one's prefix.
    if (message.shape == MessageShape::None && !linker &&
        !fromFirstWord(trimmed).empty()) {
      kernels.addTorn();
      return readUnmarked(text, ended);
    }
    // What follows may have run into the name.
    if (message.kind == MessageKind::Properties && !message.linker && !ended &&
        message.shape == MessageShape::Whole)
      message.shape = MessageShape::Broken;
    pass(message, text, ended);
    if (message.shape == MessageShape::Broken)
      readEnd(text);
  }

  /// Text that no marker precedes: spills, or a piece of a message.
  void readUnmarked(StringRef text, bool ended) {
    StringRef spills = fromFirstBytes(text);
    PtxasMessage message = parse(withoutEndBlanks(spills), false);
    if (message.shape != MessageShape::Whole)
      if (size_t at = spillsWithin(text, 1); at != StringRef::npos &&
                                             text.contains("bytes spill") &&
                                             text.find("bytes spill") < at) {
        readUnmarked(text.take_front(at), false);
        return readUnmarked(text.substr(at), ended);
      }
    if (message.shape == MessageShape::Head &&
        !spills.contains("bytes stack") && !kernels.awaitsSpills())
      return;
    if (message.shape != MessageShape::None) {
      // At the margin it may have lost digits, unless the log is always so.
      bool indented = spills.size() < text.size();
      if (!indented && sawIndented)
        return passEnd(MessageKind::Spills);
      sawIndented |= indented;
      return pass(message, spills, ended);
    }
    if (endsInPrefix(text))
      return kernels.addTorn();
    StringRef words = fromFirstWord(text);
    message = parse(withoutEndBlanks(words), false);
    if (message.shape == MessageShape::None)
      return readEnd(text);
    if (beginsInPrefix(text.drop_back(words.size())))
      kernels.addTorn();
    pass(message, words, ended);
  }

  /// Text that may be the end of a message.
  void readEnd(StringRef text) {
    StringRef trimmed = text.trim();
    if (size_t at = trimmed.find("entry function '"); at != StringRef::npos) {
      // What is lost of this one says nothing.
      std::string whole = ("Compiling " + trimmed.substr(at)).str();
      PtxasMessage message = parsePtxasMessage(whole);
      if (message.shape != MessageShape::Whole)
        return;
      bool begun = tornOf(message.kind) != 0;
      tornOf(message.kind) -= begun;
      kernels.add(message, begun);
    } else if (size_t at = trimmed.find("ties for ");
               at != StringRef::npos &&
               StringRef("Function proper").ends_with(trimmed.take_front(at))) {
      std::string whole = ("Function proper" + trimmed.substr(at)).str();
      if (tornOf(MessageKind::Properties))
        --tornOf(MessageKind::Properties);
      else
        kernels.addTorn();
      kernels.add(parsePtxasMessage(whole));
    } else if (trimmed.contains("bytes spill")) {
      passEnd(MessageKind::Spills);
    } else if (trimmed.contains(" registers")) {
      // Its number may have lost digits.
      if (llvm::isDigit(text.front()))
        passEnd(MessageKind::Used);
    } else if (isEndOfUsed(trimmed)) {
      if (tornOf(MessageKind::Used))
        --tornOf(MessageKind::Used);
      else
        kernels.addEndOfUsed();
    }
  }

  /// True when `text` was the rest of the pending message, or more of it.
  bool join(StringRef text) {
    // Some wrap within a word, others at a blank that is then gone.
    return join(pending + text.str(), text) ||
           join(pending + " " + text.str(), text);
  }

  bool join(std::string joined, StringRef text) {
    if (joined.size() > LongestLine || text.trim().empty())
      return false;
    // Another message begins here.
    if (text.contains("ptxas ") || !fromFirstWord(text).empty())
      return false;
    bool complete =
        parse(withoutEndBlanks(pending), false).shape == MessageShape::Whole;
    if (complete && !isEndOfUsed(text.trim()))
      return false;
    StringRef trimmed = StringRef(joined).rtrim();
    PtxasMessage message = parse(trimmed, pendingLinker);
    bool named = message.kind == MessageKind::Properties && !message.linker;
    if (message.shape == MessageShape::Whole) {
      // A name without quotes may go on; it ends where it is the awaited one.
      if (named && !kernels.awaitsProperties(message.name))
        return false;
      pending.clear();
      pass(message, joined, true);
      return true;
    }
    // Such a name has no blanks: what follows one is another line.
    constexpr size_t BlanksBeforeName = 3;
    if (message.shape != MessageShape::Head ||
        (named && trimmed.count(' ') > BlanksBeforeName))
      return false;
    pending = std::move(joined);
    return true;
  }

  void giveUpPending() {
    std::string text = std::move(pending);
    pending.clear();
    PtxasMessage message = parse(withoutEndBlanks(text), pendingLinker);
    if (message.shape == MessageShape::Whole)
      kernels.add(message);
    else
      passTorn(message);
  }

  //===-- Lines -----------------------------------------------------------===//

  /// MSBuild says which project a line is from: "  3>ptxas info ...".
  void readStreamName(StringRef text) {
    size_t first = 0;
    while (first < text.size() && text[first] == ' ')
      ++first;
    size_t end = first;
    while (end < text.size() && llvm::isDigit(text[end]))
      ++end;
    if (end > first && end < first + 6 && end < text.size() && text[end] == '>')
      stream = text.slice(first, end).str();
  }

  void readLine(StringRef text) {
    ++line;
    text.consume_back("\r");
    length = text.size();
    longest = std::max(longest, length);
    // Far from other output nothing goes on.
    bool near = open || line <= lastPtxas + TornReach;
    if (pending.empty() && !mayBePtxas(text, near))
      return;
    lastPtxas = line;
    readPtxasLine(text);
    open = kernels.anyOpen();
  }

  void readPtxasLine(StringRef text) {
    llvm::SmallString<256> buffer;
    text = withoutColours(text, buffer);
    readStreamName(text);
    ToolMarker marker = findToolMarker(text, 0);
    bool none = marker.begin == StringRef::npos;
    if (!pending.empty()) {
      if (none && join(text))
        return;
      giveUpPending();
    }
    kernels.at(line, stream);
    if (line > lastTorn + TornReach)
      std::fill(std::begin(torn), std::end(torn), 0);
    if (none) {
      if (!text.empty())
        readUnmarked(text, true);
      return;
    }
    if (StringRef before = text.take_front(marker.begin);
        before.contains("bytes "))
      readUnmarked(before, false);
    if (marker.tool == ToolMarker::NoTool &&
        StringRef("ptxas ").ends_with(text.take_front(marker.begin)) &&
        marker.begin > 0)
      kernels.addTorn();
    while (marker.begin != StringRef::npos) {
      ToolMarker next = findToolMarker(text, marker.message);
      // Two tools on one line are one too many.
      if (next.begin != StringRef::npos)
        kernels.addTorn();
      readMarked(text.slice(marker.message, next.begin), marker,
                 next.begin == StringRef::npos);
      marker = next;
    }
  }

  //===-- Bytes -----------------------------------------------------------===//

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
      size_t end = bytes.find('\n');
      StringRef piece = bytes.take_front(end);
      bool whole = end != StringRef::npos;
      if (whole && partial.empty() && !skipping) {
        readLine(piece);
      } else {
        skipping |= partial.size() + piece.size() > LongestLine;
        if (skipping)
          partial.clear();
        else
          partial += piece;
        if (!whole)
          return;
        readLine(partial);
        partial.clear();
        skipping = false;
      }
      bytes = bytes.drop_front(end + 1);
    }
  }

  void endFile() {
    if (!partial.empty())
      readLine(partial);
    partial.clear();
    if (!pending.empty())
      giveUpPending();
  }

  void beginFile(StringRef name) {
    endFile();
    kernels.beginFile(name);
    line = lastTorn = lastPtxas = length = longest = 0;
    open = false;
    stream.clear();
    skipping = started = oddByte = sawIndented = false;
    encoding = UTF8;
    std::fill(std::begin(torn), std::end(torn), 0);
  }
};

PtxasLogReader::PtxasLogReader(StringRef name, LogOptions options)
    : Now(std::make_unique<State>(options)) {
  open(name);
}

PtxasLogReader::~PtxasLogReader() = default;

void PtxasLogReader::open(StringRef name) { Now->beginFile(name); }

void PtxasLogReader::feed(StringRef bytes) { Now->feed(bytes); }

LogReading PtxasLogReader::finish() {
  Now->endFile();
  return Now->kernels.finish();
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
         : !reading.functions.empty()
             ? "it tells of functions, but of no kernel"
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
