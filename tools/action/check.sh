#!/bin/bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Second step of the GitHub action: finds out what to check, checks it, and tells
# the later steps.
#
# In:   CORESIDE_FILES, _CHANGED_ONLY, _TARGETS, _BUILD, _BASELINE, _FAIL_LEVEL,
#       _ARGUMENTS: the inputs of action.yml; GitHub's own variables
# Out:  annotations on standard output, the step summary; in GITHUB_OUTPUT
#       exit-code, sarif, summary, upload and category
#
# It exits with 0 if it got as far as that, so that the upload comes before the
# verdict, which is tools/action/result.sh.
#
# In a pull request, what is held against each other are the base and what is
# checked out, which is the merge of both unless the workflow says otherwise.
# Checked are the CUDA sources that changed and those that include a header that
# did; all of them where settings or the build changed.

set -euo pipefail

out=${RUNNER_TEMP:-${TMPDIR:-/tmp}}/coreside-output
mkdir -p "$out"
rm -f "$out/coreside.sarif" "$out/summary.md"

tell() {
  echo "$1=$2" >>"${GITHUB_OUTPUT:-/dev/null}"
}

notice() {
  echo "::notice title=coreside::$*"
}

# Ends the step without a run of coreside.
leave() {
  printf '### coreside\n\n%s\n' "$1" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
  tell exit-code "$2"
  tell upload false
  exit 0
}

# The lines of $1 in the array `lines`, without empty ones.
splitLines() {
  lines=()
  local line
  while IFS= read -r line; do
    line=${line%$'\r'}
    [ -z "$line" ] || lines+=("$line")
  done <<<"$1"
}

# Reads names with a zero behind each into the array `names`.
readNames() {
  names=()
  local name
  while IFS= read -r -d '' name; do
    names+=("$name")
  done
}

# git without the hooks and helpers that a repository's configuration may name.
quietGit() {
  git -c core.fsmonitor=false -c core.hooksPath=/dev/null -c core.quotePath=false "$@"
}

# A value of the event's JSON: eventValue pull_request base sha
eventValue() {
  [ -f "${GITHUB_EVENT_PATH:-}" ] || return 0
  python3 - "$GITHUB_EVENT_PATH" "$@" <<'END' || true
import json, sys
value = json.load(open(sys.argv[1], encoding="utf-8"))
for name in sys.argv[2:]:
    value = value.get(name) if isinstance(value, dict) else None
print(value if isinstance(value, str) else "")
END
}

hasCommit() {
  quietGit cat-file -e "$1^{commit}" 2>/dev/null
}

# The revision to hold against, in `base`; empty where there is none to be had.
findBase() {
  base=
  # A merge's first parent is the base as it was merged. A clone of one commit
  # does not have it.
  if hasCommit HEAD^2; then
    base=$(quietGit rev-parse HEAD^1)
    return
  fi
  local sha
  sha=$(eventValue pull_request base sha)
  [[ $sha =~ ^[0-9a-f]{40}([0-9a-f]{24})?$ ]] || return 0
  if ! hasCommit "$sha"; then
    echo "fetching $sha, the base of the pull request"
    quietGit fetch --quiet --no-tags --no-recurse-submodules --depth=1 origin "$sha" 2>&1 || return 0
  fi
  # Of a branch that is not merged only what came since it left the base counts.
  # Without that much history it is held against the base.
  base=$(quietGit merge-base "$sha" HEAD 2>/dev/null || echo "$sha")
}

splitLines "${CORESIDE_FILES:-*.cu}"
patterns=("${lines[@]}")

isRepository=no
if command -v git >/dev/null && quietGit rev-parse --git-dir >/dev/null 2>&1; then
  isRepository=yes
fi

# All that could be checked.
if [ $isRepository = yes ]; then
  readNames < <(quietGit ls-files -z -- "${patterns[@]}")
else
  notice "no git repository here: all files are checked"
  readNames < <(for pattern in "${patterns[@]}"; do find . -path "./$pattern" -type f -print0; done | sort -zu)
fi
files=()
for name in ${names[@]+"${names[@]}"}; do
  [ -f "$name" ] && files+=("$name")
done
[ ${#files[@]} -gt 0 ] || leave "No file fits \`files\`." 0

difference=()
category=coreside
isPullRequest=no
case ${GITHUB_EVENT_NAME:-} in pull_request*) isPullRequest=yes ;; esac
if [ $isPullRequest = yes ] && [ "${CORESIDE_CHANGED_ONLY:-true}" = true ] && [ $isRepository = yes ]; then
  findBase
  if [ -z "$base" ]; then
    notice "the base of the pull request cannot be had: all files are checked, and all that is found is reported"
  else
    # What a pull request brings is not to be held against all that the base has.
    category=coreside-pull-request
    difference=("--diff=$base")
    readNames < <(quietGit diff-tree -r -z --no-renames --name-only "$base" HEAD)
    changed=()
    all=no
    for name in ${names[@]+"${names[@]}"}; do
      case $name in
      *.cu)
        for file in "${files[@]}"; do
          [ "$file" != "$name" ] || changed+=("$name")
        done
        ;;
      # Also one that is gone: what included it may be another unit now.
      *.cuh | *.h | *.hh | *.hpp | *.hxx | *.inc | *.inl | *.def | *.ipp | *.tpp) changed+=("$name") ;;
      # Settings and flags are those of any file.
      .coreside | */.coreside | CMakeLists.txt | */CMakeLists.txt | *.cmake) all=yes ;;
      esac
    done
    if [ $all = no ]; then
      [ ${#changed[@]} -gt 0 ] || leave "This change concerns no CUDA source." 0
      files=("${changed[@]}")
      difference+=(--staged)
    fi
  fi
fi

words=()
[ -z "${CORESIDE_TARGETS:-}" ] || words+=("--gpu=$CORESIDE_TARGETS")
[ -z "${CORESIDE_BUILD:-}" ] || words+=(-p "$CORESIDE_BUILD")
[ -z "${CORESIDE_BASELINE:-}" ] || words+=("--baseline=$CORESIDE_BASELINE")
case ${CORESIDE_FAIL_LEVEL:-warning} in
none) ;;
note | warning | error) words+=("--fail-on=${CORESIDE_FAIL_LEVEL:-warning}") ;;
*)
  echo "::error title=coreside::fail-level is note, warning, error or none, not '$CORESIDE_FAIL_LEVEL'"
  leave "\`fail-level\` is wrong." 2
  ;;
esac
splitLines "${CORESIDE_ARGUMENTS:-}"
# Names may begin with a '-'.
named=()
for file in "${files[@]}"; do
  named+=("./${file#./}")
done

code=0
coreside check "${named[@]}" ${words[@]+"${words[@]}"} ${difference[@]+"${difference[@]}"} \
  --format=github --format="sarif:$out/coreside.sarif" --format="markdown:$out/summary.md" \
  ${lines[@]+"${lines[@]}"} || code=$?

if [ "$code" = 0 ] && [ ! -f "$out/summary.md" ]; then
  leave "This change concerns no CUDA source." 0
fi
if [ -f "$out/summary.md" ]; then
  cat "$out/summary.md" >>"${GITHUB_STEP_SUMMARY:-/dev/null}"
fi
tell exit-code "$code"
tell summary "$out/summary.md"
tell category "$category"
# What could not be read has no results, and alerts without results are closed.
upload=false
if [ "$code" -le 1 ] && [ -f "$out/coreside.sarif" ]; then
  tell sarif "$out/coreside.sarif"
  if python3 -c '
import json, sys
runs = json.load(open(sys.argv[1], encoding="utf-8"))["runs"]
said = [one for run in runs for invocation in run["invocations"] for one in invocation["toolExecutionNotifications"]]
sys.exit(any(one["level"] == "error" for one in said))' "$out/coreside.sarif"; then
    upload=true
  else
    notice "some files could not be read: nothing is uploaded, their alerts would be closed"
  fi
fi
tell upload $upload
