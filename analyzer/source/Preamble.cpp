// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Preamble.h"

#include "OwnHeaders.h"

#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace coreside {

std::string Preamble::name() const {
  unsigned depth = 0;
  for (const Preamble *under = base.get(); under; under = under->base.get())
    ++depth;
  return (ownHeaders + "/preamble-" + Twine(depth)).str();
}

void Preamble::carry(clang::CompilerInvocation &invocation,
                     IntrusiveRefCntPtr<vfs::FileSystem> &files) const {
  if (base)
    base->carry(invocation, files);
  clang::PreprocessorOptions &options = invocation.getPreprocessorOpts();
  IntrusiveRefCntPtr<vfs::FileSystem> alone =
      makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  compiled->AddImplicitPreamble(invocation, alone, nullptr);
  options.clearRemappedFiles();
  auto memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  if (auto buffer = alone->getBufferForFile(options.ImplicitPCHInclude))
    memory->addFile(name(), 0, std::move(*buffer));
  options.ImplicitPCHInclude = name();
  auto overlay = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(files);
  overlay->pushOverlay(std::move(memory));
  files = std::move(overlay);
}

void Preamble::begin(clang::CompilerInvocation &invocation,
                     IntrusiveRefCntPtr<vfs::FileSystem> &files,
                     MemoryBuffer *text) const {
  if (base)
    base->carry(invocation, files);
  clang::PreprocessorOptions &options = invocation.getPreprocessorOpts();
  options.RetainRemappedFileBuffers = true;
  compiled->AddImplicitPreamble(invocation, files, text);
  options.PrecompiledPreambleBytes = {bounds.Size,
                                      bounds.PreambleEndsAtStartOfLine};
}

} // namespace coreside
