// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How long an edit takes until its findings are there, in a file of 1,000 lines
// that an editor has had open for a while. Asked: of host code 300 ms, of
// device code what nvcc takes for the file and a tenth.
//
//   editor-benchmark
//
// Wall time from the change to the diagnostics of its version; medians of
// eleven; of edits of host code CPU time as well. nvcc alone and edits of
// device code are measured in turn, so that what else the machine does weighs
// on both alike.

#include "editor/EditorService.h"
#include "source/Toolkit.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <condition_variable>
#include <mutex>
#include <sys/resource.h>

using namespace coreside;
namespace json = llvm::json;
using Clock = std::chrono::steady_clock;

namespace {

constexpr unsigned rounds = 11;

double since(Clock::time_point begin) {
  return std::chrono::duration<double, std::milli>(Clock::now() - begin)
      .count();
}

/// Milliseconds that this process has used; compilers are others.
double used() {
  rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1e3 +
         (usage.ru_utime.tv_usec + usage.ru_stime.tv_usec) / 1e3;
}

double median(std::vector<double> values) {
  llvm::sort(values);
  return values[values.size() / 2];
}

/// Ten kernels of 20 lines and 50 functions that launch them; the numbers of
/// the last kernel and the last function can be told.
std::string source(unsigned ofKernel, unsigned ofHost) {
  std::string text = "#include <cuda_runtime.h>\n#include <cstdio>\n"
                     "#include <vector>\n\n";
  llvm::raw_string_ostream out(text);
  for (unsigned k = 0; k != 10; ++k) {
    out << "__global__ void kernel" << k << "(float *out, const float *in, "
        << "int n) {\n  __shared__ float tile[" << 256 + 16 * k << "];\n"
        << "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        << "  tile[threadIdx.x] = i < n ? in[i] : 0;\n  __syncthreads();\n"
        << "  float sum = 0;\n";
    for (unsigned line = 0; line != 10; ++line)
      out << "  sum += tile[(threadIdx.x + " << line + k << ") % 256] * "
          << (k == 9 ? ofKernel + line : line) << ";\n";
    out << "  if (i < n)\n    out[i] = sum;\n}\n\n";
  }
  for (unsigned f = 0; f != 50; ++f) {
    out << "void function" << f << "(float *out, float *in, int n) {\n"
        << "  cudaStream_t s, t;\n"
        << "  cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);\n"
        << "  cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);\n"
        << "  std::vector<float> host(" << (f == 49 ? ofHost : f) << ");\n"
        << "  for (float &value : host)\n    value = 1;\n"
        << "  int blocks = 132 * 8 * " << f % 4 + 1 << ";\n"
        << "  kernel" << f % 10 << "<<<blocks, 256, 0, s>>>(out, in, n);\n"
        << "  kernel" << (f + 1) % 10
        << "<<<blocks, 256, 0, t>>>(in, out, n);\n"
        << "  std::printf(\"%zu\\n\", host.size());\n"
        << "  cudaStreamDestroy(s);\n  cudaStreamDestroy(t);\n}\n\n";
  }
  return text;
}

/// A service with one document, and the last diagnostics of it.
class Session {
public:
  Session(const std::string &path, const std::string &text,
          std::chrono::milliseconds settle) {
    EditorOptions options;
    options.settle = settle;
    options.useCache = false;
    options.given.set("targets", {"h100"}, "");
    options.given.set("level", {"note"}, "");
    EditorCallbacks callbacks;
    callbacks.publish = [this](llvm::StringRef, std::optional<int64_t> version,
                               json::Array diagnostics) {
      std::lock_guard lock(Use);
      Version = version.value_or(0);
      Found = diagnostics.size();
      IsStale = llvm::any_of(diagnostics, [](const json::Value &one) {
        return one.getAsObject()->getObject("data")->get("stale");
      });
      Changed.notify_all();
    };
    callbacks.progress = [](llvm::StringRef, json::Object) {};
    callbacks.showMessage = [](MessageType, llvm::StringRef) {};
    callbacks.refreshHints = [] {};
    Service = std::make_unique<EditorService>(options, callbacks);
    Service->setClient(json::Object{});
    URI = "file://" + path;
    Service->open(URI, "cuda-cpp", ++Last, text);
    waitFor(/*forNumbers=*/true);
  }

  /// Milliseconds until the findings are there.
  double change(const std::string &text, bool forNumbers) {
    Clock::time_point begin = Clock::now();
    Service->change(URI, ++Last, json::Array({json::Object{{"text", text}}}));
    waitFor(forNumbers);
    return since(begin);
  }

private:
  void waitFor(bool forNumbers) {
    std::unique_lock lock(Use);
    Changed.wait(lock, [&] {
      return Version == Last && (!forNumbers || (Found && !IsStale));
    });
  }

  std::mutex Use;
  std::condition_variable Changed;
  int64_t Version = 0;
  int64_t Last = 0;
  size_t Found = 0;
  bool IsStale = false;
  std::string URI;
  std::unique_ptr<EditorService> Service;
};

} // namespace

int main() {
  std::optional<Toolkit> toolkit = findToolkit();
  if (!toolkit || toolkit->nvcc.empty()) {
    llvm::errs() << "editor-benchmark: there is no nvcc\n";
    return 2;
  }
  llvm::SmallString<128> folder;
  if (llvm::sys::fs::createUniqueDirectory("editor-benchmark", folder))
    return 2;
  auto removeIt =
      llvm::scope_exit([&] { llvm::sys::fs::remove_directories(folder); });
  std::string file = (folder + "/a.cu").str();
  auto write = [&](const std::string &text) {
    std::error_code error;
    llvm::raw_fd_ostream(file, error) << text;
  };
  std::string text = source(0, 0);
  write(text);
  llvm::outs() << llvm::StringRef(text).count('\n') << " lines\n";

  for (unsigned settle : {0, 100}) {
    Clock::time_point begin = Clock::now();
    Session session(file, text, std::chrono::milliseconds(settle));
    double opened = since(begin);
    std::vector<double> host, hostCPU, device, nvcc;
    for (unsigned i = 1; i <= rounds; ++i) {
      double before = used();
      host.push_back(session.change(source(i - 1, i), false));
      hostCPU.push_back(used() - before);
      std::string changed = source(i, i);
      device.push_back(session.change(changed, true));
      write(changed);
      begin = Clock::now();
      std::string output = (folder + "/a.cubin").str();
      llvm::sys::ExecuteAndWait(
          toolkit->nvcc,
          {toolkit->nvcc, "-cubin", "-arch=sm_90", "-o", output, file});
      nvcc.push_back(since(begin));
    }
    llvm::outs() << "settle " << settle << " ms\n"
                 << llvm::format("  opened            %5.0f ms\n", opened)
                 << llvm::format("  edit of host code %5.0f ms, CPU %.0f ms\n",
                                 median(host), median(hostCPU))
                 << llvm::format("  of device code    %5.0f ms\n",
                                 median(device))
                 << llvm::format("  nvcc alone        %5.0f ms: %.2f x\n",
                                 median(nvcc), median(device) / median(nvcc));
  }
}
