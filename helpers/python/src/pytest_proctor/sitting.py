"""Exams inside a test: each case of a client's exam is a test of its own, and a function makes its loads."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import functools
import http.client
import inspect
import os
import shlex
import socket
import ssl
import threading
import traceback
import uuid
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from email.message import Message
from pathlib import Path
from typing import Any, TypeVar, Union
from urllib.parse import quote, urlencode

import pytest

from .server import ProctorError, Server

# pytest shows a failure at the line of the test that asked.
__tracebackhide__ = True
Made = TypeVar("Made")
Fields = Union[Mapping[str, str], Message, Iterable[tuple[str, str]]]
PIECE = 64 << 10
BODY_LIMIT = 640 << 10
#: How often a control is asked that goes wrong each time; the server says when it is enough.
CONTROL_LIMIT = 5
#: Proxies, authorities and passwords of the surroundings, which no client of an exam may find.
SETTINGS = (
    *(name for one in ("http_proxy", "https_proxy", "all_proxy", "no_proxy") for name in (one, one.upper())),
    "REQUESTS_CA_BUNDLE", "CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR", "SSLKEYLOGFILE", "NETRC")
HERE = str(Path(__file__).parent)


class Cannot(Exception):
    """The client can't be told a part of the program."""


class Load:
    """One load that the client is to make: what is asked, how questions are answered, and what comes of it.

    All loads of a case share one client: make it by `once`.
    """

    def __init__(self, sitting: Sitting, index: int) -> None:
        self._sitting, self.index = sitting, index
        #: The step and the session of the assignment as Docs/clients/assignment.md has them.
        self.step: dict[str, Any] = sitting.assignment["steps"][index]
        self.session: dict[str, Any] = sitting.assignment["session"]
        self.case: str = sitting.case
        self.method: str = self.step["method"]
        self.url: str = self.step["url"]
        #: Names and values in order; a name may come twice.
        self.fields: list[tuple[str, str]] = [(name, value) for name, value in self.step["headers"]]
        #: What is given to the client to encode: names and values.
        self.form: list[tuple[str, str]] = [(name, value) for name, value in self.step.get("form", [])]
        self.query: list[tuple[str, str]] = [(name, value) for name, value in self.step.get("query", [])]
        told = self.step.get("beforehand", {})
        #: Whether redirects are followed; `answers` has the answer to each where they differ.
        self.follows: bool = told.get("follow", self.step["onRedirect"][0]["answer"] == "follow")
        account = told.get("credential", {})
        #: Name and password for any challenge, or None; `token` is that of the Bearer scheme.
        self.credential: tuple[str, str] | None = (account["user"], account["password"]) if "user" in account else None
        self.token: str | None = account.get("token")
        #: The word of the moment at which the load is to be cancelled, as `response`, and the how manieth; or None.
        moment = self.step.get("cancelAt")
        self.cancels_at: tuple[str, int] | None = (moment["event"], moment["count"]) if moment else None
        #: Seconds of silence after which the client is to give up, or None.
        silence = self.step.get("timeout") or self.session.get("requestTimeout")
        self.timeout: float | None = silence / 1000 if silence else None
        #: The file of the only authorities to trust (PEM), or None; and certificate and key of the client, or None.
        self.trust: str | None = self.session.get("trust")
        identity = self.session.get("identity")
        self.identity: tuple[str, str] | None = (identity["certificate"], identity["key"]) if identity else None
        #: The URL of the proxy that is used for everything, or None.
        self.proxy: str | None = f"http://{self.session['proxy']}" if self.session.get("proxy") else None
        self.keeps_cookies: bool = self.session["cookies"] != "never"

    @property
    def body(self) -> bytes | None:
        """The content as bytes, or None."""
        body = self.step.get("body")
        if body is None:
            return None
        data = base64.b64decode(body["base64"]) if "base64" in body else body.get("text", "").encode()
        count = body.get("count", len(data)) if data else 0
        return bytes((data * (count // max(1, len(data)) + 1))[:count])

    @property
    def is_streamed(self) -> bool:
        """Whether the length of the content is not to be known beforehand."""
        return "body" in self.step and self.step["bodyForm"].endswith(("stream", "pair"))

    @property
    def content(self) -> bytes | Iterator[bytes] | None:
        """The content as it is to be handed over: bytes, or pieces of them where its length is not to be known."""
        body = self.body
        if body is None or not self.is_streamed:
            return body
        return (body[start:start + PIECE] for start in range(0, len(body), PIECE))

    def answers(self, question: str) -> Iterator[dict[str, Any]]:
        """The answers to one `redirect` or `challenge` after the other; the last one stays."""
        all_of = self.step["onRedirect" if question == "redirect" else "onChallenge"]
        yield from all_of
        while all_of:
            yield all_of[-1]

    def context(self) -> ssl.SSLContext:
        """A client's TLS context with the authority and the identity of the case."""
        context = ssl.create_default_context(cafile=self.trust)
        if self.identity:
            context.load_cert_chain(*self.identity)
        return context

    def once(self, make: Callable[[], Made]) -> Made:
        """What `make` gave at the first load of the case; it is closed with the case where it has `close`."""
        return self._sitting.once(make)

    def cannot(self, reason: str) -> Cannot:
        """Raise it where the client can't be told a part of the program: the case is skipped with the reason."""
        return Cannot(reason)

    def result(self, status: int, fields: Fields = (), url: str | None = None, body: bytes | str | Path = b"") -> dict[str, Any]:
        """What came of the load: the final status, its fields and URL, and the content or the path of a file with it."""
        pairs = list(fields.items() if isinstance(fields, (Mapping, Message)) else fields)
        looked_up: dict[str, str] = {}
        for name, value in pairs:
            key = name.lower()
            looked_up[key] = f"{looked_up[key]}, {value}" if key in looked_up else value
        if not self._sitting.exam.decodes and looked_up.get("content-encoding", "identity").lower() != "identity":
            raise Cannot("undoes no content coding")
        content = body.read_bytes() if isinstance(body, Path) else body.encode() if isinstance(body, str) else body
        facts: dict[str, Any] = {"status": status, "bytes": len(content)} if len(content) > BODY_LIMIT else _content(status, content)
        if url is not None:
            facts["url"] = url
        if mime := looked_up.get("content-type", "").split(";")[0].strip().lower():
            facts["mime"] = mime
        if names := self.step.get("fieldNames"):
            facts["header"] = "\n".join(f"{name}: {looked_up[name.lower()]}" for name in names if name.lower() in looked_up)
        return facts

    def error(self, name: str, message: str = "", **partial: Any) -> dict[str, Any]:
        """A failure by its name, as `timedOut` or `cancelled` (Docs/judging/traces.md), with what else is known, as `status`."""
        return {**partial, "error": name, "message": message or name}


def _content(status: int, content: bytes) -> dict[str, Any]:
    try:
        return {"status": status, "body": content.decode()} if b"\0" not in content else {"status": status, "body": content}
    except UnicodeDecodeError:
        return {"status": status, "body": content}


class Sitting:
    """One case of an exam in a run of its own."""

    def __init__(self, exam: Exam, server: Server, case: str) -> None:
        self.exam, self.server, self.case = exam, server, case
        self._kept: list[Any] = []

    def once(self, make: Callable[[], Made]) -> Made:
        if not self._kept:
            self._kept.append(make())
        made: Made = self._kept[0]
        return made

    def perform(self, client: Callable[[Load], Any]) -> None:
        """Has the client make the loads, and raises what pytest is to show: a failure, a known one, or a skip."""
        judge, body = self._sit({"case": self.case}, {"case": self.case.partition("#")[2]}, client)
        verdict = self.server.ask("POST", judge, body)
        # A pass by what the client left undone counts where the client can do it.
        if controls := verdict.get("controls"):
            for control in controls:
                self._meet(control, client)
            verdict = self.server.ask("POST", judge, body)
        self._report(verdict)

    def _meet(self, control: str, client: Callable[[Load], Any]) -> None:
        for _ in range(CONTROL_LIMIT):
            sitting = Sitting(self.exam, self.server, f"control/{control}")
            judge, body = sitting._sit({"control": control}, {"control": control}, client)
            if not self.server.ask("POST", judge, body)["again"]:
                return

    def _sit(self, what: Mapping[str, str], judged: Mapping[str, str], client: Callable[[Load], Any]) -> tuple[str, dict[str, Any]]:
        """Has the client make the loads of a run; gives the call that judges it, and its body."""
        told = self.server.ask("POST", f"exams/{self.exam.name}/sit?{urlencode(what)}", "")
        self.assignment: dict[str, Any] = told["assignment"]
        results: list[dict[str, Any]] = []
        raised: list[BaseException] = []

        def work() -> None:
            try:
                with _surroundings(self.assignment["session"]):
                    for index in range(len(self.assignment["steps"])):
                        results.append(self._load(client, index))
            except BaseException as error:
                raised.append(error)
            finally:
                for made in self._kept:
                    self._close(made)

        # A load that never ends must not keep the tests from going on.
        thread = threading.Thread(target=work, daemon=True, name=self.case)
        thread.start()
        thread.join(self.assignment["deadline"] / 1000)
        hung = {"hung": self.assignment["deadline"]} if thread.is_alive() else {}
        if raised and not hung:
            self.server.call("DELETE", f"runs/{told['run']}")
            if isinstance(raised[0], Cannot):
                pytest.skip(f"the client can't be told so: {raised[0]}")
            raise raised[0]
        return f"exams/{self.exam.name}/judge?{urlencode({'run': told['run'], **judged, **hung})}", {"results": results}

    def _load(self, client: Callable[[Load], Any], index: int) -> dict[str, Any]:
        try:
            result = client(Load(self, index))
            if inspect.isawaitable(result):
                result = self._loop().run_until_complete(_awaited(result))
        except Exception as error:
            if self.exam.is_mistake(error):
                raise
            return {"error": error_name(error), "message": f"{type(error).__name__}: {error}"[:2000]}
        if not isinstance(result, dict):
            raise TypeError(f"the function gives what load.result(…) or load.error(…) gave, not {type(result).__name__}")
        return result

    def _loop(self) -> asyncio.AbstractEventLoop:
        self.loop: asyncio.AbstractEventLoop = getattr(self, "loop", None) or asyncio.new_event_loop()
        return self.loop

    def _close(self, made: Any) -> None:
        with contextlib.suppress(Exception):
            close = getattr(made, "aclose", None) or getattr(made, "close", None)
            closed = close() if close else None
            if inspect.isawaitable(closed):
                self._loop().run_until_complete(_awaited(closed))
        if loop := getattr(self, "loop", None):
            loop.close()

    def _report(self, verdict: dict[str, Any]) -> None:
        outcome = verdict["outcome"]
        if verdict["isFailure"]:
            if self.exam.writes:
                pytest.xfail(f"written to the ledger: {verdict.get('sentence', outcome)}")
            pytest.fail(f"{verdict['text']}\n\nagain: pytest {shlex.quote(self.exam.node())}", pytrace=False)
        if outcome == "known":
            pytest.xfail("known: " + "; ".join(verdict["verdict"].get("ledger", {}).get("notes", [])))
        if "unjudged" in verdict:
            pytest.skip(f"not judged: {verdict['unjudged']}")
        if outcome in ("lacks", "not-in-this-adapter", "skipped"):
            pytest.skip(verdict["verdict"].get("reason", outcome))


async def _awaited(value: Awaitable[Made]) -> Made:
    return await value


_lookup = socket.getaddrinfo


@contextlib.contextmanager
def _surroundings(session: Mapping[str, Any]) -> Iterator[None]:
    """Has this process know the names of the case, look up no other, and find no settings of the environment, for as long as it lasts."""
    table = {(one["name"], one["port"]): one["address"] for one in session.get("names", [])}

    def getaddrinfo(host: Any, port: Any, *rest: Any, **options: Any) -> Any:
        name = host.decode() if isinstance(host, bytes) else host or ""
        address = table.get((name.lower().removesuffix("."), port))
        if address and not address.startswith("unix:"):
            host, _, text = address.rpartition(":")
            return _lookup(host.strip("[]"), int(text), type=socket.SOCK_STREAM)
        if name == "localhost" or all(letter in "0123456789.:abcdef%" for letter in name):
            return _lookup(host, port, *rest, **options)
        raise socket.gaierror(socket.EAI_NONAME, f"{name!r} at port {port} is not among the names of the case")

    saved = {name: os.environ.pop(name) for name in SETTINGS if name in os.environ}
    socket.getaddrinfo = getaddrinfo
    try:
        yield
    finally:
        # A load that never ended may come to its end within another case.
        if socket.getaddrinfo is getaddrinfo:
            socket.getaddrinfo = _lookup
        os.environ.update(saved)


def error_name(error: BaseException) -> str:
    """The neutral name of what a client raised, by it and by all that it was made from."""
    chain: list[BaseException] = []
    waiting: list[Any] = [error]
    while waiting and len(chain) < 50:
        one = waiting.pop(0)
        if isinstance(one, BaseException) and all(one is not other for other in chain):
            chain.append(one)
            waiting += [getattr(one, "reason", None), getattr(one, "os_error", None), one.__cause__, one.__context__, *one.args]
    for one in chain:
        if isinstance(one, ssl.SSLCertVerificationError):
            return {9: "serverCertificateNotYetValid", 10: "serverCertificateHasBadDate"}.get(
                getattr(one, "verify_code", 0), "serverCertificateUntrusted")
    text = str(error).lower()
    for kinds, name in (
        (("TooManyRedirects",), "tooManyRedirects"), (("InvalidURL", "MissingSchema", "UnsupportedProtocol"), "badURL"),
        (("InvalidSchema",), "unsupportedURL"), (("ContentDecodingError", "DecodeError", "DecodingError"), "cannotDecodeContentData"),
    ):
        if any(kind.__name__ in kinds for one in chain for kind in type(one).__mro__):
            return name
    for one, name in ((ssl.SSLError, "secureConnectionFailed"), (socket.gaierror, "cannotFindHost")):
        if any(isinstance(error, one) and not isinstance(error, TimeoutError) for error in chain):
            return "connectionLost" if "eof occurred" in text or "unexpected eof" in text else name
    if any(isinstance(one, TimeoutError) or "Timeout" in type(one).__name__ for one in chain):
        return "timedOut"
    if any(isinstance(one, ConnectionRefusedError) for one in chain):
        return "cannotConnect"
    if any(isinstance(one, (ConnectionError, http.client.IncompleteRead)) for one in chain):
        return "connectionLost"
    if any(isinstance(one, http.client.HTTPException) for one in chain):
        return "badServerResponse"
    return "badURL" if any(isinstance(one, UnicodeError) for one in chain) else "unknown"


class Exam:
    """What `exam(…)` says of a client; one object for each decorated function."""

    def __init__(self, cases: Sequence[str], terms: Mapping[str, Any], ledger: str | None, errors: Sequence[type[BaseException]],
                 decodes: bool) -> None:
        self.cases, self.terms, self.ledger, self.errors, self.decodes = cases, terms, ledger, tuple(errors), decodes
        self.writes, self.name, self.file, self.path = False, "", "", Path()
        #: The folder that node ids are relative to, and the one that pytest was called in.
        self.root, self.called_in = Path(), Path()

    def is_mistake(self, error: Exception) -> bool:
        """Whether an error is one of the test, and not of its client: it was raised in the file of the test, or here."""
        place = traceback.extract_tb(error.__traceback__)[-1].filename
        own = place == self.file or place.startswith(HERE)
        return own and not isinstance(error, self.errors) or isinstance(error, Cannot)

    def node(self) -> str:
        """What pytest is given to run the test that runs now, and no other, in the folder that it was called in."""
        node, _, _ = os.environ.get("PYTEST_CURRENT_TEST", self.file).rpartition(" (")
        file, separator, rest = node.partition("::")
        return f"{os.path.relpath(self.root / file, self.called_in)}{separator}{rest}"

    def begin(self, server: Server, config: pytest.Config, module: Path, function: str, writes: bool, session: str) -> list[dict[str, Any]]:
        """Tells the server who sits the exam, and gives its cases; the same in every process of a session."""
        self.root, self.called_in = config.rootpath, Path(config.invocation_params.dir)
        self.file, self.path, self.writes = str(module), module.parent / (self.ledger or "proctor.ledger.yaml"), writes
        self.name = f"{function}-{uuid.uuid5(uuid.NAMESPACE_URL, f'{session}{module}')}"[-100:]
        body = {"cases": list(self.cases), **{key: value for key, value in self.terms.items() if value}}
        if (self.ledger or writes) and self.path.is_file():
            body["ledger"] = self.path.read_text()
        return list(server.ask("PUT", f"exams/{quote(self.name)}", body)["cases"])

    def write(self, server: Server) -> None:
        """Brings the ledger up to date; the last process of a session to end has all that came."""
        text = server.call("GET", f"exams/{self.name}/ledger")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        part = self.path.with_name(f"{self.path.name}.{os.getpid()}.tmp")
        part.write_bytes(text)
        part.replace(self.path)


def exam(
    *cases: str, client: str | None = None, version: str | None = None, abilities: Iterable[str] = (), ledger: str | None = None,
    moments: Iterable[str] = (), protocol: str | None = None, errors: Sequence[type[BaseException]] = (), decodes: bool = True,
) -> Callable[[Callable[..., Any]], Callable[..., None]]:
    """Makes each case of an exam a test of its own; the function makes one load, and gives `load.result(…)` or `load.error(…)`.

    `cases` are as `proctor exam` has them: `redirect/`, `family/scenario`, `family/scenario#case`, `*`. A case that needs an
    ability (Docs/clients/abilities.md) that is not among `abilities` is skipped. `ledger` is a file beside the test, of failures
    that are known. `moments` are the events at which the client can be cancelled, where it has the ability `cancel`. What a client
    raises is a result; what the file of the test raises itself is a mistake of the test, unless it is one of `errors`.
    """
    if isinstance(abilities, str) or isinstance(moments, str):
        raise ProctorError("'abilities' and 'moments' are lists of words")
    terms = {"client": client, "version": version, "abilities": sorted(abilities), "moments": sorted(moments), "protocol": protocol}

    def decorate(function: Callable[..., Any]) -> Callable[..., None]:
        first = next((name for name in inspect.signature(function).parameters if name != "self"), None)
        if first is None:
            raise ProctorError(f"{function.__name__} takes the load to make as its first parameter")
        held = Exam(cases, {**terms, "client": client or function.__name__.removeprefix("test_")}, ledger, errors, decodes)

        @functools.wraps(function)
        def test(*arguments: Any, **others: Any) -> None:
            sitting: Sitting = others.pop(first)()
            sitting.perform(lambda load: function(*arguments, **{first: load}, **others))

        test.proctor_exam = (held, first)  # type: ignore[attr-defined]
        return test

    return decorate

