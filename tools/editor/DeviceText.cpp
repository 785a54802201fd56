// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceText.h"

#include "checking/DeviceWord.h"
#include "checking/WordOfParts.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

#include <set>

using namespace coreside;
using llvm::StringRef;

bool coreside::changesHostBody(StringRef before, StringRef now,
                               llvm::ArrayRef<HostBody> bodies) {
  size_t both = std::min(before.size(), now.size());
  size_t first = 0, last = 0;
  while (first != both && before[first] == now[first])
    ++first;
  while (last != both - first &&
         before[before.size() - 1 - last] == now[now.size() - 1 - last])
    ++last;
  return llvm::any_of(bodies, [&](const HostBody &body) {
    return body.begin <= first && before.size() - last <= body.end;
  });
}

std::string DeviceTexts::ofFile(const std::string &file) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(file, status))
    return {};
  OnDisk now;
  now.size = status.getSize();
  now.time = status.getLastModificationTime().time_since_epoch().count();
  OnDisk &known = Known[file];
  if (!known.word.empty() && known.size == now.size && known.time == now.time)
    return known.word;
  // Headers of the system are many, and nobody edits them.
  now.word = std::to_string(now.size) + " " + std::to_string(now.time);
  if (!StringRef(file).starts_with("/usr/"))
    if (auto text = llvm::MemoryBuffer::getFile(file))
      now.word = deviceWord((*text)->getBuffer(), {});
  known = now;
  return now.word;
}

std::string DeviceTexts::key(llvm::ArrayRef<Unit> units,
                             const OpenDocuments &documents) {
  WordOfParts words;
  for (const Unit &unit : units) {
    const CompileCommand &command = unit.command;
    words.add(command.file);
    words.add(command.directory);
    for (const auto *arguments :
         {&command.nvccArguments, &command.clangArguments}) {
      words.add(arguments->size());
      for (const std::string &argument : *arguments)
        words.add(argument);
    }
    words.add(command.relocatable);
    std::set<ComputeCapability> capabilities;
    for (const GPU &gpu : unit.gpus)
      capabilities.insert(gpu.architecture.capability);
    words.add(capabilities.size());
    for (ComputeCapability capability : capabilities)
      words.add(capability.major * 10 + capability.minor);

    const Program &program = unit.program;
    std::set<StringRef> kernels;
    for (const Kernel &kernel : program.kernels)
      kernels.insert(kernel.mangled);
    words.add(kernels.size());
    for (StringRef kernel : kernels)
      words.add(kernel);

    words.add(program.files.size());
    for (const std::string &file : program.files) {
      words.add(file);
      auto open = documents.find(file);
      if (open == documents.end()) {
        words.add(ofFile(file));
        continue;
      }
      // What clang made of a text with errors in it says little.
      bool leaveOut = file == command.file && program.unread.empty();
      words.add(deviceWord(*open->second.text, leaveOut
                                                   ? program.hostBodies
                                                   : std::vector<HostBody>()));
    }
  }
  return words.word();
}
