#!/usr/bin/env bash
# httplib2 0.32.1 (PyPI) and `Vary: *` (RFC 9111 §4.1).
#
# Guess before the run: a stored reply with `Vary: *` is not used again, since a member "*" "always fails to match"; a reply with
# `Vary: Accept-Language` is used for the same language only.
# Seen: the second is right, and the first is used again for any request, here for two different User-Agents.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR=$folder
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check httplib2==0.32.1
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

    def do_GET(self):
        vary = "*" if self.path == "/star" else "Accept-Language"
        told = self.headers["User-Agent"] + " " + self.headers["Accept-Language"]
        self.reply(200, [("Cache-Control", "max-age=60"), ("Vary", vary)], told.encode())


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import httplib2

http = httplib2.Http(tempfile.mkdtemp())
for path in ("/star", "/language"):
    for agent, language in (("one", "en"), ("two", "de")):
        body = http.request(base + path, headers={"User-Agent": agent, "Accept-Language": language})[1]
        print(path, agent, language, "->", body.decode())
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/star one en -> one en
/star two de -> one en
/language one en -> one en
/language two de -> two de
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
