#!/usr/bin/env bash
# CacheControl 0.14.4 over requests 2.34.2 (PyPI): a reply with `Cache-Control: max-age=600, no-cache`, asked for twice.
#
# Guess before the run: two requests, the second one with If-None-Match: no-cache of a reply has it asked about each time, whatever its lifetime
# (RFC 9111 §5.2.2.4, a MUST NOT), and the library reads the directive.
# Seen: one request. The directive of a request is looked at, and of a reply only no-store; with max-age or Expires beside no-cache the reply is
# fresh. With no-cache alone it is asked about, since nothing makes it fresh. Servers write both: one for caches of HTTP/1.0 and one for those of today.
# Known to its project since 2016: psf/cachecontrol#132, open; #460 would have mended it.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check CacheControl==0.14.4 requests==2.34.2 urllib3==2.8.0
cat >"$folder/try.py" <<'END'
import email.utils
import http.server
import threading

import cachecontrol
import requests


class Server(http.server.BaseHTTPRequestHandler):
    protocol_version, asked = "HTTP/1.1", []

    def do_GET(self):
        self.asked.append(self.headers.get("If-None-Match"))
        body = b"reply %d" % len(self.asked)
        self.send_response_only(200)
        for name, value in (
            ("Date", email.utils.formatdate(usegmt=True)), ("ETag", '"v%d"' % len(self.asked)), ("Content-Length", str(len(body))),
            ("Cache-Control", {"/both": "max-age=600, no-cache", "/alone": "no-cache"}[self.path]),
        ):
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments):
        pass


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Server)
threading.Thread(target=server.serve_forever, daemon=True).start()
for path in ("/both", "/alone"):
    Server.asked.clear()
    session = cachecontrol.CacheControl(requests.Session())
    texts = [session.get(f"http://127.0.0.1:{server.server_port}{path}", timeout=10).text for _ in range(2)]
    print(path, len(Server.asked), "requests:", ", ".join(texts))
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/both 1 requests: reply 1, reply 1
/alone 2 requests: reply 1, reply 2
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
