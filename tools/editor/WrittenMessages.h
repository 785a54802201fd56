// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages that are made here.
//
// In:   "window/showMessage", {"type": 2, "message": "..."}
// Out:  {"jsonrpc":"2.0","method":"window/showMessage","params":{...}}

#ifndef CORESIDE_EDITOR_WRITTENMESSAGES_H
#define CORESIDE_EDITOR_WRITTENMESSAGES_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <string>

namespace coreside {

std::string jsonText(const llvm::json::Value &value);

/// The bodies of messages. `id` and `result` are JSON.
std::string makeNotification(llvm::StringRef method, llvm::json::Value params);
std::string makeRequest(llvm::StringRef id, llvm::StringRef method,
                        llvm::json::Value params);
std::string makeResponse(llvm::StringRef id, llvm::StringRef result);
/// Says why there is no result. `code` is JSON-RPC's or LSP's.
std::string makeErrorResponse(llvm::StringRef id, int code,
                              llvm::StringRef message);

/// LSP's code for a request that was right and has no answer.
inline constexpr int requestFailed = -32803;

} // namespace coreside

#endif
