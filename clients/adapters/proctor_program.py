"""What a program asks of a client without callbacks: names, bodies, answers, and what can't be told to such a client."""

import urllib.parse

import proctor_kit
from proctor_kit import Adapter, Unimplemented

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
# Answers of the program that only a client that asks about a certificate can be given.
ANSWERS_TO_TLS = ("trust", "identity")


class Names(proctor_kit.Names):
    """The same with Unix sockets, of which most clients can be told before a load alone."""

    def __init__(self, session):
        super().__init__(session)
        # The name on a Unix socket that was asked for in vain; None: there was none.
        self.missed = None

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


def is_streamed(step):
    """Whether the length of the body is not to be known."""
    return step["bodyForm"] in (
        "stream", "http-body-stream", "http-body-file-stream", "bound-pair", "http-bound-pair")


def answers_met(step, key, count_key):
    """The answers that a right client comes to: all that are written where the case does not say how many it meets."""
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


def refuse_callbacks(assignment, client, redirects, moments, responses, resumes):
    """Raises for the first part of a program that takes a callback, which `client` has none of."""
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


class ToldBefore(Adapter):
    """An adapter of a client without callbacks: all that it is to do, it is told before a load.

    What it can be told nevertheless is given: answers to `redirects` (`follow` and `refuse`: all alike), `moments` at which it
    can be cancelled, answers to `responses`, and whether it `resumes` what it has in a file.
    """

    options = ("--names-proxy",)
    redirects, moments, responses, resumes = ("follow", "refuse"), (), ("allow",), False

    def refuse(self, assignment):
        session = assignment["session"]
        # The client comes by the proxy that leads to all names, and not by their addresses.
        if "--names-proxy" in self.words and session.get("namesProxy") and not session.get("proxy"):
            session["proxy"] = session["namesProxy"]
        refuse_callbacks(assignment, self.client, self.redirects, self.moments, self.responses, self.resumes)
        self.refuse_more(assignment)

    def refuse_more(self, assignment):
        """Raises Unimplemented for what this client can't be told; nothing has begun yet."""
