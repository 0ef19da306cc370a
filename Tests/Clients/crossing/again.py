"""Prints the exchanges of a cassette of schemathesis, or sends its requests to another server and prints what comes.

usage: again.py CASSETTE BASE [ask]

A line of JSON for each request, as ask.py prints them.
"""

import base64
import json
import sys
import urllib.parse

import requests
import yaml

OWN = {"content-length", "transfer-encoding", "connection", "keep-alive", "date", "server"}


def content(body):
    if not body:
        return b""
    return base64.b64decode(body["base64_string"]) if "base64_string" in body else body["string"].encode()


def shown(request, status, reason, fields, body, base):
    fields = sorted((name.lower(), value.replace(base, "BASE")) for name, value in fields if name.lower() not in OWN)
    body = body.replace(base.encode(), b"BASE").hex()
    print(json.dumps({"request": request, "status": status, "reason": reason, "fields": fields, "content": body}))


def main():
    cassette, base, *ask = sys.argv[1:]
    with open(cassette, encoding="utf-8") as file:
        interactions = yaml.load(file, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))["http_interactions"]
    session = requests.Session()
    session.trust_env = False
    for interaction in interactions:
        request, response = interaction["request"], interaction["response"]
        # What got no reply is recorded without one.
        if not response:
            continue
        url = urllib.parse.urlsplit(request["uri"])
        target = url.path + (f"?{url.query}" if url.query else "")
        name = f"{request['method']} {target}"
        if not ask:
            fields = [(key, value) for key, values in (response.get("headers") or {}).items() for value in values]
            status = response["status"]
            own = f"{url.scheme}://{url.netloc}"
            shown(name, int(status["code"]), status["message"], fields, content(response.get("body")), own)
            continue
        fields = {key: ", ".join(values) for key, values in request["headers"].items() if key.lower() not in OWN | {"host"}}
        made = requests.Request(request["method"], base, headers=fields, data=content(request.get("body"))).prepare()
        # The target is sent as it was.
        made.url = base + target
        reply = session.send(made, allow_redirects=False, timeout=60)
        shown(name, reply.status_code, reply.reason, reply.headers.items(), reply.content, base)


main()
