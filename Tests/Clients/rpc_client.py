#!/usr/bin/env python3
"""An adapter for a small client of gRPC and gRPC-Web, of this file, over python3-h2: right as it stands, and wrong on purpose.

    rpc_client.py [--breaks WORD]

It shows that the cases of fixtures/grpc can be passed, those of gRPC-Web in base64 too, for which no shipped client exists, and that a
mistake is found. Each word is one mistake:

  no-trailers    a reply that ends without a status is OK
  message        grpc-message is handed over as it came
  flag           the flag of a message is not looked at
  http-status    a status of HTTP counts even where grpc-status was given
  padding        base64 of metadata without padding is refused
  pieces         base64 of a content is decoded as one text
"""

import base64
import binascii
import gzip
import http.client
import os
import socket
import ssl
import sys
import time
import urllib.parse

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "clients", folder) for folder in ("adapters", "kits/python")]

import h2.config  # noqa: E402
import h2.connection  # noqa: E402
import h2.events  # noqa: E402
from proctor_rpc import Call, RPCLibrary, Status, metadata_of, told  # noqa: E402

BREAKS = sys.argv.pop() if sys.argv[1:2] == ["--breaks"] and len(sys.argv) == 3 and sys.argv.remove("--breaks") is None else ""
CANCELLED, UNKNOWN, DEADLINE, EXHAUSTED, INTERNAL, UNAVAILABLE = 1, 2, 4, 8, 13, 14
OF_HTTP = {400: 13, 401: 16, 403: 7, 404: 12, 429: 14, 431: 13, 502: 14, 503: 14, 504: 14}
OF_RESET = {7: UNAVAILABLE, 8: CANCELLED, 11: EXHAUSTED, 12: 7}


def varint(number):
    return (bytes([number % 128 + 128]) + varint(number // 128)) if number > 127 else bytes([number])


def written(text):
    data = text.encode()
    return b"\x0a" + varint(len(data)) + data if data else b""


def read_varint(data, at):
    number = shift = 0
    while True:
        byte = data[at]
        number, shift, at = number | (byte & 127) << shift, shift + 7, at + 1
        if byte < 128:
            return number, at


def parsed(data):
    """The text of a Text; raises where the bytes are no message."""
    text, at = b"", 0
    while at < len(data):
        key, at = read_varint(data, at)
        if key >> 3 == 0 or key & 7 not in (0, 1, 2, 5):
            raise ValueError("no field of protobuf")
        if key & 7 == 0:
            _, at = read_varint(data, at)
            continue
        size, at = {1: (8, at), 5: (4, at)}.get(key & 7) or read_varint(data, at)
        if at + size > len(data):
            raise ValueError("a field is cut")
        if key == 0x0A:
            text = data[at:at + size]
        at += size
    return text.decode()


def unquoted(text):
    return text if BREAKS == "message" else urllib.parse.unquote(text, errors="replace")


def decoded(name, value):
    """The values of a metadatum: bytes for a `-bin` name."""
    if not name.endswith("-bin"):
        return [value]
    try:
        return [base64.b64decode(one + ("" if BREAKS == "padding" else "=" * (-len(one) % 4)), validate=True) for one in value.split(",")]
    except binascii.Error:
        if BREAKS == "padding":
            raise Status(INTERNAL, f"no base64: {value}") from None
        return [value]


class SmallCall(Call):
    """One call; the messages of a reply are read from `rest` as its bytes come."""

    def perform(self):
        self.rest, self.coding, self.status, self.trailers, self.began = b"", "identity", None, None, time.monotonic()
        frames = b"".join(b"\0" + len(data).to_bytes(4, "big") + data for data in map(written, self.texts))
        try:
            (self.over_h2 if self.settings["rpc"] == "grpc" else self.over_web)(frames)
        except TimeoutError:
            raise Status(DEADLINE, "the deadline is over") from None
        except (OSError, http.client.HTTPException) as error:
            raise Status(UNAVAILABLE, str(error)) from error

    def left(self):
        """Seconds until the deadline, or None."""
        if self.seconds is None:
            return None
        left = self.began + self.seconds - time.monotonic()
        if left <= 0:
            raise TimeoutError
        return left

    def fields(self, kind):
        fields = [("content-type", kind), ("user-agent", "grpc-proctor/1"), ("grpc-accept-encoding", "gzip")]
        if self.seconds is not None:
            milliseconds = int(self.seconds * 1000)
            fields.append(("grpc-timeout", f"{milliseconds}m" if milliseconds < 10**8 else f"{milliseconds // 1000}S"))
        return fields + [(name, told(value) if isinstance(value, bytes) else value) for name, value in metadata_of(self.step)]

    def context(self):
        context = ssl.create_default_context(cafile=self.setup["trust"])
        if self.settings["rpc"] == "grpc":
            context.set_alpn_protocols(["h2"])
        return context

    def connect(self):
        host, _, port = self.address.rpartition(":")
        connection = socket.create_connection((host.strip("[]"), int(port)), self.left())
        return self.context().wrap_socket(connection, server_hostname=self.host) if self.is_secure else connection

    # Of a reply.

    def head_came(self, status, fields):
        found = dict(fields)
        self.status, self.coding = status, found.get("grpc-encoding", "identity")
        self.head = [(name, one) for name, value in fields for one in decoded(name, value)]
        if status != 200 and (BREAKS == "http-status" or "grpc-status" not in found):
            raise Status(OF_HTTP.get(status, UNKNOWN), f"HTTP {status}")
        if not found.get("content-type", "").startswith("application/grpc"):
            raise Status(UNKNOWN, "the reply is none of gRPC")
        if found["content-type"].endswith("+json"):
            raise Status(INTERNAL, "another codec")

    def trailers_came(self, fields):
        self.trailers = dict(fields)
        self.tail = [(name, one) for name, value in fields for one in decoded(name, value)]

    def bytes_came(self, data):
        """Whether the program cancels behind a message."""
        self.rest += data
        while len(self.rest) >= 5:
            flags, size = self.rest[0], int.from_bytes(self.rest[1:5], "big")
            if self.trailers is not None:
                raise Status(INTERNAL, "a message behind the trailers")
            if self.most_bytes is not None and size > self.most_bytes:
                raise Status(EXHAUSTED, f"a message of {size} bytes")
            if len(self.rest) < 5 + size:
                return False
            data, self.rest = self.rest[5:5 + size], self.rest[5 + size:]
            if flags == 0x80 and self.settings["rpc"] != "grpc":
                lines = [line.partition(":") for line in data.decode().splitlines()]
                self.trailers_came([(name.strip().lower(), value.strip()) for name, _, value in lines])
                continue
            if self.message_came(flags, data):
                return True
        return False

    def message_came(self, flags, data):
        if BREAKS != "flag" and flags != 0:
            if flags != 1 or self.coding != "gzip":
                raise Status(INTERNAL, f"flags {flags} and {self.coding}")
            try:
                data = gzip.decompress(data)
            except (OSError, EOFError) as error:
                raise Status(INTERNAL, str(error)) from error
        try:
            text = parsed(data)
        except (ValueError, IndexError) as error:
            raise Status(INTERNAL, f"no message: {error}") from error
        return self.received(text)

    def ended(self):
        """Raises the status of the call; an error where the reply has none."""
        trailers = self.trailers
        if trailers is None and not self.messages and not self.rest:
            trailers = {name: value for name, value in self.head if name in ("grpc-status", "grpc-message")}
        if self.rest:
            raise Status(INTERNAL, "the last message is cut")
        status = (trailers or {}).get("grpc-status")
        if status is None and BREAKS != "no-trailers":
            raise Status(UNKNOWN, "the reply has no status")
        code = int(status or "0") if (status or "0").isdigit() else UNKNOWN
        if code:
            raise Status(code if code <= 16 else UNKNOWN, unquoted(trailers.get("grpc-message", "")))
        if self.kind in ("unary", "client") and len(self.messages) != 1:
            count, self.messages = len(self.messages), []
            raise Status(INTERNAL, f"{count} messages")

    # gRPC-Web.

    def over_web(self, frames):
        connection = http.client.HTTPConnection(self.host, self.port)
        connection.sock = self.connect()
        kind = "application/grpc-web-text" if self.settings["rpc"] == "web-text" else "application/grpc-web+proto"
        body = base64.b64encode(frames) if self.settings["rpc"] == "web-text" else frames
        connection.request("POST", self.path, body, dict(self.fields(kind)))
        reply = connection.getresponse()
        self.head_came(reply.status, [(name.lower(), value) for name, value in reply.getheaders()])
        content = reply.read()
        if reply.getheader("content-encoding") == "gzip":
            content = gzip.decompress(content)
        if reply.getheader("content-type", "").startswith("application/grpc-web-text"):
            content = base64.b64decode(content) if BREAKS == "pieces" else b"".join(
                base64.b64decode(content[at:at + 4]) for at in range(0, len(content), 4))
        self.bytes_came(content)
        self.ended()

    # gRPC over HTTP/2.

    def over_h2(self, frames):
        with self.connect() as connection:
            session = h2.connection.H2Connection(h2.config.H2Configuration(header_encoding="latin-1"))
            session.initiate_connection()
            scheme = "https" if self.is_secure else "http"
            session.send_headers(1, [
                (":method", "POST"), (":scheme", scheme), (":path", self.path), (":authority", f"{self.host}:{self.port}"), ("te", "trailers"),
                *self.fields("application/grpc")])
            session.send_data(1, frames, end_stream=True)
            try:
                self.read(connection, session)
            except BaseException as error:
                if not isinstance(error, OSError) or isinstance(error, TimeoutError):
                    self.leave(connection, session)
                raise
        self.ended()

    def leave(self, connection, session):
        """Resets the stream with CANCEL, where it is still open."""
        try:
            session.reset_stream(1, 8)
            connection.sendall(session.data_to_send())
        except (h2.exceptions.ProtocolError, OSError):
            pass

    def read(self, connection, session):
        while True:
            connection.sendall(session.data_to_send())
            connection.settimeout(self.left())
            data = connection.recv(65536)
            if not data:
                raise ConnectionError("the server has left")
            try:
                events = session.receive_data(data)
            except h2.exceptions.ProtocolError as error:
                raise Status(INTERNAL, str(error)) from error
            for event in events:
                if isinstance(event, h2.events.ResponseReceived):
                    fields = list(event.headers)
                    self.head_came(int(dict(fields)[":status"]), [one for one in fields if not one[0].startswith(":")])
                elif isinstance(event, h2.events.DataReceived):
                    session.acknowledge_received_data(event.flow_controlled_length, 1)
                    if self.bytes_came(event.data):
                        return self.leave(connection, session) or self.say_cancelled()
                elif isinstance(event, h2.events.TrailersReceived):
                    self.trailers_came(list(event.headers))
                elif isinstance(event, h2.events.StreamEnded):
                    return connection.sendall(session.data_to_send())
                elif isinstance(event, h2.events.StreamReset):
                    code = OF_RESET.get(event.error_code, INTERNAL)
                    raise Status(code, f"the stream was reset with {event.error_code}")
                elif isinstance(event, h2.events.ConnectionTerminated) and (event.last_stream_id or 0) < 1:
                    raise Status(UNAVAILABLE, "the connection is given up")

    def say_cancelled(self):
        raise Status(CANCELLED, "the program cancels")


class SmallClient(RPCLibrary):
    client, revision = "rpc-client", "1"
    has = ("grpc", "web", "web-text", "max", "cancel", "binary")

    def version(self):
        return "1"

    def load(self, *parts):
        return SmallCall(self, *parts)


if __name__ == "__main__":
    sys.exit(SmallClient().main(__doc__))
