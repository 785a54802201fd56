// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelLines.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using llvm::StringRef;

namespace coreside {

namespace {

/// Kernels open at once in one stream: more than any machine has compilers.
constexpr size_t MostOpen = 1024;
/// Streams told apart: more than any solution has projects at work.
constexpr size_t MostStreams = 256;
/// Lines that a torn end may be away from its beginning.
constexpr size_t TornReach = 32;
/// Torn pieces after which a log is no longer read until it is in order again:
/// with that many, halves come together that happen to read as wholes.
constexpr unsigned MostTorn = 8;
/// "Compiling", "Function properties", spills and "Used".
constexpr unsigned LinesOfKernel = 4;
/// Bytes that the system takes of each block from sm_80 on.
constexpr unsigned Reserve = 1024;

} // namespace

KernelLines::Stream &KernelLines::stream(bool linker) {
  auto &all = linker ? Linkers : Compilers;
  if (all.size() >= MostStreams && !all.contains(StreamName))
    return all[""];
  return all[StreamName];
}

const KernelLines::Stream *KernelLines::compilers() const {
  auto found = Compilers.find(StreamName);
  return found == Compilers.end() ? nullptr : &found->second;
}

std::string KernelLines::where(size_t line) const {
  return File + ":" + std::to_string(line);
}

void KernelLines::note(size_t line, const llvm::Twine &text) {
  if (Reading.notes.size() < Options.maxNotes)
    Reading.notes.push_back((where(line) + ": " + text).str());
  else
    ++NotesLeftOut;
}

void KernelLines::noteDropped(const Open &kernel, StringRef why) {
  note(kernel.line, "registers of '" + kernel.name + "'" +
                        (kernel.target.empty() ? "" : " for ") + kernel.target +
                        " dropped: " + why);
}

void KernelLines::at(size_t line, StringRef stream) {
  Line = line;
  if (StreamName != stream)
    StreamName = stream.str();
}

bool KernelLines::awaitsProperties(StringRef name) const {
  const Stream *now = compilers();
  return now && llvm::any_of(now->open, [&](const Open &kernel) {
           return kernel.state == Open::AwaitsProperties && kernel.name == name;
         });
}

bool KernelLines::awaitsLonger(StringRef name) const {
  const Stream *now = compilers();
  return now && llvm::any_of(now->open, [&](const Open &kernel) {
           return kernel.state == Open::AwaitsProperties &&
                  kernel.name.size() > name.size() &&
                  StringRef(kernel.name).starts_with(name);
         });
}

bool KernelLines::awaitsSpills() const {
  const Stream *now = compilers();
  return now && llvm::any_of(now->open, [](const Open &kernel) {
           return kernel.state == Open::AwaitsSpills;
         });
}

bool KernelLines::anyOpen() const {
  auto open = [](const auto &entry) { return !entry.second.open.empty(); };
  return llvm::any_of(Compilers, open) || llvm::any_of(Linkers, open);
}

//===-- Messages ----------------------------------------------------------===//

void KernelLines::add(const PtxasMessage &message, bool begun) {
  followOrder(message);
  if (Stream &now = stream(message.linker);
      begun && message.kind == MessageKind::Compiling && now.tornCompiling)
    --now.tornCompiling;
  switch (message.kind) {
  case MessageKind::Compiling:
    return compiling(message);
  case MessageKind::Properties:
    return properties(message);
  case MessageKind::Spills:
    return spills(message);
  case MessageKind::Used:
    return used(message);
  }
}

/// Counts the kernels whose four lines stand together. After many in a row,
/// what was given up before has no lines left to come: a compiler that was
/// killed prints none.
void KernelLines::followOrder(const PtxasMessage &message) {
  constexpr unsigned Enough = 16;
  Stream &now = stream(message.linker);
  SawProperties |= message.kind == MessageKind::Properties;
  SawSpills |= message.kind == MessageKind::Spills;
  bool adjacent = Line <= LastLine + 1;
  LastLine = Line;
  if (message.kind == MessageKind::Compiling)
    LinesInOrder = 0;
  bool inOrder =
      unsigned(message.kind) == LinesInOrder && (LinesInOrder == 0 || adjacent);
  LinesInOrder = inOrder ? LinesInOrder + 1 : LinesOfKernel + 1;
  if (!inOrder)
    now.undisturbed = 0;
  else if (LinesInOrder == LinesOfKernel && ++now.undisturbed == Enough) {
    now.strayUsed = now.straySpills = now.tornCompiling = 0;
    Torn = false;
    TornPieces = 0;
    FirstSuspect = Reading.records.size();
  }
}

void KernelLines::push(Stream &now, Open kernel) {
  if (now.open.size() == MostOpen) {
    noteDropped(now.open.front(), "its lines do not end");
    now.open.erase(now.open.begin());
  }
  now.open.push_back(std::move(kernel));
}

void KernelLines::compiling(const PtxasMessage &message) {
  Stream &now = stream(false);
  now.last.reset();
  now.sawEntry = true;
  // Its own line may have been torn, and have come together only after the
  // next one.
  for (Open &kernel : now.open)
    if (kernel.entry && kernel.target.empty() && kernel.name == message.name) {
      kernel.target = message.target.str();
      return;
    }
  Open kernel;
  kernel.name = message.name.str();
  kernel.target = message.target.str();
  kernel.line = Line;
  push(now, std::move(kernel));
}

void KernelLines::properties(const PtxasMessage &message) {
  Stream &now = stream(message.linker);
  Open *match = nullptr;
  bool several = false;
  if (!message.linker)
    for (Open &kernel : now.open)
      if (kernel.entry && kernel.state == Open::AwaitsProperties &&
          kernel.name == message.name) {
        several |= match && match->target != kernel.target;
        if (!match)
          match = &kernel;
      }
  if (match) {
    // The same kernel for two architectures at once: any may be meant.
    for (Open &kernel : now.open)
      if (several ? kernel.entry && kernel.name == message.name &&
                        kernel.state == Open::AwaitsProperties
                  : &kernel == match) {
        kernel.uncertain |= several;
        kernel.state = Open::AwaitsSpills;
      }
    return;
  }
  for (const Open &kernel : now.open)
    if (kernel.uncertain && kernel.name == message.name)
      return;
  Open function;
  function.name = message.name.str();
  function.target = message.target.str();
  function.line = Line;
  if (message.linker) {
    function.state = Open::AwaitsUsed;
  } else {
    function.state = Open::AwaitsSpills;
    // A kernel whose "Compiling" line is in pieces, or not a kernel.
    function.entry = now.tornCompiling != 0;
    if (!function.entry && !now.sawEntry)
      setRelocatable(now);
  }
  push(now, std::move(function));
}

void KernelLines::spills(const PtxasMessage &message) {
  Stream &now = stream(false);
  Open *match = nullptr;
  unsigned waiting = 0;
  for (Open &kernel : now.open)
    if (kernel.state == Open::AwaitsSpills) {
      ++waiting;
      match = &kernel;
    }
  if (waiting == 0) {
    if (now.straySpills)
      --now.straySpills;
    return;
  }
  if (waiting == 1 && !now.straySpills && !match->uncertain &&
      message.shape == MessageShape::Whole) {
    match->stack = message.stack;
    match->spillStores = message.spillStores;
    match->spillLoads = message.spillLoads;
  }
  now.straySpills += waiting - 1;
  for (Open &kernel : now.open)
    if (kernel.state == Open::AwaitsSpills)
      kernel.state = Open::AwaitsUsed;
  // A function that is not a kernel has no "Used" line.
  for (const Open &function : now.open)
    if (!function.entry)
      close(now, function);
  llvm::erase_if(now.open, [](const Open &open) { return !open.entry; });
}

void KernelLines::close(Stream &now, const Open &open) {
  DeviceFunction function;
  function.name = open.name;
  function.stack = open.stack;
  function.spillStores = open.spillStores;
  function.spillLoads = open.spillLoads;
  bool alone = llvm::none_of(now.open, [](auto &open) { return open.entry; });
  if (now.last && !now.relocatable && alone) {
    KernelResources &kernel = Reading.records[*now.last];
    function.kernel = kernel.kernel;
    auto raise = [](std::optional<unsigned> &worst,
                    std::optional<unsigned> one) {
      if (one)
        worst = std::max(worst.value_or(0), *one);
    };
    raise(kernel.calleeSpillStores, function.spillStores);
    raise(kernel.calleeSpillLoads, function.spillLoads);
  }
  Reading.functions.push_back(std::move(function));
}

void KernelLines::used(const PtxasMessage &message) {
  Stream &now = stream(message.linker);
  SawNoBarriers |= !message.linker && message.barriers == 0u;
  // A log that went through grep may lack a kind of line altogether, and where
  // lines are torn any kernel's may have come in pieces that nobody knew.
  auto mayOwn = [&](const Open &kernel) {
    return kernel.entry &&
           kernel.state >= (Torn            ? Open::AwaitsProperties
                            : SawSpills     ? Open::AwaitsUsed
                            : SawProperties ? Open::AwaitsSpills
                                            : Open::AwaitsProperties);
  };
  Open *match = nullptr;
  unsigned waiting = 0;
  for (Open &kernel : now.open)
    if (mayOwn(kernel)) {
      ++waiting;
      match = &kernel;
    }
  now.last.reset();
  if (waiting == 0) {
    if (now.strayUsed)
      --now.strayUsed;
    else if (message.shape == MessageShape::Whole)
      note(Line, "a 'Used' line belongs to no kernel that was announced");
    return;
  }
  // Where lines are torn, only a kernel whose lines stand together is safe from
  // what was lost unnoticed.
  bool whole = message.shape == MessageShape::Whole && !match->uncertain &&
               (!Torn || (LinesInOrder == LinesOfKernel && !now.tornCompiling &&
                          TornPieces < MostTorn));
  if (waiting == 1 && !now.strayUsed && whole) {
    emit(now, *match, message);
    now.open.erase(now.open.begin() + (match - now.open.data()));
    return;
  }
  StringRef why =
      waiting == 1 && !now.strayUsed
          ? "its lines are torn by other output"
          : "the output of several compilers is mixed, and this line may be "
            "another kernel's; build with ninja, make --output-sync or -j1";
  for (const Open &kernel : now.open)
    if (mayOwn(kernel))
      noteDropped(kernel, why);
  llvm::erase_if(now.open, mayOwn);
  now.strayUsed += waiting - 1;
}

void KernelLines::emit(Stream &now, const Open &kernel,
                       const PtxasMessage &message) {
  KernelResources record;
  record.kernel = kernel.name;
  record.registers = message.registers;
  record.barriers = message.barriers;
  // ptxas leaves out shared memory that is not used. Barriers it prints
  // always or, in older releases, never: no number is not zero barriers.
  record.staticShared = message.shared.value_or(0);
  record.stack = message.stack ? message.stack : kernel.stack;
  record.spillStores = kernel.spillStores;
  record.spillLoads = kernel.spillLoads;
  record.constant = message.constant;
  record.source = where(Line);
  StringRef target =
      message.target.empty() ? StringRef(kernel.target) : message.target;
  auto capability = capabilityOf(target);
  if (capability) {
    record.capability = *capability;
    if (target != smName(*capability))
      record.target = target.str();
  } else if (!message.linker) {
    noteDropped(kernel, "its architecture is not known");
    return;
  }
  size_t place = message.linker ? LinkedRecords.size() : Reading.records.size();
  bool together = LinesInOrder == LinesOfKernel;
  RecentRecords.push_back({Line, place, message.linker, together});
  if (RecentRecords.size() > TornReach)
    RecentRecords.pop_front();
  if (message.linker) {
    LinkedRecords.push_back({std::move(record), Line});
    return;
  }
  // Only -rdc names a kernel so, and it does so to the whole file.
  if (StringRef(record.kernel).starts_with("__nv_static_"))
    setRelocatable(now);
  record.final = !now.relocatable && !Options.relocatable;
  now.last = place;
  Reading.records.push_back(std::move(record));
}

void KernelLines::setRelocatable(Stream &now) {
  if (now.relocatable)
    return;
  now.relocatable = true;
  for (size_t i = now.firstRecord; i < Reading.records.size(); ++i)
    Reading.records[i].final = false;
}

void KernelLines::addTorn(MessageKind kind, bool linker) {
  Stream &now = stream(linker);
  now.undisturbed = 0;
  addTorn();
  PtxasMessage message;
  message.kind = kind;
  message.shape = MessageShape::Head;
  message.linker = linker;
  switch (kind) {
  case MessageKind::Compiling:
    ++now.tornCompiling;
    return;
  case MessageKind::Properties:
    // Any kernel that waits for it may have got it.
    for (Open &kernel : now.open) {
      kernel.uncertain = true;
      if (kernel.state == Open::AwaitsProperties)
        kernel.state = Open::AwaitsSpills;
    }
    return;
  case MessageKind::Spills:
    return spills(message);
  case MessageKind::Used:
    return used(message);
  }
}

void KernelLines::addTorn() {
  if (!Torn)
    note(Line, "lines are torn by other output: kernels whose lines do not "
               "stand together are dropped");
  Torn = true;
  LinesInOrder = LinesOfKernel + 1;
  if (++TornPieces == MostTorn)
    dropSuspects();
  // The other half may have come before.
  dropRecent([](const Recent &one) { return !one.together; });
}

void KernelLines::addEndOfUsed() {
  addTorn();
  dropRecent([](const Recent &) { return true; });
}

void KernelLines::dropRecent(llvm::function_ref<bool(const Recent &)> suspect) {
  llvm::erase_if(RecentRecords, [&](const Recent &one) {
    if (Line - one.line > TornReach)
      return true;
    if (!suspect(one))
      return false;
    const KernelResources &record = one.linker ? LinkedRecords[one.place].record
                                               : Reading.records[one.place];
    note(one.line, "numbers of '" + record.kernel +
                       "' dropped: a line was torn by other output, perhaps "
                       "this one");
    (one.linker ? DroppedLinked : Dropped).push_back(one.place);
    return true;
  });
}

/// Drops all that was read since the log was last in order.
void KernelLines::dropSuspects() {
  if (FirstSuspect == Reading.records.size())
    return;
  note(Line, "lines are torn in too many places: the numbers of " +
                 llvm::Twine(Reading.records.size() - FirstSuspect) +
                 " kernels before are dropped");
  for (size_t place = FirstSuspect; place != Reading.records.size(); ++place)
    Dropped.push_back(place);
}

void KernelLines::beginSection(bool linker) {
  Stream &now = stream(linker);
  now.sawEntry = now.relocatable = false;
  now.firstRecord = Reading.records.size();
  now.last.reset();
}

void KernelLines::addError(StringRef text, bool linker) {
  if (Reading.errors.size() < Options.maxNotes)
    Reading.errors.push_back(text.str());
  StringRef rest = text;
  if (linker || !rest.consume_front_insensitive("entry function '"))
    return;
  size_t end = rest.find('\'');
  if (end == StringRef::npos)
    return;
  StringRef kernel = rest.take_front(end);
  rest = rest.drop_front(end);
  unsigned bytes;
  bool named = rest.consume_front("' uses too much shared data (0x") &&
               !rest.consumeInteger(16, bytes);
  Refused[kernel] = named ? std::optional(bytes) : std::nullopt;
}

//===-- The end -----------------------------------------------------------===//

void KernelLines::endFile() {
  // A tool that prints "used 0 barriers" prints barriers always: a line without
  // was cut at its first comma.
  for (size_t i = FirstOfFile; SawNoBarriers && i < Reading.records.size(); ++i)
    if (!Reading.records[i].barriers) {
      note(Line, "numbers of '" + Reading.records[i].kernel +
                     "' dropped: their line was torn by other output");
      Dropped.push_back(i);
    }
  for (auto &entry : Compilers)
    for (const Open &kernel : entry.second.open)
      if (kernel.entry && !Refused.contains(kernel.name))
        noteDropped(kernel, "the log has no 'Used' line for it");
}

void KernelLines::beginFile(StringRef name) {
  endFile();
  File = name.str();
  StreamName.clear();
  Compilers.clear();
  Linkers.clear();
  RecentRecords.clear();
  SawProperties = SawSpills = SawNoBarriers = Torn = false;
  TornPieces = 0;
  FirstOfFile = FirstSuspect = Reading.records.size();
  Line = LastLine = 0;
  LinesInOrder = 0;
}

LogReading KernelLines::finish() {
  endFile();
  removeDropped();
  settleLinked();
  if (NotesLeftOut)
    Reading.notes.push_back(File + ": and " + std::to_string(NotesLeftOut) +
                            " more");
  return std::move(Reading);
}

void KernelLines::removeDropped() {
  auto remove = [](auto &all, std::vector<size_t> &places) {
    llvm::sort(places, std::greater<size_t>());
    places.erase(llvm::unique(places), places.end());
    for (size_t place : places)
      all.erase(all.begin() + place);
  };
  remove(Reading.records, Dropped);
  remove(LinkedRecords, DroppedLinked);
  if (Refused.empty())
    return;
  llvm::erase_if(Reading.records, [&](const KernelResources &record) {
    auto found = Refused.find(record.kernel);
    return found != Refused.end() &&
           (!found->second || found->second == record.staticShared);
  });
}

/// Gives the linker's records their architecture, and takes the system's
/// reserve out of their shared memory.
void KernelLines::settleLinked() {
  if (LinkedRecords.empty())
    return;
  llvm::StringMap<std::vector<size_t>> compiled;
  for (auto [place, record] : llvm::enumerate(Reading.records))
    compiled[record.kernel].push_back(place);
  std::map<std::string, std::vector<Linked *>> byKernel;
  for (Linked &one : LinkedRecords)
    byKernel[one.record.kernel].push_back(&one);

  std::vector<KernelResources> settled;
  for (auto &[kernel, group] : byKernel) {
    std::map<std::pair<ComputeCapability, std::string>, size_t> targets;
    for (size_t place : compiled.lookup(kernel)) {
      KernelResources &record = Reading.records[place];
      record.final = false;
      targets.try_emplace({record.capability, record.target}, place);
    }
    std::vector<Linked *> nameless;
    for (Linked *one : group)
      if (one->record.capability == ComputeCapability{})
        nameless.push_back(one);
      else
        settled.push_back(one->record);
    if (nameless.empty())
      continue;
    auto settle = [&](Linked *one, ComputeCapability capability,
                      const std::string &target) {
      settled.push_back(one->record);
      settled.back().capability = capability;
      settled.back().target = target;
    };
    bool same = llvm::all_of(nameless, [&](Linked *one) {
      const KernelResources &a = one->record, &b = nameless[0]->record;
      return a.registers == b.registers && a.barriers == b.barriers &&
             a.staticShared == b.staticShared && a.stack == b.stack;
    });
    if (targets.size() == 1)
      for (Linked *one : nameless)
        settle(one, targets.begin()->first.first,
               targets.begin()->first.second);
    else if (targets.size() == nameless.size() && same)
      for (auto &[target, place] : targets)
        settle(nameless[0], target.first, target.second);
    else if (targets.empty() && Options.linkedFor)
      for (Linked *one : nameless)
        settle(one, *Options.linkedFor, "");
    else
      note(nameless[0]->line,
           "linked registers of '" + kernel +
               "' dropped: the linker does not say for which architecture" +
               (targets.empty() ? ", and no other line of the log does" : ""));
  }

  // Whether the linker counts the reserve is seen where ptxas has printed the
  // same kernel; else it is what nvlink 13.0 does: it counts it for sm_90 only.
  std::map<ComputeCapability, std::pair<unsigned, unsigned>> evidence;
  for (const KernelResources &record : settled)
    for (size_t place : compiled.lookup(record.kernel)) {
      const KernelResources &before = Reading.records[place];
      if (before.capability != record.capability || !before.staticShared)
        continue;
      auto &[with, without] = evidence[record.capability];
      with += *record.staticShared == *before.staticShared + Reserve;
      without +=
          *before.staticShared && *record.staticShared == *before.staticShared;
    }
  for (KernelResources &record : settled) {
    auto [with, without] = evidence[record.capability];
    bool counted = with != without
                       ? with > without
                       : record.capability == ComputeCapability{9, 0};
    if (counted && *record.staticShared >= Reserve)
      record.staticShared = *record.staticShared - Reserve;
    record.final = true;
    Reading.records.push_back(std::move(record));
  }
}

} // namespace coreside
