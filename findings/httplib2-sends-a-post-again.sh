#!/usr/bin/env bash
# httplib2 0.32.1 (PyPI) and a POST whose connection closes without a reply (RFC 9110 §9.2.2: a user agent does not repeat a request by itself
# whose method is not idempotent, unless it knows that the first was not applied).
#
# Guess before the run: the POST fails with an error, and the caller decides.
# Seen: the same POST goes out a second time, and the caller gets the reply to that, with nothing that tells of two. The server had read the
# first one whole, so that what it orders is ordered twice. An order that is lost by a restart of the server or of a proxy is such a case.
# jcgregorio/httplib2#312 is about the number of tries, not about methods; no report about POST was found.
#
# Installs the package into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR=$folder
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check httplib2==0.32.1
cat >"$folder/try.py" <<'END'
import socket
import sys
import threading

import httplib2

listener = socket.create_server(("127.0.0.1", 0))
seen = []


def serve():
    while True:
        link, _ = listener.accept()
        data = b""
        while not data.endswith(b"item=1"):
            data += link.recv(4096)
        seen.append(data.split(b"\r\n")[0].decode())
        if len(seen) > 1:
            link.sendall(b"HTTP/1.1 201 Created\r\nContent-Length: 8\r\nConnection: close\r\n\r\nordered\n")
        link.close()


threading.Thread(target=serve, daemon=True).start()
url = f"http://127.0.0.1:{listener.getsockname()[1]}/orders"
try:
    reply, content = httplib2.Http().request(url, "POST", body="item=1")
    end = f"{reply.status} {content}"
except Exception as error:
    end = repr(error)
print(f"httplib2 {httplib2.__version__}: {len(seen)} requests, {seen}; the caller gets {end}")
sys.exit(0 if seen == ["POST /orders HTTP/1.1"] * 2 and end.startswith("201") else "this is not what was seen before")
END
"$folder/python/bin/python" "$folder/try.py"
