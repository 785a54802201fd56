#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A language server that does as a script says.

    fake_server.py --script=FILE --log=FILE [anything]

The script is JSON: {"capabilities": {...}, "rules": [RULE...]}. A rule is

    {"on": "textDocument/hover",    the message that it is about; "start" is none
     "once": true,                  only the first time, whatever is restarted
     "send": [MESSAGE...],          what is sent then; "$id", "$uri" and "$version"
                                    in it are those of the message
     "raw": "...",                  bytes that are written after that
     "then": "crash"}               or "hang", "close", "exit 3"

The first rule that fits counts. Requests that no rule is about get an answer:
null, or the capabilities. The log has a line for each start, with the arguments,
and for each message, as it came.
"""

import json
import os
import signal
import sys
import time


def option(name):
    for argument in sys.argv[1:]:
        if argument.startswith("--" + name + "="):
            return argument.split("=", 1)[1]
    sys.exit("fake_server.py: --" + name + " is missing")


script = json.load(open(option("script"), encoding="utf-8"))
log = open(option("log"), "a", encoding="utf-8")
used = option("log") + ".used"


def note(**entry):
    log.write(json.dumps(entry) + "\n")
    log.flush()


def filled(value, values):
    if isinstance(value, str) and value in values:
        return values[value]
    if isinstance(value, list):
        return [filled(item, values) for item in value]
    if isinstance(value, dict):
        return {key: filled(item, values) for key, item in value.items()}
    return value


def write(data):
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def send(message):
    body = json.dumps(message, separators=(",", ":"), ensure_ascii=False).encode()
    write(b"Content-Length: %d\r\n\r\n" % len(body) + body)


def find_rule(method):
    for number, rule in enumerate(script.get("rules", [])):
        if rule["on"] != method:
            continue
        if rule.get("once"):
            seen = open(used).read().split() if os.path.exists(used) else []
            if str(number) in seen:
                continue
            with open(used, "a") as file:
                file.write(str(number) + "\n")
        return rule
    return None


def act(rule, values):
    for message in rule.get("send", []):
        send(filled(message, values))
    if "raw" in rule:
        write(rule["raw"].encode())
    then = rule.get("then", "")
    if then == "crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if then == "close":
        sys.stdout.buffer.flush()
        os.close(1)
        then = "hang"
    if then == "hang":
        while True:
            time.sleep(3600)
    if then.startswith("exit"):
        os._exit(int(then.split()[1]))


def read():
    size = 0
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            return None
        if line.strip() == b"":
            return sys.stdin.buffer.read(size)
        if line.lower().startswith(b"content-length:"):
            size = int(line.split(b":")[1])


note(start=sys.argv[1:])
rule = find_rule("start")
if rule:
    act(rule, {})
down = False
while True:
    body = read()
    if body is None:
        os._exit(0 if down else 1)
    note(got=body.decode("utf-8", "replace"))
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        continue
    if not isinstance(message, dict):
        continue
    method = message.get("method")
    params = message.get("params")
    document = params.get("textDocument") if isinstance(params, dict) else None
    if not isinstance(document, dict):
        document = {}
    values = {
        "$id": message.get("id"),
        "$uri": document.get("uri"),
        "$version": document.get("version"),
    }
    rule = find_rule(method)
    if rule:
        act(rule, values)
    elif method == "exit":
        os._exit(0 if down else 1)
    elif method == "initialize":
        send({"id": message["id"], "jsonrpc": "2.0",
              "result": {"capabilities": script.get("capabilities", {})}})
    elif method and "id" in message:
        send({"id": message["id"], "jsonrpc": "2.0", "result": None})
    if method == "shutdown":
        down = True
