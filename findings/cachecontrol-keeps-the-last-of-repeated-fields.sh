#!/usr/bin/env bash
# CacheControl 0.14.4 (PyPI) and field lines that come twice (RFC 9111 §3.1, RFC 9110 §5.3).
#
# Guess before the run: from the store a reply has the same fields as at first, repeated ones with all their values: a cache "MUST include all
# received response header fields" when it stores.
# Seen: of two Link lines, and of two Set-Cookie lines, the last alone comes back. A program that walks through pages by `rel="next"` finds the link
# at the first request and not at the second.
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

    def do_GET(self):
        fields = [("Link", '</2>; rel="next"'), ("Link", '</9>; rel="last"'), ("Set-Cookie", "a=1"), ("Set-Cookie", "b=2")]
        self.reply(200, [("Cache-Control", "max-age=60"), *fields], b"page")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import requests
from cachecontrol import CacheControl

session = CacheControl(requests.Session())
for _ in range(2):
    reply = session.get(base)
    print("from the store" if reply.from_cache else "from the server", "|", reply.headers["Link"], "|", reply.headers["Set-Cookie"])
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
from the server | </2>; rel="next", </9>; rel="last" | a=1, b=2
from the store | </9>; rel="last" | b=2
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
