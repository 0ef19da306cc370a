#!/usr/bin/env bash
# CacheControl 0.14.4 (PyPI) and the content of a permanent redirect (RFC 9110 §15.4.2).
#
# Guess before the run: a 301 with `max-age=60` and a short text, asked with allow_redirects=False, comes from the store at the second GET as it
# came at first.
# Seen: the second GET has the fields of the first, Content-Length with them, and an empty body. The server was not asked, and nothing is raised.
# Without a Location, as for a page that a person is to read, the second GET raises ChunkedEncodingError instead.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check CacheControl==0.14.4 requests==2.34.2 urllib3==2.8.0
cat >"$folder/try.py" <<'END'
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def reply(self, status, fields, body=b"", date=True):
        (self.send_response if date else self.send_response_only)(status)
        for name, value in fields:
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    count = 0

    def do_GET(self):
        Handler.count += 1
        place = [("Location", "/new")] if self.path == "/place" else []
        self.reply(301, [("Cache-Control", "max-age=60"), *place], b"moved to /new")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import requests
from cachecontrol import CacheControl

session = CacheControl(requests.Session())
for path in ("/place", "/place", "/none", "/none"):
    try:
        reply = session.get(base + path, allow_redirects=False)
        print(path, reply.status_code, reply.headers["Content-Length"], reply.content)
    except requests.RequestException as error:
        print(path, type(error).__name__)
print("requests to the server:", Handler.count)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/place 301 13 b'moved to /new'
/place 301 13 b''
/none 301 13 b'moved to /new'
/none ChunkedEncodingError
requests to the server: 2
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
