#!/usr/bin/env bash
# requests-cache 1.3.3 (PyPI, cache_control=True) and `must-revalidate` (RFC 9111 §5.2.2.2).
#
# Guess before the run: `max-age=60, must-revalidate` is reused for 60 seconds: the directive forbids the use of the reply once it has become
# stale, and says nothing of a fresh one.
# Seen: the fresh reply is never reused. Each GET goes to the server, and a reply without a validator is loaded whole each time. `max-age=60` alone
# is reused. Many frameworks add must-revalidate to every page that they let be cached.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR=$folder
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check requests-cache==1.3.3 requests==2.34.2 urllib3==2.8.0
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
        self.reply(200, [("Cache-Control", "max-age=60" + (", must-revalidate" if self.path == "/must" else ""))], b"x")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import requests_cache

session = requests_cache.CachedSession(tempfile.mkdtemp() + "/a", cache_control=True)
for path in ("/plain", "/must"):
    print(path, [session.get(base + path).from_cache for _ in range(3)])
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/plain [False, True, True]
/must [False, False, False]
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
