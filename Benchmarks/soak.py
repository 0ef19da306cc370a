#!/usr/bin/env python3
"""Opens connections to proctor that end in every way there is, and shows that nothing of them stays behind.

Descriptors and private memory of the server are read after a warm-up and again when everything has ended; the run fails
when a descriptor is missing, when memory has grown by more than the bound, or when a connection went otherwise than
its way says.
"""
import argparse
import collections
import http.client
import json
import pathlib
import random
import re
import selectors
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import time

BIG = 1 << 20

SCENARIO = """summary: Replies that end in every way
exchanges:
  - request: GET|HEAD /small
    reply: { status: 200, body: "hello\\n" }
  - request: GET /chunked
    reply: { status: 200, framing: { chunked: [5, 7] }, body: { pattern: offset, bytes: 4096 } }
  - request: GET /big
    reply: { status: 200, body: { pattern: offset, bytes: 1048576 } }
  - request: POST /upload
    reply: { status: 200, body: "got it\\n" }
  - request: GET /slow
    reply: { status: 200, body: ["one", { do: wait 1ms }, "two"] }
  - request: GET /close-at-end
    reply: { status: 200, body: "bye\\n", effects: [ { at: end, do: close } ] }
  - request: GET /close-mid-body
    reply: { status: 200, body: { pattern: offset, bytes: 8192 }, effects: [ { at: body 4096, do: close } ] }
  - request: GET /close-abruptly
    reply: { status: 200, body: { pattern: offset, bytes: 8192 }, effects: [ { at: body 4096, do: close, abrupt: true } ] }
  - request: GET /reset-mid-body
    reply: { status: 200, body: { pattern: offset, bytes: 8192 }, effects: [ { at: body 4096, do: reset } ] }
  - request: GET /reset-at-head
    reply: { effects: [ { at: head, do: reset } ] }
  - request: GET /half-close
    reply: { status: 200, body: "half", effects: [ { at: end, do: half-close } ] }
  - request: GET /stall
    reply: { status: 200, body: { pattern: offset, bytes: 8192 }, effects: [ { at: body 10, do: stall } ] }
  - request: GET /raw
    reply: { raw: "HTTP/1.1 200 OK\\r\\nContent-Length: 4\\r\\n\\r\\nraw" , effects: [ { at: end, do: close } ] }
  - request: GET /until-close
    reply: { status: 200, framing: close, body: "until the end" }
"""

AT_CONNECTION = """summary: Connections that end before a reply
origins:
  main:
    connections:
      - { at: accept, do: reset }
exchanges: []
"""

GARBAGE = [
    b"\x16\x03\x01\x02\x00\x01\x00", b"GET / HTTP/1.1\r\n\r\n", b"GE(T / HTTP/1.1\r\nHost: a\r\n\r\n", b"\x00" * 64,
    b"GET / HTTP/2.0\r\nHost: a\r\n\r\n", b"GET / HTTP/1.1\r\nHost: a\r\nno colon\r\n\r\n",
    b"PUT / HTTP/1.1\r\nHost: a\r\nContent-Length: x\r\n\r\n", b"GET /" + b"a" * 9000 + b" HTTP/1.1\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nA: " + b"a" * 40000 + b"\r\n",
]


class Unexpected(Exception):
    pass


def want(holds, what):
    if not holds:
        raise Unexpected(what)


class Soak:
    """The client's side: one method for each way, named as the table names it."""

    def __init__(self, port, seed):
        self.port = port
        self.random = random.Random(seed)
        self.control = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        self.held = selectors.DefaultSelector()
        self.source = 0
        self.run = None
        self.opened = 0

    # Talking.

    def connect(self, port=None, host="127.0.0.1"):
        link = socket.socket()
        link.settimeout(20)
        if sys.platform == "linux":
            # One address has too few ports for connections that wait for their last packets to be lost.
            self.source = self.source % 200 + 1
            link.setsockopt(socket.IPPROTO_IP, 24, 1)  # IP_BIND_ADDRESS_NO_PORT
            link.bind((f"127.0.1.{self.source}", 0))
        self.opened += 1
        link.connect((host, port or self.port))
        return link

    @staticmethod
    def request(name, method="GET", fields=""):
        return f"{method} /soak/ways/{name} HTTP/1.1\r\nHost: 127.0.0.1\r\n{fields}\r\n".encode()

    def ask(self, name, method="GET", fields=""):
        link = self.connect()
        link.sendall(self.request(name, method, fields))
        return link

    @staticmethod
    def read_to_end(link):
        """Everything up to FIN, and whether it was RST instead."""
        data = bytearray()
        try:
            while piece := link.recv(65536):
                data += piece
            return bytes(data), "closed"
        except (ConnectionResetError, BrokenPipeError):
            return bytes(data), "reset"

    @staticmethod
    def read_reply(link, length):
        data = bytearray()
        while not (end := data.find(b"\r\n\r\n") + 4) > 3 or len(data) < end + length:
            piece = link.recv(65536)
            want(piece, f"the connection ended after {bytes(data[:80])!r}")
            data += piece
        want(data.startswith(b"HTTP/1.1 200 "), f"{bytes(data[:80])!r}")
        return data

    @staticmethod
    def reset(link):
        link.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        link.close()

    def ended(self, link, starting=b"HTTP/1.1 200 ", how=("closed",), body=None):
        data, ending = self.read_to_end(link)
        want(data.startswith(starting), f"{data[:80]!r}")
        want(ending in how, f"{ending} in place of {how} after {len(data)} bytes")
        if body is not None:
            got = len(data) - data.find(b"\r\n\r\n") - 4
            want(got == body, f"{got} bytes of body in place of {body}")
        link.close()

    # Ended by the client.

    def client_fin_after_reply(self):
        link = self.ask("small")
        self.read_reply(link, 6)
        link.close()

    def client_fin_after_five_requests(self):
        link = self.connect()
        for name, length in (("small", 6), ("slow", 6), ("small", 6), ("small", 6)):
            link.sendall(self.request(name))
            self.read_reply(link, length)
        link.sendall(self.request("small", "HEAD"))
        self.read_reply(link, 0)
        link.close()

    def client_fin_after_pipeline(self):
        link = self.connect()
        link.sendall(self.request("small") * 20)
        link.shutdown(socket.SHUT_WR)
        data, ending = self.read_to_end(link)
        want(data.count(b"HTTP/1.1 200 OK") == 20 and ending == "closed", f"{data.count(b'HTTP/1.1 200')} replies")
        link.close()

    def client_fin_at_once(self):
        self.connect().close()

    def client_fin_in_head(self):
        link = self.connect()
        link.sendall(self.request("small")[:self.random.randrange(1, 40)])
        link.close()

    def client_fin_in_body(self):
        link = self.ask("upload", "POST", "Content-Length: 1000\r\n")
        link.sendall(b"x" * 10)
        link.close()

    def client_half_close(self):
        link = self.ask("small")
        link.shutdown(socket.SHUT_WR)
        self.ended(link, body=6)

    def client_half_close_in_chunks(self):
        link = self.ask("upload", "POST", "Transfer-Encoding: chunked\r\n")
        link.sendall(b"5\r\nhello\r\n")
        link.shutdown(socket.SHUT_WR)
        data, ending = self.read_to_end(link)
        want(not data and ending == "closed", f"{ending} after {data[:60]!r}")
        link.close()

    def client_rst_after_reply(self):
        link = self.ask("small")
        self.read_reply(link, 6)
        self.reset(link)

    def client_rst_at_once(self):
        self.reset(self.connect())

    def client_rst_in_head(self):
        link = self.connect()
        link.sendall(self.request("small")[:self.random.randrange(1, 40)])
        self.reset(link)

    def client_rst_in_body(self):
        link = self.ask("upload", "POST", "Content-Length: 100000\r\n")
        link.sendall(b"x" * 5000)
        self.reset(link)

    def client_rst_in_reply(self):
        link = self.ask("big")
        link.recv(1000)
        self.reset(link)

    def client_leaves_a_stall(self):
        link = self.ask("stall")
        self.read_reply(link, 10)
        if self.random.random() < 0.5:
            link.close()
        else:
            self.reset(link)

    def client_uploads_in_chunks(self):
        link = self.ask("upload", "POST", "Transfer-Encoding: chunked\r\n")
        link.sendall(b"5;a=b\r\nhello\r\n0\r\nX: y\r\n\r\n")
        self.read_reply(link, 7)
        link.close()

    def client_expects_100(self):
        link = self.ask("upload", "POST", "Content-Length: 3\r\nExpect: 100-continue\r\n")
        data = bytearray()
        while b"\r\n\r\n" not in data:
            data += link.recv(100)
        want(data == b"HTTP/1.1 100 Continue\r\n\r\n", f"{bytes(data)!r}")
        link.sendall(b"abc")
        self.read_reply(link, 7)
        link.close()

    # Ended by the server.

    def server_close_asked_for(self):
        self.ended(self.ask("small", fields="Connection: close\r\n"), body=6)

    def server_close_at_end(self):
        self.ended(self.ask("close-at-end"), body=4)

    def server_close_as_framing(self):
        self.ended(self.ask("until-close"), body=13)

    def server_close_mid_body(self):
        self.ended(self.ask("close-mid-body"), body=4096)

    def server_close_abruptly(self):
        self.ended(self.ask("close-abruptly"), starting=b"", how=("closed", "reset"))

    def server_reset_mid_body(self):
        self.ended(self.ask("reset-mid-body"), how=("reset",), body=4096)

    def server_reset_at_head(self):
        self.ended(self.ask("reset-at-head"), starting=b"", how=("reset",))

    def server_half_close(self):
        link = self.ask("half-close")
        data, ending = self.read_to_end(link)
        want(data.endswith(b"half") and ending == "closed", f"{ending} after {data[-20:]!r}")
        link.close()

    def server_raw(self):
        self.ended(self.ask("raw"), body=3)

    def server_refuses(self):
        link = self.connect()
        link.sendall(self.random.choice(GARBAGE))
        data, _ = self.read_to_end(link)
        want(data.startswith((b"HTTP/1.1 4", b"HTTP/1.1 5")), f"{data[:80]!r}")
        link.close()

    def server_knows_no_such_scenario(self):
        link = self.connect()
        link.sendall(b"GET /nobody/knows HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
        self.ended(link, starting=b"HTTP/1.1 404 ")

    def server_knows_no_such_exchange(self):
        link = self.ask("nothing-here", fields="Connection: close\r\n")
        data, ending = self.read_to_end(link)
        want(re.match(rb"HTTP/1.1 [45]", data) and ending == "closed", f"{data[:60]!r}")
        link.close()

    def server_resets_at_accept(self):
        place = self.run_with_reset()
        try:
            link = self.connect(*place)
        except ConnectionResetError:
            return
        data, ending = self.read_to_end(link)
        want(not data and ending == "reset", f"{ending} after {data[:60]!r}")
        link.close()

    # Runs.

    def call(self, method, path, body=None):
        self.control.request(method, f"/__proctor/{path}", body and json.dumps(body))
        reply = self.control.getresponse()
        data = reply.read()
        want(reply.status in (200, 201), f"{method} {path}: {reply.status} {data[:200]!r}")
        return json.loads(data)

    @staticmethod
    def place(run):
        host, port = run["base"].removeprefix("http://").split("/")[0].split(":")
        return int(port), host

    def run_with_reset(self):
        """A run whose connections are reset at accept; a new one for each thousand."""
        if self.run is None or self.run["left"] == 0:
            if self.run:
                self.call("DELETE", f"runs/{self.run['run']}")
            self.run = self.call("POST", "runs", {"scenario": "soak/at-connection"})
            self.run["left"] = 1000
        self.run["left"] -= 1
        return self.place(self.run)

    def run_made_used_and_deleted(self):
        run = self.call("POST", "runs", {"scenario": "soak/ways"})
        link = self.connect(*self.place(run))
        link.sendall(b"GET /small HTTP/1.1\r\nHost: a\r\n\r\n")
        self.read_reply(link, 6)
        # The connection is idle when its run goes.
        self.call("DELETE", f"runs/{run['run']}")
        data, ending = self.read_to_end(link)
        want(not data, f"{data[:60]!r}")
        link.close()

    def run_deleted_in_a_stall(self):
        run = self.call("POST", "runs", {"scenario": "soak/ways"})
        link = self.connect(*self.place(run))
        link.sendall(b"GET /stall HTTP/1.1\r\nHost: a\r\n\r\n")
        self.read_reply(link, 10)
        self.call("DELETE", f"runs/{run['run']}")
        self.read_to_end(link)
        link.close()

    # Ended by the server's limits; these wait beside the others.

    def hold(self, link):
        link.setblocking(False)
        self.held.register(link, selectors.EVENT_READ, time.monotonic())

    def limit_in_head(self):
        link = self.connect()
        link.sendall(b"GET /soak/ways/small HTTP/1.1\r\nHo")
        self.hold(link)

    def limit_while_idle(self):
        self.hold(self.connect())

    def settle_held(self, seconds):
        """Takes away what the server has ended meanwhile."""
        for key, _ in self.held.select(seconds):
            try:
                ended = not key.fileobj.recv(65536)
            except BlockingIOError:
                continue
            except ConnectionResetError:
                ended = True
            if ended:
                self.held.unregister(key.fileobj)
                key.fileobj.close()

    def held_count(self):
        return len(self.held.get_map())


# How often each way is taken, in proportion; what costs a run or a wait comes less often.
WEIGHTS = {
    "run_made_used_and_deleted": 0.05, "run_deleted_in_a_stall": 0.02, "limit_in_head": 0.05, "limit_while_idle": 0.02,
    "client_rst_in_reply": 0.3, "server_refuses": 0.5,
}
MOST_HELD = 400


def ways():
    prefixes = ("client_", "server_", "run_made", "run_deleted", "limit_")
    return [name for name in vars(Soak) if name.startswith(prefixes)]


class Server:
    def __init__(self, binary, folder, threads):
        folder = pathlib.Path(folder) / "fixtures" / "soak"
        folder.mkdir(parents=True)
        (folder / "ways.yaml").write_text(SCENARIO)
        (folder / "at-connection.yaml").write_text(AT_CONNECTION)
        command = [str(binary.resolve()), "serve", str(folder.parent), "--port", "0", "--check-first", "--threads", str(threads)]
        self.log = open(folder.parent.parent / "log", "w+")
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=self.log, text=True)
        line = self.process.stdout.readline()
        if not line:
            self.log.seek(0)
            sys.exit(f"soak: proctor did not start:\n{self.log.read()}")
        self.port = json.loads(line)["port"]

    def descriptors(self):
        return len(list(pathlib.Path(f"/proc/{self.process.pid}/fd").iterdir()))

    def private_bytes(self):
        text = pathlib.Path(f"/proc/{self.process.pid}/smaps_rollup").read_text()
        return 1024 * sum(int(n) for n in re.findall(r"^Private_Dirty: +(\d+)", text, re.M))

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / 100

    def figures(self):
        return {"descriptors": self.descriptors(), "private": self.private_bytes()}


def settled(server, soak, wanted, seconds):
    """The server's figures once it has as many descriptors as wanted, or the time is over."""
    if soak.run:
        soak.call("DELETE", f"runs/{soak.run['run']}")
        soak.run = None
    soak.control.close()
    end = time.monotonic() + seconds
    while time.monotonic() < end and (soak.held_count() or wanted is None or server.descriptors() > wanted):
        soak.settle_held(0.1) if soak.held_count() else time.sleep(0.1)
        if wanted is None and not soak.held_count():
            break
    # Memory is given back at leisure.
    time.sleep(1)
    return server.figures()


def load(server, soak, count, tally, faults, progress):
    names = ways()
    weights = [WEIGHTS.get(name, 1) for name in names]
    begin, first = time.monotonic(), soak.opened
    # Every way at least once, whatever the dice say.
    todo = list(names)
    step = max(1, count // 10)
    next_line = first + step
    while soak.opened - first < count:
        name = todo.pop() if todo else soak.random.choices(names, weights)[0]
        if name.startswith("limit_") and soak.held_count() >= MOST_HELD:
            soak.settle_held(0)
            continue
        try:
            getattr(soak, name)()
            tally[name] += 1
        except (Unexpected, OSError, http.client.HTTPException) as fault:
            faults[name].append(f"{type(fault).__name__}: {fault}")
            soak.control.close()
            if server.process.poll() is not None:
                sys.exit(f"soak: the server ended with {server.process.returncode} during {name}")
            if sum(map(len, faults.values())) > 100:
                raise SystemExit(report_faults(faults))
        if soak.opened % 64 == 0:
            soak.settle_held(0)
        if progress and soak.opened >= next_line:
            next_line += step
            now = server.figures()
            rate = (soak.opened - first) / (time.monotonic() - begin)
            print(f"  {soak.opened - first:>9,} connections, {rate:,.0f}/s, {now['descriptors']} descriptors, "
                  f"{now['private'] / 2**20:.1f} MiB, {soak.held_count()} held", file=sys.stderr, flush=True)
    return time.monotonic() - begin


def report_faults(faults):
    lines = [f"soak: {sum(map(len, faults.values()))} connections went otherwise than their way says"]
    for name, list_ in faults.items():
        lines.append(f"  {name.replace('_', ' ')}: {len(list_)}, the first: {list_[0]}")
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path, help="the release binary of proctor")
    parser.add_argument("--count", type=int, default=1_000_000, help="connections (default 1,000,000)")
    parser.add_argument("--warm-up", type=int, default=20_000, help="connections before the first figures")
    parser.add_argument("--threads", type=int, default=1, help="loops of the server")
    parser.add_argument("--growth", type=float, default=4, help="MiB that private memory may grow by (default 4)")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if not pathlib.Path("/proc/self/smaps_rollup").exists():
        sys.exit("soak: private memory is read from /proc/PID/smaps_rollup, which only Linux has")

    with tempfile.TemporaryDirectory(prefix="proctor-soak-") as folder:
        server = Server(options.binary, folder, options.threads)
        soak = Soak(server.port, options.seed)
        tally, faults = collections.Counter(), collections.defaultdict(list)
        try:
            start = server.figures()
            load(server, soak, options.warm_up, collections.Counter(), faults, progress=False)
            warm = settled(server, soak, start["descriptors"], 100)
            cpu = server.cpu_seconds()
            opened = soak.opened
            seconds = load(server, soak, options.count, tally, faults, progress=True)
            cpu = server.cpu_seconds() - cpu
            busy = server.figures()
            end = settled(server, soak, warm["descriptors"], 100)
            opened = soak.opened - opened
        finally:
            server.process.send_signal(signal.SIGTERM)
            status = server.process.wait(30)

    print("| way | connections |\n|---|---|")
    for name in ways():
        print(f"| {name.replace('_', ' ')} | {tally[name]:,} |")
    grown = (end["private"] - warm["private"]) / 2**20
    print("\n| figure | at start | after warm-up | under load | when all had ended |\n|---|---|---|---|---|")
    stages = (start, warm, busy, end)
    print("| descriptors | " + " | ".join(str(f["descriptors"]) for f in stages) + " |")
    print("| private memory, MiB | " + " | ".join(f"{f['private'] / 2**20:.2f}" for f in stages) + " |")
    print(f"\n{opened:,} connections in {seconds:.0f} s ({opened / seconds:,.0f}/s, {cpu / opened * 1e6:.0f} µs of the "
          f"server's time each); memory grew by {grown:.2f} MiB, {options.growth:g} are allowed.")

    verdict = []
    if faults:
        verdict.append(report_faults(faults))
    if end["descriptors"] != warm["descriptors"]:
        verdict.append(f"soak: {end['descriptors'] - warm['descriptors']} descriptors were not given back")
    if grown > options.growth:
        verdict.append(f"soak: memory grew by {grown:.2f} MiB")
    if status != 0:
        verdict.append(f"soak: the server ended with {status}")
    missing = [name for name in ways() if not tally[name]]
    if missing:
        verdict.append(f"soak: no connection was ended so: {', '.join(missing)}")
    sys.exit("\n".join(verdict) or 0)


main()
