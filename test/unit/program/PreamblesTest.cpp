// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A file that is read again and again while it is edited.

#include "Snippet.h"

#include "source/Preambles.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

using namespace coreside;

namespace {

/// An editor's file and a header of it, in memory.
class Editor {
public:
  std::string header = "#define WIDTH 64\n"
                       "__global__ void fromHeader(int *p) { *p = 1; }\n";
  std::string text;

  /// What a read gives, with what was kept or without.
  std::string read(bool kept) {
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    auto put = [&](llvm::StringRef path, llvm::StringRef content) {
      memory->addFile(path, 0, llvm::MemoryBuffer::getMemBufferCopy(content));
    };
    put("/snippet/own.h", header);
    put("/snippet/a.cu", text);
    auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
        llvm::vfs::createPhysicalFileSystem());
    overlay->pushOverlay(memory);
    ReadOptions options;
    options.parse.files = overlay;
    options.parse.preambles = kept ? &Kept : nullptr;
    options.capabilities = {{8, 0}, {9, 0}};
    CompileCommand command;
    command.file = "/snippet/a.cu";
    command.directory = "/snippet";
    auto program = readProgram(command, options);
    if (!program)
      return llvm::toString(program.takeError());
    std::string result;
    llvm::raw_string_ostream stream(result);
    stream << toJSON(*program);
    for (const std::string &file : program->files)
      if (llvm::StringRef(file).starts_with("/snippet"))
        stream << ' ' << file;
    return result;
  }

  void same(llvm::StringRef contains) {
    std::string kept = read(true);
    EXPECT_EQ(kept, read(false));
    EXPECT_TRUE(llvm::StringRef(kept).contains(contains)) << kept;
  }

private:
  Preambles Kept{Preambles::Kind::OfFile};
};

TEST(Preambles, AnEditedFileReadsAsIfReadAfresh) {
  Editor editor;
  editor.text = "#include \"own.h\"\n"
                "#include <vector>\n"
                "__global__ void mine(int *p) { *p = 2; }\n"
                "void go(int *p) { mine<<<2, WIDTH>>>(p); }\n";
  editor.same("\"kernel\":\"mine\"");
  // Below the #includes: what was kept is used.
  editor.text += "void more(int *p) { fromHeader<<<3, WIDTH>>>(p); }\n";
  editor.same("\"kernel\":\"fromHeader\"");
  editor.text += "void broken() { undeclared(); }\n";
  editor.same("undeclared");
  // Among them.
  editor.text = "#include <array>\n" + editor.text;
  editor.same("\"kernel\":\"fromHeader\"");
  // In a header.
  editor.header = "#define WIDTH 96\n"
                  "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900\n"
                  "#define MOST 512\n"
                  "#else\n"
                  "#define MOST 128\n"
                  "#endif\n"
                  "__global__ void __launch_bounds__(MOST) fromHeader(int *p) "
                  "{ *p = 1; }\n"
                  "void inHeader() { nothing; }\n";
  editor.same("\"for\":\"sm_90\",\"maxThreads\":512");
  // All of it.
  editor.text = "int none;\n";
  editor.same("\"kernels\":[]");
}

TEST(Preambles, ConstantsBeforeTheIncludesAreKeptWithThem) {
  Editor editor;
  editor.text = "const char *name = \"mine\";\n"
                "const int threads[] = {32, 64};\n"
                "const int blocks = 3;\n"
                "using Pointer = int *;\n"
                "cudaStream_t shared;\n"
                "#ifdef NOT_DEFINED\n"
                "#include \"none.h\"\n"
                "#endif\n"
                "#include \"own.h\"\n"
                "#define TWICE(x) (2 * (x))\n"
                "__global__ void mine(Pointer p) { *p = 2; }\n"
                "void go(Pointer p) {\n"
                "  shared = nullptr;\n"
                "  mine<<<TWICE(blocks), WIDTH, 0, shared>>>(p);\n"
                "}\n";
  editor.same("\"kernel\":\"mine\"");
  editor.text += "void more(int *p) {\n"
                 "  fromHeader<<<blocks, threads[0], 0, shared>>>(p);\n"
                 "}\n";
  editor.same("\"kernel\":\"fromHeader\"");
  // A constant changes.
  editor.text.replace(editor.text.find("= 3"), 3, "= 5");
  editor.same("\"kernel\":\"fromHeader\"");
  editor.text.replace(editor.text.find("const int blocks"), 0,
                      "// coreside: together(mine, fromHeader)\n"
                      "int wrong = undeclared;\n");
  editor.same("undeclared");
}

/// A file that counts how often its text is read.
class CountedFile : public llvm::vfs::File {
public:
  CountedFile(std::unique_ptr<llvm::vfs::File> file, unsigned &times)
      : Under(std::move(file)), Times(times) {}
  llvm::ErrorOr<llvm::vfs::Status> status() override { return Under->status(); }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>>
  getBuffer(const llvm::Twine &name, int64_t size, bool terminated,
            bool isVolatile) override {
    ++Times;
    return Under->getBuffer(name, size, terminated, isVolatile);
  }
  std::error_code close() override { return Under->close(); }

private:
  std::unique_ptr<llvm::vfs::File> Under;
  unsigned &Times;
};

class Counting : public llvm::vfs::ProxyFileSystem {
public:
  using ProxyFileSystem::ProxyFileSystem;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>>
  openFileForRead(const llvm::Twine &path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    if (!file)
      return file;
    return std::make_unique<CountedFile>(std::move(*file), times[path.str()]);
  }
  std::map<std::string, unsigned> times;
};

/// The files of a run, in memory, without a toolkit; what lies in /toolkit
/// counts as of one.
struct FilesOfRun {
  std::vector<std::pair<std::string, std::string>> files = {
      {"/toolkit/cuda_runtime.h", "#include_next <cuda_runtime.h>\n"},
      {"/toolkit/large.h", "#pragma once\nconstexpr int large = 96;\n"},
      {"/run/own.h", "#pragma once\n#define OWN_H\n#include <large.h>\n"}};

  /// How often large.h is read while those of /run are parsed; `launches` are
  /// to be found.
  unsigned readsOfLarge(unsigned launches) {
    auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
    for (const auto &[name, text] : files)
      memory->addFile(name, 0, llvm::MemoryBuffer::getMemBufferCopy(text));
    auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
        llvm::vfs::createPhysicalFileSystem());
    overlay->pushOverlay(memory);
    auto counting = llvm::makeIntrusiveRefCnt<Counting>(overlay);
    Preambles preambles(Preambles::Kind::OfFlags);
    ReadOptions options;
    options.parse.files = counting;
    options.parse.preambles = &preambles;
    std::vector<CompileCommand> commands;
    for (const auto &[name, text] : files)
      if (llvm::StringRef(name).ends_with(".cu")) {
        CompileCommand &command = commands.emplace_back();
        command.file = name;
        command.directory = "/run";
        command.clangArguments = {"-isystem", "/toolkit"};
        preambles.announce(preambleKey(command, options.parse), name);
      }
    for (const CompileCommand &command : commands) {
      auto program = readProgram(command, options);
      if (!program) {
        ADD_FAILURE() << llvm::toString(program.takeError());
        continue;
      }
      EXPECT_TRUE(program->unread.empty()) << command.file;
      EXPECT_TRUE(llvm::is_contained(program->files, "/toolkit/large.h"))
          << command.file;
      for (const Trace &trace : program->traces)
        launches -= trace.steps.size();
    }
    EXPECT_EQ(launches, 0u);
    return counting->times["/toolkit/large.h"];
  }

  void add(llvm::StringRef name, llvm::StringRef head) {
    files.push_back({("/run/" + name + ".cu").str(),
                     (head + "\n__global__ void kernel();\n"
                             "void go() { kernel<<<1, large>>>(); }\n")
                         .str()});
  }
};

TEST(Preambles, HeadersThatFilesOpenWithAreReadOnce) {
  FilesOfRun run;
  run.add("a", "#include <large.h>");
  run.add("b", "#include \"own.h\"");
  EXPECT_EQ(run.readsOfLarge(2), 2u);
  run.add("c", "#define TILE 32\n#include \"own.h\"");
  EXPECT_EQ(run.readsOfLarge(3), 1u);
  run.add("d", "const char *mine = NULL;\n#ifndef _WIN32\n#include "
               "<unistd.h>\n#endif\n#include \"own.h\"");
  EXPECT_EQ(run.readsOfLarge(4), 1u);
  // What stands before it may have to do with it.
  run.add("e", "namespace mine {}\n#include <large.h>");
  EXPECT_EQ(run.readsOfLarge(5), 2u);
  run.add("f", "#ifdef large\n#endif\n#include <large.h>");
  EXPECT_EQ(run.readsOfLarge(6), 2u);
  run.add("g", "#define large large\n#include <large.h>");
  EXPECT_EQ(run.readsOfLarge(7), 3u);
}

} // namespace
