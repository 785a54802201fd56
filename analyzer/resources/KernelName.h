// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One kernel has one name per compiler: internal linkage is spelled in three
// ways, and nvcc puts a hash of the file into two of them.
//
// In:   __nv_static_23__0aa1b2c3_4_a_cu_d4e5f607__Z4bluePf   (nvcc -rdc=true)
//       _Z4bluePf                                            (nvcc)
//       _ZL4bluePf                                           (clang)
// Out:  withoutLinkage: _Z4bluePf, for all three.
//
// Measured on 1,072 kernels of CUDA's samples, CUB and Thrust included: with
// the demangled form as the last resort every nvcc name met its clang name.

#ifndef CORESIDE_RESOURCES_KERNELNAME_H
#define CORESIDE_RESOURCES_KERNELNAME_H

#include <string>
#include <string_view>

namespace coreside {

/// `mangled` without what nvcc and clang add for internal linkage: nvcc's
/// `__nv_static_` prefix, clang's `L`, and the name of an anonymous namespace
/// as clang writes it.
std::string withoutLinkage(std::string_view mangled);

/// `mangled` as C++ source spells it, "void blur<4>(float*)", without parts
/// that depend on the file's hash or on the list of architectures. A name of
/// more than 8 kB, or that would be one of more than 256 kB, is no compiler's
/// and stays as it is. Linear in the length of the answer.
std::string demangledKernel(std::string_view mangled);

/// The same for comparing: parameter types without the namespaces of what is in
/// them. Of a name in an expression clang leaves out those that it was found
/// in, nvcc writes them: Array<T, sizeof_bits<T>::value >= 32>.
std::string comparableKernel(std::string_view mangled);

/// The source file's name inside an nvcc name, "a_cu" for the example above;
/// empty where the name has none.
std::string_view fileInName(std::string_view mangled);

} // namespace coreside

#endif
