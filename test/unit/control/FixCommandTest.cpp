// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fixes on their way through `check`: tried, printed, applied. The findings are
// real, the fixes are made here.

#include "writers/ReportFindings.h"
#include "checking/VerifyFixes.h"

#include "analysis/Analysis.h"
#include "rules/Rules.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace coreside;
using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

constexpr const char *source = R"(#include <cuda_runtime.h>
__global__ void blur(float *image);
__global__ void edges(float *image);
void frame(float *left, float *right, cudaStream_t s, cudaStream_t t) {
  blur<<<528, 256, 0, s>>>(left);
  edges<<<528, 256, 0, t>>>(right);
}
)";

constexpr const char *ptxas =
    "ptxas info    : Compiling entry function '_Z4blurPf' for 'sm_90'\n"
    "ptxas info    : Used 64 registers, used 0 barriers\n"
    "ptxas info    : Compiling entry function '_Z5edgesPf' for 'sm_90'\n"
    "ptxas info    : Used 64 registers, used 0 barriers\n";

bool isOther(const Finding &finding) {
  return finding.rule != "no-coresidency";
}

class FixCommandTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::SmallString<128> made, real;
    ASSERT_FALSE(fs::createUniqueDirectory("coreside-fix", made));
    ASSERT_FALSE(fs::real_path(made, real));
    Folder = real.str().str();
    File = Folder + "/pair.cu";
    write(File, source);
    write(Folder + "/build.log", ptxas);
    Reading.flags.emplace();
    Reading.withoutToolkit = true;
    Reading.gpus = {*findGPU("h100")};
    Resources.given = {Folder + "/build.log"};
    analyzeFile();
  }
  void TearDown() override { fs::remove_directories(Folder); }

  static void write(StringRef file, StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream(file, error) << text;
    ASSERT_FALSE(error);
  }

  std::string read() const {
    return (*llvm::MemoryBuffer::getFile(File))->getBuffer().str();
  }

  void analyzeFile() {
    std::vector<Unit> units = findUnits({File}, Reading, Said);
    readPrograms(units, Reading, Said);
    ASSERT_EQ(units.size(), 1u);
    auto tables = findResources(units, Reading, Resources, Said);
    ASSERT_TRUE(bool(tables));
    UnitFindings found;
    Unit &unit = found.units.emplace_back();
    unit.name = units[0].name;
    unit.command = units[0].command;
    unit.gpus = units[0].gpus;
    found.files = units[0].program.files;
    found.findings =
        findAll(analyze(std::move(units[0].program), std::move(tables->front()),
                        std::move(units[0].gpus)));
    // Other rules may have something to say of the same launches.
    llvm::erase_if(found.findings, isOther);
    ASSERT_EQ(found.findings.size(), 1u);
    Found.push_back(std::move(found));
  }

  Finding &finding() { return Found[0].findings[0]; }

  /// The fix that puts `text` in place of the first grid, which is "528" in
  /// line 5, or of something else.
  Fix inLine5(std::string text, unsigned column = 10, unsigned end = 13) {
    return {"do '" + text + "'", {{File, 5, column, 5, end, std::move(text)}}};
  }

  /// What is printed and the exit code.
  std::pair<std::string, int> report(FixMode mode) {
    Configuration configuration;
    ReportOptions options;
    options.fix = mode;
    options.sources = {File};
    options.readAt = llvm::sys::TimePoint<>::max();
    options.outputs = {Output()};
    Report report;
    testing::internal::CaptureStdout();
    int code = reportFindings(Found, report, configuration, options, Said);
    llvm::outs().flush();
    return {testing::internal::GetCapturedStdout(), code};
  }

  std::string Folder, File, Text;
  llvm::raw_string_ostream Out{Text};
  Remarks Said{Out};
  UnitOptions Reading;
  UnitResourceOptions Resources;
  std::vector<UnitFindings> Found;
};

TEST_F(FixCommandTest, FactsSayWhatTheMessageSays) {
  const FindingFacts &facts = finding().facts;
  EXPECT_EQ(facts.function, "frame");
  ASSERT_EQ(facts.launches.size(), 2u);
  EXPECT_EQ(facts.launches[0].kernel, "blur");
  EXPECT_EQ(facts.launches[0].stream, "s");
  EXPECT_EQ(facts.launches[1].place, finding().place);
  ASSERT_EQ(facts.onGPU.size(), 1u);
  EXPECT_EQ(facts.onGPU[0].gpu, "h100");
  EXPECT_EQ(facts.onGPU[0].architecture, "sm_90");
  EXPECT_EQ(facts.onGPU[0].outcome, Outcome::Waits);
  EXPECT_EQ(facts.onGPU[0].limiter, "registers");
  EXPECT_FALSE(facts.onGPU[0].changes.empty());
  EXPECT_EQ(facts.gpusThat(Outcome::Waits), finding().gpus);
  EXPECT_EQ(facts.assumptions,
            std::vector<std::string>{"'s' and 't' are different streams"});
}

TEST_F(FixCommandTest, KeepsWhatHelps) {
  finding().fixes = {inLine5("264")};
  verifyFixes(Found, Reading, Resources, Said);
  EXPECT_EQ(finding().fixes.size(), 1u);
  EXPECT_EQ(Text, "");
  EXPECT_EQ(read(), source);
}

TEST_F(FixCommandTest, DropsWhatDoesNot) {
  finding().fixes = {inLine5("529"), inLine5("264, 2048, 0, s>>>(left); //"),
                     inLine5("x", 90, 91), inLine5("264")};
  verifyFixes(Found, Reading, Resources, Said);
  ASSERT_EQ(finding().fixes.size(), 1u);
  EXPECT_EQ(finding().fixes[0], inLine5("264"));
  EXPECT_TRUE(StringRef(Text).contains(
      "pair.cu:6:3: the fix 'do '529'' is left out: "));
  EXPECT_TRUE(StringRef(Text).contains("the fix 'do '264, 2048, 0, s>>>(left); "
                                       "//'' is left out: it brings "
                                       "launch-size in frame blur"))
      << Text;
  EXPECT_TRUE(StringRef(Text).contains("has no text at 5:90"));
  EXPECT_EQ(read(), source);
}

TEST_F(FixCommandTest, SaysWhenTheFindingStays) {
  finding().fixes = {inLine5("527 + 1")};
  verifyFixes(Found, Reading, Resources, Said);
  EXPECT_TRUE(finding().fixes.empty());
  EXPECT_TRUE(StringRef(Text).contains("is left out: the finding stays "
                                       "[no-coresidency]"))
      << Text;
}

TEST_F(FixCommandTest, LeavesFilesWithErrors) {
  finding().fixes = {inLine5("264")};
  dropFixesOfErrors(Found, Said);
  EXPECT_EQ(finding().fixes.size(), 1u);
  Found[0].hasErrors = true;
  dropFixesOfErrors(Found, Said);
  EXPECT_TRUE(finding().fixes.empty());
  EXPECT_TRUE(StringRef(Text).ends_with(
      "pair.cu: has errors, its fixes are left out\n"));
}

TEST_F(FixCommandTest, DryRunPrintsAPatchOnly) {
  finding().fixes = {inLine5("264")};
  auto [output, code] = report(FixMode::DryRun);
  EXPECT_EQ(code, 1);
  EXPECT_TRUE(StringRef(output).starts_with("--- a/"));
  EXPECT_TRUE(StringRef(output).contains(
      "pair.cu\n@@ -2,6 +2,6 @@\n __global__ void blur(float *image);\n"));
  EXPECT_TRUE(
      StringRef(output).contains("\n-  blur<<<528, 256, 0, s>>>(left);\n"
                                 "+  blur<<<264, 256, 0, s>>>(left);\n"));
  EXPECT_FALSE(StringRef(output).contains("warning:"));
  EXPECT_EQ(read(), source);
}

TEST_F(FixCommandTest, AppliesTheFirst) {
  finding().fixes = {inLine5("264"), inLine5("1")};
  auto [output, code] = report(FixMode::Apply);
  // What is fixed does not fail.
  EXPECT_EQ(code, 0);
  EXPECT_TRUE(StringRef(output).contains("note: a fix: do '264'"));
  EXPECT_TRUE(StringRef(Text).contains("note: 1 fix applied to 1 file\n"));
  EXPECT_EQ(StringRef(read()).count("blur<<<264, 256, 0, s>>>(left);"), 1u);
  // And is found no more.
  Found.clear();
  std::vector<Unit> units = findUnits({File}, Reading, Said);
  readPrograms(units, Reading, Said);
  auto tables = findResources(units, Reading, Resources, Said);
  ASSERT_TRUE(bool(tables));
  EXPECT_TRUE(llvm::all_of(
      findAll(analyze(std::move(units[0].program), std::move(tables->front()),
                      std::move(units[0].gpus))),
      isOther));
}

TEST_F(FixCommandTest, TwoOfOneText) {
  finding().fixes = {inLine5("264")};
  Found[0].findings.push_back(finding());
  Found[0].findings[1].message += ", too";
  Found[0].findings[1].fixes = {inLine5("132")};
  auto [output, code] = report(FixMode::Apply);
  EXPECT_EQ(code, 1);
  EXPECT_TRUE(StringRef(Text).contains(
      "pair.cu:6:3: the fix 'do '132'' is left out: it changes the same text "
      "as another fix [no-coresidency]"))
      << Text;
  EXPECT_EQ(StringRef(read()).count("blur<<<264"), 1u);
}

} // namespace
