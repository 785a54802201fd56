// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CacheCommand.h"

#include "resources/ResourceCache.h"

#include <fmt/format.h>

using namespace coreside;

int coreside::runCache(CacheAction action, llvm::raw_ostream &out,
                       llvm::raw_ostream &errors) {
  ResourceCache cache(ResourceCache::defaultFolder());
  if (cache.folder().empty()) {
    errors << "coreside: error: no home directory, so no cache: set "
              "XDG_CACHE_HOME\n";
    return 2;
  }
  auto entries = [](uint64_t number) {
    return fmt::format("{} {}", number, number == 1 ? "entry" : "entries");
  };
  if (action == CacheAction::Clear) {
    out << cache.folder() << ": " << entries(cache.clear()) << " removed\n";
    return 0;
  }
  ResourceCache::Usage usage = cache.check();
  out << fmt::format("{}: {}, {} kB", cache.folder(), entries(usage.entries),
                     (usage.bytes + 999) / 1000);
  if (action == CacheAction::Check)
    out << ", " << usage.damaged << " damaged";
  out << '\n';
  return action == CacheAction::Check && usage.damaged ? 1 : 0;
}
