// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ServerAsks.h"

using namespace coreside;

std::string ServerAsks::fromService(llvm::StringRef id) {
  // clangd's ids are numbers; none can be like this.
  std::string client = "\"coreside:" + std::to_string(++Number) + "\"";
  ServiceAsks[client] = id.str();
  return client;
}

void ServerAsks::clangdEnded() {
  for (const auto &[id, count] : ClangdAsks)
    OldClangdAsks[id] += count;
  ClangdAsks.clear();
}

void ServerAsks::serviceEnded() {
  for (auto &[client, id] : ServiceAsks)
    id.clear();
}

ServerAsks::Receiver ServerAsks::answered(const std::string &id) {
  using enum Receiver::Server;
  auto asked = ServiceAsks.find(id);
  if (asked != ServiceAsks.end()) {
    Receiver receiver{asked->second.empty() ? None : Service, asked->second};
    ServiceAsks.erase(asked);
    return receiver;
  }
  // The older was asked first.
  for (auto *asks : {&OldClangdAsks, &ClangdAsks}) {
    auto found = asks->find(id);
    if (found == asks->end())
      continue;
    if (!--found->second)
      asks->erase(found);
    return {asks == &OldClangdAsks ? None : Clangd, id};
  }
  return {Clangd, id};
}
