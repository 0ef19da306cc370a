"""Runs of scenarios, and their verdicts."""

from __future__ import annotations

import base64
import json
import re
import ssl
import textwrap
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, NamedTuple, Union
from urllib.parse import quote

from .server import ProctorError, Server

# pytest shows a failure at the line of the test that asked.
__tracebackhide__ = True
# How long nothing may come, in milliseconds, until a run without open requests is judged.
QUIET = 50
Result = Union[Mapping[str, object], Sequence[Mapping[str, object]], str]


class Verdict(NamedTuple):
    """`outcome` is a word of Docs/verdicts.md, `text` is for people, and `data` is all that the server said."""

    outcome: str
    text: str
    data: dict[str, Any]


class Run:
    """One run of a scenario: ports, turns and journal of its own."""

    def __init__(self, server: Server, info: dict[str, Any], case: str | None) -> None:
        self.server, self.info, self.case = server, info, case
        self.id, self.scenario, self.base = str(info["run"]), str(info["scenario"]), str(info["base"])
        self.origins: dict[str, str] = info["origins"]
        #: Whether a verdict was asked for, and whether one was raised, which tells the timeline.
        self.judged = self.raised = False
        #: The variables that lead common clients here: addresses, proxies, the authority.
        self.environment: dict[str, str] = {}

    def url(self, path: str = "/", origin: str | None = None) -> str:
        """The URL of a path at the first origin, or at the one that is named."""
        if origin is not None and origin not in self.origins:
            raise ProctorError(f"{self.scenario} has no origin '{origin}', but {', '.join(self.origins)}")
        return (self.origins[origin] if origin else self.base) + (path if path.startswith("/") else f"/{path}")

    @property
    def trust(self) -> str:
        """The path of a PEM file with the authority to trust where the scenario has https."""
        return self.server.trust

    def ssl_context(self) -> ssl.SSLContext:
        """A client's context that trusts this server's authority and no other."""
        return ssl.create_default_context(cafile=self.trust)

    def ask(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """Any call of the control API about this run: `run.ask("PATCH", "state", {"left": 7})`."""
        return self.server.ask(method, f"runs/{self.id}/{path}", body)

    def journal(self, after: int = 0, wait: int = 0) -> list[dict[str, Any]]:
        """What happened behind line `after` (Docs/journal.md); waits up to `wait` milliseconds for something to come."""
        text = self.server.call("GET", f"runs/{self.id}/journal?after={after}&wait={wait}")
        return [json.loads(line) for line in text.splitlines()]

    def reset(self) -> None:
        """Goes back to the first turn and an empty journal; the run is to be judged anew."""
        self.ask("POST", "reset")
        self.judged = False

    def settle(self, timeout: float = 5.0) -> list[dict[str, Any]]:
        """The journal, as soon as no request and no handshake is under way, or after `timeout` seconds."""
        end, lines, busy = time.monotonic() + timeout, list[dict[str, Any]](), set[int]()
        while True:
            left = max(0, int((end - time.monotonic()) * 1000))
            new = self.journal(lines[-1]["seq"] if lines else 0, min(left, 1000 if busy else QUIET))
            lines += new
            for line in new:
                if line["ev"] in ("connectionOpened", "requestHead"):
                    busy.add(line["connection"])
                elif line["ev"] in ("replySent", "replyAborted", "connectionClosed"):
                    busy.discard(line["connection"])
            if not left or not (new or busy):
                return lines

    def judge(self, case: str | None = None, result: Result = (), timeout: float = 5.0) -> Verdict:
        """What `verdict` says, without an AssertionError."""
        lines = self.settle(timeout)
        if not any(line["ev"] == "connectionOpened" for line in lines):
            hint = "; its hosts have names: the client needs the proxy in run.environment" if "names" in self.info else ""
            place = self.base.partition("://")[2]
            text = f"the client made no connection to {place}\n{self.scenario}: run.url('/…') leads there{hint}"
            return Verdict("not-judged", text, {})
        results = [result] if isinstance(result, Mapping) else result
        trace = results if isinstance(results, str) else _trace(results)
        try:
            data = self.ask("POST", "grade" + _query(case or self.case), trace)
        except ProctorError as error:
            raise ProctorError(str(error).replace("as ?case=NAME", "to judge by, as run.verdict('NAME')")) from None
        return Verdict(data["outcome"], data["text"], data)

    def verdict(self, case: str | None = None, result: Result = (), timeout: float = 5.0) -> Verdict:
        """Judges the run by a case, when what is under way has come to its end, or after `timeout` seconds.

        `result` says what the client made of the reply, as `{"status": 200, "body": b"ok"}` or `{"error": "connectionLost"}`; a list
        does for several steps, and a text is a whole trace (Docs/trace-format.md). Without it the requests alone are judged.
        AssertionError, with the timeline, unless something was judged and all of that held, or the case asks for nothing.
        """
        verdict = self.judge(case, result, timeout)
        self.judged, self.raised = True, verdict.outcome not in ("pass", "partly", "observed")
        if self.raised:
            raise AssertionError(verdict.text)
        return verdict

    def timeline(self) -> str:
        """What happened, an event a line; before it what went wrong, where the requests fail."""
        try:
            verdict = self.judge(timeout=1.0)
        except ProctorError as error:
            # Which names the cases; the timeline is much the same for each.
            named = re.search(r"'NAME'\); \S+ has ([^,]+)", str(error))
            verdict = self.judge(named and named[1], timeout=1.0)
        parts = verdict.text.split("\n\n")
        return "\n".join(parts[verdict.outcome != "fail":2]) if verdict.data and len(parts) > 1 else parts[0]


class Proctor:
    """Makes runs, and deletes them all in `close()`."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.runs: list[Run] = []

    def run(self, scenario: str, case: str | None = None, **options: int | str) -> Run:
        """A run of a scenario, to be judged by `case`; `seed`, `reslice`, `lifeSeconds` and `protocol` are options."""
        return self._keep(self.server.ask("POST", "runs", {"scenario": scenario, **options}), case)

    def inline(self, text: str, case: str | None = None) -> Run:
        """A run of the scenario whose YAML or JSON is given."""
        return self._keep(self.server.ask("POST", "inline", textwrap.dedent(text)), case)

    def expect(self, *exchanges: dict[str, Any]) -> Run:
        """A run of these exchanges, each made by `on(…)`; it fails by a request that none expects, and by one that never comes."""
        return self.inline(json.dumps({"summary": "Exchanges of a test", "exchanges": exchanges}))

    def _keep(self, info: dict[str, Any], case: str | None) -> Run:
        run = Run(self.server, info, case)
        self.runs.append(run)
        told = run.ask("GET", f"environment{_query(case)}")["environment"]
        for name, value in told.items():
            run.environment[name] = run.trust if value == told.get("PROCTOR_CA") else value
        return run

    def judge_rest(self) -> None:
        """Asks for the verdict of each run that was not judged."""
        for run in self.runs:
            if not run.judged:
                run.verdict()

    def close(self) -> None:
        """Deletes the runs; quiet where one, or the server, is gone already."""
        while self.runs:
            with suppress(ProctorError):
                self.server.call("DELETE", f"runs/{self.runs.pop().id}")


def _query(case: str | None) -> str:
    return f"?case={quote(case)}" if case else ""


def _trace(results: Sequence[Mapping[str, object]]) -> str:
    """The trace of a client that reports the result of each step."""
    lines: list[dict[str, object]] = []
    names: set[str] = set()
    for task, result in enumerate(results):
        facts, body = dict(result), result.get("body")
        if isinstance(body, (bytes, str)):
            data = body.encode() if isinstance(body, str) else body
            del facts["body"]
            facts.update(bytes=len(data), bodyBase64=base64.b64encode(data).decode())
        lines.append({"lane": "harness", "ev": "resume", "task": task})
        lines.append({"lane": "harness", "ev": "result", "task": task, "facts": facts})
        names.update(facts, ["error", *result])
    head = {"trace": "proctor", "version": 1, "lanes": ["harness"], "facts": sorted(names)}
    return "".join(json.dumps(line) + "\n" for line in [head, *lines])
