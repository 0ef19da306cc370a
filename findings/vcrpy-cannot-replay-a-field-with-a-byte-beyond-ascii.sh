#!/usr/bin/env bash
# vcrpy 9.4.2 (PyPI) and a field value with the byte E9 (RFC 9110 §5.5, obs-text), for three clients.
#
# Guess before the run: what a client reads without vcrpy it reads while the cassette is recorded and when it is replayed.
# Seen: requests gets two characters for the one already while recording. httpx reads the reply while it is recorded and raises UnicodeEncodeError at
# each replay. With aiohttp the error comes when the cassette is written. Without the byte all is the same, but for aiohttp's `reply.version`, which
# is None in a replay.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR=$folder
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check vcrpy==9.4.2 httpx==0.28.1 aiohttp==3.14.5 requests==2.34.2 urllib3==2.8.0
cat >"$folder/try.py" <<'END'
import asyncio, tempfile
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
        self.reply(200, [("X-Name", "caf\u00e9")] if self.path == "/beyond" else [("X-Name", "cafe")], b"x")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import aiohttp, httpx, requests, vcr


async def by_aiohttp(url):
    async with aiohttp.ClientSession() as session, session.get(url) as reply:
        return ascii(reply.headers["X-Name"]) + (" of a version" if reply.version else " of no version")


def attempt(get, url, cassette=None, mode=None):
    try:
        if not mode:
            return get(url)
        with vcr.use_cassette(cassette, record_mode=mode):
            return get(url)
    except Exception as error:
        return type(error).__name__


for path in ("/ascii", "/beyond"):
    for name, get in {
        "requests": lambda url: ascii(requests.get(url).headers["X-Name"]),
        "httpx": lambda url: ascii(httpx.get(url).headers["X-Name"]),
        "aiohttp": lambda url: asyncio.run(by_aiohttp(url)),
    }.items():
        cassette = tempfile.mkdtemp() + "/cassette.yaml"
        print(path, name, "| without:", attempt(get, base + path), "| recorded:", attempt(get, base + path, cassette, "once"),
              "| replayed:", attempt(get, base + path, cassette, "none"))
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/ascii requests | without: 'cafe' | recorded: 'cafe' | replayed: 'cafe'
/ascii httpx | without: 'cafe' | recorded: 'cafe' | replayed: 'cafe'
/ascii aiohttp | without: 'cafe' of a version | recorded: 'cafe' of a version | replayed: 'cafe' of no version
/beyond requests | without: 'caf\xe9' | recorded: 'caf\xc3\xa9' | replayed: 'caf\xc3\xa9'
/beyond httpx | without: 'caf\xe9' | recorded: 'caf\xe9' | replayed: UnicodeEncodeError
/beyond aiohttp | without: 'caf\udce9' of a version | recorded: UnicodeEncodeError | replayed: CannotOverwriteExistingCassetteException
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
