#!/usr/bin/env bash
# A PROPFIND answer with two propstat elements, 200 and 404 (RFC 4918 §9.1, §14.22), in webdav4 0.11.0 and webdavclient3 3.14.7 (PyPI).
#
# Guess before the run: the size of a file is 5 whether the properties that it has stand before or behind those that it has not: the status belongs
# to its propstat, and their order has no meaning.
# Seen: with the 404 in front, webdav4 gives None and webdavclient3 an empty string, the empty element that names what is missing, as the size.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check webdav4==0.11.0 webdavclient3==3.14.7 httpx==0.28.1 requests==2.34.2
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

    def do_PROPFIND(self):
        has = propstat(FILE, OK)
        has_not = propstat("<D:getetag/><D:getcontentlength/>", MISSING)
        both = has_not + has if "/front" in self.path else has + has_not
        self.multistatus(f"<D:response><D:href>{self.path}</D:href>{both}</D:response>")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import webdav3.client, webdav4.client

for path in ("/behind", "/front"):
    print("webdav4", path, repr(webdav4.client.Client(base).info(path)["content_length"]))
    print("webdavclient3", path, repr(webdav3.client.Client({"webdav_hostname": base}).info(path)["size"]))
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
webdav4 /behind 5
webdavclient3 /behind '5'
webdav4 /front None
webdavclient3 /front ''
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
