// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program for `coreside simulate`, from JSON.
//
// In:   {"streams": [{"name": "s"}, {"name": "t", "priority": -5}],
//        "kernels": [{"name": "A", "stream": "s", "blocks": 528,
//                     "threads": 256, "registers": 64, "microseconds": 400},
//                    {"name": "B", "stream": "t", "blocks": 33,
//                     "threads": 128, "awaits": ["A"]}]}
// Out:  the program, or one line: "p.json: kernels[1].threads is 0; ...".
//
// Fields of a kernel: name, stream, blocks, threads, registers, shared,
// staticShared, barriers, carveout, cluster, microseconds, awaits (kernels, or
// events that kernels record), hostAwaits (the same, by the host), records (an
// event). Of a stream: name, priority, blocking, legacyDefault. Of the whole:
// kernels, streams, hardwareQueues. Streams that are not listed are
// non-blocking, in the order in which kernels name them, where no list is
// given.

#ifndef CORESIDE_TOOLS_READDEVICEPROGRAM_H
#define CORESIDE_TOOLS_READDEVICEPROGRAM_H

#include "device/DeviceProgram.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace coreside {

/// The program in the file at `path`. What a GPU has to say about it is left to
/// checkProgram.
llvm::Expected<DeviceProgram> readDeviceProgram(llvm::StringRef path);

/// The same for text that is in memory; `file` is its name in errors.
llvm::Expected<DeviceProgram> parseDeviceProgram(llvm::StringRef text,
                                                 llvm::StringRef file);

} // namespace coreside

#endif
