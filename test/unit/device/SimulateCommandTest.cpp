// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tools/coreside/SimulateCommand.h"
#include "tools/coreside/ReadDeviceProgram.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

#include <gtest/gtest.h>

using namespace coreside;

namespace {

/// A temporary file that is gone when the test is done.
class File {
public:
  explicit File(llvm::StringRef text) {
    int descriptor;
    llvm::SmallString<128> name;
    EXPECT_FALSE(llvm::sys::fs::createTemporaryFile("simulate", "json",
                                                    descriptor, name));
    path = name.str().str();
    llvm::raw_fd_ostream(descriptor, /*shouldClose=*/true) << text;
  }
  ~File() { llvm::sys::fs::remove(path); }
  std::string text() const {
    return (*llvm::MemoryBuffer::getFile(path))->getBuffer().str();
  }
  std::string path;
};

struct Ran {
  int code;
  std::string out;
  std::string errors;
};

Ran run(SimulateOptions options) {
  Ran ran;
  llvm::raw_string_ostream out(ran.out), errors(ran.errors);
  ran.code = runSimulate(options, out, errors);
  return ran;
}

SimulateOptions on(const std::string &path, const char *gpus = "h200") {
  SimulateOptions options;
  options.program = path;
  options.gpus = gpus;
  return options;
}

SimulateOptions on(const File &file, const char *gpus = "h200") {
  return on(file.path, gpus);
}

/// Both need whole SMs; the second awaits an event of the first.
constexpr const char *ordered = R"({
  "streams": [{"name": "s"}, {"name": "t", "priority": -5}],
  "kernels": [
    {"name": "A<int>", "stream": "s", "blocks": 132, "threads": 1024,
     "registers": 64, "microseconds": 400, "records": "e"},
    {"name": "B", "stream": "t", "blocks": 10, "threads": 1024,
     "microseconds": 100, "awaits": ["e"]},
    {"name": "C", "stream": "s", "blocks": 10, "threads": 1024,
     "microseconds": 100}]})";

std::string problem(llvm::StringRef text) {
  auto program = parseDeviceProgram(text, "p.json");
  return program ? "" : llvm::toString(program.takeError());
}

TEST(SimulateCommand, TellsWhoRanWhenAndWhatIsCertain) {
  const File file(ordered);
  const Ran ran = run(on(file));
  ASSERT_EQ(ran.code, 0) << ran.errors;
  const llvm::StringRef out = ran.out;
  EXPECT_TRUE(out.starts_with("h200 (NVIDIA H200, sm_90, 132 SMs), 8 ways to "
                              "run, 502."))
      << ran.out;
  EXPECT_TRUE(out.contains("A<int>  s          132          0.0      400."));
  EXPECT_TRUE(out.contains("never         never"));
  // On one stream; not asked.
  EXPECT_FALSE(out.contains("A<int>  C"));
  EXPECT_TRUE(out.contains("B       C       always")) << ran.out;
}

TEST(SimulateCommand, WritesJSON) {
  const File file(ordered);
  SimulateOptions options = on(file, "h200,a100");
  options.json = true;
  const Ran ran = run(options);
  auto value = llvm::json::parse(ran.out);
  ASSERT_TRUE(bool(value));
  ASSERT_EQ(value->getAsArray()->size(), 2u);
  const llvm::json::Object &h200 = *(*value->getAsArray())[0].getAsObject();
  EXPECT_EQ(h200.getArray("kernels")->size(), 3u);
  const llvm::json::Object &pair = *(*h200.getArray("pairs"))[0].getAsObject();
  EXPECT_EQ(pair.getString("overlap"), "never");
  EXPECT_EQ(pair.getInteger("SMsShared"), 0);
}

TEST(SimulateCommand, WritesATraceAndAPicture) {
  const File file(ordered), trace(""), svg("");
  SimulateOptions options = on(file);
  options.trace = trace.path;
  options.svg = svg.path;
  const Ran ran = run(options);
  ASSERT_EQ(ran.code, 0) << ran.errors;
  auto value = llvm::json::parse(trace.text());
  ASSERT_TRUE(bool(value));
  // Spans: 3 kernels, 132 + 10 + 10 blocks. Names: 2 processes, 2 streams, and
  // a track for each SM and each second block on one SM.
  unsigned spans = 0;
  for (const llvm::json::Value &event :
       *value->getAsObject()->getArray("traceEvents"))
    spans += event.getAsObject()->getString("ph") == "X";
  EXPECT_EQ(spans, 3u + 132 + 10 + 10);
  const std::string picture = svg.text();
  EXPECT_TRUE(llvm::StringRef(picture).starts_with("<svg "));
  EXPECT_TRUE(llvm::StringRef(picture).ends_with("</svg>\n"));
  EXPECT_TRUE(llvm::StringRef(picture).contains("A&lt;int&gt;"));
  EXPECT_FALSE(llvm::StringRef(picture).contains("A<int>"));
}

TEST(SimulateCommand, FilesNeedOneGPU) {
  const File file(ordered);
  SimulateOptions options = on(file, "h200,a100");
  options.trace = "t.json";
  const Ran ran = run(options);
  EXPECT_EQ(ran.code, 2);
  EXPECT_EQ(ran.errors,
            "coreside: error: --trace and --svg need one GPU, not 2\n");
}

TEST(SimulateCommand, BadInputNamesTheField) {
  EXPECT_EQ(run(on("/nowhere.json")).code, 2);
  EXPECT_EQ(problem("{"), "p.json: is not JSON: [1:1, byte=1]: Expected object "
                          "key");
  EXPECT_EQ(problem("[]"), "p.json: is not a JSON object with kernels");
  EXPECT_EQ(problem("{}"), "p.json: kernels is missing or empty; expected an "
                           "array of objects");
  EXPECT_EQ(problem(R"({"kernel": []})"),
            "p.json: kernel is not a field; known are kernels, streams, "
            "hardwareQueues");
  const auto withKernel = [](const std::string &fields) {
    return problem(R"({"streams": [{"name": "s"}], "kernels": [{"name": "A", )"
                   R"("stream": "s", "blocks": 1, "threads": 32, )" +
                   fields + "}]}");
  };
  EXPECT_EQ(withKernel(R"("shared": 0)"), "");
  EXPECT_EQ(withKernel(R"("shared": -1)"),
            "p.json: kernels[0].shared is -1; expected a whole number from 0 "
            "to 1073741824");
  EXPECT_EQ(withKernel(R"("registers": 0.5)"),
            "p.json: kernels[0].registers is 0.5; expected a whole number "
            "from 1 to 255");
  EXPECT_EQ(withKernel(R"("microseconds": 0)"),
            "p.json: kernels[0].microseconds is 0; expected 0.001 to 10^12");
  EXPECT_EQ(withKernel(R"("awaits": ["A"])"),
            "p.json: kernels[0].awaits names \"A\", which no earlier kernel is "
            "called or records: the program would wait for itself or for "
            "nothing");
  EXPECT_EQ(withKernel(R"("records": "A")"),
            "p.json: kernels[0]: the name 'A' is taken");
  EXPECT_EQ(problem(R"({"streams": [], "kernels": [{"name": "A", "stream": "s",
                        "blocks": 1, "threads": 32}]})"),
            "p.json: kernels[0].stream 's' is not among streams");
  // What depends on the GPU is told with the kernel's name.
  const File file(R"({"kernels": [{"name": "A", "stream": "s", "blocks": 1,
                      "threads": 32, "shared": 300000}]})");
  EXPECT_EQ(run(on(file)).errors,
            "coreside: error: " + file.path +
                ": kernel 'A': no block fits on an SM of h200: too much of "
                "shared memory\n");
}

} // namespace
