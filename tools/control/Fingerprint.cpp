// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Fingerprint.h"

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/xxhash.h"

#include <fmt/format.h>

using namespace coreside;

void coreside::setFingerprints(std::vector<Finding> &findings,
                               TokenizedFiles &files) {
  llvm::StringMap<unsigned> alike;
  for (Finding &finding : findings) {
    std::string text = finding.rule;
    auto add = [&](llvm::StringRef part) {
      text += '\0';
      text += part;
    };
    add(llvm::sys::path::filename(finding.place.file));
    for (const LaunchFact &launch : finding.facts.launches)
      add(launch.kernel);
    if (const TokenizedFile *file = files.get(finding.place.file))
      add(file->statementAt(finding.place.line, finding.place.column).text);
    add(std::to_string(alike[text]++));
    if (finding.fingerprint.empty())
      finding.fingerprint = fmt::format("{:016x}", llvm::xxh3_64bits(text));
  }
}
