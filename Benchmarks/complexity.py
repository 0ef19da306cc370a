#!/usr/bin/env python3
"""Holds each entry point against growing input: N, 2N and 4N of a list that it takes.

    Benchmarks/complexity.py                    every row; exits 1 where one grows too fast
    Benchmarks/complexity.py --only grade,match the rows whose names begin so
    Benchmarks/complexity.py --table FILE       also writes the table there
    Benchmarks/complexity.py --quick            a sample with small N, for CI

A row is red when the processor time of twice the input is more than 1.5 times twice that of the input, or when it takes
more memory than 20 times the bytes of its input. What a start costs with an input of one is taken off. Time is user and
system seconds, the best of three. N grows until the time is well above what the clock tells apart.
PROCTOR names the program (.build/release/proctor).
"""

import argparse
import datetime
import json
import os
import platform
import random
import re
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import foreign
from spending import Spender

ROOT = Path(__file__).resolve().parent.parent
PROCTOR = os.environ.get("PROCTOR", str(ROOT / ".build/release/proctor"))
# Twice the input may take so many times the processor time.
GROWTH = 2 * 1.5
# Bytes of memory for each byte of input, and what every process may differ by.
MEMORY, SLACK = 20, 24 << 20
# Seconds that 4N has to take, so that noise does not decide.
TELLING = float(os.environ.get("COMPLEXITY_SECONDS", "0.6"))
# Seconds after which a call is ended, and its row red.
PATIENCE = 120
SPENDER = Spender()

HEADER = {"trace": "proctor", "version": 1, "client": "gate", "clock": "monotonic", "unit": "ns",
          "lanes": ["task", "session", "handler", "harness"]}
PAGE = "summary: A page\nexchanges: [{ request: GET /, reply: { status: 200 } }]\n"
CASE = PAGE + "cases: { get: { client: { url: / }, wire: request(GET /)*, task: response(200) data* complete(ok) } }\n"


class Row:
    """One list of one entry point: `make(n, folder)` writes the input, and returns the arguments and its bytes.

    `most` is the bound of the list, beyond which it is refused; `asks` means that a server does the work; `memory` is the
    most bytes of memory for a byte of the input. `whole` are the most seconds for a list of `most`, for one whose items are
    compared in pairs: its growth is then the square, and not judged."""

    def __init__(self, name, n, make, asks=False, most=None, memory=MEMORY, whole=None):
        self.name, self.n, self.make, self.asks, self.most, self.memory = name, n, make, asks, most, memory
        self.whole = whole


def written(path, text):
    path.write_text(text)
    return path


def lines(objects):
    return "\n".join(json.dumps(line, separators=(",", ":")) for line in objects) + "\n"


# MARK: Traces

def event(lane, name, argument=None, task=0, time_ns=None, **facts):
    line = {"t": time_ns} if time_ns is not None else {}
    line.update({"lane": lane, "task": task, "ev": name})
    if argument is not None:
        line["arg"] = argument
    if facts:
        line["facts"] = facts
    return line


def data(n):
    return [event("task", "data") for _ in range(n)]


def tasks(n):
    return [line for task in range(n // 4 + 1) for line in (
        event("harness", "resume", task=task), event("task", "response", "200", task=task),
        event("task", "data", task=task), event("task", "complete", "ok", task=task))]


def unfinished(n):
    return [event("task", "response" if turn == 0 else "data", "200" if turn == 0 else None, task=task)
            for turn in range(2) for task in range(n // 2 + 1)]


def interleaved(n):
    # As many loads as the rules follow at a time.
    return [event("task", "response" if number < 64 else "data", "200" if number < 64 else None, task=number % 64)
            for number in range(n)]


def redirects(n):
    return [line for number in range(n // 2 + 1) for line in (
        event("task", "redirect", "302", to=f"/{number}", proposed=f"GET http://127.0.0.1/{number}"),
        event("harness", "answer", "follow", to="redirect"))]


def challenges(n):
    return [line for number in range(n // 2 + 1) for line in (
        event("task", "challenge", "basic", realm="a", failures=number), event("harness", "answer", "use", to="challenge"))]


def unreturned(n):
    return [{"lane": "task", "task": 0, "ev": "data", "phase": "exit" if number % 3 == 0 else "enter",
             "thread": f"t{number % 7}"} for number in range(n)]


def alternating(n):
    return [event("task", ["data", "progress", "metrics", "bodySent"][number * number % 4]) for number in range(n)]


# A real exchange, as `proctor serve --journal` writes it.
def journal(n):
    for number in range(n // 4 + 1):
        place = {"scenario": "gate", "run": "r1", "connection": 0, "request": number}
        first = 2 + 4 * number
        ns = 1_000_000_000 + 1_000_000 * number
        if number == 0:
            yield {"seq": 1, "ns": ns, "scenario": "gate", "run": "r1", "connection": 0, "ev": "connectionOpened",
                   "origin": "main", "peer": "127.0.0.1:41150", "local": "127.0.0.1:37215"}
        yield {"seq": first, "ns": ns, **place, "ev": "requestHead", "method": "GET", "target": "/",
               "version": "HTTP/1.1", "framing": "none", "fields": [["Host", "127.0.0.1:37215"]],
               "bytes": "GET / HTTP/1.1\r\nHost: 127.0.0.1:37215\r\n\r\n"}
        yield {"seq": first + 1, "ns": ns, **place, "ev": "exchangeChosen", "exchange": 0, "turn": 0}
        yield {"seq": first + 2, "ns": ns, **place, "ev": "replyBegun", "status": 200, "fields": [["Content-Length", "0"]],
               "headByteCount": 40, "content": {"byteCount": 0, "body": ""}}
        yield {"seq": first + 3, "ns": ns, **place, "ev": "replySent", "status": 200, "byteCount": 40}


def graded(shape, with_journal=False, text=CASE):
    def make(n, folder):
        fixtures = folder / "fixtures"
        fixtures.mkdir(exist_ok=True)
        written(fixtures / "gate.yaml", text(n) if callable(text) else text)
        trace = written(folder / "trace", lines([HEADER] + shape(n)))
        arguments = ["grade", str(trace), "--scenario", "gate", "--case", "get", "--fixtures", str(fixtures)]
        files = [trace, fixtures / "gate.yaml"]
        if with_journal:
            files.append(written(folder / "journal", lines(journal(n))))
            arguments += ["--journal", str(files[-1])]
        return arguments, sum(file.stat().st_size for file in files)
    return make


def timed(n):
    """Requests between callbacks: with the times of the journal."""
    return [line for number in range(n // 4 + 1) for line in (
        event("task", "response", "200", number % 8, 1_000_500_000 + 1_000_000 * number),
        event("task", "data", None, number % 8, 1_000_600_000 + 1_000_000 * number))]


def case_with(key, entries):
    return CASE.replace("data* complete(ok) }", f"data* complete(ok), {key}: {entries} }}")


def edges(n):
    return case_with("edges", "[" + ", ".join(f'"task data[{number}] after task response"' for number in range(n)) + "]")


def facts(n):
    return case_with("facts", "{ " + ", ".join(f'"wire[{number}].target": /' for number in range(n // 64 + 1)) + " }")


# MARK: Scenarios

def checked(text):
    def make(n, folder):
        path = written(folder / "gate.yaml", text(n))
        return ["check", str(path)], path.stat().st_size
    return make


def exchanges(n, reply="{ status: 200 }"):
    return "summary: Many\nexchanges:\n" + "".join(f"  - {{ request: GET /{i}, reply: {reply} }}\n" for i in range(n))


def cases(n):
    return PAGE + "cases:\n" + "".join(f"  c{i}: {{ client: {{ url: / }}, wire: request(GET /) }}\n" for i in range(n))


def headers(n):
    fields = ", ".join(f"X-{i}: a" for i in range(n))
    return f"summary: Many\nexchanges: [{{ request: GET /, reply: {{ status: 200, headers: {{ {fields} }} }} }}]\n"


def mistakes(n):
    return PAGE + "".join(f"unknown{i}: 1\n" for i in range(n))


def patterns(n):
    return "summary: Many\nexchanges:\n" + "".join(
        f'  - {{ request: {{ method: GET, path: {{ matches: "/(a+)+b{i}" }} }}, reply: {{ status: 200 }} }}\n' for i in range(n))


def one(request="GET /", reply="{ status: 200 }", more=""):
    """A scenario with one exchange."""
    return f"summary: One\n{more}exchanges: [{{ request: {request}, reply: {reply} }}]\n"


def mapped(n, entry):
    """An inline mapping of n entries."""
    return "{ " + ", ".join(entry.format(i=i) for i in range(n)) + " }"


def listed(n, entry):
    return "[" + ", ".join(entry.format(i=i) for i in range(n)) + "]"


def post(keys):
    return f"{{ method: POST, path: /, {keys} }}"


def of_case(keys):
    return PAGE + "cases: { get: { client: { url: / }, wire: request(GET /)*, " + keys + " } }\n"


def origins(n):
    return "summary: Many\norigins: " + mapped(n, "o{i}: {{}}") + "\nexchanges:\n" + "".join(
        f"  - {{ origin: o{i}, request: GET /, reply: {{ status: 200 }} }}\n" for i in range(n))


def guards(n):
    return ("summary: Many\nguards: { lab: { users: " + mapped(n, "u{i}: p") + ", schemes: [basic, digest] } }\n"
            "exchanges: [{ request: GET /, auth: lab, reply: { status: 200 } }]\n")


def bearers(n, length):
    tokens = ", ".join(f"{'t' * max(0, length - 4)}{i:04}" for i in range(n))
    return ("summary: Many\nguards: { lab: { schemes: [bearer], tokens: [" + tokens + "] } }\n"
            "exchanges: [{ request: GET /, auth: lab, reply: { status: 200 } }]\n")


def script(text):
    return "summary: A script\nexchanges:\n  - request: GET /\n    reply:\n      script: |\n" + "".join(
        f"        {line}\n" for line in text)


def scripted(n):
    return script(["local a = 0"] + ["a = a + 1"] * n + ["return { status = 200 }"])


def counting(n):
    return script([f"for i = 1, {n} do math.abs(i) end", "return { status = 200 }"])


def opaque(n):
    steps = ", ".join('{ read: 1 }' if i % 2 else '{ send: "y" }' for i in range(n))
    return ("summary: Steps\nexchanges:\n  - request: GET /\n    reply: { status: 101, headers: "
            "{ Connection: Upgrade, Upgrade: gate }, opaque: [" + steps + ", { do: close }] }\n")


def cookies_set(n):
    """A reply with n cookies, and a case that has them judged."""
    fields = listed(n, "{{ Set-Cookie: c{i}=v }}")
    return ("summary: Many\nexchanges:\n"
            f"  - {{ request: GET /set, reply: {{ status: 200, headers: {fields} }} }}\n"
            "  - { request: GET /, reply: { status: 200 } }\n"
            "cases: { get: { client: { url: / }, wire: request(GET /)*, cookies: conforming } }\n")


def folder_of(arguments, text=lambda i: PAGE):
    """A command about a folder of n scenarios."""
    def make(n, folder):
        many = folder / "many"
        many.mkdir(exist_ok=True)
        files = {written(many / f"s{i}.yaml", text(i)) for i in range(n)}
        for old in many.iterdir():
            if old not in files:
                old.unlink()
        return [*arguments, str(many)], sum(file.stat().st_size for file in files)
    return make


def explained(n, folder):
    fixtures = folder / "fixtures"
    (fixtures / "gate").mkdir(parents=True, exist_ok=True)
    path = written(fixtures / "gate/many.yaml", cases(n))
    return ["explain", "gate/many", "--fixtures", str(fixtures)], path.stat().st_size


def profiles(n, folder):
    certs = folder / "certs"
    certs.mkdir(exist_ok=True)
    for old in certs.iterdir():
        old.unlink()
    files = [written(certs / f"gate-{i}.yaml", "summary: A certificate\nnames: { hosts: [localhost] }\nverdict: accept\n")
             for i in range(n)]
    return (["ca", "profiles", "--ca-dir", str(folder / "ca"), "--certs", str(certs)],
            sum(file.stat().st_size for file in files))


def graded_with(flag, text):
    """A short trace, with a ledger or a platform of n entries."""
    def make(n, folder):
        arguments, byte_count = graded(lambda _: data(4))(n, folder)
        path = written(folder / "beside.yaml", text(n))
        return [*arguments, flag, str(path)], byte_count + path.stat().st_size
    return make


def ledger(n):
    return 'client: gate\nversion: "1"\nadapter: gate\nadapterVersion: "1"\ndeviations:\n' + "".join(
        f"  gate#c{i}: {{ rule: RFC 9110 §1, because: it is so }}\n" for i in range(n))


# MARK: Journals and records

def told(n, folder, entries=journal):
    path = written(folder / "journal", lines(entries(n)))
    return ["journal", str(path)], path.stat().st_size


def runs(n):
    """A journal of as many runs."""
    for number in range(n // 5 + 1):
        for entry in journal(1):
            yield dict(entry, run=f"r{number}")


def records(n, folder, finding_count=None):
    """A real record, which an exam writes, many times under names of its own, or one with that many findings."""
    first = folder / "first.jsonl"
    if not first.exists():
        fixtures = folder / "fixtures"
        fixtures.mkdir(exist_ok=True)
        written(fixtures / "gate.yaml", CASE)
        adapter = written(folder / "adapter.py", ADAPTER)
        subprocess.run([PROCTOR, "exam", "--adapter", f"{sys.executable} {adapter} 1", "--fixtures", str(fixtures), "--json",
                        str(first), "--ephemeral-ca"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    header, *found = [json.loads(line) for line in first.read_text().splitlines()]
    with_case = [record for record in found if "case" in record][:1]
    rest = [record for record in found if "case" not in record]
    if finding_count:
        with_case = [dict(record, findings=[finding for finding in record["findings"] for _ in range(finding_count)])
                     for record in with_case]
    many = [header] + [dict(record, case=f"gate/s{i}#get") for i in range(n) for record in with_case] + rest
    path = written(folder / "records.jsonl", lines(many))
    return ["report", "show", str(path)], path.stat().st_size


def findings(n, folder):
    return records(1, folder, finding_count=n)


def reported(*arguments):
    """A command about the records of n cases; FILE and OUT stand for paths."""
    def make(n, folder):
        (_, _, path), byte_count = records(n, folder)
        paths = {"FILE": path, "OUT": str(folder / "out")}
        return ["report", *(paths.get(argument, argument) for argument in arguments)], (
            byte_count * arguments.count("FILE"))
    return make


ADAPTER = '''
import json, sys
json.load(sys.stdin)
print(json.dumps({"trace": "proctor", "version": 1, "client": "gate", "clock": "monotonic", "unit": "ns",
                  "lanes": ["task", "harness"]}))
sys.stdout.write('{"lane":"task","task":0,"ev":"data"}\\n' * int(sys.argv[1]))
'''


def examined(n, folder):
    fixtures = folder / "fixtures"
    fixtures.mkdir(exist_ok=True)
    written(fixtures / "gate.yaml", CASE)
    adapter = written(folder / "adapter.py", ADAPTER)
    return (["exam", "--adapter", f"{sys.executable} {adapter} {n}", "--fixtures", str(fixtures), "--ephemeral-ca"],
            n * len('{"lane":"task","task":0,"ev":"data"}\n'))


# MARK: The server

def ask(base, path, body=None, kind="POST", refusable=False):
    """What a call is answered with; a refusal by its content is an answer too where it may be one."""
    request = Request(base + path, data=body, method=kind)
    try:
        with urlopen(request, timeout=PATIENCE) as reply:
            return reply.read()
    except HTTPError as error:
        if refusable and error.code == 400:
            return error.read()
        raise Refused(f"{path} was answered with {error.code}: {error.read(500).decode(errors='replace')}") from error


def given(text):
    """POST /inline of a scenario."""
    def make(n, folder):
        body = text(n).encode()
        return lambda base: ask(base, "/__proctor/inline", body), len(body)
    return make


def graded_by_server(n, folder):
    body = lines([HEADER] + data(n)).encode()

    def call(base):
        run = json.loads(ask(base, "/__proctor/inline", CASE.encode()))["run"]
        ask(base, f"/__proctor/runs/{run}/grade", body)
    return call, len(body)


def matched(text, request):
    """Twenty requests, or lists of requests, to a scenario with n of something."""
    def make(n, folder):
        body = text(n).encode()

        def prepare(base):
            return json.loads(ask(base, "/__proctor/inline", body))["base"]

        def call(base):
            host, port = base.split("//")[1].split(":")
            for request in requests:
                with socket.create_connection((host, int(port)), timeout=PATIENCE) as connection:
                    connection.sendall(request.encode())
                    read_reply(connection)
        asked = request(n)
        requests = 20 * ([asked] if isinstance(asked, str) else asked)
        return (prepare, call), len(body) + sum(len(text) for text in requests)
    return make


def read_reply(connection):
    """Until the reply is whole, whoever ends the connection behind it."""
    reply = b""
    while piece := connection.recv(65_536):
        reply += piece
        fields, found, content = reply.partition(b"\r\n\r\n")
        length = re.search(rb"(?i)content-length: (\d+)", fields) if found else None
        if length and len(content) >= int(length[1]):
            return


def head(target="/none", fields="", method="GET"):
    return f"{method} {target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n{fields}\r\n"


def sent(body, kind="application/json"):
    return head("/", f"Content-Type: {kind}\r\nContent-Length: {len(body)}\r\n", "POST") + body


def pairs(n, joint):
    return joint.join(f"k{i}=v" for i in range(n))


# Conditions on content, each to be asked about content of a language.
JSON_CONDITIONS = {
    "json": "json: { contains: { a: { b: 1 } } }",
    "jsonpath": 'body: { jsonpath: { "$..none[?@.a == 1]": "7" } }',
    "schema": "body: { schema: { type: object, required: [none], additionalProperties: { type: string } } }",
}
XML_CONDITIONS = {
    "xml": 'body: { xml: "<r><none/></r>" }',
    "xpath": 'body: { xpath: { "//none[@a = 1]": "7" } }',
}
# JSON that grows, by what there is more of.
JSON_SHAPES = {
    "members of one name": (4_000, lambda n: "{" + ",".join(['"id":1'] * n) + "}"),
    "members": (4_000, lambda n: "{" + ",".join(f'"k{i}":1' for i in range(n)) + "}"),
    "depth": (40, lambda n: "[" + ",".join("[" * 90 + "]" * 90 for _ in range(n)) + "]"),
}
XML_SHAPES = {
    "members": (2_000, lambda n: "<r>" + "<a/>" * n + "</r>"),
    "attributes": (2_000, lambda n: "<r " + " ".join(f"a{i}=''" for i in range(n)) + "/>"),
    "namespaces": (1_000, lambda n: "<r " + " ".join(f"xmlns:p{i}='u{i}' p{i}:a=''" for i in range(n)) + "/>"),
    "depth": (20, lambda n: "<r>" + ("<a>" * 90 + "</a>" * 90) * n + "</r>"),
}
# Queries with many results, each with the text of all that it looks at.
RESULTS = {
    "jsonpath": ('body: { jsonpath: { "$..*": none } }', "application/json",
                 lambda n: "[" + ",".join(["[1]"] * n) + "]"),
    "jsonpath by filter": ('body: { jsonpath: { "$[?@ != $[0]]": none } }', "application/json",
                           lambda n: "[" + ",".join(str(i) for i in range(n)) + "]"),
    "xpath": ('body: { xpath: { "//*": none } }', "application/xml", lambda n: "<r>" + "<a>1</a>" * n + "</r>"),
    "xpath by comparison": ('body: { xpath: { "//a[. = //b]": none } }', "application/xml",
                            lambda n: "<r>" + "".join(f"<a>{i}</a>" for i in range(n)) + "<b/></r>"),
}
# Most values of a JSON text; of XML the kept content is the bound.
MOST_VALUES = 100_000


def of_conditions():
    """Each parser and condition with each shape of content, and queries with many results."""
    for conditions, shapes, kind in ((JSON_CONDITIONS, JSON_SHAPES, "application/json"),
                                     (XML_CONDITIONS, XML_SHAPES, "application/xml")):
        for condition, keys in conditions.items():
            for shape, (n, content) in shapes.items():
                most = MOST_VALUES // (90 if shape == "depth" else 1) // (4 if kind == "application/xml" else 1)
                yield asked(f"match: {condition}, {shape}", n, keys, kind, content, most)
    for condition, (keys, kind, content) in RESULTS.items():
        yield asked(f"match: {condition}, results", 1_000, keys, kind, content, MOST_VALUES // 4)
    yield asked("match: form, members", 100, 'form: { none: "1" }', "application/x-www-form-urlencoded",
                lambda n: pairs(n, "&"), 1_000)
    yield asked("match: multipart, members", 100, "parts: [{ name: none }]", "multipart/form-data; boundary=b",
                lambda n: "".join(f'--b\r\nContent-Disposition: form-data; name="k{i}"\r\n\r\nv\r\n'
                                  for i in range(n)) + "--b--\r\n", 1_000)


def asked(name, n, keys, kind, content, most):
    # The content is kept, read, and told in the journal: twenty times.
    return Row(name, n, matched(lambda n: one(post(keys)), lambda n: sent(content(n), kind)), asks=True, most=most,
               memory=400)


def with_cookies(n):
    return [head("/set"), head("/", f"Cookie: {pairs(n, '; ').replace('k', 'c')}\r\n")]


# MARK: Files of other tools

# What grows in a file, and the first N of it.
TURNS = "replies by turn"
GROWING = {"exchanges": (foreign.entries, 4_000), TURNS: (foreign.turns, 250), "secrets": (foreign.secrets, 2_000),
           "short secrets": (foreign.short_secrets, 10_000), "bytes of a reply": (foreign.content, 500_000)}


def fresh(folder):
    """A folder that no call before has filled."""
    return tempfile.mkdtemp(dir=folder)


def imported(kind, maker, name="file"):
    def make(n, folder):
        path = folder / f"{name}-{n}"
        path.write_bytes(maker(n))
        # Each round writes below a folder of its own, since a file that is there is left alone.
        return (lambda: ["import", kind, str(path), "--into", fresh(folder), "--id", "gate"]), path.stat().st_size
    return make


def imported_by_server(kind, maker):
    def make(n, folder):
        body = maker(n)
        return lambda base: ask(base, f"/__proctor/import?kind={kind}", body, refusable=True), len(body)
    return make


def mappings(n, folder):
    place = folder / f"wiremock-{n}" / "mappings"
    place.mkdir(parents=True, exist_ok=True)
    file = place / "all.json"
    file.write_bytes(foreign.wiremock(foreign.turns(n)))
    return (lambda: ["import", "wiremock", str(place.parent), "--into", fresh(folder), "--id", "gate"]), file.stat().st_size


def curl_lines(n, folder):
    # Targets of their own, since requests that differ in their contents alone are compared in pairs, within a bound of steps.
    exchanges = [(method, f"/{number}", *rest) for number, (method, _, *rest) in enumerate(foreign.turns(n))]
    lines = foreign.curl(exchanges).decode().split("\n")
    return (lambda: ["import", "curl", *lines, "--into", fresh(folder), "--id", "gate"]), sum(map(len, lines))


def exported(kind):
    def make(n, folder):
        fixtures = folder / f"export-{n}"
        fixtures.mkdir(exist_ok=True)
        file = written(fixtures / "gate.yaml", exchanges(n))
        return ["export", kind, "gate", "--fixtures", str(fixtures)], file.stat().st_size
    return make


def proposed(n, folder):
    path = written(folder / "trace", lines([HEADER] + alternating(n)))
    return ["record", str(path)], path.stat().st_size


def searched(n, folder):
    words = [f"word{i}" for i in range(n)]
    return ["docs", *words], sum(map(len, words))


FOREIGN = [
    Row(f"import {kind}: {what}", n, imported(kind, lambda n, make=maker, grow=grow: make(grow(n))),
        # A scenario has at most 1,000 exchanges, and each is held against those before it.
        **({"most": 1_000, "whole": 2} if what == TURNS else {}))
    for kind, maker in foreign.KINDS.items() for what, (grow, n) in GROWING.items()
    # A description has neither fields nor replies by turn.
    if kind != "openapi" or what in ("exchanges", "bytes of a reply")
] + [
    Row(f"import {kind} over the API: {what}", GROWING[what][1], imported_by_server(
        kind, lambda n, make=maker, grow=GROWING[what][0]: make(grow(n))), asks=True)
    for kind, maker in foreign.KINDS.items() for what in ("exchanges", "secrets", "bytes of a reply")
    if kind != "openapi" or what != "secrets"
] + [
    Row("import har: entries without anything", 100_000, imported("har", lambda n: foreign.har_of([{}] * n)), memory=6),
    Row("import har: values that nobody reads", 100_000, imported(
        "har", lambda n: foreign.har_of([], unread=[0] * n)), memory=6),
    # The scenario that is written has seven lines for each, 400 bytes in memory.
    Row("import har: entries of 73 bytes", 20_000, imported("har", lambda n: foreign.har_of([{
        "request": {"method": "GET", "url": "http://a/"}, "response": {"status": 200}}] * n)), memory=8),
    Row("import har: headers that are none", 200_000, imported("har", lambda n: foreign.har_of([{
        "request": {"method": "GET", "url": "http://a/"}, "response": {"status": 200, "headers": [0] * n}}])), memory=6),
    Row("import har: URLs of hosts in replies", 4_000, imported("har", lambda n: foreign.har(foreign.addresses(n)))),
    Row("import http: bytes of a trace of curl", 200_000, imported(
        "http", lambda n: foreign.trace(foreign.content(n)))),
    Row("import http: exchanges of a trace of curl", 1_000, imported(
        "http", lambda n: foreign.trace(foreign.entries(n)))),
    Row("import vcr: values that nobody reads", 200_000, imported(
        "vcr", lambda n: foreign.cassette("- {}\n", "\n" + "- 0\n" * n)), memory=6),
    Row("import vcr: values in one line", 200_000, imported(
        "vcr", lambda n: foreign.cassette("- {}\n", "[" + "0," * n + "0]")), memory=6),
    Row("import vcr: mappings of one key", 100_000, imported(
        "vcr", lambda n: foreign.cassette("- {}\n", "\n" + "- a: b\n" * n)), memory=6),
    Row("import vcr: keys of one mapping", 50_000, imported(
        "vcr", lambda n: foreign.cassette("- {}\n", "\n" + "".join(f"  k{i}: v\n" for i in range(n)))), memory=10),
    Row("import vcr: interactions without anything", 100_000, imported(
        "vcr", lambda n: foreign.cassette("- {}\n" * n)), memory=6),
    Row("import vcr: interactions of 250 bytes", 5_000, imported(
        "vcr", lambda n: foreign.cassette(foreign.INTERACTION * n)), memory=6),
    Row("import vcr: aliases", 10_000, imported(
        "vcr", lambda n: foreign.cassette("- {}\n", "[&a [x, y, z]" + ", *a" * n + "]")), memory=12),
    Row("import vcr: anchors", 20_000, imported(
        "vcr", lambda n: foreign.cassette("- {}\n", "[" + ",".join(f"&a{i} 0" for i in range(n)) + "]")), most=100_000),
    Row("import vcr: placeholders in a request", 20_000, imported("vcr", lambda n: foreign.vcr([foreign.placeholders(n)]))),
    Row("import postman: variables", 20_000, imported("postman", foreign.variables)),
    Row("import wiremock: mappings", 200, mappings, most=1_000),
    Row("import curl: lines", 200, curl_lines, most=1_000),
    Row("import openapi: schemas", 1_000, imported("openapi", foreign.schemas)),
    Row("import openapi: properties", 2_000, imported("openapi", foreign.properties)),
    Row("export har: exchanges", 200, exported("har"), most=1_000),
    Row("export curl: exchanges", 200, exported("curl"), most=1_000),
    Row("export wiremock: exchanges", 200, exported("wiremock"), most=1_000),
    Row("record: callbacks", 20_000, proposed),
    Row("docs: words", 200, searched),
]
ROWS = [
    Row("grade: data of one lane", 50_000, graded(data)),
    Row("grade: many tasks", 20_000, graded(tasks)),
    # Two short lines make a task, whose automaton is kept to the end: 2.6 KiB.
    Row("grade: tasks that never end", 20_000, graded(unfinished), memory=40),
    Row("grade: lanes that alternate", 20_000, graded(interleaved)),
    Row("grade: redirects", 20_000, graded(redirects)),
    Row("grade: challenges", 20_000, graded(challenges)),
    Row("grade: callbacks without returns", 20_000, graded(unreturned)),
    Row("grade: a timeline of different events", 20_000, graded(alternating)),
    Row("grade: a journal beside a short trace", 20_000, graded(lambda n: data(4), with_journal=True)),
    Row("grade: requests between callbacks", 10_000, graded(timed, with_journal=True)),
    Row("grade: edges", 10_000, graded(data, text=edges(16))),
    Row("grade: edges of a case", 25, graded(lambda n: data(100), text=edges), most=100),
    Row("grade: facts and their requests", 10_000, graded(lambda n: data(4), with_journal=True, text=facts)),
    Row("check: exchanges", 200, checked(exchanges), most=1_000),
    Row("check: cases", 50, checked(cases), most=200),
    Row("check: fields of a reply", 250, checked(headers), most=1_000),
    Row("check: mistakes", 2_000, checked(mistakes)),
    Row("grade: deviations of a ledger", 2_000, graded_with("--ledger", ledger)),
    Row("check: patterns of fields", 100, checked(lambda n: one(
        f"{{ method: GET, path: /, headers: {mapped(n, 'X-{i}: a')} }}")), most=1_000),
    Row("check: items of a query", 100, checked(lambda n: one(
        f"{{ method: GET, path: /, query: {mapped(n, 'k{i}: v')} }}")), most=1_000),
    Row("check: JSON of a request", 2_000, checked(lambda n: one(post(f"json: {listed(n, '{i}')}")))),
    Row("check: effects of a reply", 100, checked(lambda n: one(reply=(
        "{ status: 200, body: { repeat: x, bytes: 100000 }, effects: " + listed(n, "{{ at: body {i}, do: wait 1ms }}")
        + " }"))), most=1_000),
    Row("check: pieces of a body", 2_000, checked(lambda n: one(
        reply=f"{{ status: 200, body: {listed(n, 'a{i}')} }}")), most=65_536),
    Row("check: origins", 16, checked(origins), most=64),
    Row("check: users of a guard", 25, checked(guards), most=100),
    Row("check: steps of a case", 25, checked(lambda n: PAGE + (
        f"cases: {{ get: {{ client: {listed(n, '{{ url: / }}')}, wire: request(GET /)* }} }}\n")), most=100),
    Row("check: facts of a case", 250, checked(lambda n: of_case(
        "facts: " + mapped(n, '"wire[{i}].target": /'))), most=1_000),
    Row("check: events of an expression", 500, checked(lambda n: of_case(
        "task: response(200) " + "data " * n + "complete(ok)"))),
    Row("check: lines of a script", 500, checked(scripted)),
    Row("check: steps of an opaque script", 250, checked(opaque), most=1_000),
    # A scenario takes 3 KiB, and its file here has 71 bytes.
    Row("list: scenarios", 200, folder_of(["list"]), memory=64),
    Row("check: scenarios", 200, folder_of(["check"]), memory=64),
    Row("search: scenarios", 200, folder_of(["search", "page", "--fixtures"]), memory=64),
    Row("explain: cases", 50, explained, most=200),
    Row("ca: profiles of certificates", 50, profiles),
    Row("inline: exchanges", 200, given(exchanges), asks=True, most=1_000),
    Row("inline: cases", 50, given(cases), asks=True, most=200),
    Row("verdict over the API: data of one lane", 20_000, graded_by_server, asks=True),
    Row("match: exchanges", 200, matched(exchanges, lambda n: head()), asks=True, most=1_000),
    Row("match: patterns", 50, matched(patterns, lambda n: head("/" + "a" * 200)), asks=True, most=1_000),
    Row("match: fields of a request", 20, matched(lambda n: exchanges(20), lambda n: head(fields="".join(
        f"X-{i}: a\r\n" for i in range(n)))), asks=True, most=90),
    Row("match: items of a query", 100, matched(lambda n: one(
        f"{{ method: GET, path: /, query: {mapped(n, 'k{i}: v')} }}"),
        lambda n: head("/?" + pairs(n, "&"))), asks=True, most=1_000),
    Row("match: patterns of a query", 50, matched(lambda n: one(
        "{ method: GET, path: /, query: " + mapped(n, 'k{i}: {{ matches: "a*b" }}') + " }"),
        lambda n: head("/?" + pairs(n, "&"))), asks=True, most=1_000),
    # At most 65,536 bytes may be looked for.
    Row("match: a long text in a body", 16_000, matched(lambda n: one(post('body: { contains: "' + "a" * n + 'b" }')),
        lambda n: sent("a" * 4 * n)), asks=True, most=64_000),
    Row("match: JSON of a request", 25, matched(lambda n: one(post(
        f"json: {{ contains: {{ unordered: {listed(n, '{i}')} }} }}")),
        lambda n: sent(json.dumps(list(range(n, 0, -1))))), asks=True, most=200),
    Row("match: JSON of a long request", 2_000, matched(lambda n: one(post("json: { contains: { unordered: [-1, -2] } }")),
        lambda n: sent(json.dumps(list(range(n))))), asks=True, most=100_000),
    Row("match: fields of a form", 100, matched(lambda n: one(post(f"form: {mapped(n, 'k{i}: v')}")),
        lambda n: sent(pairs(n, "&"), "application/x-www-form-urlencoded")), asks=True, most=1_000),
    Row("match: cookies of a request", 25, matched(lambda n: one(
        "{ method: GET, path: /, cookies: " + mapped(n, "k{i}: v") + " }"),
        lambda n: head("/", f"Cookie: {pairs(n, '; ')}\r\n")), asks=True, most=100),
    # The journal keeps each cookie of twenty replies and requests: 2 KiB, where the input has 6 bytes.
    Row("match: cookies of a jar", 50, matched(cookies_set, with_cookies), asks=True, most=1_000, memory=400),
    Row("match: users of a guard", 25, matched(guards, lambda n: head("/", "Authorization: Basic dTk5OnA=\r\n")),
        asks=True, most=100),
    Row("match: parameters of Digest", 250, matched(lambda n: guards(5), lambda n: head(
        "/", f"Authorization: Digest username=u1, {', '.join(f'k{i}=v' for i in range(n))}\r\n")), asks=True, most=4_000),
    Row("match: a long Bearer token", 2_000, matched(lambda n: bearers(20, n), lambda n: head(
        "/", f"Authorization: Bearer {'t' * n}\r\n")), asks=True, most=16_000),
    Row("match: a script that counts", 20_000, matched(counting, lambda n: head("/")), asks=True, most=400_000),
    Row("play: steps of an opaque script", 100, matched(opaque, lambda n: [
        head("/", "Upgrade: gate\r\n").replace("close", "Upgrade") + "x" * n]), asks=True, most=1_000),
    *of_conditions(),
    Row("exam: lines of an adapter", 20_000, examined),
    Row("journal: entries", 8_000, told),
    Row("journal: runs", 8_000, lambda n, folder: told(n, folder, runs)),
    Row("report: records", 400, records),
    Row("report: findings of a record", 400, findings),
    Row("report: records of two files", 400, reported("diff", "FILE", "FILE")),
    Row("report: records to merge", 400, reported("merge", "FILE", "FILE", "-o", "OUT")),
    Row("report: records as pages", 100, reported("html", "OUT", "FILE")),
    *FOREIGN,
]
SAMPLE = ["grade: data of one lane", "grade: many tasks", "grade: requests between callbacks", "check: exchanges",
          "journal: entries", "match: a long text in a body"]


# MARK: Measuring

class Call:
    """What one call took: processor seconds and the most bytes of memory."""

    def __init__(self, seconds, memory):
        self.seconds, self.memory = seconds, memory


class TooSlow(Exception):
    pass


class Refused(Exception):
    """The input is not what the entry point takes: a fault of the row."""


def run(arguments):
    if callable(arguments):
        arguments = arguments()
    spent = SPENDER.run([PROCTOR, *arguments], PATIENCE)
    if spent is None:
        raise TooSlow(f"more than {PATIENCE} s")
    code, seconds, memory, _ = spent
    # Fixtures with mistakes and clients that fail exit with 1; anything else is a fault of the gate.
    if code not in (0, 1):
        raise SystemExit(f"proctor {' '.join(arguments)} ended with {code}")
    return Call(seconds, memory)


class Server:
    """A server of its own for each measurement, so that its memory is what the call took."""

    def __init__(self, folder):
        ready = folder / "ready"
        ready.unlink(missing_ok=True)
        fixtures = folder / "served"
        fixtures.mkdir(exist_ok=True)
        written(fixtures / "gate.yaml", PAGE)
        self.process = subprocess.Popen(
            [PROCTOR, "serve", "--port", "0", "--fixtures", str(fixtures), "--ready-file", str(ready), "--ephemeral-ca"],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + 20
        while not ready.exists():
            if time.monotonic() > end or self.process.poll() is not None:
                raise SystemExit("proctor serve did not begin")
            time.sleep(0.01)
        self.base = json.loads(ready.read_text())["base"]

    def usage(self):
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        peak = next(int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmHWM"))
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK"), peak

    def stop(self):
        self.process.kill()
        self.process.wait()


def ask_server(call, folder):
    server = Server(folder)
    try:
        base = server.base
        if isinstance(call, tuple):
            prepare, call = call
            base = prepare(base)
        before, _ = server.usage()
        try:
            call(base)
        except TimeoutError as error:
            raise TooSlow(f"more than {PATIENCE} s") from error
        after, peak = server.usage()
        return Call(after - before, peak)
    finally:
        server.stop()


def measure(row, n, folder, rounds):
    what, byte_count = row.make(n, folder)
    calls = [ask_server(what, folder) if row.asks else run(what) for _ in range(rounds)]
    return Call(min(call.seconds for call in calls), min(call.memory for call in calls)), byte_count


def judge(row, folder, quick):
    """The row of the table, and whether it is green."""
    n = row.n
    try:
        start, _ = measure(row, 1, folder, 1 if quick else 3)
        for _ in range(6):
            four, byte_count = measure(row, 4 * n, folder, 1)
            if row.whole or quick or four.seconds - start.seconds >= TELLING or row.most and 8 * n > row.most:
                break
            n *= 2
        found = [measure(row, n * factor, folder, 3) for factor in (1, 2, 4)]
    except (TooSlow, Refused) as error:
        return [row.name, str(n), "", "", "", "", "", f"**red**: {error}"], False
    # What is hardly to be measured counts as a hundredth of a second.
    seconds = [max(call.seconds - start.seconds, 0.01) for call, _ in found]
    byte_count = found[2][1]
    memory = max(0, found[2][0].memory - start.memory)
    growth = [seconds[1] / seconds[0], seconds[2] / seconds[1]]
    share = max(0, memory - SLACK) / byte_count
    faults = []
    # One doubling alone may be a step of the system's; both, or the whole, are the program's.
    if row.whole is None and (seconds[2] / seconds[0] > GROWTH ** 2 or min(growth) > GROWTH):
        faults.append("time")
    elif row.whole is not None and seconds[2] > row.whole:
        faults.append(f"time: more than {row.whole} s")
    if share > row.memory:
        faults.append("memory")
    cells = [row.name, str(n)] + [f"{one:.2f}" for one in seconds] + [
        f"{growth[0]:.1f}, {growth[1]:.1f}", f"{memory >> 20} MiB of {byte_count / (1 << 20):.1f}",
        "green" if not faults else f"**red**: {' and '.join(faults)}"]
    return cells, not faults


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="NAMES", help="beginnings of names of rows, with commas between them")
    parser.add_argument("--quick", action="store_true", help="a sample, with small N")
    parser.add_argument("--list", action="store_true", help="name the rows and end")
    parser.add_argument("--table", type=Path, metavar="FILE", help="write the table here too")
    options = parser.parse_args()
    wanted = [name for name in options.only.split(",") if name]
    rows = [row for row in ROWS if not wanted or any(row.name.startswith(name) for name in wanted)]
    if options.quick:
        rows = [row for row in rows if row.name in SAMPLE]
    if not rows:
        parser.error("no row is named so; --list names them")
    if options.list:
        print("\n".join(row.name for row in rows))
        return
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    table = [f"{datetime.date.today()}, commit {commit}, {os.cpu_count()} cores, {platform.system()} {platform.machine()}", "",
             "| entry point and list | N | N s | 2N s | 4N s | growth | memory of 4N | |", "|---|---:|---:|---:|---:|---|---|---|"]
    is_green = True
    random.seed(1)
    for row in rows:
        with tempfile.TemporaryDirectory(prefix="proctor-complexity-") as name:
            cells, is_row_green = judge(row, Path(name), options.quick)
        is_green = is_green and is_row_green
        table.append("| " + " | ".join(cells) + " |")
        print(table[-1], flush=True)
        if options.table:
            options.table.write_text("\n".join(table) + "\n")
    print(f"{len(rows)} rows, {'all green' if is_green else 'some of them red'}")
    sys.exit(0 if is_green else 1)


if __name__ == "__main__":
    main()
