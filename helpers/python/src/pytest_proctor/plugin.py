"""The plugin: fixtures `proctor_server`, `proctor` and `run`, the marker, and the timeline in reports."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

import pytest

from .run import Proctor, Run
from .server import ProctorError, Server

KEY = pytest.StashKey[Proctor]()
UNUSED = pytest.StashKey[list[str]]()


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "proctor(scenario, case=None): what the fixture 'run' is a run of, and is judged by")


@pytest.fixture(scope="session")
def proctor_server(request: pytest.FixtureRequest) -> Iterator[Server]:
    """The server of this session: PROCTOR_SERVER, or one that is started."""
    server = Server()
    yield server
    with suppress(ProctorError):
        request.config.stash[UNUSED] = server.ask("GET", "unused")["unused"]
    server.close()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
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


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_makereport(item: pytest.Item, call: pytest.CallInfo[None]) -> None:
    proctor = item.stash.get(KEY, None)
    if proctor is None or call.excinfo is None or call.when == "teardown" or isinstance(call.excinfo.value, pytest.skip.Exception):
        return
    for run in proctor.runs:
        if not run.raised:
            # A server that is gone tells nothing.
            with suppress(ProctorError):
                item.add_report_section(call.when, "proctor", f"{run.scenario} at {run.base}\n{run.timeline()}")
