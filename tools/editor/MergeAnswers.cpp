// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MergeAnswers.h"

#include "JSONMembers.h"

#include "llvm/ADT/Twine.h"

using namespace coreside;

namespace {

bool isArray(llvm::StringRef value) { return value.starts_with("["); }
bool isObject(llvm::StringRef value) { return value.starts_with("{"); }
bool isString(llvm::StringRef value) {
  return value.size() >= 2 && value.starts_with("\"");
}

/// What is between the first character and the last.
llvm::StringRef inner(llvm::StringRef value) {
  return value.drop_front().drop_back();
}

/// The array `theirs` with the items of the array `ours`.
std::string joinedArrays(llvm::StringRef theirs, llvm::StringRef ours) {
  if (saysNothing(theirs))
    return ours.str();
  return (llvm::Twine(theirs.drop_back()) + "," + inner(ours) + "]").str();
}

/// The text of Hover.contents as a JSON string: a string, or what an object has
/// as its value.
llvm::StringRef textOfContents(llvm::StringRef contents) {
  if (isString(contents))
    return contents;
  llvm::StringRef value = jsonMember(contents, "value");
  return isString(value) ? value : llvm::StringRef();
}

/// `theirs` and the text `ours`, a JSON string, below it.
std::string joinedContents(llvm::StringRef theirs, llvm::StringRef ours) {
  // MarkedString[], which the protocol had before MarkupContent.
  if (isArray(theirs))
    return joinedArrays(theirs, ("[" + ours + "]").str());
  bool isMarkup = isObject(theirs) && !jsonMember(theirs, "kind").empty();
  if (isObject(theirs) && !isMarkup)
    return ("[" + theirs + "," + ours + "]").str();
  llvm::StringRef text = textOfContents(theirs);
  if (text.empty())
    return theirs.str();
  // Escapes are the same in both.
  llvm::StringRef line =
      isMarkup && jsonMember(theirs, "kind") == "\"plaintext\""
          ? "\\n\\n"
          : "\\n\\n---\\n";
  return withPartReplaced(
      theirs, text, ("\"" + inner(text) + line + inner(ours) + "\"").str());
}

} // namespace

bool coreside::saysNothing(llvm::StringRef value) {
  if (value.empty() || value == "null")
    return true;
  return (isArray(value) || isObject(value)) && value.size() >= 2 &&
         inner(value).trim().empty();
}

std::string coreside::withPartReplaced(llvm::StringRef body,
                                       llvm::StringRef part,
                                       llvm::StringRef replacement) {
  size_t begin = part.data() - body.data();
  return (llvm::Twine(body.substr(0, begin)) + replacement +
          body.substr(begin + part.size()))
      .str();
}

std::string coreside::withDiagnostics(llvm::StringRef body,
                                      llvm::StringRef ours) {
  llvm::StringRef theirs = jsonMember(messageParts(body).params, "diagnostics");
  if (!isArray(theirs) || !isArray(ours) || saysNothing(ours))
    return body.str();
  return withPartReplaced(body, theirs, joinedArrays(theirs, ours));
}

std::string coreside::withItems(llvm::StringRef body, llvm::StringRef ours) {
  llvm::StringRef theirs = messageParts(body).result;
  if (!(isArray(theirs) || theirs == "null") || !isArray(ours) ||
      saysNothing(ours))
    return body.str();
  return withPartReplaced(body, theirs, joinedArrays(theirs, ours));
}

std::string coreside::withHover(llvm::StringRef body, llvm::StringRef ours) {
  llvm::StringRef theirs = messageParts(body).result;
  if (theirs.empty() || !isObject(ours))
    return body.str();
  if (saysNothing(theirs))
    return withPartReplaced(body, theirs, ours);
  llvm::StringRef contents = jsonMember(theirs, "contents");
  llvm::StringRef text = textOfContents(jsonMember(ours, "contents"));
  if (contents.empty() || text.empty())
    return body.str();
  return withPartReplaced(body, contents, joinedContents(contents, text));
}

std::string coreside::withCapabilities(llvm::StringRef body) {
  llvm::StringRef capabilities =
      jsonMember(messageParts(body).result, "capabilities");
  if (!isObject(capabilities))
    return body.str();
  std::string more;
  for (llvm::StringRef name :
       {"hoverProvider", "codeActionProvider", "inlayHintProvider"}) {
    llvm::StringRef value = jsonMember(capabilities, name);
    // What is there but false cannot be added to by text alone, and no clangd
    // says that.
    if (value.empty())
      more += ("\"" + name + "\":true,").str();
  }
  if (more.empty())
    return body.str();
  if (saysNothing(capabilities))
    more.pop_back();
  return withPartReplaced(
      body, capabilities,
      ("{" + llvm::Twine(more) + capabilities.drop_front()).str());
}
