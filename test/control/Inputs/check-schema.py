#!/usr/bin/env python3
# The keys in the schema are those that the tool takes, no more and no fewer.
#
# In:   the schema, the tool. A file with every key of the schema must be taken,
#       and each key that --dump-config can print must be in the schema.
import json
import os
import subprocess
import sys
import tempfile

schema = json.load(open(sys.argv[1]))
tool = sys.argv[2]
words = {"array": "[]", "boolean": "true"}


def run(text):
    with tempfile.NamedTemporaryFile("w", suffix=".yaml", delete=False) as file:
        file.write(text)
    result = subprocess.run([tool, "check", "a.cu", "--config", file.name, "--dump-config"], capture_output=True, text=True)
    os.unlink(file.name)
    return result


def example(key, facts):
    if "enum" in facts:
        return facts["enum"][0]
    if facts["type"] == "array" and "examples" in facts:
        return json.dumps(facts["examples"][0])
    return words.get(facts["type"]) or str(facts["minimum"])


top = schema["properties"]
ofPath = schema["properties"]["paths"]["items"]["properties"]
settings = {key: facts for key, facts in top.items() if key not in ("paths", "inherit-parent")}
assert {key: f for key, f in ofPath.items() if key != "match"} == settings, "a path takes the same settings"
assert schema["additionalProperties"] is False

text = "".join(f"{key}: {example(key, facts)}\n" for key, facts in top.items())
result = run(text)
assert result.returncode == 0, text + result.stderr
dumped = {line.split(":")[0] for line in result.stdout.splitlines()}
assert dumped == set(settings), (dumped, set(settings))
# Words of an enumeration, and none else.
for key, facts in settings.items():
    for word in facts.get("enum", []):
        assert run(f"{key}: {word}\n").returncode == 0, (key, word)
    if "enum" in facts:
        assert run(f"{key}: x\n").returncode == 2, key
    if "maximum" in facts:
        assert run(f"{key}: {facts['maximum']}\n").returncode == 0, key
        assert run(f"{key}: {facts['maximum'] + 1}\n").returncode == 2, key
