# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An editor for tests of `coreside clangd`, and servers behind it.

    proxy = Proxy(sys.argv, clangd={"rules": [...]}, service={"rules": [...]})
    proxy.initialize()
    proxy.open("a.cu", "text")
    proxy.wait(publishes(...))
    proxy.end()

Everything waits for what it needs, and fails after a minute.
"""

import json
import os
import queue
import subprocess
import sys
import threading
import time

HERE = os.path.dirname(os.path.abspath(__file__))
FAKE = os.path.join(HERE, "fake_server.py")
PATIENCE = 60


def fail(text):
    print("FAILED: " + text, flush=True)
    os._exit(1)


def check(condition, text):
    if not condition:
        fail(text)


class Client:
    """Speaks to a language server, `command`, over pipes."""

    def __init__(self, command, env=None, cwd=None):
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=cwd,
            env=dict(os.environ, **(env or {})))
        self.unread = []
        self.all = []
        self.arriving = queue.Queue()
        self.last_id = 0
        self.versions = {}
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self):
        stream = self.process.stdout
        while True:
            header = b""
            while not header.endswith(b"\r\n\r\n"):
                byte = stream.read(1)
                if not byte:
                    if header:
                        self.arriving.put(("nonsense", header))
                    self.arriving.put(("end", b""))
                    return
                header += byte
            lines = header.decode().strip().split("\r\n")
            size = [int(line.split(":")[1]) for line in lines
                    if line.lower().startswith("content-length:")]
            if len(size) != 1:
                self.arriving.put(("nonsense", header))
                continue
            self.arriving.put(("message", header + stream.read(size[0])))

    def send_bytes(self, data):
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message):
        body = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method, params):
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method, params=None, id=None):
        if id is None:
            self.last_id += 1
            id = self.last_id
        self.send({"jsonrpc": "2.0", "id": id, "method": method, "params": params})
        return id

    def _next(self, deadline, what):
        try:
            kind, data = self.arriving.get(timeout=max(0, deadline - time.monotonic()))
        except queue.Empty:
            fail("waited in vain for %s; unread: %s" % (what, self.unread))
        if kind == "nonsense":
            fail("the server wrote %r" % data)
        if kind == "end":
            self.arriving.put((kind, data))
            fail("the server closed its output; waited for %s; unread: %s"
                 % (what, self.unread))
        body = data.split(b"\r\n\r\n", 1)[1]
        self.all.append(data)
        return json.loads(body)

    def wait(self, wanted, what="a message"):
        """The next message for which `wanted` holds; others stay unread."""
        deadline = time.monotonic() + PATIENCE
        for number, message in enumerate(self.unread):
            if isinstance(message, dict) and wanted(message):
                return self.unread.pop(number)
        while True:
            message = self._next(deadline, what)
            if isinstance(message, dict) and wanted(message):
                return message
            self.unread.append(message)

    def response(self, id):
        return self.wait(lambda m: m.get("id") == id and "method" not in m,
                         "the answer to %r" % id)

    def ask(self, method, params=None):
        return self.response(self.request(method, params))

    def published(self, uri, version, codes):
        """Waits until what is shown of `uri` are the codes `codes`."""
        return self.wait(
            lambda m: m.get("method") == "textDocument/publishDiagnostics"
            and m["params"]["uri"] == uri and m["params"].get("version") == version
            and sorted(str(d.get("code")) for d in m["params"]["diagnostics"])
            == sorted(codes),
            "%s in %s, version %s" % (codes, uri, version))

    def shown(self, text):
        """Waits for a message to the user that has `text` in it."""
        return self.wait(lambda m: m.get("method") == "window/showMessage"
                         and text in m["params"]["message"],
                         "a message with '%s'" % text)

    def initialize(self, **params):
        params.setdefault("processId", None)
        params.setdefault("rootUri", None)
        params.setdefault("capabilities", {})
        answer = self.ask("initialize", params)
        self.notify("initialized", {})
        return answer

    def open(self, uri, text, language="cuda-cpp", version=1):
        self.versions[uri] = version
        self.notify("textDocument/didOpen", {"textDocument": {
            "uri": uri, "languageId": language, "version": version, "text": text}})

    def change(self, uri, *changes):
        """Changes are texts, or pairs of a range (four numbers) and a text."""
        self.versions[uri] += 1
        events = []
        for change in changes:
            if isinstance(change, str):
                events.append({"text": change})
                continue
            place, text = change
            events.append({"text": text, "range": {
                "start": {"line": place[0], "character": place[1]},
                "end": {"line": place[2], "character": place[3]}}})
        self.notify("textDocument/didChange", {
            "textDocument": {"uri": uri, "version": self.versions[uri]},
            "contentChanges": events})

    def close(self, uri):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def rest(self):
        """All that comes until the server closes its output."""
        messages, self.unread = self.unread, []
        deadline = time.monotonic() + PATIENCE
        while True:
            try:
                kind, data = self.arriving.get(
                    timeout=max(0, deadline - time.monotonic()))
            except queue.Empty:
                fail("the server does not end; it wrote %s" % messages)
            if kind == "end":
                return messages
            if kind == "nonsense":
                fail("the server wrote %r" % data)
            self.all.append(data)
            messages.append(json.loads(data.split(b"\r\n\r\n", 1)[1]))

    def code(self):
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            fail("the server does not end")

    def end(self, code=0):
        """Ends the session as the protocol has it; what was not read."""
        self.ask("shutdown")
        self.notify("exit", None)
        self.process.stdin.close()
        rest = self.rest()
        check(self.code() == code,
              "the exit code is %s, not %s" % (self.process.returncode, code))
        return rest


class Proxy(Client):
    """`coreside clangd`; what is given as a script is played by fake_server.py.

    argv: the test, coreside, a folder for files. Without a script, clangd or
    service are what coreside finds."""

    def __init__(self, argv, clangd=None, service=None, arguments=(), **more):
        coreside, self.folder = argv[1], argv[2]
        os.makedirs(self.folder, exist_ok=True)
        command = [coreside, "clangd"]
        for name, script, prefix in (("clangd", clangd, "--"),
                                     ("service", service, "--coreside-")):
            if script is None:
                continue
            with open(self.path(name + ".json"), "w", encoding="utf-8") as file:
                json.dump(script, file)
            open(self.path(name + ".log"), "a").close()
            command += ["--coreside-%s=%s" % (name, FAKE),
                        prefix + "script=" + self.path(name + ".json"),
                        prefix + "log=" + self.path(name + ".log")]
        self.plays_service = service is not None
        super().__init__(command + list(arguments), **more)

    def initialize(self, **params):
        answer = super().initialize(**params)
        if self.plays_service:
            # Before that nobody waits for it.
            self.server_got("service", method("initialized"), "initialized")
        return answer

    def path(self, name):
        return os.path.join(self.folder, name)

    def log(self, server):
        """What a played server has noted so far."""
        with open(self.path(server + ".log"), encoding="utf-8") as file:
            return [json.loads(line) for line in file.read().split("\n")[:-1]]

    def got(self, server):
        """The messages that a played server got, each as a dictionary."""
        return [json.loads(entry["got"]) for entry in self.log(server)
                if "got" in entry]

    def starts(self, server):
        return sum("start" in entry for entry in self.log(server))

    def server_got(self, server, wanted, what):
        """Waits until a played server has got a message like that; gives it."""
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            for message in self.got(server):
                if wanted(message):
                    return message
            time.sleep(0.01)
        fail("%s did not get %s but %s" % (server, what, self.got(server)))


def method(name):
    return lambda message: message.get("method") == name


def diagnostic(code):
    return {"code": code, "message": code, "severity": 2,
            "range": {"start": {"line": 0, "character": 0},
                      "end": {"line": 0, "character": 1}}}


def publish(*codes, version="$version"):
    """What a played server publishes for the document of a message."""
    return {"jsonrpc": "2.0", "method": "textDocument/publishDiagnostics",
            "params": {"uri": "$uri", "version": version,
                       "diagnostics": [diagnostic(code) for code in codes]}}


def answer(result):
    return {"id": "$id", "jsonrpc": "2.0", "result": result}


def error(code, message="no"):
    return {"id": "$id", "jsonrpc": "2.0",
            "error": {"code": code, "message": message}}
