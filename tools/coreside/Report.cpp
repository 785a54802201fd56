// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Report.h"

#include "WriteText.h"

#include "llvm/Support/FileSystem.h"

#include <fmt/format.h>

using namespace coreside;

namespace {

std::string counted(size_t number, const char *noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

/// Puts the findings into a baseline, over what it said of the same files.
int writeBaseline(const Selection &selection, const ReportOptions &options,
                  Remarks &remarks) {
  const std::string &file = options.writeBaseline;
  Baseline before;
  if (llvm::sys::fs::exists(file)) {
    // What a run cannot see would look like fixed.
    if (!options.incomplete.empty())
      return remarks.fail(
          fmt::format("'{}' is left as it is: {}", file, options.incomplete));
    llvm::Expected<Baseline> read = Baseline::read(file);
    if (!read)
      return remarks.fail(llvm::toString(read.takeError()));
    before = std::move(*read);
  }
  if (llvm::Error error =
          before.write(file, selection.findings, options.analyzed))
    return remarks.fail(llvm::toString(std::move(error)));
  remarks.say("note",
              fmt::format("{} written to '{}'",
                          counted(selection.findings.size(), "finding"), file));
  return 0;
}

} // namespace

int coreside::reportFindings(std::vector<Finding> findings,
                             Configuration &configuration,
                             const ReportOptions &options, Remarks &remarks) {
  Baseline known;
  SelectionOptions selecting;
  selecting.analyzed = options.analyzed;
  selecting.warnUnusedAllows = options.warnUnusedAllows;
  if (!options.baseline.empty()) {
    llvm::Expected<Baseline> read = Baseline::read(options.baseline);
    if (!read)
      return remarks.fail(llvm::toString(read.takeError()));
    known = std::move(*read);
    selecting.baseline = &known;
  }
  TokenizedFiles files(llvm::vfs::getRealFileSystem());
  llvm::Expected<Selection> selection =
      selectFindings(std::move(findings), configuration, files, selecting);
  if (!selection)
    return remarks.fail(llvm::toString(selection.takeError()));
  for (const std::string &warning : selection->warnings)
    remarks.say("warning", shortPath(warning));
  if (!options.writeBaseline.empty())
    return writeBaseline(*selection, options, remarks);

  writeText(selection->findings, llvm::outs(), options.color);
  if (selection->inBaseline)
    remarks.say("note", fmt::format("{} in the baseline not printed",
                                    counted(selection->inBaseline, "finding")));
  for (const std::string &entry : selection->gone)
    remarks.say("note",
                fmt::format("no longer found, --write-baseline takes it "
                            "out of the baseline: {}",
                            shortPath(entry)));
  return selection->fails;
}
