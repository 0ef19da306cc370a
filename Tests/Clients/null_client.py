"""What the adapters for nobody share (`null_*.py`): each sends what it is told to, and looks at little or nothing of the replies.

A case that one of them passes shows nothing of a client. They declare every ability and every fact, so that no case is excused.
A request goes to the proxy where there is one: in absolute form, or as a CONNECT, behind which nothing more comes. For https a
handshake goes before it, with the trust of the assignment. Where the assignment says `h2`, the request goes out in frames.
"""

import contextlib
import os
import socket
import ssl
import sys
import urllib.parse

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "clients", folder) for folder in ("adapters", "kits/python")]

from proctor_kit import Adapter, content, is_streamed, place  # noqa: E402

# What a client may have, each the first word of its row.
with open(os.path.join(HERE, "..", "..", "Sources/Ground/CFiles/Tables/abilities.tsv"), encoding="utf-8") as table:
    ABILITIES = [row.split("\t")[0] for row in table][1:]

# Seconds for each call; a server that reads nothing would keep it for ever.
PATIENCE = 2
EVERY_FACT = (
    "url", "status", "mime", "textEncodingName", "suggestedName", "expectedLength", "bytes", "body", "error", "messages", "protocol", "closeCode",
    "closeReason")


def connect(session, parts, port):
    """A connection to the proxy, or to where the host of the URL stands."""
    found = (parts.scheme == "https" and session.get("httpsProxy")) or session.get("proxy") or place(session, parts.hostname, port) or f"{literal(parts.hostname)}:{port}"
    if found.startswith("unix:"):
        connection = socket.socket(socket.AF_UNIX)
        connection.settimeout(PATIENCE)
        connection.connect(found.removeprefix("unix:"))
        return connection
    host, _, number = found.rpartition(":")
    return socket.create_connection((host.strip("[]"), int(number)), PATIENCE)


def literal(host):
    """The address that a host is; other names are looked up by nobody."""
    host = "127.0.0.1" if host.lower().removesuffix(".") == "localhost" else host
    socket.getaddrinfo(host, None, flags=socket.AI_NUMERICHOST)
    return host


def secure(connection, session, host):
    """The connection under TLS; of a session that `believes`, with any certificate."""
    context = ssl.create_default_context(cafile=session.get("trust"))
    if session.get("believes"):
        context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    if session.get("identity"):
        context.load_cert_chain(session["identity"]["certificate"], session["identity"]["key"])
    context.set_alpn_protocols(["h2" if speaks_http2(session) else "http/1.1"])
    return context.wrap_socket(connection, server_hostname=host)


def speaks_http2(session):
    return session.get("protocol") == "h2"


def encoded(text):
    return urllib.parse.quote(text, safe="/%!$&'()*+,;=:@~-._?")


def fields_and_body(step, authority):
    """The fields without those of the framing, the body, and whether its length is told."""
    fields = [(name, value) for name, value in step["headers"]]
    if not any(name.lower() == "host" for name, _ in fields):
        fields.insert(0, ("Host", authority))
    return fields, content(step) or b"", not is_streamed(step)


def message(session, step, parts, authority):
    """The bytes of the request by HTTP/1.1."""
    target = encoded(parts.path or "/") + ("?" + encoded(parts.query) if parts.query else "")
    if session.get("proxy"):
        target = f"http://{authority}{target}"
    fields, body, tells_length = fields_and_body(step, authority)
    if not tells_length:
        fields.append(("Transfer-Encoding", "chunked"))
        body = (f"{len(body):x}\r\n".encode() + body + b"\r\n" if body else b"") + b"0\r\n\r\n"
    elif "body" in step or step["method"] in ("POST", "PUT", "PATCH"):
        fields.append(("Content-Length", str(len(body))))
    lines = [f"{step['method']} {target} HTTP/1.1", *(f"{name}: {value}" for name, value in fields), "", ""]
    return "\r\n".join(lines).encode() + body


def frame(kind, flags, stream, payload=b""):
    """A frame of HTTP/2 (RFC 9113 §4.1)."""
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def text_of_hpack(text):
    """A string literal without Huffman code (RFC 7541 §5.1, §5.2)."""
    data, left = text.encode(), len(text.encode()) - 127
    if left < 0:
        return bytes([len(data)]) + data
    length = b"\x7f"
    while left >= 128:
        length, left = length + bytes([left % 128 + 128]), left // 128
    return length + bytes([left]) + data


def frames(step, parts, authority):
    """The bytes of the request by HTTP/2, the preface with them: what the first window holds of its body (RFC 9113 §6.9.2)."""
    target = encoded(parts.path or "/") + ("?" + encoded(parts.query) if parts.query else "")
    fields, body, tells_length = fields_and_body(step, authority)
    host = next(value for name, value in fields if name.lower() == "host")
    pseudo = [(":method", step["method"]), (":scheme", parts.scheme), (":authority", host), (":path", target)]
    fields = pseudo + [(name.lower(), value) for name, value in fields if name.lower() != "host"]
    has_body = "body" in step
    if has_body and tells_length:
        fields.append(("content-length", str(len(body))))
    block = b"".join(b"\0" + text_of_hpack(name) + text_of_hpack(value) for name, value in fields)
    pieces = [block[at:at + 16384] for at in range(0, len(block), 16384)]
    sent = [b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", frame(4, 0, 0)]
    for index, piece in enumerate(pieces):
        flags = (0 if has_body or index else 1) | (4 if index == len(pieces) - 1 else 0)
        sent.append(frame(9 if index else 1, flags, 1, piece))
    for at in range(0, min(len(body), 65535) or 1, 16384) if has_body else ():
        piece = body[at:min(at + 16384, 65535)]
        sent.append(frame(0, 1 if at + len(piece) == len(body) else 0, 1, piece))
    return b"".join(sent)


def send_first(session, step):
    """The connection, on which the request is; raises where nothing can be sent."""
    parts = urllib.parse.urlsplit(step["url"])
    if session.get("ownScheme") == parts.scheme:
        parts = parts._replace(scheme="http")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{step['url']} is no URL of HTTP")
    usual = 443 if parts.scheme == "https" else 80
    host = parts.hostname if parts.hostname.isascii() else parts.hostname.encode("idna").decode()
    port = parts.port or usual
    written = f"[{host}]" if ":" in host else host
    authority = written if port == usual else f"{written}:{port}"
    connection = connect(session, parts, port)
    try:
        if parts.scheme == "https" and session.get("proxy"):
            connection.sendall(f"CONNECT {written}:{port} HTTP/1.1\r\nHost: {written}:{port}\r\n\r\n".encode())
            return connection
        if parts.scheme == "https":
            connection = secure(connection, session, host)
        by_frames = speaks_http2(session)
        connection.sendall(frames(step, parts, authority) if by_frames else message(session, step, parts, authority))
    except BaseException:
        connection.close()
        raise
    return connection


class Nobody(Adapter):
    """An adapter without a client, which declares all that can be declared; `load` says what it does and claims."""

    client, facts, abilities = "null", EVERY_FACT, " ".join(ABILITIES)

    def version(self):
        return "1"

    def check(self, assignment):
        """Refuses nothing."""

    def load(self, session, step):
        """The facts of the step's result; None for no result. This one sends the first request and closes at once."""
        with contextlib.suppress(OSError, ValueError), send_first(session, step):
            pass  # Where nothing could be sent, the server has seen what there was to see.

    def run(self, assignment, trace):
        for index, step in enumerate(assignment["steps"]):
            trace.say("resume", index)
            facts = self.load({**assignment["session"], "protocol": assignment.get("protocol")}, step)
            if facts is not None:
                trace.say("result", index, facts=facts)
