// What the standard library does to the elements of a container.
//
// RUN: %coreside check %s --cuda-path=none --gpu h100 --dump=program -- | FileCheck %s

#include <algorithm>
#include <numeric>
#include <vector>

__global__ void work(int) {}

void elements(int n) {
  std::vector<int> sizes(4, 64);
  work<<<std::accumulate(sizes.begin(), sizes.end(), 0) ? 1 : 2, sizes[1]>>>(0);
  // CHECK: "block": [
  // CHECK-NEXT: 64,
  sizes.assign(5, 96);
  work<<<sizes.size(), sizes[1]>>>(0);
  // CHECK: "block": [
  // CHECK-NEXT: 96,
  // CHECK: "grid": [
  // CHECK-NEXT: 5,
  std::fill(sizes.begin(), sizes.end(), n);
  work<<<sizes.size(), sizes[1]>>>(0);
  // CHECK: "block": [
  // CHECK-NEXT: "sizes[1]",
  // CHECK: "grid": [
  // CHECK-NEXT: 5,
  sizes.resize(2);
  sizes.resize(4, 128);
  work<<<sizes.size(), sizes[3]>>>(0);
  // CHECK: "block": [
  // CHECK-NEXT: 128,
  // CHECK: "grid": [
  // CHECK-NEXT: 4,
  sizes.clear();
  sizes.resize(2);
  sizes.push_back(32);
  work<<<sizes.size(), sizes[2], sizes[1]>>>(0);
  // CHECK: "block": [
  // CHECK-NEXT: 32,
  // CHECK: "dynamicShared": 0
  // CHECK: "grid": [
  // CHECK-NEXT: 3,
}
