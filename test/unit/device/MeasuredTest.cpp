// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The device model against what an H200 answered: every row of
// test/measured/{occupancy,occupancy_carve,launch}.csv.

#include "device/ClusterOccupancy.h"
#include "device/LaunchCheck.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <string>
#include <vector>

using namespace coreside;

namespace {

const GPU &h200() { return *findGPU("h200"); }

std::vector<std::string> split(const std::string &line) {
  std::vector<std::string> fields;
  std::istringstream stream(line);
  for (std::string field; std::getline(stream, field, ',');)
    fields.push_back(field);
  return fields;
}

/// The rows of a file, without comments and without its header line.
std::vector<std::vector<std::string>> rows(const std::string &file) {
  std::ifstream stream(std::string(CORESIDE_MEASURED) + "/" + file);
  EXPECT_TRUE(stream.good()) << file;
  std::vector<std::vector<std::string>> result;
  bool isHeader = true;
  for (std::string line; std::getline(stream, line);) {
    if (line.empty() || line[0] == '#')
      continue;
    if (!isHeader)
      result.push_back(split(line));
    isHeader = false;
  }
  return result;
}

unsigned number(const std::string &field) {
  return static_cast<unsigned>(std::stoul(field));
}

TEST(Measured, Occupancy) {
  unsigned count = 0;
  for (const auto &row : rows("occupancy.csv")) {
    if (row[0] == "cluster")
      continue;
    Footprint footprint;
    footprint.registersPerThread = number(row[0]);
    footprint.threadsPerBlock = number(row[1]);
    footprint.dynamicShared = number(row[2]);
    EXPECT_EQ(occupancy(h200().architecture, footprint).blocksPerSM,
              number(row[3]))
        << row[0] << " registers, " << row[1] << " threads, " << row[2]
        << " bytes";
    ++count;
  }
  EXPECT_EQ(count, 29575u);
}

TEST(Measured, OccupancyWithCarveout) {
  unsigned count = 0;
  for (const auto &row : rows("occupancy_carve.csv")) {
    Footprint footprint;
    footprint.registersPerThread = number(row[0]);
    footprint.threadsPerBlock = number(row[1]);
    footprint.dynamicShared = number(row[2]);
    footprint.carveoutPercent = std::stoi(row[3]);
    EXPECT_EQ(occupancy(h200().architecture, footprint).blocksPerSM,
              number(row[4]))
        << row[0] << " registers, " << row[1] << " threads, " << row[2]
        << " bytes, " << row[3] << " per cent";
    ++count;
  }
  EXPECT_EQ(count, 16422u);
}

TEST(Measured, Clusters) {
  unsigned count = 0;
  for (const auto &row : rows("occupancy.csv")) {
    if (row[0] != "cluster")
      continue;
    Footprint footprint;
    footprint.clusterSize = number(row[1]);
    footprint.registersPerThread = number(row[2]);
    footprint.threadsPerBlock = number(row[3]);
    footprint.dynamicShared = number(row[4]);
    const ClusterOccupancy clusters = clusterOccupancy(h200(), footprint);
    EXPECT_TRUE(clusters.isExact);
    EXPECT_EQ(clusters.clusters, number(row[5]))
        << "clusters of " << row[1] << ", " << row[2] << " registers, "
        << row[3] << " threads, " << row[4] << " bytes";
    ++count;
  }
  EXPECT_EQ(count, 320u);
}

// regs,static_smem,launch_bound,bx,by,bz,gx,gy,gz,dyn_smem,optin,cluster,
// nonportable,cooperative,result,result_chevron
TEST(Measured, Launches) {
  unsigned count = 0;
  for (const auto &row : rows("launch.csv")) {
    ASSERT_EQ(row.size(), 16u);
    LaunchRequest request;
    request.registersPerThread = number(row[0]);
    request.staticShared = number(row[1]);
    request.launchBound = number(row[2]);
    for (unsigned i = 0; i < 3; ++i) {
      request.block[i] = number(row[3 + i]);
      request.grid[i] = number(row[6 + i]);
    }
    request.dynamicShared = number(row[9]);
    request.optIn = std::optional<uint64_t>(number(row[10]));
    request.clusterSize = number(row[11]);
    request.nonPortableCluster = row[12] == "1";
    request.cooperative = row[13] == "1";
    std::string all;
    for (const std::string &field : row)
      all += field + ",";
    EXPECT_EQ(launchError(h200(), request), row[14]) << all;
    if (row[15] != "-") {
      EXPECT_EQ(launchError(h200(), request), row[15]) << all;
    }
    ++count;
  }
  EXPECT_EQ(count, 4000u);
}

} // namespace
