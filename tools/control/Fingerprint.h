// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A name for a finding that stays when lines move.
//
// In:   tail-overlap-only of 'blur' and 'edges' at pipeline.cu:121
// Out:  "9f0c1d2e3a4b5c6d"
//
// Made of the rule, the kernels, the file's name without its folders, the
// statement's tokens, and a number among findings that are alike in all that.
// A change of the statement makes another finding of it; a change of other
// lines, of spaces or comments, or of the GPUs does not.

#ifndef CORESIDE_CONTROL_FINGERPRINT_H
#define CORESIDE_CONTROL_FINGERPRINT_H

#include "Allows.h"
#include "rules/Finding.h"

namespace coreside {

/// Sets the fingerprint of each of `findings`, which are all of a run, in
/// order. One that is set stays: where some findings were taken away the others
/// keep their numbers.
void setFingerprints(std::vector<Finding> &findings, TokenizedFiles &files);

} // namespace coreside

#endif
