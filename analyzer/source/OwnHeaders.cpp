// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "OwnHeaders.h"

#include "ClangResources.h"
#include "RegularFiles.h"
#include "SplitChevrons.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;

namespace coreside {

static constexpr const char declarationsText[] =
#include "cuda/Declarations.inc"
    ;
static constexpr const char hipText[] =
#include "cuda/HIP.inc"
    ;
static constexpr const char groupsText[] =
#include "cuda/CooperativeGroups.inc"
    ;
static constexpr const char smallFloatsText[] =
#include "cuda/SmallFloats.inc"
    ;
static constexpr const char annotationsText[] =
#include "cuda/Annotations.inc"
    ;
static constexpr const char offersText[] =
#include "cuda/Offers.inc"
    ;

/// Offers.h takes the macro back.
static constexpr const char versionText[] = R"(#pragma clang system_header
#if defined(__CUDACC_VER_MAJOR__) && !defined(CORESIDE_VERSION_IS_KNOWN)
#define CORESIDE_VERSION_IS_KNOWN
#define CUDA_VERSION (__CUDACC_VER_MAJOR__ * 1000 + __CUDACC_VER_MINOR__ * 10)
#include <stdint.h>
typedef uint32_t cuuint32_t;
#else
#include_next <cuda.h>
#endif
)";

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

/// The same for HIP.
static constexpr StringLiteral hipHeaders[] = {
    "hip/hip_runtime.h",      "hip/hip_runtime_api.h", "hip/hip_common.h",
    "hip/hip_vector_types.h", "hip/driver_types.h",    "hip/math_functions.h",
    "hip/hip_ext.h",          "hip/device_functions.h"};

/// Of both, those of 16-bit numbers.
static constexpr StringLiteral smallFloatHeaders[] = {
    "cuda_bf16.h", "cuda_fp16.h", "cuda_fp16.hpp"};
static constexpr StringLiteral hipSmallFloatHeaders[] = {
    "hip/hip_bf16.h", "hip/hip_bfloat16.h", "hip/hip_fp16.h"};

/// Declarations.h with HIP's names: "cudaMalloc" reads "hipMalloc". What clang
/// itself asks for by name stays.
static const std::string &hipDeclarations() {
  static const std::string result = [] {
    StringRef text = declarationsText;
    std::string made;
    auto isPart = [](char c) { return isAlnum(c) || c == '_'; };
    for (size_t i = 0; i < text.size();) {
      size_t end = i;
      while (end < text.size() && isPart(text[end]))
        ++end;
      StringRef word = text.slice(i, std::max(end, i + 1));
      i += word.size();
      if (word == "CUstream_st" || word == "CUevent_st")
        made += word == "CUstream_st" ? "ihipStream_t" : "ihipEvent_t";
      else if (word.size() > 4 && word.starts_with("cuda") &&
               isUpper(word[4]) && word != "cudaConfigureCall" &&
               word != "cudaLaunchDevice" && word != "cudaGetParameterBuffer")
        made += ("hip" + word.drop_front(4)).str();
      else
        made += word.str();
    }
    return made + hipText;
  }();
  return result;
}

std::string versionHeader() { return clangResources() + "/include/cuda.h"; }

IntrusiveRefCntPtr<vfs::FileSystem>
withOwnHeaders(IntrusiveRefCntPtr<vfs::FileSystem> base) {
  auto memory = makeIntrusiveRefCnt<vfs::InMemoryFileSystem>();
  auto add = [&](const Twine &path, StringRef text) {
    memory->addFile(path, 0, MemoryBuffer::getMemBuffer(text));
  };
  add(annotationsHeader, annotationsText);
  add(offersHeader, offersText);
  add(declarationsHeader, declarationsText);
  add(versionHeader(), versionText);
  for (StringRef name : cudaHeaders)
    add(declarationsFolder + "/" + name,
        "#pragma once\n#include <Declarations.h>\n");
  add(declarationsFolder + "/cooperative_groups.h", groupsText);
  for (StringRef name : smallFloatHeaders)
    add(declarationsFolder + "/" + name,
        "#pragma once\n#include <SmallFloats.h>\n");
  add(declarationsFolder + "/SmallFloats.h", smallFloatsText);
  add(hipDeclarationsHeader, hipDeclarations());
  for (StringRef name : hipHeaders)
    add(hipDeclarationsFolder + "/" + name,
        "#pragma once\n#include <Declarations.h>\n");
  for (StringRef name : hipSmallFloatHeaders)
    add(hipDeclarationsFolder + "/" + name,
        "#pragma once\n#include <SmallFloats.h>\n");
  add(hipDeclarationsFolder + "/SmallFloats.h", smallFloatsText);
  add(hipDeclarationsFolder + "/hip/hip_cooperative_groups.h", groupsText);
  auto overlay = makeIntrusiveRefCnt<vfs::OverlayFileSystem>(
      makeIntrusiveRefCnt<JoinedChevrons>(
          makeIntrusiveRefCnt<RegularFiles>(std::move(base))));
  overlay->pushOverlay(std::move(memory));
  return overlay;
}

} // namespace coreside
