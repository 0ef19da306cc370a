"""The five tests that most suites begin with."""

import pytest
import requests

from pytest_proctor import Proctor, on


def test_waits_as_long_as_a_429_asks_for(proctor: Proctor) -> None:
    run = proctor.expect(on("GET /items", {"status": 429, "headers": {"Retry-After": "0"}}, "ok"))
    reply = requests.get(run.url("/items"), timeout=10)
    if reply.status_code == 429:
        reply = requests.get(run.url("/items"), timeout=10)
    assert reply.text == "ok"


def test_asks_again_after_a_503(proctor: Proctor) -> None:
    run = proctor.expect(on("GET /job", 503, "done", times={"exactly": 2}))
    while requests.get(run.url("/job"), timeout=10).status_code == 503:
        pass


def test_a_slow_body_ends_in_a_read_timeout(proctor: Proctor) -> None:
    run = proctor.expect(on("GET /slow", {"body": ["a", {"do": "wait 10s"}, "b"]}))
    with pytest.raises(requests.RequestException):
        requests.get(run.url("/slow"), timeout=0.2)


def test_posts_json(proctor: Proctor) -> None:
    run = proctor.expect(on("POST /items", 201, json={"name": "a"}))
    assert requests.post(run.url("/items"), json={"name": "a"}, timeout=10).status_code == 201


def test_sends_the_cookie_of_the_login(proctor: Proctor) -> None:
    login = on("POST /login", {"headers": {"Set-Cookie": "session=1"}})
    run = proctor.expect(login, on("GET /account", "Ann", cookies={"session": "1"}))
    with requests.Session() as session:
        session.post(run.url("/login"), timeout=10)
        assert session.get(run.url("/account"), timeout=10).text == "Ann"
