#!/usr/bin/env bash
# Repeated fields and a value with the byte E9 (RFC 9110 §5.3, §5.5) in primp 2.0.1 and aiosonic 1.3.3 (PyPI).
#
# Guess before the run: both lines of a repeated field can be read, joined or as two, and a value with obs-text is given in some form: a recipient
# "SHOULD treat other allowed octets in field content as opaque data".
# Seen: aiosonic has the second line alone and raises UnicodeDecodeError at the byte; primp joins the lines, and a field with the byte is not among
# the fields at all, as if the server had not sent it.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check primp==2.0.1 aiosonic==1.3.3 requests==2.34.2 urllib3==2.8.0
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
        self.reply(200, [("X-A", "1"), ("X-A", "2")] if self.path == "/twice" else [("X-A", "caf\u00e9")])


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import asyncio
import aiosonic, primp, requests


async def by_aiosonic(url):
    async with aiosonic.HTTPClient() as client:
        return (await client.get(url)).headers

for path in ("/twice", "/beyond"):
    for name, get in {
        "requests": lambda url: requests.get(url).headers,
        "primp": lambda url: primp.Client().get(url).headers,
        "aiosonic": lambda url: asyncio.run(by_aiosonic(url)),
    }.items():
        try:
            fields = {key.lower(): value for key, value in get(base + path).items()}
            print(path, name, ascii(fields.get("x-a", "not there")))
        except Exception as error:
            print(path, name, type(error).__name__)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/twice requests '1, 2'
/twice primp '1, 2'
/twice aiosonic '2'
/beyond requests 'caf\xe9'
/beyond primp 'not there'
/beyond aiosonic UnicodeDecodeError
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
