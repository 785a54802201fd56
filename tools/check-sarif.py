#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Looks whether a SARIF file is what GitHub's code scanning takes and shows.
#
#   tools/check-sarif.py out.sarif
#   ... --schema sarif-schema-2.1.0.json    also hold it against that; a wheel
#                                           that has one in it does as well
#   ... --root FOLDER                       also look whether the places are there
#
# Prints what is wrong, a line each, and exits with 1 if anything is. The limits
# are those of GitHub's page "SARIF support for code scanning" (2026).

import argparse
import gzip
import json
import pathlib
import re
import sys
import urllib.parse
import zipfile

PACKED_BYTES = 10 * 1024 * 1024
RUNS = 20
RESULTS = 25000
RULES = 25000
EXTENSIONS = 100
LOCATIONS = 1000
FLOW_LOCATIONS = 10000
TAGS = 20
NAME_CHARACTERS = 255
DESCRIPTION_CHARACTERS = 1024

LINK = re.compile(r"(?<!\\)\[(?:[^\[\]\\]|\\.)*\]\(([0-9]+)\)")
SCHEME = re.compile(r"^[A-Za-z][A-Za-z0-9+.-]*:")


class Checker:
    def __init__(self, root):
        self.root = root
        self.problems = []
        self.lines = {}

    def say(self, where, what):
        self.problems.append(f"{where}: {what}")

    def check(self, document, packed):
        if document.get("version") != "2.1.0":
            self.say("version", "is not 2.1.0")
        if packed > PACKED_BYTES:
            self.say("file", f"{packed} bytes when packed, {PACKED_BYTES} are taken")
        runs = document.get("runs", [])
        if not 1 <= len(runs) <= RUNS:
            self.say("runs", f"{len(runs)}, 1 to {RUNS} are taken")
        for number, run in enumerate(runs):
            self.checkRun(f"runs[{number}]", run)

    def checkRun(self, where, run):
        driver = run["tool"]["driver"]
        rules = driver.get("rules", [])
        self.limit(where + ".tool.driver.rules", rules, RULES)
        self.limit(where + ".tool.extensions", run["tool"].get("extensions", []), EXTENSIONS)
        for number, rule in enumerate(rules):
            self.checkRule(f"{where}.tool.driver.rules[{number}]", rule)
        names = [rule["id"] for rule in rules]
        if len(set(names)) != len(names):
            self.say(where, "two rules have one id")
        if not run.get("automationDetails", {}).get("id", "").endswith("/"):
            self.say(where, "automationDetails.id does not end with '/', so it is no category")
        for number, invocation in enumerate(run.get("invocations", [])):
            if not invocation.get("executionSuccessful"):
                self.say(f"{where}.invocations[{number}]", "did not succeed: without its results alerts would be closed")
        results = run.get("results")
        if results is None:
            self.say(where, "has no results, not even none")
            return
        self.limit(where + ".results", results, RESULTS)
        for number, result in enumerate(results):
            self.checkResult(f"{where}.results[{number}]", result, names)

    def limit(self, where, things, most):
        if len(things) > most:
            self.say(where, f"{len(things)}, at most {most} are taken")

    def checkRule(self, where, rule):
        if len(rule.get("name", "")) > NAME_CHARACTERS:
            self.say(where, "its name is too long")
        for field in ("shortDescription", "fullDescription"):
            text = rule.get(field, {}).get("text", "")
            if not 1 <= len(text) <= DESCRIPTION_CHARACTERS:
                self.say(where, f"{field} has {len(text)} characters, 1 to {DESCRIPTION_CHARACTERS} are shown")
        if not rule.get("help", {}).get("text"):
            self.say(where, "has no help")
        if rule.get("defaultConfiguration", {}).get("level") not in ("note", "warning", "error"):
            self.say(where, "has no level")
        properties = rule.get("properties", {})
        self.limit(where + ".properties.tags", properties.get("tags", []), TAGS)
        if properties.get("precision") not in ("very-high", "high", "medium", "low"):
            self.say(where, "has no precision to sort by")
        if properties.get("problem.severity") not in ("error", "warning", "recommendation"):
            self.say(where, "has no severity to sort by")

    def checkResult(self, where, result, rules):
        if result.get("ruleId") not in rules:
            self.say(where, "its rule is not listed")
        elif result.get("ruleIndex", -1) != rules.index(result["ruleId"]):
            self.say(where, "ruleIndex is another rule's")
        for field, why in (("suppressions", "is suppressed"), ("baselineState", "is not found any more")):
            if result.get(field) and result[field] not in ("new", "updated", "unchanged"):
                self.say(where, f"{why}, but would be shown")
        locations = result.get("locations", [])
        if not 1 <= len(locations) <= LOCATIONS:
            self.say(where, f"has {len(locations)} locations, 1 to {LOCATIONS} are taken")
        for location in locations:
            self.checkLocation(where, location, needsLine=True)
        related = result.get("relatedLocations", [])
        self.limit(where + ".relatedLocations", related, LOCATIONS)
        for location in related:
            self.checkLocation(where + ".relatedLocations", location)
        numbers = {location.get("id") for location in related}
        text = result["message"].get("text", "")
        if not text:
            self.say(where, "has no message.text")
        for link in LINK.finditer(text):
            if int(link.group(1)) not in numbers:
                self.say(where, f"its message links to location {link.group(1)}, which is not there")
        if not result.get("partialFingerprints", {}).get("primaryLocationLineHash"):
            self.say(where, "has no primaryLocationLineHash: an upload without GitHub's action would show it twice")
        for flow in result.get("codeFlows", []):
            steps = [step for thread in flow["threadFlows"] for step in thread["locations"]]
            self.limit(where + ".codeFlows", steps, FLOW_LOCATIONS)
            for step in steps:
                self.checkLocation(where + ".codeFlows", step["location"])

    def checkLocation(self, where, location, needsLine=False):
        physical = location["physicalLocation"]
        uri = physical["artifactLocation"].get("uri", "")
        if SCHEME.match(uri) or uri.startswith("/"):
            self.say(where, f"'{uri}' is not relative to the repository")
            return
        name = urllib.parse.unquote(uri)
        if not uri or ".." in name.split("/") or "\\" in uri or urllib.parse.quote(name, safe="/~") != uri:
            self.say(where, f"'{uri}' is not a path that is encoded as a URI")
            return
        region = physical.get("region", {})
        first = region.get("startLine", 0)
        if needsLine and first < 1:
            self.say(where, "has no line")
        if self.root is None or first < 1:
            return
        if name not in self.lines:
            path = self.root / name
            self.lines[name] = path.read_text(encoding="utf-8", errors="replace").split("\n") if path.is_file() else None
        lines = self.lines[name]
        if lines is None:
            self.say(where, f"'{name}' is not there")
        elif first > len(lines):
            self.say(where, f"'{name}' has no line {first}")
        elif region.get("endColumn", 1) > len(lines[first - 1].encode("utf-16-le")) // 2 + 1:
            self.say(where, f"line {first} of '{name}' has no column {region['endColumn']}")


def readSchema(path):
    if not zipfile.is_zipfile(path):
        return json.loads(pathlib.Path(path).read_text(encoding="utf-8"))
    with zipfile.ZipFile(path) as wheel:
        for name in wheel.namelist():
            if re.search(r"sarif[^/]*2\.1\.0[^/]*\.json$", name):
                return json.loads(wheel.read(name))
    sys.exit(f"{path}: holds no schema of SARIF 2.1.0")


def main():
    parser = argparse.ArgumentParser(description="Looks whether SARIF is as GitHub takes it.")
    parser.add_argument("file")
    parser.add_argument("--schema")
    parser.add_argument("--root", type=pathlib.Path)
    arguments = parser.parse_args()
    data = pathlib.Path(arguments.file).read_bytes()
    document = json.loads(data)
    checker = Checker(arguments.root)
    if arguments.schema:
        import jsonschema

        schema = readSchema(arguments.schema)
        validator = jsonschema.validators.validator_for(schema)(schema, format_checker=jsonschema.FormatChecker())
        for error in validator.iter_errors(document):
            checker.say("schema, at /" + "/".join(map(str, error.absolute_path)), error.message[:300])
    if not checker.problems:
        checker.check(document, len(gzip.compress(data)))
    for problem in checker.problems:
        print(f"{arguments.file}: {problem}")
    return 1 if checker.problems else 0


if __name__ == "__main__":
    sys.exit(main())
