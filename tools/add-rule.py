#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes every part of a new rule, with what is still to be written marked TODO;
# tools/check-rules.py, which is also a test, stays red until nothing is.
#
#   tools/add-rule.py slow-copy "a copy that keeps two kernels apart"
#
#   rules/SlowCopy.cpp         docs/rules/slow-copy.md   test/rules/slow-copy.cu
#   rules/Rules.def            one line more
#   rules/CMakeLists.txt       one source more
#
# Nothing is written when any part is there already.

import argparse
import pathlib
import re
import sys

SOURCE = """\
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// {name}: {summary}.
//
//   warning: TODO: the message, as it is printed
//
// TODO: when it stays quiet, and why.

#include "Rules.h"

#include <fmt/format.h>

using namespace coreside;

std::vector<Finding> coreside::find{identifier}(const Analysis &analysis) {{
  std::vector<Finding> findings;
  const Program &program = analysis.program;
  for (unsigned t = 0; t != analysis.traces.size(); ++t) {{
    const Trace &trace = program.traces[t];
    for (const PairFacts &facts : analysis.traces[t].pairs) {{
      const LaunchPair &pair = analysis.traces[t].timeline.pairs[facts.pair];
      const Step &first = trace.steps[pair.first];
      const Step &second = trace.steps[pair.second];
      // TODO: the condition. It must hold for every value still possible.
      if (facts.onGPU.empty() || first.kernel < 0 || second.kernel < 0)
        continue;
      Finding finding;
      finding.level = Level::{level};
      finding.place = second.place;
      finding.message = fmt::format("'{{}}' TODO: the message '{{}}'",
                                    program.kernels[second.kernel].name,
                                    program.kernels[first.kernel].name);
      finding.notes = {{
          {{first.place, "TODO: what this launch has to do with it"}}}};
      findings.push_back(std::move(finding));
    }}
  }}
  return findings;
}}
"""

DOC = """\
# {name}

Level: {level}.

## What it finds

TODO: {summary}.

## Why it matters

TODO: what it costs, and how that shows in a profile.

## Example

TODO: code and output; tools/check-docs.py runs blocks that begin with
`$ coreside`.

## What it cannot see

TODO: what makes it quiet where it should speak, or the other way round.

## How to fix

TODO: the changes that help, the smallest first.

## How to allow it

TODO: how to say in the code that it is meant. Else
`// coreside: allow {name}` on the line of the launch.
"""

TEST = """\
// {name}: finds, keeps quiet, and keeps quiet where too little is known.
//
// RUN: not %coreside check %s --gpu h100 --ptxas-log %s.log | FileCheck %s

// TODO: launches that it finds, launches that it does not, and the ptxas log.

// CHECK: {level}: TODO: the message [{name}]
"""


class Refusal(Exception):
    pass


def className(name):
    return "".join(word.capitalize() for word in name.split("-"))


def withRule(text, line):
    """Rules.def with `line` added at its end."""
    if not re.search(r"^RULE\(", text, re.MULTILINE):
        raise Refusal("rules/Rules.def: has no RULE(...) line to add to")
    return text.rstrip("\n") + "\n" + line


def withSource(text, source):
    """CMakeLists.txt with `source` among the library's sources, by alphabet."""
    match = re.search(r"(add_library\(coreside-rules\b[^\n]*\n)(.*?)(^\))", text, re.MULTILINE | re.DOTALL)
    if not match:
        raise Refusal("rules/CMakeLists.txt: has no add_library(coreside-rules ...) to add to")
    sources = match.group(2).splitlines(keepends=True)
    place = next((i for i, row in enumerate(sources) if row.strip() > source), len(sources))
    sources.insert(place, f"  {source}\n")
    return text[: match.start(2)] + "".join(sources) + text[match.end(2) :]


def addRule(root, name, summary, group, level):
    if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)+", name):
        raise Refusal(f"'{name}': a rule is named with two or more lower case words joined by dashes, slow-copy")
    if '"' in summary or "\\" in summary or not summary.strip():
        raise Refusal("the summary must be words without quotes and backslashes")
    identifier = className(name)
    listPath = root / "rules" / "Rules.def"
    cmakePath = root / "rules" / "CMakeLists.txt"
    facts = {"name": name, "identifier": identifier, "summary": summary, "level": level}
    source = {**facts, "level": "Warning" if level == "Preview" else level}
    new = {
        root / "rules" / f"{identifier}.cpp": SOURCE.format(**source),
        root / "docs" / "rules" / f"{name}.md": DOC.format(**{**facts, "level": level.lower()}),
        root / "test" / "rules" / f"{name}.cu": TEST.format(**{**facts, "level": level.lower()}),
    }
    for path in new:
        if path.exists():
            raise Refusal(f"{path.relative_to(root).as_posix()} exists already")
    try:
        listText = listPath.read_text(encoding="utf-8")
        cmakeText = cmakePath.read_text(encoding="utf-8")
    except OSError as error:
        raise Refusal(f"{error.filename}: {error.strerror}; give the source tree with --root")
    if f'"{name}"' in listText:
        raise Refusal(f"rules/Rules.def: '{name}' is there already")
    changed = {
        listPath: withRule(listText, f'RULE({identifier}, "{name}", {group}, {level},\n     "{summary}")\n'),
        cmakePath: withSource(cmakeText, f"{identifier}.cpp"),
    }
    for path, text in {**new, **changed}.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
        print(("made " if path in new else "changed ") + path.relative_to(root).as_posix())


def main():
    parser = argparse.ArgumentParser(description="makes every part of a new rule")
    parser.add_argument("name", help="as users write it: slow-copy")
    parser.add_argument("summary", help="what it finds, lower case, no full stop")
    parser.add_argument("--level", choices=["Preview", "Note", "Warning", "Error"], default="Warning", help="the highest level of its findings")
    parser.add_argument("--group", choices=["Launch", "Overlap", "Hang", "Bounds", "Memory"], default="Overlap", help="what it is about")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    arguments = parser.parse_args()
    try:
        addRule(arguments.root.resolve(), arguments.name, arguments.summary, arguments.group, arguments.level)
    except Refusal as refusal:
        print(f"add-rule: {refusal}", file=sys.stderr)
        return 1
    print("next: write what is marked TODO; 'tools/check-rules.py' lists it")
    return 0


sys.exit(main())
