// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reads a piece of CUDA from memory with the tool's own declarations, and puts
// what came of it into words that a test can compare.
//
//   steps("main", readSnippet("... front<<<4, 128, 0, s>>>(); ..."))
//     -> {"launch front 4 128 0 on s"}

#ifndef CORESIDE_TEST_UNIT_PROGRAM_SNIPPET_H
#define CORESIDE_TEST_UNIT_PROGRAM_SNIPPET_H

#include "program/ProgramJSON.h"
#include "program/ReadProgram.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

namespace coreside {

/// Kernels that most tests launch.
inline const std::string kernels = R"(
__global__ void front(int *p) {}
__global__ void back(int *p) {}
)";

inline Program readSnippet(llvm::StringRef text, ReadOptions options = {},
                           CompileCommand command = CompileCommand()) {
  auto memory = llvm::makeIntrusiveRefCnt<llvm::vfs::InMemoryFileSystem>();
  memory->addFile("/snippet/a.cu", 0,
                  llvm::MemoryBuffer::getMemBufferCopy(kernels + text.str()));
  auto overlay = llvm::makeIntrusiveRefCnt<llvm::vfs::OverlayFileSystem>(
      llvm::vfs::createPhysicalFileSystem());
  overlay->pushOverlay(memory);
  options.parse.files = overlay;
  command.file = "/snippet/a.cu";
  command.directory = "/";
  auto program = readProgram(command, options);
  if (!program) {
    ADD_FAILURE() << llvm::toString(program.takeError());
    return {};
  }
  for (const Unread &unread : program->unread)
    ADD_FAILURE() << unread.place.file << ":" << unread.place.line << ": "
                  << unread.why;
  return std::move(*program);
}

inline std::string text(const Value &value) {
  std::string result;
  llvm::raw_string_ostream(result) << toJSON(value);
  if (result.size() > 1 && result.front() == '"')
    result = result.substr(1, result.size() - 2);
  return result;
}

/// "4", "4,2", "4,2,3"
inline std::string text(const std::array<Value, 3> &size) {
  std::string result = text(size[0]);
  if (text(size[1]) != "1" || text(size[2]) != "1")
    result += "," + text(size[1]);
  if (text(size[2]) != "1")
    result += "," + text(size[2]);
  return result;
}

inline const Trace *findTrace(llvm::StringRef function,
                              const Program &program) {
  for (const Trace &trace : program.traces)
    if (trace.function == function)
      return &trace;
  return nullptr;
}

inline std::string text(const Step &step, const Trace &trace,
                        const Program &program) {
  std::string result;
  auto stream = [&] {
    return step.stream < 0 ? std::string("?") : trace.streams[step.stream].name;
  };
  auto event = [&] {
    return step.event < 0 ? std::string("?") : trace.events[step.event].name;
  };
  switch (step.kind) {
  case Step::Kind::Launch:
    result = "launch " +
             (step.kernel < 0 ? "?" : program.kernels[step.kernel].name) + " " +
             text(step.grid) + " " + text(step.block) + " " +
             text(step.dynamicShared) + " on " + stream();
    if (step.cooperative)
      result += " cooperative";
    if (step.cluster)
      result += " cluster " + text(*step.cluster);
    break;
  case Step::Kind::StreamDestroy:
    result = "destroy " + stream();
    break;
  case Step::Kind::EventRecord:
    result = "record " + event() + " on " + stream();
    break;
  case Step::Kind::StreamWait:
    result = stream() + " waits for " + event();
    break;
  case Step::Kind::StreamSynchronize:
    result = "synchronize " + stream();
    break;
  case Step::Kind::EventSynchronize:
    result = "synchronize event " + event();
    break;
  case Step::Kind::DeviceSynchronize:
    result = "synchronize device";
    break;
  case Step::Kind::MemoryOperation:
    result = step.function + " on " + stream() + (step.waits ? " waits" : "");
    break;
  case Step::Kind::ImplicitSynchronization:
    result = "implicit " + step.function;
    break;
  case Step::Kind::Allocation:
    result = "allocate " + step.function;
    break;
  case Step::Kind::FunctionAttribute:
    result = step.attribute + " of " +
             (step.kernel < 0 ? "?" : program.kernels[step.kernel].name) +
             " = " + text(step.attributeValue);
    break;
  case Step::Kind::Opaque:
    result = "opaque " + step.function +
             (step.stream < 0 ? "" : " on " + stream()) +
             (step.event < 0 ? "" : " for " + event());
    break;
  default:
    break;
  }
  if (result.empty())
    result = step.function;
  for (const Guard &guard : step.guards)
    result += " if " + std::to_string(guard.condition) + "." +
              std::to_string(guard.arm);
  for (unsigned i = 0; i < step.loops.size(); ++i)
    result += " in loop " + std::to_string(step.loops[i]) + " turn " +
              std::to_string(step.turns[i]);
  return result;
}

/// The steps of a trace in words; empty where there is no such trace.
inline std::vector<std::string> steps(llvm::StringRef function,
                                      const Program &program) {
  std::vector<std::string> result;
  if (const Trace *trace = findTrace(function, program))
    for (const Step &step : trace->steps)
      result.push_back(text(step, *trace, program));
  return result;
}

using Steps = std::vector<std::string>;

} // namespace coreside

#endif
