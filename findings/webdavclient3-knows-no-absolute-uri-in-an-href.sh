#!/usr/bin/env bash
# webdavclient3 3.14.7 (PyPI) and an href that is a whole URI (RFC 4918 §8.3: an absolute URI or an absolute path), beside webdav4 0.11.0.
#
# Guess before the run: both forms name the same file, and info() gives its size for either.
# Seen: webdav4 gives 5 for either. webdavclient3 does for the path and raises RemoteResourceNotFound for the URI, though it is the URI that it asked
# for, where the server's root is a folder.
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

    def do_PROPFIND(self):
        href = f"http://{self.headers['Host']}{self.path}" if "/uri" in self.path else self.path
        self.multistatus(f"<D:response><D:href>{href}</D:href>{propstat(FILE, OK)}</D:response>")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import webdav3.client, webdav3.exceptions, webdav4.client

for path in ("/path", "/uri"):
    print("webdav4", path, webdav4.client.Client(base + "/dav").info(path)["content_length"])
    try:
        print("webdavclient3", path, webdav3.client.Client({"webdav_hostname": base + "/dav"}).info(path)["size"])
    except webdav3.exceptions.WebDavException as error:
        print("webdavclient3", path, type(error).__name__)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
webdav4 /path 5
webdavclient3 /path 5
webdav4 /uri 5
webdavclient3 /uri RemoteResourceNotFound
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
