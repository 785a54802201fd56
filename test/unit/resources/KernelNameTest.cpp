// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names as nvcc 13.0, nvcc -rdc and clang 22 gave them to the same kernels.

#include "resources/KernelName.h"

#include <gtest/gtest.h>

using namespace coreside;

namespace {

TEST(KernelName, StaticKernelHasOneNameInAllCompilers) {
  EXPECT_EQ(withoutLinkage("_ZL5shinePf"), "_Z5shinePf");
  EXPECT_EQ(withoutLinkage("_Z5shinePf"), "_Z5shinePf");
  EXPECT_EQ(
      withoutLinkage("__nv_static_28__0a1b2c3d_7_glow_cu_99887766__Z5shinePf"),
      "_Z5shinePf");
}

TEST(KernelName, AnonymousNamespaceLosesItsHash) {
  std::string clang = "_ZN12_GLOBAL__N_14darkEPf";
  EXPECT_EQ(withoutLinkage(clang), clang);
  EXPECT_EQ(
      withoutLinkage("_ZN39_GLOBAL__N__0a1b2c3d_7_glow_cu_998877664darkEPf"),
      clang);
  EXPECT_EQ(
      withoutLinkage("__nv_static_28__0a1b2c3d_7_glow_cu_99887766__"
                     "ZN39_GLOBAL__N__0a1b2c3d_7_glow_cu_998877664darkEPf"),
      clang);
}

TEST(KernelName, DemangledFormIsTheSame) {
  EXPECT_EQ(
      demangledKernel("_ZN3lib12_GLOBAL__N_14darkILi7EEEvPf"),
      demangledKernel(
          "_ZN3lib39_GLOBAL__N__0a1b2c3d_7_glow_cu_998877664darkILi7EEEvPf"));
  EXPECT_EQ(demangledKernel("_ZN3lib12_GLOBAL__N_14darkILi7EEEvPf"),
            "void lib::(anonymous namespace)::dark<7>(float*)");
}

TEST(KernelName, StaticFunctionAsTemplateArgument) {
  // nvcc puts it into a namespace of the file, clang marks it with an L.
  EXPECT_EQ(
      demangledKernel("_Z3runIXadL_ZN28_INTERNAL_0a1b2c3d_4_f_cu_gg4stepEiE"
                      "EEvPi"),
      demangledKernel("_Z3runIXadL_ZL4stepiEEEvPi"));
}

TEST(KernelName, ArchitectureListOfCCCLIsLeftOut) {
  EXPECT_EQ(demangledKernel("_ZN3cub28CUB_300001_SM_750_800_900_NS4scanEPi"),
            demangledKernel("_ZN3cub20CUB_300001_SM_900_NS4scanEPi"));
  // But not other names that look a little like it.
  EXPECT_NE(demangledKernel("_ZN9CUB_MY_NS4scanEPi"),
            demangledKernel("_ZN9CUB_ME_NS4scanEPi"));
}

TEST(KernelName, OtherKernelsStayApart) {
  EXPECT_NE(demangledKernel("_Z5shinePf"), demangledKernel("_Z5shinePd"));
  EXPECT_NE(demangledKernel("_Z4foldILi4EEvPf"),
            demangledKernel("_Z4foldILi8EEvPf"));
  EXPECT_EQ(demangledKernel("plain"), "plain");
}

TEST(KernelName, BrokenNamesAreLeftAlone) {
  for (const char *name :
       {"", "_Z", "_ZL", "__nv_static_", "__nv_static_9_",
        "__nv_static_99_ab_c", "__nv_static_99999999999999999999_a_b",
        "_ZN999_GLOBAL__N_1fE", "_ZN_GLOBAL__N_1fE", "_ZN3_GLOBAL__N_1fE"}) {
    EXPECT_EQ(withoutLinkage(name), name);
    EXPECT_EQ(fileInName(name), "");
  }
}

TEST(KernelName, NamesInExpressionsMeet) {
  // template <class T, int N, bool B = Bits<T>::value >= 32> struct Array;
  // template <class T> __global__ void clear(Array<T, 4> *), in a namespace.
  std::string nvcc = comparableKernel(
      "_ZN1a5clearIiEEvPNS_5ArrayIT_Li4EXgesr1a4BitsIS2_EE5valueLi32EEEE");
  std::string clang = comparableKernel(
      "_ZN1a5clearIiEEvPNS_5ArrayIT_Li4EXgesr4BitsIS2_EE5valueLi32EEEE");
  EXPECT_EQ(nvcc, clang);
  EXPECT_EQ(nvcc, "void a::clear<int>(Array<int, 4, Bits<int>::value >= 32>*)");
  // The kernel's own namespaces count.
  EXPECT_NE(comparableKernel("_ZN1a5clearEPi"),
            comparableKernel("_ZN1b5clearEPi"));
}

TEST(KernelName, SaysWhichFile) {
  EXPECT_EQ(
      fileInName("__nv_static_28__0a1b2c3d_7_glow_cu_99887766__Z5shinePf"),
      "glow_cu");
  EXPECT_EQ(fileInName("_ZN39_GLOBAL__N__0a1b2c3d_7_glow_cu_998877664darkEPf"),
            "glow_cu");
  EXPECT_EQ(fileInName("_ZN12_GLOBAL__N_14darkEPf"), "");
  EXPECT_EQ(fileInName("_Z5shinePf"), "");
}

TEST(KernelName, HostileNamesStayMangled) {
  // A<int, int>, then each time A of the one before, twice.
  constexpr char Digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
  std::string doubling = "_Z1f1AIiiE";
  for (unsigned i = 0; i != 30; ++i) {
    std::string before = std::string("S") + Digits[i] + "_";
    doubling += "S_I" + before + before + "E";
    std::string source = demangledKernel(doubling);
    EXPECT_LT(source.size(), 256u << 10);
    EXPECT_EQ(source == doubling, source.front() == '_');
  }
  EXPECT_EQ(demangledKernel(doubling), doubling);
  // Levels of a type, each a call of the demangler's.
  std::string deep = "_Z1f" + std::string(1 << 20, 'P') + "i";
  EXPECT_EQ(demangledKernel(deep), deep);
  std::string less = "_Z1f" + std::string(8000, 'P') + "i";
  EXPECT_EQ(demangledKernel(less), "f(int" + std::string(8000, '*') + ")");
}

TEST(KernelName, LongNamesOfRealCodeAreDemangled) {
  // Forty levels of templates, and a pack.
  std::string name = "_Z1kI", source = "void k<";
  for (unsigned i = 0; i != 40; ++i)
    name += "4tileI", source += "tile<";
  name += "Li4EJifdEE", source += "4, int, float, double>";
  for (unsigned i = 0; i != 39; ++i)
    name += "E", source += ">";
  EXPECT_EQ(demangledKernel(name + "EvT_"),
            source + ">(" + source.substr(7) + ")");
}

} // namespace
