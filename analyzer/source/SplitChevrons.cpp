// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SplitChevrons.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace coreside {

std::optional<std::string> withJoinedChevrons(StringRef text) {
  std::string result;
  // "<<" with one more behind white space is nothing else in C++; ">> >" may
  // end template arguments and counts only where a launch is open.
  for (size_t at = text.find("<<"); at != StringRef::npos;
       at = text.find("<<", at + 2)) {
    size_t third = text.find_first_not_of(" \t", at + 2);
    if (third == StringRef::npos || text[third] != '<' ||
        (at && text[at - 1] == '<'))
      continue;
    size_t end = std::min(text.find(';', third), text.size());
    StringRef inside = text.slice(third + 1, end);
    size_t close = std::min(inside.find(">>>"), inside.size());
    size_t apart = inside.size(), last = 0;
    for (size_t i = inside.find(">>"); i < close;
         i = inside.find(">>", i + 1)) {
      last = inside.find_first_not_of(" \t", i + 2);
      if (last != StringRef::npos && inside[last] == '>') {
        apart = i;
        break;
      }
    }
    if (third == at + 2 && apart == inside.size())
      continue;
    if (close == inside.size() && apart == inside.size())
      continue;
    if (result.empty())
      result = text.str();
    auto put = [&](size_t from, size_t behind, char bracket) {
      for (size_t i = from; i < behind; ++i)
        result[i] = i + 3 < behind ? ' ' : bracket;
    };
    put(at, third + 1, '<');
    if (apart < close)
      put(third + 1 + apart, third + 1 + last + 1, '>');
  }
  if (result.empty())
    return std::nullopt;
  return result;
}

namespace {

class Joined : public vfs::File {
public:
  explicit Joined(std::unique_ptr<vfs::File> file) : All(std::move(file)) {}

  ErrorOr<vfs::Status> status() override { return All->status(); }
  ErrorOr<std::string> getName() override { return All->getName(); }
  std::error_code close() override { return All->close(); }

  ErrorOr<std::unique_ptr<MemoryBuffer>> getBuffer(const Twine &name,
                                                   int64_t size, bool needsNull,
                                                   bool isVolatile) override {
    auto buffer = All->getBuffer(name, size, needsNull, isVolatile);
    if (!buffer)
      return buffer;
    if (auto joined = withJoinedChevrons((*buffer)->getBuffer()))
      return MemoryBuffer::getMemBufferCopy(*joined,
                                            (*buffer)->getBufferIdentifier());
    return buffer;
  }

private:
  std::unique_ptr<vfs::File> All;
};

} // namespace

ErrorOr<std::unique_ptr<vfs::File>>
JoinedChevrons::openFileForRead(const Twine &path) {
  auto file = ProxyFileSystem::openFileForRead(path);
  SmallString<256> text;
  if (!file || path.toStringRef(text).starts_with("/usr/"))
    return file;
  return std::unique_ptr<vfs::File>(std::make_unique<Joined>(std::move(*file)));
}

} // namespace coreside
