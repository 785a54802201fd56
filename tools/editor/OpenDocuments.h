// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is open in an editor, with its unsaved text.
//
// In:   open, change and close
// Out:  the text that counts: that of the editor, not that of the disk

#ifndef CORESIDE_EDITOR_OPENDOCUMENTS_H
#define CORESIDE_EDITOR_OPENDOCUMENTS_H

#include "TextPositions.h"

#include <map>
#include <memory>
#include <string>

namespace coreside {

struct OpenDocument {
  /// As the client spells it.
  std::string uri;
  /// Absolute; one that is in no file has a name that nothing else has, in a
  /// folder of the workspace.
  std::string path;
  /// "cuda-cpp"
  std::string language;
  int64_t version = 0;
  std::shared_ptr<const std::string> text;
};

/// Documents by path. A copy costs no text, and stays as it is.
using OpenDocuments = std::map<std::string, OpenDocument>;

/// Whether a document is compiled by itself: sources of CUDA and HIP, and
/// their headers.
bool isDeviceSource(llvm::StringRef path, llvm::StringRef language);

/// Whether it is a header: analysed by itself only where no open source
/// includes it.
bool isHeader(llvm::StringRef path);

} // namespace coreside

#endif
