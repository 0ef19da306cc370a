#!/usr/bin/env python3
"""Attacks proctor from the same machine, and shows what that costs it and a good client beside.

For each attack a server is started anew, with a journal file. While the attack goes on, another process asks for a small
reply 100 times a second, over connections that stay open and over new ones. Then the attack's connections are closed, and
after five seconds memory is read again. Then the attack is begun once more, and the server told to stop in the midst of it.
The run fails where a goal is missed; the table says which.
"""
import argparse
import json
import multiprocessing
import pathlib
import re
import resource
import selectors
import signal
import socket
import ssl
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import callfloods
import doors
import quicfloods
from http2wire import (ACK, CONTINUATION, DATA, HEADERS, OPEN_WINDOWS, PING, PREFACE, PRIORITY, RST_STREAM, SETTINGS, USUAL,
                       WINDOW_OF_ONE, WINDOW_UPDATE, block, frame, literal, request, settings, word)

SCENARIO = """summary: what attacks ask for
exchanges:
  - request: GET /small
    reply: { status: 200, body: "hello\\n" }
  - request: GET /large
    reply: { status: 200, headers: { Content-Type: application/octet-stream }, body: { pattern: offset, bytes: 104857600 } }
  - request: POST /upload
    reply: { status: 200, body: "got it\\n" }
  - request: GET /events
    reply: { events: [{ id: 1, data: one }], effects: [{ at: end, do: stall }] }
  - request: GET /socket
    reply: { websocket: { turns: [{ echo: true }], deflate: true } }
"""
# As many as a scenario may have, each of which would search for 10 ms.
PATTERNS = "summary: what takes long to compare\nexchanges:\n" + "".join(
    f"  - {{ request: {{ method: GET, path: {{ matches: '/(a+)+b{n}' }} }}, reply: {{ status: 200 }} }}\n"
    for n in range(1000))
GRACE = 2
JOURNAL_MIB = 64

# The goals.
MOST_KEPT = 20 * 2**20
MOST_P99 = 0.020
MOST_STOP = GRACE + 1
MOST_PER_STREAM = 2 << 10

class Links:
    """Many sockets of one attacker."""

    def __init__(self, place):
        self.place = place
        self.all = []
        self.refused = 0

    def connect(self, wrap=None):
        link = socket.create_connection(("127.0.0.1", self.place["tls"] if wrap else self.place["port"]), 20)
        if wrap:
            link = wrap.wrap_socket(link)
        self.all.append(link)
        return link

    def send_and_leave(self, content):
        """Sends all of the content over a socket of its own, and closes that without a look at an answer."""
        link = self.connect()
        try:
            link.sendall(content)
        except OSError:
            self.refused += 1
        self.all.remove(link)
        link.close()

    def close(self):
        for link in self.all:
            try:
                link.close()
            except OSError:
                pass
        self.all = []


def tls(protocol):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    context.set_alpn_protocols([protocol])
    return context


def small_buffer(link):
    link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)


def asking(count, path):
    """Each connection asks anew as soon as it is answered."""
    ask = b"GET " + path + b" HTTP/1.1\r\nHost: a\r\n\r\n"

    def run(links):
        selector = selectors.DefaultSelector()
        for _ in range(count):
            link = links.connect()
            link.sendall(ask)
            selector.register(link, selectors.EVENT_READ, bytearray())

        def step(links):
            for key, _ in selector.select(0.1):
                more = key.fileobj.recv(65536)
                if not more:
                    selector.unregister(key.fileobj)
                    continue
                key.data.extend(more)
                head, end, body = bytes(key.data).partition(b"\r\n\r\n")
                length = re.search(rb"(?i)content-length: *([0-9]+)", head)
                if end and length and len(body) >= int(length[1]):
                    key.data.clear()
                    key.fileobj.sendall(ask)
        return step
    return run


# Attacks that wait: each opens its connections, and returns what is done until the end, or nothing.

def waiting_streams(count, wrap=None, first=WINDOW_OF_ONE, streams=99):
    def run(links):
        bytes_ = first + b"".join(request(2 * n + 1, b"/attack/it/large") for n in range(streams))
        for _ in range(count):
            links.connect(wrap and tls("h2")).sendall(bytes_)
    return run


def unread(count, wrap=None, path=b"/attack/it/large"):
    def run(links):
        for _ in range(count):
            link = links.connect(wrap and tls("http/1.1"))
            small_buffer(link)
            link.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: a\r\n\r\n")
    return run


def byte_by_byte(count, wrap=None):
    begin = unread(count, wrap)

    def step(links):
        for link in links.all:
            try:
                link.recv(1)
            except OSError:
                pass
        time.sleep(1)

    def run(links):
        begin(links)
        return step
    return run


def control(links, method, path, body=None):
    text = json.dumps(body) if body else ""
    with socket.create_connection(("127.0.0.1", links.place["port"]), 20) as link:
        link.sendall(f"{method} /__proctor/{path} HTTP/1.1\r\nHost: 127.0.0.1:{links.place['port']}\r\nConnection: close\r\n"
                     f"Content-Length: {len(text)}\r\n\r\n{text}".encode())
        data = b"".join(iter(lambda: link.recv(65536), b""))
    return json.loads(data.split(b"\r\n\r\n", 1)[1])


def of_a_run(count, path, reads=False):
    def run(links):
        run = control(links, "POST", "runs", {"scenario": "attack/it"})["run"]
        host = f"Host: 127.0.0.1:{links.place['port']}\r\n"
        for _ in range(count):
            link = links.connect()
            link.sendall(f"GET /__proctor/runs/{run}/{path} HTTP/1.1\r\n{host}\r\n".encode())
    return run


# Floods: the same bytes again and again on connections that are opened anew where the server ends them.

def flood(make, first=USUAL, count=8):
    """`make` gives endless bytes for one connection."""
    def run(links):
        selector = selectors.DefaultSelector()

        def begin():
            try:
                link = links.connect()
            except OSError:
                return
            link.setblocking(False)
            selector.register(link, selectors.EVENT_READ | selectors.EVENT_WRITE, [first, make()])

        def end(link):
            selector.unregister(link)
            links.all.remove(link)
            link.close()
            links.refused += 1

        for _ in range(count):
            begin()

        def step(links):
            for key, events in selector.select(0.1):
                link, state = key.fileobj, key.data
                try:
                    if events & selectors.EVENT_READ and not link.recv(65536):
                        raise ConnectionResetError
                    if events & selectors.EVENT_WRITE:
                        bytes_ = state[0] or next(state[1])
                        state[0] = bytes_[link.send(bytes_):]
                except BlockingIOError:
                    continue
                except (OSError, StopIteration):
                    end(link)
            while len(links.all) < count:
                begin()
                time.sleep(0.002)
        return step
    return run


def storm(opening, answer, count=100):
    """Connections that are dropped as soon as `answer` has come, and opened anew, so many at a time."""
    def run(links):
        selector = selectors.DefaultSelector()

        def begin():
            link = links.connect()
            link.sendall(opening)
            selector.register(link, selectors.EVENT_READ, bytearray())

        for _ in range(count):
            begin()

        def step(links):
            for key, _ in selector.select(0.1):
                try:
                    more = key.fileobj.recv(65536)
                except OSError:
                    more = b""
                key.data.extend(more)
                if more and answer not in key.data:
                    continue
                selector.unregister(key.fileobj)
                links.all.remove(key.fileobj)
                key.fileobj.close()
                begin()
        return step
    return run


def recordings(count, byte_count):
    """Recordings that are to be imported, by clients that leave as soon as they were sent."""
    def run(links):
        entry = {"request": {"method": "GET", "url": "http://a.example/", "headers": [
            {"name": "Cookie", "value": "; ".join(f"c{n}=v{n:012x}" for n in range(50))}]},
            "response": {"status": 200, "headers": [], "content": {"text": "words that are no secrets " * 500}}}
        entries = byte_count // len(json.dumps(entry)) + 1
        body = json.dumps({"log": {"entries": [entry] * entries}}).encode()
        host = f"127.0.0.1:{links.place['port']}"
        head = (f"POST /__proctor/import?kind=har HTTP/1.1\r\nHost: {host}\r\nContent-Length: {len(body)}\r\n\r\n").encode()

        def step(links):
            for _ in range(count):
                links.send_and_leave(head + body)
        return step
    return run


def repeated(bytes_, count=1000):
    def make():
        while True:
            yield bytes_ * count
    return make


def numbered(each, at_once=100):
    """Bytes for each stream in turn."""
    def make():
        for first in range(1, 2**30, 2 * at_once):
            yield b"".join(each(first + 2 * n) for n in range(at_once))
    return make


def upload_of_nothing():
    yield request(1, b"/attack/it/upload", b"POST", ends=False)
    while True:
        yield frame(DATA, 0, 1) * 1000


def endless_block():
    yield frame(HEADERS, 0, 1, block(b"/attack/it/small"))
    while True:
        yield frame(CONTINUATION, 0, 1, literal(b"x-more", b"y" * 100)) * 100


def bomb():
    """One field of 4,000 bytes enters the table, and each further block names it 4,000 times (CVE-2016-6581)."""
    field = b"\x40" + bytes([1]) + b"x" + b"\x7f" + b"\xa1\x1e" + b"z" * 4000
    yield frame(HEADERS, 5, 1, block(b"/attack/it/small", more=field))
    for stream in range(3, 2**30, 2):
        yield frame(HEADERS, 5, stream, block(b"/attack/it/small", more=b"\xbe" * 4000))


# WebSockets (RFC 6455 §5.2, RFC 7692 §7.2.1); the mask is of zeros, which changes nothing.

OPENING_FIELDS = (b"GET /attack/it/socket HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                  b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n")
# What comes back has as many bytes as were sent.
PLAIN_OPENING = OPENING_FIELDS + b"\r\n"
OPENING = OPENING_FIELDS + b"Sec-WebSocket-Extensions: permessage-deflate; client_no_context_takeover\r\n\r\n"
CONTINUED, TEXT, BINARY, PINGED = 0x00, 0x01, 0x02, 0x09
FIN, RSV1 = 0x80, 0x40
# The most that a message may have.
MESSAGE = 16 << 20


def message(first, payload=b"", said=None):
    """A masked frame; `said`: the length in its head."""
    length = len(payload) if said is None else said
    if length < 126:
        head = bytes([first, 0x80 | length])
    elif length < 65536:
        head = bytes([first, 0x80 | 126]) + struct.pack(">H", length)
    else:
        head = bytes([first, 0x80 | 127]) + struct.pack(">Q", length)
    return head + b"\0\0\0\0" + payload


def deflated(count):
    """So many zeros as the payload of a message."""
    coder = zlib.compressobj(9, zlib.DEFLATED, -15)
    return (coder.compress(bytes(count)) + coder.flush(zlib.Z_SYNC_FLUSH))[:-4]


def once_deflated(count, first=FIN | RSV1 | BINARY):
    """Made where it is used: the attacks that are not asked for cost nothing."""
    def make():
        bytes_ = message(first, deflated(count))
        while True:
            yield bytes_
    return make


def fragments():
    yield message(TEXT, b"a")
    while True:
        yield message(CONTINUED) * 1000


def long_content():
    """One message after the other, of as many bytes as are read."""
    while True:
        yield message(FIN | BINARY, said=MESSAGE)
        for _ in range(MESSAGE >> 16):
            yield bytes(1 << 16)


def deaf(count, make, opening=OPENING):
    """WebSockets on which as much is sent as goes out, and nothing is read."""
    def run(links):
        states = []
        for _ in range(count):
            link = links.connect()
            small_buffer(link)
            link.setblocking(False)
            states.append([link, opening, make()])

        def step(links):
            moved = False
            for state in states:
                try:
                    bytes_ = state[1] or next(state[2])
                    state[1] = bytes_[state[0].send(bytes_):]
                    moved = True
                except BlockingIOError:
                    continue
                except (OSError, StopIteration):
                    state[1], state[2] = b"", iter(())
            if not moved:
                time.sleep(0.01)
        return step
    return run


def first_fragment(count):
    """One part of a message, which is never ended."""
    def make():
        yield from [message(RSV1 | BINARY, deflated(count))]
    return make


# Name, attack, connections, streams that wait.
ATTACKS = [
    ("none, for comparison", lambda links: None, None),
    ("HTTP/2, windows of 1 byte, 200 connections with 99 requests", waiting_streams(200), 19_800),
    ("the same with 4,200 connections", waiting_streams(4_200), None),
    ("the same over TLS, 200 connections", waiting_streams(200, wrap=True), 19_800),
    ("HTTP/2, open windows, nothing is read, 1,000 connections with 20 requests",
     waiting_streams(1_000, first=OPEN_WINDOWS, streams=20), None),
    ("HTTP/1.1, nothing is read, 4,200 connections", unread(4_200), None),
    ("HTTP/1.1 over TLS, nothing is read, 500 connections", unread(500, wrap=True), None),
    ("HTTP/1.1, a byte a second is read, 2,000 connections", byte_by_byte(2_000), None),
    ("HTTP/1.1 over TLS, a byte a second is read, 300 connections", byte_by_byte(300, wrap=True), None),
    ("pages that no client reads, 1,000 connections", unread(1_000, path=b"/"), None),
    ("event streams, 500 connections", of_a_run(500, "events"), None),
    ("long polls, 2,000 connections", of_a_run(2_000, "journal?after=1000&wait=30000"), None),
    ("rapid reset", flood(numbered(lambda n: request(n, b"/attack/it/large") + frame(RST_STREAM, 0, n, word(8)))), None),
    ("provoked resets",
     flood(numbered(lambda n: request(n, b"/attack/it/large") + frame(WINDOW_UPDATE, 0, n, word(0)))), None),
    ("CONTINUATION without end", flood(endless_block), None),
    ("PING", flood(repeated(frame(PING, 0, 0, b"12345678"))), None),
    ("SETTINGS", flood(repeated(settings((4, 65535)))), None),
    ("PRIORITY", flood(repeated(frame(PRIORITY, 0, 1, word(3) + b"\x0f"))), None),
    ("WINDOW_UPDATE", flood(repeated(frame(WINDOW_UPDATE, 0, 0, word(1)))), None),
    ("WINDOW_UPDATE with 99 streams that wait",
     flood(repeated(frame(WINDOW_UPDATE, 0, 0, word(1))),
           first=WINDOW_OF_ONE + b"".join(request(2 * n + 1, b"/attack/it/large") for n in range(99))), None),
    ("empty DATA", flood(upload_of_nothing), None),
    ("HPACK bomb", flood(bomb), None),
    ("patterns, 1,000 of them, 20 connections that ask again and again",
     asking(20, b"/attack/patterns/" + b"a" * 6000), None),
    ("WebSocket, Pings", flood(repeated(message(FIN | PINGED, b"12345678")), first=OPENING), None),
    ("WebSocket, Pings whose Pongs are not read, 500 connections", deaf(500, repeated(message(FIN | PINGED, b"12345678"))), None),
    ("WebSocket, empty fragments of one message", flood(fragments, first=OPENING), None),
    ("WebSocket, messages of a byte", flood(repeated(message(FIN | TEXT, b"a")), first=OPENING), None),
    ("WebSocket, messages of 16 MiB in 16 KiB, inflated and sent back", flood(once_deflated(MESSAGE), first=OPENING), None),
    ("WebSocket, messages that are beyond the bound when they are inflated", flood(once_deflated(4 * MESSAGE), first=OPENING), None),
    ("WebSocket, heads that announce 2^62 bytes", flood(repeated(message(FIN | BINARY, said=1 << 62), 1), first=OPENING), None),
    ("WebSocket, 8 MiB inflated of messages that never end, 1,000 connections", deaf(1_000, first_fragment(8 << 20)), None),
    ("WebSocket, messages of 16 MiB that come back and are not read, 100 connections",
     deaf(100, long_content, opening=PLAIN_OPENING), None),
    ("WebSocket, open and silent, 4,000 connections", deaf(4_000, lambda: iter(())), None),
    ("WebSocket, opened and dropped again and again, 100 at a time", storm(PLAIN_OPENING, b"101 "), None),
    ("event streams of a scenario, nothing is read, 4,000 connections", unread(4_000, path=b"/attack/it/events"), None),
    ("event streams that are dropped and asked for again with Last-Event-ID, 100 at a time",
     storm(b"GET /attack/it/events HTTP/1.1\r\nHost: a\r\nLast-Event-ID: 1\r\n\r\n", b"data: one"), None),
    ("recordings of 8 MiB to import, whose clients leave", recordings(4, 8 << 20), None),
    ("requests of HTTP/1.1 in one go", flood(repeated(b"GET /attack/it/small HTTP/1.1\r\nHost: a\r\n\r\n"), first=b""), None),
    *callfloods.attacks(flood, deflated, message),
    *quicfloods.ATTACKS,
]


def attacker(attack, place, pipe):
    """A process: opens, says so, goes on until it is told to close."""
    links = Links(place)
    try:
        step = attack(links)
        pipe.send("open")
        while not pipe.poll(0 if step else 60):
            if step:
                step(links)
        pipe.recv()
    except (OSError, EOFError) as failure:
        try:
            pipe.send(f"{type(failure).__name__}: {failure} after {len(links.all)} connections")
        except OSError:
            pass
    links.close()


def good_client(port, pipe):
    """A process: 100 requests a second, nine of ten over one connection; sends how long each took."""
    ask = b"GET /attack/it/small HTTP/1.1\r\nHost: a\r\n\r\n"
    taken, link = [], None
    while not pipe.poll(0.01):
        begin = time.monotonic()
        try:
            if link is None or len(taken) % 10 == 9:
                if link is not None:
                    link.close()
                link = socket.create_connection(("127.0.0.1", port), 20)
            link.sendall(ask)
            data = b""
            while not data.endswith(b"hello\n"):
                more = link.recv(4096)
                if not more:
                    raise ConnectionResetError
                data += more
            taken.append(time.monotonic() - begin)
        except OSError:
            taken.append(20.0)
            link = None
    pipe.send(taken)


class Child:
    def __init__(self, function, *arguments):
        self.pipe, theirs = multiprocessing.Pipe()
        self.process = multiprocessing.Process(target=function, args=(*arguments, theirs), daemon=True)
        self.process.start()
        theirs.close()

    def answer(self, seconds):
        if not self.pipe.poll(seconds):
            return None
        try:
            return self.pipe.recv()
        except EOFError:
            return None

    def end(self, seconds=30):
        try:
            self.pipe.send("end")
        except OSError:
            pass
        self.process.join(seconds)
        if self.process.is_alive():
            self.process.kill()
            self.process.join()


class ServerEnded(Exception):
    """The server did not live through an attack."""


class Server:
    def __init__(self, binary, folder, threads, memory=None):
        fixtures = folder / "fixtures" / "attack"
        fixtures.mkdir(parents=True)
        (fixtures / "it.yaml").write_text(SCENARIO)
        (fixtures / "patterns.yaml").write_text(PATTERNS)
        callfloods.write_fixtures(fixtures)
        self.journal = folder / "journal.jsonl"
        self.log = open(folder / "log", "w+")
        command = [str(binary.resolve()), "serve", str(fixtures.parent), "--port", "0", "--tls-port", "0", "--http2", "--http3",
                   "--check-first", "--threads", str(threads), "--grace", str(GRACE), "--ca-dir", str(folder / "ca"),
                   "--journal", str(self.journal), "--journal-limit", str(JOURNAL_MIB)]
        # Memory of its own, as in a container of that size; with more, malloc fails.
        bound = (lambda: resource.setrlimit(resource.RLIMIT_DATA, (memory << 20, memory << 20))) if memory else None
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True, preexec_fn=bound)
        line = self.process.stdout.readline()
        if not line:
            self.log.seek(0)
            sys.exit(f"attacks: proctor did not start:\n{self.log.read()}")
        ready = json.loads(line)
        self.place = {"port": ready["port"], "tls": int(ready["tls"].rsplit(":", 1)[1])}

    def private_bytes(self):
        """What it has written; pages of its file count as private where no other process runs it, and not otherwise."""
        try:
            text = pathlib.Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        except (FileNotFoundError, ProcessLookupError):
            raise ServerEnded from None
        return 1024 * sum(int(n) for n in re.findall(r"^Private_Dirty: +(\d+)", text, re.M))

    def stop(self, most):
        begin = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(most)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
            return float("inf")
        return time.monotonic() - begin


def ask_once(place):
    """Lets the server read the fixture, and make what it makes once."""
    with socket.create_connection(("127.0.0.1", place["port"]), 20) as link:
        link.sendall(b"GET /attack/it/small HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
        while link.recv(4096):
            pass
    tls("http/1.1").wrap_socket(socket.create_connection(("127.0.0.1", place["tls"]), 20)).close()


def percentile(values, part):
    values = sorted(values)
    return values[min(len(values) - 1, int(part * len(values)))] if values else float("inf")


def measure(binary, threads, name, attack, streams, seconds, memory=None):
    with tempfile.TemporaryDirectory(prefix="proctor-attacks-") as folder:
        server = Server(binary, pathlib.Path(folder), threads, memory)
        try:
            ask_once(server.place)
            time.sleep(0.5)
            start = height = server.private_bytes()
            good = Child(good_client, server.place["port"])
            enemy = Child(attacker, attack, server.place)
            opened, end = None, None
            limit = time.monotonic() + 120
            while end is None or time.monotonic() < end:
                height = max(height, server.private_bytes())
                if opened is None:
                    opened = enemy.answer(0.1)
                    if opened or time.monotonic() > limit:
                        end = time.monotonic() + seconds
                else:
                    time.sleep(0.1)
            enemy.end()
            # The end of many connections is work too.
            time.sleep(1)
            good.pipe.send("end")
            taken = good.answer(30) or []
            good.end()
            time.sleep(4)
            after = server.private_bytes()
            enemy = Child(attacker, attack, server.place)
            enemy.answer(60)
            time.sleep(1)
            stopped = server.stop(60)
            enemy.end()
        except ServerEnded:
            for child in (enemy, good):
                child.end()
            status = server.process.wait(20)
            end = f"ended by {signal.Signals(-status).name}" if status < 0 else f"ended with exit code {status}"
            return {"name": name, "start": start, "height": height, "after": 0, "p99": float("inf"), "most": float("inf"), "journal": 0,
                    "stop": 0, "missed": [f"the server was {end}"]}
        finally:
            if server.process.poll() is None:
                server.process.kill()
                server.process.wait()
        row = {
            "name": name, "start": start, "height": height, "after": after, "p99": percentile(taken, 0.99),
            "most": max(taken, default=float("inf")), "count": len(taken), "journal": server.journal.stat().st_size,
            "stop": stopped, "status": server.process.returncode, "missed": [],
        }
        missed = row["missed"]
        if opened != "open":
            missed.append(f"the attack did not begin: {opened}")
        if after - start > MOST_KEPT:
            missed.append("memory after")
        if row["p99"] > MOST_P99:
            missed.append("p99")
        if stopped > MOST_STOP:
            missed.append("stop")
        if row["journal"] > JOURNAL_MIB * 2**20 + 4096:
            missed.append("journal")
        if streams:
            row["per_stream"] = (height - start) / streams
            if row["per_stream"] > MOST_PER_STREAM:
                missed.append("memory of a stream")
        return row


def text_of(row):
    per_stream = f" ({row['per_stream'] / 1024:.1f} KiB a stream)" if "per_stream" in row else ""
    return (f"| {row['name']} | {row['start'] / 2**20:.1f} | {row['height'] / 2**20:.1f}{per_stream} "
            f"| {row['after'] / 2**20:.1f} | {row['p99'] * 1000:.1f} | {row['most'] * 1000:.0f} "
            f"| {row['journal'] / 2**20:.1f} | {row['stop']:.1f} | {', '.join(row['missed']) or 'all'} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path, help="the binary of proctor")
    parser.add_argument("--threads", type=int, default=1, help="loops of the server")
    parser.add_argument("--seconds", type=float, default=6, help="how long each attack goes on once it stands (default 6)")
    parser.add_argument("--only", default="", help="attacks whose names contain this")
    parser.add_argument("--memory", type=int, help="the most MiB of memory that the server may have (RLIMIT_DATA), as in a small container")
    options = parser.parse_args()
    if not pathlib.Path("/proc/self/smaps_rollup").exists():
        sys.exit("attacks: private memory is read from /proc/PID/smaps_rollup, which only Linux has")
    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    signal.signal(signal.SIGPIPE, signal.SIG_IGN)

    chosen = [row for row in ATTACKS if options.only.lower() in row[0].lower()]
    if any(row in quicfloods.ATTACKS for row in chosen):
        quicfloods.prepare()
    if chosen:
        print("| attack | MiB before | MiB at its height | MiB 5 s after | p99, ms | slowest, ms | journal, MiB "
              "| seconds to stop | goals |\n|---|---|---|---|---|---|---|---|---|", flush=True)
    failed = []
    for name, attack, streams in chosen:
        row = measure(options.binary, options.threads, name, attack, streams, options.seconds, options.memory)
        print(text_of(row), flush=True)
        if row["missed"]:
            failed.append(f"attacks: {name}: missed: {', '.join(row['missed'])}")
    failed += doors.measure(options.binary.resolve(), options.only, lambda text: print(text, flush=True))
    sys.exit("\n".join(failed) or 0)


if __name__ == "__main__":
    main()
