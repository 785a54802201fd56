// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "SimulateCommand.h"
#include "ReadDeviceProgram.h"
#include "WriteSchedulePicture.h"
#include "WriteScheduleTrace.h"

#include "device/GPUFile.h"
#include "device/Outcomes.h"
#include "device/PairVerdict.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

using namespace coreside;

namespace {

/// What is said about one GPU.
struct Answer {
  const GPU &gpu;
  const DeviceProgram &program;
  Outcomes outcomes;
  /// The nominal schedule with its spans.
  Schedule nominal;
};

Answer answer(const GPU &gpu, const DeviceProgram &program, unsigned runs) {
  return {gpu, program, playAll(gpu, program, runs),
          simulate(gpu, program, {0, true})};
}

/// SMs that ran a block of `kernel` in the nominal schedule.
size_t SMsOf(const Answer &answer, unsigned kernel) {
  std::set<unsigned> SMs;
  for (const BlockSpan &span : answer.nominal.spans)
    if (span.kernel == kernel)
      SMs.insert(span.SM);
  return SMs.size();
}

/// "0.0", or "401.2 to 802.4" where the ways to run differ by more than a
/// touch.
std::string range(const Answer &answer, unsigned kernel,
                  double KernelTimes::*time) {
  double least = answer.nominal.kernels[kernel].*time, most = least;
  const double nominal = least;
  for (const Schedule &schedule : answer.outcomes.schedules) {
    least = std::min(least, schedule.kernels[kernel].*time);
    most = std::max(most, schedule.kernels[kernel].*time);
  }
  if (most - least <= std::max(30000.0, 0.05 * nominal))
    return fmt::format("{:.1f}", nominal / 1000);
  return fmt::format("{:.1f} to {:.1f}", least / 1000, most / 1000);
}

/// Both on one stream never run together; the table leaves such pairs out.
bool isAsked(const DeviceProgram &program, const PairOutcome &pair) {
  return program.kernels[pair.first].stream !=
         program.kernels[pair.second].stream;
}

std::string verdictOf(const Answer &answer, const PairOutcome &pair) {
  const PairVerdict verdict =
      judgePair(answer.gpu, answer.program.kernels[pair.first].grid,
                answer.program.kernels[pair.second].grid);
  std::string text = sharingName(verdict.sharing);
  if (verdict.limiter != Limiter::None)
    text += fmt::format(", {}", limiterName(verdict.limiter));
  return text;
}

void writeTable(llvm::raw_ostream &out,
                const std::vector<std::vector<std::string>> &rows,
                size_t leftAligned) {
  std::vector<size_t> widths;
  for (const std::vector<std::string> &row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  }
  for (const std::vector<std::string> &row : rows) {
    std::string line = "  ";
    for (size_t i = 0; i < row.size(); ++i)
      line += i < leftAligned ? fmt::format("{:<{}}  ", row[i], widths[i])
                              : fmt::format("{:>{}}  ", row[i], widths[i]);
    out << llvm::StringRef(line).rtrim() << '\n';
  }
}

void writeText(llvm::raw_ostream &out, const Answer &answer) {
  const GPU &gpu = answer.gpu;
  const DeviceProgram &program = answer.program;
  out << fmt::format("{} ({}, {}, {} SMs), {} way{} to run, {:.1f} us\n\n",
                     gpu.name, gpu.product, smName(gpu.architecture.capability),
                     gpu.SMs, answer.outcomes.schedules.size(),
                     answer.outcomes.schedules.size() == 1 ? "" : "s",
                     answer.nominal.makespan / 1000);
  std::vector<std::vector<std::string>> rows = {
      {"kernel", "stream", "blocks", "starts (us)", "ends (us)", "SMs"}};
  for (unsigned i = 0; i < program.kernels.size(); ++i)
    rows.push_back({program.kernels[i].name,
                    program.streams[program.kernels[i].stream].name,
                    std::to_string(program.kernels[i].grid.blocks),
                    range(answer, i, &KernelTimes::firstStart),
                    range(answer, i, &KernelTimes::lastEnd),
                    std::to_string(SMsOf(answer, i))});
  writeTable(out, rows, 2);

  rows = {{"first", "second", "run together", "share an SM",
           "second beside first"}};
  for (const PairOutcome &pair : answer.outcomes.pairs)
    if (isAsked(program, pair))
      rows.push_back({program.kernels[pair.first].name,
                      program.kernels[pair.second].name,
                      certaintyName(pair.overlap), certaintyName(pair.sharesSM),
                      verdictOf(answer, pair)});
  if (rows.size() > 1) {
    out << '\n';
    writeTable(out, rows, 5);
  }
}

llvm::json::Object object(const Answer &answer) {
  const DeviceProgram &program = answer.program;
  llvm::json::Array kernels, pairs;
  for (unsigned i = 0; i < program.kernels.size(); ++i) {
    const KernelTimes &times = answer.nominal.kernels[i];
    kernels.push_back(llvm::json::Object{
        {"name", program.kernels[i].name},
        {"stream", program.streams[program.kernels[i].stream].name},
        {"firstStart", times.firstStart},
        {"lastStart", times.lastStart},
        {"firstEnd", times.firstEnd},
        {"lastEnd", times.lastEnd},
        {"SMs", int64_t(SMsOf(answer, i))}});
  }
  for (size_t i = 0; i < answer.outcomes.pairs.size(); ++i) {
    const PairOutcome &pair = answer.outcomes.pairs[i];
    pairs.push_back(llvm::json::Object{
        {"first", program.kernels[pair.first].name},
        {"second", program.kernels[pair.second].name},
        {"overlap", certaintyName(pair.overlap)},
        {"sharesSM", certaintyName(pair.sharesSM)},
        {"overlapNanoseconds", answer.nominal.pairs[i].overlap},
        {"SMsShared", int64_t(answer.nominal.pairs[i].SMsShared)},
        {"verdict", verdictOf(answer, pair)}});
  }
  return llvm::json::Object{{"gpu", answer.gpu.name},
                            {"SMs", int64_t(answer.gpu.SMs)},
                            {"makespanNanoseconds", answer.nominal.makespan},
                            {"kernels", std::move(kernels)},
                            {"pairs", std::move(pairs)}};
}

/// Writes a file by `write`; the line to tell when it cannot be.
template <typename Write>
std::string writeFile(const std::string &path, Write write) {
  std::error_code error;
  llvm::raw_fd_ostream file(path, error, llvm::sys::fs::OF_Text);
  if (!error) {
    write(file);
    file.close();
    error = file.error();
    file.clear_error();
  }
  return error ? fmt::format("{}: cannot be written: {}", path, error.message())
               : "";
}

} // namespace

int coreside::runSimulate(const SimulateOptions &options,
                          llvm::raw_ostream &out, llvm::raw_ostream &errors) {
  const auto fail = [&](const std::string &text) {
    errors << "coreside: error: " << text << '\n';
    return 2;
  };
  if (options.runs < 1 || options.runs > 1000)
    return fail(fmt::format("--runs is {}, must be 1 to 1000", options.runs));
  llvm::Expected<std::vector<GPU>> gpus =
      resolveGPUs(options.gpus, options.SMs);
  if (!gpus)
    return fail(llvm::toString(gpus.takeError()));
  const bool wantsFile = !options.trace.empty() || !options.svg.empty();
  if (wantsFile && gpus->size() != 1)
    return fail(
        fmt::format("--trace and --svg need one GPU, not {}", gpus->size()));
  llvm::Expected<DeviceProgram> program = readDeviceProgram(options.program);
  if (!program)
    return fail(llvm::toString(program.takeError()));
  for (const GPU &gpu : *gpus)
    if (const std::string problem = checkProgram(gpu, *program);
        !problem.empty())
      return fail(fmt::format("{}: {}", options.program, problem));

  llvm::json::Array list;
  for (size_t i = 0; i < gpus->size(); ++i) {
    const Answer said = answer((*gpus)[i], *program, options.runs);
    if (options.json) {
      list.push_back(object(said));
    } else {
      if (i != 0)
        out << '\n';
      writeText(out, said);
    }
    std::string problem;
    if (!options.trace.empty())
      problem = writeFile(options.trace, [&](llvm::raw_ostream &file) {
        writeScheduleTrace(file, said.gpu, *program, said.nominal);
      });
    if (problem.empty() && !options.svg.empty())
      problem = writeFile(options.svg, [&](llvm::raw_ostream &file) {
        writeSchedulePicture(file, said.gpu, *program, said.nominal);
      });
    if (!problem.empty())
      return fail(problem);
  }
  if (options.json)
    out << llvm::formatv("{0:2}", llvm::json::Value(std::move(list))) << '\n';
  return 0;
}
