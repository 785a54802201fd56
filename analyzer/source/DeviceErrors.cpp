// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "DeviceErrors.h"

#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"
#include "clang/Basic/DiagnosticSema.h"
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

bool coreside::isOfDeviceOverloads(unsigned id,
                                   clang::CompilerInstance &compiler) {
  if (!isOfOverloads(id) || !compiler.hasSema())
    return false;
  const clang::FunctionDecl *function =
      compiler.getSema().getCurFunctionDecl(/*AllowLambda=*/true);
  return function && (function->hasAttr<clang::CUDAGlobalAttr>() ||
                      (function->hasAttr<clang::CUDADeviceAttr>() &&
                       !function->hasAttr<clang::CUDAHostAttr>()));
}
