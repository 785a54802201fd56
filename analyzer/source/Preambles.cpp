// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Preambles.h"

#include "BracedLaunch.h"
#include "ErrorCollector.h"
#include "LeadingIncludes.h"
#include "Preamble.h"
#include "SourceName.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/DiagnosticOptions.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Serialization/ASTWriter.h"
#include "clang/Serialization/PCHContainerOperations.h"
#include "llvm/ADT/StringMap.h"

#include <mutex>
#include <set>
#include <string>

using namespace llvm;

namespace coreside {
namespace {

/// Files of a run that must share one before it pays: making one costs about
/// what it saves two of them.
constexpr unsigned fewestFiles = 3;

bool isSystem(const clang::Decl &declaration,
              const clang::SourceManager &sources) {
  clang::SourceLocation place = declaration.getLocation();
  return place.isInvalid() ||
         sources.isInSystemHeader(sources.getExpansionLoc(place));
}

class Callbacks : public clang::PreambleCallbacks {
public:
  explicit Callbacks(Preamble &preamble) : Result(preamble) {}

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
    for (const clang::Decl *declaration :
         Compiler->getASTContext().getTranslationUnitDecl()->decls())
      if (!isSystem(*declaration, Compiler->getSourceManager()))
        Result.declarations.push_back(writer.getDeclID(declaration));
  }
  void AfterExecute(clang::CompilerInstance &compiler) override {
    const clang::SourceManager &sources = compiler.getSourceManager();
    // Of a run's files, the preamble is that of the others, too.
    auto main = sources.getFileEntryRefForID(sources.getMainFileID());
    for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end();
         ++file)
      if (!main || file->first != *main)
        Result.files.push_back(file->first.getName().str());
    Result.userHeaders = userHeaders(sources);
    Result.architecture = Watch.take();
  }

private:
  Preamble &Result;
  ArchitectureWatch Watch;
  clang::CompilerInstance *Compiler = nullptr;
};

std::shared_ptr<const Preamble>
make(const clang::CompilerInvocation &invocation, const MemoryBuffer &text,
     clang::PreambleBounds bounds, bool ownDeclarations,
     IntrusiveRefCntPtr<vfs::FileSystem> files) {
  auto preamble = std::make_shared<Preamble>();
  preamble->bounds = bounds;
  ErrorCollector collector(preamble->errors, ownDeclarations);
  clang::CompilerInvocation copy(invocation);
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

} // namespace

struct Preambles::Kept {
  Kind kind = Kind::OfFlags;
  struct Entry {
    std::mutex use;
    unsigned announced = 0;
    bool tried = false;
    std::shared_ptr<const Preamble> preamble;
  };
  std::mutex use;
  StringMap<std::shared_ptr<Entry>> entries;
  /// Of files: the keys of each.
  StringMap<std::set<std::string>> keysOf;

  std::shared_ptr<Entry> entry(StringRef key) {
    std::lock_guard lock(use);
    std::shared_ptr<Entry> &at = entries[key];
    if (!at)
      at = std::make_shared<Entry>();
    return at;
  }
};

Preambles::Preambles(Kind kind) : All(std::make_unique<Kept>()) {
  All->kind = kind;
}
Preambles::~Preambles() = default;

void Preambles::announce(StringRef flags) {
  std::shared_ptr<Kept::Entry> entry = All->entry(flags);
  std::lock_guard lock(entry->use);
  ++entry->announced;
}

void Preambles::forget(StringRef file) {
  std::lock_guard lock(All->use);
  for (const std::string &key : All->keysOf.lookup(file))
    All->entries.erase(key);
  All->keysOf.erase(file);
}

std::shared_ptr<const Preamble>
Preambles::find(StringRef flags, const clang::CompilerInvocation &invocation,
                const MemoryBuffer &text, bool ownDeclarations,
                IntrusiveRefCntPtr<vfs::FileSystem> files) {
  const bool ofFile = All->kind == Kind::OfFile;
  std::string key = flags.str();
  if (ofFile) {
    key += text.getBufferIdentifier();
    std::lock_guard lock(All->use);
    All->keysOf[text.getBufferIdentifier()].insert(key);
  }
  std::shared_ptr<Kept::Entry> kept = All->entry(key);
  Kept::Entry &entry = *kept;
  std::lock_guard lock(entry.use);
  if (!ofFile) {
    if (!entry.tried && entry.announced >= fewestFiles) {
      entry.tried = true;
      entry.preamble = make(invocation, text, clang::PreambleBounds(0, true),
                            ownDeclarations, files);
    }
    return entry.preamble;
  }
  clang::PreambleBounds bounds =
      leadingIncludes(invocation.getLangOpts(), text);
  if (!entry.preamble ||
      !entry.preamble->compiled->CanReuse(invocation, text, bounds, *files))
    entry.preamble = make(invocation, text, bounds, ownDeclarations, files);
  return entry.preamble;
}

} // namespace coreside
