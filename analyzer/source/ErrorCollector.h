// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Keeps clang's errors while a file is parsed.
//
// In:   diagnostics
// Out:  ParseErrors

#ifndef CORESIDE_SOURCE_ERRORCOLLECTOR_H
#define CORESIDE_SOURCE_ERRORCOLLECTOR_H

#include "DeviceErrors.h"
#include "ParseErrors.h"

#include "clang/Basic/Diagnostic.h"

#include <set>

namespace coreside {

class ErrorCollector : public clang::DiagnosticConsumer {
public:
  /// With `ownDeclarations`, errors that come of them alone are not kept, and
  /// with `compiler` those that are nvcc's to judge.
  ErrorCollector(ParseErrors &errors, bool ownDeclarations,
                 clang::CompilerInstance *compiler = nullptr)
      : Errors(errors), OwnDeclarations(ownDeclarations), Compiler(compiler) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &diagnostic) override;

private:
  ParseErrors &Errors;
  bool OwnDeclarations;
  clang::CompilerInstance *Compiler;
  std::set<std::pair<std::string, unsigned>> Seen;
};

} // namespace coreside

#endif
