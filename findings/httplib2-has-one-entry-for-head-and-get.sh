#!/usr/bin/env bash
# httplib2 0.32.1 (PyPI) and the method of a stored reply (RFC 9111 §2, §4; RFC 9110 §9.3.2).
#
# Guess before the run: a HEAD behind a stored GET may be answered from the store, without a body; a GET behind a HEAD goes to the server.
# Seen: there is one entry for a URL whatever the method was. GET behind HEAD gives status 200 and an empty body, though Content-Length says 4 and
# the server was not asked; HEAD behind GET gives the body of the GET; OPTIONS is answered from the store of its own earlier reply.
# A script that looks at a size by HEAD before it loads gets nothing, for as long as the reply is fresh.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR=$folder
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check httplib2==0.32.1
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

    asked = []

    def do_GET(self):
        Handler.asked.append(self.command)
        self.reply(200, [("Cache-Control", "max-age=60")], b"body")

    do_HEAD = do_OPTIONS = do_GET


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import httplib2

http = httplib2.Http(tempfile.mkdtemp())
for path, methods in {"/a": ("HEAD", "GET"), "/b": ("GET", "HEAD"), "/c": ("OPTIONS", "OPTIONS")}.items():
    Handler.asked.clear()
    for method in methods:
        reply, body = http.request(base + path, method)
        print(path, method, reply.status, reply["content-length"], body)
    print(path, "the server was asked", *Handler.asked)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/a HEAD 200 4 b''
/a GET 200 4 b''
/a the server was asked HEAD
/b GET 200 4 b'body'
/b HEAD 200 4 b'body'
/b the server was asked GET
/c OPTIONS 200 4 b'body'
/c OPTIONS 200 4 b'body'
/c the server was asked OPTIONS
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
