#!/usr/bin/env bash
# fsspec 2026.9.0 (PyPI), ls() of a page of links over HTTP (WHATWG HTML §13.1.2.3, §13.1.4).
#
# Guess before the run: href="a.csv?x=1&amp;y=2" is the URL a.csv?x=1&y=2, and "caf&#233;.csv" is café.csv: a page of links is HTML.
# Seen: the references are left in the names, and a GET of the name asks the server for "amp;y". Each name with an ampersand on a page that a
# server lists by the rules cannot be opened.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check fsspec==2026.9.0 aiohttp==3.14.5
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

    asked = []

    def do_GET(self):
        Handler.asked.append(self.path)
        self.reply(200, [("Content-Type", "text/html")], b'<a href="a.csv?x=1&amp;y=2">a</a> <a href="caf&#233;.csv">b</a> <a href="c.csv">c</a>')

    do_HEAD = do_GET


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import fsspec

files = fsspec.filesystem("http")
for name in files.ls(base + "/d/", detail=False):
    print(name.replace(base, ""))
files.cat_file(files.ls(base + "/d/", detail=False)[0])
print("asked for:", Handler.asked[-1])
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/d/a.csv?x=1&amp;y=2
/d/c.csv
/d/caf&#233;.csv
asked for: /d/a.csv?x=1&amp;y=2
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
