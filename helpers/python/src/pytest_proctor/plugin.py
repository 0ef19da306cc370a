"""The plugin: options, fixtures `proctor_server`, `proctor` and `run`, the marker, and the timeline in reports."""

from __future__ import annotations

import os
import textwrap
import threading
import uuid
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import partial
from typing import Any

import pytest

from .run import Run, Verdict
from .server import ProctorError, Server
from .sitting import Exam, Sitting
from .stub import Reply, Request, Stub, caller, checked, requests

# pytest shows a failure at the line of the test that asked.
__tracebackhide__ = True


class Proctor:
    """Makes runs, and deletes them all in `close()`."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.runs: list[Run] = []
        self._stubs: list[Stub] = []
        self._origin: dict[str, Any] = {}
        self._stubbed: Run | None = None
        # Clients of a test may run on several threads, and the first of them opens the run for all.
        self._opening = threading.Lock()

    def run(self, scenario: str, case: str | None = None, **options: int | str) -> Run:
        """A run of a scenario, to be judged by `case`; `seed`, `reslice`, `lifeSeconds` and `protocol` are options."""
        return self._add(self.server.ask("POST", "runs", {"scenario": scenario, **options}), case)

    def inline(self, text: str, case: str | None = None) -> Run:
        """A run of the scenario whose YAML or JSON is given."""
        return self._add(self.server.ask("POST", "inline", textwrap.dedent(text)), case)

    def on(self, request: str | Mapping[str, Any], *replies: Reply, **patterns: Any) -> Stub:
        """A stub of the test: `proctor.on("GET /items").reply(200, json=[]).times(2)` (Docs/use/stubs.md).

        All stubs stand before the first `url()`. The test fails by a request that none of them expects, and by one that never comes.
        """
        self._refuse_change()
        self._stubs.append(Stub(request, *replies, at=caller(), **patterns))
        return self._stubs[-1]

    def origin(self, **keys: Any) -> None:
        """What the stubs' server is, by the keys of Docs/format/origins.md: `scheme="https"`, `host="api.example.org"`."""
        self._refuse_change()
        self._origin.update({key: checked(value, key) for key, value in keys.items()})

    def _refuse_change(self) -> None:
        if self._stubbed is not None:
            raise ProctorError("all stubs of a test stand before its first url(), which opens their ports")

    @property
    def stubbed(self) -> Run:
        """The run of the stubs, which is opened when it is first asked for."""
        with self._opening:
            if self._stubbed is None:
                if not self._stubs:
                    raise ProctorError("there is no stub yet: proctor.on(\"GET /items\").reply(200)")
                self._stubbed = self.expect(*self._stubs)
            return self._stubbed

    def url(self, path: str = "/") -> str:
        """The URL of a path at the stubs."""
        return self.stubbed.url(path)

    def ws_url(self, path: str = "/") -> str:
        """The same for a WebSocket: `ws:`, or `wss:` where the stubs speak TLS."""
        return self.stubbed.ws_url(path)

    @property
    def trust(self) -> str:
        """The path of a PEM file with the authority to trust where the stubs speak TLS."""
        return self.server.trust

    @property
    def environment(self) -> dict[str, str]:
        """The variables that lead common clients to the stubs: addresses, proxies for names, the authority."""
        return self.stubbed.environment

    @property
    def requests(self) -> list[Request]:
        """All requests that came to the stubs so far, also those that none expected."""
        return requests(self.stubbed)

    def verify(self, within: float = 5.0) -> Verdict:
        """Judges the stubs now, when what is under way has come to its end; without it they are judged when the test has passed."""
        return self.stubbed.verdict(within=within)

    def expect(self, *stubs: Stub) -> Run:
        """A run of these stubs, each made by `on(…)`."""
        origins = {"origins": {"main": self._origin}} if self._origin else {}
        scenario = {"summary": "Exchanges of a test", **origins, "exchanges": [stub.exchange() for stub in stubs]}
        run = self._add(self.server.ask("POST", "stubs", scenario), None)
        run.stubs = list(stubs)
        for place, stub in enumerate(stubs):
            stub.serve(run, place)
        return run

    def _add(self, info: dict[str, Any], case: str | None) -> Run:
        self.runs.append(Run(self.server, info, case))
        return self.runs[-1].open()

    def judge_rest(self) -> None:
        """Asks for the verdict of each run that was not judged, and of stubs that no client was led to."""
        if self._stubs:
            _ = self.stubbed
        for run in self.runs:
            if not run.judged:
                run.verdict()

    def close(self) -> None:
        """Deletes the runs; quiet where one, or the server, is gone already."""
        while self.runs:
            with suppress(ProctorError):
                self.server.call("DELETE", f"runs/{self.runs.pop().id}")


KEY = pytest.StashKey[Proctor]()
UNUSED = pytest.StashKey[list[str]]()
#: Options that set a variable, which the workers of pytest-xdist inherit.
OPTIONS = {
    "server": ("PROCTOR_SERVER", "URL", "use the server that runs there, and start none"),
    "binary": ("PROCTOR_BINARY", "PATH", "start this program"),
    "fixtures": ("PROCTOR_FIXTURES", "FOLDER", "your own scenarios, besides those that come with Proctor"),
}
SERVER = pytest.StashKey[Server]()
STARTING = threading.Lock()
EXAMS = pytest.StashKey[list[Exam]]()


def server_of(config: pytest.Config) -> Server:
    """The one server of a session, found or started when it is first needed."""
    with STARTING:
        if SERVER not in config.stash:
            config.stash[SERVER] = Server()
        return config.stash[SERVER]


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("proctor")
    for name, (variable, kind, text) in OPTIONS.items():
        group.addoption(f"--proctor-{name}", metavar=kind, help=f"{text} ({variable})")
    group.addoption("--proctor-each-worker", action="store_true", help="a server for each worker of pytest-xdist, not one for all")
    group.addoption("--write-ledger", action="store_true", help="write what the clients of exams fail to their ledgers")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "proctor(scenario, case=None): what the fixture 'run' is a run of, and is judged by")
    for name, (variable, _, _) in OPTIONS.items():
        if value := config.getoption(f"proctor_{name}"):
            os.environ[variable] = value
    config.stash[EXAMS] = []
    if told := getattr(config, "workerinput", {}).get("proctor_server"):
        os.environ["PROCTOR_SERVER"], os.environ["PROCTOR_TOKEN"] = told


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Gives each process of pytest-xdist the server of the session."""
    if node.config.getoption("proctor_each_worker"):
        return
    with suppress(ProctorError):
        server = server_of(node.config)
        node.workerinput["proctor_server"] = [server.base, server.token]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    exam, name = getattr(metafunc.function, "proctor_exam", (None, ""))
    if exam is None:
        return
    config = metafunc.config
    writes = config.getoption("--write-ledger") or bool(os.environ.get("PROCTOR_WRITE_LEDGER"))
    if writes and hasattr(config, "workerinput") and config.getoption("proctor_each_worker"):
        raise pytest.UsageError("a ledger is written of one server's exam: leave out --proctor-each-worker")
    session = getattr(config, "workerinput", {}).get("testrunuid") or str(uuid.uuid4())
    server = server_of(config)
    cases = exam.begin(server, config, metafunc.definition.path, metafunc.function.__name__, writes, session)
    config.stash[EXAMS].append(exam)
    metafunc.parametrize(name, [
        pytest.param(
            partial(Sitting, exam, server, case["case"]), id=case["case"],
            marks=[pytest.mark.skip(f"{case['outcome']}: {case['reason']}")] if "outcome" in case else [])
        for case in cases])


def pytest_sessionfinish(session: pytest.Session) -> None:
    for exam in session.config.stash.get(EXAMS, []):
        if exam.writes and not session.config.option.collectonly:
            exam.write(server_of(session.config))


def pytest_unconfigure(config: pytest.Config) -> None:
    if server := config.stash.get(SERVER, None):
        server.close()


@pytest.fixture(scope="session")
def proctor_server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """The server of this session: PROCTOR_SERVER, or one that is started."""
    server = server_of(request.config)
    yield server
    with suppress(ProctorError):
        request.config.stash[UNUSED] = server.ask("GET", "unused")["unused"]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    server = config.stash.get(SERVER, None)
    # The process that starts the workers runs no test itself.
    if server and getattr(config.option, "numprocesses", None):
        with suppress(ProctorError):
            config.stash[UNUSED] = server.ask("GET", "unused")["unused"]
    if lines := config.stash.get(UNUSED, []):
        terminalreporter.section("proctor: exchanges that no test asked for")
        for line in lines:
            terminalreporter.line(line)


@pytest.fixture
def proctor(proctor_server: Server, request: pytest.FixtureRequest) -> Iterator[Proctor]:
    """Makes runs of scenarios for this test. What the test does not judge itself is judged when it has passed."""
    proctor = Proctor(proctor_server)
    request.node.stash[KEY] = proctor
    yield proctor
    proctor.close()


@pytest.fixture
def run(proctor: Proctor, request: pytest.FixtureRequest) -> Run:
    """The run of the scenario that `@pytest.mark.proctor("…", case="…")` names."""
    marker = request.node.get_closest_marker("proctor")
    if marker is None:
        raise ProctorError("the fixture 'run' needs a scenario: @pytest.mark.proctor(\"plain/get\")")
    return proctor.run(*marker.args, **marker.kwargs)


@pytest.hookimpl(trylast=True)
def pytest_runtest_call(item: pytest.Item) -> None:
    # Behind the call of the test itself, so only where that has passed; a failure is one of the test, not of its teardown.
    proctor = item.stash.get(KEY, None)
    try:
        if proctor is not None:
            proctor.judge_rest()
    except (AssertionError, ProctorError) as error:
        raise pytest.fail.Exception(str(error), pytrace=False) from None


@pytest.hookimpl(hookwrapper=True, tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> Iterator[None]:
    told = _told(item, call)
    outcome: Any = yield
    # The summary has the first line of the message: a request that no stub expects explains what the client made of its 404.
    crash = getattr(outcome.get_result().longrepr, "reprcrash", None)
    if told and crash is not None:
        crash.message = f"{told}\n{crash.message}"


def _told(item: pytest.Item, call: pytest.CallInfo[None]) -> str:
    """Adds the timelines to the report of a test that failed by itself; what the client did wrong first, "" where it did nothing wrong."""
    proctor = item.stash.get(KEY, None)
    # An error of Proctor's own is about how the test is written.
    others = (pytest.skip.Exception, ProctorError)
    if proctor is None or call.excinfo is None or call.when == "teardown" or isinstance(call.excinfo.value, others):
        return ""
    sentences = []
    for run in proctor.runs:
        if not run.raised:
            # A server that is gone tells nothing.
            with suppress(ProctorError):
                verdict = run.judge(within=1.0)
                item.add_report_section(call.when, "proctor", f"{run.scenario} at {run.base}\n{run.shown(verdict)}")
                # What never came may be missing since the test ended early.
                if verdict.data["isFailure"] and not (verdict.codes and set(verdict.codes) <= {"never-came", "no-client-came"}):
                    sentences.append(str(verdict.data.get("sentence", "")))
    return next(filter(None, sentences), "")
