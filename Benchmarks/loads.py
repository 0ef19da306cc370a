"""What is asked of a server or a command while it is counted: always the same, in the same order."""
import hashlib
import http.client
import json
import re
import socket
import ssl
import subprocess
import time

SMALL = """summary: The small reply of the benchmark
exchanges:
  - request: GET /hello
    reply: { status: 200, headers: { Content-Type: text/plain }, body: "hello\\n" }
  - request: GET /other
    reply: { status: 302, headers: { Location: "{{base}}/hello" } }
cases:
  get:
    client: { url: /hello }
    wire: request(GET /hello)
    task: response(200) data+ complete(ok)
"""

SOCKET = """summary: The WebSocket of the benchmark
exchanges:
  - { request: GET /chat, reply: { websocket: [{ echo: true }] } }
"""
VARIED = """summary: The small reply of the benchmark, to requests that differ
exchanges:
  - request: GET /hello?id=*
    reply: { status: 200, headers: { Content-Type: text/plain }, body: "hello\\n" }
"""

SCRIPTED = """summary: The small reply of the benchmark by a script
exchanges:
  - request: "GET /script?name={name}"
    reply:
      script: |
        return { status = 200, headers = { ["Content-Type"] = "text/plain" }, body = "hello " .. request.query.name .. "\\n" }
"""

GUARDED = """summary: The small reply of the benchmark behind Digest
guards:
  md5: { realm: lab, users: { user: pass }, schemes: [digest] }
exchanges:
  - { request: GET /hello, auth: md5, reply: { status: 200, headers: { Content-Type: text/plain }, body: "hello\\n" } }
"""
OPENING = ("Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
           "Sec-WebSocket-Version: 13\r\n")
# A binary message of 16 bytes, whose mask changes nothing, and how it comes back.
MESSAGE, ECHO = b"\x82\x90\0\0\0\0" + b"sixteen bytes ..", b"\x82\x10" + b"sixteen bytes .."


# Seconds; a server under valgrind is fifty times slower, and may have to share its core.
PATIENCE = 60


def write_fixtures(folder, count, **others):
    """So many scenarios with the small reply, and ``others`` by name."""
    (folder / "bench").mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (folder / "bench" / f"small-{number:03}.yaml").write_text(SMALL)
    for name, text in others.items():
        (folder / "bench" / f"{name}.yaml").write_text(text)
    return folder


def connect(port, host="127.0.0.1"):
    return socket.create_connection((host, port), timeout=PATIENCE)


def write(link, port, target="small-000/hello", fields=""):
    link.sendall(f"GET /bench/{target} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{fields}\r\n".encode())


def read(link, content=b"hello\n"):
    """The reply, which comes in one piece, since it is written by one call."""
    reply = link.recv(4096)
    if not reply.startswith(b"HTTP/1.1 200") or not reply.endswith(b"\r\n\r\n" + content):
        raise SystemExit(f"bench-check: the small reply is {reply!r}")


def in_batches(server, links, count, write, read):
    """Lets each connection send and get a message in turn, so often that there are ``count`` of them, and closes all.

    The server is stopped while a batch is written, so that each of its waits finds the same number of connections ready.
    ``write`` gets the connection and the number of the message.
    """
    for batch in range(count // len(links)):
        server.pause()
        for place, link in enumerate(links):
            write(link, batch * len(links) + place)
        server.resume()
        for link in links:
            read(link)
    for link in links:
        link.close()


def requests(server, count):
    """So many requests over 50 kept-alive connections, 50 at a time."""
    port = server.ready["port"]
    in_batches(server, [connect(port) for _ in range(min(count, 50))], count, lambda link, _: write(link, port), read)


def varied(server, count):
    """The same with another query and another value of a field in each request."""
    port = server.ready["port"]
    in_batches(server, [connect(port) for _ in range(50)], count, lambda link, number: write(
        link, port, f"varied/hello?id={number:06}", f"X-Request-Id: request-{number:06}\r\n"), read)


def scripted(server, count):
    """The same of a script, whose text depends on the query."""
    port = server.ready["port"]
    in_batches(server, [connect(port) for _ in range(50)], count,
               lambda link, _: write(link, port, "scripted/script?name=Ada"), lambda link: read(link, b"hello Ada\n"))


def guarded(server, count):
    """The same behind Digest: one nonce, whose count goes on from request to request (RFC 7616 §3.4)."""
    port = server.ready["port"]
    links = [connect(port) for _ in range(50)]
    write(links[0], port, "guarded/hello")
    nonce = re.search(r'nonce="([^"]+)"', links[0].recv(4096).decode())[1]
    hashed = lambda *words: hashlib.md5(":".join(words).encode()).hexdigest()
    user, target = hashed("user", "lab", "pass"), hashed("GET", "/bench/guarded/hello")

    def write_next(link, number):
        times = f"{number + 1:08x}"
        response = hashed(user, nonce, times, "0a4f113b", "auth", target)
        write(link, port, "guarded/hello", 'Authorization: Digest username="user", realm="lab", qop=auth, algorithm=MD5, '
              f'nonce="{nonce}", uri="/bench/guarded/hello", nc={times}, cnonce="0a4f113b", response="{response}"\r\n')

    in_batches(server, links, count, write_next, read)


def open_socket(port):
    """A WebSocket, behind its handshake."""
    link = connect(port)
    write(link, port, "socket/chat", OPENING)
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        more = link.recv(1)
        if not more:
            raise SystemExit(f"bench-check: no WebSocket is opened: {head!r}")
        head += more
    return link


def read_echo(link):
    """It comes in one piece, since it is written by one call."""
    echo = link.recv(4096)
    if echo != ECHO:
        raise SystemExit(f"bench-check: the echo is {echo!r}")


def echoes(server, count):
    """So many messages of 16 bytes over 50 WebSockets, 50 at a time."""
    in_batches(server, [open_socket(server.ready["port"]) for _ in range(50)], count,
               lambda link, _: link.sendall(MESSAGE), read_echo)


def frame(kind, flags, stream, payload):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def streams(server, count):
    """So many requests over 50 connections of HTTP/2 to a run, 50 at a time; each is the same as the one before, and so is
    written by its places in the tables."""
    host, port, _ = run_over(server.ready["port"], "h2")
    authority, path = f"{host}:{port}".encode(), b"/hello"
    first = b"\x82\x86\x44" + bytes([len(path)]) + path + b"\x41" + bytes([len(authority)]) + authority
    # The newest entry of the dynamic table is that of the authority, 62.
    later = b"\x82\x86\xbf\xbe"

    def open_connection():
        link = connect(int(port), host)
        link.sendall(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + frame(4, 0, 0, b"") + frame(4, 1, 0, b""))
        read_behind(link, frame(4, 1, 0, b""))
        return link

    links = [open_connection() for _ in range(50)]
    in_batches(server, links, count, lambda link, number: link.sendall(
        frame(1, 5, 1 + 2 * (number // len(links)), first if number < len(links) else later)),
        lambda link: read_behind(link, b"hello\n"))


def run_over(port, protocol):
    """The address of a run of the small reply over the protocol: its host, its port, and a URL."""
    control = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    control.request("POST", "/__proctor/runs", json.dumps({"scenario": "bench/small-000", "protocol": protocol}))
    base = json.loads(control.getresponse().read())["base"]
    control.close()
    return *base.split("/")[2].split(":"), base + "/hello"


def gtlsclient(place, count, *options):
    """The command of ngtcp2's client for so many requests over one connection."""
    host, port, url = place
    return ["gtlsclient", "-q", f"--nstreams={count}", "--disable-early-data", *options, host, port, url]


def streams_of_quic(server, count):
    """So many requests over one connection of HTTP/3 to a run, which the client lets follow one another."""
    done = subprocess.run(gtlsclient(run_over(server.ready["port"], "h3"), count, "--exit-on-all-streams-close"),
                          stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, timeout=10 * PATIENCE, text=True)
    if done.returncode:
        raise SystemExit(f"bench-check: gtlsclient did not get {count} replies: {done.stderr[-1000:]}")


def read_behind(link, end):
    """All up to these last bytes, in as few pieces as the server has written."""
    seen = b""
    while not seen.endswith(end):
        piece = link.recv(4096)
        if not piece:
            raise SystemExit(f"bench-check: the connection of HTTP/2 ended behind {seen!r}")
        seen += piece


def nothing(server, count):
    """The server has loaded its scenarios, and that is all."""


def handshakes(server, count):
    """Full handshakes of TLS 1.3 with one GET each."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    context.minimum_version = ssl.TLSVersion.TLSv1_3
    port = int(server.ready["tls"].rsplit(":", 1)[1])
    for _ in range(count):
        with connect(port) as plain:
            with context.wrap_socket(plain, server_hostname="valid.proctor.test") as link:
                write(link, port)
                read(link)


def runs(server, count):
    """Runs made and dropped over the control API, by one client."""
    link = http.client.HTTPConnection("127.0.0.1", server.ready["port"], timeout=PATIENCE)
    for _ in range(count):
        link.request("POST", "/__proctor/runs", json.dumps({"scenario": "bench/small-000"}))
        run = json.loads(link.getresponse().read())["run"]
        link.request("DELETE", f"/__proctor/runs/{run}")
        link.getresponse().read()
    link.close()


class Idle:
    """Connections that wait for a request, or have had one, or WebSockets that have had a message, and what a process
    holds for them."""

    def __init__(self, pid, port, used, is_socket=False):
        self.pid, self.port, self.used, self.is_socket, self.links = pid, port, used, is_socket, []

    def fill_journal(self):
        """Entries of the journal that are dropped for others are no part of what a WebSocket holds."""
        link = open_socket(self.port)
        for _ in range(60):
            link.sendall(MESSAGE * 100)
            left = 100 * len(ECHO)
            while left > 0:
                left -= len(link.recv(left))
        link.close()

    def open(self, count):
        """The bytes of the process that are no file's, with so many connections more."""
        for _ in range(count):
            link = open_socket(self.port) if self.is_socket else connect(self.port)
            if self.is_socket:
                link.sendall(MESSAGE)
                read_echo(link)
            elif self.used:
                write(link, self.port)
                read(link)
            self.links.append(link)
        # Connections are accepted one after the other, so the last one's reply comes when all have been.
        with connect(self.port) as last:
            write(last, self.port)
            read(last)
        with open(f"/proc/{self.pid}/smaps_rollup") as text:
            return 1024 * int(re.search(r"^Anonymous: +(\d+)", text.read(), re.M).group(1))

    def close(self):
        for link in self.links:
            link.close()


class IdleQUIC:
    """Connections of HTTP/3 that have had a request each, by clients that keep them open, and what a process holds for them."""

    # With fewer handshakes at a time than those from which an address must show that it receives.
    AT_ONCE = 80

    def __init__(self, pid, port):
        self.pid, self.clients, self.command = pid, [], gtlsclient(run_over(port, "h3"), 1)

    def open(self, count):
        """The bytes of the process that are no file's, with so many connections more, once they change no longer."""
        for first in range(0, count, self.AT_ONCE):
            self.clients += [subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
                             for _ in range(first, min(count, first + self.AT_ONCE))]
            time.sleep(1)
        former = -1
        for _ in range(30):
            time.sleep(1)
            with open(f"/proc/{self.pid}/smaps_rollup") as text:
                now = 1024 * int(re.search(r"^Anonymous: +(\d+)", text.read(), re.M).group(1))
            if now == former:
                break
            former = now
        ended = [client for client in self.clients if client.poll() is not None]
        if ended:
            raise SystemExit(f"bench-check: {len(ended)} of {len(self.clients)} clients of HTTP/3 have ended by themselves")
        return now

    def close(self):
        for client in self.clients:
            client.kill()
            client.wait()
