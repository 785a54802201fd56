// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the members of a JSON object are in its text.
//
// In:   {"id":1,"result":{"a":[1,2]}}
// Out:  id: 1    result: {"a":[1,2]}
//
// Most of what goes through `coreside clangd` only has to be recognised. A tree
// of a long message would cost milliseconds, and could not be written back as
// it was.

#ifndef CORESIDE_EDITOR_JSONMEMBERS_H
#define CORESIDE_EDITOR_JSONMEMBERS_H

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace coreside {

/// Both are parts of the object's text.
struct JSONMember {
  /// Without the quotes, escapes not resolved.
  llvm::StringRef key;
  /// Without space around it.
  llvm::StringRef value;
};

using JSONMembers = llvm::SmallVector<JSONMember, 8>;

/// The members of `object`; nothing where it is none, or is nested deeper than
/// any message. Of values only brackets
/// and strings are looked at: what is between them may be wrong.
std::optional<JSONMembers> jsonMembers(llvm::StringRef object);

/// The value of a member, empty where there is none.
llvm::StringRef jsonMember(llvm::StringRef object, llvm::StringRef key);

/// What the JSON string `text` says; empty where it is none.
std::string jsonString(llvm::StringRef text);

/// The id of a request, spelled as everyone else spells it: whoever answers may
/// choose other escapes.
std::string canonicalId(llvm::StringRef id);

/// What a JSON-RPC message says about itself; what it lacks is empty.
struct MessageParts {
  /// As it is written: 7, "seven".
  llvm::StringRef id;
  /// What it says: Neovim writes "textDocument\/hover".
  std::string method;
  llvm::StringRef params;
  llvm::StringRef result;
  llvm::StringRef error;

  bool isRequest() const { return !id.empty() && !method.empty(); }
  bool isNotification() const { return id.empty() && !method.empty(); }
  bool isResponse() const {
    return !id.empty() && method.empty() && !(result.empty() && error.empty());
  }
};

/// The parts of the message `body`, all empty where it is not JSON.
MessageParts messageParts(llvm::StringRef body);

} // namespace coreside

#endif
