// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DocumentURI.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

using namespace coreside;
using llvm::StringRef;

std::string coreside::percentDecoded(StringRef text) {
  std::string result;
  for (size_t i = 0; i != text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() &&
        llvm::isHexDigit(text[i + 1]) && llvm::isHexDigit(text[i + 2])) {
      result += char(llvm::hexFromNibbles(text[i + 1], text[i + 2]));
      i += 2;
    } else {
      result += text[i];
    }
  }
  return result;
}

std::optional<std::string> coreside::pathOfURI(StringRef uri) {
  auto [scheme, rest] = uri.split(':');
  if (!scheme.equals_insensitive("file"))
    return std::nullopt;
  rest = rest.split('#').first.split('?').first;
  if (rest.consume_front("//")) {
    size_t slash = rest.find('/');
    StringRef host = rest.take_front(slash);
    if (!host.empty() && !host.equals_insensitive("localhost"))
      return std::nullopt;
    rest = rest.drop_front(host.size());
  }
  std::string path = percentDecoded(rest);
  // A name with a zero in it is none for the system.
  if (!StringRef(path).starts_with("/") || StringRef(path).contains('\0'))
    return std::nullopt;
  llvm::SmallString<128> clean(path);
  llvm::sys::path::remove_dots(clean, /*remove_dot_dot=*/true);
  return clean.str().str();
}

std::string coreside::uriOfPath(StringRef path) {
  std::string uri = "file://";
  for (char c : path)
    if (llvm::isAlnum(c) || StringRef("/-._~").contains(c)) {
      uri += c;
    } else {
      uri += '%';
      uri += llvm::hexdigit((unsigned char)c >> 4);
      uri += llvm::hexdigit(c & 15);
    }
  return uri;
}
