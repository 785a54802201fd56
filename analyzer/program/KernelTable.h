// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The kernels of a translation unit.
//
// In:   __global__ functions of the AST, as they are met.
// Out:  their records: name, mangled name, bounds, declared shared memory.

#ifndef CORESIDE_PROGRAM_KERNELTABLE_H
#define CORESIDE_PROGRAM_KERNELTABLE_H

#include "Program.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include <memory>
#include <vector>

namespace clang {
class ASTContext;
class FunctionDecl;
class MangleContext;
class SourceLocation;
class VarDecl;
} // namespace clang

namespace coreside {

/// Where the compiler would print `location`: the place of expansion for what
/// comes from a macro.
SourcePlace placeOf(clang::SourceLocation location,
                    const clang::ASTContext &context);

/// "tune<256>", "codec::pack<float, 4>", "lambda in main"; anonymous namespaces
/// left out.
std::string nameOf(const clang::FunctionDecl &function);

class KernelTable {
public:
  KernelTable(clang::ASTContext &context, std::vector<Kernel> &kernels);
  ~KernelTable();

  /// Index of the record of `kernel`, which is made if need be; -1 if it is no
  /// __global__ function or depends on a template parameter.
  int indexOf(const clang::FunctionDecl *kernel);
  /// The function of a record, or null for -1.
  const clang::FunctionDecl *declarationOf(int kernel) const {
    return kernel < 0 ? nullptr : Declarations[kernel];
  }
  /// The kernel that ptxas knows as `mangled`, or null.
  const clang::FunctionDecl *byName(llvm::StringRef mangled) const;
  /// The mangled name of a record, which must not be -1.
  const std::string &mangledName(int kernel) const {
    return Kernels[kernel].mangled;
  }
  /// The variables of Kernel::variables.
  llvm::ArrayRef<const clang::VarDecl *> variablesOf(int kernel) const {
    if (kernel < 0)
      return {};
    return Variables[kernel];
  }

  /// The functions that records were made of, in no order.
  std::vector<const clang::FunctionDecl *> declarations() const;

private:
  clang::ASTContext &Context;
  std::vector<Kernel> &Kernels;
  std::unique_ptr<clang::MangleContext> Mangler;
  llvm::DenseMap<const clang::FunctionDecl *, int> Indices;
  /// For each record.
  std::vector<const clang::FunctionDecl *> Declarations;
  std::vector<std::vector<const clang::VarDecl *>> Variables;
};

} // namespace coreside

#endif
