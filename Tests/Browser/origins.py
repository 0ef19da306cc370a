#!/usr/bin/env python3
"""Attacks the pages and the control API from web pages, in each browser of this machine.

    Tests/Browser/origins.py PROGRAM                            all browsers that are installed (make test-pages)
    Tests/Browser/origins.py PROGRAM --browser firefox          this one, which must be there; may be repeated
    Tests/Browser/origins.py PROGRAM --only reflected,rebound   pages whose name has one of the words, and the control

Pages of several origins try to read and to change what the control API has. None may read anything, and what the server
has must stay as it was. The last page stands in the pages' own origin: there each attack must succeed, or the others
would prove nothing.
"""

import argparse
import base64
import http.server
import json
import os
import pathlib
import queue
import signal
import sys
import tempfile
import threading
import time
import typing

import browsers
from browsers import REBOUND
from middle import Middle, reply, web_socket
from server import Server, get, send

# Seconds in which a page has tried everything; an attack that nothing answers is given up before.
WHOLE_PATIENCE = 40
HERE = pathlib.Path(__file__).resolve().parent
SECRET = "s3cret"
# What only a reply of the control API or a page has, never the URL that was asked for.
MARKS = [SECRET, '"runs":[', '"scenarios":[']
READING = ["a fetch", "a fetch that hides what it may", "a fetch without CORS", "a frame", "a window", "an event stream",
           "a WebSocket", "a service worker"]  # fmt: skip
FETCH_METADATA = ["sec-fetch-"]
# What keeps pages of one origin apart too, so that the control could not reach into them.
PAGE_FIELDS = ["content-security-policy:", "cross-origin-opener-policy:"]


def write_fixtures(folder):
    """Scenarios whose summaries are the secret, and one that serves what an attacker has written."""
    kept = 'summary: "{}"\n{}exchanges:\n  - request: GET /hello\n    reply: {{ status: 200, body: "hi" }}\n'
    files = {"victim": (SECRET, ""), "post": ("A", ""), "blind": ("B", ""), "form": ("C", ""), "deleted": ("D", ""), "reset": ("E", "")}
    files["rooted"] = ("F", "origins: { main: {}, other: {} }\n")
    (folder / "kept").mkdir()
    for name, words in files.items():
        (folder / "kept" / f"{name}.yaml").write_text(kept.format(*words))
    hooks = '  - { request: POST /orders, reply: 202, webhooks: [{ to: "{{request.json/hook}}", wants: any }] }\n'
    (folder / "kept" / "hooks.yaml").write_text('summary: "H"\nexchanges:\n' + hooks)
    (folder / "evil").mkdir()
    lines = ["summary: What somebody else has written", "exchanges:"]
    for path, kind, text in [("/attack", "text/html", "ATTACK"), ("/worker.js", "text/javascript", (HERE / "worker.js").read_text())]:
        content = json.dumps(text)
        lines += [f"  - request: GET {path}", f"    reply: {{ status: 200, headers: {{ Content-Type: {kind} }}, body: {content} }}"]
    (folder / "evil" / "page.yaml").write_text("\n".join(lines) + "\n")


class Attacked:
    """A server with runs that are to stay as they are."""

    def __init__(self, program, collector, *arguments):
        self.folder = tempfile.TemporaryDirectory()
        fixtures = pathlib.Path(self.folder.name)
        write_fixtures(fixtures)
        page = fixtures / "evil" / "page.yaml"
        page.write_text(page.read_text().replace('"ATTACK"', json.dumps(collector.page)))
        self.server = Server(program, *arguments, fixtures=fixtures)
        self.port = self.server.port
        self.victim = self.server.run("kept/victim")
        self.deleted = self.server.run("kept/deleted")
        self.reset = self.server.run("kept/reset")
        self.evil = self.server.run("evil/page")
        get(self.victim, f"/hello?{SECRET}")
        get(self.reset, "/hello")
        self.hooks = self.server.run("kept/hooks")
        self.listener = Listener()
        # Its run on the shared port begins with its first request.
        get({"base": self.server.base}, "/kept/hooks/orders")

    def state(self):
        """What an attack could change: runs, scenarios that were added, and what a run has seen."""
        overview = self.server.call("GET", "overview")["runs"]
        runs = [(one["run"], one["scenario"], one["requests"]) for one in overview if one["run"] == self.reset["run"]]
        made = [(one["run"], one["scenario"]) for one in self.server.call("GET", "runs")["runs"]]
        # A scenario of the shared port has a run from its first request on, which the attacking page itself makes.
        return {"seen": runs, "runs": sorted(one for one in made if one[1].startswith("kept/")),
                "sets": self.server.call("GET", "sets")["scenarios"]}  # fmt: skip

    def reached(self):
        """How many webhooks have come to a program of this machine, once each has an outcome."""
        runs = [one["run"] for one in self.server.call("GET", "runs")["runs"] if one["scenario"] == "kept/hooks"]
        end = time.monotonic() + WHOLE_PATIENCE
        for run in runs:
            while True:
                entries = self.server.lines(f"runs/{run}/journal?wait=1000")
                asked = sum(one["ev"] == "requestHead" and one["method"] == "POST" for one in entries)
                if sum(one["ev"] in ("webhookAnswered", "webhookUnanswered") for one in entries) >= asked:
                    break
                if time.monotonic() > end:
                    raise SystemExit(f"origins: not each of {asked} webhooks has an outcome after {WHOLE_PATIENCE} s")
        return self.listener.count

    def faults_of_gate(self):
        """A program of this machine asks as the pages did: its webhook must come, or that of no page would prove nothing."""
        before = self.reached()
        body = json.dumps({"hook": self.listener.url})
        send(self.hooks, f"POST /orders HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n{body}")
        return [] if self.reached() == before + 1 else ["the webhook that a program asks for did not come"]

    def settings(self, page, collector):
        # Milliseconds: what succeeds is waited for, what is refused only as long as a refusal may take.
        patience = 20_000 if page.name == CONTROL else 2_000
        run = f"/__proctor/runs/{self.victim['run']}"
        shown = f"/__proctor/ui/runs/{self.victim['run']}"
        return {
            "targets": page.targets, "worker": page.worker, "collector": collector.base, "secret": SECRET, "page": shown,
            "patience": patience,
            "hooks": {"run": self.hooks["base"], "listeners": [
                f"http://{host}:{self.port}/__proctor/{call}" for host in ("127.0.0.1", "localhost", "127.0.0.2")
                for call in (f"runs/{self.reset['run']}/reset", "runs", "ui/start?scenario=kept/form")] + [self.listener.url]},
            "paths": ["/__proctor/runs", f"{run}/journal", shown, "/__proctor/scenarios", "/kept/victim", "/kept", "/"],
            "events": f"{run}/events", "reset": f"/__proctor/runs/{self.reset['run']}/reset", "deleted": f"/__proctor/runs/{self.deleted['run']}",
            "scenario": 'summary: "G"\nexchanges:\n  - request: GET /\n    reply: { status: 200 }\n',
        }  # fmt: skip

    def stop(self):
        self.server.stop()
        self.listener.server.shutdown()
        self.folder.cleanup()


class Listener:
    """A program of this machine at a port of its own, which counts what comes."""

    def __init__(self):
        self.count = 0
        listener = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                listener.count += 1
                self.rfile.read(int(self.headers.get("Content-Length", 0)))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/hook"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()


class Collector:
    """The attacker's own server: it has the script of every page, gets the outcomes, and names the next page."""

    def __init__(self):
        self.outcomes, self.next, self.settings = queue.Queue(), queue.Queue(), {}
        collector = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                if self.path == "/next":
                    target = collector.next.get()
                    self.send_response(307)
                    self.send_header("Location", target)
                    self.send_header("Content-Length", "0")
                    return self.end_headers()
                kind, text = collector.answer(self.path) or ("text/plain", "")
                self.wfile.write(reply(text, kind))

            def do_POST(self):
                collector.outcomes.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.wfile.write(reply("", "text/plain"))

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]
        self.base = f"http://127.0.0.1:{self.port}"
        self.page = f'<!doctype html><title>attack</title><body><script src="{self.base}/attacks.js"></script>'
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def answer(self, path):
        if path == "/attacks.js":
            return "text/javascript", f"const settings = {json.dumps(self.settings)};\n" + (HERE / "attacks.js").read_text()
        return ("text/html", self.page) if path == "/attack" else None


class Page(typing.NamedTuple):
    """A page that attacks; `worker` is the path of a service worker of its origin."""

    name: str
    attacked: Attacked
    url: str
    targets: list
    worker: str | None = None


def pages(plain, packed, collector, unmarked, pages_own):
    """`packed` has the pack httpbin too, which answers for everything at the root."""
    port, run = plain.port, plain.evil["base"]
    scenarios, control = f"http://127.0.0.1:{port}", f"http://proctor.localhost:{port}"
    reflected = base64.urlsafe_b64encode(collector.page.encode()).decode()
    page, worker = "/evil/page/attack", "/evil/page/worker.js"

    def attacking(name, url, *targets, worker=None):
        return Page(name, plain, url, targets, worker)

    root = f"http://127.0.0.1:{packed.port}"
    return [
        Page("reflected by a pack", packed, f"{root}/base64/{reflected}", [root, f"http://proctor.localhost:{packed.port}"]),
        attacking("fixture with HTML", scenarios + page, scenarios, control, worker=worker),
        attacking("fixture by another name", f"http://localhost:{port}{page}", f"http://localhost:{port}", scenarios, worker=worker),
        attacking("port of a run", f"{run}/attack", scenarios, control, worker="/worker.js"),
        attacking("site on another port", f"{collector.base}/attack", scenarios, control),
        attacking("site on another port of the pages' host", f"http://proctor.localhost:{collector.port}/attack", scenarios, control),
        attacking("rebound name", f"http://{REBOUND}:{port}{page}", f"http://{REBOUND}:{port}", scenarios, control),
        attacking("browser without Fetch Metadata", f"http://127.0.0.1:{unmarked}{page}", f"http://127.0.0.1:{unmarked}",
                  f"http://proctor.localhost:{unmarked}", worker=worker),  # fmt: skip
        attacking(CONTROL, f"http://proctor.localhost:{pages_own}/attack", f"http://proctor.localhost:{pages_own}", worker="/worker.js"),
    ]


CONTROL = "pages' own origin"


def faults(page, outcomes, before, after):
    """What an attack could read or change, or in the pages' own origin what it could not."""
    found = [f"{name}: {text}" for name, text in outcomes.items() if text and text.startswith("failed: ")]
    if page.worker and not page.url.startswith(f"http://{REBOUND}"):
        found += ["no service worker was tried"] if outcomes[f"a service worker at {page.targets[0]}"] is None else []
    read = {name for name, text in outcomes.items() if text and any(mark in text for mark in MARKS)}
    if page.name != CONTROL:
        found += [f"{name} has read {outcomes[name][:300]!r}" for name in sorted(read)]
        return found + ([f"the server has changed: {before}\n      to {after}"] if before != after else [])
    found += [f"{name} could not read: {outcomes.get(f'{name} at {page.targets[0]}', '')[:300]!r}"
              for name in READING if f"{name} at {page.targets[0]}" not in read]  # fmt: skip
    made = {scenario for _, scenario in after["runs"]} - {scenario for _, scenario in before["runs"]}
    wanted = {"kept/post", "kept/blind", "kept/form", "kept/rooted"}
    if made != wanted:
        found.append(f"runs of {sorted(wanted)} were to be made, and are of {sorted(made)}")
    if not after["sets"] or [count for _, _, count in after["seen"]] != [0]:
        found.append(f"a scenario was to be added, and a run to begin again: {after}")
    if any(scenario == "kept/deleted" for _, scenario in after["runs"]):
        found.append("a run was to be deleted")
    return found


def attack(browser, program, words):
    """Every page in one browser; returns how many there were, and how many failed."""
    collector = Collector()
    plain, packed = Attacked(program, collector), Attacked(program, collector, "--pack", "httpbin")
    own = {"/attack": ("text/html", collector.page), "/worker.js": ("text/javascript", (HERE / "worker.js").read_text())}

    def answer(path, fields):
        if "sec-websocket-key" in fields:
            return web_socket(fields, SECRET)
        return reply(own[path][1], own[path][0]) if path in own else None

    unmarked = Middle(plain.port, lost=FETCH_METADATA)
    pages_own = Middle(plain.port, lost=PAGE_FIELDS, answers=answer)
    proxy = Middle()
    failedCount = 0
    wanted = [page for page in pages(plain, packed, collector, unmarked.own_port, pages_own.own_port)
              if page.name == CONTROL or any(word in page.name for word in words)]  # fmt: skip
    try:
        for page in wanted:
            begin = time.monotonic()
            collector.settings = page.attacked.settings(page, collector)
            before, reached = page.attacked.state(), page.attacked.reached()
            if page is wanted[0]:
                browser.open(page.url, proxy.own_port)
            else:
                collector.next.put(page.url)
            try:
                outcomes = collector.outcomes.get(timeout=WHOLE_PATIENCE)
                found = [] if page.attacked.reached() == reached else ["a webhook has reached another port of the machine"]
                found += faults(page, outcomes, before, page.attacked.state())
            except queue.Empty:
                outcomes, found = None, [f"nothing came within {WHOLE_PATIENCE} s; the browser has said:\n{browser.said()}"]
            failedCount += bool(found)
            print(f"  {'✗' if found else '✓'} {browser.name}: {page.name} ({time.monotonic() - begin:.1f} s)", flush=True)
            for fault in found:
                print(f"      {fault}", flush=True)
            if outcomes is None:
                failedCount += len(wanted) - wanted.index(page) - 1
                break
        for fault in plain.faults_of_gate() + packed.faults_of_gate():
            failedCount += 1
            print(f"  ✗ {browser.name}: {fault}", flush=True)
    finally:
        browser.close()
        plain.stop()
        packed.stop()
        for one in (unmarked, pages_own, proxy):
            one.close()
        collector.server.shutdown()
    return len(wanted), failedCount


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the binary of proctor")
    parser.add_argument("--browser", action="append", choices=browsers.ALL, help="which must be there; may be repeated")
    parser.add_argument("--only", default="", metavar="WORDS", help="pages whose name has one of them, with commas between")
    options = parser.parse_args()
    missing = [name for name in options.browser or [] if not browsers.ALL[name].program()]
    if missing:
        raise SystemExit(f"origins: not installed: {', '.join(missing)}; Scripts/install-packages.sh pages installs all")
    chosen = [one for name, one in browsers.ALL.items() if one.program() and name in (options.browser or browsers.ALL)]
    if not chosen:
        raise SystemExit("origins: there is no browser; Scripts/install-packages.sh pages installs three")
    # So that whoever ends this ends the browser and the servers too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit("origins: ended by SIGTERM"))
    counts = [attack(one(), os.path.abspath(options.program), options.only.split(",")) for one in chosen]
    count, failed = (sum(column) for column in zip(*counts))
    print(f"origins: {count - failed} of {count} pages were as wanted in {', '.join(one.name for one in chosen)}")
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
