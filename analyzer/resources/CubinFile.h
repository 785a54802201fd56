// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads what a kernel takes out of the machine code itself. No tool of NVIDIA's
// is needed.
//
// In:   app, libfilter.so, blur.o, blur.cubin, all.fatbin, libk.a
// Out:  _Z4blurPf, sm_90: 40 registers, 2048 bytes, 1 barrier
//
// A cubin is an ELF file. Registers, stack and barriers stand in its .nv.info
// sections, shared memory is the size of .nv.shared.<kernel>. nvcc packs the
// cubins of all architectures into a fatbin, each compressed or not, and that
// into a section of the host's object. None of this is documented: it was read
// from the output of CUDA 13.0, and a form that is not known is an error.
//
// Spills do not stand in a cubin; they stay unknown.

#ifndef CORESIDE_RESOURCES_CUBINFILE_H
#define CORESIDE_RESOURCES_CUBINFILE_H

#include "Resources.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/MemoryBufferRef.h"

#include <string>
#include <vector>

namespace coreside {

/// What a binary said.
struct BinaryReading {
  std::vector<KernelResources> records;
  /// One line each: parts that could not be read, and what there was instead of
  /// machine code.
  std::vector<std::string> notes;
};

/// True for the first bytes of a file that readBinary may understand.
bool looksLikeBinary(llvm::StringRef begin);

/// The kernels of a cubin, a fatbin, or an object, library or executable that
/// holds fatbins; archives too. Error: none could be read, in one line with the
/// name of the file.
llvm::Expected<BinaryReading> readBinary(llvm::MemoryBufferRef file);

/// The same for the file at `path`.
llvm::Expected<BinaryReading> readBinaryFile(llvm::StringRef path);

} // namespace coreside

#endif
