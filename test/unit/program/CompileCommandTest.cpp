// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// nvcc's command lines in the words of clang, and what must not get through.

#include "source/CompileCommand.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

using namespace coreside;
using Words = std::vector<std::string>;

namespace {

CompileCommand translate(const Words &words) {
  return translateCommand("/project/build", "/project/a.cu", words);
}

TEST(CompileCommand, WhatCMakeWrites) {
  CompileCommand command =
      translate({"/usr/local/cuda/bin/nvcc",
                 "-forward-unknown-to-host-compiler",
                 "-ccbin=/usr/bin/g++",
                 "-DNDEBUG",
                 "-I../include",
                 "-isystem=/opt/x/include",
                 "--expt-relaxed-constexpr",
                 "-O3",
                 "-std=c++17",
                 "--generate-code=arch=compute_80,code=[compute_80,sm_80]",
                 "--generate-code=arch=compute_90,code=[sm_90]",
                 "-Xcompiler=-fPIC,-Wall",
                 "-Xcudafe",
                 "--diag_suppress=177",
                 "-Xptxas",
                 "-v",
                 "-lineinfo",
                 "-x",
                 "cu",
                 "-c",
                 "../a.cu",
                 "-o",
                 "a.o",
                 "-MD",
                 "-MT",
                 "a.o",
                 "-MF",
                 "a.d"});
  EXPECT_EQ(command.clangArguments,
            (Words{"-DNDEBUG", "-I../include", "-isystem", "/opt/x/include",
                   "-std=c++17", "-fPIC", "-Wall"}));
  EXPECT_EQ(command.nvccArguments,
            (Words{"-DNDEBUG", "-I../include", "-isystem", "/opt/x/include",
                   "--expt-relaxed-constexpr", "-O3", "-std=c++17",
                   "--generate-line-info"}));
  EXPECT_EQ(command.targets, (std::vector<ComputeCapability>{{8, 0}, {9, 0}}));
  EXPECT_TRUE(command.notes.empty());
}

TEST(CompileCommand, Architectures) {
  auto targets = [](const Words &words) {
    Words all = {"nvcc"};
    all.insert(all.end(), words.begin(), words.end());
    return translate(all).targets;
  };
  using Targets = std::vector<ComputeCapability>;
  EXPECT_EQ(targets({"-arch=sm_86"}), (Targets{{8, 6}}));
  EXPECT_EQ(targets({"-arch", "sm_90a"}), (Targets{{9, 0}}));
  EXPECT_EQ(targets({"--gpu-architecture=compute_75"}), (Targets{{7, 5}}));
  EXPECT_EQ(targets({"-arch=compute_80", "-code=sm_80,sm_86"}),
            (Targets{{8, 0}, {8, 6}}));
  EXPECT_EQ(targets({"-gencode", "arch=compute_120,code=sm_120"}),
            (Targets{{12, 0}}));
  EXPECT_EQ(targets({"-gencode=arch=compute_90,code=compute_90"}),
            (Targets{{9, 0}}));
  EXPECT_EQ(targets({"-arch=native"}), Targets{});
  EXPECT_EQ(targets({}), Targets{});
}

TEST(CompileCommand, EverySpellingOfHostFlags) {
  for (const Words &words :
       {Words{"nvcc", "-Xcompiler", "-fPIC,-fopenmp"},
        Words{"nvcc", "-Xcompiler=-fPIC,-fopenmp"},
        Words{"nvcc", "--compiler-options", "-fPIC,-fopenmp"},
        Words{"nvcc", "--compiler-options=-fPIC -fopenmp"},
        Words{"nvcc", "-Xcompiler=-fPIC", "-Xcompiler=\"-fopenmp\""},
        Words{"nvcc", "-Xcompiler", "\"-fPIC -fopenmp\""}})
    EXPECT_EQ(translate(words).clangArguments, (Words{"-fPIC", "-fopenmp"}))
        << words.back();
}

TEST(CompileCommand, HostFlagsWithAValueOfTheirOwn) {
  // Device code goes through the host compiler's preprocessor, too.
  for (const Words &words :
       {Words{"nvcc", "-Xcompiler", "-isystem,/opt/x", "-DA", "a.cu"},
        Words{"nvcc", "-Xcompiler=-isystem", "-Xcompiler=/opt/x", "-DA"},
        Words{"nvcc", "-Xcompiler", "-isystem/opt/x", "-Xcompiler=-DA"}}) {
    Words expected = {"-isystem", "/opt/x", "-DA"};
    EXPECT_EQ(translate(words).clangArguments, expected) << words[2];
    EXPECT_EQ(translate(words).nvccArguments, expected) << words[2];
  }
  CompileCommand quoted = translate(
      {"nvcc", "-forward-unknown-opts", "-iquote", "inc", "a.cu", "-DB"});
  EXPECT_EQ(quoted.clangArguments, (Words{"-iquote", "inc", "-DB"}));
  EXPECT_EQ(quoted.nvccArguments, (Words{"-DB"}));
  EXPECT_EQ(translate({"nvcc", "-noeh", "a.cu"}).clangArguments,
            (Words{"-fno-exceptions"}));
}

TEST(CompileCommand, WhatTheAnalysisNeeds) {
  CompileCommand command =
      translate({"nvcc", "--default-stream", "per-thread", "-dc",
                 "-maxrregcount=64", "-G", "-use_fast_math", "a.cu"});
  EXPECT_TRUE(command.perThreadDefaultStream);
  EXPECT_TRUE(command.relocatable);
  EXPECT_EQ(command.maxRegisters, 64u);
  EXPECT_TRUE(command.deviceDebug);
  EXPECT_EQ(command.nvccArguments,
            (Words{"-maxrregcount=64", "-G", "--use_fast_math"}));
  EXPECT_FALSE(translate({"nvcc", "-rdc=false", "a.cu"}).relocatable);
  EXPECT_TRUE(translate({"nvcc", "-rdc", "true", "a.cu"}).relocatable);
  EXPECT_TRUE(
      translate({"nvcc", "-DCUDA_API_PER_THREAD_DEFAULT_STREAM", "a.cu"})
          .perThreadDefaultStream);
}

TEST(CompileCommand, NothingThatStartsOrWritesGetsThrough) {
  CompileCommand command = translate({"nvcc",
                                      "-ccbin",
                                      "./evil",
                                      "-o",
                                      "out",
                                      "-keep",
                                      "-keep-dir",
                                      "dir",
                                      "--options-file",
                                      "/none/flags.rsp",
                                      "-Xcompiler",
                                      "-fplugin=./evil.so",
                                      "-Xcompiler",
                                      "-wrapper,./evil",
                                      "-Xcompiler=-B./evil",
                                      "-Xlinker",
                                      "-plugin=./evil.so",
                                      "-odir",
                                      "dir",
                                      "-Xptxas",
                                      "-o,evil,-O2",
                                      "-time",
                                      "file",
                                      "-run",
                                      "-arbin",
                                      "./evil",
                                      "-fplugin=./evil.so",
                                      "-Xclang",
                                      "-load",
                                      "-specs=evil",
                                      "--dryrun",
                                      "-ldir",
                                      "./evil",
                                      "a.cu"});
  for (const Words *words : {&command.clangArguments, &command.nvccArguments})
    for (const std::string &word : *words) {
      EXPECT_EQ(word.find("evil"), std::string::npos) << word;
      EXPECT_EQ(word.find("out"), std::string::npos) << word;
      EXPECT_EQ(word.find("dir"), std::string::npos) << word;
    }
  EXPECT_EQ(command.nvccArguments, (Words{"-Xptxas=-O2"}));
}

TEST(CompileCommand, NvccIsGivenNothingThatAShellWouldRun) {
  CompileCommand command = translate(
      {"nvcc", "-DX=$(touch evil)", "-I`touch evil`", "-isystem", "$(evil)",
       "-include", "`evil`.h", "-DGOOD=\"text\"", "-Ofc", "$(evil)", "a.cu"});
  EXPECT_EQ(command.nvccArguments, (Words{"-DGOOD=\"text\""}));
  EXPECT_EQ(command.notes.size(), 5u);
  // clang is no shell: it reads them as they are.
  EXPECT_EQ(command.clangArguments.front(), "-DX=$(touch evil)");
  EXPECT_FALSE(isSafeForNvcc("$(evil).cu"));
  EXPECT_TRUE(isSafeForNvcc(R"(-DX=\"text\")"));
  EXPECT_FALSE(isSafeForNvcc(R"(-DX=\\";touch evil;\\")"));
  EXPECT_FALSE(isSafeForNvcc(R"(-DX=\\\";touch evil;\\\")"));
  EXPECT_TRUE(isSafeForNvcc("/home/me/some file's.cu"));
}

TEST(CompileCommand, CommandsOfClang) {
  CompileCommand command = translate({"ccache",
                                      "clang++-22",
                                      "-x",
                                      "cuda",
                                      "--cuda-path=/opt/cuda",
                                      "--cuda-gpu-arch=sm_80",
                                      "--offload-arch=sm_90",
                                      "-Werror",
                                      "-I",
                                      "inc",
                                      "-std=c++20",
                                      "-fgpu-rdc",
                                      "-O2",
                                      "-Xclang",
                                      "-load",
                                      "-Xclang",
                                      "./evil.so",
                                      "-fplugin=./evil.so",
                                      "-c",
                                      "a.cu",
                                      "-o",
                                      "a.o"});
  EXPECT_EQ(command.clangArguments, (Words{"-I", "inc", "-std=c++20"}));
  EXPECT_EQ(command.targets, (std::vector<ComputeCapability>{{8, 0}, {9, 0}}));
  EXPECT_TRUE(command.relocatable);
}

TEST(CompileCommand, WrappersAreSkipped) {
  for (const char *wrapper : {"ccache", "sccache", "distcc", "env"})
    EXPECT_EQ(translate({wrapper, "/opt/cuda/bin/nvcc", "-DX=1", "a.cu"})
                  .clangArguments,
              (Words{"-DX=1"}))
        << wrapper;
  for (const Words &words :
       {Words{"env", "CC=gcc", "CUDA_HOME=/opt/g++", "nvcc", "-DX=1", "a.cu"},
        Words{"cmake", "-E", "env", "X=clang", "ccache", "nvcc", "-DX=1"},
        Words{"ccache", "compiler_check=none", "/usr/bin/nvcc", "-DX=1"},
        Words{"/opt/kokkos/nvcc_wrapper", "-DX=1", "-arch=sm_80"},
        Words{"external/cuda/bin/crosstool_wrapper_driver_is_not_gcc", "-x",
              "cuda", "-DX=1", "-c", "a.cu.cc"},
        Words{"/opt/rocm/bin/hipcc", "--offload-arch=gfx90a", "-DX=1",
              "-fgpu-rdc", "-x", "hip", "a.hip"}}) {
    EXPECT_EQ(translate(words).clangArguments, (Words{"-DX=1"})) << words[0];
    EXPECT_TRUE(translate(words).output.empty()) << words[0];
  }
  // hipcc's targets are no GPUs of ours.
  EXPECT_TRUE(
      translate({"hipcc", "--offload-arch=gfx90a", "a.cu"}).targets.empty());
}

TEST(CompileCommand, SpellingsOfOptionFiles) {
  for (const Words &words :
       {Words{"nvcc", "--options-file", "x.rsp"},
        Words{"nvcc", "--options-file=x.rsp"}, Words{"nvcc", "-optf", "x.rsp"},
        Words{"nvcc", "-optf=x.rsp"}, Words{"nvcc", "@x.rsp"},
        Words{"clang++", "@x.rsp"}}) {
    CompileCommand command = translate(words);
    ASSERT_EQ(command.notes.size(), 1u) << words[1];
    EXPECT_NE(command.notes[0].find("'x.rsp'"), std::string::npos) << words[1];
  }
  // A device has no end.
  ASSERT_EQ(translate({"nvcc", "@/dev/zero"}).notes.size(), 1u);
}

TEST(CompileCommand, MissingOptionsFilesAreNamed) {
  CompileCommand command =
      translate({"nvcc", "--options-file", "includes.rsp", "-DA", "a.cu"});
  EXPECT_EQ(command.clangArguments, (Words{"-DA"}));
  ASSERT_EQ(command.notes.size(), 1u);
  EXPECT_NE(command.notes[0].find("includes.rsp"), std::string::npos);
}

/// A folder that goes away again.
class CompileDatabase : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("coreside", Folder));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(Folder); }

  std::string path(llvm::StringRef name) {
    llvm::SmallString<128> result(Folder);
    llvm::sys::path::append(result, name);
    return result.str().str();
  }
  void put(llvm::StringRef name, llvm::StringRef text) {
    std::error_code error;
    llvm::raw_fd_ostream stream(path(name), error);
    ASSERT_FALSE(error);
    stream << text;
  }
  std::string failure() {
    auto commands = CompileCommands::fromDatabase(Folder);
    if (commands)
      return "";
    return llvm::toString(commands.takeError());
  }

  llvm::SmallString<128> Folder;
};

TEST_F(CompileDatabase, ErrorsAreOneLine) {
  EXPECT_NE(failure().find("compile_commands.json': No such file"),
            std::string::npos);
  put("compile_commands.json", "not json");
  EXPECT_NE(failure().find("it is not a compile database"), std::string::npos);
  EXPECT_EQ(failure().find('\n'), std::string::npos);
  put("compile_commands.json", "[]");
  EXPECT_NE(failure().find("it has no entries"), std::string::npos);
}

TEST_F(CompileDatabase, FindsCommandsAndNeighbours) {
  put("flags.rsp", "-I\"../some dir\" -DFROM_FILE");
  put("compile_commands.json", R"([
    {"directory": ")" + path("") + R"(", "file": "src/a.cu",
     "command": "nvcc -arch=sm_80 -DIN_A --options-file flags.rsp -c src/a.cu"},
    {"directory": ")" + path("") + R"(", "file": "src/a.cu",
     "arguments": ["nvcc", "--default-stream", "per-thread", "-arch=sm_80", "src/a.cu"]},
    {"directory": ")" + path("") + R"(", "file": "other/b.cpp",
     "command": "g++ -DHOST -c other/b.cpp"}])");
  auto commands = CompileCommands::fromDatabase(Folder);
  ASSERT_TRUE(bool(commands));
  auto forA = commands->commandsFor(path("src/a.cu"));
  ASSERT_EQ(forA.size(), 2u);
  EXPECT_EQ(forA[0].clangArguments,
            (Words{"-DIN_A", "-I../some dir", "-DFROM_FILE"}));
  EXPECT_TRUE(forA[0].notes.empty());
  EXPECT_TRUE(forA[1].perThreadDefaultStream);
  // A header has no entry of its own.
  auto forHeader = commands->commandsFor(path("src/detail/a.cuh"));
  ASSERT_EQ(forHeader.size(), 1u);
  EXPECT_EQ(forHeader[0].clangArguments, forA[0].clangArguments);
  EXPECT_TRUE(forHeader[0].output.empty());
  auto forNew = commands->commandsFor(path("src/new.cu"));
  ASSERT_EQ(forNew.size(), 1u);
  EXPECT_EQ(forNew[0].file, path("src/new.cu"));
  EXPECT_EQ(forNew[0].targets, (std::vector<ComputeCapability>{{8, 0}}));
  ASSERT_FALSE(forNew[0].notes.empty());
  EXPECT_NE(forNew[0].notes[0].find("src/a.cu"), std::string::npos);
}

TEST(CompileCommands, FlagsFromTheCommandLine) {
  CompileCommands commands = CompileCommands::fromFlags(
      {"-DN=4", "-arch=sm_90", "-I", "inc", "--cuda-gpu-arch=sm_86"});
  auto all = commands.commandsFor("a.cu");
  ASSERT_EQ(all.size(), 1u);
  EXPECT_EQ(all[0].clangArguments, (Words{"-DN=4", "-Iinc"}));
  EXPECT_EQ(all[0].targets, (std::vector<ComputeCapability>{{8, 6}, {9, 0}}));
  EXPECT_TRUE(llvm::sys::path::is_absolute(all[0].file));
}

} // namespace
