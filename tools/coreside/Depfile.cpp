// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Depfile.h"

#include "control/WholeFile.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

using namespace coreside;

/// A file's name as Make and Ninja read it.
static std::string escaped(llvm::StringRef name) {
  std::string result;
  for (char c : name) {
    if (c == ' ' || c == '#')
      result += '\\';
    if (c == '$')
      result += '$';
    result += c;
  }
  return result;
}

llvm::Error coreside::writeDepfile(llvm::StringRef file, llvm::StringRef target,
                                   const std::set<std::string> &inputs) {
  std::set<std::string> names;
  for (const std::string &input : inputs) {
    llvm::SmallString<256> real;
    if (input != "-" && !llvm::sys::fs::real_path(input, real))
      names.insert(real.str().str());
  }
  std::string text = escaped(target) + ":";
  for (const std::string &name : names)
    text += " \\\n  " + escaped(name);
  return writeWholeFile(file, text + "\n");
}
