// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "BackgroundChecks.h"

#include "DocumentURI.h"
#include "checking/SideBySide.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/thread.h"

#include <fmt/format.h>

using namespace coreside;
using llvm::StringRef;
namespace json = llvm::json;
using std::chrono::milliseconds;

/// Files whose headers are kept as clang has read them, some 50 MiB each.
static constexpr size_t mostPreambles = 16;

BackgroundChecks::BackgroundChecks(const EditorOptions &options,
                                   const EditorCallbacks &callbacks)
    : Options(options), Callbacks(callbacks) {
  Context.reading.flags = Options.flags;
  Context.reading.buildDirectory = Options.buildDirectory;
  if (llvm::Error error = useToolkit(Options.cudaPath, Context.reading))
    say(MessageType::Error, llvm::toString(std::move(error)));
  Numbers = std::make_unique<KernelNumbers>(
      Context.reading, UnitResourceOptions{Options.resources, Options.useCache},
      [this](const std::string &path) {
        std::lock_guard lock(Use);
        if (auto check = Checks.find(path); check != Checks.end())
          check->second.judge = true;
        Changed.notify_all();
      },
      [this](StringRef what) { showWorking(what); });
  Worker = std::make_unique<llvm::thread>(std::optional<unsigned>(stackSize),
                                          [this] { work(); });
}

BackgroundChecks::~BackgroundChecks() {
  {
    std::lock_guard lock(Use);
    Ending = true;
    for (auto &[path, check] : Checks)
      if (check.stop)
        *check.stop = true;
  }
  Changed.notify_all();
  Worker->join();
  // Its thread calls back.
  Numbers = nullptr;
}

void BackgroundChecks::setClient(const ClientAbilities &client) {
  std::lock_guard lock(Use);
  Client = client;
}

void BackgroundChecks::setClientSettings(const Settings &settings) {
  std::lock_guard lock(Use);
  FromClient = settings;
  Said.clear();
  for (auto &[path, check] : Checks)
    schedule(path, milliseconds(0));
}

EditorSettings BackgroundChecks::settings() const {
  EditorSettings result;
  result.given = FromClient;
  result.given.add(Options.given);
  result.config = Options.config;
  result.SMs = Options.SMs;
  result.baseline = Options.baseline;
  return result;
}

//===-- What the editor does ----------------------------------------------===//

void BackgroundChecks::opened(const OpenDocuments &documents,
                              const std::string &path) {
  std::lock_guard lock(Use);
  Documents = documents;
  Forgotten.erase(path);
  chooseFiles();
  if (Checks.count(path))
    schedule(path, milliseconds(0));
  scheduleReaders(path, milliseconds(0));
}

void BackgroundChecks::changed(const OpenDocuments &documents,
                               const std::string &path) {
  std::lock_guard lock(Use);
  Documents = documents;
  if (Checks.count(path))
    schedule(path, Options.settle);
  scheduleReaders(path, Options.settle);
}

void BackgroundChecks::closed(const OpenDocuments &documents,
                              const std::string &path, const std::string &uri) {
  std::lock_guard lock(Use);
  Documents = documents;
  chooseFiles();
  Callbacks.publish(uri, std::nullopt, {});
  // From now on what is on disk counts.
  scheduleReaders(path, milliseconds(0));
}

void BackgroundChecks::saved(const std::string &path) {
  std::lock_guard lock(Use);
  // What is compiled from the disk alone can be kept for later runs.
  if (Checks.count(path))
    schedule(path, milliseconds(0));
}

void BackgroundChecks::filesChanged(const std::vector<std::string> &paths) {
  std::lock_guard lock(Use);
  for (const std::string &path : paths) {
    StringRef name = llvm::sys::path::filename(path);
    if (name == ".coreside" || name == "compile_commands.json") {
      Said.clear();
      for (auto &[file, check] : Checks)
        schedule(file, Options.settle);
    } else if (!Documents.count(path)) {
      scheduleReaders(path, Options.settle);
    }
  }
}

//===-- What is checked ---------------------------------------------------===//

void BackgroundChecks::schedule(const std::string &path, milliseconds wait) {
  Check &check = Checks[path];
  if (check.stop)
    *check.stop = true;
  check.due = Clock::now() + wait;
  Changed.notify_all();
}

bool BackgroundChecks::isRead(const std::string &path,
                              const std::string &notBy) const {
  return llvm::any_of(Checks, [&](const auto &one) {
    return one.first != notBy && one.second.last && !isHeader(one.first) &&
           llvm::is_contained(one.second.last->read->files, path);
  });
}

void BackgroundChecks::scheduleReaders(const std::string &path,
                                       milliseconds wait) {
  for (auto &[file, check] : Checks)
    if (file != path && check.last &&
        llvm::is_contained(check.last->read->files, path))
      schedule(file, wait);
}

void BackgroundChecks::chooseFiles() {
  std::vector<std::string> gone;
  for (auto &[path, check] : Checks)
    if (!Documents.count(path) || (isHeader(path) && isRead(path, path)))
      gone.push_back(path);
  for (const std::string &path : gone) {
    Check check = std::move(Checks[path]);
    if (check.stop)
      *check.stop = true;
    Checks.erase(path);
    Numbers->forget(path);
    Forgotten.insert(path);
    for (const auto &[file, diagnostics] : check.diagnostics)
      publish(file);
  }
  for (const auto &[path, document] : Documents)
    if (!Checks.count(path) && isDeviceSource(path, document.language) &&
        (!isHeader(path) || !isRead(path, path)))
      schedule(path, milliseconds(0));
}

bool BackgroundChecks::isCurrent(const OpenDocuments &documents) const {
  return llvm::all_of(documents, [&](const auto &one) {
    auto now = Documents.find(one.first);
    return now != Documents.end() &&
           now->second.version == one.second.version &&
           now->second.text == one.second.text;
  });
}

std::vector<std::shared_ptr<const CheckedFile>>
BackgroundChecks::about(const std::string &path) const {
  std::lock_guard lock(Use);
  std::vector<std::shared_ptr<const CheckedFile>> result;
  for (const auto &[file, check] : Checks)
    if (check.last && check.last->read->documents.count(path))
      result.push_back(check.last);
  return result;
}

//===-- Checking ----------------------------------------------------------===//

void BackgroundChecks::work() {
  std::unique_lock lock(Use);
  while (!Ending) {
    for (const std::string &path : std::exchange(Forgotten, {})) {
      Context.preambles.forget(path);
      llvm::erase(Recent, path);
    }
    // What is judged only is quick.
    auto arrived =
        llvm::find_if(Checks, [](const auto &one) { return one.second.judge; });
    if (arrived != Checks.end()) {
      arrived->second.judge = false;
      // A check that is due asks for the numbers itself.
      if (!arrived->second.due && arrived->second.last &&
          isCurrent(arrived->second.last->read->documents)) {
        std::shared_ptr<const ReadFile> read = arrived->second.last->read;
        judge(lock, std::string(arrived->first), read);
      }
      continue;
    }
    std::optional<Clock::time_point> first;
    std::string path;
    for (const auto &[file, check] : Checks)
      if (check.due && (!first || *check.due < *first)) {
        first = check.due;
        path = file;
      }
    if (!first)
      Changed.wait(lock);
    else if (Clock::now() < *first)
      Changed.wait_until(lock, *first);
    else
      run(lock, path);
  }
}

void BackgroundChecks::run(std::unique_lock<std::mutex> &lock,
                           const std::string &path) {
  Check &check = Checks[path];
  check.due.reset();
  check.stop = std::make_shared<std::atomic<bool>>(false);
  std::shared_ptr<std::atomic<bool>> stop = check.stop;
  OpenDocuments documents = Documents;
  EditorSettings settings = this->settings();
  std::shared_ptr<const CheckedFile> last = check.last;
  lock.unlock();
  llvm::erase(Recent, path);
  Recent.push_back(path);
  if (Recent.size() > mostPreambles) {
    Context.preambles.forget(Recent.front());
    Recent.erase(Recent.begin());
  }
  if (last)
    anticipate(*last->read, documents);
  llvm::Expected<ReadFile> read =
      readFile(path, documents, settings, Context, *stop);
  lock.lock();
  auto now = Checks.find(path);
  bool isWanted = now != Checks.end() && now->second.stop == stop && !*stop;
  if (!read) {
    std::string text = llvm::toString(read.takeError());
    if (isWanted)
      sayLocked(MessageType::Error, text);
  }
  if (now != Checks.end() && now->second.stop == stop)
    now->second.stop = nullptr;
  if (!isWanted || !read)
    return;
  // A header that nobody knew it reads has changed meanwhile.
  if (!isCurrent(read->documents))
    return schedule(path, milliseconds(0));
  for (StringRef line : llvm::split(StringRef(read->remarks).trim(), '\n'))
    if (!line.empty() && Said.insert(line.str()).second)
      Callbacks.showMessage(MessageType::Log, line);
  judge(lock, path, std::make_shared<ReadFile>(std::move(*read)));
}

void BackgroundChecks::anticipate(const ReadFile &last,
                                  const OpenDocuments &documents) {
  auto now = std::make_shared<ReadFile>(last);
  now->deviceKey.clear();
  bool mayChangeKernels = false;
  for (auto &[path, document] : now->documents) {
    auto open = documents.find(path);
    // It will be another set of documents.
    if (open == documents.end())
      return;
    if (*open->second.text != *document.text)
      mayChangeKernels |=
          path != last.path || !llvm::all_of(last.units, [&](const Unit &unit) {
            return unit.program.unread.empty() &&
                   changesHostBody(*document.text, *open->second.text,
                                   unit.program.hostBodies);
          });
    document = open->second;
  }
  if (mayChangeKernels)
    Numbers->anticipate(std::move(now));
}

void BackgroundChecks::judge(std::unique_lock<std::mutex> &lock,
                             const std::string &path,
                             std::shared_ptr<const ReadFile> read) {
  EditorSettings settings = this->settings();
  lock.unlock();
  KernelNumbers::Answer numbers;
  if (read->problem.empty())
    numbers = Numbers->ask(read);
  auto judged = judgeFile(read, std::move(numbers.tables), settings);
  lock.lock();
  auto check = Checks.find(path);
  if (!judged) {
    std::string text = llvm::toString(judged.takeError());
    return sayLocked(MessageType::Error, text);
  }
  judged->numbers = numbers.state;
  judged->problem = numbers.problem;
  if (check == Checks.end() || !isCurrent(read->documents))
    return;
  if (!numbers.problem.empty())
    sayLocked(MessageType::Log, numbers.problem);
  for (const std::string &warning : judged->warnings)
    sayLocked(MessageType::Log, warning);
  take(path, std::make_shared<CheckedFile>(std::move(*judged)));
}

void BackgroundChecks::take(const std::string &path,
                            std::shared_ptr<const CheckedFile> checked) {
  Check &check = Checks[path];
  std::set<std::string> affected = {path};
  for (const auto &[file, diagnostics] : check.diagnostics)
    affected.insert(file);
  for (const auto &[file, document] : checked->read->documents)
    affected.insert(file);
  check.last = std::move(checked);
  check.diagnostics = diagnosticsOf(*check.last, Client);
  for (const auto &[file, diagnostics] : check.diagnostics)
    affected.insert(file);
  for (const std::string &file : affected)
    publish(file);
  if (Client.refreshHints)
    Callbacks.refreshHints();
  // It may read headers that were checked by themselves.
  chooseFiles();
}

void BackgroundChecks::publish(const std::string &path) {
  auto open = Documents.find(path);
  json::Array all;
  for (const auto &[file, check] : Checks) {
    auto found = check.diagnostics.find(path);
    if (found == check.diagnostics.end())
      continue;
    // Of text that has changed since nothing is said.
    if (open != Documents.end()) {
      auto read = check.last->read->documents.find(path);
      if (read == check.last->read->documents.end() ||
          read->second.version != open->second.version)
        continue;
    }
    for (const json::Value &diagnostic : found->second)
      if (!llvm::is_contained(all, diagnostic))
        all.push_back(diagnostic);
  }
  if (open != Documents.end())
    Callbacks.publish(open->second.uri, open->second.version, std::move(all));
  else
    Callbacks.publish(uriOfPath(path), std::nullopt, std::move(all));
}

//===-- Words for the user ------------------------------------------------===//

void BackgroundChecks::showWorking(StringRef what) {
  std::lock_guard lock(Use);
  if (!Client.progress || (what.empty() && !IsWorkShown))
    return;
  const char *kind = what.empty() ? "end" : IsWorkShown ? "report" : "begin";
  json::Object value{{"kind", kind}};
  if (!what.empty())
    value["message"] = fmt::format("nvcc compiles {}", what.str());
  if (!what.empty() && !IsWorkShown)
    value["title"] = "coreside";
  IsWorkShown = !what.empty();
  Callbacks.progress("coreside/kernels", std::move(value));
}

void BackgroundChecks::sayLocked(MessageType kind, StringRef text) {
  if (Said.insert(text.str()).second)
    Callbacks.showMessage(kind, text);
}

void BackgroundChecks::say(MessageType kind, StringRef text) {
  std::lock_guard lock(Use);
  if (kind == MessageType::Log)
    Callbacks.showMessage(kind, text);
  else
    sayLocked(kind, text);
}
