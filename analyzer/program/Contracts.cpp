// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   comments and attributes.
// Out:  Program::contracts.

#include "Contracts.h"

#include "KernelTable.h"
#include "source/SourceName.h"
#include "source/TokenizedFile.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace coreside {
namespace {

/// The names in "together(a, ns::b<4>)"; nothing where it is not whole.
std::vector<std::string> namesIn(llvm::StringRef text) {
  text = text.trim();
  if (!text.consume_front("together"))
    return {};
  text = text.ltrim();
  if (!text.consume_front("("))
    return {};
  std::vector<std::string> names;
  int depth = 0;
  size_t from = 0;
  for (size_t i = 0; i != text.size(); ++i) {
    char c = text[i];
    depth += c == '<' || c == '(';
    if (depth == 0 && (c == ',' || c == ')')) {
      llvm::StringRef name = text.slice(from, i).trim();
      if (name.empty())
        return {};
      names.push_back(name.str());
      from = i + 1;
      if (c == ')')
        return names.size() > 1 ? names : std::vector<std::string>();
    }
    depth -= c == '>' || (depth > 0 && c == ')');
  }
  return {};
}

class Reader {
public:
  Reader(ASTContext &context, Program &program)
      : Sources(context.getSourceManager()), Context(context), Result(program) {
  }

  void readComments(llvm::ArrayRef<std::string> headers) {
    if (auto main = Sources.getFileEntryRefForID(Sources.getMainFileID()))
      readComments(*main);
    for (const std::string &header : headers)
      if (auto file = Sources.getFileManager().getOptionalFileRef(header))
        readComments(*file);
  }

  void readAttributes(const FunctionDecl &kernel) {
    for (const auto *attribute : kernel.specific_attrs<AnnotateAttr>()) {
      llvm::StringRef text = attribute->getAnnotation();
      if (text.consume_front("coreside::"))
        add(text, placeOf(attribute->getLocation(), Context));
    }
  }

private:
  SourceManager &Sources;
  const ASTContext &Context;
  Program &Result;

  void readComments(FileEntryRef file) {
    auto buffer = Sources.getMemoryBufferForFileOrNone(file);
    // Lexed only where there is something to read.
    if (!buffer || !buffer->getBuffer().contains("coreside:") ||
        !buffer->getBuffer().contains("together"))
      return;
    TokenizedFile tokens(
        llvm::MemoryBuffer::getMemBuffer(*buffer, /*Requires=*/false));
    for (const TokenizedFile::Comment &comment : tokens.comments()) {
      llvm::StringRef text = comment.text.ltrim("/*! \t\n");
      if (!text.consume_front("coreside:"))
        continue;
      text = text.ltrim();
      if (text.starts_with("together"))
        add(text, {absoluteName(file.getName(), Sources.getFileManager()),
                   comment.line, comment.column});
    }
  }

  void add(llvm::StringRef text, SourcePlace place) {
    std::vector<std::string> names = namesIn(text);
    if (names.empty()) {
      Result.unread.push_back(
          {place, "expected a contract of at least two kernels, as in "
                  "'together(front, back)'"});
      return;
    }
    // Instantiations of a template share the attribute.
    if (llvm::none_of(Result.contracts, [&](const Together &known) {
          return known.place == place && known.kernels == names;
        }))
      Result.contracts.push_back({std::move(names), std::move(place)});
  }
};

} // namespace

void readContracts(ASTContext &context, llvm::ArrayRef<std::string> userHeaders,
                   llvm::ArrayRef<const FunctionDecl *> kernels,
                   Program &program) {
  Reader reader(context, program);
  reader.readComments(userHeaders);
  for (const FunctionDecl *kernel : kernels)
    reader.readAttributes(*kernel);
}

} // namespace coreside
