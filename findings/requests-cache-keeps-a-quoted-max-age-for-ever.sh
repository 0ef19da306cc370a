#!/usr/bin/env bash
# requests-cache 1.3.3 (PyPI, cache_control=True) and directive values in quotes (RFC 9111 §5.2).
#
# Guess before the run: `max-age="1"` is one second, since "recipients ought to accept both forms", or the reply is not reused.
# Seen: it is reused after two seconds, and has no time of expiry at all: the unread value falls back to the session's default, which is never to
# expire.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR=$folder
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check requests-cache==1.3.3 requests==2.34.2 urllib3==2.8.0
cat >"$folder/try.py" <<'END'
import tempfile, time
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
        self.reply(200, [("Cache-Control", 'max-age="1"' if self.path == "/quoted" else "max-age=1")], b"x")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import requests_cache

session = requests_cache.CachedSession(tempfile.mkdtemp() + "/a", cache_control=True)
for path in ("/token", "/quoted"):
    session.get(base + path)
    time.sleep(2.2)
    reply = session.get(base + path)
    print(path, "reused after two seconds:", reply.from_cache, "- expires:", reply.expires is not None)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/token reused after two seconds: False - expires: True
/quoted reused after two seconds: True - expires: False
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
