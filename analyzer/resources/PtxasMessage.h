// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The lines of ptxas and nvlink as words: what one says, and whether it is all
// there. Knows nothing of the lines around it.
//
// In:   Used 40 registers, used 1 barriers, 2048 bytes smem
// Out:  {Used, Whole, 40 registers, 1 barrier, 2048 bytes}
//
// The forms are those of CUDA 8 to 13. Older ptxas print no barriers and only
// up to sm_89 cmem; nvlink writes "used" and quotes names.

#ifndef CORESIDE_RESOURCES_PTXASMESSAGE_H
#define CORESIDE_RESOURCES_PTXASMESSAGE_H

#include "device/Architecture.h"

#include "llvm/ADT/StringRef.h"

#include <optional>

namespace coreside {

enum class MessageKind { Compiling, Properties, Spills, Used };

/// None: not such a message. Head: it ends before its end. Broken: it goes on
/// as another one.
enum class MessageShape { None, Head, Broken, Whole };

/// One message, as far as it could be read. Refers to the text it was read
/// from.
struct PtxasMessage {
  MessageKind kind = MessageKind::Compiling;
  MessageShape shape = MessageShape::None;
  /// Printed by nvlink, or by the linker inside the driver.
  bool linker = false;
  llvm::StringRef name;
  /// "sm_90a"; empty where the message has none.
  llvm::StringRef target;
  std::optional<unsigned> registers, barriers, shared, constant, stack;
  std::optional<unsigned> spillStores, spillLoads;
};

/// The message that `text`, without blanks at its end, is or begins.
PtxasMessage parsePtxasMessage(llvm::StringRef text);

/// True for ", 1024 bytes smem, 372 bytes cmem[0]", the end of a "Used" line
/// that was cut at or after its first comma.
bool isEndOfUsed(llvm::StringRef text);

/// "sm_90a" -> 9.0, "sm_120" -> 12.0.
std::optional<ComputeCapability> capabilityOf(llvm::StringRef target);

/// Where a tool's own words begin in a line.
struct ToolMarker {
  /// Of the tool's name; npos: there is none.
  size_t begin = llvm::StringRef::npos;
  /// Of what the tool says.
  size_t message = 0;
  enum Tool { Ptxas, Nvlink, NoTool } tool = NoTool;
  enum Severity { Info, Warning, Error } severity = Info;
};

/// The next "ptxas info    :", "nvlink error   :", "ptxas : info :" or, from
/// the driver's linker, "info    :" alone.
ToolMarker findToolMarker(llvm::StringRef line, size_t from);

/// StringRef::rtrim, but ten times as fast.
llvm::StringRef withoutEndBlanks(llvm::StringRef text);

/// True for lines worth a closer look; most of a build log is not. `pieces`:
/// also for those without a tool's name, spills and the ends of torn lines.
bool mayBePtxas(llvm::StringRef line, bool pieces);

} // namespace coreside

#endif
