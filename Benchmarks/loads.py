"""What is asked of a server or a command while it is counted: always the same, in the same order."""
import http.client
import json
import re
import socket
import ssl

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
OPENING = ("Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
           "Sec-WebSocket-Version: 13\r\n")
# A binary message of 16 bytes, whose mask changes nothing, and how it comes back.
MESSAGE, ECHO = b"\x82\x90\0\0\0\0" + b"sixteen bytes ..", b"\x82\x10" + b"sixteen bytes .."


# Seconds; a server under valgrind is fifty times slower, and may have to share its core.
PATIENCE = 60


def write_fixtures(folder, count):
    (folder / "bench").mkdir(parents=True, exist_ok=True)
    for number in range(count):
        (folder / "bench" / f"small-{number:03}.yaml").write_text(SMALL)
    return folder


def write_socket(folder):
    (folder / "bench").mkdir(parents=True, exist_ok=True)
    (folder / "bench" / "socket.yaml").write_text(SOCKET)
    return folder


def connect(port):
    return socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)


def write(link, port):
    link.sendall(f"GET /bench/small-000/hello HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n".encode())


def read(link):
    """The reply, which comes in one piece, since it is written by one call."""
    reply = link.recv(4096)
    if not reply.startswith(b"HTTP/1.1 200") or not reply.endswith(b"\r\n\r\nhello\n"):
        raise SystemExit(f"bench-check: the small reply is {reply!r}")


def requests(server, count):
    """So many requests over 50 kept-alive connections, 50 at a time.

    The server is stopped while a batch is written, so that each of its waits finds the same number of connections ready.
    """
    port = server.ready["port"]
    links = [connect(port) for _ in range(min(count, 50))]
    for _ in range(count // len(links)):
        server.pause()
        for link in links:
            write(link, port)
        server.resume()
        for link in links:
            read(link)
    for link in links:
        link.close()


def open_socket(port):
    """A WebSocket, behind its handshake."""
    link = connect(port)
    link.sendall(f"GET /bench/socket/chat HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n{OPENING}\r\n".encode())
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
    """So many messages of 16 bytes over 50 WebSockets, 50 at a time, as ``requests`` does."""
    links = [open_socket(server.ready["port"]) for _ in range(50)]
    for _ in range(count // len(links)):
        server.pause()
        for link in links:
            link.sendall(MESSAGE)
        server.resume()
        for link in links:
            read_echo(link)
    for link in links:
        link.close()


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
