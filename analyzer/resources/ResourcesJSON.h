// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Resources as JSON, for people, tests and later runs.
//
//   [{"kernel": "blur(float*)", "mangled": "_Z4blurPf", "target": "sm_90",
//     "registers": 40, "staticShared": 2048, "barriers": 1, "stack": 16,
//     "spillStores": 8, "spillLoads": 4, "final": true,
//     "source": "nvcc -arch=sm_90"}]
//
// Bytes and registers are those of Resources.h. A number that is not known is
// left out.

#ifndef CORESIDE_RESOURCES_RESOURCESJSON_H
#define CORESIDE_RESOURCES_RESOURCESJSON_H

#include "Resources.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

#include <vector>

namespace coreside {

llvm::json::Value toJSON(const KernelResources &record);

/// The records in the order in which they were added.
llvm::json::Value toJSON(const ResourceTable &table);

/// The records that toJSON wrote. Error: which entry lacks what.
llvm::Expected<std::vector<KernelResources>>
recordsFromJSON(const llvm::json::Value &value);

} // namespace coreside

#endif
