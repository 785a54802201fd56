#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# In:   what lit printed, on standard input; its closing summary counts
#         Total Discovered Tests: 215
#           Unsupported: 3 (1.40%)
#           Passed : 212 (98.60%)
# Out:  one line, "212 passed, 0 failed, 3 skipped"; exit code 1 when a test
#       failed or none ran, so that an empty suite cannot pass for a good one.
#
# lit's report files leave out the GoogleTests that were skipped, or count what
# --filter excluded among them; its summary does neither.

import re
import sys

# lit's words. What was expected to fail and did is a pass; every word that is
# not listed here ("Unexpectedly Passed", "Timed Out") is a failure.
PASSED = {"Passed", "Passed With Retry", "Expectedly Failed"}
SKIPPED = {"Unsupported", "Skipped"}
NOT_CHOSEN = {"Excluded"}


def main():
    summary = sys.stdin.read().rpartition("Total Discovered Tests:")[2]
    passed = failed = skipped = 0
    for label, count in re.findall(r"^  ([A-Z][A-Za-z ]*?) *: +(\d+) \(", summary, re.MULTILINE):
        if label in PASSED:
            passed += int(count)
        elif label in SKIPPED:
            skipped += int(count)
        elif label not in NOT_CHOSEN:
            failed += int(count)
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


sys.exit(main())
