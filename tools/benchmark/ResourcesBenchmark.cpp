// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What reading resources costs. Asked: logs at 300 MB/s, an executable of 100
// MB with 1,000 kernels in 0.3 s, a cold check at most 1.15 times as long as
// plain nvcc -cubin, a warm one under 30 ms.
//
//   resources-benchmark
//
// The last two need nvcc and are left out without it.

#include "resources/CompileResources.h"
#include "resources/CompilerRun.h"
#include "resources/CubinFile.h"
#include "resources/PtxasLog.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include <benchmark/benchmark.h>

using namespace coreside;
namespace ELF = llvm::ELF;

namespace {

//===-- Logs --------------------------------------------------------------===//

/// `kernels` records of ptxas, each behind `noise` other lines of a build.
std::string log(unsigned kernels, unsigned noise) {
  std::string text;
  for (unsigned i = 0; i != kernels; ++i) {
    for (unsigned n = 0; n != noise; ++n)
      text += "[" + std::to_string(n) +
              "/4711] Building CXX object src/CMakeFiles/core.dir/part/file" +
              std::to_string(i % 100) + ".cpp.o\n";
    std::string number = std::to_string(1000000 + i);
    std::string name = "_ZN4core6detail13kernel" + number +
                       "IfLi4ELb1EEEvPKT_PS2_iNS0_6ParamsE";
    text += "ptxas info    : Compiling entry function '" + name +
            "' for 'sm_90'\n"
            "ptxas info    : Function properties for " +
            name +
            "\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill "
            "loads\n"
            "ptxas info    : Used 40 registers, used 1 barriers, 2048 bytes "
            "smem\n"
            "ptxas info    : Compile time = 2.057 ms\n";
  }
  return text;
}

void readLog(benchmark::State &state, unsigned kernels, unsigned noise) {
  const std::string text = log(kernels, noise);
  for (auto _ : state) {
    LogReading reading = readPtxasLog(llvm::MemoryBufferRef(text, "log"));
    if (reading.records.size() != kernels)
      return state.SkipWithError("kernels were lost");
  }
  state.SetBytesProcessed(int64_t(state.iterations() * text.size()));
}
BENCHMARK_CAPTURE(readLog, lineOfPtxasInHundred, 1000, 500)
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(readLog, nothingButPtxas, 100000, 0)
    ->Unit(benchmark::kMillisecond);

//===-- Binaries ----------------------------------------------------------===//

template <typename T> void put(std::string &bytes, const T &value) {
  bytes.append(reinterpret_cast<const char *>(&value), sizeof(value));
}

/// A host object of some 100 MB whose fatbin has 500 cubins of two kernels.
std::string object(llvm::StringRef cubin) {
  constexpr unsigned Cubins = 500;
  constexpr uint64_t Size = 200000;
  std::string fatbin;
  put(fatbin, uint32_t(0xba55ed50));
  put(fatbin, uint16_t(1));
  put(fatbin, uint16_t(16));
  put(fatbin, uint64_t(Cubins * (64 + Size)));
  for (unsigned i = 0; i != Cubins; ++i) {
    size_t begin = fatbin.size();
    put(fatbin, uint16_t(2));
    put(fatbin, uint16_t(0x101));
    put(fatbin, uint32_t(64));
    put(fatbin, Size);
    fatbin.resize(begin + 28);
    put(fatbin, uint32_t(90));
    fatbin.resize(begin + 64);
    fatbin += cubin;
    fatbin.resize(begin + 64 + Size);
  }
  const std::string names("\0.nv_fatbin\0.shstrtab\0", 22);
  ELF::Elf64_Ehdr header = {};
  std::memcpy(header.e_ident,
              "\x7f"
              "ELF\2\1\1",
              7);
  header.e_type = ELF::ET_REL;
  header.e_machine = ELF::EM_X86_64;
  header.e_version = 1;
  header.e_ehsize = sizeof(header);
  header.e_shentsize = sizeof(ELF::Elf64_Shdr);
  header.e_shnum = 3;
  header.e_shstrndx = 2;
  header.e_shoff = sizeof(header) + fatbin.size() + names.size();
  ELF::Elf64_Shdr sections[3] = {};
  sections[1].sh_name = 1;
  sections[1].sh_type = ELF::SHT_PROGBITS;
  sections[1].sh_offset = sizeof(header);
  sections[1].sh_size = fatbin.size();
  sections[2].sh_name = 12;
  sections[2].sh_type = ELF::SHT_STRTAB;
  sections[2].sh_offset = sizeof(header) + fatbin.size();
  sections[2].sh_size = names.size();
  std::string bytes;
  put(bytes, header);
  bytes += fatbin + names;
  put(bytes, sections);
  return bytes;
}

void readBinary100MB(benchmark::State &state) {
  auto cubin = llvm::MemoryBuffer::getFile(
      CORESIDE_SOURCE_DIR "/test/fuzz/Inputs/binaries/tiny90.cubin");
  if (!cubin)
    return state.SkipWithError("the cubin of the tests is not there");
  llvm::SmallString<128> path;
  int file;
  if (llvm::sys::fs::createTemporaryFile("coreside", "o", file, path))
    return state.SkipWithError("no temporary file");
  llvm::raw_fd_ostream(file, /*shouldClose=*/true)
      << object((*cubin)->getBuffer());
  for (auto _ : state) {
    auto reading = readBinaryFile(path);
    if (!reading || reading->records.size() != 1000)
      return state.SkipWithError("not 1,000 kernels");
  }
  llvm::sys::fs::remove(path);
}
BENCHMARK(readBinary100MB)->Unit(benchmark::kMillisecond)->UseRealTime();

//===-- Compilers ---------------------------------------------------------===//

/// The example of the docs, and what is there to compile it.
struct Example {
  std::optional<Toolkit> toolkit = findToolkit();
  CompileCommand command = std::move(CompileCommands::fromFlags().commandsFor(
      CORESIDE_SOURCE_DIR "/docs/examples/pipeline.cu")[0]);
  llvm::SmallString<128> folder;

  Example() { llvm::sys::fs::createUniqueDirectory("coreside", folder); }
  ~Example() { llvm::sys::fs::remove_directories(folder); }

  bool isThere() const { return toolkit && !toolkit->nvcc.empty(); }
  bool compile(const ResourceCache &cache) const {
    CompileOptions options;
    options.cache = &cache;
    auto compiled =
        compileResources(CompileRequest{&command, {9, 0}}, *toolkit, options);
    return compiled && !(*compiled)[0].records.empty();
  }
};

void plainNvcc(benchmark::State &state) {
  Example example;
  auto run = CompilerRun::start();
  if (!example.isThere() || !run)
    return state.SkipWithError("no nvcc");
  for (auto _ : state)
    run->execute({example.toolkit->nvcc, "-cubin", "-arch=sm_90",
                  example.command.file, "-o", run->path("plain.cubin")},
                 example.command.directory, "plain");
}
BENCHMARK(plainNvcc)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(8);

void coldCompile(benchmark::State &state) {
  Example example;
  if (!example.isThere())
    return state.SkipWithError("no nvcc");
  ResourceCache cache{std::string(example.folder)};
  for (auto _ : state) {
    if (!example.compile(cache))
      return state.SkipWithError("nothing compiled");
    state.PauseTiming();
    cache.clear();
    state.ResumeTiming();
  }
}
BENCHMARK(coldCompile)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime()
    ->Iterations(8);

void warmCompile(benchmark::State &state) {
  Example example;
  if (!example.isThere())
    return state.SkipWithError("no nvcc");
  ResourceCache cache{std::string(example.folder)};
  example.compile(cache);
  for (auto _ : state)
    if (!example.compile(cache))
      return state.SkipWithError("nothing found");
}
BENCHMARK(warmCompile)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace

BENCHMARK_MAIN();
