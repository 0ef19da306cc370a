#!/usr/bin/env bash
# /files/a%2Fb and /files/a/b in respx 0.23.1 and pytest-httpserver 1.2.0, beside responses 0.26.3 (PyPI; RFC 3986 §2.2, §6.2.2.2).
#
# Guess before the run: the two are different paths, and a mock for the one does not answer the other: "%2F" is a reserved character's triplet.
# Seen: in respx either answers the other. pytest-httpserver answers a request of the first with the handler of the second, and a handler for the
# first cannot be reached at all. responses keeps them apart. A client that forgets to encode a slash passes its tests.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check respx==0.23.1 httpx==0.28.1 pytest-httpserver==1.2.0 responses==0.26.3 requests==2.34.2 urllib3==2.8.0
cat >"$folder/try.py" <<'END'
import httpx, requests, responses, respx
from pytest_httpserver import HTTPServer

PATHS = ("/files/a%2Fb", "/files/a/b")
for mocked in PATHS:
    for asked in PATHS:
        with respx.mock(assert_all_called=False, assert_all_mocked=False) as mock:
            route = mock.get("http://a.test" + mocked).respond(200)
            httpx.get("http://a.test" + asked)
            print("respx", mocked, asked, route.called)
        with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
            mock.get("http://a.test" + mocked)
            try:
                requests.get("http://a.test" + asked)
                print("responses", mocked, asked, True)
            except requests.ConnectionError:
                print("responses", mocked, asked, False)
        with HTTPServer(host="127.0.0.1", port=0) as server:
            server.expect_request(mocked).respond_with_data("x")
            status = requests.get(f"http://127.0.0.1:{server.port}{asked}").status_code
            print("pytest-httpserver", mocked, asked, status == 200)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
respx /files/a%2Fb /files/a%2Fb True
responses /files/a%2Fb /files/a%2Fb True
pytest-httpserver /files/a%2Fb /files/a%2Fb False
respx /files/a%2Fb /files/a/b True
responses /files/a%2Fb /files/a/b False
pytest-httpserver /files/a%2Fb /files/a/b False
respx /files/a/b /files/a%2Fb True
responses /files/a/b /files/a%2Fb False
pytest-httpserver /files/a/b /files/a%2Fb True
respx /files/a/b /files/a/b True
responses /files/a/b /files/a/b True
pytest-httpserver /files/a/b /files/a/b True
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
