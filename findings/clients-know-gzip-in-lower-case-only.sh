#!/usr/bin/env bash
# `Content-Encoding: GZIP` and `x-gzip` (RFC 9110 §8.4.1, §8.4.1.3) in six clients of PyPI.
#
# Guess before the run: all content codings "are case-insensitive", and "x-gzip" is to be taken for gzip; a client that decodes gzip decodes both.
# Seen: requests decodes all three spellings. primp, wreq, httplib2 and aiosonic hand GZIP and x-gzip over compressed, with status 200 and no error;
# mechanize knows x-gzip and not GZIP.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check primp==2.0.1 wreq==0.13.0 httplib2==0.32.1 mechanize==0.4.10 aiosonic==1.3.3 requests==2.34.2 urllib3==2.8.0
cat >"$folder/try.py" <<'END'
import asyncio, gzip
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
        self.reply(200, [("Content-Encoding", self.path[1:])], gzip.compress(b"hello"))


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import aiosonic, httplib2, mechanize, primp, requests, wreq.blocking


async def by_aiosonic(url):
    async with aiosonic.HTTPClient() as client:
        return await (await client.get(url)).content()


def by_mechanize(url):
    browser = mechanize.Browser()
    browser.set_handle_robots(False)
    return browser.open(url).read()

for name, get in {
    "requests": lambda url: requests.get(url).content,
    "primp": lambda url: primp.Client().get(url).content,
    "wreq": lambda url: bytes(wreq.blocking.Client().get(url).bytes()),
    "httplib2": lambda url: httplib2.Http().request(url)[1],
    "aiosonic": lambda url: asyncio.run(by_aiosonic(url)),
    "mechanize": by_mechanize,
}.items():
    print(name, *[f"{coding}: {'decoded' if get(f'{base}/{coding}') == b'hello' else 'as it came'}" for coding in ("gzip", "GZIP", "x-gzip")])
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
requests gzip: decoded GZIP: decoded x-gzip: decoded
primp gzip: decoded GZIP: as it came x-gzip: as it came
wreq gzip: decoded GZIP: as it came x-gzip: as it came
httplib2 gzip: decoded GZIP: as it came x-gzip: as it came
aiosonic gzip: decoded GZIP: as it came x-gzip: as it came
mechanize gzip: decoded GZIP: as it came x-gzip: decoded
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
