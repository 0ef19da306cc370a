"""A server in the middle: a proxy that leads every name to loopback, or a relay to one port that changes heads."""

import base64
import hashlib
import socket
import threading


def read_head(connection):
    """The lines of a head, and the bytes behind it; no lines where the peer has gone."""
    received = b""
    while b"\r\n\r\n" not in received:
        piece = connection.recv(65536)
        if not piece:
            return [], b""
        received += piece
    head, rest = received.split(b"\r\n\r\n", 1)
    return head.decode("latin-1").split("\r\n"), rest


def place_of(authority):
    """Where a proxy leads to: every name to loopback, every address to itself."""
    host, _, port = authority.partition(":")
    return (host if host.startswith("127.") else "127.0.0.1", int(port or 80))


def carry(source, target):
    try:
        while piece := source.recv(65536):
            target.sendall(piece)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


class Middle:
    """Takes one request on each connection, and hands it on to `port`, or as a proxy to the place of its target.

    Fields whose names are in `lost` come from neither side; what `answers` gives for a path is answered at once.
    """

    def __init__(self, port=None, lost=(), answers=None):
        self.port, self.lost, self.answers = port, tuple(lost), answers or (lambda path, fields: None)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.own_port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()

    def close(self):
        self.listener.close()

    def serve(self, client):
        with client:
            try:
                lines, rest = read_head(client)
                if lines:
                    self.answer(client, lines, rest)
            except OSError:
                pass

    def answer(self, client, lines, rest):
        method, target, version = lines[0].split(" ", 2)
        place = ("127.0.0.1", self.port)
        if method == "CONNECT":
            with socket.create_connection(place_of(target)) as server:
                client.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
                return self.join(client, server)
        if target.startswith(("http://", "ws://")):
            authority, _, path = target.partition("://")[2].partition("/")
            target = "/" + path
            place = place_of(authority)
        fields = {name.lower(): value.strip() for name, _, value in (line.partition(":") for line in lines[1:])}
        if found := self.answers(target.partition("?")[0], fields):
            client.sendall(found)
            # What has become a WebSocket stays open until the client has read its message.
            while "upgrade" in fields and client.recv(65536):
                pass
            return None
        kept = [line for line in lines[1:] if self.is_kept(line)]
        # A handshake of WebSocket keeps its own Connection.
        if "upgrade" not in fields:
            kept = [line for line in kept if not line.lower().startswith("connection:")] + ["Connection: close"]
        with socket.create_connection(place) as server:
            server.sendall("\r\n".join([f"{method} {target} {version}", *kept, "", ""]).encode("latin-1") + rest)
            threading.Thread(target=carry, args=(client, server), daemon=True).start()
            lines, rest = read_head(server)
            if lines:
                kept = [line for line in lines if self.is_kept(line)]
                client.sendall("\r\n".join([*kept, "", ""]).encode("latin-1") + rest)
                carry(server, client)

    def is_kept(self, line):
        return not line.lower().startswith(self.lost) if self.lost else True

    @staticmethod
    def join(client, server):
        other = threading.Thread(target=carry, args=(client, server), daemon=True)
        other.start()
        carry(server, client)
        other.join()


def reply(text, kind="text/html"):
    body = text.encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: {kind}\r\nContent-Length: {len(body)}\r\nConnection: close\r\n"
    return f"{head}Cache-Control: no-store\r\nAccess-Control-Allow-Origin: *\r\n\r\n".encode() + body


def web_socket(fields, text):
    """The handshake of a WebSocket, and one message (RFC 6455 §4.2.2, §5.2)."""
    key = fields["sec-websocket-key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
    accept = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
    head = f"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
    return head.encode() + bytes([0x81, len(text)]) + text.encode()
