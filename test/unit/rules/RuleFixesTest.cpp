// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fix does what it says: what it leaves still parses, and the finding is
// gone.

#include "program/ReadProgram.h"
#include "rules/Rules.h"

#include <gtest/gtest.h>

#include <algorithm>

using namespace coreside;

namespace {

/// What ptxas said of a kernel on sm_90.
KernelResources takes(const char *kernel, unsigned registers,
                      unsigned staticShared = 0) {
  KernelResources record;
  record.kernel = kernel;
  record.capability = {9, 0};
  record.registers = registers;
  record.staticShared = staticShared;
  record.barriers = 0;
  return record;
}

std::vector<Finding> find(const std::string &text, llvm::StringRef rule,
                          const std::vector<KernelResources> &records,
                          bool relocatable = false, unsigned cudaVersion = 0) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile("/snippet/a.cu", 0,
                  llvm::MemoryBuffer::getMemBufferCopy(text));
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::vfs::createPhysicalFileSystem());
  overlay->pushOverlay(memory);
  ReadOptions options;
  options.parse.files = overlay;
  CompileCommand command;
  command.file = "/snippet/a.cu";
  command.directory = "/";
  command.relocatable = relocatable;
  auto program = readProgram(command, options);
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return {};
  }
  program->cudaVersion = cudaVersion;
  for (const Unread &unread : program->unread)
    ADD_FAILURE() << unread.place.line << ": " << unread.why << "\n" << text;
  ResourceTable resources;
  for (const KernelResources &record : records)
    resources.add(record);
  std::vector<Finding> findings = findAll(
      analyze(std::move(*program), std::move(resources), {*findGPU("h100")}));
  std::erase_if(findings,
                [&](const Finding &finding) { return finding.rule != rule; });
  return findings;
}

size_t offsetOf(const std::string &text, unsigned line, unsigned column) {
  size_t offset = 0;
  for (unsigned i = 1; i < line; ++i)
    offset = text.find('\n', offset) + 1;
  return offset + column - 1;
}

/// `text` with the only fix of the only finding.
std::string fixed(std::string text, const std::vector<Finding> &findings) {
  if (findings.size() != 1 || findings[0].fixes.size() != 1) {
    ADD_FAILURE() << findings.size() << " findings, "
                  << (findings.empty() ? 0 : findings[0].fixes.size())
                  << " fixes";
    return text;
  }
  std::vector<SourceEdit> edits = findings[0].fixes[0].edits;
  std::sort(edits.begin(), edits.end());
  std::reverse(edits.begin(), edits.end());
  for (const SourceEdit &edit : edits) {
    size_t begin = offsetOf(text, edit.line, edit.column);
    size_t end = offsetOf(text, edit.endLine, edit.endColumn);
    text.replace(begin, end - begin, edit.text);
  }
  return text;
}

const std::string heavy = R"(
__global__ void heavy(float *p) { *p = 0; }
void go(float *p) {
  heavy<<<1, 256>>>(p);
  heavy<<<1, dim3(8, 8, 8)>>>(p);
}
)";

TEST(Fixes, BoundsForAKernelThatTakesTooManyRegisters) {
  auto findings = find(heavy, "too-many-registers", {takes("_Z5heavyPf", 136)});
  std::string text = fixed(heavy, findings);
  EXPECT_EQ(findings[0].fixes[0].title, "give 'heavy' __launch_bounds__(512)");
  EXPECT_NE(text.find("__global__ void __launch_bounds__(512) heavy(float *p)"),
            std::string::npos)
      << text;
  // ptxas keeps to the bound.
  EXPECT_TRUE(
      find(text, "too-many-registers", {takes("_Z5heavyPf", 128)}).empty());
}

TEST(Fixes, NoBoundsWhereABlockIsNotKnown) {
  std::string text = heavy + R"(
void other(float *p, int n) { heavy<<<1, n>>>(p); }
)";
  auto findings = find(text, "too-many-registers", {takes("_Z5heavyPf", 136)});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_TRUE(findings[0].fixes.empty());
}

// nvlink would refuse a callee that takes more than the bounds leave.
TEST(Fixes, NoBoundsWhereDeviceCodeIsLinked) {
  auto findings = find(heavy, "too-many-registers", {takes("_Z5heavyPf", 136)},
                       /*relocatable=*/true);
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_TRUE(findings[0].fixes.empty());
}

TEST(Fixes, NoBoundsForADefinitionElsewhere) {
  std::string text = R"(
__global__ void heavy(float *p);
void go(float *p) { heavy<<<1, 512>>>(p); }
)";
  auto findings = find(text, "too-many-registers", {takes("_Z5heavyPf", 136)});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_TRUE(findings[0].fixes.empty());
}

TEST(Fixes, ALargerBound) {
  std::string text = R"(
__global__ void __launch_bounds__(256, 2) tune(float *p) { *p = 0; }
void go(float *p) {
  tune<<<1, 128>>>(p);
  tune<<<1, dim3(64, 8)>>>(p);
}
)";
  auto findings =
      find(text, "block-exceeds-launch-bounds", {takes("_Z4tunePf", 32)});
  std::string after = fixed(text, findings);
  EXPECT_EQ(findings[0].fixes[0].title,
            "raise the bound of 'tune' to 512 threads");
  EXPECT_NE(after.find("__launch_bounds__(512, 2)"), std::string::npos)
      << after;
  EXPECT_TRUE(
      find(after, "block-exceeds-launch-bounds", {takes("_Z4tunePf", 32)})
          .empty());
}

TEST(Fixes, NoLargerBoundWhereNoNumberIsWritten) {
  std::string text = R"(
template <int N> __global__ void __launch_bounds__(N) tune(float *p) { *p = N; }
void go(float *p) { tune<256><<<1, 512>>>(p); }
)";
  auto findings = find(text, "block-exceeds-launch-bounds", {});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_TRUE(findings[0].fixes.empty());
}

TEST(Fixes, AnOptInBeforeTheLaunch) {
  std::string text = R"(
template <int N> __global__ void sort(float *p) { *p = N; }
void go(float *p, bool b) {
  if (b) {
    sort<2><<<4, 256, 64 * 1024>>>(p);
  }
}
)";
  auto findings = find(text, "shared-memory-opt-in", {});
  std::string after = fixed(text, findings);
  EXPECT_EQ(findings[0].fixes[0].title,
            "opt in to 65,536 bytes before the launch");
  EXPECT_NE(
      after.find("\n    cudaFuncSetAttribute(sort<2>, "
                 "cudaFuncAttributeMaxDynamicSharedMemorySize, 64 * 1024);\n"
                 "    sort<2><<<4, 256, 64 * 1024>>>(p);"),
      std::string::npos)
      << after;
  EXPECT_TRUE(find(after, "shared-memory-opt-in", {}).empty());
}

TEST(Fixes, NoOptInWhereAStatementCannotBeAdded) {
  std::string text = R"(
__global__ void sort(float *p) { *p = 0; }
void go(float *p, bool b) {
  if (b)
    sort<<<4, 256, 65536>>>(p);
}
)";
  auto findings = find(text, "shared-memory-opt-in", {});
  ASSERT_EQ(findings.size(), 1u);
  EXPECT_TRUE(findings[0].fixes.empty());
}

TEST(Fixes, BlocksPerSMThatAreHeeded) {
  std::string text = R"(
__global__ void __launch_bounds__(1024, 3) topk(float *p) { *p = 0; }
)";
  std::string after = fixed(text, find(text, "min-blocks-ignored", {}));
  EXPECT_NE(after.find("__launch_bounds__(1024, 2)"), std::string::npos)
      << after;
  EXPECT_TRUE(find(after, "min-blocks-ignored", {}).empty());
}

TEST(Fixes, BoundsForOneMoreBlock) {
  std::string text = R"(
__global__ void over(float *p) { *p = 0; }
void go(float *p) { over<<<4000, 256>>>(p); }
)";
  std::string after =
      fixed(text, find(text, "register-step", {takes("_Z4overPf", 65)}));
  EXPECT_NE(after.find("void __launch_bounds__(256, 4) over("),
            std::string::npos)
      << after;
  EXPECT_TRUE(find(after, "register-step", {takes("_Z4overPf", 64)}).empty());
}

// Fewer registers refuse no launch, so __maxnreg__ may stand where a block is
// not known; bounds may not.
TEST(Fixes, RegistersWhereABlockIsNotKnown) {
  const std::string pair = R"(
__global__ void blur(float *p) { *p = 0; }
__global__ void edges(float *p) { *p = 1; }
void go(float *p, float *q, cudaStream_t s, cudaStream_t t) {
  blur<<<528, 256, 0, s>>>(p);

  edges<<<132, 256, 0, t>>>(q);
}
)";
  const std::vector<KernelResources> records = {takes("_Z4blurPf", 64),
                                                takes("_Z5edgesPf", 64)};
  EXPECT_NE(fixed(pair, find(pair, "no-coresidency", records))
                .find("__launch_bounds__(256, 5) blur"),
            std::string::npos);
  const std::string open =
      pair + "void more(float *p, int n) { blur<<<1, n>>>(p); }\n";
  // Without a toolkit nobody knows whether it has __maxnreg__.
  auto without = find(open, "no-coresidency", records);
  ASSERT_EQ(without.size(), 1u);
  EXPECT_TRUE(without[0].fixes.empty());
  const std::string text =
      fixed(open, find(open, "no-coresidency", records, /*relocatable=*/false,
                       /*cudaVersion=*/12040));
  EXPECT_NE(text.find("__global__ void __maxnreg__(48) blur(float *p)"),
            std::string::npos)
      << text;
}

TEST(Fixes, BlocksWhereLoopsGoOverTheGrid) {
  const std::string text = R"(
__global__ void heavy(float *p, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       i += blockDim.x * gridDim.x)
    p[i] = 0;
}
void go(float *p, int n) { heavy<<<n, 512>>>(p, n); }
void other(float *p, dim3 block) { heavy<<<1, block>>>(p, 1); }
)";
  auto findings = find(text, "too-many-registers", {takes("_Z5heavyPfi", 136)});
  const std::string after = fixed(text, findings);
  EXPECT_EQ(findings[0].fixes[0].title,
            "launch 'heavy' with blocks of 384 threads");
  EXPECT_NE(after.find("heavy<<<n, 384>>>"), std::string::npos) << after;
  EXPECT_TRUE(
      find(after, "too-many-registers", {takes("_Z5heavyPfi", 136)}).empty());
}

} // namespace
