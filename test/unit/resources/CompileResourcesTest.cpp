// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is made of a compiler's output and exit status, with a shell script in
// nvcc's place. test/resources/ has the real one.

#include "resources/CompileResources.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <thread>

using namespace coreside;
using testing::HasSubstr;
using testing::StartsWith;

namespace {

class CompileResources : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("coreside-test", Folder));
    Toolkit.path = std::string(Folder);
    Toolkit.majorVersion = 13;
    Command.file = path("my kernel.cu");
    Command.directory = std::string(Folder);
  }

  void TearDown() override { llvm::sys::fs::remove_directories(Folder); }

  std::string path(llvm::StringRef name) {
    llvm::SmallString<128> path(Folder);
    llvm::sys::path::append(path, name);
    return std::string(path);
  }

  /// Puts `script` where nvcc is looked for. It sees $front when it is to go
  /// only as far as PTX, and $out, what it is to write. Up to PTX all is well
  /// unless `front` says otherwise.
  void setCompiler(llvm::StringRef script,
                   llvm::StringRef front = "echo '// PTX' > $out; exit 0") {
    Toolkit.nvcc = path("nvcc");
    std::error_code error;
    llvm::raw_fd_ostream out(Toolkit.nvcc, error);
    out << "#!/bin/sh\nfront=; out=; last=\nfor word; do\n"
           "  case $last in -o) out=$word;; esac\n"
           "  case $word in -ptx) front=1;; esac\n  last=$word\ndone\n"
           "if [ $front ]; then\n"
        << front << "\nfi\n"
        << script;
    out.close();
    llvm::sys::fs::setPermissions(Toolkit.nvcc, llvm::sys::fs::all_all);
  }

  CompiledResources compile(ComputeCapability capability = {9, 0}) {
    auto results =
        compileResources(CompileRequest{&Command, capability}, Toolkit);
    EXPECT_TRUE(bool(results));
    return std::move(results->front());
  }

  llvm::SmallString<128> Folder;
  coreside::Toolkit Toolkit;
  CompileCommand Command;
};

constexpr llvm::StringLiteral OneKernel =
    "echo \"ptxas info    : Compiling entry function '_Z1kv' for 'sm_90'\"\n"
    "echo 'ptxas info    : Function properties for _Z1kv'\n"
    "echo '    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
    "loads'\n"
    "echo 'ptxas info    : Used 30 registers, used 0 barriers' >&2\n";

TEST_F(CompileResources, ReadsWhatTheCompilerPrints) {
  setCompiler(OneKernel);
  CompiledResources result = compile();
  EXPECT_EQ(result.error, "");
  ASSERT_EQ(result.records.size(), 1u);
  EXPECT_EQ(result.records[0].registers, 30u);
  EXPECT_EQ(result.records[0].source, "nvcc -arch=sm_90");
  EXPECT_EQ(result.records[0].file, Command.file);
  EXPECT_TRUE(result.records[0].final);
}

TEST_F(CompileResources, RelocatableCodeIsNotFinal) {
  setCompiler(OneKernel);
  Command.relocatable = true;
  EXPECT_FALSE(compile().records.at(0).final);
}

TEST_F(CompileResources, ArgumentsFolderAndEnvironment) {
  setenv("NVCC_PREPEND_FLAGS", "-DBAD", 1);
  setenv("NVCC_APPEND_FLAGS", "-DBAD", 1);
  llvm::StringRef tell =
      "{ pwd; for a; do echo \"[$a]\"; done; echo $NVCC_APPEND_FLAGS "
      "$NVCC_PREPEND_FLAGS; touch \"$TMPDIR/left\"; } >> seen\n";
  setCompiler(tell, tell.str() + "echo > $out; exit 0\n");
  Command.nvccArguments = {"-DTEXT=a b", "-I", "include;rm *"};
  Command.relocatable = true;
  compile({8, 6});
  auto seen = llvm::MemoryBuffer::getFile(path("seen"));
  ASSERT_TRUE(bool(seen));
  std::string text = (*seen)->getBuffer().str();
  std::string flags = std::string(Folder) +
                      "\n[-DTEXT=a b]\n[-I]\n[include;rm *]\n[-rdc=true]\n";
  EXPECT_THAT(text, StartsWith(flags + "[-x]\n[cu]\n[-ptx]\n[-arch=sm_86]\n[" +
                               Command.file + "]\n[-o]\n["));
  EXPECT_THAT(text, HasSubstr("]\n\n" + flags +
                              "[-cubin]\n[-Xptxas]\n[-v]\n[-arch=sm_86]\n["));
  EXPECT_THAT(text, testing::Not(HasSubstr("BAD")));
  unsetenv("NVCC_PREPEND_FLAGS");
  unsetenv("NVCC_APPEND_FLAGS");
}

TEST_F(CompileResources, FailureKeepsTheOtherKernels) {
  setCompiler("echo \"ptxas error   : Entry function '_Z3bigv' uses too much "
              "shared data (0x27100 bytes, 0xc000 max)\"\n" +
              OneKernel.str() + "exit 255\n");
  CompiledResources result = compile();
  EXPECT_EQ(result.records.size(), 1u);
  EXPECT_EQ(result.error,
            "nvcc 13.0 failed on 'my kernel.cu' for sm_90: ptxas: Entry "
            "function 'big()' uses too much shared data (0x27100 bytes, 0xc000 "
            "max); the other kernels count");
}

TEST_F(CompileResources, FailureNamesTheCause) {
  setCompiler(
      "echo 'nvcc warning : something' >&2\n"
      "echo 'a.cu(3): error: identifier \"n\" is undefined' >&2\nexit 2\n",
      ":");
  EXPECT_EQ(compile().error, "nvcc 13.0 failed on 'my kernel.cu' for sm_90: "
                             "a.cu(3): error: identifier \"n\" is undefined");
  setCompiler("echo \"nvcc fatal   : Unsupported gpu architecture 'sm_70'\"\n"
              "exit 1\n",
              ":");
  EXPECT_EQ(
      compile({7, 0}).error,
      "nvcc 13.0 cannot compile for sm_70 (v100): another toolkit can, or "
      "numbers from --ptxas-log");
  setCompiler("exit 3\n", ":");
  EXPECT_EQ(compile().error, "nvcc 13.0 failed on 'my kernel.cu' for sm_90 and "
                             "gave no reason (exit status 3)");
  setCompiler("exit 4\n");
  EXPECT_EQ(compile().error, "nvcc 13.0 failed on 'my kernel.cu' for sm_90 and "
                             "gave no reason (exit status 4)");
  setCompiler("kill -9 $$\n");
  EXPECT_EQ(compile().error, "nvcc 13.0 failed on 'my kernel.cu' for sm_90 and "
                             "gave no reason (ended by a signal)");
  Toolkit.nvcc = path("missing");
  EXPECT_THAT(compile().error, HasSubstr("missing"));
}

TEST_F(CompileResources, KernelsThatBreakThePTXAreLeftOut) {
  // Like ptxas, this gives up at the first instruction that it does not know.
  setCompiler("for ptx; do case $ptx in *.ptx) break;; esac; done\n"
              "bad=$(grep -n bogus $ptx | head -n 1 | cut -d: -f1)\n"
              "if [ $bad ]; then echo \"ptxas $ptx, line $bad; error   : Not a "
              "name of any known instruction: 'bogus'\"; exit 255; fi\n"
              "for kernel in $(sed -n 's/^.entry //p' $ptx); do\n"
              "echo \"ptxas info    : Compiling entry function '$kernel' for "
              "'sm_90'\"\n"
              "echo 'ptxas info    : Used 30 registers, used 0 barriers'\n"
              "done\n",
              "for kernel in a b c d; do echo .entry $kernel; echo '{'; case "
              "$kernel in b|d) echo bogus;; esac; echo '}'; done > $out\n"
              "echo 'ptxas x.ptx, line 5; error   : what nvcc checks'\n"
              "exit 255");
  CompiledResources result = compile();
  EXPECT_EQ(result.error,
            "nvcc 13.0 failed on 'my kernel.cu' for sm_90: ptxas: Not a name "
            "of any known instruction: 'bogus'; the other kernels count");
  std::vector<std::string> names;
  for (const KernelResources &record : result.records)
    names.push_back(record.kernel);
  EXPECT_THAT(names, testing::UnorderedElementsAre("a", "c"));
}

TEST_F(CompileResources, ErrorsWithoutANameAreFoundByHalves) {
  setCompiler("for ptx; do case $ptx in *.ptx) break;; esac; done\n"
              "if grep -q heavy $ptx; then echo 'ptxas error   : (C7600) "
              "Register allocation failed'; exit 255; fi\n"
              "for kernel in $(sed -n 's/^.entry //p' $ptx); do\n"
              "echo \"ptxas info    : Compiling entry function '$kernel' for "
              "'sm_90'\"\n"
              "echo 'ptxas info    : Used 30 registers, used 0 barriers'\n"
              "done\n",
              "for kernel in a b c d heavy f g; do echo .entry $kernel; echo "
              "'{ }'; done > $out; exit 0");
  CompiledResources result = compile();
  EXPECT_EQ(result.records.size(), 6u);
  EXPECT_THAT(result.error, HasSubstr("Register allocation failed"));
}

TEST_F(CompileResources, SpecialTargetWhereOnlyItWorks) {
  setCompiler("case $* in *sm_90a*) ;; *) echo \"ptxas /t/x.ptx, line 4; error "
              "  : Instruction 'wgmma.fence' not supported on .target "
              "'sm_90'\"; exit 255;; esac\n" +
              OneKernel.str());
  CompiledResources result = compile();
  EXPECT_EQ(result.error, "");
  ASSERT_EQ(result.records.size(), 1u);
  EXPECT_EQ(result.records[0].source, "nvcc -arch=sm_90a");
}

TEST_F(CompileResources, AnswersAreInTheOrderOfRequests) {
  setCompiler("case $* in *sm_80*) sleep 0.2;; esac\n" + OneKernel.str());
  std::vector<CompileRequest> requests;
  for (unsigned i = 0; i != 20; ++i)
    requests.push_back({&Command, {i % 2 ? 9u : 8u, 0}});
  size_t calls = 0;
  CompileOptions options;
  options.jobs = 8;
  options.progress = [&](size_t done, size_t all, llvm::StringRef what) {
    EXPECT_EQ(done, calls++);
    EXPECT_EQ(all, 20u);
    EXPECT_THAT(what.str(), StartsWith("my kernel.cu for sm_"));
  };
  auto results = compileResources(requests, Toolkit, options);
  ASSERT_TRUE(bool(results));
  for (unsigned i = 0; i != 20; ++i)
    EXPECT_EQ((*results)[i].capability, requests[i].capability);
  EXPECT_EQ(calls, 20u);
}

TEST_F(CompileResources, UnchangedFilesAreNotCompiledAgain) {
  std::error_code error;
  llvm::raw_fd_ostream(Command.file, error) << "one";
  // What the host compiler does with -MF, and a count of the runs.
  std::string front =
      "echo front >> runs\n"
      "for word; do case $word in -MD,*) "
      "printf 'x: my\\\\ kernel.cu\\n' > \"${word##*,}\";; esac; done\n"
      "{ echo \"// from $out\"; sed '/host/d' 'my kernel.cu'; } > $out\n"
      "exit 0\n";
  std::string back = "echo back >> runs\n" + OneKernel.str();
  setCompiler(back, front);
  using Runs = std::pair<size_t, size_t>;
  auto runs = [&] {
    auto text = llvm::MemoryBuffer::getFile(path("runs"));
    return text ? Runs((*text)->getBuffer().count("front"),
                       (*text)->getBuffer().count("back"))
                : Runs();
  };
  // A file as new as the run is not trusted.
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  ResourceCache cache(path("cache"));
  CompileOptions options;
  options.cache = &cache;
  auto compile = [&](ComputeCapability capability) {
    auto results = compileResources(CompileRequest{&Command, capability},
                                    Toolkit, options);
    EXPECT_TRUE(bool(results));
    ASSERT_EQ(results->front().records.size(), 1u);
    EXPECT_EQ(results->front().records[0].source,
              "nvcc -arch=" + smName(capability));
    EXPECT_EQ(results->front().file, Command.file);
  };
  compile({9, 0});
  EXPECT_EQ(runs(), Runs(1, 1));
  compile({9, 0});
  EXPECT_EQ(runs(), Runs(1, 1));
  compile({8, 0});
  EXPECT_EQ(runs(), Runs(2, 2));
  Command.nvccArguments = {"-G"};
  compile({9, 0});
  EXPECT_EQ(runs(), Runs(3, 3));
  Command.nvccArguments = {};
  llvm::raw_fd_ostream(Command.file, error) << "three";
  compile({9, 0});
  EXPECT_EQ(runs(), Runs(4, 4));
  // What ptxas gets to see is as it was.
  llvm::raw_fd_ostream(Command.file, error) << "three\nhost code";
  compile({9, 0});
  EXPECT_EQ(runs(), Runs(5, 4));
  // Another compiler in the same place.
  setCompiler("# newer\n" + back, front);
  compile({9, 0});
  EXPECT_EQ(runs(), Runs(6, 5));
}

TEST_F(CompileResources, NoCompiler) {
  auto results = compileResources(CompileRequest{&Command, {9, 0}}, Toolkit);
  ASSERT_FALSE(bool(results));
  EXPECT_EQ(llvm::toString(results.takeError()),
            "no nvcc in '" + Toolkit.path +
                "': install the CUDA toolkit, or give saved build output with "
                "--ptxas-log");
}

TEST(FirstError, FindsTheLineThatSaysIt) {
  EXPECT_EQ(firstError("all is well\nno errors: none\n"), "");
  EXPECT_EQ(firstError("x.cu:1:10: fatal error: a.h: No such file\n"),
            "x.cu:1:10: fatal error: a.h: No such file");
  EXPECT_EQ(firstError("note\nx.cu(4): error #20: no\n"),
            "x.cu(4): error #20: no");
  EXPECT_EQ(firstError("ptxas /tmp/q.ptx, line 44; error   : Unknown modifier "
                       "'.bar'\n"),
            "ptxas: Unknown modifier '.bar'");
  EXPECT_EQ(
      firstError("ptxas fatal   : Unresolved extern function '_Z3fari'\n"),
      "ptxas: Unresolved extern function 'far(int)'");
}

} // namespace
