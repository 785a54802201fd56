// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which bodies of functions are looked at.
//
// In:   a function, as a call names it
// Out:  its definition, where the body counts
//
//   int twice(int n) { return 2 * n; }             looked at
//   the same in a header of -isystem               not
//   constexpr int twice(int n) { return 2 * n; }   looked at, also there
//
// Bodies of functions in system headers are not parsed, which saves much time,
// but for those that clang needs to go on. With all of them parsed, nothing
// else may be found: whoever looks into a function asks here.

#ifndef CORESIDE_PROGRAM_READBODY_H
#define CORESIDE_PROGRAM_READBODY_H

namespace clang {
class FunctionDecl;
}

namespace coreside {

/// The definition of `function` with a body to look at; null: there is none.
const clang::FunctionDecl *readDefinition(const clang::FunctionDecl *function);

} // namespace coreside

#endif
