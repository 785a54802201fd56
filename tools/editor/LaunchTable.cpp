// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "LaunchTable.h"

#include "rules/Words.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

using namespace coreside;

namespace {

/// "4", "2-4".
std::string inWords(const NumberRange<unsigned> &range) {
  return *range.low == *range.high
             ? fmt::format("{}", *range.low)
             : fmt::format("{}-{}", *range.low, *range.high);
}

std::string inWords(const NumberRange<double> &range) {
  // What is not nothing is not shown as nothing.
  auto one = [](double number) {
    return number < 0.05 ? std::string("<0.1") : fmt::format("{:.1f}", number);
  };
  std::string low = one(*range.low), high = one(*range.high);
  return low == high ? low : low + "-" + high;
}

bool isJudged(const PartnerOnGPU &partner) {
  return partner.state == PairOnGPU::State::Judged;
}

/// What becomes of a launch beside one that was issued before it.
const char *verb(Sharing sharing) {
  switch (sharing) {
  case Sharing::Full:
    return "runs beside";
  case Sharing::Partly:
    return "runs partly beside";
  case Sharing::TailOnly:
    return "starts in the tail of";
  case Sharing::Never:
    return "waits for";
  }
  return "";
}

/// The worst that is judged of the launches before this one on one GPU; null
/// for none.
const PartnerOnGPU *worst(const LaunchSummary &launch, unsigned gpu,
                          const LaunchPartner **which) {
  const PartnerOnGPU *result = nullptr;
  for (const LaunchPartner &partner : launch.partners) {
    const PartnerOnGPU &on = partner.onGPU[gpu];
    if (!partner.isFirst || !isJudged(on) ||
        (result && result->sharing >= on.sharing))
      continue;
    result = &on;
    *which = &partner;
  }
  return result;
}

std::string staleWord(const CheckedFile &checked) {
  return checked.numbers == NumbersState::Stale ? " (stale)" : "";
}

/// A table, or a line for each row.
class Table {
public:
  Table(std::vector<std::string> head, bool markdown)
      : Head(std::move(head)), Markdown(markdown) {
    if (!Markdown)
      return;
    Text += "| " + llvm::join(Head, " | ") + " |\n|";
    for (size_t i = 0; i != Head.size(); ++i)
      Text += "---|";
    Text += "\n";
  }
  void add(const std::vector<std::string> &row) {
    if (Markdown) {
      Text += "| " + llvm::join(row, " | ") + " |\n";
      return;
    }
    Text += row.front() + ":";
    const char *separator = " ";
    for (size_t i = 1; i != row.size(); ++i)
      if (!row[i].empty()) {
        Text += separator + Head[i] + " " + row[i];
        separator = ", ";
      }
    Text += "\n";
  }
  std::string take() { return std::move(Text); }

private:
  std::vector<std::string> Head;
  bool Markdown;
  std::string Text;
};

std::string named(const std::string &name, bool markdown) {
  return markdown ? "`" + name + "`" : "'" + name + "'";
}

std::string registersIn(const LaunchNumbersOnGPU &on) {
  if (!on.registers)
    return "";
  return fmt::format("{}{}", *on.registers, on.estimated ? " (estimate)" : "");
}

/// "2 KiB", "2 KiB + 64 KiB dynamic"
std::string sharedIn(const LaunchNumbersOnGPU &on) {
  if (!on.staticShared)
    return "";
  std::string text = bytesInWords(*on.staticShared);
  if (!on.dynamicShared || !*on.dynamicShared.high)
    return text;
  std::string low = bytesInWords(*on.dynamicShared.low);
  std::string high = bytesInWords(*on.dynamicShared.high);
  return fmt::format("{} + {} dynamic", text,
                     low == high ? low : low + " to " + high);
}

/// What becomes of the later of two launches on one GPU.
std::string outcomeOf(const PartnerOnGPU &on) {
  switch (on.state) {
  case PairOnGPU::State::Judged: {
    const char *words = "";
    switch (on.sharing) {
    case Sharing::Full:
      words = "beside it";
      break;
    case Sharing::Partly:
      words = "partly beside it";
      break;
    case Sharing::TailOnly:
      words = "in its tail";
      break;
    case Sharing::Never:
      words = "waits for it";
      break;
    }
    if (on.limiter == Limiter::None)
      return words;
    return fmt::format("{} ({})", words, limiterName(on.limiter));
  }
  case PairOnGPU::State::Depends:
    return "depends: " + on.why;
  case PairOnGPU::State::Overtakes:
    return "may go first: higher priority";
  case PairOnGPU::State::Unknown:
    return on.why.empty() ? "not known" : "not known: " + on.why;
  case PairOnGPU::State::Unlaunchable:
    return "one of the two fails";
  }
  return "";
}

/// "- after `smooth` (line 11): h100 waits for it (registers)"
std::string partnerLine(const LaunchSummary &launch,
                        const LaunchPartner &partner, bool markdown) {
  std::string place = fmt::format("line {}", partner.place.line);
  if (partner.place.file != launch.place.file)
    place = fmt::format("{}:{}",
                        llvm::sys::path::filename(partner.place.file).str(),
                        partner.place.line);
  std::vector<std::string> parts;
  for (const PartnerOnGPU &on : partner.onGPU)
    parts.push_back(on.gpu + " " + outcomeOf(on));
  std::string other = named(partner.kernel, markdown);
  return fmt::format("{} {} ({}): {}\n", markdown ? "-" : " ",
                     partner.isFirst ? "after " + other : other + " after this",
                     place, llvm::join(parts, "; "));
}

void addState(std::string &text, const CheckedFile &checked, bool markdown) {
  const char *mark = markdown ? "_" : "";
  if (checked.numbers == NumbersState::Stale)
    text +=
        fmt::format("\n{0}stale: {1}{0}\n", mark,
                    checked.problem.empty() ? "the kernels are being compiled"
                                            : checked.problem);
  else if (checked.numbers == NumbersState::None)
    text +=
        fmt::format("\n{0}{1}{0}\n", mark,
                    checked.problem.empty() ? "the kernels are being compiled"
                                            : checked.problem);
}

} // namespace

std::string coreside::launchLabel(const LaunchSummary &launch,
                                  const CheckedFile &checked) {
  // Where it goes worst: it fails, then how it shares, then the fewest blocks.
  std::optional<unsigned> chosen;
  int worstSoFar = -1;
  for (unsigned g = 0; g != launch.onGPU.size(); ++g) {
    const LaunchPartner *which = nullptr;
    const PartnerOnGPU *partner = worst(launch, g, &which);
    int badness = !launch.onGPU[g].fault.empty() ? 10
                  : partner                      ? 1 + int(partner->sharing)
                  : launch.onGPU[g].blocksPerSM  ? 0
                                                 : -1;
    if (badness > worstSoFar) {
      worstSoFar = badness;
      chosen = g;
    }
  }
  if (!chosen)
    return {};
  const LaunchNumbersOnGPU &on = launch.onGPU[*chosen];
  std::string label;
  if (launch.onGPU.size() > 1)
    label = on.gpu + ": ";
  if (!on.fault.empty())
    return label + "fails: " + on.fault + staleWord(checked);
  label += inWords(on.blocksPerSM) +
           (*on.blocksPerSM.high == 1 ? " block/SM" : " blocks/SM");
  if (on.waves)
    label += ", " + inWords(on.waves) +
             (inWords(on.waves) == "1.0" ? " wave" : " waves");
  const LaunchPartner *which = nullptr;
  if (const PartnerOnGPU *partner = worst(launch, *chosen, &which))
    label += fmt::format("; {} '{}'", verb(partner->sharing), which->kernel);
  return label + staleWord(checked);
}

std::string coreside::launchTable(const LaunchSummary &launch,
                                  const CheckedFile &checked, bool markdown) {
  std::string kernel = launch.kernelName.empty()
                           ? "a kernel"
                           : named(launch.kernelName, markdown);
  std::string text = kernel;
  if (launch.stream.find(' ') != std::string::npos)
    text += " on the " + launch.stream;
  else if (!launch.stream.empty())
    text += " on stream " + named(launch.stream, markdown);
  text += ": " + launch.shape + "\n\n";
  Table table(
      {"GPU", "registers", "shared memory", "blocks/SM", "limited by", "waves"},
      markdown);
  for (const LaunchNumbersOnGPU &on : launch.onGPU)
    table.add({on.gpu, registersIn(on), sharedIn(on),
               !on.fault.empty() ? "fails: " + on.fault
               : on.blocksPerSM  ? inWords(on.blocksPerSM)
                                 : "",
               on.blocksPerSM && on.limiter != Limiter::None
                   ? limiterName(on.limiter)
                   : "",
               on.waves ? inWords(on.waves) : ""});
  text += table.take();
  for (const LaunchNumbersOnGPU &on : launch.onGPU)
    if (!on.missing.empty()) {
      text += "\nnot known: " + on.missing + "\n";
      break;
    }
  if (!launch.partners.empty())
    text += "\n";
  for (const LaunchPartner &partner : launch.partners)
    text += partnerLine(launch, partner, markdown);
  addState(text, checked, markdown);
  return text;
}

std::string coreside::kernelTable(const Analysis &analysis, unsigned number,
                                  const CheckedFile &checked, bool markdown) {
  const Kernel &kernel = analysis.program.kernels[number];
  std::string text = "kernel " + named(kernel.name, markdown) + "\n\n";
  Table table({"GPU", "registers", "shared memory", "stack", "spills"},
              markdown);
  for (const GPU &gpu : analysis.gpus) {
    const KernelResources *found = analysis.resources.find(
        kernel.mangled, gpu.architecture.capability, nullptr, kernel.unit);
    if (!found) {
      table.add({gpu.name, "", "", "", ""});
      continue;
    }
    std::string spills;
    if (found->spillStores && found->spillLoads)
      spills = bytesInWords(uint64_t(*found->spillStores) + *found->spillLoads);
    table.add({gpu.name,
               found->registers
                   ? fmt::format("{}{}", *found->registers,
                                 found->estimated ? " (estimate)" : "")
                   : "",
               found->staticShared ? bytesInWords(*found->staticShared) : "",
               found->stack ? bytesInWords(*found->stack) : "", spills});
  }
  text += table.take();
  std::string launches;
  for (const LaunchSummary &launch : launchesIn(analysis, checked.read->path))
    if (launch.kernel == int(number))
      launches += fmt::format("{} line {}: {}\n", markdown ? "-" : " ",
                              launch.place.line, launchLabel(launch, checked));
  if (!launches.empty())
    text += "\n" + launches;
  addState(text, checked, markdown);
  return text;
}
