#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Plays clangd's part of a recorded session.

    play_session.py --session=FILE --log=FILE [anything]

A line of the session is {"client": BODY} or {"server": BODY}. What clangd said is
said again when all that the client had said before has come. The log gets the
bytes that came; FILE.arguments the arguments.
"""

import json
import sys

options = dict(a[2:].split("=", 1) for a in sys.argv[1:] if "=" in a)
with open(options["log"] + ".arguments", "w", encoding="utf-8") as file:
    json.dump(sys.argv[1:], file)
log = open(options["log"], "wb")


def read():
    size = 0
    while True:
        line = sys.stdin.buffer.readline()
        if not line:
            sys.exit("play_session.py: the input ended too early")
        log.write(line)
        if line == b"\r\n":
            break
        if line.lower().startswith(b"content-length:"):
            size = int(line.split(b":")[1])
    log.write(sys.stdin.buffer.read(size))
    log.flush()


for line in open(options["session"], encoding="utf-8"):
    entry = json.loads(line)
    if "client" in entry:
        read()
        continue
    body = entry["server"].encode()
    sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n" % len(body) + body)
    sys.stdout.buffer.flush()
sys.exit(7)
