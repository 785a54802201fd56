// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which edits make nvcc run.

#include "editor/CheckedFile.h"

#include "gtest/gtest.h"

using namespace coreside;

namespace {

class DeviceText : public testing::Test {
protected:
  DeviceText() { Context.reading.withoutToolkit = true; }

  /// The word for a file of this text.
  std::string key(llvm::StringRef text, llvm::StringRef flag = "") {
    Context.reading.flags.emplace();
    if (!flag.empty())
      Context.reading.flags->push_back(flag.str());
    OpenDocument document;
    document.path = "/nowhere/a.cu";
    document.text = std::make_shared<std::string>(
        "#include <cuda_runtime.h>\n" + text.str());
    EditorSettings settings;
    auto read = readFile(document.path, {{document.path, document}}, settings,
                         Context, Stop);
    if (!read || !read->problem.empty()) {
      ADD_FAILURE() << (read ? read->problem
                             : llvm::toString(read.takeError()));
      return "";
    }
    HasErrors = !read->units.front().program.unread.empty();
    return read->deviceKey;
  }

  void same(llvm::StringRef before, llvm::StringRef after) {
    EXPECT_EQ(key(before), key(after)) << after.str();
    EXPECT_FALSE(HasErrors) << after.str();
  }
  void other(llvm::StringRef before, llvm::StringRef after) {
    EXPECT_NE(key(before), key(after)) << after.str();
  }

  CheckingContext Context;
  std::atomic<bool> Stop = false;
  bool HasErrors = false;
};

constexpr char kernel[] = "__global__ void k(float *p) { *p = 1; }\n";

TEST_F(DeviceText, HostBodies) {
  std::string k = kernel;
  same(k + "void f() { int a = 1; }", k + "void f() { int a = 2;\n\n }");
  same(k + "void f(float *p) { k<<<1, 2>>>(p); }",
       k + "void f(float *p) { k<<<3, 4>>>(p); k<<<1, 1>>>(p); }");
  same(k + "struct S { void f() {} };",
       k + "struct S { void f() { return; } };");
  same(k + "namespace n { static void f() {} }",
       k + "namespace n { static void f() { ; } }");
  // A lambda of the host's.
  same(k + "void f() { auto g = [] { return 1; }; g(); }",
       k + "void f() { auto g = [] { return 2; }; g(); }");
}

TEST_F(DeviceText, CommentsAndBlanks) {
  same(kernel,
       "// A kernel.\n\n__global__  void k(float *p) { *p = /* ! */ 1; }");
}

TEST_F(DeviceText, Kernels) {
  std::string k = kernel;
  other(k, "__global__ void k(float *p) { *p = 2; }");
  other(k, "__global__ void __launch_bounds__(256) k(float *p) { *p = 1; }");
  other(k, k + "__global__ void l() {}");
  other("__device__ int f() { return 1; }" + k,
        "__device__ int f() { return 2; }" + k);
  other("__host__ __device__ int f() { return 1; }" + k,
        "__host__ __device__ int f() { return 2; }" + k);
}

TEST_F(DeviceText, HostCodeThatKernelsSee) {
  std::string k = kernel;
  // Evaluated while device code is compiled.
  other("constexpr int f() { return 1; }" + k,
        "constexpr int f() { return 2; }" + k);
  other("auto f() { return 1; }" + k, "auto f() { return 2l; }" + k);
  other("template <int N> int f() { return N; }" + k,
        "template <int N> int f() { return N + 1; }" + k);
  // Device code in host code.
  other(k + "void f() { auto g = [] __device__ { return 1; }; }",
        k + "void f() { auto g = [] __device__ { return 2; }; }");
  // What a directive says holds to the end of the file.
  other("void f() {\n#define N 1\n}\n" + k, "void f() {\n#define N 2\n}\n" + k);
  other("void f() {\n#pragma pack(1)\n}\n" + k,
        "void f() {\n#pragma pack(2)\n}\n" + k);
  other("void f() { _Pragma(\"pack(1)\") }\n" + k,
        "void f() { _Pragma(\"pack(2)\") }\n" + k);
  // Types and variables.
  other("int n = 1;" + k, "int n = 2;" + k);
  other(k + "void f() { struct S { int a; }; }",
        k + "void f() { struct S { long a; }; }");
  other(k + "void f() { extern int n; }", k + "void f() { extern long n; }");
}

TEST_F(DeviceText, KernelsThatHostCodeMakes) {
  std::string t = "template <int N> __global__ void t(float *p) { *p = N; }\n";
  other(t + "void f(float *p) { t<1><<<1, 1>>>(p); }",
        t + "void f(float *p) { t<2><<<1, 1>>>(p); }");
  other(t + "void f(float *p) { constexpr int n = 1; t<n><<<1, 1>>>(p); }",
        t + "void f(float *p) { constexpr int n = 2; t<n><<<1, 1>>>(p); }");
  other(t + "void f() { auto g = &t<1>; }", t + "void f() { auto g = &t<2>; }");
  same(t + "void f(float *p) { t<1><<<1, 1>>>(p); }",
       t + "void f(float *p) { t<1><<<2, 2>>>(p); }");
}

TEST_F(DeviceText, Errors) {
  // Nothing is left out of a text that clang did not understand.
  std::string k = kernel;
  other(k + "void f() { int a = 1; }", k + "void f() { int a = b; }");
  other(k + "void f() { int a = c; }", k + "void f() { int a = b; }");
}

TEST_F(DeviceText, Commands) {
  EXPECT_NE(key(kernel), key(kernel, "-DN=1"));
  EXPECT_NE(key(kernel), key(kernel, "-arch=sm_80"));
  EXPECT_EQ(key(kernel, "-DN=1"), key(kernel, "-DN=1"));
}

} // namespace
