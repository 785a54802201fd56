// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MessageSplitter.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/Twine.h"

using namespace coreside;

Message coreside::makeMessage(llvm::StringRef body) {
  Message message;
  message.bytes = "Content-Length: " + llvm::utostr(body.size()) + "\r\n\r\n";
  message.headerSize = message.bytes.size();
  message.bytes += body;
  return message;
}

void MessageSplitter::add(llvm::StringRef bytes) {
  if (Used == Bytes.size()) {
    Bytes.clear();
    Used = 0;
  } else if (Used > (1u << 20)) {
    Bytes.erase(0, Used);
    Used = 0;
  }
  Bytes += bytes;
}

bool MessageSplitter::readLine() {
  llvm::StringRef rest = llvm::StringRef(Bytes).substr(Used);
  size_t end = rest.find('\n');
  if (end == llvm::StringRef::npos) {
    if (rest.size() > maxLineSize) {
      Skipping = Nonsense = true;
      Used = Bytes.size();
    }
    return false;
  }
  llvm::StringRef line = rest.substr(0, end + 1);
  Used += line.size();
  if (Skipping || line.size() > maxLineSize) {
    Skipping = false;
    Nonsense = true;
    return true;
  }
  llvm::StringRef words = line.trim("\r\n");
  if (words.empty()) {
    InBody = BodySize > 0;
    if (!InBody) {
      // An end without a beginning.
      Nonsense = true;
      Header.clear();
      return true;
    }
    Header += line;
    return true;
  }
  auto [key, value] = words.split(':');
  if (key.equals_insensitive("Content-Length")) {
    size_t size = 0;
    if (value.trim().getAsInteger(10, size) || size > maxBodySize) {
      Nonsense = true;
      return true;
    }
    // A second one is wrong; the first counts, as with clangd.
    if (BodySize) {
      Nonsense = true;
      return true;
    }
    BodySize = size;
    Header += line;
  } else if (key.equals_insensitive("Content-Type")) {
    Header += line;
  } else {
    Nonsense = true;
  }
  return true;
}

std::optional<Message> MessageSplitter::next() {
  while (!InBody)
    if (!readLine())
      return std::nullopt;
  if (Bytes.size() - Used < BodySize)
    return std::nullopt;
  Message message;
  message.headerSize = Header.size();
  message.bytes = std::move(Header);
  message.bytes.append(Bytes, Used, BodySize);
  Used += BodySize;
  Header.clear();
  BodySize = 0;
  InBody = false;
  return message;
}
