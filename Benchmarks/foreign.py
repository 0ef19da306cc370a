"""Files of other tools that grow, for Benchmarks/complexity.py: exchanges, secrets or bytes of each kind of `proctor import`.

Each maker takes exchanges as (method, target, fields, content, reply fields, reply content) and returns the file's bytes.
"""

import json

HOST = "shop.example.com"
WORDS = "the quick brown fox jumps over a lazy dog and goes on to look for words that are no secrets at all\n"
PLAIN = [("Content-Type", "text/plain")]


# MARK: Exchanges

def entries(n):
    """So many exchanges that are equal."""
    return [("GET", "/a", [], "", PLAIN, "a")] * n


def turns(n):
    """So many requests to one target, each with a content and a reply of its own."""
    return [("POST", "/a", [("Content-Type", "application/json")], json.dumps({"number": i}), PLAIN, f"reply {i}")
            for i in range(n)]


def secrets(n):
    """So many secrets, a hundred in each exchange, and as much text in which each is looked for."""
    return [("GET", "/a", [("Cookie", "; ".join(f"c{i}=v{i * 2654435761 % 2**48:012x}" for i in range(start, min(n, start + 100))))],
             "", PLAIN, text(min(100, n - start) * 100)) for start in range(0, n, 100)]


def short_secrets(n):
    """So many secrets of five bytes: more of them than text."""
    return [("GET", "/a", [("Cookie", "; ".join(f"a={i:05x}" for i in range(start, min(n, start + 1_000))))], "", PLAIN, "")
            for start in range(0, n, 1_000)]


def content(n):
    """One reply with so many bytes."""
    return [("GET", "/a", [], "", PLAIN, text(n))]


def addresses(n):
    """So many URLs in replies, 500 in each, and 60 other hosts that no reply names."""
    others = [("GET", f"http://other{i}.example.com/", [], "", PLAIN, "") for i in range(60)]
    return others + [("GET", f"/{start}", [], "", PLAIN, f"http://{HOST}/ " * min(500, n - start)) for start in range(0, n, 500)]


def text(n):
    return (WORDS * (n // len(WORDS) + 1))[:n]


# MARK: Kinds

def compact(value):
    return json.dumps(value, separators=(",", ":")).encode()


def pairs(fields, *more):
    return [{"name": name, "value": value} for name, value in [*more, *fields]]


def absolute(target):
    return target if target.startswith("http:") else f"http://{HOST}{target}"


def har_of(entries, **members):
    return compact({"log": {"version": "1.2", "creator": {"name": "gate", "version": "1"}, "entries": entries, **members}})


def har(exchanges):
    return har_of([{
        "request": {"method": method, "url": absolute(target), "headers": pairs(fields),
                    "postData": {"mimeType": "application/json", "text": body}},
        "response": {"status": 200, "headers": pairs(reply_fields), "content": {"size": len(reply), "text": reply}},
    } for method, target, fields, body, reply_fields, reply in exchanges])


def message(first, fields, body):
    lines = [first, *(f"{name}: {value}" for name, value in fields), f"Content-Length: {len(body)}", "", body]
    return "\r\n".join(lines)


def http(exchanges):
    return "".join(
        message(f"{method} {target} HTTP/1.1", [("Host", HOST), *fields], body) + message("HTTP/1.1 200 OK", reply_fields, reply)
        for method, target, fields, body, reply_fields, reply in exchanges).encode()


def trace(exchanges):
    """As curl --trace-ascii writes them."""
    def lines(head, body):
        parts = [f"{len(line) + 2:04x}: {line}" for line in head] + ["0000: "]
        if body:
            parts.append(body)
        return parts

    def block(kind, text):
        data = text.encode()
        rows = []
        for start in range(0, len(data), 16):
            part = data[start:start + 16]
            shown = "".join(chr(byte) if 32 <= byte < 127 else "." for byte in part)
            rows.append(f"{start:04x}: {part.hex(' ')} {shown}")
        return "\n".join([f"{kind}, {len(data)} bytes (0x{len(data):x})", *rows]) + "\n"

    parts = []
    for method, target, fields, body, reply_fields, reply in exchanges:
        head = message(f"{method} {target} HTTP/1.1", [("Host", HOST), *fields], body)
        parts.append(block("=> Send header", head[:len(head) - len(body)]))
        if body:
            parts.append(block("=> Send data", body))
        answer = message("HTTP/1.1 200 OK", reply_fields, reply)
        parts.append(block("<= Recv header", answer[:len(answer) - len(reply)]))
        if reply:
            parts.append(block("<= Recv data", reply))
    return "".join(parts).encode()


def vcr(exchanges):
    # A cassette is YAML, and JSON is YAML too.
    def fold(fields):
        return {name: [value] for name, value in fields}
    return b"# A cassette\n" + compact({"version": 1, "interactions": [{
        "request": {"method": method, "uri": f"http://{HOST}{target}", "headers": fold(fields), "body": body},
        "response": {"status": {"code": 200, "message": "OK"}, "headers": fold(reply_fields), "body": {"string": reply}},
    } for method, target, fields, body, reply_fields, reply in exchanges]})


def placeholders(n):
    """A request whose content has as many words of a recorder, each another one."""
    body = "".join(f"<W{number}> " for number in range(n))
    return ("POST", "/", [("Content-Type", "text/plain")], body, [], "hello")


def variables(n):
    """A collection with as many variables, each of which names the next."""
    return compact({
        "info": {"name": "gate"}, "variable": [
            {"key": f"v{number}", "value": "{{v%d}}" % (number + 1)} for number in range(n)] + [{"key": f"v{n}", "value": "x"}],
        "item": [{"name": "one", "request": {"method": "GET", "url": f"http://{HOST}/{{{{v0}}}}"},
                  "response": [{"name": "reply", "code": 200, "body": "hello"}]}]})


def cassette(interactions, unread=""):
    """A cassette in block style, as vcrpy writes it: `interactions` are items of its list, `unread` a value that nobody reads."""
    return ("version: 1\ninteractions:\n" + interactions + (f"unread: {unread}\n" if unread else "")).encode()


INTERACTION = """- request:
    body: null
    headers:
      accept:
      - text/plain
    method: GET
    uri: http://a.example/
  response:
    body:
      string: hello
    headers: {}
    status:
      code: 200
      message: OK
"""


def postman(exchanges):
    return compact({
        "info": {"name": "gate", "schema": "https://schema.getpostman.com/json/collection/v2.1.0/collection.json"},
        "item": [{"name": f"item {number}",
                  "request": {"method": method, "header": [{"key": name, "value": value} for name, value in fields],
                              "url": f"http://{HOST}{target}", "body": {"mode": "raw", "raw": body}},
                  "response": [{"name": "reply", "code": 200, "status": "OK", "body": reply,
                                "header": [{"key": name, "value": value} for name, value in reply_fields]}]}
                 for number, (method, target, fields, body, reply_fields, reply) in enumerate(exchanges)]})


def journal(exchanges):
    lines = [{"journal": "proctor", "version": 2, "clock": "monotonic", "unit": "ns"},
             {"seq": 1, "ns": 1, "connection": 0, "ev": "connectionOpened", "origin": "main", "peer": "a", "local": "b"}]

    def add(**more):
        lines.append({"seq": len(lines), "ns": len(lines), "connection": 0, **more})
    for number, (method, target, fields, body, reply_fields, reply) in enumerate(exchanges):
        head = message(f"{method} {target} HTTP/1.1", [("Host", HOST), *fields], body)
        add(request=number, ev="requestHead", method=method, target=target, version="HTTP/1.1",
            framing="length" if body else "none", fields=[["Host", HOST], *fields], bytes=head[:len(head) - len(body)])
        if body:
            add(request=number, ev="requestBody", byteCount=len(body), isComplete=True, trailers=[], body=body)
        add(request=number, ev="replyBegun", status=200, fields=[list(field) for field in reply_fields], headByteCount=60,
            content={"byteCount": len(reply), "body": reply})
    return b"".join(compact(line) + b"\n" for line in lines)


def openapi(exchanges):
    """One operation a request: the targets are numbered, since a description has each once."""
    return compact({"openapi": "3.1.0", "info": {"title": "gate", "version": "1"}, "paths": {
        f"{target}/{number}": {method.lower(): {"responses": {"200": {
            "description": "OK", "content": {"text/plain": {"example": reply}}}}}}
        for number, (method, target, _, _, _, reply) in enumerate(exchanges)}})


def wiremock(exchanges):
    """Mappings in one file, as WireMock's API gives them."""
    return compact({"mappings": [{
        "request": {"method": method, "urlPath": target,
                    "headers": {name: {"equalTo": value} for name, value in fields}},
        "response": {"status": 200, "headers": dict(reply_fields), "body": reply},
    } for method, target, fields, _, reply_fields, reply in exchanges]})


def curl(exchanges):
    """Lines of curl, which a command line may have as many of as fit its bound."""
    def quoted(text):
        return "'" + text.replace("'", "'\\''") + "'"
    return "\n".join(" ".join(
        ["curl", "-X", method, quoted(f"http://{HOST}{target}"), *(f"-H {quoted(f'{name}: {value}')}" for name, value in fields),
         *(["-d", quoted(body)] if body else [])]) for method, target, fields, body, _, _ in exchanges).encode()


# MARK: Descriptions

def schemas(n):
    """So many schemas, each of which has the one before it as a member."""
    named = {"s0": {"type": "string"}} | {
        f"s{i}": {"type": "object", "properties": {"a": {"$ref": f"#/components/schemas/s{i - 1}"}, "b": {"type": "integer"}}}
        for i in range(1, n)}
    return described(named, f"s{n - 1}")


def properties(n):
    """One schema with so many properties."""
    return described({"s": {"type": "object", "properties": {f"p{i}": {"type": "integer"} for i in range(n)}}}, "s")


def described(named, last):
    return compact({"openapi": "3.1.0", "info": {"title": "gate", "version": "1"}, "components": {"schemas": named},
                    "paths": {"/a": {"get": {"responses": {"200": {"description": "OK", "content": {"application/json": {
                        "schema": {"$ref": f"#/components/schemas/{last}"}}}}}}}}})


KINDS = {"har": har, "http": http, "vcr": vcr, "postman": postman, "journal": journal, "openapi": openapi}
