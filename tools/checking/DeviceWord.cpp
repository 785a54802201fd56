// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceWord.h"

#include "WordOfParts.h"

#include "clang/Basic/LangOptions.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MemoryBuffer.h"

#include <set>

using namespace coreside;
using llvm::StringRef;

std::string coreside::deviceWord(StringRef text,
                                 llvm::ArrayRef<HostBody> bodies) {
  clang::LangOptions language;
  language.CUDA = true;
  language.CPlusPlus = language.CPlusPlus11 = language.CPlusPlus14 = true;
  language.CPlusPlus17 = language.CPlusPlus20 = language.LineComment = true;
  language.RawStringLiterals = true;
  clang::Lexer lexer(clang::SourceLocation::getFromRawEncoding(1), language,
                     text.begin(), text.begin(), text.end());
  WordOfParts words;
  clang::Token token;
  for (bool atEnd = false; !atEnd;) {
    atEnd = lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof))
      break;
    size_t end = lexer.getCurrentBufferOffset();
    size_t begin = end - token.getLength();
    if (llvm::any_of(bodies, [&](const HostBody &body) {
          // With the brace behind it, whose place on its line changes.
          return body.begin <= begin && begin <= body.end;
        }))
      continue;
    words.add(text.slice(begin, end));
    words.add(token.isAtStartOfLine()   ? "line"
              : token.hasLeadingSpace() ? "blank"
                                        : "");
  }
  return words.word();
}

std::string coreside::deviceWord(const Unit &unit, const UnitOptions &options) {
  auto files = options.files ? options.files : llvm::vfs::getRealFileSystem();
  auto buffer = files->getBufferForFile(unit.command.file);
  if (!buffer)
    return {};
  // What clang made of a text with errors in it says little.
  const Program &program = unit.program;
  WordOfParts words;
  words.add(deviceWord((*buffer)->getBuffer(),
                       program.unread.empty()
                           ? llvm::ArrayRef(program.hostBodies)
                           : llvm::ArrayRef<HostBody>()));
  std::set<StringRef> kernels;
  for (const Kernel &kernel : program.kernels)
    kernels.insert(kernel.mangled);
  for (StringRef kernel : kernels)
    words.add(kernel);
  return words.word();
}
