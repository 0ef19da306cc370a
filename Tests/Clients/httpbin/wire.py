"""Requests on a connection, byte for byte, and the responses as they came."""

import dataclasses
import socket
import ssl
import time

TIMEOUT = 60
# How long content is waited for behind a response that can have none, in seconds.
REST = 0.01
HEAD_LIMIT = 1 << 20


class WireError(Exception):
    """What came is no response; the text says why."""


class CutShort(Exception):
    """The connection ended within content, of which this is the last piece."""


@dataclasses.dataclass
class Request:
    method: str
    target: str
    # (name, value) as they are sent; Host and Content-Length are added where they are missing.
    fields: tuple = ()
    body: bytes = b""
    # The content in chunks of Transfer-Encoding, instead of body.
    chunks: tuple = None
    version: str = "HTTP/1.1"
    host: str = "httpbin.test"

    def __bytes__(self):
        names = {name.lower() for name, _ in self.fields}
        fields = []
        if self.host is not None and "host" not in names:
            fields.append(("Host", self.host))
        fields.extend(self.fields)
        body = self.body
        if self.chunks is not None:
            fields.append(("Transfer-Encoding", "chunked"))
            body = b"".join(b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in self.chunks) + b"0\r\n\r\n"
        elif "content-length" not in names and (body or self.method in ("POST", "PUT", "PATCH")):
            fields.append(("Content-Length", str(len(body))))
        head = f"{self.method} {self.target} {self.version}\r\n"
        head += "".join(f"{name}: {value}\r\n" for name, value in fields) + "\r\n"
        return head.encode("latin-1") + body


@dataclasses.dataclass
class Reply:
    version: str
    status: int
    reason: str
    fields: list
    body: bytes = b""
    # Sizes of the chunks; None where the content was not chunked.
    chunks: list = None
    # Why the content ends before its length says so.
    cut: str = ""
    # Statuses of the interim responses before it.
    interim: tuple = ()
    closes: bool = False
    # Bytes behind the response.
    rest: bytes = b""
    # Seconds until the end had come.
    elapsed: float = 0

    def values(self, name):
        return [value for other, value in self.fields if other.lower() == name.lower()]

    def value(self, name):
        values = self.values(name)
        return values[0] if values else None


class Input:
    """Bytes of a socket, taken by line and by count."""

    def __init__(self, connection):
        self.connection = connection
        self.buffer = b""
        self.ended = False

    def more(self):
        try:
            piece = self.connection.recv(65536)
        except ConnectionResetError:
            piece = b""
        if not piece:
            self.ended = True
        self.buffer += piece
        return bool(piece)

    def line(self):
        while b"\n" not in self.buffer:
            if len(self.buffer) > HEAD_LIMIT or not self.more():
                raise WireError(f"a line has no end: {self.buffer[:200]!r}")
        line, self.buffer = self.buffer.split(b"\n", 1)
        return line.removesuffix(b"\r").decode("latin-1")

    def take(self, count):
        while len(self.buffer) < count:
            if not self.more():
                raise CutShort(self.all())
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        return taken

    def all(self):
        while self.more():
            pass
        taken, self.buffer = self.buffer, b""
        return taken


def head(source):
    line = source.line()
    parts = line.split(" ", 2)
    if len(parts) < 2 or not parts[0].startswith("HTTP/") or not parts[1].isdigit():
        raise WireError(f"no status line: {line[:200]!r}")
    fields = []
    while line := source.line():
        name, colon, value = line.partition(":")
        if not colon:
            raise WireError(f"no field line: {line[:200]!r}")
        fields.append((name, value.strip(" \t")))
    return Reply(parts[0], int(parts[1]), parts[2] if len(parts) > 2 else "", fields)


def content(source, reply, method):
    try:
        read_content(source, reply, method)
    except CutShort as rest:
        reply.body += rest.args[0]
        reply.cut = f"the connection ends after {len(reply.body)} bytes"


def read_content(source, reply, method):
    if method == "HEAD" or reply.status in (204, 304) or reply.status < 200:
        return
    if (reply.value("Transfer-Encoding") or "").lower() == "chunked":
        reply.chunks = []
        while size := int(source.line().split(";")[0], 16):
            reply.chunks.append(size)
            reply.body += source.take(size)
            source.line()
        while source.line():
            pass
    elif (length := reply.value("Content-Length")) is not None:
        reply.body = source.take(int(length))
    else:
        reply.body = source.all()


def closes(reply, method):
    options = ",".join(reply.values("Connection")).lower()
    if reply.version == "HTTP/1.0":
        return "keep-alive" not in options
    bounded = reply.value("Transfer-Encoding") or reply.value("Content-Length") is not None
    return "close" in options or not (bounded or method == "HEAD" or reply.status in (204, 304))


class Connection:
    """A connection to (host, port), by TLS where there is a context."""

    def __init__(self, address, context=None):
        plain = socket.create_connection(address, timeout=TIMEOUT)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.socket = context.wrap_socket(plain, server_hostname="localhost") if context else plain
        self.source = Input(self.socket)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    def close(self):
        self.socket.close()

    def ask(self, request):
        """The reply to a request."""
        began = time.monotonic()
        source = self.source
        self.socket.sendall(bytes(request))
        interim = []
        reply = head(source)
        while reply.status < 200 and (source.buffer or more_soon(source)):
            interim.append(reply.status)
            reply = head(source)
        reply.interim = tuple(interim)
        content(source, reply, request.method)
        reply.elapsed = time.monotonic() - began
        reply.closes = closes(reply, request.method)
        bodiless = request.method == "HEAD" or reply.status in (204, 304) or reply.status < 200
        if bodiless and not source.buffer and not source.ended:
            self.socket.settimeout(REST)
            more_soon(source)
            self.socket.settimeout(TIMEOUT)
        reply.rest = source.buffer
        return reply


def ask(address, request, context=None):
    """The reply to a request on a connection of its own."""
    with Connection(address, context) as connection:
        return connection.ask(request)


def more_soon(source):
    try:
        return source.more()
    except (TimeoutError, ssl.SSLWantReadError):
        return False
