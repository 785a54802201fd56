// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   a CompileCommand.
// Out:  an ASTContext for the callback, and the errors.
//
// clang's tools would pick the device half of a CUDA command, so the host half
// is asked for by name. Bodies of functions in system headers are skipped: that
// saves about 40 % of the time, and nothing that is looked for stands in them.

#include "Parse.h"

#include "Invocation.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclBase.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/OffloadArch.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendOptions.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace llvm;

namespace coreside {
namespace {

constexpr const char declarationsText[] =
#include "cuda/Declarations.inc"
    ;
constexpr const char shimText[] =
#include "cuda/Shim.inc"
    ;

/// Where the tool's own headers lie, in memory only.
constexpr StringLiteral ownFolder = "/coreside-headers";

/// Header names that the tool's own declarations answer to.
constexpr StringLiteral ownHeaders[] = {"builtin_types.h",
                                        "cuda.h",
                                        "cuda_device_runtime_api.h",
                                        "cuda_profiler_api.h",
                                        "cuda_runtime.h",
                                        "cuda_runtime_api.h",
                                        "device_atomic_functions.h",
                                        "device_functions.h",
                                        "device_launch_parameters.h",
                                        "driver_types.h",
                                        "host_defines.h",
                                        "math_constants.h",
                                        "vector_functions.h",
                                        "vector_types.h"};

IntrusiveRefCntPtr<vfs::FileSystem>
withOwnHeaders(IntrusiveRefCntPtr<vfs::FileSystem> base) {
  auto memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  auto add = [&](const Twine &name, StringRef text) {
    memory->addFile(ownFolder + name, 0, MemoryBuffer::getMemBuffer(text));
  };
  add("/Shim.h", shimText);
  add("/cuda/Declarations.h", declarationsText);
  for (StringRef name : ownHeaders)
    add("/cuda/" + name, "#pragma once\n#include <Declarations.h>\n");
  auto overlay = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(std::move(base));
  overlay->pushOverlay(std::move(memory));
  return overlay;
}

/// The nearest architecture that clang's driver knows: sm_101 is read as
/// sm_100. On the host side only __CUDA_ARCH_LIST__ depends on it.
std::string nearestKnownArchitecture(ComputeCapability capability) {
  unsigned number = capability.major * 10 + capability.minor;
  for (unsigned tried = number; tried >= 30; --tried) {
    std::string name = "sm_" + std::to_string(tried);
    if (clang::StringToOffloadArch(name) != clang::OffloadArch::UNKNOWN)
      return name;
  }
  return "sm_90";
}

/// gcc's own headers that clang has no counterpart of (omp.h).
std::optional<std::string> gccHeaders() {
  std::string best;
  unsigned bestVersion = 0;
  std::error_code error;
  for (sys::fs::directory_iterator triple("/usr/lib/gcc", error), end;
       !error && triple != end; triple.increment(error)) {
    std::error_code inner;
    for (sys::fs::directory_iterator version(triple->path(), inner);
         !inner && version != end; version.increment(inner)) {
      unsigned number = 0;
      StringRef name = sys::path::filename(version->path());
      if (!name.consumeInteger(10, number) && number > bestVersion &&
          sys::fs::exists(version->path() + "/include/omp.h")) {
        bestVersion = number;
        best = version->path() + "/include";
      }
    }
  }
  if (best.empty())
    return std::nullopt;
  return best;
}

/// Keeps the first error of each line.
class ErrorCollector : public clang::DiagnosticConsumer {
public:
  explicit ErrorCollector(ParseResult &result) : Result(result) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override {
    if (level < clang::DiagnosticsEngine::Error)
      return;
    // Without CUDA's headers the mathematics of device code is the host's.
    if (Result.usedOwnDeclarations &&
        diagnostic.getID() == clang::diag::err_ref_bad_target)
      return;
    ++Result.errorCount;
    ParseError error;
    if (diagnostic.hasSourceManager() && diagnostic.getLocation().isValid()) {
      clang::PresumedLoc place = diagnostic.getSourceManager().getPresumedLoc(
          diagnostic.getLocation());
      if (place.isValid()) {
        error.file = place.getFilename();
        error.line = place.getLine();
        error.column = place.getColumn();
      }
    }
    if (Result.errors.size() >= 100 ||
        !Seen.insert({error.file, error.line}).second)
      return;
    SmallString<128> text;
    diagnostic.FormatDiagnostic(text);
    error.message = text.str().str();
    Result.errors.push_back(std::move(error));
  }

private:
  ParseResult &Result;
  std::set<std::pair<std::string, unsigned>> Seen;
};

class Consumer : public clang::ASTConsumer {
public:
  explicit Consumer(function_ref<void(clang::ASTContext &)> use) : Use(use) {}

  void HandleTranslationUnit(clang::ASTContext &context) override {
    Use(context);
  }
  bool shouldSkipFunctionBody(clang::Decl *declaration) override {
    return declaration->getASTContext().getSourceManager().isInSystemHeader(
        declaration->getLocation());
  }

private:
  function_ref<void(clang::ASTContext &)> Use;
};

class Action : public clang::ASTFrontendAction {
public:
  Action(ArchitectureWatch &watch, function_ref<void(clang::ASTContext &)> use)
      : Watch(watch), Use(use) {}

  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler, StringRef) override {
    clang::Preprocessor &preprocessor = compiler.getPreprocessor();
    preprocessor.addPPCallbacks(Watch.callbacks(preprocessor));
    return std::make_unique<Consumer>(Use);
  }

private:
  ArchitectureWatch &Watch;
  function_ref<void(clang::ASTContext &)> Use;
};

} // namespace

std::vector<std::string> clangCommandLine(const CompileCommand &command,
                                          const ParseOptions &options) {
  std::vector<std::string> words = {
      "clang++", "-x", "cuda",
      options.device ? "--cuda-device-only" : "--cuda-host-only",
      "-fsyntax-only", "-resource-dir=" CORESIDE_RESOURCE_DIR,
      "--no-cuda-version-check", "-Wno-unknown-cuda-version",
      // nvcc only warns.
      "-Wno-register"};
  auto add = [&](const Twine &word) { words.push_back(word.str()); };
  std::set<std::string> architectures;
  if (options.device) {
    architectures.insert(nearestKnownArchitecture(*options.device));
    // What clang does not know is read as its nearest, but for its number.
    add("-U__CUDA_ARCH__");
    add("-D__CUDA_ARCH__=" +
        Twine(options.device->major * 100 + options.device->minor * 10));
  } else {
    for (ComputeCapability capability : command.targets)
      architectures.insert(nearestKnownArchitecture(capability));
  }
  if (architectures.empty())
    architectures.insert("sm_90");
  for (const std::string &name : architectures)
    add("--cuda-gpu-arch=" + name);
  if (command.relocatable)
    add("-fgpu-rdc");
  if (command.perThreadDefaultStream) {
    add("-fgpu-default-stream=per-thread");
    add("-DCUDA_API_PER_THREAD_DEFAULT_STREAM=1");
  }
  // nvcc's own macros, and the ones that CUDA's headers ask for before they
  // declare what nvcc's flags switch on.
  unsigned majorVersion = options.toolkit ? options.toolkit->majorVersion : 13;
  unsigned minorVersion = options.toolkit ? options.toolkit->minorVersion : 0;
  add("-D__CUDACC_VER_MAJOR__=" + Twine(majorVersion));
  add("-D__CUDACC_VER_MINOR__=" + Twine(minorVersion));
  add("-D__CUDACC_VER_BUILD__=0");
  add("-D__CUDACC_EXTENDED_LAMBDA__");
  add("-D__CUDACC_RELAXED_CONSTEXPR__");
  add("-D_CG_CLUSTER_INTRINSICS_AVAILABLE");
  // The user's own come first among the include folders.
  words.insert(words.end(), command.clangArguments.begin(),
               command.clangArguments.end());
  // nvcc 12 and 13 default to C++17; clang 22 does too.
  if (options.toolkit) {
    add("--cuda-path=" + options.toolkit->path);
    // From CUDA 13 on Thrust, CUB and libcu++ live here; nvcc adds it by
    // itself.
    std::string cccl = options.toolkit->path + "/include/cccl";
    if (sys::fs::is_directory(cccl)) {
      add("-isystem");
      add(cccl);
    }
  } else {
    add("-nocudainc");
    add("-nocudalib");
    add("-isystem");
    add(ownFolder + "/cuda");
    add("-include");
    add(ownFolder + "/cuda/Declarations.h");
  }
  if (auto folder = gccHeaders()) {
    add("-idirafter");
    add(*folder);
  }
  add("-include");
  add(ownFolder + "/Shim.h");
  add("-w");
  add("-ferror-limit=0");
  add(command.file);
  return words;
}

Expected<ParseResult>
parse(const CompileCommand &command, const ParseOptions &options,
      function_ref<void(clang::ASTContext &, const ArchitectureText &)> use) {
  auto base = options.files ? options.files
                            : IntrusiveRefCntPtr<vfs::FileSystem>(
                                  vfs::createPhysicalFileSystem());
  auto status = base->openFileForRead(command.file);
  if (!status)
    return createStringError("cannot read '" + command.file +
                             "': " + status.getError().message());
  if (auto kind = base->status(command.file); kind && kind->isDirectory())
    return createStringError("cannot read '" + command.file +
                             "': it is a folder; name the files in it");
  auto files = withOwnHeaders(base);
  if (!command.directory.empty())
    (void)files->setCurrentWorkingDirectory(command.directory);

  std::vector<std::string> words = clangCommandLine(command, options);

  ParseResult result;
  result.usedOwnDeclarations = !options.toolkit;

  std::shared_ptr<clang::CompilerInvocation> invocation =
      invocationOf(words, files);
  // No test: no flag is known that gets through the translation and makes the
  // driver refuse the whole command.
  if (!invocation)
    return createStringError("cannot read '" + command.file +
                             "': clang rejects its flags; give others after "
                             "'--'");
  invocation->getFrontendOpts().SkipFunctionBodies = true;
  invocation->getFrontendOpts().DisableFree = false;
  invocation->getDiagnosticOpts().VerifyDiagnostics = false;
  invocation->getDiagnosticOpts().ShowCarets = false;

  clang::CompilerInstance compiler(invocation);
  compiler.setVirtualFileSystem(files);
  ErrorCollector collector(result);
  compiler.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
  // A missing header must not stop the instantiation of templates.
  compiler.getDiagnostics().setFatalsAsError(true);
  compiler.createFileManager();

  bool reached = false;
  ArchitectureWatch watch;
  Action action(watch, [&](clang::ASTContext &context) {
    reached = true;
    const clang::SourceManager &sources = context.getSourceManager();
    for (auto file = sources.fileinfo_begin(); file != sources.fileinfo_end();
         ++file) {
      SmallString<128> path(file->first.getName());
      if (path.starts_with(ownFolder))
        continue;
      sys::path::make_absolute(command.directory, path);
      result.files.push_back(std::string(path));
    }
    use(context, watch.take());
  });
  compiler.ExecuteAction(action);
  // No test: an action that does not begin has said why.
  if (!reached)
    return createStringError(
        "cannot read '" + command.file + "': " +
        (result.errors.empty() ? "clang gave up" : result.errors[0].message));
  return result;
}

} // namespace coreside
