// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceErrors.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/DiagnosticIDs.h"
#include "clang/Basic/DiagnosticSema.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Sema/Sema.h"

static bool isOfOverloads(unsigned id) {
  switch (id) {
  case clang::diag::err_ovl_no_viable_function_in_call:
  case clang::diag::err_ovl_no_viable_function_in_init:
  case clang::diag::err_ovl_no_viable_member_function_in_call:
  case clang::diag::err_ovl_no_viable_oper:
  case clang::diag::err_ovl_ambiguous_call:
  case clang::diag::err_ovl_ambiguous_init:
  case clang::diag::err_ovl_ambiguous_member_call:
  case clang::diag::err_ovl_ambiguous_oper_binary:
  case clang::diag::err_ovl_ambiguous_oper_unary:
  case clang::diag::err_ref_bad_target:
    return true;
  default:
    return false;
  }
}

/// What is parsed or instantiated runs on the device only.
static bool isInDeviceCode(clang::CompilerInstance &compiler) {
  if (!compiler.hasSema())
    return false;
  const clang::FunctionDecl *function =
      compiler.getSema().getCurFunctionDecl(/*AllowLambda=*/true);
  return function && (function->hasAttr<clang::CUDAGlobalAttr>() ||
                      (function->hasAttr<clang::CUDADeviceAttr>() &&
                       !function->hasAttr<clang::CUDAHostAttr>()));
}

bool coreside::isOfDeviceOverloads(unsigned id,
                                   clang::CompilerInstance &compiler) {
  return isOfOverloads(id) && isInDeviceCode(compiler);
}

bool coreside::isOfDeviceAssembly(const clang::Diagnostic &error,
                                  clang::CompilerInstance &compiler) {
  if (error.getID() != clang::diag::err_expected ||
      !error.getLocation().isValid() || !isInDeviceCode(compiler))
    return false;
  const clang::SourceManager &sources = error.getSourceManager();
  auto [file, offset] =
      sources.getDecomposedLoc(sources.getSpellingLoc(error.getLocation()));
  bool invalid = false;
  llvm::StringRef text = sources.getBufferData(file, &invalid);
  if (invalid)
    return false;
  // Semicolons stand in the assembly, too, but no braces and parentheses.
  size_t begin = text.take_front(offset).rfind("asm");
  return begin != llvm::StringRef::npos &&
         text.slice(begin, offset).count('"') >= 4 &&
         !text.slice(begin, offset).contains(");");
}
