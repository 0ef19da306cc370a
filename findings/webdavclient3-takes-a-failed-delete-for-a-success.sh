#!/usr/bin/env bash
# webdavclient3 3.14.7 (PyPI) and a 207 for DELETE and MOVE (RFC 4918 §9.6.1, §9.9.4), beside webdav4 0.11.0.
#
# Guess before the run: a 207 whose one response says 423 (Locked) is an error: 207 is what a server answers when a member could not be deleted.
# Seen: webdav4 raises MultiStatusError. webdavclient3 returns without an error from both; the files are still there. A plain 423 raises in it.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check webdavclient3==3.14.7 requests==2.34.2 webdav4==0.11.0 httpx==0.28.1
cat >"$folder/try.py" <<'END'
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

FILE = "<D:resourcetype/><D:getcontentlength>5</D:getcontentlength>"
OK, MISSING = "HTTP/1.1 200 OK", "HTTP/1.1 404 Not Found"


def propstat(properties, status):
    return f"<D:propstat><D:prop>{properties}</D:prop><D:status>{status}</D:status></D:propstat>"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def multistatus(self, *responses):
        body = ('<?xml version="1.0"?><D:multistatus xmlns:D="DAV:">' + "".join(responses) + "</D:multistatus>").encode()
        self.send_response(207)
        self.send_header("Content-Type", "application/xml")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_HEAD(self):
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.end_headers()

    def do_DELETE(self):
        self.multistatus(f"<D:response><D:href>{self.path}</D:href><D:status>HTTP/1.1 423 Locked</D:status></D:response>")

    do_MOVE = do_DELETE

    def do_PROPFIND(self):
        self.multistatus(f"<D:response><D:href>{self.path}</D:href>{propstat(FILE, OK)}</D:response>")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import webdav3.client, webdav4.client

old, new = webdav3.client.Client({"webdav_hostname": base}), webdav4.client.Client(base)
for name, call in {
    "webdavclient3 DELETE": lambda: old.clean("a"),
    "webdavclient3 MOVE": lambda: old.move("a", "b"),
    "webdav4 DELETE": lambda: new.remove("a"),
    "webdav4 MOVE": lambda: new.move("a", "b"),
}.items():
    try:
        print(name, "returns", call())
    except Exception as error:
        print(name, "raises", type(error).__name__)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
webdavclient3 DELETE returns None
webdavclient3 MOVE returns None
webdav4 DELETE raises MultiStatusError
webdav4 MOVE raises MultiStatusError
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
