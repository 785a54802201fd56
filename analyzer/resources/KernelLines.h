// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whose is this line? Puts the messages of ptxas and nvlink together to
// kernels.
//
// In:   Compiling A, Compiling B, Properties A, Spills, Used
// Out:  A has the numbers; B goes on waiting
//
// A "Used" line does not name its kernel, and several compilers may write to
// one pipe. Each prints the lines of a kernel in the order above, so the line
// can belong only to a kernel that has had all that comes before it. If that
// is one kernel, it gets the numbers. If it is several, all of them are
// dropped, and as many lines more as they still have to come belong to nobody.

#ifndef CORESIDE_RESOURCES_KERNELLINES_H
#define CORESIDE_RESOURCES_KERNELLINES_H

#include "PtxasLog.h"
#include "PtxasMessage.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringMap.h"

#include <deque>
#include <vector>

namespace coreside {

/// The kernels of one log, open and done.
class KernelLines {
public:
  explicit KernelLines(LogOptions options) : Options(options) {}

  /// Another file begins: nothing that was open goes on.
  void beginFile(llvm::StringRef name);

  /// Where the next calls come from. `stream` tells apart what a tool has kept
  /// apart (MSBuild's project number); empty for all the rest.
  void at(size_t line, llvm::StringRef stream);

  /// A whole message. `begun`: addTorn was told of its beginning.
  void add(const PtxasMessage &message, bool begun = false);
  /// A message of this kind came, and what it said cannot be read.
  void addTorn(MessageKind kind, bool linker);
  /// A piece of a line came of which not even that is known.
  void addTorn();
  /// The end of a "Used" line came by itself: a line shortly before was shorter
  /// than it should have been, and it is not known which.
  void addEndOfUsed();
  /// "0 bytes gmem": a compiler or linker begins a file.
  void beginSection(bool linker);
  /// "Entry function '_Z4blurPf' uses too much shared data ...".
  void addError(llvm::StringRef text, bool linker);

  /// For telling a wrapped line from a whole one: a kernel whose properties are
  /// awaited has this name; has a longer one that begins with it.
  bool awaitsProperties(llvm::StringRef name) const;
  bool awaitsLonger(llvm::StringRef name) const;
  bool awaitsSpills() const;
  /// A kernel, of a compiler or a linker, has lines to come.
  bool anyOpen() const;

  LogReading finish();

private:
  /// A kernel, or another function, whose lines have begun and not ended.
  struct Open {
    std::string name;
    std::string target;
    size_t line = 0;
    bool entry = true;
    enum {
      AwaitsProperties,
      AwaitsSpills,
      AwaitsUsed
    } state = AwaitsProperties;
    /// A line that may have been its own could not be read or told apart.
    bool uncertain = false;
    std::optional<unsigned> stack, spillStores, spillLoads;
  };

  /// The output of one tool, or of several that share a pipe.
  struct Stream {
    std::vector<Open> open;
    /// Lines still to come of kernels that were given up.
    unsigned strayUsed = 0, straySpills = 0;
    /// "Compiling" lines of which only the beginning was readable.
    unsigned tornCompiling = 0;
    /// Kernels in a row whose lines stood together undisturbed.
    unsigned undisturbed = 0;
    /// Since the last "bytes gmem" line, which begins a file's output.
    bool sawEntry = false, relocatable = false;
    size_t firstRecord = 0;
    /// The record that callees printed next belong to.
    std::optional<size_t> last;
  };

  /// A linker's record before it is known what it is for.
  struct Linked {
    KernelResources record;
    size_t line;
  };

  /// A record of the last few lines.
  struct Recent {
    size_t line;
    size_t place;
    bool linker;
    /// Its lines stood together.
    bool together;
  };

  Stream &stream(bool linker);
  const Stream *compilers() const;
  std::string where(size_t line) const;
  void note(size_t line, const llvm::Twine &text);
  void noteDropped(const Open &kernel, llvm::StringRef why);
  void push(Stream &now, Open kernel);
  void followOrder(const PtxasMessage &message);
  void compiling(const PtxasMessage &message);
  void properties(const PtxasMessage &message);
  void spills(const PtxasMessage &message);
  void used(const PtxasMessage &message);
  void close(Stream &now, const Open &function);
  void emit(Stream &now, const Open &kernel, const PtxasMessage &message);
  void setRelocatable(Stream &now);
  void dropRecent(llvm::function_ref<bool(const Recent &)> suspect);
  void dropSuspects();
  void endFile();
  void removeDropped();
  void settleLinked();

  LogOptions Options;
  LogReading Reading;
  std::string File;
  size_t Line = 0;
  std::string StreamName;
  // Compilers and linkers have nothing to do with one another.
  llvm::StringMap<Stream> Compilers, Linkers;
  std::vector<Linked> LinkedRecords;
  std::deque<Recent> RecentRecords;
  std::vector<size_t> Dropped, DroppedLinked;
  /// Kernels that ptxas refused, with the shared memory that it named, if any.
  llvm::StringMap<std::optional<unsigned>> Refused;
  size_t NotesLeftOut = 0;
  bool SawProperties = false, SawSpills = false, SawNoBarriers = false;
  bool Torn = false;
  // Since the log was last in order: torn pieces, and the first record.
  unsigned TornPieces = 0;
  size_t FirstSuspect = 0;
  size_t FirstOfFile = 0;
  // Of the kernel whose lines may stand together: the last line, and how many.
  size_t LastLine = 0;
  unsigned LinesInOrder = 0;
};

} // namespace coreside

#endif
