#!/usr/bin/env bash
# Two Digest challenges, SHA-512-256 first and MD5 second (RFC 7616 §3.7), in httpx 0.28.1, httpx2 2.16.2 and aiohttp 3.14.5 (PyPI).
#
# Guess before the run: a client that does not know the first takes the second: it should "use the first challenge it supports, unless a local
# policy dictates otherwise". If one does not, it raises an error of its own.
# Seen: none takes the second. aiohttp raises a ClientError and httpx2 a ProtocolError, by which nothing was asked with credentials; httpx raises a
# KeyError, which is no httpx.HTTPError. With the MD5 challenge alone all three go on. A server that adds a better algorithm locks them out.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check httpx==0.28.1 httpx2==2.16.2 aiohttp==3.14.5 requests==2.34.2
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
        if "Authorization" in self.headers:
            return self.reply(200, [])
        challenges = ['Digest realm="r", nonce="n", qop="auth", algorithm=' + name for name in self.path[1:].split(",")]
        self.reply(401, [("WWW-Authenticate", challenge) for challenge in challenges])


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import asyncio
import aiohttp, httpx, httpx2


async def by_aiohttp(url):
    async with aiohttp.ClientSession(middlewares=(aiohttp.DigestAuthMiddleware("user", "word"),)) as session:
        async with session.get(url) as reply:
            return reply.status

for path in ("/MD5", "/SHA-512-256,MD5"):
    for name, get, kind in (
        ("httpx", lambda url: httpx.Client(auth=httpx.DigestAuth("user", "word"), trust_env=False).get(url).status_code, httpx.HTTPError),
        ("httpx2", lambda url: httpx2.Client(auth=httpx2.DigestAuth("user", "word"), trust_env=False).get(url).status_code, httpx2.HTTPError),
        ("aiohttp", lambda url: asyncio.run(by_aiohttp(url)), aiohttp.ClientError),
    ):
        try:
            print(path, name, get(base + path))
        except Exception as error:
            print(path, name, type(error).__name__, "of its own" if isinstance(error, kind) else "not of its own")
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/MD5 httpx 200
/MD5 httpx2 200
/MD5 aiohttp 200
/SHA-512-256,MD5 httpx KeyError not of its own
/SHA-512-256,MD5 httpx2 ProtocolError of its own
/SHA-512-256,MD5 aiohttp ClientError of its own
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
