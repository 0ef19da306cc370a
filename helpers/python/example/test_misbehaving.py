"""Clients that break a rule on purpose, to show what a failure looks like: each of these tests fails."""

import contextlib
import http.client
from urllib.parse import urlsplit

import pytest

from pytest_proctor import Proctor, Run


def load(url: str, method: str) -> http.client.HTTPResponse:
    """Follows redirects, and keeps the method for all of them, which RFC 9110 §15.4.4 does not allow for 303."""
    with contextlib.closing(http.client.HTTPConnection(urlsplit(url).netloc, timeout=10)) as connection:
        while True:
            connection.request(method, urlsplit(url).path)
            reply = connection.getresponse()
            reply.read()
            location = reply.getheader("Location")
            if not location:
                return reply
            url = location


def test_a_303_turns_post_into_get(proctor: Proctor) -> None:
    run = proctor.run("redirect/303-post-becomes-get")
    load(run.url("/form"), "POST")
    run.verdict("follow")


@pytest.mark.proctor("redirect/303-post-becomes-get", case="follow")
def test_what_the_client_raises_is_shown_with_the_timeline(run: Run) -> None:
    assert load(run.url("/form"), "POST").status == 200


@pytest.mark.proctor("redirect/303-post-becomes-get", case="follow")
def test_a_client_that_sends_nothing(run: Run) -> None:
    assert run.url("/form")
