#!/usr/bin/env bash
# The Age field of a stored reply (RFC 9111 §4.2.3, §5.1) in requests-cache 1.3.3, CacheControl 0.14.4, httplib2 0.32.1 and hishel 2.0.0 (PyPI).
#
# Guess before the run: a reply with `Cache-Control: max-age=60` and `Age: 70`, as it comes from a shared cache on the way, is stale when it
# arrives, so that all four ask again for the second GET.
# Seen: all four answer the second GET from their store. hishel (with rfc=True) even hands it over with `Age: 0`.
# §4.2.3 computes the age of a stored reply from the Age field that came with it: behind a content network, what these caches call fresh may have
# been stale for as long as the network's own time.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR=$folder
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check requests-cache==1.3.3 requests==2.34.2 urllib3==2.8.0 CacheControl==0.14.4 httplib2==0.32.1 hishel==2.0.0 httpx==0.28.1
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
        self.reply(200, [("Cache-Control", "max-age=60"), ("Age", "70")], b"reply %d" % Handler.count)


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import cachecontrol, hishel, hishel.httpx, httplib2, httpx, requests, requests_cache

folder = tempfile.mkdtemp()
cached = requests_cache.CachedSession(folder + "/a", cache_control=True)
adapted = cachecontrol.CacheControl(requests.Session())
plain = httplib2.Http(folder + "/b")
client = hishel.httpx.CacheClient(storage=hishel.SqliteStorage(database_path=folder + "/c"), rfc=True)
for name, get in {
    "requests-cache": lambda: (lambda r: (r.text, r.headers["Age"]))(cached.get(base + "/1")),
    "CacheControl": lambda: (lambda r: (r.text, r.headers["Age"]))(adapted.get(base + "/2")),
    "httplib2": lambda: (lambda r: (r[1].decode(), r[0]["age"]))(plain.request(base + "/3")),
    "hishel": lambda: (lambda r: (r.text, r.headers["Age"]))(client.get(base + "/4")),
}.items():
    print(name, get(), get())
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
requests-cache ('reply 1', '70') ('reply 1', '70')
CacheControl ('reply 2', '70') ('reply 2', '70')
httplib2 ('reply 3', '70') ('reply 3', '70')
hishel ('reply 4', '70') ('reply 4', '0')
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
