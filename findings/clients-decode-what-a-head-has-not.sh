#!/usr/bin/env bash
# Content-Encoding in a reply to HEAD, in a 304 and beside `Content-Length: 0` (RFC 9110 §9.3.2, §15.4.5), in four clients of PyPI.
#
# Guess before the run: no content, nothing to decode: the fields of a HEAD are those that a GET would have.
# Seen: requests gives an empty body for all. geventhttpclient and mechanize raise an error of zlib or gzip for all three; httplib2 does so for the
# 304 and for the length 0. That a page is unchanged comes to the user as a broken file.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check geventhttpclient==2.6.1 mechanize==0.4.10 httplib2==0.32.1 requests==2.34.2 urllib3==2.8.0
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
        self.send_response(304 if self.path == "/304" else 200)
        self.send_header("Content-Encoding", "gzip")
        self.send_header("Content-Length", "0" if self.path == "/empty" else "25")
        self.end_headers()

    do_HEAD = do_GET


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import httplib2, mechanize, requests
from geventhttpclient.useragent import BadStatusCode, UserAgent


def by_mechanize(method, url):
    browser = mechanize.Browser()
    browser.set_handle_robots(False)
    try:
        return browser.open(mechanize.Request(url, method=method), timeout=10).read()
    except mechanize.HTTPError as error:
        return error.read()


class Agent(UserAgent):
    valid_response_codes = UserAgent.valid_response_codes | {304} if isinstance(UserAgent.valid_response_codes, (set, frozenset)) \
        else (*UserAgent.valid_response_codes, 304)


for name, ask in {
    "requests": lambda method, url: requests.request(method, url).content,
    "httplib2": lambda method, url: httplib2.Http().request(url, method)[1],
    "mechanize": by_mechanize,
    "geventhttpclient": lambda method, url: bytes(Agent().urlopen(url, method).content),
}.items():
    for method, path in (("HEAD", "/head"), ("GET", "/304"), ("GET", "/empty")):
        try:
            print(name, method, path, ask(method, base + path))
        except Exception as error:
            print(name, method, path, type(error).__module__, type(error).__name__)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
requests HEAD /head b''
requests GET /304 b''
requests GET /empty b''
httplib2 HEAD /head b''
httplib2 GET /304 builtins ValueError
httplib2 GET /empty builtins ValueError
mechanize HEAD /head builtins EOFError
mechanize GET /304 builtins EOFError
mechanize GET /empty builtins EOFError
geventhttpclient HEAD /head zlib error
geventhttpclient GET /304 zlib error
geventhttpclient GET /empty zlib error
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
