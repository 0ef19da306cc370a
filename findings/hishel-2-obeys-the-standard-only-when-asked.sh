#!/usr/bin/env bash
# hishel 2.0.0 (PyPI), CacheClient as it is, without a setting (RFC 9111 §3, §4.1, §4.4).
#
# Guess before the run: a cache for HTTP obeys no-store and Vary out of the box, and what differs from RFC 9111 must be asked for.
# Seen: `no-store` is stored and served again, a reader who asks for German gets the English text that the store has, and a POST leaves the old
# reply in place. `rfc=True` sets all of that right; its default is False.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR=$folder
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check hishel==2.0.0 httpx==0.28.1
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

    count = 0

    def do_GET(self):
        Handler.count += 1
        field = ("Cache-Control", "no-store") if self.path == "/no-store" else ("Vary", "Accept-Language")
        self.reply(200, [field, ("Cache-Control", "max-age=60")], f"{self.headers['Accept-Language']} {Handler.count}".encode())

    do_POST = do_GET


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import hishel, hishel.httpx

for options in ({}, {"rfc": True}):
    client = hishel.httpx.CacheClient(storage=hishel.SqliteStorage(database_path=tempfile.mkdtemp() + "/c"), **options)
    for path, steps in {"/no-store": "GET en, GET en", "/language": "GET en, GET de", "/post": "GET en, POST en, GET en"}.items():
        Handler.count = 0
        steps = [step.split() for step in steps.split(", ")]
        print(options, path, [client.request(method, base + path, headers={"Accept-Language": tongue}).text for method, tongue in steps])
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
{} /no-store ['en 1', 'en 1']
{} /language ['en 1', 'en 1']
{} /post ['en 1', 'en 2', 'en 1']
{'rfc': True} /no-store ['en 1', 'en 2']
{'rfc': True} /language ['en 1', 'de 2']
{'rfc': True} /post ['en 1', 'en 2', 'en 3']
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
