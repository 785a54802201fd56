# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""An editor for tests: speaks to a language server over its standard input and
output, and waits for what should come, never for a time.

    from editor import Editor, edit
    with Editor([coreside, "lsp", "--cuda-path=none"]) as editor:
        a = editor.open("a.cu")
        editor.diagnostics(a, lambda found: len(found) == 1)
        editor.change(a, edit((3, 0), (3, 5), ""))
        editor.diagnostics(a, lambda found: not found)

`editor.log` has all messages that came, in order.
"""

import collections
import json
import os
import queue
import subprocess
import threading
import time
import urllib.parse

# Long enough for a loaded machine; only a test that fails waits for it.
PATIENCE = 120


def uri_of(path):
    return "file://" + urllib.parse.quote(os.path.abspath(path))


def position(line, character):
    return {"line": line, "character": character}


def edit(start, end, text):
    """One change: `text` in place of what is between two (line, character)."""
    return {"range": {"start": position(*start), "end": position(*end)}, "text": text}


def codes(diagnostics):
    return sorted(one.get("code", "") for one in diagnostics)


class Editor:
    def __init__(self, command, capabilities=None, settings=None, folder=".", encodings=("utf-16",), env=None, initialize=True, parameters=None):
        self.server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=env)
        self.arrived = queue.Queue()
        self.log = []
        self.answers = {}
        self.published = collections.defaultdict(list)
        self.versions = {}
        self.texts = {}
        self.last = 0
        # What to answer to requests of the server; None: an error.
        self.replies = {}
        threading.Thread(target=self._read, daemon=True).start()
        if not initialize:
            return
        able = {
            "general": {"positionEncodings": list(encodings)},
            "textDocument": {
                "publishDiagnostics": {"relatedInformation": True, "codeDescriptionSupport": True, "versionSupport": True},
                "hover": {"contentFormat": ["markdown", "plaintext"]},
            },
            "workspace": {
                "workspaceEdit": {"documentChanges": True},
                "didChangeWatchedFiles": {"dynamicRegistration": True},
                "inlayHint": {"refreshSupport": True},
            },
            "window": {"workDoneProgress": True},
        }
        for part, values in (capabilities or {}).items():
            able.setdefault(part, {}).update(values)
        self.initialized = self.request(
            "initialize",
            {
                "processId": os.getpid(),
                "capabilities": able,
                "initializationOptions": settings,
                "workspaceFolders": [{"uri": uri_of(folder), "name": "folder"}],
                **(parameters or {}),
            },
        )
        self.notify("initialized", {})

    def __enter__(self):
        return self

    def __exit__(self, kind, *_):
        if kind:
            self.server.kill()
            self.server.wait()
        else:
            self.end()

    # -- messages

    def _read(self):
        stream = self.server.stdout
        while True:
            length = None
            while True:
                line = stream.readline()
                if not line:
                    self.arrived.put(None)
                    return
                if line == b"\r\n":
                    break
                name, _, value = line.partition(b":")
                if name.lower() == b"content-length":
                    length = int(value)
            self.arrived.put(json.loads(stream.read(length)))

    def send_bytes(self, data):
        self.server.stdin.write(data)
        self.server.stdin.flush()

    def send(self, message):
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self.send_bytes(b"Content-Length: %d\r\n\r\n" % len(body) + body)

    def notify(self, method, parameters):
        self.send({"method": method, "params": parameters})

    def ask(self, method, parameters):
        """Sends a request and gives its number."""
        self.last += 1
        self.send({"id": self.last, "method": method, "params": parameters})
        return self.last

    def request(self, method, parameters):
        """The result of a request; the error where it failed."""
        return self.answer(self.ask(method, parameters))

    def answer(self, number):
        self.wait_for(lambda: number in self.answers)
        message = self.answers.pop(number)
        return message["result"] if "result" in message else message["error"]

    def take(self, timeout=PATIENCE):
        """Waits for the next message."""
        message = self.arrived.get(timeout=timeout)
        if message is None:
            raise EOFError("the server has ended")
        self.log.append(message)
        if "method" not in message:
            self.answers[message["id"]] = message
        elif "id" in message:
            reply = self.replies.get(message["method"], {"result": None})
            self.send({"id": message["id"], **reply})
        elif message["method"] == "textDocument/publishDiagnostics":
            self.published[message["params"]["uri"]].append(message["params"])
        return message

    def wait_for(self, condition):
        end = time.monotonic() + PATIENCE
        while not condition():
            try:
                self.take(max(0.01, end - time.monotonic()))
            except queue.Empty:
                raise TimeoutError("the last messages: %s" % json.dumps(self.log[-5:], indent=1)) from None

    def messages(self, method):
        return [one for one in self.log if one.get("method") == method]

    # -- documents

    def open(self, path, text=None, language="cuda-cpp", uri=None):
        uri = uri or uri_of(path)
        if text is None:
            with open(path, newline="") as file:
                text = file.read()
        self.versions[uri] = 1
        self.texts[uri] = text
        self.notify("textDocument/didOpen", {"textDocument": {"uri": uri, "languageId": language, "version": 1, "text": text}})
        return uri

    def change(self, uri, *changes):
        self.versions[uri] += 1
        self.notify("textDocument/didChange", {"textDocument": {"uri": uri, "version": self.versions[uri]}, "contentChanges": list(changes)})

    def replace(self, uri, old, new):
        """Puts `new` in place of the one `old`; the text has no letters beyond
        16 bits before it."""
        before, found, after = self.texts[uri].partition(old)
        assert found and old not in after, old
        begin = (before.count("\n"), len(before) - before.rfind("\n") - 1)
        until = before + old
        end = (until.count("\n"), len(until) - until.rfind("\n") - 1)
        self.texts[uri] = before + new + after
        self.change(uri, edit(begin, end, new))

    def save(self, uri):
        self.notify("textDocument/didSave", {"textDocument": {"uri": uri}})

    def close(self, uri):
        self.notify("textDocument/didClose", {"textDocument": {"uri": uri}})

    def place(self, uri, text, offset=0):
        """Where `text` begins, so many characters on."""
        before = self.texts[uri].partition(text)[0]
        return position(before.count("\n"), len(before) - before.rfind("\n") - 1 + offset)

    def diagnostics(self, uri, holds=lambda found: True, version="now"):
        """The diagnostics of the version that the document has now, once they
        are so."""
        if version == "now":
            version = self.versions.get(uri)

        def found():
            all = self.published[uri]
            return all and all[-1].get("version") == version and holds(all[-1]["diagnostics"])

        self.wait_for(found)
        return self.published[uri][-1]["diagnostics"]

    def hover(self, uri, where):
        return self.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": where})

    def hints(self, uri):
        everything = {"start": position(0, 0), "end": position(1000000, 0)}
        return self.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": everything})

    def actions(self, uri, diagnostic, only=None):
        context = {"diagnostics": [diagnostic]}
        if only:
            context["only"] = only
        return self.request("textDocument/codeAction", {"textDocument": {"uri": uri}, "range": diagnostic["range"], "context": context})

    def apply(self, action):
        """Does what an action says, to documents that are open."""
        for change in action["edit"]["documentChanges"]:
            uri = change["textDocument"]["uri"]
            assert change["textDocument"]["version"] == self.versions[uri]
            lines = self.texts[uri].split("\n")
            starts = [0]
            for line in lines:
                starts.append(starts[-1] + len(line) + 1)
            place = lambda at: starts[at["line"]] + at["character"]
            for one in sorted(change["edits"], key=lambda e: place(e["range"]["start"]), reverse=True):
                begin, end = place(one["range"]["start"]), place(one["range"]["end"])
                self.texts[uri] = self.texts[uri][:begin] + one["newText"] + self.texts[uri][end:]
            self.change(uri, {"text": self.texts[uri]})

    # -- the end

    def end(self):
        """Ends in order; the exit code must be 0."""
        assert self.request("shutdown", None) is None
        self.notify("exit", None)
        assert self.leave() == 0

    def leave(self):
        self.server.stdin.close()
        return self.server.wait(timeout=PATIENCE)
