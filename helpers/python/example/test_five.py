"""The five tests that most suites begin with."""

import time

import pytest
import requests

from pytest_proctor import Proctor


def test_waits_as_long_as_a_429_asks_for(proctor: Proctor) -> None:
    items = proctor.on("GET /items").reply(429, headers={"Retry-After": "1"}).reply(200, "ok").times(2)
    while (reply := requests.get(proctor.url("/items"), timeout=10)).status_code == 429:
        time.sleep(int(reply.headers["Retry-After"]))
    assert items.requests[1].time - items.requests[0].time >= 1
    assert items.requests[0].end == "read"


def test_asks_again_after_a_503(proctor: Proctor) -> None:
    proctor.on("GET /job").reply(503).reply(200, "done").times(2)
    while requests.get(proctor.url("/job"), timeout=10).status_code == 503:
        pass


def test_a_slow_body_ends_in_a_read_timeout(proctor: Proctor) -> None:
    proctor.on("GET /slow").reply(200, ["a", {"do": "wait 10s"}, "b"])
    with pytest.raises(requests.RequestException):
        requests.get(proctor.url("/slow"), timeout=0.2)


def test_posts_json(proctor: Proctor) -> None:
    items = proctor.on("POST /items").having(json={"name": "a"}).reply(201, json={"id": 7})
    assert requests.post(proctor.url("/items"), json={"name": "a"}, timeout=10).json() == {"id": 7}
    assert items.requests[0].header("Content-Type") == "application/json"


def test_sends_the_cookie_of_the_login(proctor: Proctor) -> None:
    proctor.on("POST /login").reply(200, headers={"Set-Cookie": "session=1"})
    proctor.on("GET /account").having(cookies={"session": "1"}).reply(200, "Ann")
    with requests.Session() as session:
        session.post(proctor.url("/login"), timeout=10)
        assert session.get(proctor.url("/account"), timeout=10).text == "Ann"
    proctor.verify()
