// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// GPUs from files, from records of tools, from the machine, and --gpu.

#include "device/GPUFile.h"
#include "device/Occupancy.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>
#include <gtest/gtest.h>

using namespace coreside;

namespace {

/// The GPU that `text` describes; a failed test when it describes none.
GPU described(llvm::StringRef text) {
  llvm::Expected<GPU> gpu = parseGPUFile(text, "lab.yaml");
  if (gpu)
    return *gpu;
  ADD_FAILURE() << llvm::toString(gpu.takeError());
  return {};
}

/// The error that `text` gives.
std::string problem(llvm::StringRef text) {
  llvm::Expected<GPU> gpu = parseGPUFile(text, "lab.yaml");
  return gpu ? "none" : llvm::toString(gpu.takeError());
}

TEST(GPUFile, StartsFromAProduct) {
  const GPU gpu = described("like: h100\n"
                            "SMs: 20\n"
                            "name: lab\n");
  EXPECT_EQ(gpu.name, "lab");
  EXPECT_EQ(gpu.SMs, 20u);
  EXPECT_EQ(gpu.architecture.sharedPerSM, 228u * 1024);
  EXPECT_EQ(gpu.l2Bytes, 50u << 20);
}

TEST(GPUFile, StartsFromACapability) {
  // 20 SMs of 2,048 threads, 64 Ki registers, 32 blocks and 100 KiB.
  const GPU gpu = described("capability: 8.0\n"
                            "SMs: 20            # a small part\n"
                            "threadsPerSM: 2048\n"
                            "registersPerSM: 65536\n"
                            "blocksPerSM: 32\n"
                            "sharedPerSM: 100 KiB\n");
  EXPECT_EQ(gpu.name, "lab");
  EXPECT_EQ(gpu.architecture.capability, (ComputeCapability{8, 0}));
  EXPECT_EQ(gpu.architecture.warpsPerSM, 64u);
  EXPECT_EQ(gpu.architecture.sharedPerSM, 102400u);
  // What follows: a block can have all but the reserve, and there is no
  // configuration over the total.
  EXPECT_EQ(gpu.architecture.sharedPerBlockOptIn, 99u * 1024);
  EXPECT_EQ(gpu.architecture.sharedConfigurations.back(), 102400u);
  EXPECT_EQ(gpu.architecture.sharedConfigurations.size(), 6u);
  // 9 KiB a block.
  EXPECT_EQ(occupancy(gpu.architecture,
                      {.threadsPerBlock = 32, .dynamicShared = 8 * 1024})
                .byShared,
            11u);
}

TEST(GPUFile, ReadsSizesAndLists) {
  const GPU gpu = described("{capability: sm_90, SMs: 6, sharedPerSM: 65536,\n"
                            " sharedConfigurations: [0, 16 KiB, 64 KiB],\n"
                            " clusterGroups: [4, 2], l2Bytes: 2 MiB,\n"
                            " memoryBytes: 4GiB}\n");
  EXPECT_EQ(gpu.architecture.sharedConfigurations,
            (std::vector<unsigned>{0, 16384, 65536}));
  EXPECT_EQ(gpu.clusterGroups, (std::vector<unsigned>{4, 2}));
  EXPECT_EQ(gpu.l2Bytes, 2u << 20);
  EXPECT_EQ(gpu.memoryBytes, uint64_t(4) << 30);
}

TEST(GPUFile, NamesWhatIsMissing) {
  EXPECT_EQ(problem(""), "lab.yaml:1: expected fields such as 'like: h100'");
  EXPECT_EQ(problem("- 1\n"),
            "lab.yaml:1: expected fields such as 'like: h100'");
  EXPECT_EQ(problem("SMs: 20\n"),
            "lab.yaml:1: needs 'like: PRODUCT' or 'capability: 9.0'");
  EXPECT_EQ(problem("\ncapability: 8.0\n"),
            "lab.yaml:2: 'SMs' is missing; a capability does not say how many "
            "there are");
  EXPECT_EQ(problem("like: h100\nSMs:\n"), "lab.yaml:2: 'SMs' has no value");
}

TEST(GPUFile, NamesNumbersOutOfRange) {
  for (const char *value : {"0", "-3", "4097", "18446744073709551617"})
    EXPECT_EQ(
        problem((llvm::Twine("like: h100\nSMs: ") + value).str()),
        (llvm::Twine("lab.yaml:2: 'SMs' is ") + value + ", must be 1 to 4096")
            .str());
  EXPECT_EQ(problem("like: h100\nSMs: many\n"),
            "lab.yaml:2: 'SMs' is 'many', not a whole number");
  EXPECT_EQ(problem("like: h100\nSMs: 1.5\n"),
            "lab.yaml:2: 'SMs' is '1.5', not a whole number");
  EXPECT_EQ(problem("like: h100\nsharedPerSM: 99999999999999999 GiB\n"),
            "lab.yaml:2: 'sharedPerSM' is 99999999999999999 GiB, must be 1024 "
            "to 67108864");
  EXPECT_EQ(problem("like: h100\nsharedPerSM: 10 KB\n"),
            "lab.yaml:2: 'sharedPerSM' is '10 KB', not a whole number of "
            "bytes, KiB, MiB or GiB");
  EXPECT_EQ(problem("like: h100\nSMs: [1]\n"),
            "lab.yaml:2: 'SMs' has no value");
}

TEST(GPUFile, NamesUnknownWords) {
  EXPECT_EQ(problem("like: h100\nSMS: 20\n"),
            "lab.yaml:2: unknown field 'SMS'; did you mean 'SMs'?");
  EXPECT_EQ(problem("like: h100\nsharedPerSm: 20\n"),
            "lab.yaml:2: unknown field 'sharedPerSm'; did you mean "
            "'sharedPerSM'?");
  EXPECT_EQ(problem("like: h100\nfrequencyOfTheCores: 20\n"),
            "lab.yaml:2: unknown field 'frequencyOfTheCores'");
  EXPECT_EQ(problem("SMs: 2\nlike: h10\n"),
            "lab.yaml:2: 'like' is 'h10', which is no known GPU; did you mean "
            "'h100'?");
  EXPECT_EQ(problem("capability: 8.5\nSMs: 2\n").substr(0, 55),
            "lab.yaml:1: 'capability' is '8.5', must be one of 5.0 5");
  // One line, whatever the file says.
  EXPECT_EQ(problem("like: h100\n\"a\\nb\": 20\n"),
            "lab.yaml:2: unknown field 'a b'");
  EXPECT_EQ(problem("like: h100\nSMs: " + std::string(1000, '9') + "\n"),
            "lab.yaml:2: 'SMs' is " + std::string(40, '9') +
                "..., must be 1 to 4096");
  EXPECT_EQ(problem("like: h100\nname: \"a\\nb\"\n"),
            "lab.yaml:2: 'name' has more than one line");
  EXPECT_EQ(problem("like: h100\nSMs: 2\nSMs: 3\n"),
            "lab.yaml:3: 'SMs' is given twice");
}

TEST(GPUFile, NamesContradictions) {
  EXPECT_EQ(problem("like: h100\ncapability: 8.0\n"),
            "lab.yaml:2: 'capability' 8.0 contradicts 'like': h100 has 9.0");
  EXPECT_EQ(problem("like: h100\nregistersPerSM: 32768\n"
                    "registersPerBlock: 65536\n"),
            "lab.yaml:3: 'registersPerBlock' 65536 is more than "
            "'registersPerSM' 32768");
  EXPECT_EQ(problem("like: h100\nsharedPerBlockOptIn: 228 KiB\n"),
            "lab.yaml:2: 'sharedPerBlockOptIn' 233472 and the reserve of 1024 "
            "are more than 'sharedPerSM' 233472");
  EXPECT_EQ(problem("like: h100\nblocksPerSM: 65\n"),
            "lab.yaml:2: 'blocksPerSM' 65 is more than the 64 warps of an SM");
  EXPECT_EQ(problem("like: h100\nthreadsPerSM: 2000\n"),
            "lab.yaml:2: 'threadsPerSM' 2000 is not a whole number of warps in "
            "each of 4 sub-partitions");
  EXPECT_EQ(problem("like: h100\nsharedConfigurations: [0, 16, 8]\n"),
            "lab.yaml:2: 'sharedConfigurations' must rise, but 8 follows 16");
  EXPECT_EQ(problem("like: h100\nSMs: 4\nclusterGroups: [4, 1]\n"),
            "lab.yaml:3: 'clusterGroups' 5 in all is not 'SMs' 4");
  EXPECT_EQ(problem("like: h100\nl1AndShared: 100 KiB\n"),
            "lab.yaml:2: 'l1AndShared' 102400 is less than 'sharedPerSM' "
            "233472");
}

TEST(GPUFile, NamesBrokenYAML) {
  EXPECT_EQ(problem("like: h100\nSMs: [1, 2\n").substr(0, 9), "lab.yaml:");
  EXPECT_EQ(problem("like: \"h100\nSMs: 3\n").substr(0, 9), "lab.yaml:");
  EXPECT_EQ(problem("like: h100\n---\nlike: h100\n"),
            "lab.yaml:1: holds more than one document; one file describes one "
            "GPU");
  // Thousands of levels are not followed down.
  EXPECT_EQ(problem("SMs: " + std::string(20000, '[')).substr(0, 9),
            "lab.yaml:");
}

TEST(GPUFile, NamesTheFileThatIsNotThere) {
  llvm::Expected<GPU> gpu = readGPUFile("no/such/gpu.yaml");
  ASSERT_FALSE(bool(gpu));
  EXPECT_EQ(llvm::toString(gpu.takeError()),
            "no/such/gpu.yaml: cannot be read: No such file or directory");
}

/// Names and SMs of the GPUs, or the error.
std::string listed(llvm::Expected<std::vector<GPU>> gpus) {
  if (!gpus)
    return llvm::toString(gpus.takeError());
  std::string all;
  for (const GPU &gpu : *gpus)
    all += (all.empty() ? "" : ", ") + gpu.name + " " + std::to_string(gpu.SMs);
  return all;
}

TEST(DeviceRecord, DeviceQuery) {
  const llvm::StringRef text = R"(
 CUDA Device Query (Runtime API) version (CUDART static linking)

Detected 2 CUDA Capable device(s)

Device 0: "NVIDIA H200"
  CUDA Driver Version / Runtime Version          13.0 / 13.0
  CUDA Capability Major/Minor version number:    9.0
  Total amount of global memory:                 143156 MBytes (150109880320 bytes)
  (132) Multiprocessors, (128) CUDA Cores/MP:    16896 CUDA Cores
  L2 Cache Size:                                 62914560 bytes

Device 1: "NVIDIA Prototype"
  CUDA Capability Major/Minor version number:    8.9
  (044) Multiprocessors, (128) CUDA Cores/MP:    5632 CUDA Cores
  L2 Cache Size:                                 25,165,824 bytes
)";
  auto gpus = parseDeviceRecord(text, "query.txt");
  ASSERT_TRUE(bool(gpus));
  ASSERT_EQ(gpus->size(), 2u);
  EXPECT_EQ((*gpus)[0].name, "h200");
  EXPECT_EQ((*gpus)[0].memoryBytes, 150109880320u);
  EXPECT_FALSE((*gpus)[0].clusterGroups.empty());
  EXPECT_EQ((*gpus)[1].name, "NVIDIA Prototype");
  EXPECT_EQ((*gpus)[1].SMs, 44u);
  EXPECT_EQ((*gpus)[1].l2Bytes, 24u << 20);
  EXPECT_EQ((*gpus)[1].architecture.blocksPerSM, 24u);
}

TEST(DeviceRecord, NvidiaSMI) {
  EXPECT_EQ(
      listed(parseDeviceRecord("GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-1)\n"
                               "GPU 1: NVIDIA A100-SXM4-40GB (UUID: GPU-2)\n"
                               "GPU 2: Tesla T4 (UUID: GPU-3)\n",
                               "smi.txt")),
      "a100-40gb 108, t4 40");
  EXPECT_EQ(listed(parseDeviceRecord(
                "==============NVSMI LOG==============\n"
                "Timestamp      : Mon Jan  5 10:00:00 2026\n"
                "Attached GPUs  : 1\n"
                "GPU 00000000:19:00.0\n"
                "    Product Name      : NVIDIA GeForce RTX 4090 Laptop GPU\n"
                "    Product Brand     : GeForce\n",
                "smi.txt")),
            "rtx4090-laptop 76");
  EXPECT_EQ(listed(parseDeviceRecord("name\nNVIDIA H20\n", "smi.txt")),
            "h20 78");
  EXPECT_EQ(listed(parseDeviceRecord("index, name, memory.total [MiB]\n"
                                     "0, NVIDIA L40S, 46068 MiB\n",
                                     "smi.txt")),
            "l40s 142");
  EXPECT_EQ(listed(parseDeviceRecord("NVIDIA L4\r\n", "smi.txt")), "l4 58");
  EXPECT_EQ(
      listed(parseDeviceRecord(
          "| GPU  Name         Persistence-M | Bus-Id    Disp.A | Volatile |\n"
          "|   0  NVIDIA H200            On  | 00000000:19:00.0 Off |    0 |\n"
          "|    0   N/A  N/A      1234      C   python        1MiB |\n",
          "smi.txt")),
      "h200 132");
}

TEST(DeviceRecord, MIGSlicesNeedANumber) {
  const llvm::StringRef text = "GPU 0: NVIDIA A100-SXM4-40GB (UUID: GPU-1)\n"
                               "  MIG 1g.5gb  Device  0: (UUID: MIG-1)\n";
  EXPECT_EQ(listed(parseDeviceRecord(text, "smi.txt")),
            "smi.txt:2: lists MIG slices; say how many SMs one has with --sms");
  EXPECT_EQ(listed(parseDeviceRecord(text, "smi.txt", 14)), "a100-40gb 108");
}

TEST(DeviceRecord, NamesWhatItCannotUse) {
  EXPECT_EQ(listed(parseDeviceRecord("hello\n", "smi.txt")),
            "smi.txt: names no GPU; expected output of deviceQuery or "
            "nvidia-smi, or a GPU file whose name ends in .yaml");
  EXPECT_EQ(listed(parseDeviceRecord("\nGPU 0: NVIDIA H10 (UUID: GPU-1)\n",
                                     "smi.txt")),
            "smi.txt:2: unknown GPU 'NVIDIA H10'; did you mean 'h100'? A GPU "
            "file can describe it");
}

TEST(NativeGPU, AsksTheDriver) {
  ASSERT_EQ(setenv("CORESIDE_FAKE_DEVICES", "3", 1), 0);
  auto gpus = nativeGPUs(CORESIDE_FAKE_DRIVER);
  ASSERT_TRUE(bool(gpus)) << llvm::toString(gpus.takeError());
  ASSERT_EQ(gpus->size(), 3u);
  EXPECT_EQ((*gpus)[0].name, "h200");
  EXPECT_EQ((*gpus)[0].memoryBytes, uint64_t(140) << 30);
  EXPECT_FALSE((*gpus)[0].clusterGroups.empty());
  // A slice: as many SMs as the driver says.
  EXPECT_EQ((*gpus)[1].SMs, 16u);
  EXPECT_TRUE((*gpus)[1].clusterGroups.empty());
  EXPECT_EQ((*gpus)[2].name, "NVIDIA Prototype");
  EXPECT_EQ((*gpus)[2].architecture.blocksPerSM, 24u);
  EXPECT_EQ((*gpus)[2].architecture.sharedPerSM, 228u * 1024);
}

TEST(NativeGPU, SaysWhyThereIsNone) {
  ASSERT_EQ(unsetenv("CORESIDE_FAKE_DEVICES"), 0);
  EXPECT_EQ(
      listed(nativeGPUs(CORESIDE_FAKE_DRIVER)),
      "no GPU for 'native': cuInit failed with error 999; name the target "
      "instead");
  ASSERT_EQ(setenv("CORESIDE_FAKE_DEVICES", "0", 1), 0);
  EXPECT_EQ(listed(nativeGPUs(CORESIDE_FAKE_DRIVER)),
            "no GPU for 'native': the driver finds none; name the target "
            "instead");
  ASSERT_EQ(setenv("CORESIDE_FAKE_DEVICES", "4", 1), 0);
  EXPECT_EQ(
      listed(nativeGPUs(CORESIDE_FAKE_DRIVER)),
      "no GPU for 'native': 'NVIDIA Prototype' has sm_990, which coreside "
      "does not know; name the target instead");
  const std::string absent = listed(nativeGPUs("libno-such-driver.so.1"));
  EXPECT_EQ(absent.find("no GPU for 'native': the NVIDIA driver's library "
                        "cannot be loaded (libno-such-driver.so.1"),
            0u)
      << absent;
}

TEST(ResolveGPUs, TakesNames) {
  EXPECT_EQ(listed(resolveGPUs("h200, RTX 4090,4090-laptop,rtx4090", 0)),
            "h200 132, rtx4090 128, rtx4090-laptop 76");
  EXPECT_EQ(listed(resolveGPUs("a100,h100", 14)),
            "a100 with 14 SMs 14, h100 with 14 SMs 14");
}

TEST(ResolveGPUs, TakesFiles) {
  llvm::SmallString<128> folder;
  ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("coreside", folder));
  const auto write = [&](llvm::StringRef name, llvm::StringRef text) {
    std::error_code error;
    const std::string path = (llvm::Twine(folder) + "/" + name).str();
    llvm::raw_fd_ostream stream(path, error);
    stream << text;
    return path;
  };
  const std::string lab = write("lab.yaml", "like: a100\nSMs: 20\n");
  const std::string record = write("smi.txt", "GPU 0: Tesla T4 (UUID: 1)\n");
  EXPECT_EQ(listed(resolveGPUs(lab + "," + record, 0)), "lab 20, t4 40");
  llvm::sys::fs::remove_directories(folder);
}

TEST(ResolveGPUs, NamesWhatIsWrong) {
  EXPECT_EQ(listed(resolveGPUs("h10", 0)),
            "unknown GPU 'h10'; did you mean 'h100'? 'coreside gpus' lists "
            "them");
  EXPECT_EQ(listed(resolveGPUs("h100,toaster", 0)),
            "unknown GPU 'toaster'; 'coreside gpus' lists them");
  EXPECT_EQ(listed(resolveGPUs(" , ", 0)),
            "no GPU is named; 'coreside gpus' lists them");
  EXPECT_EQ(
      listed(resolveGPUs("sm_90", 0)),
      "'sm_90' is an architecture, and its GPUs have different numbers of "
      "SMs; name one, such as 'h100'");
  EXPECT_EQ(listed(resolveGPUs("a100", 109)),
            "a100 has 108 SMs; a share of it cannot have 109");
  EXPECT_EQ(listed(resolveGPUs("no/such/file", 0)),
            "no/such/file: cannot be read: No such file or directory");
}

} // namespace
