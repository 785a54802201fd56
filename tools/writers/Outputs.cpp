// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Outputs.h"

#include "WriteGitHub.h"
#include "WriteGitLab.h"
#include "WriteJSON.h"
#include "WriteJUnit.h"
#include "WriteMarkdown.h"
#include "WriteSARIF.h"
#include "WriteText.h"
#include "control/NearestName.h"
#include "control/WholeFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <fmt/format.h>

using namespace coreside;
using llvm::StringRef;

namespace {

struct NamedFormat {
  StringRef name;
  Format format;
};

constexpr NamedFormat formats[] = {
    {"text", Format::Text},         {"sarif", Format::SARIF},
    {"github", Format::GitHub},     {"gitlab", Format::GitLab},
    {"junit", Format::JUnit},       {"json", Format::JSON},
    {"markdown", Format::Markdown},
};

llvm::Expected<Format> formatNamed(StringRef name) {
  std::vector<StringRef> names;
  for (const NamedFormat &known : formats) {
    if (known.name == name)
      return known.format;
    names.push_back(known.name);
  }
  std::string hint = didYouMean(name, names);
  return llvm::createStringError(fmt::format(
      "--format: unknown format '{}'{}", name.str(),
      hint.empty()
          ? "; known are text, sarif, github, gitlab, junit, json, markdown"
          : hint));
}

void write(const Report &report, Format format, llvm::raw_ostream &out,
           bool color) {
  switch (format) {
  case Format::Text:
    return writeText(report, out, color);
  case Format::SARIF:
    return writeSARIF(report, out);
  case Format::GitHub:
    return writeGitHub(report, out);
  case Format::GitLab:
    return writeGitLab(report, out);
  case Format::JUnit:
    return writeJUnit(report, out);
  case Format::JSON:
    return writeJSON(report, out);
  case Format::Markdown:
    return writeMarkdown(report, out);
  }
}

} // namespace

llvm::Expected<std::vector<Output>>
coreside::parseOutputs(llvm::ArrayRef<std::string> words, StringRef file) {
  std::vector<Output> outputs;
  bool hasStandard = false;
  for (StringRef word : words) {
    auto [name, target] = word.split(':');
    llvm::Expected<Format> format = formatNamed(name);
    if (!format)
      return format.takeError();
    if (target.empty() && word.contains(':'))
      return llvm::createStringError(
          fmt::format("--format={}: names no file", word.str()));
    if (target.empty() || target == "-") {
      if (std::exchange(hasStandard, true))
        return llvm::createStringError(
            "--format: two formats for standard output; --format=NAME:FILE "
            "names a file");
      outputs.push_back({*format, file.str()});
    } else {
      outputs.push_back({*format, target.str()});
    }
  }
  if (!hasStandard)
    outputs.insert(outputs.begin(), {Format::Text, file.str()});
  for (size_t i = 0; i != outputs.size(); ++i)
    for (size_t j = 0; j != i; ++j)
      if (!outputs[i].file.empty() && outputs[i].file == outputs[j].file)
        return llvm::createStringError(
            fmt::format("'{}' is named for two formats", outputs[i].file));
  return outputs;
}

std::vector<std::string> coreside::writeOutputs(const Report &report,
                                                llvm::ArrayRef<Output> outputs,
                                                const OutputOptions &options) {
  std::vector<std::string> problems;
  for (const Output &output : outputs) {
    if (output.file.empty()) {
      // What goes wrong with it is known when the run ends.
      if (!options.onlyFiles)
        write(report, output.format, llvm::outs(), options.color);
      continue;
    }
    std::string text;
    llvm::raw_string_ostream out(text);
    write(report, output.format, out, /*color=*/false);
    if (llvm::Error error = writeWholeFile(output.file, text))
      problems.push_back(llvm::toString(std::move(error)));
  }
  return problems;
}
