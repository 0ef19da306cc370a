"""A kit for adapters in Python: assignments come in, traces go out. Docs/adapters.md describes both.

    class Tiny(Adapter):
        client, revision, abilities = "tiny", "1", "redirects cookie-jar"
        def version(self): return tiny.__version__                # raises Missing where there is no such client
        def session(self, assignment): return tiny.Session()      # a context manager
        def load(self, session, assignment, index, trace): return {"status": 200, "bytes": 0}
    sys.exit(Tiny().main(__doc__))
"""

import base64
import gc
import json
import os
import sys
import threading
import time

DONE, USAGE, UNAVAILABLE, UNREAD = 0, 64, 69, 74
# Bytes of a body that are told: base64 makes a third more of them, and a line of a trace has 1 MiB at most.
BODY_LIMIT = 640 << 10
MARGIN = 0.2  # seconds before the deadline at which an adapter gives up
STARTED = time.monotonic()
TAKES_MANY = os.environ.get("PROCTOR_ASSIGNMENTS") == "many"
CLOCK = time.CLOCK_MONOTONIC_RAW if sys.platform == "darwin" else time.CLOCK_MONOTONIC  # that of the server's journal


class Missing(Exception):
    """The client is not there; the text says in one line how to install it."""


class Misuse(Exception):
    """What came on standard input is no assignment, or an argument is not known."""


class Unimplemented(Exception):
    """The adapter can't have its client do a part of the program; the reason names the key, `task` is the step."""

    def __init__(self, reason, task=0):
        super().__init__(reason)
        self.task = task


def read(text):
    """The assignment of one JSON object, with the keys that each of them has; raises Misuse."""
    try:
        assignment = json.loads(text)
        if assignment["version"] != 1:
            raise ValueError(f"the assignment has version {assignment['version']}; this program knows 1")
        assignment["scenario"], assignment["case"], assignment["deadline"] + 0, assignment["session"]["cookies"]
        for step in assignment["steps"] or [{}]:  # at least one
            step["method"], step["url"], step["bodyForm"], step["task"], step["onRedirect"][0], step["onChallenge"]
            [(name, value) for name, value in step["headers"]]
        return assignment
    except (ValueError, TypeError, LookupError) as error:
        raise Misuse(f"the assignment can't be read: {type(error).__name__}: {error}") from error


def content(step):
    """The bytes of a step's body, with `count` expanded; None where it has none."""
    body = step.get("body")
    if body is None:
        return None
    data = base64.b64decode(body["base64"]) if body.get("base64") is not None else (body.get("text") or "").encode()
    count = body.get("count", len(data)) if data else 0
    return (data * (count // max(1, len(data)) + 1))[:count]


def body_facts(body, byte_count):
    """`bytes`, and the body itself where all of it is here."""
    facts = {"bytes": byte_count}
    if len(body) == byte_count <= BODY_LIMIT:
        try:
            facts["body"] = (b"\xFF" if b"\0" in body else body).decode()
        except UnicodeDecodeError:
            facts["bodyBase64"] = base64.b64encode(body).decode()
    return facts


class Names:
    """Where the names of an assignment stand; no others are looked up."""

    def __init__(self, session):
        self.table = {(entry["name"], entry["port"]): entry["address"] for entry in session.get("names") or []}

    def address(self, host, port):
        """`("127.0.0.1", 4711)`; None for a name that is not in the list, and for one on a Unix socket."""
        found = self.table.get((host.lower().removesuffix("."), port), "unix:")
        host, _, port = found.rpartition(":")
        return None if found.startswith("unix:") else (host.strip("[]"), int(port))


class Trace:
    """The lines of one assignment, each flushed at once, from any thread. Only lane `harness` is written."""

    def __init__(self, adapter, assignment, began):
        # `open` is the step that was begun and has no result yet.
        self.began, self.lock, self.count, self.open = began, threading.RLock(), 0, None
        self.is_over = self.has_ended = False
        self.line({
            "trace": "proctor", "version": 1, "client": adapter.client, "clientVersion": adapter.known,
            "adapter": adapter.client, "adapterVersion": adapter.revision,
            "clock": "other" if adapter.is_untimely and assignment["steps"][1:] else "monotonic", "unit": "ns", "lanes": ["harness"],
            "facts": list(adapter.facts), "abilities": adapter.abilities.split(),
            **{key: assignment[key] for key in ("scenario", "case", "run") if key in assignment}})

    def line(self, value=None):
        text = json.dumps(value, ensure_ascii=False) if value else ""
        sys.stdout.buffer.write(text.encode(errors="replace") + b"\n")
        sys.stdout.buffer.flush()

    def say(self, event, task=0, **rest):
        """An event; `rest` may be `arg` and `facts`."""
        with self.lock:
            if not self.is_over:
                self.open = {"resume": task, "result": None}.get(event, self.open)
                self.count += 1
                ns = time.clock_gettime_ns(CLOCK)
                self.line({"seq": self.count, "ns": ns, "lane": "harness", "task": task, "ev": event, **rest})

    def give_up(self):
        """The result of the step that is open, and nothing more; its `domain` says that the adapter ended the step."""
        with self.lock:
            text = f"the step had not ended {time.monotonic() - self.began:.1f} s after the adapter began, and was left"
            if self.open is not None:
                self.say("result", self.open, facts={"error": "timedOut", "domain": "adapter", "message": text})
            self.is_over = True

    def end(self):
        with self.lock:
            if TAKES_MANY and not self.has_ended:
                self.line()
            self.is_over = self.has_ended = True


class Adapter:
    """One client; its author writes the names below, `version`, `session` and `load`, or `run` in place of these two."""

    client, revision, abilities = "", "1", ""
    facts = ("url", "status", "mime", "bytes", "body", "error", "message", "header")
    # Words that it may be started with, those that it was, and the client's version.
    options, words, known = (), (), None
    is_untimely = False  # whether the times of several steps say nothing of when they were done

    def refuse(self, assignment):
        """Raises Unimplemented for the first part of a program that the client can't be told; nothing has begun yet."""

    def run(self, assignment, trace):
        with self.session(assignment) as session:
            for index in range(len(assignment["steps"])):
                trace.say("resume", index)
                trace.say("result", index, facts=self.load(session, assignment, index, trace))

    def give_up(self, trace):
        """At the deadline, on a thread of its own: nothing else ends a call that blocks."""
        trace.give_up()
        trace.end()
        os._exit(DONE)

    def do(self, text, began):
        assignment = read(text)
        trace = Trace(self, assignment, began)
        seconds = began + assignment["deadline"] / 1000 - MARGIN - time.monotonic()
        watch = threading.Timer(max(0.1, seconds), self.give_up, [trace])
        watch.daemon = True
        watch.start()
        try:
            for word in sorted(set(assignment.get("needs") or []) - set(self.abilities.split())):
                raise Unimplemented(f"needs: {self.client} has no {word}")
            self.refuse(assignment)
            self.run(assignment, trace)
        except Unimplemented as error:
            trace.say("unimplemented", error.task, arg=str(error))
        watch.cancel()
        gc.collect()  # what a failed load holds open ends here, and not in the time of the next assignment
        trace.end()

    def start(self, words, help_text):
        if words in (["--version"], ["--help"], ["-h"]):
            print(f"{self.client} {self.version()}" if words == ["--version"] else help_text.strip())
            return DONE
        for word in set(words) - set(self.options):
            raise Misuse(f"unknown argument '{word}'; expected {', '.join(['none', *self.options, '--help or --version'])}")
        self.words, self.known = words, self.version()
        if not TAKES_MANY:
            self.do(sys.stdin.buffer.read(), STARTED)
        while TAKES_MANY and (line := sys.stdin.buffer.readline()):
            self.do(line, time.monotonic())
        return DONE

    def main(self, help_text):
        """The whole program; gives its exit code."""
        try:
            return self.start(sys.argv[1:], help_text)
        except BrokenPipeError:  # nobody reads the trace any more; what Python would still flush goes nowhere
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return UNREAD
        except (Missing, Misuse) as error:
            print(f"{self.client} adapter: {error}", file=sys.stderr)
            return UNAVAILABLE if isinstance(error, Missing) else USAGE
