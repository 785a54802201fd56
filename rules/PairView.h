// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pair of launches as rules look at it, and what every finding about a pair
// says: which two, where, on which streams and what is assumed of them.
//
// In:   an analysis.
// Out:  each judged pair with its steps and the names that tell the two apart:
//       "blur" and "edge", or "blur:10" and "blur:11" for one kernel.

#ifndef CORESIDE_RULES_PAIRVIEW_H
#define CORESIDE_RULES_PAIRVIEW_H

#include "Finding.h"
#include "analysis/Analysis.h"

#include <functional>
#include <string>

namespace coreside {

/// Refers to the analysis, which must outlive it.
struct PairView {
  PairView(const Analysis &analysis, unsigned trace, unsigned pair);

  const Analysis &analysis;
  const TraceFacts &facts;
  const Trace &trace;
  const PairFacts &judged;
  const LaunchPair &pair;
  const Step &first;
  const Step &second;
  std::string firstName;
  std::string secondName;
  /// Where to tell of the launches: where a function launches both, where it is
  /// called.
  SourcePlace firstPlace;
  SourcePlace secondPlace;

  bool mayOverlap() const {
    return pair.relation == LaunchPair::Relation::MayOverlap;
  }
  /// Turns of one launch in a loop.
  bool isOneLaunch() const;
  /// Whether the two may share some target GPU, or how they would is not known.
  bool couldShare() const;
  const LaunchFacts &firstOn(unsigned gpu) const {
    return facts.launch(gpu, pair.first);
  }
  const LaunchFacts &secondOn(unsigned gpu) const {
    return facts.launch(gpu, pair.second);
  }
};

/// Calls `visit` with every judged pair of the analysis, turns of one launch
/// left out.
void forEachPair(const Analysis &analysis,
                 const std::function<void(const PairView &)> &visit);

/// "on stream 's'", "in graph 'g'".
std::string whereOf(const Trace &trace, const Step &step);

/// "'blur' is launched here on stream 's'; nothing orders the two", with what
/// is assumed.
FindingNote firstLaunchNote(const PairView &view);

/// A finding at the second launch with the facts of both and no words yet.
Finding findingAt(const PairView &view);

/// What is known of target GPU number `gpu`, appended to the finding's facts.
GPUFact &addFact(Finding &finding, const PairView &view, unsigned gpu);

/// What the verdict means for the second launch.
Outcome outcomeOf(const PairOnGPU &pair);

/// For each call between the traced function and the launches, a note that
/// names it.
void addPaths(Finding &finding, const PairView &view);

} // namespace coreside

#endif
