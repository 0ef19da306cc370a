#!/usr/bin/env bash
# Cache-Control with a quoted list (RFC 9111 §5.2) in requests-cache 1.3.3, CacheControl 0.14.4 and httplib2 0.32.1 (PyPI).
#
# Guess before the run: in `private="x-a, no-store, x-b", max-age=60` the commas and the words within the quotes are part of the argument, a list
# of field names; for a private cache the reply is fresh for 60 seconds.
# Seen: all three cut at every comma, find a directive `no-store` among the field names, and never reuse the reply.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR=$folder
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check requests-cache==1.3.3 requests==2.34.2 urllib3==2.8.0 CacheControl==0.14.4 httplib2==0.32.1
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
        names = "x-a, no-store, x-b" if self.path == "/three" else "x-a"
        self.reply(200, [("Cache-Control", f'private="{names}", max-age=60')], b"x")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import cachecontrol, httplib2, requests, requests_cache

folder = tempfile.mkdtemp()
cached, adapted = requests_cache.CachedSession(folder + "/a", cache_control=True), cachecontrol.CacheControl(requests.Session())
http = httplib2.Http(folder + "/b")
for path in ("/one", "/three"):
    print(path, "requests-cache", [cached.get(base + path).from_cache for _ in range(2)])
    print(path, "CacheControl", [adapted.get(base + path).from_cache for _ in range(2)])
    print(path, "httplib2", [http.request(base + path)[0].fromcache for _ in range(2)])
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/one requests-cache [False, True]
/one CacheControl [False, True]
/one httplib2 [False, True]
/three requests-cache [False, False]
/three CacheControl [False, False]
/three httplib2 [False, False]
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
