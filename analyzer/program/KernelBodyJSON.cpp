// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// In:   what a kernel's code waits for and releases.
// Out:  {"waits": [{"for": "all blocks", "place": "a.cu:4:5", "on":
// ["g->count"],
//       "inEveryBlock": true}], "releases": [{"state": "g->count", ...}]}

#include "ProgramJSON.h"

using namespace llvm;

namespace coreside {
namespace {

StringRef waitName(KernelWait::For what) {
  switch (what) {
  case KernelWait::For::AllBlocks:
    return "all blocks";
  case KernelWait::For::LaterBlocks:
    return "later blocks";
  case KernelWait::For::EarlierBlocks:
    return "earlier blocks";
  case KernelWait::For::Lock:
    return "lock";
  case KernelWait::For::Others:
    return "others";
  case KernelWait::For::Unclear:
    return "unclear";
  }
  return "";
}

json::Object stateJSON(const SharedState &state) {
  json::Object object{{"name", json::fixUTF8(state.name)}};
  if (state.parameter >= 0)
    object["parameter"] = state.parameter;
  if (!state.variable.empty())
    object["variable"] = state.variable;
  if (!state.pointer.empty())
    object["pointer"] = state.pointer;
  if (!state.members.empty())
    object["members"] = state.members;
  return object;
}

json::Object waitJSON(const KernelWait &wait) {
  json::Array on;
  for (const SharedState &state : wait.on)
    on.push_back(stateJSON(state));
  json::Object object{{"for", waitName(wait.what)},
                      {"place", placeText(wait.place)},
                      {"on", std::move(on)},
                      {"inEveryBlock", wait.inEveryBlock}};
  if (wait.calledAt.line)
    object["calledAt"] = placeText(wait.calledAt);
  if (wait.blocks)
    object["blocks"] = *wait.blocks;
  if (wait.blocksParameter >= 0)
    object["blocksParameter"] = wait.blocksParameter;
  return object;
}

json::Object releaseJSON(const KernelRelease &release) {
  json::Object object{{"state", stateJSON(release.state)},
                      {"place", placeText(release.place)}};
  if (release.plain)
    object["plain"] = true;
  if (!release.after.empty())
    object["after"] = json::Array(release.after);
  return object;
}

} // namespace

json::Object toJSON(const KernelBody &body) {
  json::Object object;
  json::Array waits, releases;
  for (const KernelWait &wait : body.waits)
    waits.push_back(waitJSON(wait));
  for (const KernelRelease &release : body.releases)
    releases.push_back(releaseJSON(release));
  if (!waits.empty())
    object["waits"] = std::move(waits);
  if (!releases.empty())
    object["releases"] = std::move(releases);
  auto add = [&](StringRef key, const std::optional<SourcePlace> &place) {
    if (place)
      object[key] = placeText(*place);
  };
  add("gridSync", body.gridSync);
  add("multiGridSync", body.multiGridSync);
  add("runTimeBarrier", body.runTimeBarrier);
  add("heap", body.heap);
  add("prints", body.prints);
  add("asserts", body.asserts);
  add("launches", body.launches);
  if (body.anyBlocks)
    object["anyBlocks"] = true;
  if (body.anyThreads)
    object["anyThreads"] = true;
  if (body.gridSyncAlways)
    object["gridSyncAlways"] = true;
  return object;
}

} // namespace coreside
