// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "WriteJSON.h"

#include "FindingJSON.h"

#include "llvm/Support/FormatVariadic.h"

using namespace coreside;
namespace json = llvm::json;

static json::Object reportedJSON(const ReportedFinding &reported,
                                 ReportPaths &paths) {
  const Finding &finding = reported.finding;
  json::Object object = placeJSON(finding.place, paths);
  object["rule"] = finding.rule;
  object["level"] = levelName(finding.level);
  object["message"] = textJSON(finding.message);
  object["fingerprint"] = finding.fingerprint;
  object["state"] = stateName(reported.state);
  object["fails"] = reported.fails;
  object["gpus"] = textsJSON(finding.gpus);
  const FindingFacts &facts = finding.facts;
  object["function"] = textJSON(facts.function);
  object["launches"] = launchesJSON(facts, paths);
  object["onGPU"] = toJSON(facts.onGPU);
  object["assumptions"] = textsJSON(facts.assumptions);
  if (!facts.formula.empty())
    object["formula"] = textJSON(facts.formula);

  json::Array notes;
  for (const FindingNote &one : finding.notes) {
    json::Object note = placeJSON(one.place, paths);
    note["message"] = textJSON(one.message);
    notes.push_back(std::move(note));
  }
  object["notes"] = std::move(notes);

  json::Array fixes;
  for (const Fix &fix : finding.fixes) {
    json::Array edits;
    for (const SourceEdit &edit : fix.edits)
      edits.push_back(json::Object{{"file", textJSON(paths.of(edit.file))},
                                   {"line", edit.line},
                                   {"column", edit.column},
                                   {"endLine", edit.endLine},
                                   {"endColumn", edit.endColumn},
                                   {"text", textJSON(edit.text)}});
    fixes.push_back(json::Object{{"title", textJSON(fix.title)},
                                 {"edits", std::move(edits)}});
  }
  object["fixes"] = std::move(fixes);

  if (reported.allowed) {
    json::Object allowed = placeJSON(reported.allowed->place, paths);
    allowed["reason"] = textJSON(reported.allowed->reason);
    object["allowed"] = std::move(allowed);
  }
  if (reported.before) {
    json::Object before = placeJSON(reported.before->place, paths);
    before["rule"] = reported.before->rule;
    before["message"] = textJSON(reported.before->message);
    before["onGPU"] = toJSON(reported.before->facts.onGPU);
    object["before"] = std::move(before);
  }
  return object;
}

void coreside::writeJSON(const Report &report, llvm::raw_ostream &out) {
  ReportPaths paths(report.root);
  json::Array findings;
  for (const ReportedFinding &finding : report.findings)
    findings.push_back(reportedJSON(finding, paths));
  if (report.writesSilent)
    for (const ReportedFinding &finding : report.silent)
      findings.push_back(reportedJSON(finding, paths));
  json::Array gpus;
  for (const ReportGPU &gpu : report.gpus)
    gpus.push_back(json::Object{{"name", textJSON(gpu.name)},
                                {"architecture", gpu.architecture}});
  json::Array remarks;
  for (const Remark &remark : report.remarks)
    remarks.push_back(
        json::Object{{"kind", remark.kind}, {"text", textJSON(remark.text)}});
  json::Object tool{{"version", report.version},
                    {"clang", report.clangVersion}};
  if (!report.ptxasVersion.empty())
    tool["ptxas"] = textJSON(report.ptxasVersion);
  json::Object run{{"commandLine", textsJSON(report.commandLine)},
                   {"workingFolder", textJSON(report.workingFolder)},
                   {"begin", utcTime(report.begin)},
                   {"end", utcTime(report.end)},
                   {"exitCode", report.exitCode}};
  if (!report.comparedWith.empty())
    run["comparedWith"] = textJSON(report.comparedWith);
  if (report.revision) {
    json::Object revision{{"repository", textJSON(report.revision->repository)},
                          {"commit", report.revision->commit}};
    if (!report.revision->branch.empty())
      revision["branch"] = textJSON(report.revision->branch);
    run["revision"] = std::move(revision);
  }
  json::Object all{
      {"format", "coreside-findings"}, {"version", 1},
      {"tool", std::move(tool)},       {"run", std::move(run)},
      {"root", textJSON(report.root)}, {"sources", textsJSON(report.sources)},
      {"gpus", std::move(gpus)},       {"findings", std::move(findings)},
      {"remarks", std::move(remarks)}};
  out << llvm::formatv("{0:2}\n", json::Value(std::move(all)));
}
