// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A tree of headers, the more frequent ones nearer to its root: that of
// searches for frequent sets.

#include "SharedHeaders.h"

#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"

#include <map>
#include <tuple>

namespace coreside {
namespace {

/// A header behind those on the way to it.
struct Node {
  std::string header;
  unsigned files = 0;
  /// By the place of the header among all.
  std::map<size_t, Node> children;
};

class Tree {
public:
  Tree(llvm::ArrayRef<std::vector<std::string>> headersOfFiles, unsigned fewest)
      : Fewest(fewest) {
    llvm::MapVector<llvm::StringRef, unsigned> count;
    for (const auto &headers : headersOfFiles)
      for (const std::string &header : headers)
        ++count[header];
    // Of two that are as frequent, the one that is met first.
    std::vector<std::tuple<unsigned, size_t, llvm::StringRef>> order;
    for (auto [index, entry] : llvm::enumerate(count))
      if (entry.second >= fewest)
        order.emplace_back(~entry.second, index, entry.first);
    llvm::sort(order);
    llvm::StringMap<size_t> place;
    for (auto [index, entry] : llvm::enumerate(order))
      place[std::get<llvm::StringRef>(entry)] = index;
    for (const auto &headers : headersOfFiles) {
      std::map<size_t, std::string> own;
      for (const std::string &header : headers)
        if (auto found = place.find(header); found != place.end())
          own.emplace(found->second, header);
      std::vector<const Node *> &way = Ways.emplace_back();
      Node *node = &Root;
      for (const auto &[index, header] : own) {
        node = &node->children[index];
        node->header = header;
        ++node->files;
        way.push_back(node);
      }
    }
    group(Root, std::nullopt);
  }

  SharedHeaders take() {
    for (const auto &way : Ways) {
      std::optional<size_t> &group = Result.groupOf.emplace_back();
      for (const Node *node : way)
        if (auto found = Groups.find(node); found != Groups.end())
          group = found->second;
    }
    return std::move(Result);
  }

private:
  unsigned Fewest;
  Node Root;
  std::vector<std::vector<const Node *>> Ways;
  SharedHeaders Result;
  std::map<const Node *, size_t> Groups;

  /// Headers that the same files have are of one group.
  void group(const Node &node, std::optional<size_t> around) {
    for (const auto &[index, child] : node.children) {
      if (child.files < Fewest)
        continue;
      std::optional<size_t> own = around;
      if (!around || Result.groups[*around].files != child.files) {
        own = Result.groups.size();
        Result.groups.push_back({around, {}, child.files});
      }
      Result.groups[*own].headers.push_back(child.header);
      Groups[&child] = *own;
      group(child, own);
    }
  }
};

} // namespace

SharedHeaders
shareHeaders(llvm::ArrayRef<std::vector<std::string>> headersOfFiles,
             unsigned fewest) {
  return Tree(headersOfFiles, fewest).take();
}

} // namespace coreside
