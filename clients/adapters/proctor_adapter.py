"""What the adapters of this folder share: an assignment comes in, a trace goes out. Docs/adapters.md describes both.

An adapter gives `serve` its client: a name, a version, what it cannot do, and how it does a program. None of its clients
has callbacks, so only the harness lane is reported: `resume` and `result`.
"""

import base64
import json
import os
import sys
import threading
import time
import urllib.parse

DONE = 0
USAGE = 64
UNAVAILABLE = 69
UNREAD = 74
# Bytes of a body that are told; the trace's line has 1 MiB at most, and base64 makes a third more of it.
BODY_LIMIT = 640 << 10
UPLOAD_LIMIT = 256 << 20

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

# Answers of the program that only somebody who is asked about a certificate can give.
ANSWERS_TO_TLS = ("trust", "identity")


class Unimplemented(Exception):
    """The program asks for something that the client cannot be told; the reason names the key, `task` is the step."""

    def __init__(self, reason, task=0):
        super().__init__(reason)
        self.task = task


class Misuse(Exception):
    """What came on standard input is no assignment."""


class Missing(Exception):
    """The client is not installed here."""


def now():
    """The clock of the server's journal on the same machine."""
    if sys.platform == "darwin":
        return time.clock_gettime_ns(time.CLOCK_MONOTONIC_RAW)
    return time.clock_gettime_ns(time.CLOCK_MONOTONIC)


class Trace:
    """Writes lines, each flushed at once, from any thread."""

    def __init__(self, client, version, assignment):
        self.count = 0
        self.lock = threading.Lock()
        line = {
            "trace": "proctor", "version": 1, "client": client, "clientVersion": version,
            "clock": "monotonic", "unit": "ns", "lanes": ["harness"],
            "facts": ["url", "status", "mime", "bytes", "body", "error"],
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
            self.count += 1
            line = {"seq": self.count, "ns": now(), "lane": "harness", "task": task, "ev": name}
            if arg is not None:
                line["arg"] = arg
            if facts:
                line["facts"] = facts
            self.line(line)


class Names:
    """Where the names of an assignment stand; nothing else is ever resolved.

    A name is looked up in lower case and without the one dot that it may end with (RFC 3986 §3.2.2, RFC 1034 §3.1).
    """

    def __init__(self, session):
        self.table = {(entry["name"], entry["port"]): entry["address"] for entry in session.get("names") or []}
        # The name on a Unix socket that was asked for in vain; None: there was none.
        self.missed = None

    def address(self, host, port):
        """`("127.0.0.1", 4711)`, or None for a name that is not there, or that stands on a Unix socket."""
        address = self.table.get((plain(host), port))
        if address is None or address.startswith("unix:"):
            return None
        host, _, port = address.rpartition(":")
        return host.strip("[]"), int(port)

    def resolve(self, host, port):
        """The same for a client that looks a name up now: it is noted where that can't lead to a Unix socket."""
        if self.table.get((plain(host), port), "").startswith("unix:"):
            self.missed = plain(host)
        return self.address(host, port)

    def socket(self, url):
        """The path of the Unix socket at which the host of a URL listens; None where it has an address."""
        try:
            parts = urllib.parse.urlsplit(url)
            port = parts.port or (443 if parts.scheme == "https" else 80)
            address = self.table.get((plain(parts.hostname or ""), port)) or ""
        except ValueError:
            return None
        return address[len("unix:"):] if address.startswith("unix:") else None

    def sockets(self, steps):
        """The path for each step, or None where its URL has an address."""
        return [self.socket(step["url"]) for step in steps]

    def check(self, index, path, urls, shortfall):
        """Raises where a load that began at `path`, or without one, was led away from there by a redirect.

        A client is told of a Unix socket before a call, and then sends everything there; `shortfall` says so of this one.
        `urls` are those that the load came by.
        """
        led = [self.host(url) for url in urls if self.socket(url) != path] + [self.missed if not path else None]
        host = next((host for host in led if host), None)
        if host:
            where = "is not on the socket of the step" if path else "stands on a Unix socket"
            reason = f"a redirect leads to {host}, which {where}, and {shortfall}; with --names-proxy it gets there"
            raise Unimplemented(f"steps[{index}].url: {reason}", index)

    @staticmethod
    def host(url):
        """None for a URL of another scheme, which nobody follows."""
        try:
            parts = urllib.parse.urlsplit(url)
            return plain(parts.hostname or "") if parts.scheme in ("http", "https") else None
        except ValueError:
            return None


def plain(host):
    """As the table spells it."""
    host = host.lower()
    return host[:-1] if host.endswith(".") else host


def content(body):
    """The bytes of a body."""
    if body.get("base64") is not None:
        data = base64.b64decode(body["base64"], validate=True)
    else:
        data = (body.get("text") or "").encode()
    count = body.get("count")
    if count is None or not data:
        return data
    if not 0 <= count <= UPLOAD_LIMIT:
        raise Unimplemented(f"a body has 0 to {UPLOAD_LIMIT} bytes, not {count}")
    return (data * (count // len(data) + 1))[:count]


def is_streamed(step):
    """Whether the length of the body is not to be known."""
    return step["bodyForm"] in ("stream", "http-body-stream", "bound-pair")


def follows(step):
    return "follow" in {answer["answer"] for answer in step["onRedirect"]}


def seconds_in_all(assignment):
    """How long a load may take: it ends before the watchdog does, so that the result is still told."""
    limit = assignment["deadline"] * 9 // 10
    return min(assignment["session"].get("resourceTimeout") or limit, limit) / 1000


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


def tls_error(message):
    """What OpenSSL's message says; None where it says no more than that it failed."""
    lowered = message.lower().replace("_", " ")
    return next((name for text, name in TLS_MESSAGES if text in lowered), None)


def refuse_callbacks(assignment, client):
    """Raises for the first part of a program that takes a callback, which `client` has none of."""
    session = assignment["session"]
    if session.get("endAt"):
        raise Unimplemented(f"session.endAt: {client} has no session to end")
    if session.get("cache") is not None:
        raise Unimplemented(f"session.cache: {client} has no cache")
    if session["cookies"] not in ("always", "never"):
        raise Unimplemented(f"session.cookies: {client} keeps all cookies or none, and knows no documents")
    for index, step in enumerate(assignment["steps"]):
        def cannot(key, reason):
            raise Unimplemented(f"steps[{index}].{key}: {client} {reason}")

        if {answer["answer"] for answer in step["onRedirect"]} not in ({"follow"}, {"refuse"}):
            cannot("onRedirect", "follows all redirects or none")
        for answer in step["onChallenge"]:
            if answer["answer"] in ANSWERS_TO_TLS:
                cannot("onChallenge", f"never asks about a certificate, so nobody can say {answer['answer']}")
            if answer["answer"] not in ("use", "use-none", "default"):
                cannot("onChallenge", f"has no way to say {answer['answer']}")
        if len(step["onChallenge"]) > 1:
            cannot("onChallenge", "has one credential for all challenges")
        if step["onResponse"] != "allow":
            cannot("onResponse", f"has no way to say {step['onResponse']}")
        if step["onBodyStream"] != "fresh":
            cannot("onBodyStream", f"has no way to say {step['onBodyStream']}")
        for key in ("answerAfter", "cancelAt", "suspendAt"):
            if step.get(key) is not None:
                cannot(key, "has no callbacks to do it in")
        if step.get("resume") is not None or step.get("producesResumeData"):
            cannot("resume", "leaves no resume data")
        if step.get("protocolScript") is not None:
            cannot("protocolScript", "has no protocols to be written in")
        if step.get("cachePolicy") in ("cache-only", "cache-else-load"):
            cannot("cachePolicy", "has no cache")


def check(assignment):
    """Raises where it is no assignment; the rest of the program may then rely on the keys it needs."""
    if not isinstance(assignment, dict):
        raise Misuse("the assignment is no JSON object")
    if assignment.get("version") != 1:
        raise Misuse(f"the assignment has version {assignment.get('version')}; this program knows 1")
    for key, kind in (("scenario", str), ("case", str), ("deadline", int), ("session", dict), ("steps", list)):
        if not isinstance(assignment.get(key), kind):
            raise Misuse(f"{key} is missing or no {kind.__name__}")
    if not assignment["steps"]:
        raise Misuse("the assignment has no steps; expected at least one")
    if "cookies" not in assignment["session"]:
        raise Misuse("session.cookies is missing")
    needed = ("method", "url", "headers", "bodyForm", "task", "onRedirect", "onChallenge", "onResponse", "onBodyStream")
    for index, step in enumerate(assignment["steps"]):
        for key in needed:
            if not isinstance(step, dict) or key not in step:
                raise Misuse(f"steps[{index}].{key} is missing")
        if not all(isinstance(header, list) and len(header) == 2 for header in step["headers"]):
            raise Misuse(f"steps[{index}].headers is no list of names and values")
        if not step["onRedirect"]:
            raise Misuse(f"steps[{index}].onRedirect is empty; expected at least one answer")


def is_adapter(path):
    """Whether a program is one of these scripts, under whatever name: none of them is a client."""
    try:
        with open(path, "rb") as file:
            return MARK_OF_ADAPTERS in file.read(400)
    except OSError:
        return False


def take_proxy_of_names(assignment):
    """`--names-proxy`: the client comes by the proxy that leads to all names, and not by their addresses."""
    session = assignment["session"]
    if session.get("namesProxy") and not session.get("proxy"):
        session["proxy"] = session["namesProxy"]


def serve(client, version, help_text, refuse, run, options=()):
    """The whole program: `version()` raises Missing, `refuse(assignment)` and `run(assignment, trace, words)` Unimplemented.

    `words` are those of `options` that are there; `--names-proxy` is known to all.
    """
    words = sys.argv[1:]
    known = ("--names-proxy", *options)

    def complain(text):
        print(f"{client} adapter: {text}", file=sys.stderr)

    try:
        if words == ["--version"]:
            print(f"{client} {version()}")
            return DONE
        if words in (["--help"], ["-h"]):
            print(help_text.strip())
            return DONE
        unknown = next((word for word in words if word not in known), None)
        if unknown is not None:
            complain(f"unknown argument '{unknown}'; expected none, {', '.join(known)}, --help or --version")
            return USAGE
        try:
            assignment = json.load(sys.stdin)
            check(assignment)
        except (Misuse, ValueError) as error:
            complain(f"the assignment can't be read: {error}")
            return USAGE
        if "--names-proxy" in words:
            take_proxy_of_names(assignment)
        trace = Trace(client, version(), assignment)
        try:
            refuse(assignment)
            run(assignment, trace, words)
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
