// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors that clang has and nvcc has not: in device code, nvcc lets more be
// called than clang does, and has overloads that clang does not know.
//
// In:   an error, while clang works on   __global__ void k() { __stcs(p, 1); }
// Out:  whether it is nvcc's to judge

#ifndef CORESIDE_SOURCE_DEVICEERRORS_H
#define CORESIDE_SOURCE_DEVICEERRORS_H

namespace clang {
class CompilerInstance;
class Diagnostic;
}

namespace coreside {

/// Whether an error with this number, from clang/Basic/DiagnosticSema.h, is one
/// of overload resolution, and the function that is just being parsed or
/// instantiated runs on the device only. No launch on the host depends on it.
bool isOfDeviceOverloads(unsigned id, clang::CompilerInstance &compiler);

/// Whether it is one in the operands of inline assembly in such a function:
/// nvcc needs no comma between two of them.
bool isOfDeviceAssembly(const clang::Diagnostic &error,
                        clang::CompilerInstance &compiler);

} // namespace coreside

#endif
