// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MakePreamble.h"

#include "BracedLaunch.h"
#include "ErrorCollector.h"
#include "SourceName.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Serialization/ASTReader.h"
#include "clang/Serialization/ASTWriter.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/ADT/STLExtras.h"

#include <utility>

using namespace llvm;

namespace coreside {
namespace {

bool isSystem(const clang::Decl &declaration,
              const clang::SourceManager &sources) {
  clang::SourceLocation place = declaration.getLocation();
  return place.isInvalid() ||
         sources.isInSystemHeader(sources.getExpansionLoc(place));
}

class Callbacks : public clang::PreambleCallbacks {
public:
  explicit Callbacks(Preamble &preamble) : Result(preamble) {
    if (!Result.base)
      return;
    Result.architecture = Result.base->architecture;
    Result.files = Result.base->files;
    Result.userHeaders = Result.base->userHeaders;
  }

  void BeforeExecute(clang::CompilerInstance &compiler) override {
    Compiler = &compiler;
  }
  std::unique_ptr<clang::PPCallbacks> createPPCallbacks() override {
    clang::Preprocessor &preprocessor = Compiler->getPreprocessor();
    preprocessor.addPPCallbacks(completeBracedLaunches(preprocessor));
    return Watch.callbacks(preprocessor);
  }
  bool shouldSkipFunctionBody(clang::Decl *declaration) override {
    return isSystem(*declaration, Compiler->getSourceManager());
  }
  void AfterPCHEmitted(clang::ASTWriter &writer) override {
    auto add = [&](const clang::Decl *declaration) {
      if (declaration && !isSystem(*declaration, Compiler->getSourceManager()))
        Result.declarations.push_back(writer.getDeclID(declaration));
    };
    if (Result.base) {
      clang::ASTReader &reader = *Compiler->getASTReader();
      for (clang::LocalDeclID id : Result.base->declarations)
        add(reader.GetLocalDecl(reader.getModuleManager().getPrimaryModule(),
                                id));
    }
    for (const clang::Decl *declaration :
         Compiler->getASTContext().getTranslationUnitDecl()->noload_decls())
      if (!declaration->isFromASTFile())
        add(declaration);
  }
  void AfterExecute(clang::CompilerInstance &compiler) override {
    const clang::SourceManager &sources = compiler.getSourceManager();
    // Of a run's files, the preamble is that of the others, too.
    auto main = sources.getFileEntryRefForID(sources.getMainFileID());
    for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end();
         ++file)
      if (!main || file->first != *main)
        Result.files.push_back(file->first.getName().str());
    append_range(Result.userHeaders, userHeaders(sources));
    Result.architecture.add(Watch.take());
    if (Result.base)
      Result.words = HeaderWords(compiler.getPreprocessor());
  }

private:
  Preamble &Result;
  ArchitectureWatch Watch;
  clang::CompilerInstance *Compiler = nullptr;
};

} // namespace

std::shared_ptr<Preamble>
makePreamble(const clang::CompilerInvocation &invocation,
             const MemoryBuffer &text, clang::PreambleBounds bounds,
             bool ownDeclarations, IntrusiveRefCntPtr<vfs::FileSystem> files,
             std::shared_ptr<const Preamble> base) {
  auto preamble = std::make_shared<Preamble>();
  preamble->bounds = bounds;
  clang::CompilerInvocation copy(invocation);
  if (base) {
    preamble->errors = base->errors;
    base->carry(copy, files);
    preamble->base = std::move(base);
  }
  ErrorCollector collector(preamble->errors, ownDeclarations);
  IntrusiveRefCntPtr<clang::DiagnosticsEngine> diagnostics =
      clang::CompilerInstance::createDiagnostics(
          *files, copy.getDiagnosticOpts(), &collector,
          /*ShouldOwnClient=*/false);
  diagnostics->setFatalsAsError(true);
  Callbacks callbacks(*preamble);
  auto compiled = clang::PrecompiledPreamble::Build(
      copy, &text, bounds, diagnostics, files,
      std::make_shared<clang::PCHContainerOperations>(),
      /*StoreInMemory=*/true, "", callbacks);
  if (!compiled)
    return nullptr;
  preamble->compiled.emplace(std::move(*compiled));
  return preamble;
}

} // namespace coreside
