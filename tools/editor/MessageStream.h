// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages with their lengths before them, as language servers send them.
//
// In:   "Content-Length: 2\r\n\r\n{}"
// Out:  "{}"
//
// llvm/Support/LSP/Transport.h reads these, too, but reads lines and bodies of
// any size into memory, passes by what is no JSON without an answer, and ends
// at the first message that is no object of JSON-RPC. What a client sends wrong
// must not end a server.

#ifndef CORESIDE_EDITOR_MESSAGESTREAM_H
#define CORESIDE_EDITOR_MESSAGESTREAM_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <mutex>
#include <optional>
#include <string>

namespace coreside {

/// The JSON of a message; nothing where it is none, or nested deeper than any
/// that has a meaning: LLVM's reader would run out of stack.
std::optional<llvm::json::Value> readJSON(llvm::StringRef text);

/// Of one thread.
class MessageReader {
public:
  /// Bytes of a message; longer ones are passed by.
  static constexpr size_t largest = size_t(64) << 20;

  /// Reads the file with this number until it ends.
  explicit MessageReader(int file) : File(file) {}

  enum class Outcome {
    Message,
    /// What came was no message: text without a length, or one too long. It is
    /// passed by, up to where the next one may begin.
    Nonsense,
    End,
  };
  /// `message` gets the body.
  Outcome read(std::string &message);

private:
  bool fill();
  bool readLine(std::string &line, bool &isCut);
  bool pass(size_t bytes);

  int File;
  std::string Buffer;
  size_t At = 0;
};

/// Writes whole messages; any thread may.
class MessageWriter {
public:
  explicit MessageWriter(int file) : File(file) {}
  /// False once nobody reads any more.
  bool write(llvm::StringRef message);

private:
  int File;
  std::mutex Use;
  bool Closed = false;
};

} // namespace coreside

#endif
