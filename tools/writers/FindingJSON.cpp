// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "FindingJSON.h"

#include <fmt/format.h>

#include <chrono>
#include <ctime>

using namespace coreside;
using llvm::StringRef;
namespace json = llvm::json;

json::Value coreside::textJSON(StringRef text) { return json::fixUTF8(text); }

json::Array coreside::textsJSON(llvm::ArrayRef<std::string> texts) {
  json::Array array;
  for (const std::string &text : texts)
    array.push_back(textJSON(text));
  return array;
}

json::Object coreside::toJSON(const GPUFact &fact) {
  json::Object object{{"gpu", textJSON(fact.gpu)},
                      {"architecture", fact.architecture},
                      {"outcome", outcomeName(fact.outcome)}};
  if (!fact.limiter.empty())
    object["limiter"] = textJSON(fact.limiter);
  if (fact.fromBlocks)
    object["fromBlocks"] = *fact.fromBlocks;
  if (!fact.changes.empty())
    object["changes"] = textsJSON(fact.changes);
  return object;
}

json::Array coreside::toJSON(const std::vector<GPUFact> &facts) {
  json::Array array;
  for (const GPUFact &fact : facts)
    array.push_back(toJSON(fact));
  return array;
}

json::Object coreside::placeJSON(const SourcePlace &place, ReportPaths &paths) {
  json::Object object{{"file", textJSON(paths.of(place.file))}};
  if (place.line)
    object["line"] = place.line;
  if (place.column)
    object["column"] = place.column;
  return object;
}

json::Array coreside::launchesJSON(const FindingFacts &facts,
                                   ReportPaths &paths) {
  json::Array launches;
  for (const LaunchFact &fact : facts.launches) {
    json::Object launch = placeJSON(fact.place, paths);
    launch["kernel"] = textJSON(fact.kernel);
    launch["stream"] = textJSON(fact.stream);
    json::Array path;
    for (const CallSite &call : fact.path) {
      json::Object site = placeJSON(call.place, paths);
      site["callee"] = textJSON(call.callee);
      path.push_back(std::move(site));
    }
    launch["path"] = std::move(path);
    launches.push_back(std::move(launch));
  }
  return launches;
}

std::string coreside::utcTime(llvm::sys::TimePoint<> time) {
  std::time_t seconds = llvm::sys::toTimeT(time);
  auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(
                          time.time_since_epoch())
                          .count() %
                      1000;
  std::tm utc = {};
  gmtime_r(&seconds, &utc);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
                     utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday,
                     utc.tm_hour, utc.tm_min, utc.tm_sec, milliseconds);
}
