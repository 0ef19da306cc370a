#!/usr/bin/env bash
# geventhttpclient 2.6.1 (PyPI), UserAgent.urlopen() and the successful statuses (RFC 9110 §15.3).
#
# Guess before the run: 201, 202 and 204 are successes: a client "MUST understand the class of any status code", and the examples of the library
# send POST.
# Seen: each raises BadStatusCode, an error that the class also has for 500. 200 and 206 are the only ones of the class that it returns.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check geventhttpclient==2.6.1
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

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/204":
            self.send_response(204)
            return self.end_headers()
        self.reply(int(self.path[1:]), [])


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

from geventhttpclient.useragent import BadStatusCode, UserAgent

agent = UserAgent()
for status in (200, 201, 202, 204, 206, 500):
    try:
        print(status, "->", agent.urlopen(f"{base}/{status}", "POST", payload=b"x").status_code)
    except BadStatusCode:
        print(status, "-> BadStatusCode")
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
200 -> 200
201 -> BadStatusCode
202 -> BadStatusCode
204 -> BadStatusCode
206 -> 206
500 -> BadStatusCode
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
