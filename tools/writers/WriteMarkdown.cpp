// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WriteMarkdown.h"

#include "ReportPaths.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include <fmt/format.h>

using namespace coreside;
using llvm::StringRef;

namespace {

/// Of a finding's arithmetic.
constexpr size_t blockBytes = 8000;
constexpr size_t tableRows = 60;
/// Of a name in the table.
constexpr size_t nameBytes = 200;
constexpr size_t tableGPUs = 40;

std::string shortened(StringRef text, size_t bytes) {
  return text.size() <= bytes ? text.str()
                              : text.take_front(bytes).str() + "...";
}

/// UTF-8 without control characters; line ends only where they are wanted.
std::string cleaned(StringRef text, bool keepLines) {
  std::string result;
  for (char c : llvm::json::fixUTF8(text)) {
    if (c == '\n' && keepLines)
      result += c;
    else if (static_cast<unsigned char>(c) < ' ' || c == 127)
      result += ' ';
    else
      result += c;
  }
  return result;
}

/// The most backticks in a row.
size_t longestTicks(StringRef text) {
  size_t longest = 0, run = 0;
  for (char c : text) {
    run = c == '`' ? run + 1 : 0;
    longest = std::max(longest, run);
  }
  return longest;
}

std::string html(StringRef text) {
  std::string result;
  for (char c : cleaned(text, /*keepLines=*/false)) {
    if (c == '&')
      result += "&amp;";
    else if (c == '<')
      result += "&lt;";
    else if (c == '>')
      result += "&gt;";
    else
      result += c;
  }
  return result;
}

/// How the change turned a finding; Both is worse on one GPU and better on
/// another.
enum class Turn { None, Worse, Both, Better, Same };

/// A finding and its row.
struct Entry {
  const ReportedFinding *reported = nullptr;
  Turn turn = Turn::None;
};

const GPUFact *factOn(const Finding *finding, const std::string &gpu) {
  if (finding)
    for (const GPUFact &fact : finding->facts.onGPU)
      if (fact.gpu == gpu)
        return &fact;
  return nullptr;
}

/// Whether the finding holds on the GPU. Rules without facts name GPUs only.
bool holdsOn(const Finding *finding, const std::string &gpu) {
  return finding && llvm::is_contained(finding->gpus, gpu);
}

/// Below 0 where `a` is less bad on the GPU than `b`, above where it is worse.
/// Either may be null.
int compare(const Finding *a, const Finding *b, const std::string &gpu) {
  const GPUFact *first = factOn(a, gpu), *second = factOn(b, gpu);
  if (first && second && first->outcome != Outcome::Unknown &&
      second->outcome != Outcome::Unknown)
    return int(first->outcome) - int(second->outcome);
  return int(holdsOn(a, gpu)) - int(holdsOn(b, gpu));
}

/// What a finding says of a GPU; a dash where it says nothing.
std::string wordOn(const Finding *finding, const std::string &gpu) {
  if (const GPUFact *fact = factOn(finding, gpu);
      fact && fact->outcome != Outcome::Unknown)
    return fact->limiter.empty()
               ? outcomeName(fact->outcome)
               : fmt::format("{}, {}", outcomeName(fact->outcome),
                             html(shortened(fact->limiter, nameBytes)));
  return holdsOn(finding, gpu) ? "found" : "–";
}

class Writer {
public:
  explicit Writer(const Report &report) : Run(report), Paths(report.root) {
    for (unsigned number : worstFirst(Run.findings)) {
      const ReportedFinding &one = Run.findings[number];
      Entries.push_back({&one, Run.isChange ? turnOf(one) : Turn::None});
    }
    if (Run.isChange)
      for (const ReportedFinding &one : Run.silent)
        if (Turn turn = turnOf(one); turn == Turn::Better)
          Entries.push_back({&one, turn});
  }

  void write(llvm::raw_ostream &out) {
    std::string end = foot();
    std::string text = head() + table();
    size_t told = 0;
    for (const Entry &entry : Entries) {
      std::string block = details(entry);
      // Room for the foot and for the line about those that are left out.
      if (text.size() + block.size() + end.size() + 100 > markdownBytes)
        break;
      text += block;
      ++told;
    }
    if (told != Entries.size())
      text += fmt::format("The arithmetic of {} more is left out.\n\n",
                          Entries.size() - told);
    out << text << end;
  }

private:
  static Turn turnOf(const ReportedFinding &reported) {
    if (reported.state == FindingState::Gone)
      return reported.allowed ? Turn::None : Turn::Better;
    if (!reported.before)
      return reported.state == FindingState::New ? Turn::Worse : Turn::None;
    const Finding &now = reported.finding, &before = *reported.before;
    bool worse = false, better = false;
    std::vector<std::string> gpus = now.gpus;
    llvm::append_range(gpus, before.gpus);
    for (const std::string &gpu : gpus) {
      worse |= compare(&now, &before, gpu) > 0;
      better |= compare(&now, &before, gpu) < 0;
    }
    return worse && better ? Turn::Both
           : worse         ? Turn::Worse
           : better        ? Turn::Better
                           : Turn::Same;
  }

  /// Both counts as worse.
  size_t count(Turn turn) const {
    return llvm::count_if(Entries, [&](const Entry &entry) {
      return entry.turn == turn ||
             (turn == Turn::Worse && entry.turn == Turn::Both);
    });
  }

  std::string head() const {
    std::string text = "### coreside\n\n";
    if (Run.exitCode == 2) {
      text += "**Nothing could be analysed.**\n\n";
      for (const Remark &remark : Run.remarks)
        if (remark.kind == "error")
          return text + fencedBlock(shortened(remark.text, blockBytes)) + "\n";
      return text;
    }
    if (!Run.isChange) {
      size_t found = Entries.size();
      return text + (found ? fmt::format("**{} finding{}**\n\n", found,
                                         found == 1 ? "" : "s")
                           : "**Nothing found.**\n\n");
    }
    std::vector<std::string> parts;
    auto add = [&](Turn turn, const char *word) {
      if (size_t number = count(turn))
        parts.push_back(parts.empty()
                            ? fmt::format("{} finding{} {}", number,
                                          number == 1 ? "" : "s", word)
                            : fmt::format("{} {}", number, word));
    };
    add(Turn::Worse, "worse");
    add(Turn::Better, "better");
    add(Turn::Same, "in other words");
    return text + (parts.empty()
                       ? "**This change makes nothing better or worse.**\n\n"
                       : fmt::format("**{}** with this change\n\n",
                                     llvm::join(parts, ", ")));
  }

  static const char *word(Turn turn) {
    switch (turn) {
    case Turn::None:
      return "";
    case Turn::Worse:
      return "worse";
    case Turn::Both:
      return "worse, better";
    case Turn::Better:
      return "better";
    case Turn::Same:
      return "same";
    }
    return "";
  }

  /// The finding as it is; null where it is gone.
  static const Finding *now(const Entry &entry) {
    return entry.reported->state == FindingState::Gone
               ? nullptr
               : &entry.reported->finding;
  }

  /// The finding as it was before the change.
  static const Finding *before(const Entry &entry) {
    if (entry.reported->state == FindingState::Gone)
      return &entry.reported->finding;
    return entry.reported->before ? &*entry.reported->before : nullptr;
  }

  std::string place(const SourcePlace &place) {
    return fmt::format("{}:{}", Paths.of(place.file), place.line);
  }

  /// The kernels, the later one first: "edges beside blur".
  static std::string kernels(const Finding &finding) {
    std::string text;
    for (const LaunchFact &launch : llvm::reverse(finding.facts.launches))
      if (!launch.kernel.empty())
        text += (text.empty() ? "" : " beside ") +
                codeSpan(shortened(launch.kernel, nameBytes), /*inTable=*/true);
    return text;
  }

  std::string table() {
    if (Entries.empty())
      return "";
    std::string text = "| | finding |";
    std::string line = "|---|---|";
    llvm::ArrayRef<ReportGPU> gpus(Run.gpus);
    gpus = gpus.take_front(tableGPUs);
    for (const ReportGPU &gpu : gpus) {
      text += " " + codeSpan(shortened(gpu.name, nameBytes), true) + " |";
      line += "---|";
    }
    text += "\n" + line + "\n";
    size_t rows = 0;
    for (const Entry &entry : Entries) {
      if (rows++ == tableRows)
        break;
      const Finding &finding = entry.reported->finding;
      std::string who = kernels(finding);
      std::string row = fmt::format(
          "| {} | {}{}{}, {} |",
          entry.turn == Turn::None ? levelName(finding.level)
                                   : word(entry.turn),
          who, who.empty() ? "" : ": ", finding.rule,
          codeSpan(shortened(place(finding.place), nameBytes), true));
      for (const ReportGPU &gpu : gpus) {
        std::string was = wordOn(before(entry), gpu.name);
        std::string is = wordOn(now(entry), gpu.name);
        if (Run.isChange && was != is)
          is = fmt::format("{} → {}", was, is);
        bool worse =
            Run.isChange && compare(now(entry), before(entry), gpu.name) > 0;
        const char *mark = worse ? "**" : "";
        row += fmt::format(" {}{}{} |", mark, is, mark);
      }
      // Names can be as long as they like; a table is not.
      if (text.size() + row.size() > markdownBytes / 2)
        break;
      text += row + "\n";
    }
    if (Entries.size() > tableRows)
      text += fmt::format("\n{} more are not in the table.\n",
                          Entries.size() - tableRows);
    return text + "\n";
  }

  std::string details(const Entry &entry) {
    const Finding &finding = entry.reported->finding;
    std::string words = entry.turn == Turn::Better
                            ? entry.reported->state == FindingState::Gone
                                  ? "no longer"
                                  : "less bad"
                            : levelName(finding.level);
    std::string text = fmt::format(
        "<details><summary><b>{}</b>: <code>{}</code> "
        "<code>[{}]</code></summary>\n\n",
        words, html(shortened(finding.message, 5 * nameBytes)), finding.rule);
    std::string lines = fmt::format("{}: {}: {}\n", place(finding.place),
                                    levelName(finding.level), finding.message);
    auto addNotes = [&](const Finding &one) {
      for (const FindingNote &note : one.notes)
        lines += fmt::format("{}: {}\n", place(note.place), note.message);
    };
    addNotes(finding);
    for (const Fix &fix : finding.fixes)
      lines += fmt::format("a fix: {}\n", fix.title);
    if (entry.reported->before && entry.turn != Turn::Same) {
      lines += fmt::format("\nbefore: {}: {}\n",
                           place(entry.reported->before->place),
                           entry.reported->before->message);
      addNotes(*entry.reported->before);
    }
    StringRef shown = lines;
    if (shown.size() > blockBytes) {
      size_t cut = shown.rfind('\n', blockBytes);
      shown = shown.take_front(cut == StringRef::npos ? blockBytes : cut + 1);
    }
    text += fencedBlock(shown);
    return text + "\n</details>\n\n";
  }

  std::string foot() const {
    std::string said;
    for (const Remark &remark : Run.remarks) {
      said += fmt::format("{}: {}\n", remark.kind, remark.text);
      if (said.size() > blockBytes)
        break;
    }
    std::string text;
    if (!said.empty())
      text += "<details><summary>what coreside remarked</summary>\n\n" +
              fencedBlock(shortened(said, blockBytes)) + "\n</details>\n\n";
    text += fmt::format("coreside {}", Run.version);
    if (!Run.comparedWith.empty())
      text += ", compared with " +
              codeSpan(shortened(Run.comparedWith, nameBytes), false);
    return text + "\n";
  }

  const Report &Run;
  ReportPaths Paths;
  std::vector<Entry> Entries;
};

} // namespace

std::string coreside::codeSpan(StringRef text, bool inTable) {
  std::string clean = cleaned(text, /*keepLines=*/false);
  std::string ticks(longestTicks(clean) + 1, '`');
  std::string inner;
  for (char c : clean) {
    if (c == '|' && inTable)
      inner += '\\';
    inner += c;
  }
  bool pads = inner.empty() || inner.front() == '`' || inner.back() == '`';
  return ticks + (pads ? " " : "") + inner + (pads ? " " : "") + ticks;
}

std::string coreside::fencedBlock(StringRef text) {
  std::string clean = cleaned(text, /*keepLines=*/true);
  std::string fence(std::max<size_t>(longestTicks(clean) + 1, 3), '`');
  return fence + "text\n" + StringRef(clean).rtrim('\n').str() + "\n" + fence +
         "\n";
}

void coreside::writeMarkdown(const Report &report, llvm::raw_ostream &out) {
  Writer(report).write(out);
}
