#!/usr/bin/env bash
# fsspec 2026.9.0 (PyPI), cat_file(url, start, end) over HTTP, and a server that ignores Range (RFC 9110 §14.2: it may).
#
# Guess before the run: the five bytes that were asked for, cut from the whole, or an error, as open() with seek() gives one.
# Seen: the whole file, and no error; cat_ranges() gives the same. For open() the project mended this in 2022. A reader of Parquet or Zarr takes the
# first bytes of the file for the part.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check fsspec==2026.9.0 aiohttp==3.14.5
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
        content, asked = b"0123456789abcdef", self.headers["Range"]
        if self.path == "/ranges" and asked:
            first, last = map(int, asked.split("=")[1].split("-"))
            self.reply(206, [("Content-Range", f"bytes {first}-{last}/{len(content)}")], content[first:last + 1])
        else:
            self.reply(200, [], content)

    do_HEAD = do_GET


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
base = f"http://127.0.0.1:{server.server_port}"

import fsspec

files = fsspec.filesystem("http")
for path in ("/ranges", "/whole"):
    print(path, "cat_file", files.cat_file(base + path, 5, 10), "cat_ranges", files.cat_ranges([base + path], [5], [10]))
    try:
        with files.open(base + path, block_size=5) as file:
            file.seek(5)
            print(path, "open and seek", file.read(5))
    except ValueError as error:
        print(path, "open and seek", type(error).__name__)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
/ranges cat_file b'56789' cat_ranges [b'56789']
/ranges open and seek b'56789'
/whole cat_file b'0123456789abcdef' cat_ranges [b'0123456789abcdef']
/whole open and seek ValueError
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
