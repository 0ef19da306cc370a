#!/usr/bin/env bash
# mocket 3.15.0 (PyPI), which gives clients the bytes of a server, and replies without content (RFC 9110 §8.6, §15.3.5; RFC 9112 §6.1).
#
# Guess before the run: the bytes are HTTP: a 204 has no Content-Length (a server "MUST NOT send" one), and content under a field
# `Transfer-Encoding: chunked` is in chunks.
# Seen: a 204 has Content-length: 0 and a Content-type. With `Transfer-Encoding: chunked` the content stands there as it is, so that each client
# fails at the first line: fields that are copied from a real reply make a reply that nobody can read. Each has a field Status, which is CGI's.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check mocket==3.15.0 requests==2.34.2 urllib3==2.8.0
cat >"$folder/try.py" <<'END'
import http.client
from mocket import Mocketizer
from mocket.mocks.mockhttp import Entry

for name, status, body, fields in (("204", 204, "", {}), ("chunked", 200, "hello", {"Transfer-Encoding": "chunked"}), ("plain", 200, "hello", {})):
    with Mocketizer():
        Entry.single_register("GET", "http://a.test/", status=status, body=body, headers=fields)
        connection = http.client.HTTPConnection("a.test")
        connection.request("GET", "/")
        reply = connection.getresponse()
        print(name, reply.status, sorted(key.lower() for key, _ in reply.getheaders()))
        try:
            print(name, reply.read())
        except http.client.HTTPException as error:
            print(name, type(error).__name__)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
204 204 ['connection', 'content-length', 'content-type', 'date', 'server', 'status']
204 b''
chunked 200 ['connection', 'content-length', 'content-type', 'date', 'server', 'status', 'transfer-encoding']
chunked IncompleteRead
plain 200 ['connection', 'content-length', 'content-type', 'date', 'server', 'status']
plain b'hello'
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
