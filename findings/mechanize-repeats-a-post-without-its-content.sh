#!/usr/bin/env bash
# mechanize 0.4.10 (PyPI) and a POST that is answered by 307 or 308 (RFC 9110 §15.4.8, §15.4.9).
#
# Guess before the run: the POST is repeated at the new place with its content, or the user gets the redirect.
# Seen: it is repeated as POST with the Content-Type of the form and no content, and the answer to that is the result. At 301, 302 and 303 it
# becomes GET.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check mechanize==0.4.10
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
        size = int(self.headers["Content-Length"] or 0)
        content = self.rfile.read(size)
        if self.path == "/end":
            told = f"{self.command} with {size} bytes of {self.headers['Content-Type']}"
            return self.reply(200, [], told.encode())
        self.reply(int(self.path[1:]), [("Location", "/end")])

    do_POST = do_GET


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import mechanize

for status in (303, 307, 308):
    browser = mechanize.Browser()
    browser.set_handle_robots(False)
    request = mechanize.Request(f"{base}/{status}", data=b"a=1", method="POST")
    print(status, "->", browser.open(request, timeout=10).read().decode())
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
303 -> GET with 0 bytes of None
307 -> POST with 0 bytes of None
308 -> POST with 0 bytes of None
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
