// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MessageStream.h"

#include <cerrno>
#include <unistd.h>

using namespace coreside;
using llvm::StringRef;

/// Bytes of a line before a message.
static constexpr size_t longestLine = 4096;
/// Lines before a message.
static constexpr unsigned mostLines = 32;

/// Arrays and objects inside one another.
static constexpr unsigned deepest = 256;

static bool isTooDeep(StringRef text) {
  unsigned depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (inString) {
      if (c == '\\')
        ++i;
      else if (c == '"')
        inString = false;
    } else if (c == '"') {
      inString = true;
    } else if (c == '[' || c == '{') {
      if (++depth > deepest)
        return true;
    } else if ((c == ']' || c == '}') && depth) {
      --depth;
    }
  }
  return false;
}

std::optional<llvm::json::Value> coreside::readJSON(StringRef text) {
  if (isTooDeep(text))
    return std::nullopt;
  if (llvm::Expected<llvm::json::Value> value = llvm::json::parse(text))
    return std::move(*value);
  else
    llvm::consumeError(value.takeError());
  return std::nullopt;
}

bool MessageReader::fill() {
  if (At == Buffer.size()) {
    Buffer.clear();
    At = 0;
  }
  char bytes[65536];
  ssize_t count;
  do
    count = ::read(File, bytes, sizeof bytes);
  while (count < 0 && errno == EINTR);
  if (count <= 0)
    return false;
  Buffer.append(bytes, count);
  return true;
}

/// Without its end. What is longer than a line may be is cut.
bool MessageReader::readLine(std::string &line, bool &isCut) {
  line.clear();
  isCut = false;
  while (true) {
    if (At == Buffer.size() && !fill())
      return false;
    size_t end = Buffer.find('\n', At);
    StringRef part = StringRef(Buffer).slice(
        At, end == std::string::npos ? Buffer.size() : end);
    size_t room = longestLine - line.size();
    isCut |= part.size() > room;
    line += part.take_front(room);
    if (end != std::string::npos) {
      At = end + 1;
      if (StringRef(line).ends_with("\r"))
        line.pop_back();
      return true;
    }
    At = Buffer.size();
  }
}

bool MessageReader::pass(size_t bytes) {
  while (bytes) {
    if (At == Buffer.size() && !fill())
      return false;
    size_t now = std::min(bytes, Buffer.size() - At);
    At += now;
    bytes -= now;
  }
  return true;
}

MessageReader::Outcome MessageReader::read(std::string &message) {
  std::optional<size_t> length;
  std::string line;
  for (unsigned lines = 0; lines != mostLines; ++lines) {
    bool isCut = false;
    if (!readLine(line, isCut))
      return Outcome::End;
    if (line.empty()) {
      // Empty lines before a message are nobody's.
      if (!length)
        continue;
      if (*length > largest)
        return pass(*length) ? Outcome::Nonsense : Outcome::End;
      message.clear();
      while (message.size() < *length) {
        if (At == Buffer.size() && !fill())
          return Outcome::End;
        size_t now = std::min(*length - message.size(), Buffer.size() - At);
        message.append(Buffer, At, now);
        At += now;
      }
      return Outcome::Message;
    }
    auto [name, value] = StringRef(line).split(':');
    if (name.trim().equals_insensitive("content-length")) {
      size_t number = 0;
      if (isCut || value.trim().getAsInteger(10, number))
        return Outcome::Nonsense;
      length = number;
    } else if (isCut || !StringRef(line).contains(':') ||
               !name.trim().equals_insensitive("content-type")) {
      return Outcome::Nonsense;
    }
  }
  return Outcome::Nonsense;
}

bool MessageWriter::write(StringRef message) {
  std::string text =
      "Content-Length: " + std::to_string(message.size()) + "\r\n\r\n";
  text += message;
  std::lock_guard lock(Use);
  StringRef rest = text;
  while (!rest.empty() && !Closed) {
    ssize_t count = ::write(File, rest.data(), rest.size());
    if (count < 0 && errno == EINTR)
      continue;
    Closed = count <= 0;
    rest = rest.drop_front(Closed ? rest.size() : count);
  }
  return !Closed;
}
