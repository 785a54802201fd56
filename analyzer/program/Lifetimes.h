// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the end of an object calls: destructors and deleters.
//
//   struct Free { void operator()(float *p) const { cudaFree(p); } };
//   std::unique_ptr<float, Free> p;      its end calls Free::operator()

#ifndef CORESIDE_PROGRAM_LIFETIMES_H
#define CORESIDE_PROGRAM_LIFETIMES_H

#include "clang/AST/DeclCXX.h"
#include "clang/AST/Type.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include <string>

namespace coreside {

/// Class templates of the standard library.
enum class LibraryClass {
  Other,
  Container,
  UniquePointer,
  SharedPointer,
  Optional,
  /// std::pair and std::tuple.
  Product,
  JoiningThread
};
LibraryClass libraryClassOf(const clang::CXXRecordDecl *record);

/// The template argument of that number where it is a type, else null.
clang::QualType typeArgument(const clang::CXXRecordDecl *record,
                             unsigned number);

/// The types of the parts of a std::pair or std::tuple, and what a part is
/// called in memory.
llvm::SmallVector<clang::QualType>
productTypes(const clang::CXXRecordDecl *record);
std::string productPart(const clang::CXXRecordDecl *record, unsigned number);

/// The one operator() of a function object; null where there is none or a
/// choice.
const clang::CXXMethodDecl *callOperatorOf(const clang::CXXRecordDecl *record);

/// std::make_unique<T> or std::make_shared<T>.
bool isMakeOwner(const clang::FunctionDecl *function);

/// Calls `use` with each function that the end of an object of `type` may call,
/// its members and what it owns included; with null for one that cannot be
/// named, a deleter behind a pointer.
void forEachAtEndOf(clang::QualType type,
                    llvm::function_ref<void(const clang::FunctionDecl *)> use);

} // namespace coreside

#endif
