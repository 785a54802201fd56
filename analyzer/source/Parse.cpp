// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   a CompileCommand.
// Out:  an ASTContext for the callback, and the errors.
//
// clang's tools would pick the device half of a CUDA command, so the host half
// is asked for by name. Bodies of functions in system headers are skipped: that
// saves about 40 % of the time, and nothing that is looked for stands in them.
// With a preamble only declarations that are not of system headers are read
// from it.

#include "Parse.h"

#include "BracedLaunch.h"
#include "ClangResources.h"
#include "ErrorCollector.h"
#include "Invocation.h"
#include "OwnHeaders.h"
#include "Preamble.h"
#include "SourceName.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/OffloadArch.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Frontend/FrontendOptions.h"
#include "clang/Lex/PPCallbacks.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Lex/PreprocessorOptions.h"
#include "clang/Serialization/ASTReader.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <set>

using namespace llvm;

namespace coreside {
namespace {

/// Whether a source is HIP's: there CUDA's headers are not there. One that gets
/// HIP's by way of another header is found out when that is missed.
bool isHIP(const CompileCommand &command, vfs::FileSystem &files) {
  if (StringRef(command.file).ends_with(".hip"))
    return true;
  auto text = files.getBufferForFile(command.file);
  return text && (*text)->getBuffer().contains("hip/hip_runtime") &&
         !(*text)->getBuffer().contains("cuda_runtime");
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

bool isSet(const std::atomic<bool> *flag) { return flag && *flag; }

class Consumer : public clang::ASTConsumer {
public:
  Consumer(function_ref<void(clang::CompilerInstance &)> use,
           clang::CompilerInstance &compiler, const std::atomic<bool> *stop)
      : Use(use), Compiler(compiler), Stop(stop) {}

  bool HandleTopLevelDecl(clang::DeclGroupRef) override { return !isSet(Stop); }

  void HandleTranslationUnit(clang::ASTContext &) override {
    if (!isSet(Stop))
      Use(Compiler);
  }
  // What is read from a preamble while the AST is walked is not new.
  void HandleInterestingDecl(clang::DeclGroupRef) override {}
  bool shouldSkipFunctionBody(clang::Decl *declaration) override {
    return declaration->getASTContext().getSourceManager().isInSystemHeader(
        declaration->getLocation());
  }

private:
  function_ref<void(clang::CompilerInstance &)> Use;
  clang::CompilerInstance &Compiler;
  const std::atomic<bool> *Stop;
};

class Action : public clang::ASTFrontendAction {
public:
  Action(ArchitectureWatch &watch,
         function_ref<void(clang::CompilerInstance &)> use,
         const std::atomic<bool> *stop)
      : Watch(watch), Use(use), Stop(stop) {}

  std::unique_ptr<clang::ASTConsumer>
  CreateASTConsumer(clang::CompilerInstance &compiler, StringRef) override {
    clang::Preprocessor &preprocessor = compiler.getPreprocessor();
    preprocessor.addPPCallbacks(Watch.callbacks(preprocessor));
    preprocessor.addPPCallbacks(completeBracedLaunches(preprocessor));
    return std::make_unique<Consumer>(Use, compiler, Stop);
  }

private:
  ArchitectureWatch &Watch;
  function_ref<void(clang::CompilerInstance &)> Use;
  const std::atomic<bool> *Stop;
};

/// The declarations that `ParsedFile` tells of.
std::vector<clang::Decl *> topOf(clang::CompilerInstance &compiler,
                                 const Preamble *preamble) {
  std::vector<clang::Decl *> result;
  const clang::TranslationUnitDecl *unit =
      compiler.getASTContext().getTranslationUnitDecl();
  if (!preamble) {
    llvm::append_range(result, unit->decls());
    return result;
  }
  // To read all of a preamble would cost what it saves.
  clang::ASTReader &reader = *compiler.getASTReader();
  for (clang::LocalDeclID id : preamble->declarations)
    if (clang::Decl *declaration = reader.GetLocalDecl(
            reader.getModuleManager().getPrimaryModule(), id))
      result.push_back(declaration);
  llvm::append_range(result, unit->noload_decls());
  return result;
}

/// A file that can be read to its end: no folder, no pipe, no device.
Error checkReadable(vfs::FileSystem &files, const std::string &file) {
  auto cannot = [&](const Twine &why) {
    return createStringError("cannot read '" + file + "': " + why);
  };
  auto status = files.status(file);
  if (!status)
    return cannot(status.getError().message());
  if (status->isDirectory())
    return createStringError("cannot read '" + file +
                             "': it is a folder; name the files in it");
  if (!status->isRegularFile())
    return createStringError("cannot read '" + file +
                             "': it is a pipe or a device; save what it gives "
                             "to a file");
  if (auto opened = files.openFileForRead(file); !opened)
    return cannot(opened.getError().message());
  return Error::success();
}

} // namespace

std::vector<std::string> clangCommandLine(const CompileCommand &command,
                                          const ParseOptions &options) {
  std::vector<std::string> words = {
      "clang++", "-x", "cuda",
      options.device ? "--cuda-device-only" : "--cuda-host-only",
      "-fsyntax-only", "-resource-dir=" + clangResources(),
      "--no-cuda-version-check", "-Wno-unknown-cuda-version",
      // nvcc only warns, or says nothing.
      "-Wno-register", "-Wno-c++11-narrowing"};
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
  if (command.byClang)
    add("-DCORESIDE_COMPILED_BY_CLANG");
  // As nvcc does it, CUDA's headers come before files that the user includes by
  // an option.
  for (StringRef header : {declarationsHeader, annotationsHeader, offersHeader})
    if (header != declarationsHeader || !options.toolkit) {
      add("-include");
      add(header == declarationsHeader && options.hip
              ? StringRef(hipDeclarationsHeader)
              : header);
    }
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
    add(options.hip ? hipDeclarationsFolder : declarationsFolder);
  }
  if (auto folder = gccHeaders()) {
    add("-idirafter");
    add(*folder);
  }
  add("-w");
  add("-ferror-limit=0");
  add(command.file);
  return words;
}

std::string preambleKey(const CompileCommand &command,
                        const ParseOptions &options) {
  std::vector<std::string> words = clangCommandLine(command, options);
  // The file itself comes last.
  words.back() = command.directory;
  return join(words, StringRef("\0", 1));
}

/// `missesHIP`: set, and nothing used, where a header of HIP's is not found.
static Expected<ParseResult>
parseOnce(const CompileCommand &command, const ParseOptions &options,
          IntrusiveRefCntPtr<vfs::FileSystem> files,
          function_ref<void(const ParsedFile &)> use, bool &missesHIP) {

  std::shared_ptr<clang::CompilerInvocation> invocation =
      invocationOf(clangCommandLine(command, options), files);
  // No test: no flag is known that gets through the translation and makes the
  // driver refuse the whole command.
  if (!invocation)
    return createStringError("cannot read '" + command.file +
                             "': clang rejects its flags; give others after "
                             "'--'");
  invocation->getFrontendOpts().SkipFunctionBodies = options.skipSystemBodies;
  invocation->getFrontendOpts().DisableFree = false;
  invocation->getDiagnosticOpts().VerifyDiagnostics = false;
  invocation->getDiagnosticOpts().ShowCarets = false;

  ParseResult result;
  result.usedOwnDeclarations = !options.toolkit;
  std::unique_ptr<MemoryBuffer> text;
  std::shared_ptr<const Preamble> preamble;
  if (options.preambles)
    if (auto buffer = files->getBufferForFile(command.file)) {
      text = std::move(*buffer);
      preamble =
          options.preambles->find(preambleKey(command, options), *invocation,
                                  *text, result.usedOwnDeclarations, files);
    }
  if (preamble) {
    preamble->begin(*invocation, files, text.get());
    result.errors = preamble->errors;
  }

  clang::CompilerInstance compiler(invocation);
  compiler.setVirtualFileSystem(files);
  ErrorCollector collector(result.errors, result.usedOwnDeclarations,
                           &compiler);
  compiler.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
  // A missing header must not stop the instantiation of templates.
  compiler.getDiagnostics().setFatalsAsError(true);
  compiler.createFileManager();

  bool reached = false;
  ArchitectureWatch watch;
  Action action(
      watch,
      [&](clang::CompilerInstance &parsed) {
        reached = true;
        missesHIP = !options.hip &&
                    any_of(result.errors.first, [](const ParseError &error) {
                      return StringRef(error.message).starts_with("'hip/hip_");
                    });
        if (missesHIP)
          return;
        std::set<std::string> names;
        const clang::SourceManager &sources = parsed.getSourceManager();
        for (auto file = sources.fileinfo_begin();
             file != sources.fileinfo_end(); ++file)
          names.insert(file->first.getName().str());
        ArchitectureText architecture = watch.take();
        if (preamble) {
          names.insert(preamble->files.begin(), preamble->files.end());
          architecture.add(preamble->architecture);
        }
        std::set<std::string> absolute;
        for (StringRef name : names)
          if (!name.starts_with(ownHeaders) && name != versionHeader())
            absolute.insert(absoluteName(name, parsed.getFileManager()));
        result.files.assign(absolute.begin(), absolute.end());
        std::vector<std::string> headers;
        if (preamble)
          headers = preamble->userHeaders;
        for (std::string &name : userHeaders(sources))
          if (!is_contained(headers, name))
            headers.push_back(std::move(name));
        use({parsed.getASTContext(), architecture,
             topOf(parsed, preamble.get()), std::move(headers)});
      },
      options.stop);
  compiler.ExecuteAction(action);
  if (isSet(options.stop))
    return createStringError("stopped");
  // No test: an action that does not begin has said why.
  if (!reached)
    return createStringError("cannot read '" + command.file + "': " +
                             (result.errors.first.empty()
                                  ? "clang gave up"
                                  : result.errors.first[0].message));
  return result;
}

Expected<ParseResult> parse(const CompileCommand &command,
                            const ParseOptions &options,
                            function_ref<void(const ParsedFile &)> use) {
  auto base = options.files ? options.files
                            : IntrusiveRefCntPtr<vfs::FileSystem>(
                                  vfs::createPhysicalFileSystem());
  if (Error error = checkReadable(*base, command.file))
    return error;
  if (isSet(options.stop))
    return createStringError("stopped");
  auto files = withOwnHeaders(base);
  if (!command.directory.empty())
    (void)files->setCurrentWorkingDirectory(command.directory);

  ParseOptions used = options;
  auto asHIP = [&] {
    used.hip = true;
    used.toolkit.reset();
  };
  if (isHIP(command, *files))
    asHIP();
  bool missesHIP = false;
  auto result = parseOnce(command, used, files, use, missesHIP);
  if (!missesHIP)
    return result;
  asHIP();
  return parseOnce(command, used, files, use, missesHIP);
}

} // namespace coreside
