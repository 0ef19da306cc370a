#!/usr/bin/env bash
# aiosonic 1.3.3 (PyPI) and a semicolon in a path (RFC 3986 §3.3).
#
# Guess before the run: /report;v=2 is asked for as it stands: a semicolon is one of the characters that a segment may have.
# Seen: the request's target is /report. What stands behind the semicolon of the last segment is lost, and the server answers for another resource;
# in an earlier segment it is kept.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check aiosonic==1.3.3
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
        self.reply(200, [], self.path.encode())


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import asyncio
import aiosonic


async def main():
    async with aiosonic.HTTPClient() as client:
        for path in ("/report;v=2", "/report;v=2?a=1", "/folder;v=2/report", "/report,v=2"):
            print(path, "->", (await (await client.get(base + path)).content()).decode())

asyncio.run(main())
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/report;v=2 -> /report
/report;v=2?a=1 -> /report?a=1
/folder;v=2/report -> /folder;v=2/report
/report,v=2 -> /report,v=2
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
