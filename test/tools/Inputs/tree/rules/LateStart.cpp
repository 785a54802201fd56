// late-start: a kernel that starts late.
#include "Rules.h"
std::vector<Finding> coreside::findLateStart(const Analysis &analysis) {
  // "words in a comment" are no diagnostic
  return describe("'{}' starts too late for"
                  " its partner '{}'");
}
