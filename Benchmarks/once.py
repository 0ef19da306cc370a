#!/usr/bin/env python3
"""Asks proctor over six protocols side by side, each request by a target of its own, and shows that the journal has each of them once.

A process for each protocol asks for so many seconds: HTTP/1.1, the same over TLS, HTTP/2, the same over TLS, HTTP/3, and WebSockets of
which each echoes a message. Connections are used for some requests and then closed. The run fails when a reply is another one than the
fixture's, when a target is missing from the journal or stands there more than once, or when the journal has one that nobody asked for.
"""
import argparse
import collections
import http.client
import json
import multiprocessing
import os
import pathlib
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time

import quicfloods
from http2wire import ACK, END_STREAM, PREFACE, frame, request, settings

SCENARIO = """summary: each request by a target of its own
origins: { main: {} }
exchanges:
  - { request: "GET /ask/*", reply: { status: 200, body: "hello\\n" } }
  - { request: "GET /socket/*", reply: { websocket: { turns: [{ echo: true }] } } }
"""
PER_CONNECTION = 200
PATIENCE = 30


class Wrong(Exception):
    """What came otherwise than the fixture says."""


def unverified(*protocols):
    context = ssl.create_default_context()
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.set_alpn_protocols(list(protocols))
    return context


def check(reply, what):
    if reply != (200, b"hello\n"):
        raise Wrong(f"{what}: {reply}")


def over_http1(place, targets, is_secured):
    """Asks on one connection; yields each target whose reply has come."""
    link = (http.client.HTTPSConnection("127.0.0.1", place["tls"], timeout=PATIENCE, context=unverified("http/1.1")) if is_secured
            else http.client.HTTPConnection("127.0.0.1", place["port"], timeout=PATIENCE))
    for target in targets:
        link.request("GET", "/once" + target)
        reply = link.getresponse()
        check((reply.status, reply.read()), target)
        yield target
    link.close()


def over_http2(place, targets, is_secured):
    link = socket.create_connection(("127.0.0.1", place["tls" if is_secured else "port"]), PATIENCE)
    if is_secured:
        link = unverified("h2").wrap_socket(link, server_hostname="localhost")
    link.sendall(PREFACE + settings() + ACK)
    stream, kept, size = 1, b"", 0

    def take(count):
        nonlocal kept
        while len(kept) < count:
            piece = link.recv(65536)
            if not piece:
                raise Wrong("HTTP/2: the connection ended")
            kept += piece
        taken, kept = kept[:count], kept[count:]
        return taken

    for target in targets:
        link.sendall(request(stream, b"/once" + target.encode()))
        content, is_over = b"", False
        while not is_over:
            head = take(9)
            kind, flags, of = head[3], head[4], struct.unpack(">I", head[5:])[0]
            payload = take(int.from_bytes(head[:3], "big"))
            if kind in (3, 7):
                raise Wrong(f"{target}: a frame of type {kind}")
            if kind == 0 and of == stream:
                content += payload
                size += len(payload)
            is_over = of == stream and kind in (0, 1) and bool(flags & END_STREAM)
        check((200, content), target)
        if size > 16384:
            link.sendall(frame(8, 0, 0, struct.pack(">I", size)))
            size = 0
        stream += 2
        yield target
    link.close()


class Links:
    """As an attacker of attacks.py has them."""

    def __init__(self, place):
        self.place, self.all = place, []


def over_http3(place, targets):
    from aioquic.h3.events import DataReceived, HeadersReceived
    links = Links(place)
    peer = quicfloods.Peer(links)
    if not peer.shake():
        raise Wrong("a handshake of QUIC did not end")
    seen = []
    handle = peer.http.handle_event
    peer.http.handle_event = lambda event: seen.extend(handle(event))
    for target in targets:
        stream = peer.ask(b"/once" + target.encode())
        status, content, is_over, end = 0, b"", False, time.monotonic() + PATIENCE
        while not is_over:
            if not peer.move() or time.monotonic() > end:
                raise Wrong(f"{target}: no reply over HTTP/3")
            if not seen:
                time.sleep(0.0005)
            for event in seen:
                if getattr(event, "stream_id", None) != stream:
                    continue
                if isinstance(event, HeadersReceived):
                    status = int(dict(event.headers)[b":status"])
                if isinstance(event, DataReceived):
                    content += event.data
                is_over |= event.stream_ended
            seen.clear()
        check((status, content), target)
        yield target
    peer.quic.close()
    peer.send()
    links.all[0].close()


def over_websockets(place, targets):
    for target in targets:
        link = socket.create_connection(("127.0.0.1", place["port"]), PATIENCE)
        link.sendall(f"GET /once{target.replace('/ask/', '/socket/')} HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
                     "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n".encode())
        data = b""
        while b"\r\n\r\n" not in data:
            data += link.recv(4096) or b"\r\n\r\n"
        if not data.startswith(b"HTTP/1.1 101 "):
            raise Wrong(f"{target}: {data[:40]}")
        link.sendall(b"\x81\x85\0\0\0\0hello")
        data = data.split(b"\r\n\r\n", 1)[1]
        while len(data) < 7:
            piece = link.recv(4096)
            if not piece:
                raise Wrong(f"{target}: no message came back")
            data += piece
        if data[:7] != b"\x81\x05hello":
            raise Wrong(f"{target}: {data[:7]}")
        link.sendall(b"\x88\x82\0\0\0\0\x03\xe8")
        link.close()
        yield target.replace("/ask/", "/socket/")


PROTOCOLS = {
    "http1": lambda place, targets: over_http1(place, targets, False), "http1-tls": lambda place, targets: over_http1(place, targets, True),
    "http2": lambda place, targets: over_http2(place, targets, False), "http2-tls": lambda place, targets: over_http2(place, targets, True),
    "http3": over_http3, "websocket": over_websockets,
}


def ask(name, place, seconds, results):
    """The count of requests that were answered, or what went otherwise."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    os.nice(5)
    count, end = 0, time.monotonic() + seconds
    try:
        while time.monotonic() < end:
            targets = [f"/ask/{name}/{number}" for number in range(count, count + PER_CONNECTION)]
            for _ in PROTOCOLS[name](place, targets):
                count += 1
                if time.monotonic() >= end:
                    break
        results.put((name, count, None))
    except (Wrong, OSError, http.client.HTTPException) as error:
        results.put((name, count, f"{type(error).__name__}: {error}"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path, help="proctor")
    parser.add_argument("--seconds", type=int, default=360, help="how long each protocol asks (default 360)")
    parser.add_argument("--threads", type=int, default=1, help="loops of the server")
    options = parser.parse_args()
    quicfloods.prepare()
    with tempfile.TemporaryDirectory(prefix="proctor-once-") as folder:
        folder = pathlib.Path(folder)
        (folder / "once.yaml").write_text(SCENARIO)
        journal = folder / "journal.jsonl"
        server = subprocess.Popen(
            [options.binary.resolve(), "serve", folder / "once.yaml", "--port", "0", "--tls-port", "0", "--http2", "--http3", "--log", "none",
             "--threads", str(options.threads), "--ca-dir", folder / "ca", "--journal", journal, "--journal-limit", "65536"],
            stdout=subprocess.PIPE, text=True)
        line = server.stdout.readline()
        if not line:
            sys.exit("once: proctor did not start; its words are above")
        ready = json.loads(line)
        place = {"port": ready["port"], "tls": int(ready["tls"].rsplit(":", 1)[1])}
        results = multiprocessing.Queue()
        askers = [multiprocessing.Process(target=ask, args=(name, place, options.seconds, results)) for name in PROTOCOLS]
        for asker in askers:
            asker.start()
        asked = {name: (count, error) for name, count, error in (results.get() for _ in askers)}
        for asker in askers:
            asker.join()
        server.send_signal(signal.SIGTERM)
        status = server.wait(60)
        seen = collections.Counter()
        with journal.open() as lines:
            for line in lines:
                # The quick look keeps a gigabyte's reading short.
                if '"target":"/' in line:
                    entry = json.loads(line)
                    if (target := entry.get("target")) is not None:
                        seen[target] += 1
        sys.exit(report(asked, seen, status))


def report(asked, seen, status):
    """0 where each request that was answered stands in the journal once."""
    print("| protocol | requests answered | in the journal | more than once | missing |\n|---|---:|---:|---:|---:|")
    failed = status != 0
    for name, (count, error) in sorted(asked.items()):
        kind = "socket" if name == "websocket" else "ask"
        wanted = {f"/{kind}/{name}/{n}" for n in range(count)}
        its = {target: times for target, times in seen.items() if target.split("/")[2:3] == [name]}
        several, missing = sum(times > 1 for times in its.values()), len(wanted - its.keys())
        # The last one may have been sent, and not answered within the time.
        strange = len(its.keys() - wanted) - 1
        print(f"| {name} | {count:,} | {len(its):,} | {several} | {missing} |")
        for sentence, is_so in ((error, error), (f"{strange + 1} that nobody asked for", strange > 0)):
            if is_so:
                print(f"  {name}: {sentence}", file=sys.stderr)
        failed |= bool(several or missing or strange > 0 or error or count == 0)
    print(f"{sum(count for count, _ in asked.values()):,} requests; the server's exit code was {status}")
    return 1 if failed else 0


if __name__ == "__main__":
    main()
