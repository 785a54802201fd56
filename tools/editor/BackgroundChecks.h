// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Decides when which open file is checked, and publishes what is found.
//
// In:   a.cu was changed; and changed again
// Out:  one analysis, once it has stayed as it is for a while; diagnostics of
//       a.cu and of the headers that its findings are in
//
// One thread checks, a file at a time. A change ends the check of what it is
// in. What was found is published only if all that was read is still as it was.

#ifndef CORESIDE_EDITOR_BACKGROUNDCHECKS_H
#define CORESIDE_EDITOR_BACKGROUNDCHECKS_H

#include "CheckedFile.h"
#include "EditorService.h"
#include "FindingDiagnostics.h"
#include "KernelNumbers.h"

#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace coreside {

class BackgroundChecks {
public:
  BackgroundChecks(const EditorOptions &options,
                   const EditorCallbacks &callbacks);
  ~BackgroundChecks();

  void setClient(const ClientAbilities &client);
  void setClientSettings(const Settings &settings);

  // `documents` are all that are open now.
  void opened(const OpenDocuments &documents, const std::string &path);
  void changed(const OpenDocuments &documents, const std::string &path);
  void closed(const OpenDocuments &documents, const std::string &path,
              const std::string &uri);
  void saved(const std::string &path);
  void filesChanged(const std::vector<std::string> &paths);

  /// The last checks that `path` was read for.
  std::vector<std::shared_ptr<const CheckedFile>>
  about(const std::string &path) const;

  const std::optional<Toolkit> &toolkit() const {
    return Context.reading.toolkit;
  }

  /// Tells the user, each thing once; for the log every time.
  void say(MessageType kind, llvm::StringRef text);

private:
  using Clock = std::chrono::steady_clock;
  /// A file that is checked.
  struct Check {
    /// When to, if at all.
    std::optional<Clock::time_point> due;
    /// Its numbers have come.
    bool judge = false;
    /// Set while it is checked.
    std::shared_ptr<std::atomic<bool>> stop;
    std::shared_ptr<const CheckedFile> last;
    /// By path.
    std::map<std::string, llvm::json::Array> diagnostics;
  };

  void work();
  void run(std::unique_lock<std::mutex> &lock, const std::string &path);
  void judge(std::unique_lock<std::mutex> &lock, const std::string &path,
             std::shared_ptr<const ReadFile> read);
  /// Where device code seems to have changed it is compiled while it is read.
  void anticipate(const ReadFile &last, const OpenDocuments &documents);
  void take(const std::string &path,
            std::shared_ptr<const CheckedFile> checked);
  void schedule(const std::string &path, std::chrono::milliseconds wait);
  void scheduleReaders(const std::string &path, std::chrono::milliseconds wait);
  /// Begins and ends checks, after something was opened, read or closed.
  void chooseFiles();
  bool isRead(const std::string &path, const std::string &notBy) const;
  bool isCurrent(const OpenDocuments &documents) const;
  void publish(const std::string &path);
  void showWorking(llvm::StringRef what);
  EditorSettings settings() const;
  void sayLocked(MessageType kind, llvm::StringRef text);

  const EditorOptions &Options;
  const EditorCallbacks &Callbacks;
  /// Of the checking thread, but for the toolkit, which does not change.
  CheckingContext Context;
  /// Files with preambles, the one checked last at the end.
  std::vector<std::string> Recent;
  std::set<std::string> Forgotten;

  mutable std::mutex Use;
  std::condition_variable Changed;
  bool Ending = false;
  ClientAbilities Client;
  Settings FromClient;
  OpenDocuments Documents;
  std::map<std::string, Check> Checks;
  std::set<std::string> Said;
  bool IsWorkShown = false;
  std::unique_ptr<KernelNumbers> Numbers;
  std::unique_ptr<llvm::thread> Worker;
};

} // namespace coreside

#endif
