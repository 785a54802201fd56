// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON of the Trace Event Format: "X" is a span, "M" gives a track its
// name; times are microseconds.

#include "WriteScheduleTrace.h"
#include "ScheduleSpans.h"

#include "llvm/Support/JSON.h"

#include <set>

using namespace coreside;

namespace {

constexpr int streamsProcess = 1, SMsProcess = 2;
/// Tracks that each SM has at most; they are numbered SM * this + lane.
constexpr unsigned lanesPerSM = 64;

void name(llvm::json::OStream &json, llvm::StringRef what, int process,
          unsigned track, llvm::StringRef text) {
  json.object([&] {
    json.attribute("ph", "M");
    json.attribute("name", what);
    json.attribute("pid", process);
    json.attribute("tid", track);
    json.attributeObject("args", [&] { json.attribute("name", text); });
  });
}

} // namespace

void coreside::writeScheduleTrace(llvm::raw_ostream &out, const GPU &gpu,
                                  const DeviceProgram &program,
                                  const Schedule &schedule) {
  llvm::json::OStream json(out);
  const auto span = [&](llvm::StringRef kernel, int process, unsigned track,
                        double start, double end, uint64_t blocks) {
    json.object([&] {
      json.attribute("ph", "X");
      json.attribute("name", kernel);
      json.attribute("pid", process);
      json.attribute("tid", track);
      json.attribute("ts", start / 1000);
      json.attribute("dur", (end - start) / 1000);
      json.attributeObject("args",
                           [&] { json.attribute("blocks", int64_t(blocks)); });
    });
  };
  json.object([&] {
    json.attribute("displayTimeUnit", "ns");
    json.attributeArray("traceEvents", [&] {
      name(json, "process_name", streamsProcess, 0, "streams");
      name(json, "process_name", SMsProcess, 0, "SMs of " + gpu.name);
      for (unsigned i = 0; i < program.streams.size(); ++i)
        name(json, "thread_name", streamsProcess, i,
             program.streams[i].name.empty() ? "stream " + std::to_string(i)
                                             : program.streams[i].name);
      for (unsigned i = 0; i < program.kernels.size(); ++i)
        span(program.kernels[i].name, streamsProcess, program.kernels[i].stream,
             schedule.kernels[i].firstStart, schedule.kernels[i].lastEnd,
             program.kernels[i].grid.blocks);
      std::set<unsigned> named;
      for (const LaneSpan &block : gatherSpans(schedule)) {
        const unsigned track =
            block.span.SM * lanesPerSM + block.lane % lanesPerSM;
        if (named.insert(track).second)
          name(json, "thread_name", SMsProcess, track,
               "SM " + std::to_string(block.span.SM));
        span(program.kernels[block.span.kernel].name, SMsProcess, track,
             block.span.start, block.span.end, block.span.blocks);
      }
    });
  });
  out << '\n';
}
