#!/usr/bin/env bash
# Content-Type `Multipart/Form-Data` in Bottle 0.13.4 and WebOb 1.8.11 (PyPI), beside Werkzeug 3.1.9 (RFC 9110 §8.3.1: type and subtype, and
# parameter names, are case-insensitive).
#
# Guess before the run: a form is read the same with `multipart/form-data; boundary=b` and with `Multipart/Form-Data; Boundary=b`.
# Seen: Werkzeug reads both. WebOb gives an empty form for the second, and Bottle takes the lines of the body for an urlencoded form, so that the
# handler gets a field whose name is the first boundary. Neither raises.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check bottle==0.13.4 WebOb==1.8.11 werkzeug==3.1.9
cat >"$folder/try.py" <<'END'
import io

FIELD = b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nvalue\r\n'
END = b"--b--\r\n"


def environment(kind):
    body = FIELD + END
    return {"REQUEST_METHOD": "POST", "wsgi.input": io.BytesIO(body), "CONTENT_TYPE": kind, "CONTENT_LENGTH": str(len(body))}


import bottle, webob, werkzeug.wrappers

for kind in ("multipart/form-data; boundary=b", "Multipart/Form-Data; boundary=b", "Multipart/Form-Data; Boundary=b"):
    print(kind)
    print("  bottle  ", list(bottle.BaseRequest(environment(kind)).POST.allitems()))
    print("  webob   ", list(webob.Request(environment(kind)).POST.items()))
    print("  werkzeug", list(werkzeug.wrappers.Request(environment(kind)).form.items()))
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
multipart/form-data; boundary=b
  bottle   [('a', 'value')]
  webob    [('a', 'value')]
  werkzeug [('a', 'value')]
Multipart/Form-Data; boundary=b
  bottle   [('--b\r\nContent-Disposition: form-data; name', '"a"\r\n\r\nvalue\r\n--b--\r\n')]
  webob    []
  werkzeug [('a', 'value')]
Multipart/Form-Data; Boundary=b
  bottle   [('--b\r\nContent-Disposition: form-data; name', '"a"\r\n\r\nvalue\r\n--b--\r\n')]
  webob    []
  werkzeug [('a', 'value')]
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
