// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A request of the client to both servers, and how their answers become one.
//
// In:   clangd's actions [A], ours [B]
// Out:  [A, B]

#ifndef CORESIDE_EDITOR_CLIENTREQUEST_H
#define CORESIDE_EDITOR_CLIENTREQUEST_H

#include "MessageSplitter.h"
#include "RestartPolicy.h"

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace coreside {

enum class Joining {
  /// Only clangd is asked.
  None,
  /// Arrays, one behind the other.
  Items,
  /// Texts, one below the other.
  Hover
};

Joining joiningOf(llvm::StringRef method);

/// It has no answer yet.
struct ClientRequest {
  std::string method;
  Joining joining = Joining::None;
  Clock::time_point since;
  /// clangd was asked, and may still answer.
  bool fromClangd = false;
  /// Its number at our own part, 0 where that was not asked.
  uint64_t serviceNumber = 0;
  /// The response of clangd.
  std::optional<Message> theirs;
  /// The body of ours.
  std::optional<std::string> ours;
  /// When what is there is sent without the other.
  std::optional<Clock::time_point> deadline;
};

/// The response to a request that both have answered. It is clangd's where we
/// have nothing to say, and where the client does not want an answer any more.
std::string joinedAnswers(const ClientRequest &request);

} // namespace coreside

#endif
