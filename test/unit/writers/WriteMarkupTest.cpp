// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names of kernels, files and GPUs are others' words: none of them is markup.

#include "writers/Outputs.h"
#include "writers/WriteGitHub.h"
#include "writers/WriteJUnit.h"
#include "writers/WriteMarkdown.h"
#include "writers/WriteSARIF.h"

#include "llvm/Support/JSON.h"

#include <gtest/gtest.h>

using namespace coreside;

namespace {

/// One finding of `words` on a GPU called by them.
Report reportOf(const std::string &words) {
  Report report;
  report.root = "/nowhere";
  report.version = "0.1.0";
  report.gpus = {{words, "sm_90"}};
  ReportedFinding &one = report.findings.emplace_back();
  one.finding.rule = "no-coresidency";
  one.finding.place = {"/nowhere/a.cu", 3, 1};
  one.finding.message = words;
  one.finding.notes = {{{"/nowhere/a.cu", 2, 1}, words}};
  one.finding.gpus = {words};
  LaunchFact launch;
  launch.kernel = words;
  launch.place = {"/nowhere/a.cu", 2, 1};
  one.finding.facts.launches = {launch};
  return report;
}

std::string written(void (*write)(const Report &, llvm::raw_ostream &),
                    const Report &report) {
  std::string text;
  llvm::raw_string_ostream out(text);
  write(report, out);
  return text;
}

} // namespace

TEST(WriteMarkup, CodeSpansAndBlocksCannotBeEnded) {
  EXPECT_EQ(codeSpan("blur<4>", false), "`blur<4>`");
  EXPECT_EQ(codeSpan("a`b``c", false), "```a`b``c```");
  EXPECT_EQ(codeSpan("`a", false), "`` `a ``");
  EXPECT_EQ(codeSpan("", false), "`  `");
  EXPECT_EQ(codeSpan("a|b\nc", true), "`a\\|b c`");
  EXPECT_EQ(fencedBlock("a\n```\n@x"), "````text\na\n```\n@x\n````\n");
}

TEST(WriteMarkup, MarkdownHasNoMarkupOfNames) {
  std::string text =
      written(writeMarkdown, reportOf("</code><img src=x>\n\n# a ``` | @all"));
  EXPECT_NE(text.find(": no-coresidency, `a.cu:3` | found |"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("&lt;/code&gt;&lt;img src=x&gt;  # a ``` | @all"),
            std::string::npos);
  EXPECT_NE(text.find("````text\n"), std::string::npos);
  EXPECT_NE(
      text.find(
          "| ````</code><img src=x>  # a ``` \\| @all````: no-coresidency"),
      std::string::npos)
      << text;
}

TEST(WriteMarkup, MarkdownFitsIntoAComment) {
  Report report = reportOf(std::string(200000, '|'));
  EXPECT_LE(written(writeMarkdown, report).size(), markdownBytes);
  report.remarks.push_back({"error", std::string(200000, '<')});
  report.comparedWith = std::string(200000, '`');
  EXPECT_LE(written(writeMarkdown, report).size(), markdownBytes);
  report.exitCode = 2;
  EXPECT_LE(written(writeMarkdown, report).size(), markdownBytes);
}

TEST(WriteMarkup, XMLHasNoForbiddenCharacters) {
  EXPECT_EQ(xmlText("a<b>&\"c\""), "a&lt;b&gt;&amp;&quot;c&quot;");
  EXPECT_EQ(xmlText("a\nb\x01\x1b"), "a&#10;b\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(xmlText("\xFF"), "\xEF\xBF\xBD");
  EXPECT_EQ(xmlText("\xEF\xBF\xBF!"), "\xEF\xBF\xBD!");
}

TEST(WriteMarkup, WorkflowCommandsAreOneLine) {
  std::string text =
      written(writeGitHub, reportOf("a\n::error::b\r\n100%,x:y"));
  EXPECT_EQ(llvm::StringRef(text).count('\n'), 1u) << text;
  EXPECT_NE(text.find("::a%0A::error::b%0D%0A100%25,x:y"), std::string::npos);
}

TEST(WriteMarkup, SARIFMessagesHaveNoLinksOrPlaceholdersOfNames) {
  std::string text = written(writeSARIF, reportOf("f<{0}> {a} [b](2) \xFF"));
  llvm::Expected<llvm::json::Value> document = llvm::json::parse(text);
  ASSERT_TRUE(bool(document));
  const llvm::json::Object &run =
      *(*document->getAsObject()->getArray("runs"))[0].getAsObject();
  const llvm::json::Object &result =
      *(*run.getArray("results"))[0].getAsObject();
  llvm::StringRef message = *result.getObject("message")->getString("text");
  EXPECT_TRUE(message.starts_with("f<{{0}}> {a} \\[b\\](2) \xEF\xBF\xBD\n"))
      << message.str();
}

TEST(WriteMarkup, SARIFKeepsTheWorstOfManyFindings) {
  Report report = reportOf("x");
  report.findings.resize(sarifResults + 5, report.findings.front());
  report.findings.back().finding.level = Level::Error;
  std::string text = written(writeSARIF, report);
  EXPECT_EQ(llvm::StringRef(text).count("\"ruleId\""), sarifResults);
  EXPECT_EQ(llvm::StringRef(text).count("\"level\": \"error\",\n"), 1u);
  EXPECT_NE(text.find("the worst 25000 of 25005 findings are written"),
            std::string::npos);
}

TEST(WriteMarkup, SARIFPointsAtPagesWhereTheyArePublished) {
  Report report = reportOf("x");
  EXPECT_EQ(written(writeSARIF, report).find("helpUri"), std::string::npos);
  report.rulesURL = "https://example.org/rules/";
  EXPECT_NE(written(writeSARIF, report)
                .find("\"helpUri\": "
                      "\"https://example.org/rules/no-coresidency.md\""),
            std::string::npos);
}
