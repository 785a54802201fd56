// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The table of products, one line each, and finding one by what people call it.
//
// In:   "NVIDIA GeForce RTX 4090 Laptop GPU", "4090-laptop", "rtx4090laptop".
// Out:  8.9, 76 SMs, all three times.
//
// Where the numbers come from: the SM count is the CUDA cores of NVIDIA's data
// sheet divided by the cores of one SM (64 for 6.0, 7.x and 8.0, else 128), or
// what deviceQuery printed; L2 and memory likewise. An L2 or a memory of 0 is
// not known here. The h200 is measured, with its cluster groups. The SMs of
// b200, gb200, b300 and gb300 stand in no data sheet but in what their owners
// published (docs/model.md).

#include "GPU.h"

#include <algorithm>
#include <cctype>

namespace coreside {

namespace {

struct Row {
  const char *name;
  /// As nvidia-smi prints it.
  const char *product;
  ComputeCapability capability;
  unsigned SMs;
  /// KiB; 0 where not known.
  unsigned l2;
  /// GiB as sold; 0 where sizes differ under one name.
  unsigned memory;
  /// Other names, separated by spaces, without dashes.
  const char *aliases;
};

constexpr unsigned MiB = 1024;

// The first line of a capability stands for it.
// clang-format off
const Row rows[] = {
    // Data centre, newest first.
    {"b200",        "NVIDIA B200",                 {10, 0}, 148, 129536,    0, "b200sxm b200sxm6"},
    {"gb200",       "NVIDIA GB200",                {10, 0}, 152, 0,         0, "gb200nvl72"},
    {"b300",        "NVIDIA B300 SXM6 AC",         {10, 3}, 148, 0,         0, "b300sxm b300sxm6"},
    {"gb300",       "NVIDIA GB300",                {10, 3}, 152, 0,         0, "gb300nvl72"},
    {"h100",        "NVIDIA H100 80GB HBM3",       { 9, 0}, 132, 50 * MiB, 80, "h100sxm h100sxm5 h100sxm580gb h100hbm3 h10080gb"},
    {"h100-pcie",   "NVIDIA H100 PCIe",            { 9, 0}, 114, 50 * MiB, 80, "h100pcie80gb"},
    {"h100-nvl",    "NVIDIA H100 NVL",             { 9, 0}, 132, 0,        94, "h100nvl94gb"},
    {"h800",        "NVIDIA H800",                 { 9, 0}, 132, 50 * MiB, 80, "h800sxm h800sxm5"},
    {"h800-pcie",   "NVIDIA H800 PCIe",            { 9, 0}, 114, 50 * MiB, 80, ""},
    {"h200",        "NVIDIA H200",                 { 9, 0}, 132, 60 * MiB, 141, "h200sxm h200sxm5 h200141gb"},
    {"h200-nvl",    "NVIDIA H200 NVL",             { 9, 0}, 132, 0,        141, ""},
    {"h20",         "NVIDIA H20",                  { 9, 0},  78, 0,        96, "h2096gb"},
    {"gh200",       "NVIDIA GH200 480GB",          { 9, 0}, 132, 60 * MiB,  0, "gh200120gb gh20096gb gh200144gb gracehopper"},
    {"a100",        "NVIDIA A100-SXM4-80GB",       { 8, 0}, 108, 40 * MiB, 80, "a100sxm a100sxm4 a10080gb a100sxm80gb"},
    {"a100-40gb",   "NVIDIA A100-SXM4-40GB",       { 8, 0}, 108, 40 * MiB, 40, "a100sxm40gb"},
    {"a100-pcie",   "NVIDIA A100 80GB PCIe",       { 8, 0}, 108, 40 * MiB, 80, "a100pcie80gb"},
    {"a100-pcie-40gb", "NVIDIA A100-PCIE-40GB",    { 8, 0}, 108, 40 * MiB, 40, ""},
    {"a800",        "NVIDIA A800-SXM4-80GB",       { 8, 0}, 108, 40 * MiB, 80, "a800sxm a800sxm4 a80080gb"},
    {"a800-pcie",   "NVIDIA A800 80GB PCIe",       { 8, 0}, 108, 40 * MiB, 80, "a800pcie80gb"},
    {"a800-40gb",   "NVIDIA A800 40GB Active",     { 8, 0}, 108, 40 * MiB, 40, ""},
    {"a30",         "NVIDIA A30",                  { 8, 0},  56, 24 * MiB, 24, ""},
    {"v100",        "Tesla V100-SXM2-16GB",        { 7, 0},  80,  6 * MiB, 16, "v100sxm2 v10016gb v100sxm"},
    {"v100-32gb",   "Tesla V100-SXM2-32GB",        { 7, 0},  80,  6 * MiB, 32, "v100sxm332gb"},
    {"v100-pcie",   "Tesla V100-PCIE-16GB",        { 7, 0},  80,  6 * MiB, 16, ""},
    {"v100-pcie-32gb", "Tesla V100-PCIE-32GB",     { 7, 0},  80,  6 * MiB, 32, ""},
    {"v100s",       "Tesla V100S-PCIE-32GB",       { 7, 0},  80,  6 * MiB, 32, "v100spcie"},
    {"p100",        "Tesla P100-PCIE-16GB",        { 6, 0},  56,  4 * MiB, 16, "p100pcie p100sxm2 p100sxm216gb p10016gb"},
    {"p100-12gb",   "Tesla P100-PCIE-12GB",        { 6, 0},  56,  3 * MiB, 12, ""},
    // Ampere 8.6: desktop, laptop, professional, data centre.
    {"rtx3090",     "NVIDIA GeForce RTX 3090",     { 8, 6},  82,  6 * MiB, 24, ""},
    {"rtx3090ti",   "NVIDIA GeForce RTX 3090 Ti",  { 8, 6},  84,  6 * MiB, 24, ""},
    {"rtx3080ti",   "NVIDIA GeForce RTX 3080 Ti",  { 8, 6},  80,  6 * MiB, 12, ""},
    {"rtx3080",     "NVIDIA GeForce RTX 3080",     { 8, 6},  68,  5 * MiB, 10, "rtx308010gb"},
    {"rtx3080-12gb", "NVIDIA GeForce RTX 3080 12GB", { 8, 6}, 70, 6 * MiB, 12, ""},
    {"rtx3070ti",   "NVIDIA GeForce RTX 3070 Ti",  { 8, 6},  48,  4 * MiB,  8, ""},
    {"rtx3070",     "NVIDIA GeForce RTX 3070",     { 8, 6},  46,  4 * MiB,  8, ""},
    {"rtx3060ti",   "NVIDIA GeForce RTX 3060 Ti",  { 8, 6},  38,  4 * MiB,  8, ""},
    {"rtx3060",     "NVIDIA GeForce RTX 3060",     { 8, 6},  28,  0,       12, "rtx306012gb"},
    {"rtx3050",     "NVIDIA GeForce RTX 3050",     { 8, 6},  20,  2 * MiB,  8, "rtx30508gb"},
    {"rtx3050-6gb", "NVIDIA GeForce RTX 3050 6GB", { 8, 6},  18,  0,        6, ""},
    {"rtx3080ti-laptop", "NVIDIA GeForce RTX 3080 Ti Laptop GPU", { 8, 6}, 58, 4 * MiB, 16, ""},
    {"rtx3080-laptop", "NVIDIA GeForce RTX 3080 Laptop GPU", { 8, 6}, 48, 4 * MiB, 0, ""},
    {"rtx3070ti-laptop", "NVIDIA GeForce RTX 3070 Ti Laptop GPU", { 8, 6}, 46, 4 * MiB, 8, ""},
    {"rtx3070-laptop", "NVIDIA GeForce RTX 3070 Laptop GPU", { 8, 6}, 40, 4 * MiB, 8, ""},
    {"rtx3060-laptop", "NVIDIA GeForce RTX 3060 Laptop GPU", { 8, 6}, 30, 3 * MiB, 6, ""},
    {"rtx3050ti-laptop", "NVIDIA GeForce RTX 3050 Ti Laptop GPU", { 8, 6}, 20, 2 * MiB, 4, "rtx3050ti"},
    {"rtx3050-laptop", "NVIDIA GeForce RTX 3050 Laptop GPU", { 8, 6}, 16, 2 * MiB, 4, ""},
    {"rtxa6000",    "NVIDIA RTX A6000",            { 8, 6},  84,  6 * MiB, 48, ""},
    {"rtxa5500",    "NVIDIA RTX A5500",            { 8, 6},  80,  6 * MiB, 24, ""},
    {"rtxa5000",    "NVIDIA RTX A5000",            { 8, 6},  64,  6 * MiB, 24, ""},
    {"rtxa4500",    "NVIDIA RTX A4500",            { 8, 6},  56,  0,       20, ""},
    {"rtxa4000",    "NVIDIA RTX A4000",            { 8, 6},  48,  4 * MiB, 16, ""},
    {"rtxa2000",    "NVIDIA RTX A2000",            { 8, 6},  26,  3 * MiB,  6, "rtxa20006gb"},
    {"rtxa2000-12gb", "NVIDIA RTX A2000 12GB",     { 8, 6},  26,  3 * MiB, 12, ""},
    {"a40",         "NVIDIA A40",                  { 8, 6},  84,  6 * MiB, 48, ""},
    {"a10",         "NVIDIA A10",                  { 8, 6},  72,  6 * MiB, 24, ""},
    {"a10g",        "NVIDIA A10G",                 { 8, 6},  80,  6 * MiB, 24, ""},
    {"a16",         "NVIDIA A16",                  { 8, 6},  10,  0,       16, ""},
    {"a2",          "NVIDIA A2",                   { 8, 6},  10,  2 * MiB, 16, ""},
    // Ada 8.9.
    {"rtx4090",     "NVIDIA GeForce RTX 4090",     { 8, 9}, 128, 72 * MiB, 24, ""},
    {"rtx4090d",    "NVIDIA GeForce RTX 4090 D",   { 8, 9}, 114, 72 * MiB, 24, ""},
    {"rtx4080super", "NVIDIA GeForce RTX 4080 SUPER", { 8, 9}, 80, 64 * MiB, 16, ""},
    {"rtx4080",     "NVIDIA GeForce RTX 4080",     { 8, 9},  76, 64 * MiB, 16, ""},
    {"rtx4070tisuper", "NVIDIA GeForce RTX 4070 Ti SUPER", { 8, 9}, 66, 48 * MiB, 16, ""},
    {"rtx4070ti",   "NVIDIA GeForce RTX 4070 Ti",  { 8, 9},  60, 48 * MiB, 12, ""},
    {"rtx4070super", "NVIDIA GeForce RTX 4070 SUPER", { 8, 9}, 56, 48 * MiB, 12, ""},
    {"rtx4070",     "NVIDIA GeForce RTX 4070",     { 8, 9},  46, 36 * MiB, 12, ""},
    {"rtx4060ti",   "NVIDIA GeForce RTX 4060 Ti",  { 8, 9},  34, 32 * MiB,  0, "rtx4060ti8gb rtx4060ti16gb"},
    {"rtx4060",     "NVIDIA GeForce RTX 4060",     { 8, 9},  24, 24 * MiB,  8, ""},
    {"rtx4090-laptop", "NVIDIA GeForce RTX 4090 Laptop GPU", { 8, 9}, 76, 64 * MiB, 16, ""},
    {"rtx4080-laptop", "NVIDIA GeForce RTX 4080 Laptop GPU", { 8, 9}, 58, 48 * MiB, 12, ""},
    {"rtx4070-laptop", "NVIDIA GeForce RTX 4070 Laptop GPU", { 8, 9}, 36, 32 * MiB,  8, ""},
    {"rtx4060-laptop", "NVIDIA GeForce RTX 4060 Laptop GPU", { 8, 9}, 24, 32 * MiB,  8, ""},
    {"rtx4050-laptop", "NVIDIA GeForce RTX 4050 Laptop GPU", { 8, 9}, 20, 0,         6, "rtx4050"},
    {"rtx6000ada",  "NVIDIA RTX 6000 Ada Generation", { 8, 9}, 142, 96 * MiB, 48, "6000ada"},
    {"rtx5000ada",  "NVIDIA RTX 5000 Ada Generation", { 8, 9}, 100, 0,        32, "5000ada"},
    {"rtx4500ada",  "NVIDIA RTX 4500 Ada Generation", { 8, 9},  60, 0,        24, "4500ada"},
    {"rtx4000ada",  "NVIDIA RTX 4000 Ada Generation", { 8, 9},  48, 0,        20, "4000ada"},
    {"rtx2000ada",  "NVIDIA RTX 2000 Ada Generation", { 8, 9},  22, 0,        16, "2000ada"},
    {"l40s",        "NVIDIA L40S",                 { 8, 9}, 142, 96 * MiB, 48, ""},
    {"l40",         "NVIDIA L40",                  { 8, 9}, 142, 96 * MiB, 48, ""},
    {"l20",         "NVIDIA L20",                  { 8, 9},  92, 0,        48, ""},
    {"l4",          "NVIDIA L4",                   { 8, 9},  58, 48 * MiB, 24, ""},
    // Blackwell 12.x.
    {"rtx5090",     "NVIDIA GeForce RTX 5090",     {12, 0}, 170, 96 * MiB, 32, ""},
    {"rtx5090d",    "NVIDIA GeForce RTX 5090 D",   {12, 0}, 170, 96 * MiB, 32, ""},
    {"rtx5080",     "NVIDIA GeForce RTX 5080",     {12, 0},  84, 64 * MiB, 16, ""},
    {"rtx5070ti",   "NVIDIA GeForce RTX 5070 Ti",  {12, 0},  70, 48 * MiB, 16, ""},
    {"rtx5070",     "NVIDIA GeForce RTX 5070",     {12, 0},  48, 48 * MiB, 12, ""},
    {"rtx5060ti",   "NVIDIA GeForce RTX 5060 Ti",  {12, 0},  36, 32 * MiB,  0, "rtx5060ti8gb rtx5060ti16gb"},
    {"rtx5060",     "NVIDIA GeForce RTX 5060",     {12, 0},  30, 0,         8, ""},
    {"rtx5050",     "NVIDIA GeForce RTX 5050",     {12, 0},  20, 0,         8, ""},
    {"rtx5090-laptop", "NVIDIA GeForce RTX 5090 Laptop GPU", {12, 0}, 82, 64 * MiB, 24, ""},
    {"rtx5080-laptop", "NVIDIA GeForce RTX 5080 Laptop GPU", {12, 0}, 60, 0, 16, ""},
    {"rtx5070ti-laptop", "NVIDIA GeForce RTX 5070 Ti Laptop GPU", {12, 0}, 46, 0, 12, ""},
    {"rtx5070-laptop", "NVIDIA GeForce RTX 5070 Laptop GPU", {12, 0}, 36, 0, 8, ""},
    {"rtx5060-laptop", "NVIDIA GeForce RTX 5060 Laptop GPU", {12, 0}, 26, 0, 8, ""},
    {"rtx5050-laptop", "NVIDIA GeForce RTX 5050 Laptop GPU", {12, 0}, 20, 0, 8, ""},
    {"rtxpro6000",  "NVIDIA RTX PRO 6000 Blackwell Workstation Edition", {12, 0}, 188, 128 * MiB, 96, "rtxpro6000blackwell pro6000 rtx6000blackwell"},
    {"rtxpro6000-max-q", "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition", {12, 0}, 188, 128 * MiB, 96, "rtxpro6000blackwellmaxq"},
    {"rtxpro6000-server", "NVIDIA RTX PRO 6000 Blackwell Server Edition", {12, 0}, 188, 128 * MiB, 96, ""},
    {"rtxpro5000",  "NVIDIA RTX PRO 5000 Blackwell", {12, 0}, 110, 0,        48, "pro5000"},
    {"rtxpro4500",  "NVIDIA RTX PRO 4500 Blackwell", {12, 0},  82, 0,        32, "pro4500"},
    {"rtxpro4000",  "NVIDIA RTX PRO 4000 Blackwell", {12, 0},  70, 0,        24, "pro4000"},
    {"gb10",        "NVIDIA GB10",                 {12, 1},  48, 24 * MiB, 128, "dgxspark spark"},
    // Turing 7.5.
    {"t4",          "Tesla T4",                    { 7, 5},  40,  4 * MiB, 16, "t4g"},
    {"titan-rtx",   "NVIDIA TITAN RTX",            { 7, 5},  72,  6 * MiB, 24, ""},
    {"rtx8000",     "Quadro RTX 8000",             { 7, 5},  72,  6 * MiB, 48, ""},
    {"rtx6000",     "Quadro RTX 6000",             { 7, 5},  72,  6 * MiB, 24, ""},
    {"rtx5000",     "Quadro RTX 5000",             { 7, 5},  48,  4 * MiB, 16, ""},
    {"rtx4000",     "Quadro RTX 4000",             { 7, 5},  36,  4 * MiB,  8, ""},
    {"rtx2080ti",   "NVIDIA GeForce RTX 2080 Ti",  { 7, 5},  68,  5632,    11, ""},
    {"rtx2080super", "NVIDIA GeForce RTX 2080 SUPER", { 7, 5}, 48, 4 * MiB, 8, ""},
    {"rtx2080",     "NVIDIA GeForce RTX 2080",     { 7, 5},  46,  4 * MiB,  8, "rtx2080laptop rtx2080maxq"},
    {"rtx2070super", "NVIDIA GeForce RTX 2070 SUPER", { 7, 5}, 40, 4 * MiB, 8, "rtx2070superlaptop rtx2070supermaxq"},
    {"rtx2070",     "NVIDIA GeForce RTX 2070",     { 7, 5},  36,  4 * MiB,  8, "rtx2070laptop rtx2070maxq"},
    {"rtx2060super", "NVIDIA GeForce RTX 2060 SUPER", { 7, 5}, 34, 4 * MiB, 8, ""},
    {"rtx2060",     "NVIDIA GeForce RTX 2060",     { 7, 5},  30,  3 * MiB,  6, "rtx2060laptop rtx2060maxq rtx20606gb"},
    {"gtx1660ti",   "NVIDIA GeForce GTX 1660 Ti",  { 7, 5},  24,  1536,     6, "gtx1660tilaptop gtx1660timaxq"},
    {"gtx1660super", "NVIDIA GeForce GTX 1660 SUPER", { 7, 5}, 22, 1536,    6, ""},
    {"gtx1660",     "NVIDIA GeForce GTX 1660",     { 7, 5},  22,  1536,     6, ""},
    {"gtx1650super", "NVIDIA GeForce GTX 1650 SUPER", { 7, 5}, 20, 1024,    4, ""},
    {"gtx1650",     "NVIDIA GeForce GTX 1650",     { 7, 5},  14,  1024,     4, ""},
    // Volta 7.0, desktop.
    {"titan-v",     "NVIDIA TITAN V",              { 7, 0},  80,  4608,    12, ""},
    // Pascal 6.1.
    {"gtx1080ti",   "NVIDIA GeForce GTX 1080 Ti",  { 6, 1},  28,  2816,    11, ""},
    {"gtx1080",     "NVIDIA GeForce GTX 1080",     { 6, 1},  20,  2 * MiB,  8, ""},
    {"gtx1070ti",   "NVIDIA GeForce GTX 1070 Ti",  { 6, 1},  19,  2 * MiB,  8, ""},
    {"gtx1070",     "NVIDIA GeForce GTX 1070",     { 6, 1},  15,  2 * MiB,  8, ""},
    {"gtx1060",     "NVIDIA GeForce GTX 1060 6GB", { 6, 1},  10,  1536,     6, ""},
    {"gtx1060-3gb", "NVIDIA GeForce GTX 1060 3GB", { 6, 1},   9,  1536,     3, ""},
    {"gtx1050ti",   "NVIDIA GeForce GTX 1050 Ti",  { 6, 1},   6,  1024,     4, ""},
    {"gtx1050",     "NVIDIA GeForce GTX 1050",     { 6, 1},   5,  0,        2, ""},
    {"titan-xp",    "NVIDIA TITAN Xp",             { 6, 1},  30,  3 * MiB, 12, ""},
    {"titan-x-pascal", "NVIDIA TITAN X (Pascal)",  { 6, 1},  28,  3 * MiB, 12, ""},
    {"p40",         "Tesla P40",                   { 6, 1},  30,  3 * MiB, 24, ""},
    {"p4",          "Tesla P4",                    { 6, 1},  20,  2 * MiB,  8, ""},
    // Maxwell.
    {"gtx980",      "NVIDIA GeForce GTX 980",      { 5, 2},  16,  2 * MiB,  4, ""},
    {"gtx980ti",    "NVIDIA GeForce GTX 980 Ti",   { 5, 2},  22,  3 * MiB,  6, ""},
    {"gtx970",      "NVIDIA GeForce GTX 970",      { 5, 2},  13,  0,        4, ""},
    {"titan-x-maxwell", "NVIDIA GeForce GTX TITAN X", { 5, 2}, 24, 3 * MiB, 12, "titanx"},
    {"m40",         "Tesla M40",                   { 5, 2},  24,  3 * MiB,  0, "m4012gb m4024gb"},
    {"m60",         "Tesla M60",                   { 5, 2},  16,  2 * MiB,  8, ""},
    {"gtx750ti",    "NVIDIA GeForce GTX 750 Ti",   { 5, 0},   5,  2 * MiB,  2, ""},
    // Jetson. "Orin", "Xavier" and "Thor" are also what the driver calls all of a family.
    {"orin",        "Jetson AGX Orin 64GB",        { 8, 7},  16,  4 * MiB, 64, "agxorin jetsonorin agxorin64gb jetsonagxorin"},
    {"orin-32gb",   "Jetson AGX Orin 32GB",        { 8, 7},  14,  4 * MiB, 32, "agxorin32gb"},
    {"orin-nx",     "Jetson Orin NX",              { 8, 7},   8,  0,        0, "orinnx8gb orinnx16gb"},
    {"orin-nano",   "Jetson Orin Nano 8GB",        { 8, 7},   8,  0,        8, "orinnanosuper orinnano8gb"},
    {"orin-nano-4gb", "Jetson Orin Nano 4GB",      { 8, 7},   4,  0,        4, ""},
    {"xavier",      "Jetson AGX Xavier",           { 7, 2},   8,  512,      0, "agxxavier jetsonxavier"},
    {"xavier-nx",   "Jetson Xavier NX",            { 7, 2},   6,  512,      0, ""},
    {"tx2",         "Jetson TX2",                  { 6, 2},   2,  512,      8, "nvidiategrax2 tegrax2"},
    {"tx1",         "Jetson TX1",                  { 5, 3},   2,  256,      4, "tegrax1"},
    {"jetson-nano", "Jetson Nano",                 { 5, 3},   1,  0,        4, "nano"},
    {"thor",        "Jetson AGX Thor T5000",       {11, 0},  20, 32 * MiB, 128, "agxthor jetsonthor t5000 nvidiathor"},
    {"thor-t4000",  "Jetson Thor T4000",           {11, 0},  12,  0,       64, "t4000"},
    // CUDA 12 calls Thor 10.1.
    {"thor-cuda12", "Jetson AGX Thor T5000, as CUDA 12 numbers it", {10, 1}, 20, 32 * MiB, 128, ""},
};
// clang-format on

/// Words that say nothing about which product it is.
constexpr std::string_view idleWords[] = {
    "nvidia", "geforce", "tesla",  "quadro", "jetson",
    "gpu",    "edition", "design", "with",   "generation"};

/// `name` in lower case, without idle words and without anything but letters
/// and digits: "rtx4090laptop".
std::string squeeze(std::string_view name) {
  std::string result, word;
  auto endWord = [&] {
    if (std::find(std::begin(idleWords), std::end(idleWords), word) ==
        std::end(idleWords))
      result += word;
    word.clear();
  };
  for (char c : name)
    if (std::isalnum(static_cast<unsigned char>(c)))
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    else
      endWord();
  endWord();
  return result;
}

/// Groups that explain all cluster rows of the H200 that was measured; another
/// H200 can have other SMs switched off (docs/model.md).
const std::vector<unsigned> h200ClusterGroups = {18, 18, 16, 16, 16, 16,
                                                 16, 8,  2,  2,  2,  2};

struct Catalogue {
  std::vector<GPU> products;
  /// Squeezed name and index of the product; a product's own name first.
  std::vector<std::pair<std::string, size_t>> names;
};

const Catalogue &catalogue() {
  static const Catalogue table = [] {
    Catalogue result;
    for (const Row &row : rows) {
      const size_t index = result.products.size();
      GPU gpu;
      gpu.name = row.name;
      gpu.product = row.product;
      gpu.architecture = *findArchitecture(row.capability);
      gpu.SMs = row.SMs;
      gpu.l2Bytes = uint64_t(row.l2) << 10;
      gpu.memoryBytes = uint64_t(row.memory) << 30;
      if (gpu.name == "h200")
        gpu.clusterGroups = h200ClusterGroups;
      result.products.push_back(gpu);
      result.names.push_back({squeeze(row.name), index});
      result.names.push_back({squeeze(row.product), index});
      for (std::string_view rest = row.aliases; !rest.empty();) {
        const size_t end = std::min(rest.find(' '), rest.size());
        result.names.push_back({std::string(rest.substr(0, end)), index});
        rest.remove_prefix(std::min(end + 1, rest.size()));
      }
    }
    return result;
  }();
  return table;
}

/// Letters to insert, drop or replace to make `a` of `b`.
size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = row[0];
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const size_t above = row[j];
      row[j] = std::min({row[j] + 1, row[j - 1] + 1,
                         diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

size_t commonPrefix(std::string_view a, std::string_view b) {
  return static_cast<size_t>(
      std::mismatch(a.begin(), a.end(), b.begin(), b.end()).first - a.begin());
}

} // namespace

std::span<const GPU> products() { return catalogue().products; }

const GPU *findGPU(std::string_view name) {
  const std::string wanted = squeeze(name);
  if (wanted.empty())
    return nullptr;
  // "4090" and "a6000" leave out the brand.
  for (std::string_view brand : {"", "rtx", "gtx"})
    for (const auto &[known, index] : catalogue().names)
      if (known.size() == brand.size() + wanted.size() &&
          known.starts_with(brand) && known.ends_with(wanted))
        return &catalogue().products[index];
  return nullptr;
}

std::string nearestGPUName(std::string_view name) {
  const std::string wanted = squeeze(name);
  // Longer than any product's name by so much that nothing is near.
  if (wanted.empty() || wanted.size() > 64)
    return {};
  const size_t nearEnough = std::max<size_t>(1, wanted.size() / 3);
  size_t bestDistance = nearEnough + 1, bestPrefix = 0;
  const GPU *best = nullptr;
  for (const auto &[known, index] : catalogue().names) {
    const size_t distance = editDistance(wanted, known);
    const size_t prefix = commonPrefix(wanted, known);
    if (distance < bestDistance ||
        (best && distance == bestDistance && prefix > bestPrefix)) {
      best = &catalogue().products[index];
      bestDistance = distance;
      bestPrefix = prefix;
    }
  }
  return best ? best->name : std::string();
}

const GPU *representativeGPU(ComputeCapability capability) {
  for (const GPU &gpu : products())
    if (gpu.architecture.capability == capability)
      return &gpu;
  return nullptr;
}

std::optional<GPU> withSMs(const GPU &gpu, unsigned SMs) {
  if (SMs == 0 || SMs > gpu.SMs)
    return std::nullopt;
  if (SMs == gpu.SMs)
    return gpu;
  GPU share = gpu;
  share.SMs = SMs;
  share.name += " with " + std::to_string(SMs) + " SMs";
  share.product +=
      ", " + std::to_string(SMs) + " of " + std::to_string(gpu.SMs) + " SMs";
  // Which SMs a share gets is not known, nor how much L2 and memory.
  share.clusterGroups.clear();
  share.l2Bytes = 0;
  share.memoryBytes = 0;
  return share;
}

} // namespace coreside
