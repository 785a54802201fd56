// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NotesByText.h"

#include "Words.h"

using namespace coreside;

void NotesByText::add(std::string text, const std::string &gpu) {
  if (text.empty())
    return;
  for (auto &[known, gpus] : Texts)
    if (known == text) {
      gpus.push_back(gpu);
      return;
    }
  Texts.push_back({std::move(text), {gpu}});
}

void NotesByText::addTo(Finding &finding, const SourcePlace &place) const {
  for (const auto &[text, gpus] : Texts)
    finding.notes.push_back({place, listed(gpus) + ": " + text});
}
