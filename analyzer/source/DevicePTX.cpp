// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DevicePTX.h"

#include "ClangResources.h"
#include "Invocation.h"
#include "OwnHeaders.h"

#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "clang/CodeGen/CodeGenAction.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/CompilerInvocation.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/VirtualFileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <mutex>

extern "C" {
void LLVMInitializeNVPTXTarget();
void LLVMInitializeNVPTXTargetInfo();
void LLVMInitializeNVPTXTargetMC();
void LLVMInitializeNVPTXAsmPrinter();
}

using namespace llvm;

namespace coreside {
namespace {

/// Keeps the first error.
class FirstError : public clang::DiagnosticConsumer {
public:
  std::string text;

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override {
    if (level < clang::DiagnosticsEngine::Error || !text.empty())
      return;
    SmallString<128> message;
    diagnostic.FormatDiagnostic(message);
    if (diagnostic.hasSourceManager() && diagnostic.getLocation().isValid()) {
      clang::PresumedLoc place = diagnostic.getSourceManager().getPresumedLoc(
          diagnostic.getLocation());
      if (place.isValid())
        text = place.getFilename() + (":" + std::to_string(place.getLine())) +
               ": ";
    }
    text += message.str();
  }
};

std::vector<std::string> deviceCommandLine(const CompileCommand &command,
                                           const Toolkit &toolkit,
                                           ComputeCapability capability) {
  std::vector<std::string> words = {
      "clang++",
      "-x",
      "cuda",
      "--cuda-device-only",
      "-S",
      "-o",
      "-",
      "-O3",
      "-resource-dir=" + clangResources(),
      "--no-cuda-version-check",
      "--cuda-path=" + toolkit.path,
      "--cuda-gpu-arch=sm_" +
          std::to_string(capability.major * 10 + capability.minor)};
  if (command.relocatable)
    words.push_back("-fgpu-rdc");
  if (!sys::fs::is_directory(toolkit.path + "/nvvm/libdevice"))
    words.push_back("-nocudalib");
  for (StringRef word : command.nvccArguments)
    if (word == "--use_fast_math")
      words.push_back("-ffast-math");
  words.insert(words.end(), command.clangArguments.begin(),
               command.clangArguments.end());
  std::string cccl = toolkit.path + "/include/cccl";
  if (sys::fs::is_directory(cccl))
    for (const std::string &word : {std::string("-isystem"), cccl})
      words.push_back(word);
  words.push_back("-include");
  words.push_back(offersHeader.str());
  words.push_back("-w");
  words.push_back(command.file);
  return words;
}

} // namespace

Expected<std::string> devicePTX(const CompileCommand &command,
                                const Toolkit &toolkit,
                                ComputeCapability capability) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeNVPTXTargetInfo();
    LLVMInitializeNVPTXTarget();
    LLVMInitializeNVPTXTargetMC();
    LLVMInitializeNVPTXAsmPrinter();
  });
  std::vector<std::string> words =
      deviceCommandLine(command, toolkit, capability);

  auto files = withOwnHeaders(IntrusiveRefCntPtr<vfs::FileSystem>(
      vfs::createPhysicalFileSystem().release()));
  if (!command.directory.empty())
    (void)files->setCurrentWorkingDirectory(command.directory);
  std::shared_ptr<clang::CompilerInvocation> invocation =
      invocationOf(words, files);
  auto failed = [&](StringRef cause) {
    return createStringError("clang cannot compile the kernels of '" +
                             command.file + "' for " + smName(capability) +
                             ": " + cause);
  };
  if (!invocation)
    return failed("it rejects the flags");
  // clang has no bounds on registers of its own; ptxas gets them.
  clang::CompilerInstance compiler(invocation);
  compiler.setVirtualFileSystem(files);
  FirstError collector;
  compiler.createDiagnostics(&collector, /*ShouldOwnClient=*/false);
  compiler.createFileManager();
  auto text = std::make_unique<SmallVector<char, 0>>();
  compiler.setOutputStream(std::make_unique<raw_svector_ostream>(*text));
  clang::EmitAssemblyAction action;
  if (!compiler.ExecuteAction(action) || text->empty())
    return failed(collector.text.empty() ? "it gives no reason"
                                         : collector.text);
  return std::string(text->data(), text->size());
}

} // namespace coreside
