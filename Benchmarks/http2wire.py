"""Frames of HTTP/2 (RFC 9113 §4.1), of gRPC and of WebSocket as bytes, for the attacks of Benchmarks/attacks.py."""
import struct

DATA, HEADERS, PRIORITY, RST_STREAM, SETTINGS, PING, WINDOW_UPDATE, CONTINUATION = 0, 1, 2, 3, 4, 6, 8, 9
PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
ACK = b"\0\0\0\x04\x01\0\0\0\0"
END_STREAM = 1


def frame(type_, flags, stream, payload=b""):
    return struct.pack(">I", len(payload))[1:] + bytes([type_, flags]) + struct.pack(">I", stream) + payload


def settings(*pairs):
    return frame(SETTINGS, 0, 0, b"".join(struct.pack(">HI", *pair) for pair in pairs))


def literal(name, value):
    """A field without indexing (RFC 7541 §6.2.2)."""
    return b"\0" + bytes([len(name)]) + name + bytes([len(value)]) + value


def block(path, method=b"GET", more=b""):
    return (literal(b":method", method) + literal(b":scheme", b"http") + literal(b":path", path)
            + literal(b":authority", b"a") + more)


def request(stream, path, method=b"GET", ends=True, more=b""):
    return frame(HEADERS, 4 | ends, stream, block(path, method, more))


def word(number):
    return struct.pack(">I", number)


WINDOW_OF_ONE = PREFACE + settings((4, 1)) + ACK
OPEN_WINDOWS = PREFACE + settings((4, 2**31 - 1)) + ACK + frame(WINDOW_UPDATE, 0, 0, word(2**31 - 1 - 65535))
USUAL = PREFACE + settings() + ACK
