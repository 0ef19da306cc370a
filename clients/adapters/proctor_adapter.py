"""What the adapters of this folder share: an assignment comes in, a trace goes out. Docs/adapters.md describes both.

An adapter gives `serve` its client: a name, a version, its abilities, what it cannot do, and how it does a program. None
of its clients has callbacks, so only the harness lane is reported: `resume`, `cancel` and `result`.
"""

import base64
import json
import os
import sys
import threading
import time

from proctor_program import Misuse, Unimplemented, check, take_proxy_of_names

DONE = 0
USAGE = 64
UNAVAILABLE = 69
UNREAD = 74
# Bytes of a body that are told; the trace's line has 1 MiB at most, and base64 makes a third more of it.
BODY_LIMIT = 640 << 10
# Seconds before the deadline at which an adapter gives up; the watchdog comes later still.
MARGIN = 0.2
STARTED = time.monotonic()

# What a client may have; Docs/adapters.md says what each word means.
ABILITIES = frozenset("""
    methods repeated-fields verbatim-urls encodes-values http/1.0 unix-sockets own-scheme
    redirects redirect-refuse redirect-change redirect-cancel redirect-per-answer fragment
    cookie-jar cookies-from-addresses cookies-by-document
    basic digest bearer challenge-default challenge-cancel challenges-in-turn credential-store
    connection-limit proxy proxy-tunnel trust trust-question identity identity-question
    upload-stream upload-stream-question several-loads response-answers cancel suspend resume answer-later scheduling
    session-end url-protocol
    cache cache-policy store-access time-limit-silence time-limit-total
    callbacks metrics fetch foundation
""".split())

# How the text at the head of each adapter begins.
MARK_OF_ADAPTERS = b"An adapter of Proctor for "

# What the message of OpenSSL says more than that the handshake failed: the first that is found in it counts.
TLS_MESSAGES = (
    ("certificate has expired", "serverCertificateHasBadDate"),
    ("certificate is not yet valid", "serverCertificateNotYetValid"),
    ("alert certificate required", "clientCertificateRequired"),
    ("alert bad certificate", "clientCertificateRejected"),
    ("alert unsupported certificate", "clientCertificateRejected"),
    ("alert certificate revoked", "clientCertificateRejected"),
    ("alert certificate expired", "clientCertificateRejected"),
    ("alert certificate unknown", "clientCertificateRejected"),
    ("alert unknown ca", "clientCertificateRejected"),
    ("unexpected eof", "connectionLost"),
    ("eof occurred in violation of protocol", "connectionLost"),
)


def abilities(words):
    """The set of those words; raises where one is none of `ABILITIES`."""
    chosen = frozenset(words.split())
    if chosen - ABILITIES:
        raise ValueError(f"there is no ability {', '.join(sorted(chosen - ABILITIES))}")
    return chosen


class Missing(Exception):
    """The client is not installed here."""


def now():
    """The clock of the server's journal on the same machine."""
    if sys.platform == "darwin":
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


class Trace:
    """Writes lines, each flushed at once, from any thread."""

    def __init__(self, adapter, version, assignment, has):
        self.count = 0
        self.lock = threading.Lock()
        # The step that was begun and has no result yet.
        self.open = None
        self.is_over = False
        line = {
            "trace": "proctor", "version": 1, "client": adapter.client, "clientVersion": version,
            "adapter": adapter.client, "adapterVersion": adapter.revision,
            "clock": "monotonic" if adapter.is_timely(assignment) else "other", "unit": "ns", "lanes": ["harness"],
            "facts": list(adapter.facts), "abilities": sorted(has),
            "scenario": assignment["scenario"], "case": assignment["case"],
        }
        if assignment.get("run"):
            line["run"] = assignment["run"]
        self.line(line)

    def line(self, value):
        sys.stdout.write(json.dumps(value, separators=(",", ":"), ensure_ascii=False) + "\n")
        sys.stdout.flush()

    def event(self, name, task=0, arg=None, facts=None):
        with self.lock:
            self.write(name, task, arg, facts)

    def give_up(self):
        """The result of the step that is open, and the end of the trace; `domain` says that the adapter ended it."""
        with self.lock:
            if self.open is not None:
                text = f"the step had not ended {time.monotonic() - STARTED:.1f} s after the adapter began, and was left"
                facts = {"error": "timedOut", "domain": "adapter", "message": text}
                self.write("result", self.open, None, facts)
            self.is_over = True

    def write(self, name, task, arg, facts):
        if self.is_over:
            return
        if name in ("resume", "result"):
            self.open = task if name == "resume" else None
        self.count += 1
        line = {"seq": self.count, "ns": now(), "lane": "harness", "task": task, "ev": name}
        if arg is not None:
            line["arg"] = arg
        if facts:
            line["facts"] = facts
        self.line(line)


def seconds_left(assignment):
    """Until the adapter gives up, so that the result is told before the watchdog comes."""
    return max(0.1, assignment["deadline"] / 1000 - MARGIN - (time.monotonic() - STARTED))


def body_facts(body, byte_count):
    """`bytes`, and the body itself where all of it is here."""
    facts = {"bytes": byte_count}
    if len(body) == byte_count:
        try:
            if b"\0" in body:
                raise ValueError
            facts["body"] = body.decode()
        except ValueError:
            facts["bodyBase64"] = base64.b64encode(body).decode()
    return facts


def field_facts(step, find):
    """What the client's look-up gives for each field that the program asks for; `find(name)` gives None for no field."""
    found = [(name, find(name)) for name in step.get("fieldNames") or []]
    lines = [f"{name}: {value}" for name, value in found if value is not None]
    return {"header": "\n".join(lines)} if found else {}


def tls_error(message):
    """What OpenSSL's message says; None where it says no more than that it failed."""
    lowered = message.lower().replace("_", " ")
    return next((name for text, name in TLS_MESSAGES if text in lowered), None)


def is_adapter(path):
    """Whether a program is one of these scripts, under whatever name: none of them is a client."""
    try:
        with open(path, "rb") as file:
            return MARK_OF_ADAPTERS in file.read(400)
    except OSError:
        return False


class Adapter:
    """One adapter: its client's name, and what `serve` calls.

    `version()` raises Missing; `refuse(assignment)` and `run(assignment, trace, words)` raise Unimplemented. `words` are
    those of `options` that are there; `--names-proxy` is known to all. `has(words)` is the set of the client's abilities.
    `revision` changes when the client is told otherwise than before, so that ledgers made earlier may not fit any more.
    """

    facts = ("url", "status", "mime", "bytes", "body", "error", "message")

    def __init__(
        self, client, revision, version, has, refuse, run, options=(), is_timely=lambda assignment: True, more_facts=(),
    ):
        # Facts of its results beside those that every adapter has.
        self.facts += tuple(more_facts)
        self.client, self.revision, self.version, self.has = client, revision, version, has
        # Whether the lines of the trace can be put between those of the journal by their times.
        self.is_timely = is_timely
        self.refuse, self.run, self.options = refuse, run, ("--names-proxy", *options)


def serve(adapter, help_text):
    """The whole program; gives its exit code."""
    words = sys.argv[1:]

    def complain(text):
        print(f"{adapter.client} adapter: {text}", file=sys.stderr)

    try:
        if words == ["--version"]:
            print(f"{adapter.client} {adapter.version()}")
            return DONE
        if words in (["--help"], ["-h"]):
            print(help_text.strip())
            return DONE
        unknown = next((word for word in words if word not in adapter.options), None)
        if unknown is not None:
            known = ", ".join(adapter.options)
            complain(f"unknown argument '{unknown}'; expected none, {known}, --help or --version")
            return USAGE
        try:
            assignment = json.load(sys.stdin)
            check(assignment)
        except (Misuse, ValueError) as error:
            complain(f"the assignment can't be read: {error}")
            return USAGE
        if "--names-proxy" in words:
            take_proxy_of_names(assignment)
        trace = Trace(adapter, adapter.version(), assignment, adapter.has(words))
        try:
            adapter.refuse(assignment)
            adapter.run(assignment, trace, words)
        except Unimplemented as error:
            trace.event("unimplemented", error.task, arg=str(error))
        return DONE
    except Missing as error:
        complain(str(error))
        return UNAVAILABLE
    except BrokenPipeError:
        # Nobody reads the trace any more; what Python would still flush goes nowhere.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return UNREAD
