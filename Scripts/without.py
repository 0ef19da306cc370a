#!/usr/bin/env python3
"""Builds the program without each of its modules in turn, and looks that the rest serves and says what is missing.

    Scripts/without.py                  every module of Sources/Command/proctor/Modules.swift that Package.swift can leave out
    Scripts/without.py report book      these alone

Each build is one of .build/debug, so the next `make` builds the whole program again. The programs are kept in .build/without.
Exits 1 where something is not as it should be.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.error
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROW = re.compile(r'Module\(\s*"([^"]+)", "([^"]+)"(.*?)(?=\n\s*Module\(|\n    \])', re.S)
PART = re.compile(r'\("([a-z0-9]+)", (?:"[A-Za-z]+", )?\[([^\]]*)\]\)')
# A file that needs the module in two places, and in those of its facts, and is told so.
FIXTURES = {
    "socks": "summary: s\norigins: { p: { role: proxy, socks: {} } }\n"
             "exchanges: [ { request: CONNECT a.example.org:80, origin: p, reply: { socks: refused } } ]\n"
             "cases: { a: { kind: observes, client: { url: / }, facts: { 'socks[0].version': SOCKS5 } } }\n",
    "dns": "summary: s\norigins: { main: { host: a.example.org, addresses: [main] } }\ndns: []\n"
           "exchanges: [ { request: GET /, reply: { status: 200 } } ]\n"
           "cases: { a: { kind: observes, client: { url: / }, facts: { dns.count: 1 } } }\n",
    "bearer": "summary: s\nexchanges: [ { request: GET /, auth: { schemes: [bearer], tokens: [a] }, reply: { status: 200 } } ]\n",
    "ntlm": "summary: s\nexchanges: [ { request: GET /, auth: { schemes: [ntlm, negotiate], users: { u: p } },"
            " reply: { status: 200 } } ]\n",
    "aws4": "summary: s\nexchanges: [ { request: GET /, auth: { schemes: [aws4], users: { k: s } }, reply: { status: 200 } } ]\n",
    "webhooks": "summary: s\nexchanges: [ { request: GET /, reply: { status: 200 }, webhooks: [ { to: a } ] },"
                " { request: GET /b, reply: { status: 200 }, webhooks: [ { to: a } ] } ]\n",
    "websocket": "summary: s\nexchanges: [ { request: GET /, reply: { websocket: [ { send: a } ] } },"
                 " { request: GET /b, reply: { websocket: { turns: [] } } } ]\n"
                 "cases: { a: { kind: observes, client: { url: / }, facts: { ws.count: 1 } } }\n",
    "scripts": "summary: s\nlibrary: x = 1\nexchanges: [ { request: GET /, reply: { script: return page() } } ]\n",
    "events": "summary: s\nexchanges: [ { request: GET /, reply: { events: [ a ] } }, { request: GET /b, reply: { events: { list: [ a ] } } } ]\n",
    "grpc": "summary: s\ngrpc: { descriptor: a.binpb }\nexchanges: [ { request: { method: POST, path: /a.B/C, body: { grpc: {} } },"
            " reply: { grpc: {} } } ]\n",
    "archives": "summary: s\nexchanges: [ { request: GET /, reply: { body: { macbinary: { name: a } } } },"
                " { request: GET /b, reply: { body: { binhex: { name: a } } } } ]\n",
    "frames": "summary: s\norigins: { main: { protocols: [h2], h2: { window-updates: none } } }\nexchanges: [ { request: GET /,"
              " reply: { status: 200, effects: [ { at: head, do: { frame: { type: PING } } } ] } } ]\n"
              "cases: { a: { kind: observes, client: { url: / }, facts: { h2.connections: 1 } } }\n",
    "http2": "summary: s\norigins: { main: { protocols: [h2] }, b: { protocols: [http/1.1, h2] } }\n"
             "exchanges: [ { request: GET /, origin: main, reply: { status: 200 } } ]\n",
    "schemas": "summary: s\nexpect: { openapi: a.yaml }\nexchanges: [ { request: { method: POST, path: /, body: { schema: true } },"
               " reply: { status: 200 } } ]\n",
    "queries": "summary: s\nexchanges: [ { request: { method: POST, path: /, body: { xml: <a/> } }, reply: { status: 200 } },"
               " { request: { method: POST, path: /b, body: { jsonpath: { $.a: b } } }, reply: { status: 200 } } ]\n",
}
# What else goes with a module (Package.swift says why).
ALSO = {"demands": ["lookup", "report", "mcp"], "import": ["record", "fuzz"], "book": ["mcp"], "lookup": ["mcp"]}


def quoted(text):
    return re.findall(r'"([^"]*)"', text)


def modules():
    """name: (noun, commands, calls, the modules of Sources that it alone stands on)"""
    package = (ROOT / "Package.swift").read_text()
    table = package[package.index("let programModules"):package.index("let leftOut")]
    needs = {name: quoted(parts) for name, parts in PART.findall(table)}
    rows = {}
    for name, noun, rest in ROW.findall((ROOT / "Sources/Command/proctor/Modules.swift").read_text()):
        if name not in needs:
            continue
        verbs = re.search(r"verbs: \[([^\]]*)\]", rest)
        calls = re.findall(r'\("([A-Z]+)", "([^"]+)"\)', rest)
        pages = re.search(r"pages: \[([^\]]*)\]", rest)
        calls += [("GET", f"ui/{page}") for page in quoted(pages[1] if pages else "")]
        rows[name] = (noun, quoted(verbs[1]) if verbs else [], calls, needs[name])
    if set(rows) != set(needs):
        sys.exit(f"Package.swift has the modules {sorted(needs)}, and Modules.swift rows for {sorted(rows)} of them")
    return rows


class Check:
    def __init__(self, name, program):
        self.name, self.program, self.faults = name, program, []

    def expect(self, holds, sentence):
        if not holds:
            self.faults.append(sentence)

    def run(self, *arguments):
        done = subprocess.run([self.program, *arguments], cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True,
                              timeout=120)
        return done.returncode, done.stdout, done.stderr


def ask(base, method, path):
    request = urllib.request.Request(f"{base}{path}", method=method, data=b"{}" if method == "POST" else None)
    try:
        with urllib.request.urlopen(request, timeout=30) as reply:
            # A stream of events has no end.
            return reply.status, reply.read1(1 << 16).decode()
    except urllib.error.HTTPError as reply:
        return reply.code, reply.read().decode()


def check(name, program, rows):
    test = Check(name, program)
    absent = [name, *ALSO.get(name, [])]
    binary = Path(program).read_bytes()
    present = {part for other, row in rows.items() if other not in absent for part in row[3]}
    for part in {part for other in absent for part in rows[other][3]} - present:
        # As mangled names have it.
        if f"{len(part)}{part}".encode() in binary:
            test.faults.append(f"the program still has code of {part}")
    help_text = test.run("help")[1]
    completions = test.run("completions", "bash")[1] if "shells" not in absent else None
    for other, (noun, verbs, _, _) in rows.items():
        for verb in verbs:
            status, _, errors = test.run("help", verb) if other not in absent else test.run(verb)
            if other in absent:
                test.expect(status == 2 and f"{noun} is not in this program" in errors, f"{verb}: {status}, {errors.strip()}")
            else:
                test.expect(status == 0, f"help {verb}: {status}, {errors.strip()}")
            test.expect((f"\n  {verb} " in help_text) == (other not in absent), f"help names {verb}, or does not")
            if completions is not None:
                test.expect((f"\n        {verb}) " in completions) == (other not in absent), f"completions have {verb}, or not")
    status, _, errors = test.run("check", "fixtures/plain")
    test.expect(status == 0, f"check: {status}, {errors.strip()}")
    if name in FIXTURES:
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "a.yaml").write_text(FIXTURES[name])
            status, output, errors = test.run("check", folder)
            test.expect(status == 1 and (output + errors).count(" is not in this program") == 2 + FIXTURES[name].count("facts:"),
                        f"check of a file that needs it: {status}, {(output + errors).strip()}")
    server = subprocess.Popen([program, "serve", "fixtures/plain", "--port", "0"], cwd=ROOT, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        base = json.loads(server.stdout.readline())["base"]
        status, _ = ask(base, "GET", "/204/nothing")
        test.expect(status == 204, f"GET /204/nothing: {status}")
        for other, (noun, _, calls, _) in rows.items():
            for method, path in calls:
                status, text = ask(base, method, f"/__proctor/{path}")
                is_refused = status == 501 and '"not-in-program"' in text and noun in text
                test.expect(is_refused == (other in absent), f"{method} {path}: {status}, {text.strip()}")
    finally:
        server.terminate()
        server.wait(30)
    return test.faults


def main():
    rows = modules()
    wanted = sys.argv[1:] or list(rows)
    if unknown := [name for name in wanted if name not in rows]:
        sys.exit(f"no module is named {', '.join(unknown)}; there are {', '.join(rows)}")
    folder = ROOT / ".build/without"
    folder.mkdir(parents=True, exist_ok=True)
    is_well = True
    for name in wanted:
        # The flags of the Makefile's DEBUG, so that nothing but the program is built again.
        build = os.environ.get("SWIFT", "swift").split() + [
            "build", "--ignore-lock", "-Xswiftc", "-gnone", "--disable-index-store", "--product", "proctor"]
        log = folder / f"{name}.log"
        with log.open("wb") as output:
            status = subprocess.run(build, cwd=ROOT, env=os.environ | {"PROCTOR_WITHOUT": name}, stdout=output,
                                    stderr=subprocess.STDOUT).returncode
        if status != 0:
            print(f"without {name}: it does not build (see {log})", flush=True)
            is_well = False
            continue
        program = folder / f"proctor-without-{name}"
        shutil.copy2(ROOT / ".build/debug/proctor", program)
        faults = check(name, str(program), rows)
        is_well = is_well and not faults
        size = program.stat().st_size / 1e6
        print(f"without {name}: {'well' if not faults else 'faults'} ({size:.1f} MB)", flush=True)
        for fault in faults:
            print(f"  {fault}", flush=True)
    sys.exit(0 if is_well else 1)


if __name__ == "__main__":
    main()
