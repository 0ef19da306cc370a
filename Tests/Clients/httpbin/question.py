"""What both servers are asked: one request, or several of which each may depend on the reply before."""

import dataclasses
import re

from wire import Request

HEX = (re.compile(r"\b(?:[0-9a-f]{128}|[0-9a-f]{64}|[0-9a-f]{32})\b"), lambda found: f"<{len(found[0])} hex digits>")
UUID = (re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}\b"), "<uuid>")

# The address of the server itself, which it names where a request has no Host.
PORT = (re.compile(r"127\.0\.0\.1:\d{5}\b"), "127.0.0.1:<port>")

# Targets of so many characters are cut in a name.
LONG = 200


@dataclasses.dataclass
class Question:
    name: str
    # A function that makes a generator: it yields a Request and is sent the Reply.
    steps: object
    # (pattern, replacement) for what chance has put into fields and bodies.
    hide: tuple = ()
    # "bytes", or "length" where the content is chance, or "kind" where no more than its presence is alike.
    body: str = "bytes"
    # Whether the sizes of the chunks must be the same.
    chunks: bool = False
    # Seconds that each server takes at least; such questions are asked beside the others.
    lasts: float = None
    # Whether all steps go over one connection, as long as it persists.
    kept: bool = False
    # The only request, where there is only one.
    request: Request = None


def once(request):
    def steps():
        yield request

    return steps


def asking(method, target, *fields, note="", question=None, **others):
    """A question of one request; its name is what is asked, and the note in brackets."""
    request = Request(method, target, fields, **others)
    name = f"{method} {target}" if len(target) < LONG else f"{method} {target[:40]}… of {len(target)} characters"
    name += f" {request.version}" if "version" in others else ""
    name += f" [{note}]" if note else ""
    return Question(name, once(request), request=request, **(question or {}))


def get(target, *fields, **others):
    return asking("GET", target, *fields, **others)


def post(target, *fields, **others):
    return asking("POST", target, *fields, **others)


FORM = ("Content-Type", "application/x-www-form-urlencoded")
JSON = ("Content-Type", "application/json")
