// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which clangd is run.
//
// In:   --coreside-clangd=PATH, CORESIDE_CLANGD, PATH
// Out:  /usr/bin/clangd-22
//
// The first that is named counts: the option, the variable, clangd-22 on PATH,
// clangd on PATH. Files of a project name none: opening a folder must not run a
// program of it.

#ifndef CORESIDE_EDITOR_FINDCLANGD_H
#define CORESIDE_EDITOR_FINDCLANGD_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>

namespace coreside {

/// The program to run, absolute or as it was named. `named` is the option's
/// value, empty where it was not given; `ourselves` is coreside, which is never
/// the answer. One-line error: none, or the one that was named cannot be run.
llvm::Expected<std::string> findClangd(llvm::StringRef named,
                                       llvm::StringRef ourselves);

} // namespace coreside

#endif
