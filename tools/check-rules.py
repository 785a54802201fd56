#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# A rule is found under one name everywhere, or this says where it is not.
#
# In:   a source tree (--root, by default the one this file lies in).
# Out:  nothing and 0, or one line for each thing missing and 1:
#         rules/Rules.def:12: 'slow-copy' has no docs/rules/slow-copy.md
#
# For RULE(SlowCopy, "slow-copy", ...) in rules/Rules.def there must be
#   rules/SlowCopy.cpp          defines findSlowCopy, opens with "// slow-copy:",
#                               and stands in rules/CMakeLists.txt
#   docs/rules/slow-copy.md     all headings in order, none of them empty
#   test/rules/slow-copy*.cu    at least one with "[slow-copy]" in a CHECK line
# and nothing of the kind without a line in the list.
#
# Last, every diagnostic has a test: each text that rules/ can print, and each
# error and remark of the rest, is looked for in the CHECK lines and unit tests.
# Where none can be made to appear in a test, the comment "// No test: REASON."
# stands right above the statement.

import argparse
import pathlib
import re
import sys

HEADINGS = [
    "What it finds",
    "Why it matters",
    "Example",
    "What it cannot see",
    "How to fix",
    "How to allow it",
]

# Calls whose text ends up before a user's eyes, outside rules/.
TELLING = re.compile(r"\b(?:createStringError|fail|say|notes\.(?:push|emplace)_back)\s*\(")


class Checker:
    def __init__(self, root):
        self.root = root
        self.problems = []

    def report(self, path, line, text):
        name = path.relative_to(self.root).as_posix()
        self.problems.append(f"{name}:{line}: {text}" if line else f"{name}: {text}")

    def read(self, path):
        return path.read_text(encoding="utf-8") if path.is_file() else ""


def className(name):
    return "".join(word.capitalize() for word in name.split("-"))


def readList(checker, path):
    """(line, class, name) for each RULE(...) of Rules.def."""
    text = checker.read(path)
    rules = []
    for match in re.finditer(r'^RULE\(\s*(\w+)\s*,\s*"([^"]*)"\s*,\s*\w+\s*,\s*(\w+)\s*,\s*"([^"]*)"', text, re.MULTILINE):
        line = text.count("\n", 0, match.start()) + 1
        identifier, name, level, summary = match.groups()
        rules.append((line, identifier, name))
        if not re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", name):
            checker.report(path, line, f"'{name}' is not lower case words joined by dashes")
        # The case of letters is free: SM is a word of its own.
        elif identifier.lower() != className(name).lower():
            checker.report(path, line, f"'{name}' should be called {className(name)}, not {identifier}")
        if level not in ("Preview", "Note", "Warning", "Error"):
            checker.report(path, line, f"'{name}' has the level {level}; known are Preview, Note, Warning and Error")
        if not summary:
            checker.report(path, line, f"'{name}' has no summary")
    if not rules:
        checker.report(path, 0, "no rules found")
    for line, _, name in rules:
        if sum(other == name for _, _, other in rules) > 1:
            checker.report(path, line, f"'{name}' is in the list twice")
    return rules


def checkSources(checker, rules):
    folder = checker.root / "rules"
    listPath = folder / "Rules.def"
    cmakePath = folder / "CMakeLists.txt"
    built = set(re.findall(r"\b(\w+)\.cpp\b", checker.read(cmakePath)))
    classes = {identifier for _, identifier, _ in rules}
    for line, identifier, name in rules:
        path = folder / f"{identifier}.cpp"
        if not path.is_file():
            checker.report(listPath, line, f"'{name}' has no rules/{identifier}.cpp")
            continue
        text = checker.read(path)
        if not re.search(rf"\bfind{identifier}\s*\(", text):
            checker.report(path, 0, f"does not define find{identifier}")
        if not re.search(rf"^// {name}:", text, re.MULTILINE):
            checker.report(path, 0, f"does not open with '// {name}: ...'")
        for number, row in enumerate(text.splitlines(), 1):
            if "TODO" in row:
                checker.report(path, number, "still to be written")
        if identifier not in built:
            checker.report(cmakePath, 0, f"does not list {identifier}.cpp")
    for path in sorted(folder.glob("*.cpp")):
        for found in re.findall(r"^(?:std::vector<Finding>\s+)?coreside::find(\w+)\(const Analysis &", checker.read(path), re.MULTILINE):
            if found != "All" and found not in classes:
                checker.report(path, 0, f"find{found} is in no line of rules/Rules.def")


def checkDocs(checker, rules):
    folder = checker.root / "docs" / "rules"
    names = {name for _, _, name in rules}
    for line, _, name in rules:
        path = folder / f"{name}.md"
        if not path.is_file():
            checker.report(checker.root / "rules" / "Rules.def", line, f"'{name}' has no docs/rules/{name}.md")
            continue
        text = checker.read(path)
        if not text.startswith(f"# {name}\n"):
            checker.report(path, 1, f"does not begin with '# {name}'")
        # Not inside fenced blocks: a shell comment is no heading.
        prose = re.sub(r"^```.*?^```", lambda block: re.sub(r"^#", " ", block.group(), flags=re.MULTILINE), text, flags=re.MULTILINE | re.DOTALL)
        sections = re.split(r"^## +(.*?) *$", prose, flags=re.MULTILINE)[1:]
        headings = sections[::2]
        if headings != HEADINGS:
            for heading in HEADINGS:
                if heading not in headings:
                    checker.report(path, 0, f"has no heading '## {heading}'")
            for heading in headings:
                if heading not in HEADINGS:
                    checker.report(path, 0, f"has the unknown heading '## {heading}'")
            if sorted(headings) == sorted(HEADINGS):
                checker.report(path, 0, "has its headings in another order than " + ", ".join(HEADINGS))
        for heading, body in zip(headings, sections[1::2]):
            if not body.strip():
                checker.report(path, 0, f"says nothing under '## {heading}'")
        for number, row in enumerate(text.splitlines(), 1):
            if "TODO" in row:
                checker.report(path, number, "still to be written")
    for path in sorted(folder.glob("*.md")):
        if path.stem not in names:
            checker.report(path, 0, f"documents no rule of rules/Rules.def")


def checkLines(text):
    """What the CHECK lines of a lit test look for."""
    return re.findall(r"\b[A-Z][A-Z0-9_-]*(?:-(?:NEXT|SAME|DAG|COUNT-\d+))?: ?(.*)", "\n".join(row for row in text.splitlines() if not re.search(r"\b(RUN|REQUIRES|UNSUPPORTED|XFAIL):|-NOT:", row)))


def checkTests(checker, rules):
    folder = checker.root / "test" / "rules"
    names = {name for _, _, name in rules}
    shown = {}
    for path in sorted(folder.glob("*.cu")):
        owners = [name for name in names if path.stem == name or path.stem.startswith(name + "-")]
        if not owners:
            checker.report(path, 0, "is named after no rule of rules/Rules.def")
            continue
        text = checker.read(path)
        owner = max(owners, key=len)
        if any(f"[{owner}]" in row for row in checkLines(text)):
            shown[owner] = path
        for number, row in enumerate(text.splitlines(), 1):
            if "TODO" in row:
                checker.report(path, number, "still to be written")
    for line, _, name in rules:
        if name not in shown:
            checker.report(checker.root / "rules" / "Rules.def", line, f"'{name}' has no test/rules/{name}*.cu with '[{name}]' in a CHECK line")


def withoutComments(text):
    """`text` with comments blanked, line numbers kept, strings left alone."""
    token = re.compile(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
    return token.sub(lambda found: found.group() if found.group()[0] in "\"'" else re.sub(r"[^\n]", " ", found.group()), text)


def literals(text):
    """(offset, text) of each string literal, neighbours joined as C++ does."""
    one = r'"(?:\\.|[^"\\\n])*"'
    for match in re.finditer(rf"{one}(?:\s*{one})*", text):
        # An #include names a file, not a message.
        start = text.rfind("\n", 0, match.start()) + 1
        if text[start:].lstrip().startswith("#include"):
            continue
        parts = re.findall(r'"((?:\\.|[^"\\\n])*)"', match.group())
        yield match.start(), "".join(parts).replace('\\"', '"').replace("\\n", "\n")


def callText(text, start):
    """The arguments of the call whose parenthesis opens at `start`."""
    depth = 0
    for match in re.finditer(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'|[()]', text[start:]):
        if match.group() == "(":
            depth += 1
        elif match.group() == ")":
            depth -= 1
            if not depth:
                return start, text[start : start + match.start()]
    return start, ""


def diagnostics(checker):
    """(path, line, text) of everything that may be printed for people."""
    for path in sorted((checker.root / "rules").glob("*.cpp")):
        text = withoutComments(checker.read(path))
        for offset, literal in literals(text):
            yield path, text.count("\n", 0, offset) + 1, literal
    for folder in ("analyzer", "tools/checking", "tools/coreside", "tools/writers"):
        for path in sorted((checker.root / folder).rglob("*.cpp")):
            text = withoutComments(checker.read(path))
            for call in TELLING.finditer(text):
                start, arguments = callText(text, call.end() - 1)
                for offset, literal in literals(arguments):
                    yield path, text.count("\n", 0, start + offset) + 1, literal


def isExcused(path, line, cache={}):
    """Whether "// No test: REASON" ends in the lines above `line`: its own
    statement's first lines may stand between."""
    rows = cache.setdefault(path, path.read_text(encoding="utf-8").splitlines())
    for row in reversed(rows[max(0, line - 5) : line - 1]):
        if re.match(r"\s*// No test: \S", row):
            return True
        if row.rstrip().endswith((";", "}")):
            return False
    return False


def fixedText(message):
    """The longest piece of `message` between its placeholders, {} or %s."""
    pieces = re.split(r"\{[^{}]*\}|%[-0-9.]*[a-z]+|\n", message)
    return max((piece.strip() for piece in pieces), key=len)


def checkDiagnostics(checker):
    seen = []
    for pattern in ("*.cu", "*.test", "*.cpp"):
        for path in sorted((checker.root / "test").rglob(pattern)):
            if "unit" in path.relative_to(checker.root / "test").parts:
                seen += [literal for _, literal in literals(withoutComments(checker.read(path)))]
            else:
                seen += checkLines(checker.read(path))
    # A CHECK line may go around what varies with {{...}}.
    corpus = "\n".join(re.sub(r"\{\{.*?\}\}|\[\[.*?\]\]", "\n", text) for text in seen)
    for path, line, message in diagnostics(checker):
        # Words and separators that messages are put together from say nothing
        # alone.
        piece = fixedText(message)
        if piece.count(" ") >= 2 and piece not in corpus and not isExcused(path, line):
            checker.report(path, line, f"no test shows '{piece}'")


def main():
    parser = argparse.ArgumentParser(description="checks that every rule has all its parts")
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    checker = Checker(parser.parse_args().root.resolve())
    rules = readList(checker, checker.root / "rules" / "Rules.def")
    checkSources(checker, rules)
    checkDocs(checker, rules)
    checkTests(checker, rules)
    checkDiagnostics(checker)
    for problem in checker.problems:
        print(problem)
    return 1 if checker.problems else 0


sys.exit(main())
