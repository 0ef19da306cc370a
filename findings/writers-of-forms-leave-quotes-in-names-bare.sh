#!/usr/bin/env bash
# A form field with the name `5" disk` as five writers of PyPI send it (HTML's multipart/form-data encoding, RFC 7578 §4.2).
#
# Guess before the run: the quote is sent as %22, as browsers do and HTML says, or as a quoted-pair; no writer leaves it bare within quotes.
# Seen: requests writes %22. aiosonic, mechanize, WebTest and Werkzeug's test client write name="5" disk", which a reader takes for the field `5`.
# Three of the four are what people test a server's forms with, so that the test sees a field that a browser never sends.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check aiosonic==1.3.3 mechanize==0.4.10 WebTest==3.0.7 werkzeug==3.1.9 requests==2.34.2 urllib3==2.8.0
cat >"$folder/try.py" <<'END'
import asyncio, io
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
        page = b'<form action="/" method="post" enctype="multipart/form-data"><input name="5&quot; disk" value="v"></form>'
        self.reply(200, [("Content-Type", "text/html; charset=utf-8")], page)

    def do_POST(self):
        show(self.rfile.read(int(self.headers["Content-Length"])))
        self.reply(200, [])


def show(body):
    line = next(line for line in body.decode().split("\r\n") if "name=" in line)
    print(line.split("form-data; ")[1].split("; filename")[0])


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

NAME = '5" disk'


async def by_aiosonic():
    import aiosonic
    from aiosonic.multipart import MultipartForm

    form = MultipartForm()
    form.add_field(NAME, "v")
    async with aiosonic.HTTPClient() as client:
        await client.post(base, data=form)


def by_requests():
    import requests

    requests.post(base, files={NAME: (None, "v")})


def by_mechanize():
    import mechanize

    browser = mechanize.Browser()
    browser.set_handle_robots(False)
    browser.open(base)
    browser.select_form(nr=0)
    browser.submit()


def by_webtest():
    import webtest

    def application(environment, start):
        show(environment["wsgi.input"].read(int(environment["CONTENT_LENGTH"])))
        start("200 OK", [])
        return [b""]

    webtest.TestApp(application, lint=False).post("/", upload_files=[(NAME, "a", b"v")])


def by_werkzeug():
    from werkzeug.test import EnvironBuilder

    show(EnvironBuilder(method="POST", data={NAME: (io.BytesIO(b"v"), "a")}).get_environ()["wsgi.input"].read())


for write in (by_requests, lambda: asyncio.run(by_aiosonic()), by_mechanize, by_webtest, by_werkzeug):
    print(write.__name__.replace("<lambda>", "by_aiosonic"), end=" ", flush=True)
    write()
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
by_requests name="5%22 disk"
by_aiosonic name="5" disk"
by_mechanize name="5" disk"
by_webtest name="5" disk"
by_werkzeug name="5" disk"
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
