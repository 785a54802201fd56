// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// coreside cache: what is kept of earlier compilations.
//
//   $ coreside cache show
//   /home/me/.cache/coreside: 214 entries, 4109 kB

#ifndef CORESIDE_TOOLS_CACHECOMMAND_H
#define CORESIDE_TOOLS_CACHECOMMAND_H

#include "llvm/Support/raw_ostream.h"

namespace coreside {

enum class CacheAction { Show, Check, Clear };

/// Does `action` with the user's cache. 0; 1 when Check finds damage; 2 when
/// there is no place for a cache.
int runCache(CacheAction action, llvm::raw_ostream &out,
             llvm::raw_ostream &errors);

} // namespace coreside

#endif
