"""Clients that break a rule on purpose, to show what a failure looks like: each of these tests fails."""

import http.client
from urllib.parse import urlsplit

import pytest

from pytest_proctor import Proctor, Run


def load(url: str, method: str = "GET", body: str = "") -> http.client.HTTPResponse:
    """Follows redirects, and keeps method and body for all of them, which RFC 9110 §15.4.4 does not allow for 303."""
    parts = urlsplit(url)
    connection = http.client.HTTPConnection(parts.netloc, timeout=10)
    connection.request(method, parts.path, body)
    reply = connection.getresponse()
    location = reply.getheader("Location")
    reply.read()
    connection.close()
    return load(location, method, body) if location else reply


def test_a_303_turns_post_into_get(proctor: Proctor) -> None:
    run = proctor.run("redirect/303-post-becomes-get")
    load(run.url("/form"), "POST", "a=1")
    run.verdict("follow")


@pytest.mark.proctor("redirect/303-post-becomes-get", case="follow")
def test_what_the_client_raises_is_shown_with_the_timeline(run: Run) -> None:
    reply = load(run.url("/form"), "POST", "a=1")
    assert reply.status == 200


@pytest.mark.proctor("redirect/303-post-becomes-get", case="follow")
def test_a_client_that_sends_nothing(run: Run) -> None:
    assert run.url("/form")
