// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelName.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Demangle/ItaniumDemangle.h"
#include "llvm/Support/Allocator.h"
#include "llvm/Support/MathExtras.h"

#include <unordered_map>

using llvm::StringRef;

namespace coreside {

namespace {

constexpr StringRef StaticPrefix = "__nv_static_";
constexpr StringRef AnonymousPrefix = "_GLOBAL__N_";
constexpr StringRef InternalPrefix = "_INTERNAL_";

/// Takes "__nv_static_<length>_<length characters>_" off.
StringRef withoutStaticPrefix(StringRef name) {
  StringRef rest = name;
  unsigned length;
  if (!rest.consume_front(StaticPrefix) || rest.consumeInteger(10, length) ||
      !rest.consume_front("_") || length >= rest.size() || rest[length] != '_')
    return name;
  return rest.drop_front(length + 1);
}

bool isIdentifier(char c) { return llvm::isAlnum(c) || c == '_' || c == '$'; }

/// CCCL's inline namespaces name the architectures of the whole compilation,
/// CUB_300001_SM_800_900_NS: another list, another name for the same code.
bool namesArchitectureList(StringRef identifier) {
  StringRef rest = identifier;
  if (!rest.consume_back("_NS") ||
      !(rest.consume_front("CUB_") || rest.consume_front("THRUST_")))
    return false;
  rest.consume_front("SM_");
  return !rest.empty() && llvm::all_of(rest, [](char c) {
    return llvm::isDigit(c) || c == '_' || c == 'S' || c == 'M';
  });
}

/// Longer names are not demangled: LLVM's demangler calls itself for each level
/// of a type, and takes some 500 bytes of the stack each time.
constexpr size_t LongestDemangled = 8 << 10;
/// Nor are those whose source form would be longer. A name can refer back to
/// its parts, and double its source form with every six characters.
constexpr uint64_t LongestSourceForm = 256 << 10;

/// Gives the demangler's parser its nodes, and adds up what they would print.
class NodeSizes {
public:
  template <typename T, typename... Arguments>
  llvm::itanium_demangle::Node *makeNode(Arguments &&...arguments) {
    using namespace llvm::itanium_demangle;
    // Brackets, commas and words of the node's own.
    constexpr uint64_t Own = 16;
    uint64_t size = Own;
    ((size = llvm::SaturatingAdd(size, sizeOf(arguments))), ...);
    if constexpr (std::is_same_v<T, ParameterPack>)
      ((LargestPack = std::max(LargestPack, countOf(arguments))), ...);
    if constexpr (std::is_same_v<T, ParameterPackExpansion>)
      size = llvm::SaturatingMultiply(size, LargestPack);
    // What it stands for comes later.
    if constexpr (std::is_same_v<T, ForwardTemplateReference>)
      size = LongestSourceForm;
    Node *node = new (Memory.Allocate(sizeof(T), alignof(T)))
        T(std::forward<Arguments>(arguments)...);
    Sizes[node] = size;
    return node;
  }
  void *allocateNodeArray(size_t number) {
    return Memory.Allocate<llvm::itanium_demangle::Node *>(number);
  }
  void reset() {}

  uint64_t sizeOf(const llvm::itanium_demangle::Node *node) const {
    auto found = Sizes.find(node);
    return found == Sizes.end() ? 0 : found->second;
  }

private:
  uint64_t sizeOf(std::string_view text) const { return text.size(); }
  uint64_t sizeOf(llvm::itanium_demangle::NodeArray nodes) const {
    uint64_t size = 0;
    for (const llvm::itanium_demangle::Node *node : nodes)
      size = llvm::SaturatingAdd(size, sizeOf(node));
    return size;
  }
  template <typename T>
    requires(!std::is_convertible_v<T, std::string_view> &&
             !std::is_convertible_v<T, const llvm::itanium_demangle::Node *>)
  uint64_t sizeOf(const T &) const {
    return 0;
  }
  uint64_t countOf(llvm::itanium_demangle::NodeArray nodes) const {
    return nodes.size();
  }

  llvm::BumpPtrAllocator Memory;
  std::unordered_map<const void *, uint64_t> Sizes;
  uint64_t LargestPack = 1;
};

/// Whether the source form of `mangled` has a length that names have.
bool isPlausible(StringRef mangled) {
  if (mangled.size() > LongestDemangled)
    return false;
  llvm::itanium_demangle::ManglingParser<NodeSizes> parser(mangled.begin(),
                                                           mangled.end());
  const llvm::itanium_demangle::Node *root = parser.parse();
  return root && parser.ASTAllocator.sizeOf(root) < LongestSourceForm;
}

} // namespace

std::string withoutLinkage(std::string_view mangled) {
  StringRef name = withoutStaticPrefix(mangled);
  if (!name.starts_with("_Z"))
    return name.str();
  std::string result = "_Z";
  StringRef rest = name.drop_front(2);
  // clang marks internal linkage before the first name, _ZL4blur; inside a
  // nested name the demangled form makes the two equal.
  if (rest.size() > 1 && rest[0] == 'L' && llvm::isDigit(rest[1]))
    rest = rest.drop_front();
  // Any length-prefixed name may be that of an anonymous namespace.
  while (!rest.empty()) {
    size_t at = rest.find(AnonymousPrefix);
    size_t digits = at;
    while (at != StringRef::npos && digits > 0 &&
           llvm::isDigit(rest[digits - 1]))
      --digits;
    unsigned length;
    if (at == StringRef::npos || digits == at ||
        rest.slice(digits, at).getAsInteger(10, length) ||
        length > rest.size() - at || length < AnonymousPrefix.size()) {
      size_t end = at == StringRef::npos ? rest.size() : at + 1;
      result += rest.take_front(end);
      rest = rest.drop_front(end);
      continue;
    }
    result += rest.take_front(digits);
    result += "12_GLOBAL__N_1";
    rest = rest.drop_front(at + length);
  }
  return result;
}

std::string demangledKernel(std::string_view mangled) {
  std::string whole = withoutLinkage(mangled);
  if (isPlausible(whole))
    whole = llvm::demangle(whole);
  std::string result;
  result.reserve(whole.size());
  for (size_t i = 0; i < whole.size();) {
    size_t end = i;
    while (end < whole.size() && isIdentifier(whole[end]))
      ++end;
    if (end == i) {
      result += whole[i++];
      continue;
    }
    StringRef identifier(whole.data() + i, end - i);
    if (namesArchitectureList(identifier))
      result += identifier.take_front(identifier.find('_')).str() + "_NS";
    else if (identifier.starts_with(InternalPrefix) &&
             StringRef(whole).substr(end).starts_with("::"))
      end += 2;
    else
      result += identifier;
    i = end;
  }
  return result;
}

std::string comparableKernel(std::string_view mangled) {
  std::string whole = demangledKernel(mangled);
  size_t depth = 0, at = 0;
  for (; at < whole.size() && (whole[at] != '(' || depth); ++at)
    depth += whole[at] == '<' ? 1 : whole[at] == '>' && depth ? -1 : 0;
  std::string result = whole.substr(0, at);
  while (at < whole.size()) {
    size_t end = at;
    while (end < whole.size() && isIdentifier(whole[end]))
      ++end;
    if (StringRef(whole).substr(end).starts_with("::") &&
        (end > at || at == 0 || whole[at - 1] != '>')) {
      at = end + 2;
      continue;
    }
    end = std::max(end, at + 1);
    result.append(whole, at, end - at);
    at = end;
  }
  return result;
}

std::string_view fileInName(std::string_view mangled) {
  // <hash8>_<length>_<file>_<hash8>, after either of the two prefixes.
  StringRef rest = mangled;
  if (rest.starts_with(StaticPrefix)) {
    unsigned length;
    rest = rest.drop_front(StaticPrefix.size());
    if (rest.consumeInteger(10, length) || !rest.consume_front("__"))
      return {};
  } else if (size_t at = rest.find(AnonymousPrefix); at != StringRef::npos) {
    rest = rest.drop_front(at + AnonymousPrefix.size());
    if (!rest.consume_front("_"))
      return {};
  } else {
    return {};
  }
  unsigned length;
  rest = rest.drop_while(llvm::isHexDigit);
  if (!rest.consume_front("_") || rest.consumeInteger(10, length) ||
      !rest.consume_front("_") || length > rest.size())
    return {};
  return rest.take_front(length);
}

} // namespace coreside
