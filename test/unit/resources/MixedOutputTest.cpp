// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The output of several compilers in one log, put together at random: whatever
// the reader says of a kernel must be true, and what it cannot know it must not
// say.

#include "resources/PtxasLog.h"

#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

using namespace coreside;

namespace {

struct Kernel {
  std::string name;
  ComputeCapability capability;
  unsigned registers, shared, spills;
};

using Random = std::mt19937;

unsigned below(Random &random, unsigned limit) { return random() % limit; }

/// What one compiler prints, line by line.
std::vector<std::string> outputOf(const std::vector<Kernel> &kernels,
                                  bool timed, Random &random) {
  std::vector<std::string> lines = {"ptxas info    : 0 bytes gmem"};
  for (const Kernel &kernel : kernels) {
    lines.push_back("ptxas info    : Compiling entry function '" + kernel.name +
                    "' for '" + smName(kernel.capability) + "'");
    lines.push_back("ptxas info    : Function properties for " + kernel.name);
    std::string spills = std::to_string(kernel.spills);
    lines.push_back("    " + spills + " bytes stack frame, " + spills +
                    " bytes spill stores, " + spills + " bytes spill loads");
    lines.push_back("ptxas info    : Used " + std::to_string(kernel.registers) +
                    " registers, used 0 barriers" +
                    (kernel.shared
                         ? ", " + std::to_string(kernel.shared) + " bytes smem"
                         : "") +
                    ", 372 bytes cmem[0]");
    if (timed)
      lines.push_back("ptxas info    : Compile time = 2.057 ms");
    if (below(random, 4) == 0) {
      lines.push_back("ptxas info    : Function properties for _Z6calleei");
      lines.push_back("    7 bytes stack frame, 7 bytes spill stores, 7 bytes "
                      "spill loads");
    }
  }
  return lines;
}

struct Mix {
  std::string log;
  std::map<std::pair<std::string, ComputeCapability>, Kernel> truth;
};

/// `switching`: out of 100, how often another compiler gets to write a line.
Mix mix(Random &random, unsigned switching, unsigned tearing) {
  Mix made;
  std::vector<std::vector<std::string>> outputs;
  unsigned compilers = 2 + below(random, 3), number = 0;
  constexpr ComputeCapability capabilities[] = {{8, 0}, {8, 6}, {9, 0}};
  for (unsigned i = 0; i != compilers; ++i) {
    std::vector<Kernel> kernels;
    for (unsigned n = 1 + below(random, 4); n; --n) {
      Kernel kernel = {"", capabilities[below(random, 3)],
                       8 + below(random, 200), 0, 8 * below(random, 3)};
      kernel.shared = below(random, 2) * 128 * below(random, 50);
      // Some names begin others.
      bool longer = number && below(random, 3) == 0;
      std::string plain = "kernel" + std::to_string(number - longer);
      kernel.name = "_Z" + std::to_string(plain.size()) + plain + "PfPKfi" +
                    (longer ? "i" : "");
      ++number;
      auto key = std::pair(kernel.name, kernel.capability);
      if (made.truth.contains(key))
        continue;
      made.truth[key] = kernel;
      kernels.push_back(kernel);
    }
    outputs.push_back(outputOf(kernels, below(random, 2), random));
  }
  // Bytes that a compiler has begun to write and another has cut off.
  std::vector<size_t> next(compilers);
  std::vector<std::string> cut(compilers);
  unsigned now = 0;
  while (true) {
    std::vector<unsigned> writing;
    for (unsigned i = 0; i != compilers; ++i)
      if (next[i] != outputs[i].size() || !cut[i].empty())
        writing.push_back(i);
    if (writing.empty())
      break;
    if (below(random, 100) < switching || cut[now].empty())
      if (below(random, 100) < switching || next[now] == outputs[now].size())
        now = writing[below(random, writing.size())];
    if (!cut[now].empty()) {
      made.log += cut[now] + "\n";
      cut[now].clear();
      continue;
    }
    if (next[now] == outputs[now].size())
      continue;
    const std::string &line = outputs[now][next[now]++];
    if (below(random, 100) < tearing && writing.size() > 1) {
      size_t at = 1 + below(random, line.size() - 1);
      made.log += line.substr(0, at);
      // A tear may leave a newline or another's words behind it.
      if (below(random, 2))
        made.log += "\n";
      cut[now] = line.substr(at);
      now = writing[below(random, writing.size())];
      continue;
    }
    made.log += line + "\n";
  }
  return made;
}

struct Count {
  size_t kernels = 0, read = 0, wrong = 0;
};

Count check(unsigned programs, unsigned switching, unsigned tearing) {
  Count count;
  for (unsigned seed = 0; seed != programs; ++seed) {
    Random random(seed * 100 + switching + tearing);
    Mix made = mix(random, switching, tearing);
    LogReading reading =
        readPtxasLog(llvm::MemoryBufferRef(made.log, "mixed.log"));
    count.kernels += made.truth.size();
    count.read += reading.records.size();
    for (const KernelResources &record : reading.records) {
      auto found = made.truth.find({record.kernel, record.capability});
      bool right =
          found != made.truth.end() &&
          record.registers == found->second.registers &&
          record.staticShared == found->second.shared &&
          (!record.spillStores || record.spillStores == found->second.spills);
      if (right)
        continue;
      ++count.wrong;
      if (count.wrong == 1)
        ADD_FAILURE() << "seed " << seed << ": '" << record.kernel << "' "
                      << smName(record.capability) << " from " << record.source
                      << " in\n"
                      << made.log;
    }
    // Nothing is dropped in silence.
    if (reading.records.size() < made.truth.size())
      EXPECT_FALSE(reading.notes.empty()) << made.log;
  }
  llvm::outs() << "[          ] read " << count.read << " of " << count.kernels
               << " kernels, " << count.wrong << " wrong\n";
  EXPECT_EQ(count.wrong, 0u);
  return count;
}

TEST(MixedOutput, BuffersPerCompilerLoseNothing) {
  Count count = check(2000, 0, 0);
  EXPECT_EQ(count.read, count.kernels);
}

TEST(MixedOutput, WholeLinesOfSeveralCompilers) {
  Count some = check(4000, 10, 0);
  EXPECT_GT(some.read * 100, some.kernels * 50);
  check(4000, 100, 0);
}

TEST(MixedOutput, TornLines) {
  // One line in a hundred, as pipes do it at their worst.
  Count few = check(8000, 10, 1);
  EXPECT_GT(few.read * 100, few.kernels * 65);
  Count some = check(8000, 10, 5);
  EXPECT_GT(some.read * 100, some.kernels * 50);
  // One in seven: what is left is hardly a log.
  check(8000, 60, 15);
}

} // namespace
