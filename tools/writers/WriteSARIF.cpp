// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WriteSARIF.h"

#include "FindingJSON.h"
#include "LineHashes.h"
#include "ReportedLines.h"
#include "RulePages.h"
#include "rules/Rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Regex.h"

#include <fmt/format.h>

#include <map>

using namespace coreside;
using llvm::StringRef;
namespace json = llvm::json;

namespace {

constexpr StringRef rootName = "SRCROOT";

/// GitHub takes so many, and words of at most so many bytes.
constexpr unsigned relatedLocations = 1000;
constexpr unsigned messageBytes = 4000;
constexpr unsigned descriptionBytes = 1000;

/// SARIF has no preview.
const char *sarifLevel(Level level) {
  return level == Level::Preview ? "note" : levelName(level);
}

/// At most `bytes` of it, cut between characters.
std::string shortened(StringRef text, size_t bytes) {
  if (text.size() <= bytes)
    return text.str();
  size_t end = bytes - 3;
  while (end && (text[end] & 0xC0) == 0x80)
    --end;
  return text.take_front(end).str() + "...";
}

/// Plain words as a message string, in which {0} is a placeholder and [a](1) a
/// link. Other braces are left single: readers print doubled ones as they are.
std::string escaped(StringRef text) {
  static const llvm::Regex placeholder("^\\{[0-9]+\\}");
  std::string result;
  bool hasLinks = text.contains("](");
  for (StringRef rest = text; !rest.empty();) {
    llvm::SmallVector<StringRef, 1> parts;
    if (rest.front() == '{' && placeholder.match(rest, &parts)) {
      result += "{" + parts[0].str() + "}";
      rest = rest.drop_front(parts[0].size());
      continue;
    }
    if (hasLinks && (rest.front() == '[' || rest.front() == ']'))
      result += '\\';
    result += rest.front();
    rest = rest.drop_front();
  }
  return result;
}

json::Object message(StringRef text) {
  return json::Object{{"text", textJSON(escaped(text))}};
}

/// Links of a page lead to other pages of the repository, which a reader of the
/// document does not have: their words are kept. Code is left alone.
std::string withoutLinks(StringRef markdown) {
  static const llvm::Regex link("\\[([^]\n]*)\\]\\(([^)\n]*)\\)");
  std::string result;
  bool inCode = false;
  for (StringRef rest = markdown; !rest.empty();) {
    StringRef line;
    std::tie(line, rest) = rest.split('\n');
    inCode ^= line.starts_with("```");
    std::string text = line.str();
    llvm::SmallVector<StringRef, 3> parts;
    for (size_t from = 0; !inCode;) {
      StringRef left = StringRef(text).substr(from);
      if (!link.match(left, &parts))
        break;
      size_t at = from + (parts[0].data() - left.data());
      if (parts[2].contains("://")) {
        from = at + parts[0].size();
        continue;
      }
      std::string words = parts[1].str();
      text.replace(at, parts[0].size(), words);
      from = at + words.size();
    }
    result += text + "\n";
  }
  return result;
}

/// "NoCoresidency" of "no-coresidency".
std::string camelCase(StringRef name) {
  std::string result;
  bool atStart = true;
  for (char c : name) {
    if (c == '-')
      atStart = true;
    else
      result += std::exchange(atStart, false) ? llvm::toUpper(c) : c;
  }
  return result;
}

class Writer {
public:
  explicit Writer(const Report &report) : Run(report), Paths(report.root) {
    for (const Rule &rule : allRules())
      RuleIndex[rule.name] = RuleIndex.size();
  }

  /// One result after the other, so that only one is in memory.
  void write(llvm::raw_ostream &out) {
    for (const std::string &source : Run.sources)
      artifact(source, /*isTarget=*/true);
    std::vector<json::Object> notifications = remarks();
    std::vector<unsigned> order = worstFirst(Run.findings);
    if (order.size() > sarifResults) {
      notifications.push_back(json::Object{
          {"level", "warning"},
          {"message", message(fmt::format("the worst {} of {} findings are "
                                          "written",
                                          sarifResults, order.size()))}});
      order.resize(sarifResults);
    }
    llvm::sort(order);
    json::OStream to(out, /*IndentSize=*/2);
    to.object([&] {
      to.attribute("$schema",
                   "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/"
                   "os/schemas/sarif-schema-2.1.0.json");
      to.attribute("version", "2.1.0");
      to.attributeArray("runs", [&] {
        to.object([&] {
          to.attribute("tool", tool());
          writeFacts(to);
          to.attribute("invocations",
                       json::Array{invocation(std::move(notifications))});
          to.attributeArray("results", [&] { writeResults(order, to); });
          // Those that results are about are known only now.
          to.attribute("artifacts", std::move(Artifacts));
        });
      });
    });
    out << '\n';
  }

private:
  void writeFacts(json::OStream &to) {
    to.attribute("language", "en-US");
    to.attribute("columnKind", "utf16CodeUnits");
    to.attribute("defaultEncoding", "utf-8");
    to.attribute("defaultSourceLanguage", "cplusplus");
    // GitHub takes what stands before the '/' as the category.
    to.attribute("automationDetails", json::Object{{"id", "coreside/"}});
    json::Object root{{"uri", folderURI(Run.root)},
                      {"description", message("the folder of the repository")}};
    to.attribute("originalUriBaseIds",
                 json::Object{{rootName, std::move(root)}});
    if (!Run.revision)
      return;
    json::Object revision{{"repositoryUri", Run.revision->repository},
                          {"revisionId", Run.revision->commit},
                          {"mappedTo", json::Object{{"uriBaseId", rootName}}}};
    if (!Run.revision->branch.empty())
      revision["branch"] = textJSON(Run.revision->branch);
    to.attribute("versionControlProvenance", json::Array{std::move(revision)});
  }

  void writeResults(llvm::ArrayRef<unsigned> order, json::OStream &to) {
    for (unsigned number : order)
      to.value(result(Run.findings[number]));
    if (!Run.writesSilent)
      return;
    size_t room = sarifResults - order.size();
    for (const ReportedFinding &one :
         llvm::ArrayRef(Run.silent).take_front(room))
      to.value(result(one));
  }

  //===-- Places ----------------------------------------------------------===//

  static std::string folderURI(StringRef folder) {
    std::string uri = fileURI(folder);
    return StringRef(uri).ends_with("/") ? uri : uri + "/";
  }

  /// Where the file is, without its number among the artifacts.
  json::Object fileLocation(StringRef file) {
    const std::string &name = Paths.of(file);
    if (llvm::sys::path::is_absolute(name))
      return json::Object{{"uri", fileURI(name)}};
    return json::Object{{"uri", relativeURI(name)}, {"uriBaseId", rootName}};
  }

  /// The number of the file among the artifacts.
  unsigned artifact(StringRef file, bool isTarget = false) {
    auto [entry, isNew] =
        ArtifactIndex.try_emplace(Paths.of(file), Artifacts.size());
    if (isNew) {
      json::Object artifact{{"location", fileLocation(file)}};
      if (isTarget)
        artifact["roles"] = json::Array{"analysisTarget"};
      Artifacts.push_back(std::move(artifact));
    }
    return entry->second;
  }

  json::Object physicalLocation(const SourcePlace &place) {
    json::Object where = fileLocation(place.file);
    where["index"] = artifact(place.file);
    json::Object location{{"artifactLocation", std::move(where)}};
    if (place.line) {
      json::Object region{{"startLine", place.line}};
      if (place.column) {
        SourcePlace end = place;
        end.column = Lines.endOfName(place);
        region["startColumn"] = Lines.utf16Column(place);
        region["endColumn"] = Lines.utf16Column(end);
      }
      location["region"] = std::move(region);
    }
    return location;
  }

  json::Object location(const SourcePlace &place, StringRef words = "") {
    json::Object location{{"physicalLocation", physicalLocation(place)}};
    if (!words.empty())
      location["message"] = message(words);
    return location;
  }

  //===-- Results ---------------------------------------------------------===//

  json::Object result(const ReportedFinding &reported) {
    const Finding &finding = reported.finding;
    json::Object first = location(finding.place);
    if (!finding.facts.function.empty())
      first["logicalLocations"] = json::Array{
          json::Object{{"fullyQualifiedName", textJSON(finding.facts.function)},
                       {"kind", "function"}}};
    json::Object result{{"ruleId", finding.rule},
                        {"level", sarifLevel(finding.level)},
                        {"message", resultMessage(finding)},
                        {"locations", json::Array{std::move(first)}}};
    if (auto index = RuleIndex.find(finding.rule); index != RuleIndex.end())
      result["ruleIndex"] = index->second;
    if (!finding.notes.empty()) {
      json::Array related;
      for (const FindingNote &note : finding.notes) {
        if (related.size() == relatedLocations)
          break;
        json::Object place = location(note.place, note.message);
        place["id"] = related.size() + 1;
        related.push_back(std::move(place));
      }
      result["relatedLocations"] = std::move(related);
    }
    if (!finding.facts.launches.empty())
      result["codeFlows"] = json::Array{codeFlow(finding.facts)};
    json::Object fingerprints{{"coreside/v1", finding.fingerprint}};
    if (std::string hash = lineHash(finding.place); !hash.empty())
      fingerprints["primaryLocationLineHash"] = hash;
    result["partialFingerprints"] = std::move(fingerprints);
    if (!finding.fixes.empty())
      result["fixes"] = fixes(finding);
    switch (reported.state) {
    case FindingState::Found:
      break;
    case FindingState::New:
      result["baselineState"] = "new";
      break;
    case FindingState::Changed:
      result["baselineState"] = "updated";
      break;
    case FindingState::Unchanged:
      result["baselineState"] = "unchanged";
      break;
    case FindingState::Gone:
      result["baselineState"] = "absent";
      break;
    }
    if (reported.allowed)
      result["suppressions"] = json::Array{
          json::Object{{"kind", "inSource"},
                       {"status", "accepted"},
                       {"justification", textJSON(reported.allowed->reason)},
                       {"location", location(reported.allowed->place)}}};
    result["properties"] = properties(finding);
    return result;
  }

  /// The words, then the arithmetic, since GitHub shows only these. A launch
  /// with a note of its own is a link to it.
  json::Object resultMessage(const Finding &finding) {
    std::string text = escaped(finding.message);
    std::string more;
    for (unsigned i = 0; i != finding.notes.size(); ++i) {
      const FindingNote &note = finding.notes[i];
      auto launch =
          llvm::find_if(finding.facts.launches, [&](const LaunchFact &fact) {
            return fact.place == note.place && fact.place != finding.place;
          });
      std::string quoted;
      if (launch != finding.facts.launches.end())
        quoted = "'" + escaped(launch->kernel) + "'";
      size_t at = quoted.size() > 2 ? text.find(quoted) : std::string::npos;
      if (at != std::string::npos)
        text.replace(at, quoted.size(),
                     fmt::format("'[{}]({})'",
                                 quoted.substr(1, quoted.size() - 2), i + 1));
      more += "\n" + escaped(note.message);
    }
    return json::Object{
        {"text", textJSON(shortened(text + more, messageBytes))}};
  }

  /// The host's way: for each launch the calls that lead to it, and itself.
  json::Object codeFlow(const FindingFacts &facts) {
    json::Array steps;
    auto add = [&](const SourcePlace &place, const std::string &words,
                   unsigned depth, const char *importance) {
      steps.push_back(json::Object{{"location", location(place, words)},
                                   {"nestingLevel", depth},
                                   {"importance", importance}});
    };
    for (const LaunchFact &launch : facts.launches) {
      unsigned depth = 0;
      for (const CallSite &call : launch.path)
        add(call.place, fmt::format("calls '{}'", call.callee), depth++,
            "important");
      add(launch.place,
          launch.stream.empty() ? fmt::format("launches '{}'", launch.kernel)
                                : fmt::format("launches '{}' on '{}'",
                                              launch.kernel, launch.stream),
          depth, "essential");
    }
    json::Object flow{{"threadFlows", json::Array{json::Object{
                                          {"locations", std::move(steps)}}}}};
    if (!facts.function.empty())
      flow["message"] = message(
          fmt::format("the launches of '{}', in host order", facts.function));
    return flow;
  }

  /// Of GitHub's code scanning; empty where the line cannot be read.
  std::string lineHash(const SourcePlace &place) {
    auto [entry, isNew] = Hashes.try_emplace(place.file);
    if (isNew)
      if (StringRef text = Lines.text(place.file); !text.empty())
        entry->second = lineHashes(text);
    if (!place.line || place.line > entry->second.size())
      return {};
    return entry->second[place.line - 1];
  }

  json::Array fixes(const Finding &finding) {
    json::Array fixes;
    for (const Fix &fix : finding.fixes) {
      std::map<std::string, json::Array> byFile;
      for (const SourceEdit &edit : fix.edits) {
        std::string text;
        for (char c : edit.text) {
          if (c == '\n' && Lines.hasCarriageReturns(edit.file))
            text += '\r';
          text += c;
        }
        json::Object region{
            {"startLine", edit.line},
            {"startColumn",
             Lines.utf16Column({edit.file, edit.line, edit.column})},
            {"endLine", edit.endLine},
            {"endColumn",
             Lines.utf16Column({edit.file, edit.endLine, edit.endColumn})}};
        byFile[edit.file].push_back(json::Object{
            {"deletedRegion", std::move(region)},
            {"insertedContent", json::Object{{"text", textJSON(text)}}}});
      }
      json::Array changes;
      for (auto &[file, replacements] : byFile) {
        json::Object where = fileLocation(file);
        where["index"] = artifact(file);
        changes.push_back(
            json::Object{{"artifactLocation", std::move(where)},
                         {"replacements", std::move(replacements)}});
      }
      if (!changes.empty())
        fixes.push_back(json::Object{{"description", message(fix.title)},
                                     {"artifactChanges", std::move(changes)}});
    }
    return fixes;
  }

  static json::Object properties(const Finding &finding) {
    json::Object bag{{"gpus", textsJSON(finding.gpus)},
                     {"onGPU", toJSON(finding.facts.onGPU)}};
    if (!finding.facts.assumptions.empty())
      bag["assumptions"] = textsJSON(finding.facts.assumptions);
    if (!finding.facts.formula.empty())
      bag["formula"] = textJSON(finding.facts.formula);
    return bag;
  }

  //===-- The run ---------------------------------------------------------===//

  json::Object tool() const {
    json::Array rules;
    for (const Rule &rule : allRules()) {
      StringRef page = pageOfRule(rule.name);
      // What it finds, up to the first blank line.
      StringRef finds = pageSection(page, "What it finds");
      finds = finds.take_front(finds.find("\n\n"));
      std::string full = withoutLinks(finds);
      std::replace(full.begin(), full.end(), '\n', ' ');
      std::string help = withoutLinks(page);
      json::Array tags{"cuda", "performance", groupName(rule.group)};
      if (rule.level == Level::Error)
        tags[1] = "correctness";
      if (rule.level == Level::Preview)
        tags.push_back("preview");
      json::Object descriptor{
          {"id", rule.name},
          {"name", camelCase(rule.name)},
          {"shortDescription", message(rule.summary)},
          {"fullDescription",
           message(
               shortened(full.empty() ? rule.summary : StringRef(full).trim(),
                         descriptionBytes))},
          {"help",
           json::Object{
               {"text", fmt::format("{}; 'coreside explain {}' prints its page",
                                    rule.summary, rule.name)},
               {"markdown", textJSON(help)}}},
          {"defaultConfiguration",
           json::Object{{"level", sarifLevel(rule.level)}}},
          {"properties",
           json::Object{{"tags", std::move(tags)},
                        {"precision", "high"},
                        {"problem.severity",
                         rule.level == Level::Error     ? "error"
                         : rule.level == Level::Warning ? "warning"
                                                        : "recommendation"}}}};
      if (!Run.rulesURL.empty())
        descriptor["helpUri"] = Run.rulesURL + rule.name + ".md";
      rules.push_back(std::move(descriptor));
    }
    json::Array extensions{
        json::Object{{"name", "clang"}, {"version", Run.clangVersion}}};
    if (!Run.ptxasVersion.empty())
      extensions.push_back(json::Object{
          {"name", "ptxas"}, {"version", textJSON(Run.ptxasVersion)}});
    json::Object driver{
        {"name", "coreside"},
        {"fullName", "coreside " + Run.version},
        {"version", Run.version},
        {"semanticVersion", Run.version},
        {"shortDescription",
         message("finds CUDA launches that cannot share the GPU")},
        {"rules", std::move(rules)}};
    return json::Object{{"driver", std::move(driver)},
                        {"extensions", std::move(extensions)}};
  }

  std::vector<json::Object> remarks() {
    std::vector<json::Object> notifications;
    for (const Remark &remark : Run.remarks) {
      json::Object &notification = notifications.emplace_back();
      notification["level"] = remark.kind;
      notification["message"] = message(remark.text);
      for (const std::string &source : Run.sources)
        if (isAbout(remark, source)) {
          notification["locations"] =
              json::Array{location(SourcePlace{source, 0, 0})};
          break;
        }
    }
    return notifications;
  }

  json::Object invocation(std::vector<json::Object> notifications) const {
    std::vector<StringRef> words(Run.commandLine.begin(),
                                 Run.commandLine.end());
    std::string line;
    for (StringRef word : words) {
      line += line.empty() ? "" : " ";
      bool isPlain = !word.empty() && llvm::all_of(word, [](char c) {
        return llvm::isAlnum(c) || StringRef("-_=.,:/+@%").contains(c);
      });
      if (isPlain)
        line += word;
      else
        line += "'" + replacedQuotes(word) + "'";
    }
    json::Array said;
    for (json::Object &notification : notifications)
      said.push_back(std::move(notification));
    json::Object invocation{
        {"executionSuccessful", Run.exitCode != 2},
        {"exitCode", Run.exitCode},
        {"exitCodeDescription", Run.exitCode == 0 ? "nothing found that fails"
                                : Run.exitCode == 1
                                    ? "findings"
                                    : "nothing could be analysed"},
        {"startTimeUtc", utcTime(Run.begin)},
        {"endTimeUtc", utcTime(Run.end)},
        {"workingDirectory",
         json::Object{{"uri", folderURI(Run.workingFolder)}}},
        {"toolExecutionNotifications", std::move(said)}};
    if (!words.empty()) {
      invocation["commandLine"] = textJSON(line);
      invocation["arguments"] =
          textsJSON(llvm::ArrayRef(Run.commandLine).drop_front());
    }
    json::Array gpus;
    for (const ReportGPU &gpu : Run.gpus)
      gpus.push_back(json::Object{{"name", textJSON(gpu.name)},
                                  {"architecture", gpu.architecture}});
    invocation["properties"] = json::Object{{"gpus", std::move(gpus)}};
    return invocation;
  }

  static std::string replacedQuotes(StringRef word) {
    std::string result;
    for (char c : word)
      result += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return result;
  }

  const Report &Run;
  ReportPaths Paths;
  ReportedLines Lines;
  llvm::StringMap<unsigned> RuleIndex;
  llvm::StringMap<unsigned> ArtifactIndex;
  json::Array Artifacts;
  llvm::StringMap<std::vector<std::string>> Hashes;
};

} // namespace

void coreside::writeSARIF(const Report &report, llvm::raw_ostream &out) {
  Writer(report).write(out);
}
