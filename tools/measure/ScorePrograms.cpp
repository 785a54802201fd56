// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// multi*.jsonl: small host programs on a few streams, one a line, and what
// each kernel did.
//
// Right is what is among the outcomes called possible. Two intervals that meet
// within 30 us, or 5 % of the shorter, touch: either answer counts.

#include "Score.h"
#include "device/Outcomes.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/LineIterator.h"
#include "llvm/Support/MemoryBuffer.h"

#include <algorithm>
#include <cmath>
#include <set>

using namespace coreside;

namespace {

struct Observed {
  DeviceProgram program;
  std::vector<KernelTimes> times;
  std::set<std::pair<unsigned, unsigned>> shared;
};

std::optional<Observed> readProgram(llvm::StringRef line) {
  auto value = llvm::json::parse(line);
  if (!value) {
    llvm::consumeError(value.takeError());
    return {};
  }
  const llvm::json::Object *object = value->getAsObject();
  const llvm::json::Array *kernels =
      object ? object->getArray("kernels") : nullptr;
  if (!kernels)
    return {};
  Observed observed;
  for (const llvm::json::Value &entry : *kernels) {
    const llvm::json::Object *fields = entry.getAsObject();
    if (!fields)
      return {};
    const auto number = [&](llvm::StringRef name, int64_t missing = 0) {
      return fields->getInteger(name).value_or(missing);
    };
    DeviceKernel kernel;
    kernel.name = std::to_string(observed.program.kernels.size());
    kernel.grid.footprint.threadsPerBlock = unsigned(number("threads"));
    kernel.grid.footprint.registersPerThread = unsigned(number("regs"));
    kernel.grid.footprint.dynamicShared = unsigned(number("smem"));
    kernel.grid.footprint.carveoutPercent = int(number("carve", -1));
    kernel.grid.blocks = uint64_t(number("grid"));
    kernel.blockNanoseconds = uint64_t(number("ns"));
    kernel.stream = unsigned(number("stream"));
    if (number("wait", -1) >= 0)
      kernel.awaits.push_back(unsigned(number("wait")));
    if (kernel.stream >= observed.program.streams.size())
      observed.program.streams.resize(kernel.stream + 1);
    observed.program.streams[kernel.stream].priority = int(number("priority"));
    observed.program.kernels.push_back(kernel);
    observed.times.push_back(
        {double(number("first_start")), double(number("last_start")),
         double(number("first_end")), double(number("last_end"))});
  }
  if (const llvm::json::Array *shared = object->getArray("shared_sms"))
    for (const llvm::json::Value &entry : *shared)
      if (const llvm::json::Array *pair = entry.getAsArray();
          pair && pair->size() >= 2)
        observed.shared.insert(
            {unsigned((*pair)[0].getAsInteger().value_or(0)),
             unsigned((*pair)[1].getAsInteger().value_or(0))});
  return observed;
}

std::string describe(llvm::StringRef question, const Observed &observed,
                     const Outcomes &outcomes) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  stream << question;
  for (unsigned i = 0; i < observed.times.size(); ++i) {
    const DeviceKernel &kernel = observed.program.kernels[i];
    const KernelTimes &was = observed.times[i];
    const KernelTimes &said = outcomes.schedules[0].kernels[i];
    stream << llvm::formatv(
        "\n    {0}: stream {1} priority {2} awaits {3}, {4} x {5} threads, {6} "
        "registers, {7} B, {8} us: was {9:f0} .. {10:f0}, model {11:f0} .. "
        "{12:f0}",
        i, kernel.stream, observed.program.streams[kernel.stream].priority,
        kernel.awaits.empty() ? -1 : int(kernel.awaits[0]), kernel.grid.blocks,
        kernel.grid.footprint.threadsPerBlock,
        kernel.grid.footprint.registersPerThread,
        kernel.grid.footprint.dynamicShared, kernel.blockNanoseconds / 1000,
        was.firstStart / 1000, was.lastEnd / 1000, said.firstStart / 1000,
        said.lastEnd / 1000);
  }
  return text;
}

} // namespace

llvm::Expected<std::vector<Score>> coreside::scorePrograms(const GPU &gpu,
                                                           llvm::StringRef path,
                                                           unsigned wrongKept) {
  auto buffer = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!buffer)
    return llvm::createStringError(buffer.getError(), "%s: cannot be read: %s",
                                   path.str().c_str(),
                                   buffer.getError().message().c_str());
  const bool priorities =
      llvm::StringRef(path).rsplit('/').second.contains("prio");
  Score overlaps(wrongKept, "pairs that overlap", 99);
  Score shares(wrongKept, "pairs that share an SM", 98);
  Score makespans(wrongKept, "makespan within 5 %", priorities ? 97 : 98);
  Score either(0, "called \"either order\"", 5, /*atMost=*/true);
  for (llvm::line_iterator line(**buffer, true); !line.is_at_eof(); ++line) {
    const std::optional<Observed> observed = readProgram(*line);
    if (!observed)
      return llvm::createStringError(
          "%s:%lld: is not a program of kernels as multi.cu prints it",
          path.str().c_str(), (long long)line.line_number());
    if (const std::string problem = checkProgram(gpu, observed->program);
        !problem.empty())
      return llvm::createStringError("%s:%lld: %s", path.str().c_str(),
                                     (long long)line.line_number(),
                                     problem.c_str());
    const Outcomes outcomes = playAll(gpu, observed->program);
    double begin = INFINITY, end = 0, nearest = INFINITY;
    for (const KernelTimes &times : observed->times) {
      begin = std::min(begin, times.firstStart);
      end = std::max(end, times.lastEnd);
    }
    const double span = end - begin;
    for (const Schedule &schedule : outcomes.schedules)
      if (std::abs(schedule.makespan - span) < std::abs(nearest - span))
        nearest = schedule.makespan;
    makespans.count(std::abs(nearest - span) <= 0.05 * span, [&] {
      return describe(llvm::formatv("line {0}: makespan {1:f0} us, model "
                                    "{2:f0} us",
                                    line.line_number(), span / 1000,
                                    nearest / 1000)
                          .str(),
                      *observed, outcomes);
    });
    for (const PairOutcome &pair : outcomes.pairs) {
      const KernelTimes &one = observed->times[pair.first];
      const KernelTimes &two = observed->times[pair.second];
      const double together = std::min(one.lastEnd, two.lastEnd) -
                              std::max(one.firstStart, two.firstStart);
      const bool touch = touchOnly(one, two, together);
      const bool shared = observed->shared.contains({pair.first, pair.second});
      const auto among = [&](Certainty said, bool was) {
        return touch || said == Certainty::EitherOrder ||
               (said == Certainty::Always) == was;
      };
      overlaps.count(among(pair.overlap, together > 0), [&] {
        return describe(llvm::formatv("line {0}: {1} and {2} overlapped {3:f0} "
                                      "us, model: {4}",
                                      line.line_number(), pair.first,
                                      pair.second, together / 1000,
                                      certaintyName(pair.overlap))
                            .str(),
                        *observed, outcomes);
      });
      shares.count(among(pair.sharesSM, shared), [&] {
        return describe(
            llvm::formatv("line {0}: {1} and {2} {3} an SM, model: {4}",
                          line.line_number(), pair.first, pair.second,
                          shared ? "shared" : "did not share",
                          certaintyName(pair.sharesSM))
                .str(),
            *observed, outcomes);
      });
      either.count(pair.overlap == Certainty::EitherOrder ||
                       pair.sharesSM == Certainty::EitherOrder,
                   [] { return ""; });
    }
  }
  return std::vector<Score>{overlaps, shares, makespans, either};
}
