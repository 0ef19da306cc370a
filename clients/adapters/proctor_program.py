"""What a program asks of a client without callbacks: names, bodies, answers, and what can't be told to such a client."""

import base64
import urllib.parse

UPLOAD_LIMIT = 256 << 20
# Answers of the program that only somebody who is asked about a certificate can give.
ANSWERS_TO_TLS = ("trust", "identity")


class Unimplemented(Exception):
    """The program asks for something that the client cannot be told; the reason names the key, `task` is the step."""

    def __init__(self, reason, task=0):
        super().__init__(reason)
        self.task = task


class Misuse(Exception):
    """What came on standard input is no assignment."""


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
    return step["bodyForm"] in (
        "stream", "http-body-stream", "http-body-file-stream", "bound-pair", "http-bound-pair")


def answers_met(step, key, count_key):
    """The answers that a right client comes to: all that are written where nobody knows how many questions it meets."""
    count = step.get(count_key)
    return step[key] if count is None else step[key][:count]


def redirect_answers(step):
    """What is to be said to the redirects that a right client meets."""
    return answers_met(step, "onRedirect", "redirectCount")


def follows(step):
    """Whether redirects are followed where all of them get the same answer, one that should not come too."""
    return (redirect_answers(step) or step["onRedirect"])[0]["answer"] != "refuse"


def credential(step, session, client):
    """The answer `use` of a step whose client is given one credential before it is asked, or None.

    Raises where the answers that a right client comes to can't be told so. Behind a `use`, `default` and `use-none` say
    that nothing is answered to a further question, and so does a client that gives a credential once; but where a proxy
    asks too, nobody knows which question is whose. Where no question should come, the credential is there all the same:
    a client that sends it nevertheless is to be seen.
    """
    answers = answers_met(step, "onChallenge", "challengeCount")
    if not answers:
        return next((answer for answer in step["onChallenge"][:1] if answer["answer"] == "use"), None)
    if step["url"].lower().startswith("https:"):
        # The first question is about the server, which this client judges without asking.
        while answers and answers[0]["answer"] == "default":
            answers = answers[1:]
    words = [answer["answer"] for answer in answers]
    used = [answer for answer in answers if answer["answer"] == "use"]
    if not used:
        return None
    behind = set(words[len(used):])
    if used != answers[:len(used)] or any(answer != used[0] for answer in used) or behind and session.get("proxy"):
        raise Unimplemented(f"{client} has one credential for all challenges")
    return used[0]


def is_asked(step):
    """Whether a right client may be asked for a credential."""
    return bool(answers_met(step, "onChallenge", "challengeCount"))


def seconds_of_load(session):
    """The limit that the client itself is given for a whole load, or None."""
    limit = session.get("resourceTimeout")
    return limit / 1000 if limit else None


def refuse_callbacks(
    assignment, client, redirects=("follow", "refuse"), moments=(), responses=("allow",), resumes=False
):
    """Raises for the first part of a program that takes a callback, which `client` has none of.

    What it can be told nevertheless is given: `redirects` that it can answer in turn (`follow` and `refuse`: all alike),
    `moments` at which it can be cancelled, answers to `responses`, and whether it `resumes` what it has in a file.
    """
    session = assignment["session"]
    if session.get("endAt"):
        raise Unimplemented(f"session.endAt: {client} has no session to end")
    if session.get("cache") is not None:
        raise Unimplemented(f"session.cache: {client} has no cache")
    for key in ("without", "challengeMethods"):
        if session.get(key) is not None:
            raise Unimplemented(f"session.{key}: {client} has no delegate, and so no methods")
    if session["cookies"] not in ("always", "never"):
        raise Unimplemented(f"session.cookies: {client} keeps all cookies or none, and knows no documents")
    if session.get("connectionsPerHost") is not None:
        raise Unimplemented(f"session.connectionsPerHost: {client} takes no limit of its connections")
    for index, step in enumerate(assignment["steps"]):
        def cannot(key, reason):
            raise Unimplemented(f"steps[{index}].{key}: {client} {reason}")

        words = [answer["answer"] for answer in redirect_answers(step)]
        unknown = next((word for word in words if word not in redirects), None)
        if unknown or len(redirects) == 2 and len(set(words)) > 1:
            cannot("onRedirect", "follows all redirects or none" if len(redirects) == 2 else f"can't be told to {unknown}")
        for answer in answers_met(step, "onChallenge", "challengeCount"):
            if answer["answer"] in ANSWERS_TO_TLS:
                cannot("onChallenge", f"never asks about a certificate, so nobody can say {answer['answer']}")
            if answer["answer"] not in ("use", "use-none", "default"):
                cannot("onChallenge", f"has no way to say {answer['answer']}")
        try:
            credential(step, session, client)
        except Unimplemented as error:
            raise Unimplemented(f"steps[{index}].onChallenge: {error}") from None
        if step["onResponse"] not in responses:
            cannot("onResponse", f"has no way to say {step['onResponse']}")
        if step["onBodyStream"] != "fresh":
            cannot("onBodyStream", f"has no way to say {step['onBodyStream']}")
        for key in ("onCanAuthenticate", "onCredentialStorage", "onShouldDecode", "onCanonicalize"):
            if step.get(key) is not None:
                cannot(key, "asks no such question")
        if step.get("together"):
            cannot("together", "does one load after the other")
        for key in ("answerAfter", "suspendAt"):
            if step.get(key) is not None:
                cannot(key, "has no callbacks to do it in")
        if step.get("producesResumeData") or step.get("resume") is not None and not resumes:
            cannot("resume", "leaves no resume data")
        moment = step.get("cancelAt")
        if moment and (moment["event"] not in moments or moment["event"] == "response" and moment["count"] > 1):
            cannot("cancelAt", f"can't be cancelled at {moment['event']}" if moments else "has no callbacks to do it in")
        if step.get("download") is not None:
            cannot("download", "decides nothing about a file")
        if step.get("protocolScript") is not None:
            cannot("protocolScript", "has no protocols to be written in")
        if step.get("cachePolicy") in ("cache-only", "cache-else-load", "reload-all", "revalidate"):
            cannot("cachePolicy", "has no cache")
        if step.get("byHand"):
            cannot("byHand", "is used without its stores")


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


def take_proxy_of_names(assignment):
    """`--names-proxy`: the client comes by the proxy that leads to all names, and not by their addresses."""
    session = assignment["session"]
    if session.get("namesProxy") and not session.get("proxy"):
        session["proxy"] = session["namesProxy"]
