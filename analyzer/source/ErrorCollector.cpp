// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ErrorCollector.h"
#include "SourceName.h"

#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallString.h"

using namespace coreside;

void ErrorCollector::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                      const clang::Diagnostic &diagnostic) {
  if (level < clang::DiagnosticsEngine::Error)
    return;
  // nvcc only warns of __shared__ variables with constructors; the variable is
  // there all the same.
  if (diagnostic.getID() == clang::diag::err_shared_var_init)
    return;
  // Without CUDA's headers the mathematics of device code is the host's.
  if (OwnDeclarations && diagnostic.getID() == clang::diag::err_ref_bad_target)
    return;
  if (Compiler && isOfDeviceOverloads(diagnostic.getID(), *Compiler))
    return;
  ++Errors.count;
  ParseError error;
  if (diagnostic.hasSourceManager() && diagnostic.getLocation().isValid()) {
    clang::PresumedLoc place =
        diagnostic.getSourceManager().getPresumedLoc(diagnostic.getLocation());
    if (place.isValid()) {
      error.file = absoluteName(place.getFilename(),
                                diagnostic.getSourceManager().getFileManager());
      error.line = place.getLine();
      error.column = place.getColumn();
    }
  }
  if (Errors.first.size() >= 100 ||
      !Seen.insert({error.file, error.line}).second)
    return;
  llvm::SmallString<128> text;
  diagnostic.FormatDiagnostic(text);
  error.message = text.str().str();
  Errors.first.push_back(std::move(error));
}
