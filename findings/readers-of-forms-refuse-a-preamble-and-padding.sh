#!/usr/bin/env bash
# Text before the first boundary and blanks behind a boundary (RFC 2046 §5.1.1), in eight readers of multipart bodies of PyPI.
#
# Guess before the run: all eight read over a preamble, which implementations "must ignore", and accept linear white space behind a boundary
# ("transport padding", which receivers MUST handle); only the strictest refuses one of them.
# Seen: python-multipart, Starlette, Tornado and requests-toolbelt raise at the preamble; python-multipart, Starlette, multipart, Falcon and Tornado
# raise at the padding. Bottle gives an empty form at the padding, and says nothing. Werkzeug alone reads both.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check python-multipart==0.0.34 starlette==1.10.0 multipart==2.0.1 tornado==6.6.1 falcon==4.4.0 bottle==0.13.4 werkzeug==3.1.9 requests-toolbelt==1.0.0
cat >"$folder/try.py" <<'END'
import io

FIELD = b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nvalue\r\n'
END = b"--b--\r\n"
BODIES = {"plain": FIELD + END, "preamble": b"This is a form.\r\n" + FIELD + END, "padding": FIELD.replace(b"--b\r", b"--b \r") + END}
TYPE = "multipart/form-data; boundary=b"
import asyncio, logging

logging.disable()


def environment(body):
    return {"REQUEST_METHOD": "POST", "wsgi.input": io.BytesIO(body), "CONTENT_TYPE": TYPE, "CONTENT_LENGTH": str(len(body))}


def python_multipart(body):
    import python_multipart as library

    fields = []
    library.parse_form({"Content-Type": TYPE.encode()}, io.BytesIO(body), lambda field: fields.append(field.value), None)
    return fields


def starlette(body):
    from starlette.requests import Request

    async def receive():
        return {"type": "http.request", "body": body, "more_body": False}

    scope = {"type": "http", "method": "POST", "headers": [(b"content-type", TYPE.encode())], "path": "/", "query_string": b""}

    async def read():
        return list((await Request(scope, receive).form()).values())

    return asyncio.run(read())


def multipart(body):
    import multipart as library

    return [part.value for part in library.MultipartParser(io.BytesIO(body), "b")]


def tornado(body):
    from tornado.httputil import parse_multipart_form_data

    fields = {}
    parse_multipart_form_data(b"b", body, fields, {})
    return list(fields.values())


def falcon(body):
    from falcon.media import MultipartFormHandler

    return [part.text for part in MultipartFormHandler().deserialize(io.BytesIO(body), TYPE, len(body))]


def bottle(body):
    import bottle as library

    return list(library.BaseRequest(environment(body)).POST.values())


def werkzeug(body):
    from werkzeug.wrappers import Request

    return list(Request(environment(body)).form.values())


def toolbelt(body):
    from requests_toolbelt.multipart.decoder import MultipartDecoder

    return [part.text for part in MultipartDecoder(body, TYPE).parts]


for read in (python_multipart, starlette, multipart, tornado, falcon, bottle, werkzeug, toolbelt):
    for name, body in BODIES.items():
        try:
            print(read.__name__, name, read(body))
        except Exception as error:
            print(read.__name__, name, type(error).__name__)
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
python_multipart plain [b'value']
python_multipart preamble MultipartParseError
python_multipart padding MultipartParseError
starlette plain ['value']
starlette preamble MultiPartException
starlette padding MultiPartException
multipart plain ['value']
multipart preamble ['value']
multipart padding ParserError
tornado plain [[b'value']]
tornado preamble HTTPInputError
tornado padding HTTPInputError
falcon plain ['value']
falcon preamble ['value']
falcon padding MultipartParseError
bottle plain ['value']
bottle preamble ['value']
bottle padding []
werkzeug plain ['value']
werkzeug preamble ['value']
werkzeug padding ['value']
toolbelt plain ['value']
toolbelt preamble ImproperBodyPartContentException
toolbelt padding ['value']
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
