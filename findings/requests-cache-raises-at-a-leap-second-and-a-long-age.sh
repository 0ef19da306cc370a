#!/usr/bin/env bash
# requests-cache 1.3.3 (PyPI, cache_control=True): a leap second in Expires (RFC 9110 §5.6.7) and a max-age beyond 31 bits (RFC 9111 §1.2.2).
#
# Guess before the run: `Expires: Sat, 31 Dec 2016 23:59:60 GMT`, a second that was, is a date in the past, and an age that is too large counts as
# 2147483648 seconds, as §1.2.2 says. An exception reaches the caller in neither case.
# Seen: both replies are lost. get() raises ValueError for the date and OverflowError for the age, after the server has answered with 200.
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
        leap = ("Expires", "Sat, 31 Dec 2016 23:59:60 GMT")
        self.reply(200, [leap if self.path == "/leap" else ("Cache-Control", "max-age=99999999999999999999")], b"x")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import requests_cache

session = requests_cache.CachedSession(tempfile.mkdtemp() + "/a", cache_control=True)
for path in ("/leap", "/long"):
    try:
        print(path, session.get(base + path).status_code)
    except Exception as error:
        print(path, f"{type(error).__name__}: {error}")
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/leap ValueError: Invalid HTTP date: Sat, 31 Dec 2016 23:59:60 GMT
/long OverflowError: Python int too large to convert to C int
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
