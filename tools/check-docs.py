#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs the examples of the docs and compares what they print with what the docs
# say they print; looks whether the files that the docs link to are there.
#
#   tools/check-docs.py --coreside build/bin/coreside README.md docs/rules/*.md
#   tools/check-docs.py --coreside build/bin/coreside            all docs
#   ... --write    puts what was printed into the docs instead
#
# A fenced block whose first line begins with "$ coreside " is run in a folder
# that has docs/ in it and the files that the page itself gives before:
#
#   ```cuda file=pair.cu          this block becomes the file pair.cu
#   ```console                    $ coreside check pair.cu --gpu h100
#                                 pair.cu:9:3: warning: ...
#   ```console requires=nvcc      skipped, with a word, where there is no nvcc
#   ```console exit=2             fails unless the exit code is 2
#   ```console shows=all          the remarks on standard error, too
#
# Without exit= the code must be 0 or 1: findings are no failure. A line "..."
# of the doc stands for any lines. A command goes on after a final backslash.

import argparse
import difflib
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```([^\n`]*)\n(.*?)^```[ \t]*$", re.MULTILINE | re.DOTALL)


class Command:
    """One "$ ..." of a block and the lines that follow it."""

    def __init__(self, text):
        self.text = text
        self.expected = []
        self.printed = []


def options(info):
    """{"file": "pair.cu"} of "cuda file=pair.cu"."""
    return dict(word.split("=", 1) for word in info.split() if "=" in word)


def commands(body):
    found = []
    for row in body.splitlines():
        if row.startswith("$ "):
            found.append(Command(row))
        elif found and not found[-1].expected and found[-1].text.endswith("\\"):
            found[-1].text += "\n" + row
        elif found:
            found[-1].expected.append(row)
    return found


def run(command, folder, coreside, home, everything):
    words = shlex.split(command.text[2:].replace("\\\n", " "))
    if words[0] != "coreside":
        return None, [f"only coreside is run here, not '{words[0]}'"]
    environment = {**os.environ, "HOME": home, "XDG_CACHE_HOME": os.path.join(home, ".cache"), "LC_ALL": "C.UTF-8"}
    # One pipe for both, as a terminal shows them; or only standard output,
    # since what coreside remarks on the other differs with the machine.
    remarks = subprocess.STDOUT if everything else subprocess.PIPE
    result = subprocess.run([coreside] + words[1:], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=remarks, timeout=600)
    return result.returncode, result.stdout.decode("utf-8", "replace").rstrip("\n").splitlines()


def agree(expected, printed):
    """Whether `printed` is `expected`, in which "..." is any lines."""
    pattern = "".join(r"(?:.*\n)*" if row == "..." else re.escape(row) + r"\n" for row in expected)
    return re.fullmatch(pattern, "".join(row + "\n" for row in printed)) is not None


def checkLinks(path, name, text, counts):
    # Blanked, not cut: lines keep their numbers.
    prose = FENCE.sub(lambda block: re.sub(r"[^\n]", " ", block.group()), text)
    for link in re.finditer(r"\]\(([^)#\s]+)(?:#[^)]*)?\)", prose):
        target = link.group(1)
        if "://" not in target and not (path.parent / target).exists():
            line = text.count("\n", 0, link.start()) + 1
            print(f"{name}:{line}: links to '{target}', which is not there")
            counts["bad"] += 1


def checkPage(path, name, arguments, counts):
    text = path.read_text(encoding="utf-8")
    checkLinks(path, name, text, counts)
    replaced = []
    with tempfile.TemporaryDirectory() as temporary:
        folder = pathlib.Path(temporary) / "page"
        folder.mkdir()
        # A repository of its own: some outputs name files from its top.
        (folder / ".git").mkdir()
        if (arguments.root / "docs").is_dir():
            (folder / "docs").symlink_to(arguments.root / "docs")
        for block in FENCE.finditer(text):
            info, body = block.groups()
            marks = options(info)
            line = text.count("\n", 0, block.start()) + 1
            if "file" in marks:
                target = folder / marks["file"]
                if not target.resolve().is_relative_to(folder.resolve()):
                    raise ValueError(f"{name}:{line}: '{marks['file']}' lies outside the page's folder")
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(body, encoding="utf-8")
            if not body.startswith("$ coreside "):
                continue
            if marks.get("requires") == "nvcc" and not arguments.nvcc:
                print(f"{name}:{line}: skipped, no nvcc here")
                counts["skipped"] += 1
                continue
            good = True
            found = commands(body)
            for command in found:
                code, command.printed = run(command, folder, arguments.coreside, temporary, marks.get("shows") == "all")
                allowed = [int(marks["exit"])] if "exit" in marks else [0, 1]
                if code not in allowed:
                    print(f"{name}:{line}: '{command.text[2:]}' ended with {code}, not {' or '.join(map(str, allowed))}:")
                    print("\n".join("  " + row for row in command.printed))
                    good = False
                elif not agree(command.expected, command.printed):
                    if arguments.write:
                        continue
                    print(f"{name}:{line}: '{command.text[2:]}' prints something else than the page says:")
                    for row in list(difflib.unified_diff(command.expected, command.printed, "the page", "coreside", lineterm=""))[2:]:
                        print("  " + row)
                    good = False
            counts["good" if good else "bad"] += 1
            if arguments.write and good:
                rows = []
                for command in found:
                    rows += [command.text] + (command.expected if agree(command.expected, command.printed) else command.printed)
                replaced.append((block.span(2), "\n".join(rows) + "\n"))
    for (start, end), new in reversed(replaced):
        text = text[:start] + new + text[end:]
    if replaced and text != path.read_text(encoding="utf-8"):
        path.write_text(text, encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description="runs the examples of the docs")
    parser.add_argument("--coreside", required=True, type=lambda path: os.path.abspath(shutil.which(path) or path))
    parser.add_argument("--root", type=pathlib.Path, default=pathlib.Path(__file__).resolve().parent.parent)
    parser.add_argument("--nvcc", action="store_true", help="run the blocks that need nvcc")
    parser.add_argument("--write", action="store_true", help="put what is printed into the docs")
    parser.add_argument("pages", nargs="*", type=pathlib.Path)
    arguments = parser.parse_args()
    arguments.root = arguments.root.resolve()
    pages = arguments.pages or [arguments.root / "README.md", *sorted((arguments.root / "docs").rglob("*.md"))]
    counts = {"good": 0, "bad": 0, "skipped": 0}
    for page in pages:
        page = page.resolve()
        name = page.relative_to(arguments.root).as_posix() if page.is_relative_to(arguments.root) else page.name
        try:
            checkPage(page, name, arguments, counts)
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            print(f"{name}: {error}")
            counts["bad"] += 1
    print(f"{counts['good']} examples as the docs say, {counts['bad']} wrong, {counts['skipped']} skipped")
    return 1 if counts["bad"] else 0


sys.exit(main())
