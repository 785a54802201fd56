#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Last step of the GitHub action: the verdict, once all is shown and uploaded.
#
# In:   CORESIDE_EXIT_CODE, that of 'coreside check'; CORESIDE_FAIL_LEVEL
# Out:  that exit code, or 0 where findings are not to fail

set -euo pipefail

case ${CORESIDE_EXIT_CODE:-} in
0) ;;
1)
  [ "${CORESIDE_FAIL_LEVEL:-warning}" != none ] || exit 0
  echo "coreside found something of the level '${CORESIDE_FAIL_LEVEL:-warning}' or above"
  exit 1
  ;;
*)
  echo "::error title=coreside::nothing could be analysed; the log of the step before says why"
  exit 2
  ;;
esac
