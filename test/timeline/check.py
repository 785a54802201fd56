#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Compares timelines with what a source file says about them.

In:   check.py CORESIDE FILE.cu [--prefix=EXPECT] [options of `check`] [-- flags]
Out:  what differs, and exit code 1; else how many situations were right

Each host function is a situation; the comments above it say what is expected:

    // EXPECT a b: ordered "event 'e'"      words of the reason, where it matters
    // EXPECT a b#2: may overlap, intended  the second launch of kernel b
    // EXPECT a c: none                     they are no pair
    // EXPECT cut "recursion"               something is left out, and said

Relations are 'may overlap', 'ordered', 'exclusive', 'unknown' and 'none'. Facts
that may follow: intended, incidental, firstUse, programmatic, queuedBehind,
sharesQueue, byDefaultStream, byHostCall, otherwiseOrderedBy, assuming "words"; 'no FACT'
says that it is not so.
"""

import json
import re
import subprocess
import sys


def read_expectations(path, prefix):
    """{function: [(line number, text)]}"""
    expected, pending = {}, []
    for number, line in enumerate(open(path), 1):
        comment = re.match(rf"\s*// {prefix} (.*)", line)
        if comment:
            pending.append((number, comment[1].strip()))
            continue
        # The function that the comments stand above.
        function = re.match(r"(?!\s*//)\s*[\w:<>*&]+\s[\w:<>\s*&]*?(\w+)\(", line)
        if function and pending:
            expected[function[1]] = pending
            pending = []
    return expected


def launches_of(trace):
    """{(kernel, which): step}, numbered in the order of steps."""
    steps = {}
    for pair in trace["pairs"]:
        for launch in (pair["first"], pair["second"]):
            steps[launch["step"]] = launch["kernel"] or "?"
    named, counts = {}, {}
    for step in sorted(steps):
        kernel = steps[step]
        counts[kernel] = counts.get(kernel, 0) + 1
        named[kernel, counts[kernel]] = step
    return named


def differs(text, trace):
    """What is wrong with `trace` by the expectation `text`; None: nothing."""
    cut = re.fullmatch(r'cut "(.*)"', text)
    if cut:
        if any(cut[1] in one for one in trace["cuts"]):
            return None
        return f"cuts are {trace['cuts']}"
    parsed = re.fullmatch(r"(\S+) (\S+): (may overlap|ordered|exclusive|unknown|none)(.*)", text)
    if not parsed:
        return "cannot be read"
    named, steps = launches_of(trace), []
    for name in parsed.group(1, 2):
        kernel, _, which = name.partition("#")
        steps.append(named.get((kernel, int(which or 1))))
    pairs = [p for p in trace["pairs"] if {p["first"]["step"], p["second"]["step"]} == set(steps)]
    relation, rest = parsed[3], parsed[4]
    if relation == "none":
        return f"it is '{pairs[0]['relation']}'" if pairs else None
    if not pairs:
        return "no such pair"
    pair = pairs[0]
    if pair["relation"] != relation:
        return f"it is '{pair['relation']}': {pair['why']}"
    facts = {key for key, value in pair.items() if value not in (False, None)}
    facts.add(pair.get("overlap", ""))
    for negated, fact, assumed, words in parts(rest):
        if words and words not in pair["why"]:
            return f"the reason is: {pair['why']}"
        if assumed and not any(assumed in one for one in pair.get("assumptions", [])):
            return f"assumptions are {pair.get('assumptions', [])}"
        if fact and (fact in facts) == bool(negated):
            return f"facts are {sorted(facts)}"
    return None


def parts(rest):
    """(no, fact, assumed words, words of the reason) for each part."""
    for match in re.finditer(r'assuming "([^"]*)"|"([^"]*)"|(no )?(\w+)', rest):
        yield match[3], match[4], match[1], match[2]


def main():
    coreside, path, *options = sys.argv[1:]
    prefix = "EXPECT"
    if options and options[0].startswith("--prefix="):
        prefix = options.pop(0).split("=")[1]
    flags = []
    if "--" in options:
        at = options.index("--")
        options, flags = options[:at], options[at + 1 :]
    command = [coreside, "check", path, "--gpu=h100", "--cuda-path=none", "--dump=timeline", *options, "--", *flags]
    run = subprocess.run(command, capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"{' '.join(command)}\n{run.stderr}")
    traces = {trace["function"].split("::")[-1]: trace for unit in json.loads(run.stdout) for trace in unit}

    expected, wrong = read_expectations(path, prefix), 0
    for function, texts in expected.items():
        trace = traces.get(function)
        for line, text in texts:
            problem = differs(text, trace) if trace else "the function has no timeline"
            if problem:
                wrong += 1
                print(f"{path}:{line}: {function}: expected {text}\n    {problem}")
    if not expected:
        sys.exit(f"{path}: nothing is expected of anything")
    print(f"{len(expected)} situations, {sum(map(len, expected.values()))} expectations, {wrong} wrong")
    sys.exit(1 if wrong else 0)


if __name__ == "__main__":
    main()
