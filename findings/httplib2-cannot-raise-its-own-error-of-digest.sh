#!/usr/bin/env bash
# httplib2 0.32.1 (PyPI) and a Digest challenge that it does not know (RFC 7616 §3.3: SHA-256).
#
# Guess before the run: UnimplementedDigestAuthOptionError, the class that the library has for it, a HttpLib2Error.
# Seen: TypeError about arguments that are missing: the class needs the reply and its content, and is raised without them. `except HttpLib2Error`
# does not catch it, and the user reads nothing of Digest.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check httplib2==0.32.1
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
        self.reply(401, [("WWW-Authenticate", 'Digest realm="r", nonce="n", qop="auth", algorithm=' + self.path[1:])])


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import httplib2

for algorithm in ("MD5", "SHA-256"):
    http = httplib2.Http()
    http.add_credentials("user", "word")
    try:
        print(algorithm, http.request(base + "/" + algorithm)[0].status)
    except Exception as error:
        print(algorithm, type(error).__name__, isinstance(error, httplib2.error.HttpLib2Error), "-", error)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
MD5 401
SHA-256 TypeError False - HttpLib2ErrorWithResponse.__init__() missing 2 required positional arguments: 'response' and 'content'
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
