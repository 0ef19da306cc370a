"""Runs of scenarios, and their verdicts."""

from __future__ import annotations

import json
import ssl
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Union
from urllib.parse import urlencode

from .server import ProctorError, Server

if TYPE_CHECKING:
    from .stub import Stub

# pytest shows a failure at the line of the test that asked.
__tracebackhide__ = True
Result = Union[Mapping[str, object], Sequence[Mapping[str, object]], str]


class Verdict(NamedTuple):
    """`outcome` is a word of Docs/judging/verdicts.md, `codes` are those of `judge` in Docs/use/client.md, `text` is for people, and
    `data` is all that the server said."""

    outcome: str
    codes: list[str]
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
        #: The stubs whose run it is, in order; none where it is the run of a scenario.
        self.stubs: list[Stub] = []
        #: The variables that lead common clients here: addresses, proxies, the authority.
        self.environment: dict[str, str] = {}

    def open(self) -> Run:
        """Reads the environment, which refuses a case that the scenario does not have."""
        variables = self.call("GET", f"environment{_query(case=self.case)}")["environment"]
        for name, value in variables.items():
            self.environment[name] = self.trust if value == variables.get("PROCTOR_CA") else value
        return self

    def url(self, path: str = "/", origin: str | None = None) -> str:
        """The URL of a path at the first origin, or at the one that is named."""
        if origin is not None and origin not in self.origins:
            raise ProctorError(f"{self.scenario} has no origin '{origin}', but {', '.join(self.origins)}")
        return (self.origins[origin] if origin else self.base) + (path if path.startswith("/") else f"/{path}")

    def ws_url(self, path: str = "/", origin: str | None = None) -> str:
        """The same for a WebSocket: `ws:`, or `wss:` where the origin speaks TLS."""
        return "ws" + self.url(path, origin).removeprefix("http")

    @property
    def trust(self) -> str:
        """The path of a PEM file with the authority to trust where the scenario has https."""
        return self.server.trust

    def ssl_context(self) -> ssl.SSLContext:
        """A client's context that trusts this server's authority and no other."""
        return ssl.create_default_context(cafile=self.trust)

    def call(self, method: str, path: str, body: object = None) -> dict[str, Any]:
        """Any call of the control API about this run: `run.call("PATCH", "state", {"left": 7})`."""
        return self.server.ask(method, f"runs/{self.id}/{path}", body)

    def journal(self, after: int = 0, wait: int = 0) -> list[dict[str, Any]]:
        """What happened behind line `after` (Docs/judging/journal.md); waits up to `wait` milliseconds for something to come."""
        text = self.server.call("GET", f"runs/{self.id}/journal?after={after}&wait={wait}")
        return [json.loads(line) for line in text.splitlines()]

    def reset(self) -> None:
        """Goes back to the first turn and an empty journal; the run is to be judged anew."""
        self.call("POST", "reset")
        self.judged = False

    def judge(self, case: str | None = None, result: Result = (), within: float = 5.0) -> Verdict:
        """What `verdict` says, without an AssertionError."""
        results = [result] if isinstance(result, Mapping) else result
        body = results if isinstance(results, str) or not results else {"results": results}
        data = self.call("POST", f"judge{_query(within=int(within * 1000), case=case or self.case)}", body or "")
        return Verdict(data["outcome"], data["codes"], data["text"], data)

    def verdict(self, case: str | None = None, result: Result = (), within: float = 5.0) -> Verdict:
        """Judges the run by a case, when what is under way has come to its end, or after `within` seconds.

        `result` says what the client made of the reply, as `{"status": 200, "body": b"ok"}` or `{"error": "connectionLost"}`; a list
        does for several steps, and a text is a whole trace (Docs/judging/traces.md). Without it the requests alone are judged.
        AssertionError, with the timeline, where the verdict is a failure (Docs/judging/verdicts.md).
        """
        verdict = self.judge(case, result, within)
        self.judged, self.raised = True, verdict.data["isFailure"]
        if self.raised:
            raise AssertionError(verdict.text)
        return verdict

    def timeline(self) -> str:
        """What happened, an event a line; before it what went wrong."""
        return self.shown(self.judge(within=1.0))

    @staticmethod
    def shown(verdict: Verdict) -> str:
        """What a verdict has for people who know that the test failed."""
        return "\n".join(filter(None, [verdict.data.get("sentence"), verdict.data["timeline"]]))


def _query(**items: object) -> str:
    return f"?{urlencode({name: value for name, value in items.items() if value is not None})}"
