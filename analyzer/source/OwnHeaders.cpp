// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OwnHeaders.h"

#include "RegularFiles.h"

#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace coreside {

static constexpr const char declarationsText[] =
#include "cuda/Declarations.inc"
    ;
static constexpr const char annotationsText[] =
#include "cuda/Annotations.inc"
    ;
static constexpr const char offersText[] =
#include "cuda/Offers.inc"
    ;

/// Header names that the tool's own declarations answer to.
static constexpr StringLiteral cudaHeaders[] = {"builtin_types.h",
                                                "cuda.h",
                                                "cuda_device_runtime_api.h",
                                                "cuda_profiler_api.h",
                                                "cuda_runtime.h",
                                                "cuda_runtime_api.h",
                                                "device_atomic_functions.h",
                                                "device_functions.h",
                                                "device_launch_parameters.h",
                                                "driver_types.h",
                                                "host_defines.h",
                                                "math_constants.h",
                                                "vector_functions.h",
                                                "vector_types.h"};

IntrusiveRefCntPtr<vfs::FileSystem>
withOwnHeaders(IntrusiveRefCntPtr<vfs::FileSystem> base) {
  auto memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  auto add = [&](const Twine &path, StringRef text) {
    memory->addFile(path, 0, MemoryBuffer::getMemBuffer(text));
  };
  add(annotationsHeader, annotationsText);
  add(offersHeader, offersText);
  add(declarationsHeader, declarationsText);
  for (StringRef name : cudaHeaders)
    add(declarationsFolder + "/" + name,
        "#pragma once\n#include <Declarations.h>\n");
  auto overlay = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(
      makeIntrusiveRefCnt<RegularFiles>(std::move(base)));
  overlay->pushOverlay(std::move(memory));
  return overlay;
}

} // namespace coreside
