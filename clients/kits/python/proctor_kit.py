"""A kit for adapters in Python: assignments come in, traces go out. Docs/clients/adapters.md describes both, and shows an adapter."""

import base64
import gc
import json
import os
import sys
import threading
import time

BODY_LIMIT = 640 << 10  # bytes of a body that are told: in base64 they fit a line, which has 1 MiB at most
MARGIN = 0.2  # seconds before the deadline at which an adapter gives up
STARTED = time.monotonic()
TAKES_MANY = os.environ.get("PROCTOR_ASSIGNMENTS") == "many"
CLOCK = time.CLOCK_MONOTONIC_RAW if sys.platform == "darwin" else time.CLOCK_MONOTONIC  # that of the server's journal


class Missing(Exception):
    """The client is not there; the text says in one line how to install it."""


class Misuse(Exception):
    """What came on standard input is no assignment, or an argument is not known."""


class Unimplemented(Exception):
    """The adapter can't have its client do a part of the program; the text names the key, and then the step."""


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
    if (body := step.get("body")) is None:
        return None
    data = base64.b64decode(body["base64"]) if "base64" in body else body.get("text", "").encode()
    count = body.get("count", len(data)) if data else 0
    return (data * (count // max(1, len(data)) + 1))[:count]


def is_streamed(step):
    """Whether the length of the body is not to be known."""
    return "body" in step and step["bodyForm"].endswith(("stream", "pair"))


def body_facts(body, byte_count):
    """`bytes`, and the body itself where all of it is here."""
    facts = {"bytes": byte_count}
    if len(body) == byte_count <= BODY_LIMIT:
        try:
            facts["body"] = (b"\xFF" if b"\0" in body else body).decode()
        except UnicodeDecodeError:
            facts["bodyBase64"] = base64.b64encode(body).decode()
    return facts


def place(session, host, port):
    """Where a name listens: `127.0.0.1:4711`, or `unix:` and a path; None for one that nobody is to look up."""
    key = (host.lower().removesuffix("."), port)
    return next((one["address"] for one in session.get("names", []) if (one["name"], one["port"]) == key), None)


class Trace:
    """The lines of one assignment, each flushed at once, from any thread; of lane `harness`, where `rest` names no other."""

    def __init__(self, adapter, assignment, began):
        self.began, self.lock, self.count, self.is_over, self.has_ended = began, threading.RLock(), 0, False, False
        self.open = set()  # the steps that were begun and have no result yet; several, where some run `together`
        self.line({
            "trace": "proctor", "version": 1, "client": adapter.client, "clientVersion": adapter.known,
            "adapter": adapter.client, "adapterVersion": adapter.revision, "unit": "ns", "lanes": list(adapter.lanes),
            "clock": "other" if adapter.is_untimely and (assignment["steps"][1:] or "storage" in assignment) else "monotonic",
            "facts": list(adapter.facts), "abilities": adapter.abilities.split(),
            **{key: assignment[key] for key in ("scenario", "case", "run") if key in assignment}})

    def line(self, value=None):
        try:
            sys.stdout.buffer.write((json.dumps(value, ensure_ascii=False) if value else "").encode(errors="replace") + b"\n")
            sys.stdout.buffer.flush()
        except BrokenPipeError:  # nobody reads the trace any more; what Python would still flush goes nowhere
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(74)

    def say(self, event, task=0, **rest):
        """An event; `rest` may be `arg` and `facts`, of a callback `lane="task"` and `family`."""
        with self.lock:
            if not self.is_over:
                self.open = {"resume": self.open | {task}, "result": self.open - {task}}.get(event, self.open)
                self.count += 1
                at = {"seq": self.count, "ns": time.clock_gettime_ns(CLOCK), "lane": "harness", "task": task}
                self.line({**at, "ev": event, **rest})

    def give_up(self):
        """A result of each step that is open, and nothing more; its `domain` says that the adapter ended the step."""
        with self.lock:
            text = f"the step had not ended {time.monotonic() - self.began:.1f} s after the adapter began, and was left"
            for task in sorted(self.open):
                self.say("result", task, facts={"error": "timedOut", "domain": "adapter", "message": text})
            self.is_over = True

    def end(self):
        with self.lock:
            if TAKES_MANY and not self.has_ended:
                self.line()
            self.is_over = self.has_ended = True


class Adapter:
    """A client without callbacks; its author writes the names below, `version`, `session` and `load`, or `run` for these two."""
    client, revision, abilities, options = "", "1", "", ("--names-proxy",)
    facts = ("url", "status", "mime", "bytes", "body", "error", "message", "header")
    lanes, moments = ("harness",), ()  # what it reports completely; names of events at which the client can be cancelled
    in_turn = False  # whether `load` answers the redirects of a step without `beforehand` one by one
    is_untimely = False  # whether the times of several steps say nothing of when they were done

    def cannot(self, index, key, reason):
        raise Unimplemented(f"steps[{index}].{key}: {self.client} {reason}", index)

    def check(self, assignment):
        """Raises Unimplemented for the first part of a program that the client can't be told; nothing has begun yet."""
        has = set(self.abilities.split())
        for word in sorted(set(assignment.get("needs", [])) - has):
            raise Unimplemented(f"needs: {self.client} has no {word}")
        for index, step in enumerate(assignment["steps"]):
            moment, answer = step.get("cancelAt", {"event": None}), step.get("onResponse", "allow")
            is_used = any(one["answer"] == "use" for one in step["onChallenge"][:step.get("challengeCount")])
            is_late = moment["event"] == "response" and moment["count"] > 1
            for key, is_asked, reason in (
                ("onChallenge", is_used and not has & {"basic", "digest", "bearer"}, "answers no challenge"),
                ("beforehand", "beforehand" not in step and (is_used or not self.in_turn), "is told no such answers before a load"),
                ("cancelAt", is_late or moment["event"] not in (None, *self.moments), "can't be cancelled then"),
                # A question in whose callback the load is cancelled is not answered.
                ("onResponse", answer not in ("allow", "cancel") and moment["event"] != "response", f"can't say {answer}"),
                ("download", "download" in step, "decides nothing about a file"),
            ):
                if is_asked:
                    self.cannot(index, key, reason)

    def run(self, assignment, trace):
        with self.session(assignment) as session:
            for index in range(len(assignment["steps"])):
                trace.say("resume", index)
                trace.say("result", index, facts=self.load(session, assignment, index, trace))

    def give_up(self, trace):
        """At the deadline, on a thread of its own: nothing else ends a call that blocks."""
        trace.give_up()
        trace.end()
        os._exit(0)

    def do(self, text, began):
        assignment = read(text)
        trace, session = Trace(self, assignment, began), assignment["session"]
        if "--names-proxy" in self.words and "namesProxy" in session:
            session.setdefault("proxy", session["namesProxy"])
        left = began + assignment["deadline"] / 1000 - MARGIN - time.monotonic()
        watch = threading.Timer(max(0.1, left), self.give_up, [trace])
        watch.daemon = True
        watch.start()
        try:
            self.check(assignment)
            self.run(assignment, trace)
        except Unimplemented as error:
            trace.say("unimplemented", *error.args[1:], arg=error.args[0])
        watch.cancel()
        gc.collect()  # what a failed load holds open ends here, and not in the time of the next assignment
        trace.end()

    def start(self, words, help_text):
        if words in (["--version"], ["--help"], ["-h"]):
            return print(f"{self.client} {self.version()}" if words == ["--version"] else help_text.strip())
        for word in set(words) - set(self.options):
            raise Misuse(f"unknown argument '{word}'; expected {', '.join(['none', *self.options, '--help or --version'])}")
        self.words, self.known = words, self.version()
        if not TAKES_MANY:
            self.do(sys.stdin.buffer.read(), STARTED)
        while TAKES_MANY and (line := sys.stdin.buffer.readline()):
            self.do(line, time.monotonic())

    def main(self, help_text):
        """The whole program; gives its exit code."""
        try:
            self.start(sys.argv[1:], help_text)
        except (Missing, Misuse) as error:
            print(f"{self.client} adapter: {error}", file=sys.stderr)
            return 69 if isinstance(error, Missing) else 64
        return 0
