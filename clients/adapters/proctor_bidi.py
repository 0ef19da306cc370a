"""WebDriver BiDi: commands and events as JSON over a WebSocket (RFC 6455) to a browser on this machine."""

import base64
import json
import os
import socket
import struct

from proctor_browser import left


class Refused(Exception):
    """The browser answers a command with an error; the text begins with its name."""


class Socket:
    """The client's end of a WebSocket whose messages are texts."""

    def __init__(self, host, port, path):
        self.socket = socket.create_connection((host, port), 30)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""
        key = base64.b64encode(os.urandom(16)).decode()
        self.socket.sendall(
            f"GET {path} HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Sec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n".encode())
        while b"\r\n\r\n" not in self.rest:
            self.fill()
        head, self.rest = self.rest.split(b"\r\n\r\n", 1)
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise RuntimeError(f"the browser opens no WebSocket: {head[:100]!r}")

    def fill(self):
        piece = self.socket.recv(1 << 16)
        if not piece:
            raise RuntimeError("the browser has ended")
        self.rest += piece

    def send(self, data, opcode=1):
        size = len(data)
        head = bytes([0x80 | opcode]) + (
            bytes([0x80 | size]) if size < 126 else struct.pack(">BH", 0x80 | 126, size) if size < 1 << 16
            else struct.pack(">BQ", 0x80 | 127, size))
        mask = os.urandom(4)
        key = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
        masked = (int.from_bytes(data, "big") ^ key).to_bytes(size, "big")
        self.socket.settimeout(30)
        self.socket.sendall(head + mask + masked)

    def frame(self):
        """Opcode with the bit FIN, and content; None where it is not all here."""
        if len(self.rest) < 2:
            return None
        size, start = self.rest[1] & 127, 2
        if size > 125:
            start = 4 if size == 126 else 10
            if len(self.rest) < start:
                return None
            size = int.from_bytes(self.rest[2:start], "big")
        if len(self.rest) < start + size:
            return None
        opcode, data, self.rest = self.rest[0], self.rest[start:start + size], self.rest[start + size:]
        return opcode, data

    def receive(self, until):
        """The next text; what has come of it stays where it raises Late."""
        pieces = []
        while True:
            frame = self.frame()
            if frame is None:
                self.socket.settimeout(left(until))
                try:
                    self.fill()
                except TimeoutError:
                    pass
                continue
            opcode, data = frame
            if opcode & 15 == 8:
                raise RuntimeError("the browser has closed its WebSocket")
            if opcode & 15 == 9:
                self.send(data, 10)
            elif opcode & 15 < 2:
                pieces.append(data)
                if opcode & 0x80:
                    return b"".join(pieces)


class Session:
    """A session of WebDriver BiDi. `heard` gets each event: its method and its parameters."""

    def __init__(self, host, port):
        self.socket, self.number, self.replies, self.told, self.heard = Socket(host, port, "/session"), 0, {}, set(), None

    def send(self, method, **parameters):
        """The number of the command, whose answer `wait` gives."""
        self.number += 1
        self.socket.send(json.dumps({"id": self.number, "method": method, "params": parameters}).encode())
        return self.number

    def tell(self, method, **parameters):
        """Sends a command whose answer nobody waits for."""
        self.told.add(self.send(method, **parameters))

    def read(self, until):
        message = json.loads(self.socket.receive(until))
        if message["type"] == "event":
            if self.heard:
                self.heard(message["method"], message["params"])
        elif message.get("id") in self.told:
            self.told.remove(message["id"])
            # A request may be over before the word about it comes.
            if message["type"] == "error" and message["error"] != "no such request":
                raise RuntimeError(f"{message['error']}: {message.get('message')}")
        elif message.get("id"):
            self.replies[message["id"]] = message

    def wait(self, number, until):
        while number not in self.replies:
            self.read(until)
        reply = self.replies.pop(number)
        if reply["type"] == "error":
            raise Refused(f"{reply['error']}: {reply.get('message')}")
        return reply["result"]

    def call(self, method, until, **parameters):
        return self.wait(self.send(method, **parameters), until)
