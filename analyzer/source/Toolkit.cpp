// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   the file system and two environment variables.
// Out:  a Toolkit.

#include "Toolkit.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace coreside {

std::string Toolkit::version() const {
  return std::to_string(majorVersion) + "." + std::to_string(minorVersion);
}

static std::string joined(StringRef folder, const Twine &rest) {
  SmallString<128> path(folder);
  sys::path::append(path, rest);
  return path.str().str();
}

/// version.json says "version": "13.0.88" under "cuda"; toolkits from package
/// managers have no such file, but cuda.h defines CUDA_VERSION as 13000.
static void readVersion(Toolkit &toolkit) {
  if (auto buffer =
          MemoryBuffer::getFile(joined(toolkit.path, "version.json"))) {
    if (auto document = json::parse((*buffer)->getBuffer())) {
      if (const json::Object *top = document->getAsObject())
        if (const json::Object *cuda = top->getObject("cuda")) {
          auto [majorPart, rest] =
              cuda->getString("version").value_or("").split('.');
          if (!majorPart.getAsInteger(10, toolkit.majorVersion) &&
              !rest.split('.').first.getAsInteger(10, toolkit.minorVersion))
            return;
        }
    } else {
      consumeError(document.takeError());
    }
  }
  toolkit.majorVersion = toolkit.minorVersion = 0;
  auto buffer = MemoryBuffer::getFile(joined(toolkit.path, "include/cuda.h"));
  if (!buffer)
    return;
  StringRef rest =
      (*buffer)->getBuffer().split("#define CUDA_VERSION").second.ltrim(" \t");
  unsigned number = 0;
  if (rest.consumeInteger(10, number))
    return;
  toolkit.majorVersion = number / 1000;
  toolkit.minorVersion = number % 1000 / 10;
}

static std::optional<Toolkit> toolkitIn(StringRef folder) {
  if (folder.empty() ||
      !sys::fs::exists(joined(folder, "include/cuda_runtime.h")))
    return std::nullopt;
  Toolkit toolkit;
  SmallString<128> absolute(folder);
  sys::fs::make_absolute(absolute);
  sys::path::remove_dots(absolute, /*remove_dot_dot=*/true);
  toolkit.path = absolute.str().str();
  readVersion(toolkit);
  for (auto [name, place] : {std::pair("bin/nvcc", &toolkit.nvcc),
                             std::pair("bin/ptxas", &toolkit.ptxas),
                             std::pair("bin/nvlink", &toolkit.nvlink)})
    if (std::string path = joined(toolkit.path, name);
        sys::fs::can_execute(path))
      *place = path;
  return toolkit;
}

std::optional<Toolkit> findToolkit(StringRef path) {
  if (!path.empty())
    return toolkitIn(path);
  for (StringRef variable : {"CUDA_PATH", "CUDA_HOME"})
    if (auto folder = sys::Process::GetEnv(variable))
      if (auto toolkit = toolkitIn(*folder))
        return toolkit;
  if (auto nvcc = sys::findProgramByName("nvcc")) {
    // /usr/bin/nvcc may be a link into the toolkit.
    SmallString<128> real;
    if (!sys::fs::real_path(*nvcc, real))
      if (auto toolkit =
              toolkitIn(sys::path::parent_path(sys::path::parent_path(real))))
        return toolkit;
  }
  return toolkitIn("/usr/local/cuda");
}

} // namespace coreside
