// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The part of cooperative_groups that kernels commonly use, declared for
// parsing only, where no toolkit is installed. As Declarations.h.

#pragma once
#include <Declarations.h>
#pragma clang system_header

namespace cooperative_groups {

template <class Self> struct thread_group_base {
  __device__ unsigned long long size() const;
  __device__ unsigned long long num_threads() const;
  __device__ unsigned long long thread_rank() const;
  __device__ void sync() const;
};

struct thread_group : thread_group_base<thread_group> {};

struct thread_block : thread_group_base<thread_block> {
  __device__ static void sync();
  __device__ static dim3 group_index();
  __device__ static dim3 thread_index();
  __device__ static dim3 group_dim();
  __device__ static dim3 dim_threads();
};

struct cluster_group : thread_group_base<cluster_group> {
  __device__ static void sync();
  __device__ static unsigned block_rank();
  __device__ static unsigned num_blocks();
  template <class T> __device__ static T *map_shared_rank(T *, int);
};

struct grid_group : thread_group_base<grid_group> {
  __device__ bool is_valid() const;
  __device__ void sync() const;
  __device__ unsigned long long size() const;
  __device__ unsigned long long num_threads() const;
  __device__ unsigned long long num_blocks() const;
  __device__ unsigned long long thread_rank() const;
  __device__ unsigned long long block_rank() const;
  __device__ dim3 block_index() const;
  __device__ dim3 group_dim() const;
  __device__ dim3 dim_blocks() const;
};

struct multi_grid_group : thread_group_base<multi_grid_group> {
  __device__ bool is_valid() const;
  __device__ void sync() const;
  __device__ unsigned grid_rank() const;
  __device__ unsigned num_grids() const;
};

struct coalesced_group : thread_group_base<coalesced_group> {
  __device__ void sync() const;
  template <class T> __device__ T shfl(T, unsigned) const;
};

template <unsigned Size, class Parent = void>
struct thread_block_tile
    : thread_group_base<thread_block_tile<Size, Parent>> {
  thread_block_tile() = default;
  // One whose parent is told is one of those where it is not.
  template <class Other>
  __device__ thread_block_tile(const thread_block_tile<Size, Other> &);
  __device__ void sync() const;
  __device__ unsigned meta_group_rank() const;
  __device__ unsigned meta_group_size() const;
  template <class T> __device__ T shfl(T, int) const;
  template <class T> __device__ T shfl_down(T, unsigned) const;
  template <class T> __device__ T shfl_up(T, unsigned) const;
  template <class T> __device__ T shfl_xor(T, unsigned) const;
  __device__ int any(int) const;
  __device__ int all(int) const;
  __device__ unsigned ballot(int) const;
};

__device__ thread_block this_thread_block();
__device__ grid_group this_grid();
__device__ multi_grid_group this_multi_grid();
__device__ cluster_group this_cluster();
__device__ coalesced_group coalesced_threads();
template <unsigned Size, class Group>
__device__ thread_block_tile<Size, Group> tiled_partition(const Group &);
template <class Group>
__device__ thread_group tiled_partition(const Group &, unsigned);
template <class Group> __device__ void sync(const Group &);

} // namespace cooperative_groups
