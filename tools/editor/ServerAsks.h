// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Requests of two servers to one client: who gets the answer.
//
// In:   clangd asks with the id 0, so does our own part
// Out:  0 and "coreside:1"; the answer to that goes to our own part, with id 0
//
// A server that is started again counts from the beginning. What the client
// answers to the one before must not reach it.

#ifndef CORESIDE_EDITOR_SERVERASKS_H
#define CORESIDE_EDITOR_SERVERASKS_H

#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <map>
#include <string>

namespace coreside {

/// Ids are JSON, as canonicalId gives them.
class ServerAsks {
public:
  /// clangd has asked; its ids stay as they are.
  void fromClangd(const std::string &id) { ++ClangdAsks[id]; }
  /// Our own part has asked: the id for the client.
  std::string fromService(llvm::StringRef id);

  void clangdEnded();
  void serviceEnded();

  struct Receiver {
    enum class Server { Clangd, Service, None } server;
    /// As the server knows it.
    std::string id;
  };
  /// Who gets the answer to `id`, which must not come again. One that nobody
  /// has asked for is clangd's.
  Receiver answered(const std::string &id);

private:
  std::map<std::string, unsigned> ClangdAsks;
  /// Of a clangd that is no more.
  std::map<std::string, unsigned> OldClangdAsks;
  uint64_t Number = 0;
  /// By the client's id; empty for a service that is no more.
  std::map<std::string, std::string> ServiceAsks;
};

} // namespace coreside

#endif
