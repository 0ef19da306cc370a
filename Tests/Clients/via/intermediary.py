#!/usr/bin/env python3
"""A proxy of HTTP/1.1 that is right, or makes one mistake: intermediary.py LISTEN UPSTREAM [WORD ...].

Where UPSTREAM is "-" it is a forward proxy, else a gateway to that server. A WORD is `cache`, which makes it a shared cache,
`password`, with which it asks for that of alice,
`tls=HOST:PORT,PEM`, where it listens with TLS and speaks HTTP/2 too (streams.py; needs the package h2),
`quic=HOST:PORT,PEM`, where it speaks HTTP/3 (datagrams.py; needs the package aioquic),
`silence=SECONDS`, after which a server that says nothing is given up, or a mistake.

The exam of intermediaries is examined with it: the right one fails no case of via/, and each mistake one of its own
(mistakes.tsv beside this file). It has a connection to the server for each request.
"""

import email.utils
import socket
import sys
import threading
import time

from cache import Cache

LISTEN, UPSTREAM = (text.rsplit(":", 1) for text in sys.argv[1:3])
IS_FORWARD = UPSTREAM == ["-"]
WORDS = sys.argv[3:]
HOP = {"connection", "proxy-connection", "keep-alive", "te", "transfer-encoding", "upgrade", "proxy-authorization"}
CREDENTIALS = "Basic YWxpY2U6c2VjcmV0"
MOST_HEAD, MOST_KEPT = 64 << 10, 16 << 20
PATIENCE = 2
# More than a busy machine lets a server wait; who asks for the cases of silence says less.
SILENCE = next((int(word[8:]) for word in WORDS if word.startswith("silence=")), 60)


def makes(mistake):
    return mistake in WORDS


CACHE = Cache(makes) if "cache" in WORDS else None


class Broken(Exception):
    """The peer's message can't be read, or ended early."""


class Peer:
    """A connection with what was read of it and not used yet."""

    def __init__(self, connection):
        self.socket, self.rest = connection, b""
        # What Via calls the protocol of its request where that is none of HTTP/1.
        self.version = None

    def more(self):
        data = self.socket.recv(65536)
        self.rest += data
        return bool(data)

    def line(self):
        while b"\n" not in self.rest:
            if len(self.rest) > MOST_HEAD or not self.more():
                raise Broken("line")
        line, self.rest = self.rest.split(b"\n", 1)
        return line.removesuffix(b"\r")

    def head(self):
        """The start line and the fields; None where the connection ended before a byte."""
        if not self.rest and not self.more():
            return None
        start, fields = self.line(), []
        while not start:
            start = self.line()
        while line := self.line():
            if sum(len(name) + len(value) for name, value in fields) > MOST_HEAD:
                raise Broken("head")
            name, colon, value = line.partition(b":")
            if not colon or not name or name != name.strip():
                raise Broken("field")
            fields.append((name.decode("latin-1"), value.strip(b" \t").decode("latin-1")))
        return start.decode("latin-1"), fields

    def some(self):
        """Bytes that have come, at least one; empty at the end."""
        if not self.rest:
            self.more()
        data, self.rest = self.rest, b""
        return data

    def exactly(self, count):
        while count:
            data = self.some()
            if not data:
                raise Broken("content")
            self.rest = data[count:]
            data = data[:count]
            count -= len(data)
            yield data


def values(fields, name):
    return [value for field, value in fields if field.lower() == name]


def words(fields, name):
    return [word.strip().lower() for value in values(fields, name) for word in value.split(",") if word.strip()]


def length(fields):
    found = {value for value in values(fields, "content-length")}
    if len(found) > 1 or any(not value.isdigit() for value in found):
        raise Broken("length")
    return int(found.pop()) if found else None


def handed(fields, version="1.1"):
    """The fields without those of this hop (RFC 9110 §7.6.1), and with Via for what came by that version (§7.6.3)."""
    me = f"{version} right"
    options = set(words(fields, "connection"))
    kept = []
    for name, value in fields:
        low = name.lower()
        if makes(f"keeps-{low}"):
            kept.append((name, value))
            continue
        if low in HOP or low in options and not makes("keeps-connection-options"):
            continue
        if makes("drops-unknown-field") and low == "x-unknown":
            continue
        if makes("drops-cookie") and low == "set-cookie" and any(n.lower() == "set-cookie" for n, _ in kept):
            continue
        kept.append((name, value))
    if makes("joins-set-cookie"):
        cookies = values(kept, "set-cookie")
        if len(cookies) > 1:
            kept = [f for f in kept if f[0].lower() != "set-cookie"] + [("Set-Cookie", ", ".join(cookies))]
    if makes("reverses-fields"):
        kept.reverse()
    if not makes("no-via"):
        via = values(kept, "via")
        if via and not makes("second-via-first"):
            kept = [f for f in kept if f[0].lower() != "via"] + [("Via", ", ".join(via + [me]))]
        elif via:
            kept = [f for f in kept if f[0].lower() != "via"] + [("Via", ", ".join([me] + via))]
        else:
            kept.append(("Via", me))
    return kept


def written(start, fields):
    return (start + "\r\n" + "".join(f"{name}: {value}\r\n" for name, value in fields) + "\r\n").encode("latin-1")


def content(peer, framing, size):
    """Pieces of content, and trailer fields as the last piece where there are any."""
    if framing == "length":
        yield from peer.exactly(size)
    elif framing == "close":
        while data := peer.some():
            yield data
    elif framing == "chunked":
        while count := int(peer.line().split(b";")[0].strip() or b"-1", 16):
            if count < 0:
                raise Broken("chunk")
            yield from peer.exactly(count)
            if peer.line():
                raise Broken("chunk")
        trailers = []
        while line := peer.line():
            name, _, value = line.partition(b":")
            trailers.append((name.decode("latin-1"), value.strip(b" \t").decode("latin-1")))
        if trailers:
            yield trailers


def send_content(target, pieces, framing):
    trailers = []
    for piece in pieces:
        if isinstance(piece, list):
            trailers = piece
        elif framing == "chunked":
            target.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
        else:
            target.sendall(piece)
    if framing == "chunked":
        target.sendall(b"0\r\n" + b"".join(f"{n}: {v}\r\n".encode("latin-1") for n, v in trailers) + b"\r\n")


class Own(Exception):
    """A reply of the intermediary itself."""

    def __init__(self, status, reason, fields=()):
        self.status, self.reason, self.fields = status, reason, list(fields)


def reply_own(client, own, method="GET"):
    body = f"{own.status} {own.reason}\n".encode()
    own.fields.append(("Date", email.utils.formatdate(usegmt=True)))
    fields = own.fields + [("Content-Type", "text/plain"), ("Content-Length", str(len(body))), ("Connection", "close")]
    client.socket.sendall(written(f"HTTP/1.1 {own.status} {own.reason}", fields) + (b"" if method == "HEAD" else body))


def request_line(start):
    parts = start.split(" ")
    if len(parts) != 3 or not all(parts) or not parts[2].startswith("HTTP/1."):
        raise Own(400, "Bad Request")
    return parts


def serve(client):
    """One request and its reply; whether another may follow."""
    try:
        head = client.head()
    except Broken:
        raise Own(400, "Bad Request") from None
    if head is None:
        return False
    (method, target, version), fields = request_line(head[0]), head[1]
    if target.lower().startswith("http://"):
        authority, slash, path = target[7:].partition("/")
        if makes("keeps-host-of-absolute-form"):
            pass
        else:
            fields = [("Host", authority)] + [f for f in fields if f[0].lower() != "host"]
        target = slash + path or ("*" if method == "OPTIONS" and IS_FORWARD else "/")
    if version == "HTTP/1.1" and len(values(fields, "host")) != 1 and not makes("takes-no-host"):
        raise Own(400, "Bad Request")
    if "password" in WORDS and CREDENTIALS not in values(fields, "proxy-authorization") and not makes("asks-nobody"):
        if makes("asks-by-401"):
            raise Own(401, "Unauthorized", [("WWW-Authenticate", 'Basic realm="right"')])
        raise Own(407, "Proxy Authentication Required", [("Proxy-Authenticate", 'Basic realm="right"')])
    if method == "CONNECT" and IS_FORWARD:
        return tunnel(client, target.rsplit(":", 1))
    if method == "CONNECT":
        raise Own(405, "Method Not Allowed", [("Allow", "GET, HEAD, POST, PUT, DELETE, OPTIONS")])
    if method in ("OPTIONS", "TRACE") and values(fields, "max-forwards"):
        left = values(fields, "max-forwards")[0]
        if left == "0" and not makes("forwards-at-zero"):
            if method == "TRACE":
                raise Own(405, "Method Not Allowed", [("Allow", "GET, HEAD, POST, PUT, DELETE, OPTIONS")])
            raise Own(200, "OK", [("Allow", "GET, HEAD, POST, PUT, DELETE, OPTIONS")])
        if left.isdigit() and not makes("keeps-max-forwards"):
            fields = [(n, str(int(v) - 1)) if n.lower() == "max-forwards" else (n, v) for n, v in fields]
    codings = words(fields, "transfer-encoding")
    if codings and (codings != ["chunked"] or values(fields, "content-length")):
        raise Own(501 if codings != ["chunked"] else 400, "Not Implemented" if codings != ["chunked"] else "Bad Request")
    try:
        size = length(fields)
    except Broken:
        raise Own(400, "Bad Request") from None
    framing = "chunked" if codings else "length" if size else "none"
    if makes("decodes-target"):
        target = target.replace("%2F", "/").replace("%41", "A")
    if makes("removes-dot-segments"):
        target = target.replace("/./", "/")
    if makes("upper-cases-method"):
        method = method.upper()
    upgrade = values(fields, "upgrade") if "upgrade" in words(fields, "connection") else []
    onward = handed(fields, client.version if client.version and not makes("streams-via-1.1") else version[5:])
    asked = values(fields, "host")
    server = (asked[0].rsplit(":", 1) if asked and ":" in asked[0] else None) if IS_FORWARD else UPSTREAM
    if not server or not server[1].isdigit():
        raise Own(400, "Bad Request")
    if version == "HTTP/1.0":
        onward = [f for f in onward if f[0].lower() not in ("host", "expect")] + [("Host", ":".join(server))]
    if framing == "chunked":
        onward.append(("Transfer-Encoding", "chunked"))
    if upgrade:
        onward += [("Connection", "upgrade"), ("Upgrade", ", ".join(upgrade))]
    else:
        onward.append(("Connection", "close"))
    key = ":".join(server) + target
    request = Request(method, version, key, fields, bool(upgrade))
    if CACHE:
        entry = CACHE.find(key, method, fields)
        if entry:
            status, reason, stored, body = CACHE.answer(entry, method, fields)
            client.socket.sendall(written(f"HTTP/1.1 {status} {reason}", stored) + body)
            return version == "HTTP/1.1" and "close" not in words(fields, "connection")
        if "only-if-cached" in ", ".join(values(fields, "cache-control")).lower():
            raise Own(504, "Gateway Timeout")
        request.stale = CACHE.stale(key, method, fields)
        if request.stale:
            onward += [("If-None-Match", value) for value in values(request.stale.fields, "etag")]
    tries = 0
    while True:
        tries += 1
        try:
            return exchange(client, server, target, request, onward, framing, size)
        except Broken as fault:
            # Nothing of a reply has come: only what may be repeated is (RFC 9110 §9.2.2), and its content has gone.
            if makes("repeats-post") and method == "POST" and tries == 1 and fault.args == ("no reply",):
                framing, size = "none", None
                continue
            raise Own(502, "Bad Gateway") from None


def tunnel(client, place):
    """RFC 9110 §9.3.6."""
    if len(place) != 2 or not place[1].isdigit():
        raise Own(400, "Bad Request")
    framing = [("Transfer-Encoding", "chunked")] if makes("frames-tunnels") else []
    if makes("tunnels-at-once"):
        client.socket.sendall(written("HTTP/1.1 200 Connection established", framing))
    try:
        server = Peer(socket.create_connection((place[0], int(place[1])), SILENCE))
    except OSError:
        raise Own(502, "Bad Gateway") from None
    with server.socket:
        if not makes("tunnels-at-once"):
            client.socket.sendall(written("HTTP/1.1 200 Connection established", framing))
        relay(client, server)
    return False


class Request:
    def __init__(self, method, version, key, fields, upgrades):
        self.method, self.version, self.key, self.fields, self.upgrades = method, version, key, fields, upgrades
        self.stale, self.asked = None, time.time()


def exchange(client, upstream, target, request, onward, framing, size):
    if makes("waits-for-content") and framing == "length":
        client.rest = b"".join(client.exactly(size)) + client.rest
    try:
        server = Peer(socket.create_connection((upstream[0], int(upstream[1])), SILENCE))
    except OSError:
        raise Own(502, "Bad Gateway") from None
    server.socket.settimeout(SILENCE)
    failed = []

    def upload():
        try:
            send_content(server.socket, content(client, framing, size), framing if framing == "chunked" else "length")
        except (OSError, Broken, ValueError) as fault:
            failed.append(fault)
            if isinstance(fault, Broken) and not makes("completes-requests"):
                server.socket.close()

    with server.socket:
        server.socket.sendall(written(f"{request.method} {target} HTTP/1.1", onward))
        sender = threading.Thread(target=upload, daemon=True) if framing != "none" else None
        if sender:
            sender.start()
        return hand_back(client, server, request, sender)


def hand_back(client, server, request, sender):
    method, version, asked = request.method, request.version, request.fields
    try:
        while True:
            head = server.head()
            if head is None:
                raise Broken("no reply")
            parts = head[0].split(" ", 2)
            if len(parts) < 2 or not parts[0].startswith("HTTP/1.") or not (parts[1].isdigit() and len(parts[1]) == 3):
                raise Broken("status line")
            status, reason, fields = int(parts[1]), parts[2] if len(parts) > 2 else "", head[1]
            if status == 101 or status >= 200:
                break
            if version != "HTTP/1.0" and not makes("drops-interim"):
                client.socket.sendall(written(f"HTTP/1.1 {status} {reason}", handed(fields)))
    except TimeoutError:
        raise Own(504, "Gateway Timeout") if not makes("502-for-silence") else Own(502, "Bad Gateway") from None
    except OSError:
        raise Broken("no reply") from None
    if status == 101:
        if not request.upgrades:
            raise Own(502, "Bad Gateway")
        onward = handed(fields) + [("Connection", "upgrade"), ("Upgrade", ", ".join(values(fields, "upgrade")))]
        client.socket.sendall(written(f"HTTP/1.1 101 {reason}", onward))
        relay(client, server)
        return False
    codings = words(fields, "transfer-encoding")
    if codings and codings != ["chunked"]:
        raise Broken("coding")
    size = length(fields) if not codings else None
    has_content = method != "HEAD" and status not in (204, 304)
    framing = "none" if not has_content else "chunked" if codings else "close" if size is None else "length"
    onward = handed(fields)
    if codings:
        onward = [f for f in onward if f[0].lower() != "content-length"]
    if makes("changes-unknown-status") and status == 299:
        status = 200
    if makes("adds-length-to-304") and status == 304:
        onward.append(("Content-Length", "0"))
    if makes("drops-length-of-head") and method == "HEAD":
        onward = [f for f in onward if f[0].lower() != "content-length"]
    if not values(onward, "date") and not makes("adds-no-date"):
        onward.append(("Date", email.utils.formatdate(usegmt=True)))
    ours = framing
    if framing == "close" and version == "HTTP/1.1":
        ours = "chunked"
    if framing == "chunked" and (version == "HTTP/1.0" and not makes("chunks-to-1.0")):
        ours = "close"
    if ours == "chunked":
        onward.append(("Transfer-Encoding", "chunked"))
    stays = version == "HTTP/1.1" and "close" not in words(asked, "connection") and ours != "close"
    if not stays:
        onward.append(("Connection", "close"))
    if CACHE and request.stale and status == 304:
        CACHE.renew(request.stale, onward, request.asked)
        status, reason, onward, body = CACHE.answer(request.stale, method, asked)
        client.socket.sendall(written(f"HTTP/1.1 {status} {reason}", onward + ([] if stays else [("Connection", "close")])) + body)
        return stays
    if CACHE:
        CACHE.invalidate(request.key, method, status, fields)
    client.socket.sendall(written(f"HTTP/1.1 {status} {reason}", onward))
    kept = []
    pieces = tee(content(server, framing, size), kept)
    if makes("completes-replies") and ours == "chunked":
        pieces = whole(pieces)
    try:
        send_content(client.socket, pieces, ours)
        if CACHE:
            CACHE.store(request.key, method, asked, status, reason, onward, b"".join(kept), request.asked)
    except (OSError, Broken, ValueError):
        # Its framing must not say that the reply is whole (RFC 9112 §8).
        if ours == "close":
            client.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        return False
    if sender and sender.is_alive():
        sender.join(PATIENCE)
        if sender.is_alive():
            return False
    return stays


def tee(pieces, kept):
    """The pieces, whose content is kept on the way, as far as a cache would."""
    size = 0
    for piece in pieces:
        if CACHE and isinstance(piece, bytes) and size < MOST_KEPT:
            size += len(piece)
            kept.append(piece)
        yield piece


def whole(pieces):
    try:
        yield from pieces
    except (OSError, Broken, ValueError):
        return


def relay(client, server):
    """Hands bytes on in both directions until either end closes."""

    def pump(source, target):
        try:
            while data := source.some():
                target.socket.sendall(data)
            target.socket.shutdown(socket.SHUT_WR)
        except OSError:
            pass

    server.socket.settimeout(None)
    back = threading.Thread(target=pump, args=(server, client), daemon=True)
    back.start()
    pump(client, server)
    back.join(PATIENCE)


def converse(connection, version=None):
    client = Peer(connection)
    client.version = version
    with connection:
        try:
            while serve(client):
                pass
        except Own as own:
            try:
                reply_own(client, own)
            except OSError:
                pass
        except OSError:
            pass


def main():
    for word in WORDS:
        if word.startswith("quic="):
            import datagrams

            datagrams.listen(word[5:], converse, makes)
    for word in WORDS:
        if word.startswith("tls="):
            import streams

            streams.listen(word[4:], converse, makes)
    listener = socket.create_server((LISTEN[0], int(LISTEN[1])), backlog=64)
    while True:
        connection, _ = listener.accept()
        threading.Thread(target=converse, args=(connection,), daemon=True).start()


main()
