// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelNumbers.h"

#include "checking/SideBySide.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/Support/thread.h"

using namespace coreside;

/// States of a file that are remembered.
static constexpr size_t kept = 8;

KernelNumbers::KernelNumbers(
    UnitOptions reading, UnitResourceOptions resources,
    std::function<void(const std::string &path)> arrived,
    std::function<void(llvm::StringRef what)> working)
    : Reading(std::move(reading)), Resources(std::move(resources)),
      Arrived(std::move(arrived)), Working(std::move(working)),
      Worker(std::make_unique<llvm::thread>(std::optional<unsigned>(stackSize),
                                            [this] { work(); })) {}

KernelNumbers::~KernelNumbers() {
  {
    std::lock_guard lock(Use);
    Ending = true;
    if (Stop)
      Stop->stop();
  }
  Changed.notify_all();
  Worker->join();
}

static bool hasKernels(const ReadFile &file) {
  return llvm::any_of(file.units, [](const Unit &unit) {
    return !unit.program.kernels.empty();
  });
}

/// Whether compilers read the same in both.
static bool isSameText(const ReadFile &a, const ReadFile &b) {
  return a.documents.size() == b.documents.size() &&
         std::equal(a.documents.begin(), a.documents.end(), b.documents.begin(),
                    [](const auto &one, const auto &other) {
                      return one.first == other.first &&
                             one.second.text == other.second.text;
                    });
}

void KernelNumbers::want(OfFile &known, std::shared_ptr<const ReadFile> file) {
  if (Running && Running->path == file->path)
    Stop->stop();
  llvm::erase(Queue, file->path);
  Queue.push_back(file->path);
  known.wanted = std::move(file);
  Changed.notify_all();
}

void KernelNumbers::anticipate(std::shared_ptr<const ReadFile> file) {
  if (!hasKernels(*file) || !Resources.given.empty())
    return;
  std::lock_guard lock(Use);
  want(Files[file->path], std::move(file));
}

KernelNumbers::Answer KernelNumbers::ask(std::shared_ptr<const ReadFile> file) {
  Answer answer;
  if (!hasKernels(*file)) {
    drop(file->path);
    answer.state = NumbersState::Current;
    return answer;
  }
  // A log is there at once, and says what it says of every state of the file.
  if (!Resources.given.empty()) {
    CompilerStop stop;
    Result result = compile(*file, stop);
    answer.tables = std::move(result.tables);
    answer.problem = std::move(result.problem);
    answer.state =
        answer.tables.empty() ? NumbersState::None : NumbersState::Current;
    return answer;
  }

  std::lock_guard lock(Use);
  OfFile &known = Files[file->path];
  // What was anticipated is of this text, or of none that counts.
  bool isRunning = Running && Running->path == file->path;
  if (isRunning && RunningKey.empty() && isSameText(*Running, *file) &&
      !Stop->stopped())
    RunningKey = file->deviceKey;
  if (known.early && isSameText(*known.early, *file)) {
    known.earlyResult.key = file->deviceKey;
    keep(known, std::move(known.earlyResult));
  }
  known.early = nullptr;

  auto result = llvm::find_if(known.results, [&](const Result &one) {
    return one.key == file->deviceKey;
  });
  if (result != known.results.end()) {
    answer.problem = result->problem;
    known.wanted = nullptr;
    if (isRunning)
      Stop->stop();
    if (!result->tables.empty()) {
      answer.state = NumbersState::Current;
      answer.tables = result->tables;
      keep(known, Result(*result));
      return answer;
    }
  } else if (!isRunning || RunningKey != file->deviceKey || Stop->stopped()) {
    want(known, file);
  }
  // The last that are any.
  for (const Result &one : known.results)
    if (one.tables.size() == file->units.size()) {
      answer.state = NumbersState::Stale;
      answer.tables = one.tables;
      break;
    }
  return answer;
}

void KernelNumbers::keep(OfFile &file, Result result) {
  llvm::erase_if(file.results,
                 [&](const Result &one) { return one.key == result.key; });
  file.results.push_front(std::move(result));
  if (file.results.size() <= kept)
    return;
  // What failed is remembered too, but does not push out numbers.
  auto oldest =
      llvm::find_if(llvm::reverse(file.results),
                    [](const Result &one) { return one.tables.empty(); });
  bool isFront = oldest == std::prev(file.results.rend());
  if (oldest == file.results.rend() || isFront)
    file.results.pop_back();
  else
    file.results.erase(std::next(oldest).base());
}

void KernelNumbers::drop(const std::string &path) {
  std::lock_guard lock(Use);
  if (auto known = Files.find(path); known != Files.end())
    known->second.wanted = nullptr;
  if (Running && Running->path == path)
    Stop->stop();
}

void KernelNumbers::forget(const std::string &path) {
  drop(path);
  std::lock_guard lock(Use);
  Files.erase(path);
}

KernelNumbers::Result KernelNumbers::compile(const ReadFile &file,
                                             CompilerStop &stop) const {
  Result result;
  std::string said;
  llvm::raw_string_ostream saying(said);
  Remarks remarks(saying);
  SourceTexts unsaved =
      Resources.given.empty() ? file.unsaved() : SourceTexts();
  UnitResourceOptions resources = Resources;
  resources.stop = &stop;
  // Kernels that are as they were are not compiled at all.
  resources.inOneStep = !unsaved.empty();
  resources.progress = [&](size_t, size_t, llvm::StringRef what) {
    Working(what);
  };
  std::vector<ResourceTable> tables;
  for (const Unit &unit : file.units) {
    std::optional<TextCopies> copies;
    if (!unsaved.empty()) {
      llvm::Expected<TextCopies> written = TextCopies::write(unit, unsaved);
      if (!written) {
        result.problem = llvm::toString(written.takeError());
        return result;
      }
      copies.emplace(std::move(*written));
    }
    auto table = findResources(copies ? copies->unit() : unit, Reading,
                               resources, remarks);
    if (!table) {
      result.problem = llvm::toString(table.takeError());
      return result;
    }
    ResourceTable &all = tables.emplace_back();
    for (KernelResources record : table->front().records()) {
      // A log says by itself what it is about.
      if (copies)
        record.file = unit.command.file;
      all.add(std::move(record));
    }
  }
  result.problem = remarks.firstProblem();
  // Some kernels may be there beside an error; none at all are no numbers.
  if (llvm::any_of(tables, [](const ResourceTable &table) {
        return !table.records().empty();
      }))
    result.tables = std::move(tables);
  else if (result.problem.empty())
    result.problem = "nothing is known of the file's kernels";
  return result;
}

void KernelNumbers::work() {
  std::unique_lock lock(Use);
  while (true) {
    Changed.wait(lock, [&] { return Ending || !Queue.empty(); });
    if (Ending)
      return;
    std::string path = std::move(Queue.back());
    Queue.pop_back();
    auto known = Files.find(path);
    if (known == Files.end() || !known->second.wanted)
      continue;
    Running = std::move(known->second.wanted);
    RunningKey = Running->deviceKey;
    known->second.wanted = nullptr;
    Stop = std::make_shared<CompilerStop>();
    std::shared_ptr<const ReadFile> file = Running;
    std::shared_ptr<CompilerStop> stop = Stop;
    lock.unlock();
    Result result = compile(*file, *stop);
    Working({});
    lock.lock();
    Running = nullptr;
    Stop = nullptr;
    known = Files.find(path);
    if (stop->stopped() || known == Files.end())
      continue;
    if (RunningKey.empty()) {
      known->second.early = file;
      known->second.earlyResult = std::move(result);
      continue;
    }
    result.key = RunningKey;
    keep(known->second, std::move(result));
    lock.unlock();
    Arrived(path);
    lock.lock();
  }
}
