#!/usr/bin/env bash
# httplib2 0.32.1 (PyPI) and a Location that begins with two slashes (RFC 9110 §10.2.2: a URI reference; RFC 3986 §4.2).
#
# Guess before the run: "//host:port/new" has the scheme of the request, as every other relative form that the library resolves.
# Seen: RelativeURIError, "Only absolute URIs are allowed". "/new", "new" and "?new" are followed.
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
        if "new" in self.path:
            return self.reply(200, [], self.path.encode())
        self.reply(302, [("Location", FORMS[int(self.path[1:])])])


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import httplib2

FORMS = ["/new", "new", "?new", base.replace("http:", "") + "/new"]
for number, form in enumerate(FORMS):
    try:
        print(form.replace(base[7:], "host:port"), "->", httplib2.Http().request(f"{base}/{number}")[1].decode())
    except httplib2.error.HttpLib2Error as error:
        print(form.replace(base[7:], "host:port"), "->", type(error).__name__)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/new -> /new
new -> /new
?new -> /2?new
//host:port/new -> RelativeURIError
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
