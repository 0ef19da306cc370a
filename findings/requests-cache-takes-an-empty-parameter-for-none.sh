#!/usr/bin/env bash
# requests-cache 1.3.3 (PyPI) and the key of a stored reply (RFC 9111 §2, §4: the target URI).
#
# Guess before the run: /list?q= and /list are two resources (RFC 3986 §6.2), and so are /list?a=1&b=2 and /list?b=2&a=1.
# Seen: the four share two entries. What the server said for an empty search is handed out as the whole list. That parameters are sorted stands in
# its documentation; that empty ones are dropped was a surprise.
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
        self.reply(200, [("Cache-Control", "max-age=60")], self.path.encode())


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import requests_cache

session = requests_cache.CachedSession(tempfile.mkdtemp() + "/a", cache_control=True)
for target in ("/list?q=", "/list", "/list?a=1&b=2", "/list?b=2&a=1"):
    print(target, "->", session.get(base + target).text)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/list?q= -> /list?q=
/list -> /list?q=
/list?a=1&b=2 -> /list?a=1&b=2
/list?b=2&a=1 -> /list?a=1&b=2
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
