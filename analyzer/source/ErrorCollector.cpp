// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ErrorCollector.h"
#include "SourceName.h"

#include "clang/AST/Type.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallString.h"

using namespace coreside;

/// typedef unsigned long long uint64_t;
///
/// Fine with nvcc where nothing includes <stdint.h>, which clang does for every
/// CUDA source. Either type serves.
static bool isOwnNameOfInteger(const clang::Diagnostic &diagnostic) {
  if (diagnostic.getID() != clang::diag::err_redefinition_different_typedef)
    return false;
  auto typeAt = [&](unsigned number) {
    return clang::QualType::getFromOpaquePtr(
               reinterpret_cast<void *>(diagnostic.getRawArg(number)))
        ->getAs<clang::BuiltinType>();
  };
  auto length = [&](const clang::BuiltinType *type) {
    switch (type->getKind()) {
    case clang::BuiltinType::Long:
    case clang::BuiltinType::LongLong:
      return 8;
    case clang::BuiltinType::ULong:
    case clang::BuiltinType::ULongLong:
      return -8;
    default:
      return 0;
    }
  };
  const clang::BuiltinType *now = typeAt(1), *before = typeAt(2);
  return now && before && length(now) && length(now) == length(before);
}

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
  if (isOwnNameOfInteger(diagnostic))
    return;
  if (Compiler && isOfDeviceOverloads(diagnostic.getID(), *Compiler))
    return;
  if (Compiler && isOfDeviceAssembly(diagnostic, *Compiler))
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
