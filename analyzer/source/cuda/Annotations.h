// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Read after CUDA's headers (or Declarations.h), before the user's file. It
// turns attributes that clang ignores on the host side into annotations that
// the AST keeps:
//
//   __launch_bounds__(256, 2, 4)
//     -> __attribute__((annotate("coreside.launch_bounds", 256, 2, 4)))

#pragma once

#undef __launch_bounds__
#define __launch_bounds__(...)                                                 \
  __attribute__((annotate("coreside.launch_bounds", __VA_ARGS__)))
#undef __maxnreg__
#define __maxnreg__(...)                                                       \
  __attribute__((annotate("coreside.maxnreg", __VA_ARGS__)))
#undef __cluster_dims__
#define __cluster_dims__(...)                                                  \
  __attribute__((annotate("coreside.cluster_dims", __VA_ARGS__)))

// Kernels may store to it at any time.
#undef __managed__
#define __managed__ __attribute__((annotate("coreside.managed")))

// __block_size__((x, y, z), (cx, cy, cz)): the first tuple is the block.
#undef __block_size__
#define CORESIDE_TUPLE(...) __VA_ARGS__
#define CORESIDE_FIRST(first, ...) CORESIDE_TUPLE first
#define __block_size__(...)                                                    \
  __attribute__((                                                              \
      annotate("coreside.block_size", CORESIDE_FIRST(__VA_ARGS__, ()))))
