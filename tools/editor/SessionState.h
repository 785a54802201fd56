// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a server that is started in the middle of a session has to be told.
//
// In:   the client's messages, as they come
// Out:  initialized, settings, folders, and each open document as it is now
//
// Servers keep the text of open documents for themselves. When one ends, this
// is all that is left of it.

#ifndef CORESIDE_EDITOR_SESSIONSTATE_H
#define CORESIDE_EDITOR_SESSIONSTATE_H

#include "JSONMembers.h"
#include "MessageSplitter.h"
#include "TextPositions.h"

#include "llvm/Support/JSON.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coreside {

struct SessionDocument {
  /// As the client writes it.
  std::string uri;
  std::string language;
  int64_t version = 0;
  std::string text;
};

class SessionState {
public:
  /// Takes down what a notification changes. What is not as the protocol has it
  /// changes nothing.
  void note(const Message &message, const MessageParts &parts);

  /// In which positions of changes are given; UTF-16 before that.
  void setEncoding(PositionEncoding encoding) { Encoding = encoding; }

  /// By keyOf their URIs.
  const std::map<std::string, SessionDocument> &documents() const {
    return Documents;
  }
  /// Two spellings of the same file have the same.
  static std::string keyOf(llvm::StringRef uri);

  /// Whether the client itself gave a command for the file `path`, in
  /// compilationDatabaseChanges.
  bool hasCommandOfClient(llvm::StringRef path) const;
  /// What `initialize` says of settings.
  void noteInitialize(const llvm::json::Object &params);

  /// The messages that follow `initialize` but for documents.
  std::vector<Message> beforeDocuments() const;
  static Message openMessage(const SessionDocument &document);

private:
  void noteSettings(const llvm::json::Object &settings);

  PositionEncoding Encoding = PositionEncoding::UTF16;
  std::map<std::string, SessionDocument> Documents;
  std::optional<Message> Initialized;
  /// Folders that came and went.
  std::vector<Message> Folders;
  /// Of all didChangeConfiguration together, the newer over the older.
  llvm::json::Object Settings;
  /// What was in compilationDatabaseChanges of initialize.
  llvm::json::Object InitialCommands;
};

} // namespace coreside

#endif
