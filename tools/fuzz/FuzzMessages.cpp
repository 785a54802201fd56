// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any bytes from a language server or its client: cut into the same messages
// wherever they are torn, and JSON stays JSON when ours is added.

#include "editor/JSONMembers.h"
#include "editor/MergeAnswers.h"
#include "editor/MessageSplitter.h"

#include "llvm/Support/JSON.h"

#include <cstdint>
#include <cstdlib>
#include <vector>

using namespace coreside;

namespace {

std::vector<std::string> messagesOf(llvm::StringRef bytes, size_t pieceSize) {
  MessageSplitter splitter;
  std::vector<std::string> messages;
  while (!bytes.empty()) {
    splitter.add(bytes.take_front(pieceSize));
    bytes = bytes.drop_front(std::min(pieceSize, bytes.size()));
    while (std::optional<Message> message = splitter.next())
      messages.push_back(message->bytes);
  }
  return messages;
}

bool isJSON(llvm::StringRef text) {
  llvm::Expected<llvm::json::Value> value = llvm::json::parse(text);
  if (value)
    return true;
  llvm::consumeError(value.takeError());
  return false;
}

void add(llvm::StringRef body) {
  MessageParts parts = messageParts(body);
  canonicalId(parts.id);
  // What is nested deeper is not looked at, and would end the parser here.
  if (!jsonMembers(body) || !isJSON(body))
    return;
  if (!isJSON(withItems(body, "[{\"title\":\"x\"}]")) ||
      !isJSON(withHover(body, "{\"contents\":{\"kind\":\"markdown\",\"value\":"
                              "\"x\"}}")) ||
      !isJSON(withDiagnostics(body, "[{\"message\":\"x\"}]")) ||
      !isJSON(withCapabilities(body)))
    abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  llvm::StringRef bytes(reinterpret_cast<const char *>(data), size);
  std::vector<std::string> messages = messagesOf(bytes, size + 1);
  if (messages != messagesOf(bytes, 1) || messages != messagesOf(bytes, 7))
    abort();
  for (llvm::StringRef message : messages)
    add(message.substr(message.find("\n\r\n") + 3));
  // Without a header, too: the reader spends most inputs on it.
  add(bytes);
  return 0;
}
