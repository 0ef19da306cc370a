#!/usr/bin/env bash
# A mocked HEAD and a mocked 204, each with a body given to the mock (RFC 9110 §9.3.2, §15.3.5, §6.4.1: such a reply has no content).
#
# Guess before the run: what the program under test gets is what it would get from a server: an empty body. responses and respx know that.
# Seen: requests-mock and respx hand the body over, pook does for HEAD. responses raises ChunkedEncodingError, "Response may not contain content",
# which a server cannot bring about, since the client reads no content here; pook does so for 204. None gives the empty body.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check responses==0.26.3 requests-mock==1.12.1 pook==2.1.6 respx==0.23.1 requests==2.34.2 urllib3==2.8.0 httpx==0.28.1
cat >"$folder/try.py" <<'END'
import httpx, pook, requests, requests_mock, responses, respx

URL = "http://a.test/"


def by_responses(method, status):
    with responses.RequestsMock() as mock:
        mock.add(method, URL, body="hello", status=status)
        return requests.request(method, URL).content


def by_requests_mock(method, status):
    with requests_mock.Mocker() as mock:
        mock.request(method, URL, text="hello", status_code=status)
        return requests.request(method, URL).content


def by_pook(method, status):
    with pook.use():
        pook.mock(URL, method=method).reply(status).body("hello")
        return requests.request(method, URL).content


def by_respx(method, status):
    with respx.mock as mock:
        mock.request(method, URL).respond(status, text="hello")
        return httpx.request(method, URL).content


for ask in (by_responses, by_requests_mock, by_respx, by_pook):
    for method, status in (("HEAD", 200), ("GET", 204)):
        try:
            print(ask.__name__, method, status, ask(method, status))
        except requests.RequestException as error:
            print(ask.__name__, method, status, type(error).__name__)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
by_responses HEAD 200 ChunkedEncodingError
by_responses GET 204 ChunkedEncodingError
by_requests_mock HEAD 200 b'hello'
by_requests_mock GET 204 b'hello'
by_respx HEAD 200 b'hello'
by_respx GET 204 b'hello'
by_pook HEAD 200 b'hello'
by_pook GET 204 ChunkedEncodingError
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
