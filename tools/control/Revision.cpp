// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Revision.h"

#include "Git.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace coreside;
using llvm::StringRef;

static std::string encoded(StringRef path) {
  std::string result;
  for (char c : path) {
    if (llvm::isAlnum(c) || StringRef("-._~/").contains(c)) {
      result += c;
      continue;
    }
    result += '%';
    result += llvm::toHex(StringRef(&c, 1));
  }
  return result;
}

std::string coreside::fileURI(StringRef path) {
  return "file://" + encoded(path);
}

std::string coreside::relativeURI(StringRef path) { return encoded(path); }

std::string coreside::repositoryURI(StringRef remote, StringRef root) {
  remote = remote.trim();
  size_t scheme = remote.find("://");
  StringRef rest = remote;
  std::string name = "ssh";
  if (scheme != StringRef::npos) {
    name = remote.take_front(scheme).lower();
    rest = remote.drop_front(scheme + 3);
    if (name == "file")
      return fileURI(rest);
  } else {
    // "host:path" unless a folder comes first; else a path.
    StringRef host = rest.take_until([](char c) { return c == ':'; });
    if (host.size() == rest.size() || host.contains('/')) {
      llvm::SmallString<128> full(rest);
      if (llvm::sys::path::is_relative(full)) {
        full = root;
        llvm::sys::path::append(full, rest);
        llvm::sys::path::remove_dots(full, true);
      }
      return fileURI(full);
    }
  }
  StringRef authority = rest.take_until([&](char c) {
    return c == '/' || (c == ':' && scheme == StringRef::npos);
  });
  StringRef path = rest.drop_front(authority.size());
  path = path.take_until([](char c) { return c == '?' || c == '#'; });
  // Whoever reads the output is not to get a token. A password may hold an '@'.
  if (size_t at = authority.rfind('@'); at != StringRef::npos)
    authority = authority.drop_front(at + 1);
  path = path.ltrim(":/");
  std::string host;
  for (char c : authority)
    if (llvm::isAlnum(c) || StringRef("-._~:[]").contains(c))
      host += c;
  return name + "://" + host + "/" + encoded(path);
}

std::optional<Revision> coreside::findRevision(StringRef folder) {
  llvm::Expected<Git> git = Git::find(folder);
  if (!git) {
    llvm::consumeError(git.takeError());
    return std::nullopt;
  }
  auto ask = [&](std::vector<StringRef> arguments) {
    llvm::Expected<std::string> answer = git->run(std::move(arguments));
    if (answer)
      return StringRef(*answer).trim().str();
    llvm::consumeError(answer.takeError());
    return std::string();
  };
  Revision revision;
  revision.commit = ask({"rev-parse", "--verify", "--quiet", "HEAD^{commit}"});
  if (revision.commit.empty())
    return std::nullopt;
  revision.branch = ask({"symbolic-ref", "--short", "--quiet", "HEAD"});
  std::string remote = ask({"config", "--get", "remote.origin.url"});
  revision.repository = remote.empty() ? fileURI(git->root())
                                       : repositoryURI(remote, git->root());
  return revision;
}
