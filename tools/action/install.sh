#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# First step of the GitHub action: installs the wheel where later steps find it.
#
# In:   CORESIDE_VERSION or CORESIDE_WHEEL, both may be empty; RUNNER_TEMP,
#       GITHUB_PATH
# Out:  $RUNNER_TEMP/coreside/bin at the front of PATH of later steps

set -euo pipefail

fail() {
  echo "::error title=coreside::$*"
  exit 2
}

folder=${RUNNER_TEMP:-${TMPDIR:-/tmp}}/coreside
package=coreside${CORESIDE_VERSION:+==$CORESIDE_VERSION}
if [ -n "${CORESIDE_WHEEL:-}" ]; then
  package=$CORESIDE_WHEEL
fi
# A word that begins with '-' would be an option.
case $package in -*) fail "'$package' is no wheel" ;; esac

python=$(command -v python3 || command -v python) || fail "there is no Python; actions/setup-python installs one"
"$python" -m venv "$folder" || fail "Python makes no virtual environment; on Debian python3-venv is missing"
"$folder/bin/python" -m pip --quiet --disable-pip-version-check install --only-binary :all: "$package" ||
  fail "'$package' cannot be installed"
"$folder/bin/coreside" --version
echo "$folder/bin" >>"${GITHUB_PATH:-/dev/null}"
