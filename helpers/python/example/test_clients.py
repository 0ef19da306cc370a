"""Clients that do what the cases ask. Run it with `pytest` in this folder."""

import urllib.error
import urllib.request

import pytest
import requests

from pytest_proctor import Proctor, Run


def test_a_redirect_is_followed(proctor: Proctor) -> None:
    run = proctor.run("redirect/302-get-stays-get")
    with urllib.request.urlopen(run.url("/start")) as reply:
        assert reply.read() == b"ok\n"
    run.verdict("follow")


@pytest.mark.proctor("redirect/302-get-stays-get", case="follow")
def test_the_verdict_is_asked_for_at_the_end_of_the_test(run: Run) -> None:
    assert requests.get(run.url("/start"), timeout=10).status_code == 200


@pytest.mark.proctor("redirect/302-get-stays-get")
def test_what_the_client_made_of_the_reply_is_judged_too(run: Run) -> None:
    reply = requests.get(run.url("/start"), timeout=10)
    verdict = run.verdict("follow", {"status": reply.status_code, "body": reply.content})
    assert verdict.outcome == "pass"


@pytest.mark.parametrize("status", [301, 302, 303])
def test_post_becomes_get(proctor: Proctor, status: int) -> None:
    run = proctor.run(f"redirect/{status}-post-becomes-get", case="follow")
    assert requests.post(run.url("/form"), data="a=1", timeout=10).status_code == 200


def test_a_scenario_of_the_test_itself(proctor: Proctor) -> None:
    run = proctor.inline(
        """
        summary: A client asks again after 503
        exchanges:
          - request: GET /job
            reply: [{ status: 503, headers: { Retry-After: "0" } }, { status: 200, body: "done\\n" }]
        cases:
          retry: { client: { url: /job }, wire: "request(GET /job){2}" }
        """
    )
    assert requests.get(run.url("/job"), timeout=10).status_code == 503
    assert requests.get(run.url("/job"), timeout=10).text == "done\n"
    run.verdict()
    assert [line["target"] for line in run.journal() if line["ev"] == "requestHead"] == ["/job", "/job"]


@pytest.mark.proctor("tls/cert/valid", case="unasked")
def test_https_with_the_authority_of_the_server(run: Run) -> None:
    assert requests.get(run.url("/page"), verify=run.trust, timeout=10).text == "secure\n"


@pytest.mark.proctor("tls/cert/expired")
def test_an_expired_certificate_is_refused(run: Run) -> None:
    with pytest.raises(urllib.error.URLError, match="expired"):
        urllib.request.urlopen(run.url("/page"), context=run.ssl_context())
    run.verdict("unasked", {"error": "serverCertificateHasBadDate"})


@pytest.mark.proctor("host/virtual-hosts", case="url-of-the-answer")
def test_hosts_with_names_are_behind_a_proxy(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in run.environment.items():
        monkeypatch.setenv(name, value)
    assert requests.get(run.url("/page", origin="sibling"), timeout=10).ok
