#!/usr/bin/env bash
# requests-toolbelt 1.0.0 (PyPI), stream_response_to_file() and Content-Disposition (RFC 6266 §4.1, §4.3).
#
# Guess before the run: `attachment; filename="report.pdf"` is saved as report.pdf, and `filename*` is preferred where it stands beside.
# Seen: the file's name has the two quotation marks in it. With `filename*` alone, or with `Filename=`, the function raises that no name was
# given. A token without quotes is the one form that gives the right name. Of `filename*` the project has an open report (379).
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export TMPDIR=$folder
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check requests-toolbelt==1.0.0 requests==2.34.2 urllib3==2.8.0
cat >"$folder/try.py" <<'END'
import os, tempfile
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
        self.reply(200, [("Content-Disposition", FORMS[int(self.path[1:])])], b"content")


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import requests
from requests_toolbelt.downloadutils import stream

FORMS = ['attachment; filename=report.pdf', 'attachment; filename="report.pdf"', "attachment; filename*=UTF-8''report.pdf",
         'attachment; Filename="report.pdf"']
for number, form in enumerate(FORMS):
    os.chdir(tempfile.mkdtemp())
    try:
        stream.stream_response_to_file(requests.get(f"{base}/{number}", stream=True))
    except Exception as error:
        print(form, "->", error)
    for name in os.listdir():
        print(form, "->", name)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
attachment; filename=report.pdf -> report.pdf
attachment; filename="report.pdf" -> "report.pdf"
attachment; filename*=UTF-8''report.pdf -> No filename given to stream response to
attachment; Filename="report.pdf" -> No filename given to stream response to
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
