// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Cuts what a language server or its client writes into messages.
//
// In:   "Content-Le", "ngth: 2\r\n\r\n{}Content-", ...
// Out:  "Content-Length: 2\r\n\r\n{}", its body is "{}"
//
// llvm/Support/LSP reads from a FILE, waits there, and keeps only the body;
// what passes through has to keep its bytes, and nobody may have to wait. What
// is no header is taken as clangd takes it: lines that are not understood are
// left out up to the next that is.

#ifndef CORESIDE_EDITOR_MESSAGESPLITTER_H
#define CORESIDE_EDITOR_MESSAGESPLITTER_H

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace coreside {

/// A message with its header.
struct Message {
  /// As it came.
  std::string bytes;
  /// Where the body begins.
  size_t headerSize = 0;

  llvm::StringRef body() const {
    return llvm::StringRef(bytes).substr(headerSize);
  }
};

/// `body` with a header.
Message makeMessage(llvm::StringRef body);

class MessageSplitter {
public:
  /// A body may have this many bytes at most, as with clangd.
  static constexpr size_t maxBodySize = size_t(1) << 30;
  /// A line of a header; what is longer is no header.
  static constexpr size_t maxLineSize = 8192;

  void add(llvm::StringRef bytes);

  /// The next whole message, or nothing before more has come.
  std::optional<Message> next();

  /// Whether something that is no message was left out, since it was last
  /// asked.
  bool sawNonsense() {
    bool saw = Nonsense;
    Nonsense = false;
    return saw;
  }

private:
  /// Reads a line of a header; false before a whole one has come.
  bool readLine();

  std::string Bytes;
  /// What was used of them.
  size_t Used = 0;
  /// The lines of the header that were understood.
  std::string Header;
  size_t BodySize = 0;
  bool InBody = false;
  /// In a line that is too long.
  bool Skipping = false;
  bool Nonsense = false;
};

} // namespace coreside

#endif
