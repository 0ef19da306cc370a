#!/usr/bin/env bash
# CacheControl 0.14.4 and httplib2 0.32.1 (PyPI) and a reply without a Date field (RFC 9110 §6.6.1).
#
# Guess before the run: a reply with `Cache-Control: max-age=60` and no Date, as small devices send it, is reused: a recipient with a clock "MUST
# record the time it was received and append a corresponding Date header field" if the message is cached.
# Seen: neither reuses it; with a Date both do. Nothing tells the user why a device is asked each time.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR=$folder
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check CacheControl==0.14.4 requests==2.34.2 urllib3==2.8.0 httplib2==0.32.1
cat >"$folder/try.py" <<'END'
import tempfile
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
        self.reply(200, [("Cache-Control", "max-age=60")], b"x", date=self.path == "/date")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import httplib2, requests
from cachecontrol import CacheControl

session, http = CacheControl(requests.Session()), httplib2.Http(tempfile.mkdtemp())
for path in ("/date", "/none"):
    print("CacheControl", path, [session.get(base + path).from_cache for _ in range(2)])
    print("httplib2", path, [http.request(base + path)[0].fromcache for _ in range(2)])
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
CacheControl /date [False, True]
httplib2 /date [False, True]
CacheControl /none [False, False]
httplib2 /none [False, False]
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
