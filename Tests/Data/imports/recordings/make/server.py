"""The server that the recordings were made against: python3 server.py PORT.

Redirects, cookies, Digest, gzip, chunks, ranges, multipart, a reply that comes by turn.
"""

import gzip
import http.server
import sys

PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)
SCRIPT = b"""
(async () => {
  const json = { 'Content-Type': 'application/json' };
  const read = async (path, options) => (await fetch(path, options)).text();
  await read('/cart');
  await read('/login', { method: 'POST', headers: json, body: JSON.stringify({ user: 'ann', password: 'correct horse' }) });
  await read('/cart');
  await read('/old');
  await read('/zip');
  await read('/chunks');
  await read('/file', { headers: { Range: 'bytes=2-5' } });
  await read('/file');
  const form = new FormData();
  form.append('note', 'hi');
  form.append('photo', new Blob(['abc'], { type: 'image/png' }), 'a.png');
  await read('/upload', { method: 'POST', body: form });
  await read('/flaky');
  await read('/flaky');
  await read('/flaky');
  document.title = 'done';
})();
"""
TOKEN = b"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhbm4ifQ.c2lnbmF0dXJl"


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    flaky = 0

    def log_message(self, *arguments):
        pass

    def send(self, status, body=b"", *fields, chunked=False, kind="text/plain"):
        self.send_response(status)
        if body:
            self.send_header("Content-Type", kind)
        for field in fields:
            self.send_header(*field)
        if chunked:
            self.send_header("Transfer-Encoding", "chunked")
            self.end_headers()
            for start in range(0, len(body), 7):
                piece = body[start : start + 7]
                self.wfile.write(b"%x\r\n%s\r\n" % (len(piece), piece))
            self.wfile.write(b"0\r\n\r\n")
            return
        if status not in (204, 304):
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def answer(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        path = self.path.split("?")[0]
        if path == "/page":
            page = b"<html><head><title>Shop</title></head><body><img src=/pixel.png><script src=/app.js></script></body></html>"
            self.send(200, page, kind="text/html")
        elif path == "/app.js":
            self.send(200, SCRIPT, kind="text/javascript")
        elif path == "/pixel.png":
            self.send(200, PIXEL, kind="image/png")
        elif path == "/login":
            self.send(
                200,
                b'{"access_token":"%s","user":"ann"}' % TOKEN,
                ("Set-Cookie", "session=4f9d1c77aa; Path=/; HttpOnly"),
                ("X-Request-Id", "0b1c7d3e-1111-4222-8333-444455556666"),
                kind="application/json",
            )
        elif path == "/cart":
            if "session=" in (self.headers.get("Cookie") or ""):
                self.send(200, b'{"items":[1,2]}', kind="application/json")
            else:
                self.send(401, b'{"error":"no session"}', kind="application/json")
        elif path == "/old":
            self.send(302, b"", ("Location", "http://%s/new" % self.headers["Host"]))
        elif path == "/new":
            self.send(200, b"new place\n")
        elif path == "/zip":
            self.send(200, gzip.compress(b"zip " * 300, mtime=0), ("Content-Encoding", "gzip"))
        elif path == "/chunks":
            self.send(200, b"one two three four five", chunked=True)
        elif path == "/file":
            content = b"0123456789"
            wanted = self.headers.get("Range")
            if wanted:
                first, last = wanted.split("=")[1].split("-")
                first, last = int(first), int(last or 9)
                self.send(206, content[first : last + 1], ("Content-Range", "bytes %d-%d/10" % (first, last)))
            else:
                self.send(200, content, ("Accept-Ranges", "bytes"))
        elif path == "/upload":
            self.send(201, b"stored\n")
        elif path == "/digest":
            if self.headers.get("Authorization"):
                self.send(200, b"welcome\n")
            else:
                challenge = 'Digest realm="lab", nonce="0a4f113b", qop="auth", algorithm=MD5'
                self.send(401, b"who?\n", ("WWW-Authenticate", challenge))
        elif path == "/flaky":
            Handler.flaky += 1
            self.send(503, b"later\n") if Handler.flaky < 3 else self.send(200, b"now\n")
        elif path == "/echo":
            self.send(200, body or b"nothing")
        else:
            self.send(404, b"no such page\n")

    do_GET = do_POST = do_HEAD = do_PUT = do_DELETE = answer


http.server.ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
