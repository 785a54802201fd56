// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A unit as it would be with other text in some of its files.
//
// In:   blur.cu's unit; blur.cu before the change, or with a fix
// Out:  the findings of that
//
// The text is laid over the disk for clang, and written to a temporary folder
// for nvcc (TextCopies.h); the files themselves are not touched.

#ifndef CORESIDE_TOOLS_VARIANT_H
#define CORESIDE_TOOLS_VARIANT_H

#include "TextCopies.h"
#include "UnitResources.h"
#include "Units.h"
#include "rules/Finding.h"
#include "timeline/Timeline.h"

#include "llvm/ADT/IntrusiveRefCntPtr.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/VirtualFileSystem.h"

#include <string>
#include <vector>

namespace coreside {

/// The disk with `texts` over it.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem>
withTexts(const SourceTexts &texts);

/// How the units of a run were analysed.
struct VariantOptions {
  const UnitOptions &units;
  const UnitResourceOptions &resources;
  TimelineOptions ordering;
};

/// The findings of `units`, which belong together and of which only commands
/// and GPUs are looked at, with `texts`. Error: one cannot be read or its
/// kernels' numbers not be had.
llvm::Expected<std::vector<Finding>>
analyzeVariant(llvm::ArrayRef<Unit> units, const SourceTexts &texts,
               const VariantOptions &options);

} // namespace coreside

#endif
