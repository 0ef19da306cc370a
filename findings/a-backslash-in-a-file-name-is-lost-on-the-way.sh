#!/usr/bin/env bash
# A file with the name `notes\v2.txt` (a legal name on Linux and macOS) from three writers of forms to three readers (PyPI).
#
# Guess before the run: the name arrives: writers and readers of today agree whether a backslash stands once, as HTML's algorithm says, or twice, as
# a quoted-pair (RFC 7578 §4.2 by way of RFC 2183).
# Seen: requests and urllib3 write it once, httpx twice. Werkzeug reads a quoted-pair, so that from requests "notesv2.txt" arrives; multipart takes
# the bytes as they are, so that from httpx two backslashes arrive; python-multipart gives the name for either. HTML and the RFC do not agree.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check requests==2.34.2 urllib3==2.8.0 httpx==0.28.1 werkzeug==3.1.9 python-multipart==0.0.34 multipart==2.0.1
cat >"$folder/try.py" <<'END'
import io

FIELD = b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nvalue\r\n'
END = b"--b--\r\n"

import httpx, requests, urllib3

NAME = "notes\\v2.txt"
request = requests.Request("POST", "http://a.test/", files={"f": (NAME, b"x")}).prepare()
BODIES = {"requests": (request.headers["Content-Type"], request.body)}
body, kind = urllib3.encode_multipart_formdata({"f": (NAME, b"x")})
BODIES["urllib3"] = kind, body
request = httpx.Request("POST", "http://a.test/", files={"f": (NAME, b"x")})
BODIES["httpx"] = request.headers["Content-Type"], request.read()

import multipart, python_multipart
from werkzeug.wrappers import Request

for name, (kind, body) in BODIES.items():
    print(name, "writes", body.decode().split("\r\n")[1].split("; ")[2])
    environment = {"REQUEST_METHOD": "POST", "wsgi.input": io.BytesIO(body), "CONTENT_TYPE": kind, "CONTENT_LENGTH": str(len(body))}
    print("  werkzeug reads", Request(environment).files["f"].filename)
    part = next(iter(multipart.MultipartParser(io.BytesIO(body), kind.split("=")[1])))
    print("  multipart reads", part.filename)
    names = []
    python_multipart.parse_form({"Content-Type": kind.encode()}, io.BytesIO(body), None, lambda file: names.append(file.file_name))
    print("  python-multipart reads", names[0].decode())
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
requests writes filename="notes\v2.txt"
  werkzeug reads notesv2.txt
  multipart reads notes\v2.txt
  python-multipart reads notes\v2.txt
urllib3 writes filename="notes\v2.txt"
  werkzeug reads notesv2.txt
  multipart reads notes\v2.txt
  python-multipart reads notes\v2.txt
httpx writes filename="notes\\v2.txt"
  werkzeug reads notes\v2.txt
  multipart reads notes\\v2.txt
  python-multipart reads notes\v2.txt
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
