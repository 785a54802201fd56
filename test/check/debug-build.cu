// Numbers belong to a configuration: what launches as it is compiled for release
// does not with -G.
//
// REQUIRES: nvcc
// RUN: %coreside check %s --gpu h100 -- 2>/dev/null | FileCheck %s --check-prefix=RELEASE --allow-empty
// RUN: not %coreside check %s --gpu h100 -- -G 2>/dev/null | FileCheck %s
// RELEASE-NOT: error
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

__global__ void norms(const float *rows, float *out, int width) {
  auto tile = cg::tiled_partition<32>(cg::this_thread_block());
  const float *row = rows + width * (blockIdx.x * 32 + tile.meta_group_rank());
  float top = row[tile.thread_rank()], sum = 0;
  for (int i = tile.thread_rank(); i < width; i += 32)
    top = fmaxf(top, row[i]);
  top = cg::reduce(tile, top, cg::greater<float>());
  for (int i = tile.thread_rank(); i < width; i += 32)
    sum += expf(row[i] - top);
  out[blockIdx.x * 32 + tile.meta_group_rank()] = cg::reduce(tile, sum, cg::plus<float>());
}
void run(const float *rows, float *out) {
  norms<<<4, 1024>>>(rows, out, 500);
}
// CHECK: debug-build.cu:[[#@LINE-2]]:3: error: launch of 'norms' fails on h100: a block of 1,024 threads takes more registers
