// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// coreside simulate: plays a program of kernels, streams and events on a GPU.
//
//   h200 (NVIDIA H200, sm_90, 132 SMs), 8 ways to run
//
//     kernel  stream  blocks      starts        ends   SMs
//     A       s          528       0.0 us   400.5 us   132
//     B       t           33       5.0 us   105.4 us    33
//
//     pair    together                   on one SM        B beside A
//     A B     always, 100.4 us           never            partly, registers

#ifndef CORESIDE_TOOLS_SIMULATECOMMAND_H
#define CORESIDE_TOOLS_SIMULATECOMMAND_H

#include "llvm/Support/raw_ostream.h"

#include <string>

namespace coreside {

struct SimulateOptions {
  /// A file as ReadDeviceProgram.h tells; "-" is the standard input.
  std::string program;
  /// As --gpu takes them; must not be empty.
  std::string gpus;
  unsigned SMs = 0;
  /// How many ways to run are tried, 1 to 1,000.
  unsigned runs = 8;
  bool json = false;
  /// Where to write a trace for Perfetto or chrome://tracing; empty for none.
  /// Needs one GPU, as does `svg`.
  std::string trace;
  /// Where to write a picture of the SMs over time; empty for none.
  std::string svg;
};

/// Prints the table (or a JSON array, an object per GPU) to `out`; 0, or 2 and
/// a line on `errors`.
int runSimulate(const SimulateOptions &options, llvm::raw_ostream &out,
                llvm::raw_ostream &errors);

} // namespace coreside

#endif
