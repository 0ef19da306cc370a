"""Stubs of a test: what is asked and what is replied, in the words that all helpers share (Docs/use/stubs.md)."""

from __future__ import annotations

import base64
import json as json_text
import math
import os
import sys
from collections.abc import Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Union

from .server import ProctorError

if TYPE_CHECKING:
    from .run import Run

# pytest shows a failure at the line of the test that asked.
__tracebackhide__ = True
Reply = Union[int, str, bytes, Mapping[str, Any]]
_NOTHING = object()
# How deep a value may be nested, which is far below what Python's own writer of JSON takes.
MOST_DEPTH = 200


class Request(NamedTuple):
    """A request that came. `fields` has names and values in order; `stub` is the one that answered it, None where none did.

    `time` is when its head came, in seconds of a clock that does not jump; the difference of two is what they are apart. `messages` are
    those that the client sent on the WebSocket that it opened: text, bytes, and nothing for Ping, Pong and Close. `end` is how it ended:
    "read" where its reply was sent to its end, "left" where the client closed the connection before, "reset" where it reset that or the
    stream, and None while it is under way, or where the server ended it. `body` is the content without its codings, or as it came where it
    is not what they say, and `coded_body` is always as it came.
    """

    method: str
    target: str
    fields: list[tuple[str, str]]
    body: bytes
    stub: Stub | None
    time: float = 0.0
    messages: list[str | bytes] = []
    end: str | None = None
    coded_body: bytes = b""

    def header(self, name: str) -> str | None:
        """The values of a field, joined by commas (RFC 9110 §5.3); None without it."""
        values = [value for key, value in self.fields if key.lower() == name.lower()]
        return ", ".join(values) if values else None

    @property
    def text(self) -> str:
        """The content as UTF-8; what is none is replaced by U+FFFD."""
        return self.body.decode(errors="replace")

    @property
    def json(self) -> Any:
        """The content as JSON; ValueError where it is none."""
        return json_text.loads(self.body)


class Stub:
    """One exchange of a test, made by `proctor.on(…)`; each method gives the stub back."""

    def __init__(self, request: str | Mapping[str, Any], *replies: Reply, at: str | None = None, **patterns: Any) -> None:
        self._request, self._replies = request, [checked(_reply(reply), "reply") for reply in replies]
        #: FILE:LINE of the test, which failures name.
        self.at = at
        self._patterns: dict[str, Any] = {}
        self._beside: dict[str, Any] = {}
        self._run: Run | None = None
        self._place = 0
        for key in ("optional", "times"):
            if key in patterns:
                self._set(key, patterns.pop(key))
        self.having(**patterns)

    def having(self, **patterns: Any) -> Stub:
        """What the request has besides, by the keys of Docs/format/requests.md: `json`, `headers`, `cookies`, `query`, `form`, `body`."""
        self._refuse_change()
        self._patterns.update({key: checked(pattern, key, is_json=key == "json") for key, pattern in patterns.items()})
        return self

    def reply(
        self, status: int | None = None, content: Any = None, *, json: Any = _NOTHING, body: Any = None, headers: Any = None, **more: Any,
    ) -> Stub:
        """One reply. Of several each is sent once, in turn, and the last one stays; without any the reply is an empty 200.

        `content` is text, bytes, or a list of such with effects between them. `json` is content with its Content-Type, and `body` is what
        Docs/format/bodies.md says. `more` are the other keys of Docs/format/replies.md, as `effects`, `events` and `websocket`. Without a
        status it is 200, or what a `websocket` or a `script` says.
        """
        self._refuse_change()
        if status is not None and (not isinstance(status, int) or isinstance(status, bool)):
            remedy = f"write reply({status})" if str(status).isdigit() else _json_call(200, status)
            raise ProctorError(f"a reply begins with its status, a number, found {status!r}: {remedy}")
        if content is not None and not _is_content(content):
            raise ProctorError(
                f"the content of a reply is text, bytes or a list with effects, found {content!r}; for JSON write "
                f"{_json_call(status, content)}, and for another form of a fixture body=…")
        reply = {**({} if status is None else {"status": status}), **{key: checked(value, key) for key, value in more.items()}}
        fields = _fields(headers)
        if json is not _NOTHING:
            body = {"json": checked(json, "json", is_json=True)}
            if all(name.lower() != "content-type" for name, _ in fields):
                fields.append(("Content-Type", "application/json"))
        # A list, and no mapping, so that a name can come twice.
        if fields:
            reply["headers"] = [{name: value} for name, value in fields]
        if content is not None or body is not None:
            reply["body"] = checked(body if content is None else content, "body")
        self._replies.append(reply)
        return self

    def times(self, count: int) -> Stub:
        """Exactly so many requests, 1 to 1,000,000: one more finds no exchange, and one that does not come fails the test."""
        return self._set("times", {"exactly": count})

    def at_least(self, count: int) -> Stub:
        """At least so many requests, 1 to 1,000,000."""
        return self._set("times", {"at-least": count})

    def optional(self) -> Stub:
        """The test passes without a request to the stub."""
        return self._set("optional", True)

    def setting(self, key: str, value: Any) -> Stub:
        """Another key of an exchange (Docs/format/requests.md), as `reads`."""
        return self._set(key, value)

    @property
    def requests(self) -> list[Request]:
        """The requests that this stub has answered so far, in the order in which they came."""
        if self._run is None:
            return []
        return [request for request in requests(self._run) if request.stub is self]

    def _set(self, key: str, value: Any) -> Stub:
        self._refuse_change()
        self._beside[key] = checked(value, key)
        return self

    def _refuse_change(self) -> None:
        if self._run is not None:
            raise ProctorError("a stub is whole before the first url() of its test: say it earlier")

    def serve(self, run: Run, place: int) -> None:
        """Notes the run in which this is the exchange of that place."""
        self._run, self._place = run, place

    def exchange(self) -> dict[str, Any]:
        """The exchange as a fixture has it."""
        request: Any = self._request
        if self._patterns:
            if isinstance(request, str):
                method, _, path = request.partition(" ")
                path, _, query = path.partition("?")
                request = {"method": method, "path": path, **({"query": query} if query else {})}
            request = {**request, **self._patterns}
        place = {} if self.at is None else {"place": self.at}
        return {"request": request, "reply": self._replies or [{}], **self._beside, **place}


def on(request: str | Mapping[str, Any], *replies: Reply, **patterns: Any) -> Stub:
    """A stub for `proctor.expect(…)`: what is asked, as `"GET /job"`, and in short the reply to each time: a number is a status, a
    text is a body, and a mapping is a reply as a fixture has it. `patterns` are those of `having`, with `optional` and `times`."""
    return Stub(request, *replies, at=caller(), **patterns)


def caller() -> str:
    """FILE:LINE of who called the function that asks."""
    frame = sys._getframe(2)
    file = os.path.relpath(frame.f_code.co_filename)
    return f"{frame.f_code.co_filename if file.startswith('..') else file}:{frame.f_lineno}"


def _is_content(value: Any) -> bool:
    """Whether it can be nothing but content; a list of texts alone may be JSON."""
    return isinstance(value, (str, bytes)) or (
        isinstance(value, list) and any(isinstance(piece, bytes) or (isinstance(piece, Mapping) and "do" in piece) for piece in value))


def checked(value: Any, key: str, pointer: str = "", depth: int = 0, *, is_json: bool = False) -> Any:
    """The value of a key, if JSON has a form for all of it; ProctorError names the first place that has none, by its JSON pointer.

    Bytes have a form in fixtures, `{"base64": …}`, and none in content that is JSON itself.
    """
    kinds = (str, int, float, type(None)) if is_json else (str, int, float, type(None), bytes)
    if depth > MOST_DEPTH:
        raise ProctorError(f"{key} is nested deeper than {MOST_DEPTH} values, or contains itself")
    if isinstance(value, (dict, list, tuple)):
        for name, member in value.items() if isinstance(value, dict) else enumerate(value):
            if not isinstance(name, (str, int)):
                raise ProctorError(f"{_place(key, pointer)} has the name {name!r}; names in JSON are text")
            token = str(name).replace("~", "~0").replace("/", "~1")
            checked(member, key, f"{pointer}/{token}", depth + 1, is_json=is_json)
    elif not isinstance(value, kinds) or (isinstance(value, float) and not math.isfinite(value)):
        raise ProctorError(
            f"{_place(key, pointer)} is {value!r}, for which JSON has no form: wanted text, a finite number, True, False, None, a list or a dict")
    return value


def _place(key: str, pointer: str) -> str:
    return f"{key} {pointer}" if pointer else key


def _json_call(status: int | None, value: Any) -> str:
    return f"reply({'' if status is None else f'{status}, '}json={value!r})"


def requests(run: Run) -> list[Request]:
    """All requests of a run so far, in the order in which they came."""
    heads: dict[int | None, dict[str, Any]] = {}
    for line in run.journal():
        if line["ev"] == "requestHead":
            heads[line["request"]] = {"head": line}
            heads[line["request"]]["messages"] = []
        elif line.get("request") not in heads:
            continue
        elif line["ev"] in ("replySent", "replyAborted"):
            heads[line["request"]]["end"] = "read" if line["ev"] == "replySent" else line.get("client")
        elif line["ev"] in ("requestBody", "exchangeChosen"):
            heads[line["request"]][line["ev"]] = line
        elif line["ev"] == "webSocketFrame" and line["by"] == "client" and line.get("message", {}).get("kind") in ("text", "binary"):
            heads[line["request"]]["messages"].append(line["message"])
    return [_request(run, found) for found in heads.values()]


def _request(run: Run, found: dict[str, Any]) -> Request:
    head, place = found["head"], found.get("exchangeChosen", {}).get("exchange")
    stub = run.stubs[place] if place is not None and place < len(run.stubs) else None
    fields = [(_text(name), _text(value)) for name, value in head["fields"]]
    messages = [_kept(one, "content") for one in found["messages"]]
    body = found.get("requestBody", {})
    coded = _kept(body, "body")
    return Request(
        _kept(head, "method").decode(), _kept(head, "target").decode(), fields, _kept(body["decoded"], "body") if "decoded" in body else coded, stub,
        head["ns"] / 1e9,
        [content.decode(errors="replace") if one["kind"] == "text" else content for one, content in zip(found["messages"], messages)],
        found.get("end"), coded)


def _kept(line: Mapping[str, Any], key: str) -> bytes:
    """Bytes of the journal: text, or base64 where they are none."""
    if f"{key}Base64" in line:
        return base64.b64decode(line[f"{key}Base64"])
    return str(line.get(key, "")).encode()


def _text(value: Any) -> str:
    return base64.b64decode(value["base64"]).decode("latin-1") if isinstance(value, Mapping) else str(value)


def _reply(reply: Reply) -> dict[str, Any]:
    if isinstance(reply, int):
        return {"status": reply}
    return {"body": reply} if isinstance(reply, (str, bytes)) else dict(reply)


def _fields(headers: Mapping[str, Any] | Iterable[tuple[str, Any]] | None) -> list[tuple[str, Any]]:
    pairs: Iterator[Any] = iter(headers.items() if isinstance(headers, Mapping) else headers or ())
    return [(str(name), value) for name, value in pairs]
