// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LineDiff.h"

#include <fmt/format.h>

#include <algorithm>

using namespace coreside;
using llvm::StringRef;

std::vector<StringRef> coreside::linesOf(StringRef text) {
  std::vector<StringRef> lines;
  while (!text.empty()) {
    size_t end = text.find('\n');
    size_t size = end == StringRef::npos ? text.size() : end + 1;
    lines.push_back(text.take_front(size));
    text = text.drop_front(size);
  }
  return lines;
}

std::string coreside::lineScript(llvm::ArrayRef<StringRef> before,
                                 llvm::ArrayRef<StringRef> after) {
  // The longest common subsequence of what lies between the equal ends. A
  // change is a few hundred lines mostly; a table of the square of these is
  // small. Where it is not, all between the ends is one change.
  size_t head = 0;
  while (head < before.size() && head < after.size() &&
         before[head] == after[head])
    ++head;
  size_t tail = 0;
  while (tail < before.size() - head && tail < after.size() - head &&
         before[before.size() - 1 - tail] == after[after.size() - 1 - tail])
    ++tail;
  size_t m = before.size() - head - tail, n = after.size() - head - tail;
  // ' ' kept, '-' taken away, '+' added.
  std::string script(head, ' ');
  if (m * n <= 16u << 20) {
    std::vector<unsigned> common((m + 1) * (n + 1));
    auto at = [&](size_t i, size_t j) -> unsigned & {
      return common[i * (n + 1) + j];
    };
    for (size_t i = m; i-- > 0;)
      for (size_t j = n; j-- > 0;)
        at(i, j) = before[head + i] == after[head + j]
                       ? at(i + 1, j + 1) + 1
                       : std::max(at(i + 1, j), at(i, j + 1));
    for (size_t i = 0, j = 0; i != m || j != n;)
      if (i != m && j != n && before[head + i] == after[head + j]) {
        script += ' ';
        ++i, ++j;
      } else if (i != m && (j == n || at(i + 1, j) >= at(i, j + 1))) {
        script += '-';
        ++i;
      } else {
        script += '+';
        ++j;
      }
  } else {
    script += std::string(m, '-') + std::string(n, '+');
  }
  return script + std::string(tail, ' ');
}

std::string coreside::unifiedDiff(StringRef beforeText, StringRef afterText,
                                  StringRef name) {
  std::vector<StringRef> before = linesOf(beforeText);
  std::vector<StringRef> after = linesOf(afterText);
  std::string script = lineScript(before, after);
  std::string text = fmt::format("--- a/{0}\n+++ b/{0}\n", name.str());
  constexpr size_t context = 3;
  size_t i = 0, j = 0; // Lines of before and after that are passed.
  for (size_t s = 0; s != script.size();) {
    if (script[s] == ' ') {
      ++s, ++i, ++j;
      continue;
    }
    // A hunk goes on as long as changes have at most twice the context between.
    size_t begin = s - std::min(context, std::min(s, i));
    size_t end = s, quiet = 0;
    for (size_t e = s; e != script.size() && quiet <= 2 * context; ++e) {
      quiet = script[e] == ' ' ? quiet + 1 : 0;
      if (!quiet)
        end = e + 1;
    }
    end = std::min(end + context, script.size());
    size_t lead = s - begin;
    size_t fromBefore = i - lead, fromAfter = j - lead;
    size_t countBefore = 0, countAfter = 0;
    std::string body;
    size_t a = fromBefore, b = fromAfter;
    for (size_t e = begin; e != end; ++e) {
      StringRef line = script[e] == '+' ? after[b] : before[a];
      body += script[e] + line.str();
      if (!line.ends_with("\n"))
        body += "\n\\ No newline at end of file\n";
      countBefore += script[e] != '+';
      countAfter += script[e] != '-';
      a += script[e] != '+';
      b += script[e] != '-';
    }
    // An empty side is numbered by the line before it.
    text += fmt::format("@@ -{},{} +{},{} @@\n",
                        countBefore ? fromBefore + 1 : fromBefore, countBefore,
                        countAfter ? fromAfter + 1 : fromAfter, countAfter);
    text += body;
    s = end;
    i = a;
    j = b;
  }
  return text;
}
