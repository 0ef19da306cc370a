#!/usr/bin/env bash
# hishel 2.0.0 (PyPI, CacheClient(rfc=True)) and Cache-Control in requests (RFC 9111 §5.2.1).
#
# Guess before the run: no-store keeps the reply out of the store ("MUST NOT store any part of either this request or any response to it"),
# only-if-cached with nothing stored is a 504 without a request, min-fresh=100 does not take what is fresh for 60 seconds.
# Seen: of the three none is obeyed. And what `no-cache` loads anew is not what the next plain GET gets: that is the older reply again.
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
        self.reply(200, [("Cache-Control", "max-age=60")], b"reply %d" % Handler.count)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import hishel, hishel.httpx

for path, directives in {"/no-store": ["no-store", ""], "/only": ["only-if-cached"], "/min-fresh": ["", "min-fresh=100"],
                         "/no-cache": ["", "no-cache", ""]}.items():
    Handler.count = 0
    client = hishel.httpx.CacheClient(storage=hishel.SqliteStorage(database_path=tempfile.mkdtemp() + "/c"), rfc=True)
    for value in directives:
        reply = client.get(base + path, headers={"Cache-Control": value} if value else {})
        print(path, value or "-", reply.status_code, reply.text)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/no-store no-store 200 reply 1
/no-store - 200 reply 1
/only only-if-cached 200 reply 1
/min-fresh - 200 reply 1
/min-fresh min-fresh=100 200 reply 1
/no-cache - 200 reply 1
/no-cache no-cache 200 reply 2
/no-cache - 200 reply 1
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
