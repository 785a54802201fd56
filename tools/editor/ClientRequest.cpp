// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ClientRequest.h"

#include "JSONMembers.h"
#include "MergeAnswers.h"
#include "WrittenMessages.h"

using namespace coreside;

Joining coreside::joiningOf(llvm::StringRef method) {
  if (method == "textDocument/codeAction" || method == "textDocument/inlayHint")
    return Joining::Items;
  if (method == "textDocument/hover")
    return Joining::Hover;
  return Joining::None;
}

std::string coreside::joinedAnswers(const ClientRequest &request) {
  llvm::StringRef theirs = request.theirs->body();
  llvm::StringRef ours = messageParts(*request.ours).result;
  if (saysNothing(ours))
    return theirs.str();
  MessageParts parts = messageParts(theirs);
  if (!parts.error.empty()) {
    // Cancelled, or the text has changed: the client does not want an answer.
    int code = 0;
    if (jsonMember(parts.error, "code").getAsInteger(10, code) ||
        (code <= -32800 && code >= -32802))
      return theirs.str();
    return makeResponse(parts.id, ours);
  }
  return request.joining == Joining::Hover ? withHover(theirs, ours)
                                           : withItems(theirs, ours);
}
