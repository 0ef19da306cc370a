"""Attacks on what stands above HTTP/2 and behind the control API, for Benchmarks/attacks.py: gRPC, WebSockets on streams, keys of
OAuth, the book, and descriptions whose examples answer."""
import gzip
import json
import pathlib
import shutil
import socket
import time

from http2wire import DATA, END_STREAM, HEADERS, RST_STREAM, USUAL, frame, literal, request, word

ROOT = pathlib.Path(__file__).resolve().parent.parent
GRPC = """summary: calls of gRPC
origins: { main: { protocols: [h2] } }
library: grpc.lua
exchanges:
  - request: POST /attack.Calls/Read
    reply: { script: 'return grpc { tostring(#texts(request.body)) }' }
  - request: POST /attack.Calls/Wait
    reply: { script: 'return grpc { { ["do"] = "wait 30s" }, "late" }' }
  - { request: GET /small, reply: { status: 200, body: "hello\\n" } }
"""
SOCKETS = """summary: WebSockets on streams
origins: { main: { protocols: [h2], h2: { settings: { enable-connect-protocol: 1 } } } }
exchanges:
  - request: GET /socket
    reply: { websocket: { turns: [{ echo: true }], deflate: true } }
"""
KEYS = """summary: keys that clients send, as proofs of DPoP have them
exchanges:
  - request: POST /verify
    reply:
      script: |
        local asked = request.json
        local is_right, why = key.verify(asked.alg, asked.jwk, "data", base64.decode(asked.signature))
        return { status = 400, body = tostring(is_right) .. tostring(why) }
"""
# The largest modulus that OpenSSL takes, points that are on no curve, and values of wrong kinds.
SENT_KEYS = [
    ("RS256", {"kty": "RSA", "n": "_" * 2730, "e": "AQAB"}), ("RS256", {"kty": "RSA", "n": "_" * 2730, "e": "_" * 2730}),
    ("PS512", {"kty": "RSA", "n": "_" * 40000, "e": "Aw"}), ("RS256", {"kty": "RSA", "n": "", "e": ""}),
    ("ES256", {"kty": "EC", "crv": "P-256", "x": "A" * 43, "y": "A" * 43}), ("ES512", {"kty": "EC", "crv": "P-521", "x": "_" * 88, "y": "_" * 88}),
    ("ES256", {"kty": "EC", "crv": "P-521", "x": 7, "y": {}}), ("EdDSA", {"kty": "OKP", "crv": "Ed25519", "x": "A" * 10000}),
    ("HS256", {"kty": "oct", "k": "A"}), ("none", {}), ("RS256", {"kty": "EC", "n": "AQAB", "e": "AQAB"}),
]


def write_fixtures(folder):
    shutil.copy(ROOT / "fixtures/grpc/grpc.lua", folder)
    for name, text in {"calls": GRPC, "sockets": SOCKETS, "keys": KEYS}.items():
        (folder / f"{name}.yaml").write_text(text)


def call(stream, path, content, timeout=b"", flags=END_STREAM):
    fields = literal(b"content-type", b"application/grpc") + literal(b"te", b"trailers")
    fields += literal(b"grpc-encoding", b"gzip") + (literal(b"grpc-timeout", timeout) if timeout else b"")
    pieces = [content[first:first + 16384] for first in range(0, len(content), 16384)] or [b""]
    head = request(stream, path, b"POST", ends=False, more=fields)
    return head + b"".join(frame(DATA, flags if piece is pieces[-1] else 0, stream, piece) for piece in pieces)


def grpc_message(payload, flag=0, said=None):
    return bytes([flag]) + word(len(payload) if said is None else said) + payload


def place_of(links, scenario):
    """Where a run of the scenario listens."""
    body = json.dumps({"scenario": scenario})
    with socket.create_connection(("127.0.0.1", links.place["port"]), 20) as link:
        link.sendall(f"POST /__proctor/runs HTTP/1.1\r\nHost: 127.0.0.1:{links.place['port']}\r\nConnection: close\r\n"
                     f"Content-Length: {len(body)}\r\n\r\n{body}".encode())
        data = b"".join(iter(lambda: link.recv(65536), b""))
    base = json.loads(data.split(b"\r\n\r\n", 1)[1])["base"]
    host, port = base.removeprefix("http://").rsplit(":", 1)
    return host, int(port)


class AtRun:
    """The links of an attacker to the port of a run in place of the shared one."""

    def __init__(self, links, scenario):
        self.links, self.address = links, place_of(links, scenario)
        self.place, self.all, self.refused = links.place, links.all, 0

    def connect(self):
        link = socket.create_connection(self.address, 20)
        self.all.append(link)
        return link


def at_run(scenario, attack):
    return lambda links: attack(AtRun(links, scenario))


def streams(each, at_once=20):
    """Bytes of one stream after the other, so many in a piece."""
    def make():
        for first in range(1, 2**30, 2 * at_once):
            yield b"".join(each(first + 2 * n) for n in range(at_once))
    return make


def open_socket(stream):
    fields = (literal(b":protocol", b"websocket") + literal(b"sec-websocket-version", b"13")
              + literal(b"sec-websocket-extensions", b"permessage-deflate; client_no_context_takeover"))
    return frame(HEADERS, 4, stream, literal(b":method", b"CONNECT") + literal(b":scheme", b"http") + literal(b":path", b"/socket")
                 + literal(b":authority", b"a") + fields)


def on_socket(bytes_):
    """A WebSocket on stream 1 of a connection, and the same DATA on it for ever."""
    def make():
        yield open_socket(1)
        while True:
            yield frame(DATA, 0, 1, bytes_)
    return make


def silent_sockets(count, each):
    def run(links):
        for _ in range(count):
            links.connect().sendall(USUAL + b"".join(open_socket(2 * n + 1) for n in range(each)))
    return run


def descriptions(count, byte_count):
    """Descriptions of OpenAPI whose examples are to answer, by clients that leave as soon as they were sent."""
    def run(links):
        example = {"id": 1, "tags": ["a"] * 20, "name": "n" * 100}
        properties = {f"p{n}": {"type": "string", "example": "v" * 20} for n in range(20)}
        operation = {"responses": {"200": {"description": "ok", "content": {"application/json": {
            "example": example, "schema": {"type": "object", "properties": properties}}}}}}
        paths = byte_count // len(json.dumps(operation)) + 1
        text = json.dumps({"openapi": "3.1.0", "info": {"title": "T", "version": "1"},
                           "paths": {f"/p{n}": {"get": operation} for n in range(paths)}})
        head = (f"POST /__proctor/import?kind=openapi HTTP/1.1\r\nHost: 127.0.0.1:{links.place['port']}\r\n"
                f"Content-Length: {len(text)}\r\n\r\n").encode()

        def step(links):
            for _ in range(count):
                links.send_and_leave(head + text.encode())
        return step
    return run


def posts(path, contents):
    """POSTs with each of the contents in turn on one connection, in one go."""
    asks = b"".join(b"POST %b HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (path, len(one), one)
                    for one in contents)

    def make():
        while True:
            yield asks
    return make


def searches(count):
    """Clients that search the book for other words each time, and leave before the answer."""
    def run(links):
        number = [0]

        def step(links):
            for _ in range(count):
                number[0] += 1
                words = "+".join(f"w{number[0]}x{n}" for n in range(400))
                link = links.connect()
                link.sendall(f"GET /__proctor/docs?q={words} HTTP/1.1\r\nHost: 127.0.0.1:{links.place['port']}\r\n\r\n".encode())
                links.all.remove(link)
                link.close()
            time.sleep(0.01)
        return step
    return run


def attacks(flood, deflated, message):
    """Rows of attacks.py, whose ways of attacking are handed over."""
    small = b"".join([grpc_message(b"\x0a\x01a")] * 8000)
    # 16 MiB of zeros in 16 KiB, as messages that say they are compressed.
    grown = grpc_message(gzip.compress(bytes(16 << 20)), flag=1)
    keys = [json.dumps({"alg": alg, "jwk": jwk, "signature": "A" * 342 + "=="}).encode() for alg, jwk in SENT_KEYS]
    calls, sockets = "attack/calls", "attack/sockets"
    return [
        ("gRPC, 8,000 messages of a byte in each call",
         at_run(calls, flood(streams(lambda n: call(n, b"/attack.Calls/Read", small)), first=USUAL)), None),
        ("gRPC, compressed messages that grow to 16 MiB",
         at_run(calls, flood(streams(lambda n: call(n, b"/attack.Calls/Read", grown)), first=USUAL)), None),
        ("gRPC, messages that say 4 GiB", at_run(calls, flood(
            streams(lambda n: call(n, b"/attack.Calls/Read", grpc_message(b"a", said=2**32 - 1))), first=USUAL)), None),
        ("gRPC, deadlines of a nanosecond, each call reset",
         at_run(calls, flood(streams(lambda n: call(n, b"/attack.Calls/Wait", b"", b"1n") + frame(RST_STREAM, 0, n, word(8))),
                             first=USUAL)), None),
        ("gRPC, deadlines of years, calls that wait, 50 connections with 99", at_run(calls, lambda links: [
            links.connect().sendall(USUAL + b"".join(call(2 * n + 1, b"/attack.Calls/Wait", b"", b"99999999H") for n in range(99)))
            for _ in range(50)] and None), None),
        ("WebSocket over HTTP/2, Pings", at_run(sockets, flood(on_socket(message(0x89, b"12345678") * 1000))), None),
        ("WebSocket over HTTP/2, messages of a byte", at_run(sockets, flood(on_socket(message(0x81, b"a") * 1000))), None),
        ("WebSocket over HTTP/2, empty fragments of one message", at_run(sockets, flood(on_socket(message(0x00) * 1000))), None),
        ("WebSocket over HTTP/2, messages of 16 MiB in 16 KiB, inflated and sent back",
         at_run(sockets, flood(on_socket(message(0xC2, deflated(16 << 20))[:16384]))), None),
        ("WebSocket over HTTP/2, open and silent, 100 connections with 50", at_run(sockets, silent_sockets(100, 50)), None),
        ("OAuth, keys that are none, and the longest, to verify by", flood(posts(b"/attack/keys/verify", keys), first=b""), None),
        ("the book, searches for 400 words whose clients leave, 20 at a time", searches(20), None),
        ("descriptions of OpenAPI of 2 MiB to import, whose clients leave", descriptions(4, 2 << 20), None),
    ]
