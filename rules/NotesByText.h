// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Notes about several GPUs, each text once with the GPUs that it holds for.
//
// In:   "16 warp slots" for a100, the same for h100, "8 warp slots" for l4.
// Out:  "a100 and h100: 16 warp slots", "l4: 8 warp slots".

#ifndef CORESIDE_RULES_NOTESBYTEXT_H
#define CORESIDE_RULES_NOTESBYTEXT_H

#include "Finding.h"

#include <string>
#include <utility>
#include <vector>

namespace coreside {

class NotesByText {
public:
  /// An empty text is no note.
  void add(std::string text, const std::string &gpu);

  /// Appends the notes in the order of their first GPUs.
  void addTo(Finding &finding, const SourcePlace &place) const;

private:
  std::vector<std::pair<std::string, std::vector<std::string>>> Texts;
};

} // namespace coreside

#endif
