"""Exchanges written in Python, in the words of the pages in Docs/format."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Union

Reply = Union[int, str, bytes, Mapping[str, Any]]


def on(request: str | Mapping[str, Any], *replies: Reply, **patterns: object) -> dict[str, Any]:
    """An exchange: what is asked, as `"GET /job"`, and the reply to each time, in turn; the last one stays.

    A number is a status, a text is a body, and a mapping is a reply as a fixture has it, with status 200 unless it says otherwise;
    without any the reply is an empty 200. `patterns` are the other keys of a request: `json`, `headers`, `cookies`, `query`, `form`,
    `body`. `optional` and `times` are those of an exchange.
    """
    exchange: dict[str, Any] = {key: patterns.pop(key) for key in ("optional", "times") if key in patterns}
    if patterns:
        if isinstance(request, str):
            method, _, path = request.partition(" ")
            path, _, query = path.partition("?")
            request = {"method": method, "path": path, **({"query": query} if query else {})}
        request = {**request, **patterns}
    return {"request": request, "reply": [_reply(reply) for reply in replies or (200,)], **exchange}


def _reply(reply: Reply) -> dict[str, Any]:
    if isinstance(reply, int):
        return {"status": reply}
    if isinstance(reply, (str, bytes)):
        return {"status": 200, "body": reply}
    return {"status": 200, **reply}
