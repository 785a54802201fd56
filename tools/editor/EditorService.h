// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an editor shows of coreside, while the user types.
//
// In:   documents as they are opened, changed and closed
// Out:  diagnostics, hovers, code actions and inlay hints, as the Language
//       Server Protocol (3.17) words them
//
//   service.open("file:///p/a.cu", "cuda-cpp", 1, text);
//   ... callbacks.publish("file:///p/a.cu", 1, [{"code": "no-coresidency",
//   ...}])
//
// It knows no transport: `coreside lsp` is one around it. Work is done in the
// background, once a change has settled; a newer change ends the older work,
// and what was found for text that has changed since is never published.
// Answers come at once, from the last state.
//
// nvcc is run on the unsaved text, and only where what device code is made of
// has changed (DeviceText.h). Until it is done the numbers from before stand,
// and what follows from them is marked stale.

#ifndef CORESIDE_EDITOR_EDITORSERVICE_H
#define CORESIDE_EDITOR_EDITORSERVICE_H

#include "control/Settings.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coreside {

/// What the command line says; as in CheckOptions.
struct EditorOptions {
  /// Over what the client sets, which is over .coreside files.
  Settings given;
  std::string config;
  unsigned SMs = 0;
  std::string buildDirectory;
  std::optional<std::vector<std::string>> flags;
  std::vector<std::string> resources;
  bool useCache = true;
  std::string cudaPath;
  std::string baseline;
  /// How long a document must stay as it is before it is analysed.
  std::chrono::milliseconds settle{100};
};

enum class MessageType { Error = 1, Warning = 2, Info = 3, Log = 4 };

/// Called from any thread, one at a time. They must neither wait for anything
/// nor call the service.
struct EditorCallbacks {
  /// All diagnostics of a file; without a version for one that is not open.
  std::function<void(llvm::StringRef uri, std::optional<int64_t> version,
                     llvm::json::Array diagnostics)>
      publish;
  /// A WorkDoneProgress value: begin, report, end.
  std::function<void(llvm::StringRef token, llvm::json::Object value)> progress;
  /// For the user; `Log` for the log.
  std::function<void(MessageType kind, llvm::StringRef text)> showMessage;
  /// Inlay hints have changed.
  std::function<void()> refreshHints;
};

/// Any thread may call it.
class EditorService {
public:
  EditorService(EditorOptions options, EditorCallbacks callbacks);
  /// Ends what runs, compilers too.
  ~EditorService();

  /// What the client can do: before anything is opened. With the position
  /// encodings that it offers, the first that is known is used, else UTF-16.
  void setClient(const llvm::json::Object &initializeParams);
  /// "utf-16"
  llvm::StringRef positionEncoding() const;

  /// The settings of the client, {"coreside": {"targets": ["h100"]}}: the keys
  /// of .coreside files. What is wrong with them is shown.
  void configure(const llvm::json::Value &settings);
  void changeFolders(const llvm::json::Array &added,
                     const llvm::json::Array &removed);

  void open(llvm::StringRef uri, llvm::StringRef language, int64_t version,
            llvm::StringRef text);
  /// Changes that do not fit leave the document as it is and are logged.
  void change(llvm::StringRef uri, int64_t version,
              const llvm::json::Array &contentChanges);
  void save(llvm::StringRef uri);
  void close(llvm::StringRef uri);
  /// FileEvents of workspace/didChangeWatchedFiles.
  void filesChanged(const llvm::json::Array &changes);

  /// A Hover; nothing where there is nothing to say.
  std::optional<llvm::json::Value> hover(llvm::StringRef uri,
                                         const llvm::json::Value &position);
  llvm::json::Array codeActions(llvm::StringRef uri,
                                const llvm::json::Value &range,
                                const llvm::json::Value &context);
  llvm::json::Array inlayHints(llvm::StringRef uri,
                               const llvm::json::Value &range);

  /// The file's compile command as clangd can be given it in
  /// compilationDatabaseChanges: {"workingDirectory": ...,
  /// "compilationCommand":
  /// [...]}. Nothing where no database has it.
  std::optional<llvm::json::Object> clangCommand(llvm::StringRef uri);

private:
  class Implementation;
  std::unique_ptr<Implementation> I;
};

} // namespace coreside

#endif
