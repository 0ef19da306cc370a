#!/usr/bin/env bash
# CacheControl 0.14.4 (PyPI) and the case of cache directives (RFC 9111 §5.2).
#
# Guess before the run: `Max-Age=60` is `max-age=60`, since directives are compared without regard to case, and `No-Store` forbids to store.
# Seen: neither is recognised. `Max-Age=60` is not reused; `No-Store` beside an Expires field that is in the future does not keep the reply out of
# the store, so that it is served again.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check CacheControl==0.14.4 requests==2.34.2 urllib3==2.8.0
cat >"$folder/try.py" <<'END'
import email.utils, time
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
        later = email.utils.formatdate(time.time() + 3600, usegmt=True)
        fields = {
            "/lower": [("Cache-Control", "max-age=60")],
            "/title": [("Cache-Control", "Max-Age=60")],
            "/no-store": [("Cache-Control", "no-store"), ("Expires", later)],
            "/No-Store": [("Cache-Control", "No-Store"), ("Expires", later)],
        }[self.path]
        self.reply(200, fields, b"x")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import requests
from cachecontrol import CacheControl

session = CacheControl(requests.Session())
for path in ("/lower", "/title", "/no-store", "/No-Store"):
    print(path, session.get(base + path).from_cache, session.get(base + path).from_cache)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/lower False True
/title False False
/no-store False False
/No-Store False True
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
