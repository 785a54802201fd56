// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A run as JUnit's XML, which nearly every build server shows.
//
// In:   a report
// Out:  <testsuite><testcase classname="pair.cu" name="no-coresidency, 31:3">
//         <failure message="'edge' ..."/>...
//
// What fails by --fail-on is a failure, other findings are skipped tests, a
// file without any is a test that passed; a file that could not be read is an
// error.

#ifndef CORESIDE_WRITERS_WRITEJUNIT_H
#define CORESIDE_WRITERS_WRITEJUNIT_H

#include "Report.h"

#include "llvm/Support/raw_ostream.h"

namespace coreside {

void writeJUnit(const Report &report, llvm::raw_ostream &out);

/// `text` as XML has it, in quotes or not: without the characters that XML
/// forbids.
std::string xmlText(llvm::StringRef text);

} // namespace coreside

#endif
