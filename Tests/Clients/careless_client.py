#!/usr/bin/env python3
"""An adapter of a client of HTTP/1.1 that reads replies by itself, rightly or with one mistake, for tests of what cases notice.

    careless_client.py              asks for the rest of what breaks off, and puts together only what belongs together
    careless_client.py MISTAKE      the same with one mistake, of the list below

It has no cookies for good, no cache for good and no credentials for good: what it keeps, it keeps for the steps of one assignment.
"""

import base64
import contextlib
import hashlib
import os
import re
import socket
import sys
import urllib.parse

sys.dont_write_bytecode = True
ROOT = os.path.join(os.path.dirname(os.path.realpath(__file__)), "..", "..", "clients")
sys.path += [os.path.join(ROOT, "adapters"), os.path.join(ROOT, "kits", "python"), os.path.dirname(os.path.realpath(__file__))]

from proctor_kit import content, place  # noqa: E402
from proctor_python import Library, Load, fields_of, tls_context  # noqa: E402

MISTAKES = {
    "appends": "puts whatever comes behind what it has",
    "appends-any-version": "looks at Content-Range alone, and not at the version",
    "appends-any-range": "looks at the version alone, and not at Content-Range",
    "appends-any-length": "looks at where a part begins, and not at how long it is",
    "splits-heads": "takes characters that some language takes for the end of a line for the end of one in a head",
    "splits-chunks": "takes them for the end of a chunk line",
    "keeps-content-fields": "sends the fields of the content where the content is gone",
    "keeps-expect": "sends Expect where the content is gone",
    "waits-for-leave": "waits for a 100 before it sends nothing",
    "holds-lines": "keeps every line that it reads",
    "keeps-all-cookies": "keeps and sends any number of cookies",
    "says-any-condition": "sends a tag and a date of any length again",
    "answers-any-challenge": "sends a nonce, an opaque and a realm of any length again",
    "believes-lengths": "takes content that breaks off for the whole",
    "refers-to-all-of-it": "sends Referer with the whole URL that redirected it, wherever the redirect leads",
    "buffers-each-alternative": "has a buffer of 32 KiB for each alternative service that it is told",
    "keeps-the-netrc-credential": "sends the credential of a .netrc file's host to where a redirect leads",
    "fills-up-from-netrc": "takes the credential of the host before for an entry of a .netrc file that is not whole",
    "takes-names-that-end-alike": "takes the entry of a .netrc file for each host whose name ends like its own",
    "takes-the-first-name": "looks in a .netrc file for what stands in front of the first colon of an authority",
    "asks-netrc-once": "looks into a .netrc file for the first load alone",
    "tells-the-credential": "sends the credential of its proxy with every request",
}
LINE, LINES, HELD = 1 << 20, 10_000, 1 << 16
# What some language takes for the end of a line, in UTF-8 and ISO-8859-1.
ENDS = re.compile(rb"[\x0b\x0c\x1c-\x1e]|\xc2?\x85|\xe2\x80[\xa8\xa9]")
HOLDERS = ("holds-lines", "says-any-condition", "answers-any-challenge")
CONTENT_FIELDS = ("content-type", "content-language", "content-encoding", "content-location", "last-modified", "digest")


class Broken(Exception):
    """The reply breaks off, or is none."""


class Reader:
    """The bytes of a connection; a line ends with CRLF alone."""

    def __init__(self, connection, mistake):
        self.connection, self.mistake, self.buffer, self.start, self.held = connection, mistake, b"", 0, []

    def fill(self):
        try:
            piece = self.connection.recv(1 << 20)
        except ConnectionError as error:
            raise Broken("the connection broke off") from error
        self.buffer, self.start = self.buffer[self.start:] + piece, 0
        return bool(piece)

    def line(self):
        while (end := self.buffer.find(b"\r\n", self.start)) < 0:
            if len(self.buffer) - self.start > LINE and self.mistake not in HOLDERS or not self.fill():
                raise Broken("a line breaks off, or is longer than a mebibyte")
        line, self.start = self.buffer[self.start:end], end + 2
        if self.mistake == "holds-lines":
            self.held.append({"line": line, "name": line.partition(b":"), "parts": line.split(b";")})
        return line

    def lines(self):
        """Those up to an empty one."""
        found = []
        while line := self.line():
            if len(found) == LINES and self.mistake != "holds-lines":
                raise Broken("a head has more than 10,000 lines")
            found.append(line)
        return found

    def portion(self, most):
        """At least a byte, unless the connection has ended."""
        if self.start == len(self.buffer) and not self.fill():
            return b""
        piece = self.buffer[self.start:self.start + most]
        self.start += len(piece)
        return piece


class Reply:
    """A reply with its content, and whether that is whole."""

    def __init__(self, reader, method, mistake):
        self.mistake, self.body, self.is_whole = mistake, b"", False
        for _ in range(1000):
            lines = self.split(reader.lines())
            status = re.fullmatch(rb"HTTP/1\.[01] ([1-9][0-9]{2})( .*)?", lines[0] if lines else b"", re.DOTALL)
            if not status:
                raise Broken("no status line")
            self.status = int(status[1])
            if self.status >= 200:
                break
        else:
            raise Broken("more than a thousand interim replies")
        self.fields = [(name.decode("latin-1").lower(), value.strip(b" \t").decode("latin-1")) for name, _, value in (line.partition(b":") for line in lines[1:])]
        try:
            for piece in self.content(reader, method):
                self.body += piece
            self.is_whole = True
        except Broken:
            self.is_whole = mistake == "believes-lengths"

    def split(self, lines):
        if self.mistake != "splits-heads":
            return lines
        return [part for line in lines for part in ENDS.split(line)]

    def field(self, name):
        return next((value for own, value in self.fields if own == name.lower()), None)

    def content(self, reader, method):
        if method == "HEAD" or self.status in (204, 304):
            return
        if (self.field("Transfer-Encoding") or "").lower() == "chunked":
            yield from self.chunks(reader)
        elif (length := self.field("Content-Length")) is not None:
            if not re.fullmatch("[0-9]{1,20}", length) or len({value for name, value in self.fields if name == "content-length"}) > 1 and self.mistake != "splits-heads":
                raise Broken("no length")
            yield from self.exactly(reader, int(length))
        else:
            while piece := reader.portion(1 << 20):
                yield piece

    def exactly(self, reader, count):
        while count:
            piece = reader.portion(min(count, 1 << 20))
            if not piece:
                raise Broken("the content breaks off")
            count -= len(piece)
            yield piece

    def chunks(self, reader):
        while True:
            line = reader.line()
            if self.mistake == "splits-chunks" and len(parts := ENDS.split(line, 1)) > 1:
                # The rest of the line is the beginning of the chunk.
                line = parts[0]
                reader.buffer, reader.start = parts[1] + b"\r\n" + reader.buffer[reader.start:], 0
            size = re.match(b"[0-9A-Fa-f]{1,16}(?=[ \t]*(;|$))", line)
            if not size:
                raise Broken("no chunk size")
            if not int(size[0], 16):
                reader.lines()
                return
            yield from self.exactly(reader, int(size[0], 16))
            if reader.line():
                raise Broken("a chunk is longer than its size")


class CarelessLoad(Load):
    def perform(self):
        step, self.mistake, self.kept = self.step, self.adapter.mistake, self.adapter.kept
        self.method, self.whole = step["method"], step["url"]
        self.url = self.whole.partition("#")[0]
        self.fields, self.content = fields_of(step), content(step)
        earlier = self.kept["downloads"].get(step.get("resume"))
        reply = self.answered(earlier)
        for _ in range(20):
            if not (step["beforehand"]["follow"] and 300 <= reply.status < 400 and reply.field("Location")):
                break
            self.redirect(reply)
            reply = self.answered(None)
        self.head(self.url, reply.status, reply.field)
        self.take(reply.body)
        if step["task"] == "download":
            self.kept["downloads"][self.index] = reply
        if not reply.is_whole:
            raise Broken("the content breaks off")

    def answered(self, earlier):
        """The whole reply, by one further request where it breaks off and can be gone on with; `earlier` is what there is of it."""
        reply = earlier or self.send([])
        if self.account and reply.status == 401 and not earlier:
            reply = self.challenged(reply)
        tag = reply.field("ETag") or ""
        if reply.is_whole or reply.status != 200 or not reply.body or self.step["task"] == "download" and not earlier:
            return reply
        if not tag.startswith('"') and not self.mistake.startswith("appends"):
            return reply
        rest = self.send([("Range", f"bytes={len(reply.body)}-"), *([("If-Range", tag)] if tag else [])])
        if self.belongs(reply, rest):
            rest.body = reply.body + rest.body
            return rest
        if rest.status == 200 and rest.is_whole:
            return rest
        return reply

    def belongs(self, reply, rest):
        if self.mistake == "appends":
            return True
        if rest.status != 206 or not rest.is_whole:
            return False
        # Where a tag does not change, the same bytes are meant.
        is_same = rest.field("ETag") == reply.field("ETag") or self.mistake == "appends-any-version"
        said = re.fullmatch(r"bytes ([0-9]+)-([0-9]+)/([0-9]+)", rest.field("Content-Range") or "")
        if self.mistake == "appends-any-range":
            return is_same
        if not said:
            return False
        first, last, length = (int(text) for text in said.groups())
        fits = first == len(reply.body) and last - first + 1 == len(rest.body) and last == length - 1
        return is_same and (fits or self.mistake == "appends-any-length" and first == len(reply.body) and first <= last < length)

    def challenged(self, reply):
        """The answer to a challenge of Digest, unless it would be said again at more length than a line has."""
        asked = dict(re.findall(r'(\w+)="([^"]*)"', reply.field("WWW-Authenticate") or ""))
        if sum(map(len, asked.values())) > HELD and self.mistake != "answers-any-challenge":
            return reply
        user, password = self.account

        def hashed(*parts):
            return hashlib.md5(":".join(parts).encode(), usedforsecurity=False).hexdigest()

        realm, nonce, uri = asked.get("realm", ""), asked.get("nonce", ""), urllib.parse.urlsplit(self.url).path
        proof = hashed(hashed(user, realm, password), nonce, "00000001", "c", "auth", hashed(self.method, uri))
        parts = {"username": user, "realm": realm, "nonce": nonce, "uri": uri, "response": proof, "cnonce": "c", **({"opaque": asked["opaque"]} if "opaque" in asked else {})}
        return self.send([("Authorization", "Digest " + ", ".join(f'{name}="{value}"' for name, value in parts.items()) + ", qop=auth, nc=00000001")])

    def redirect(self, reply):
        if reply.status == 303 and self.method != "HEAD" or reply.status in (301, 302) and self.method == "POST":
            dropped = () if self.mistake == "keeps-content-fields" else CONTENT_FIELDS
            dropped = dropped if self.mistake == "keeps-expect" else (*dropped, "expect")
            self.method, self.content = "GET", None
            self.fields = [(name, value) for name, value in self.fields if name.lower() not in dropped]
        if self.mistake == "refers-to-all-of-it":
            self.fields = [*((name, value) for name, value in self.fields if name != "Referer"), ("Referer", self.whole)]
        self.whole = urllib.parse.urljoin(self.url, reply.field("Location"))
        self.url = self.whole.partition("#")[0]

    def send(self, more):
        if "cache" in self.adapter.needs and not more and (stored := self.kept["fresh"].get(self.url)):
            return stored
        parts = urllib.parse.urlsplit(self.url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
        proxy = None if parts.hostname in self.setup.get("noProxy", []) else self.setup.get("proxy")
        found = proxy or place(self.setup, parts.hostname, port) or f"{parts.hostname}:{port}"
        host, _, number = found.rpartition(":")
        try:
            with socket.create_connection((host.strip("[]"), int(number)), self.silence or 20) as connection:
                if parts.scheme == "https":
                    if proxy:
                        self.open_tunnel(connection, f"{parts.hostname}:{port}")
                    connection = tls_context(self.setup).wrap_socket(connection, server_hostname=parts.hostname)
                    proxy = None
                return self.exchange(connection, parts, more, proxy)
        except TimeoutError:
            raise
        except OSError as error:
            raise Broken(str(error)) from error

    def open_tunnel(self, connection, authority):
        credential = "Proxy-Authorization: Basic dXNlcjpwYXNz\r\n" if self.account else ""
        connection.sendall(f"CONNECT {authority} HTTP/1.1\r\nHost: {authority}\r\n{credential}\r\n".encode())
        reader = Reader(connection, "")
        if not re.match(rb"HTTP/1\.[01] 2", reader.lines()[0]):
            raise Broken("the proxy opens no tunnel")

    def exchange(self, connection, parts, more, proxy):
        target = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}" if proxy else (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        fields = [("Host", parts.netloc.rpartition("@")[2]), *self.fields, *more, *self.remembered(parts)]
        if self.content is not None:
            fields.append(("Content-Length", str(len(self.content))))
        if credential := self.credential_of_file(parts):
            fields.append(("Authorization", credential))
        if self.account and (proxy or self.mistake == "tells-the-credential" and self.setup.get("proxy")):
            fields.append(("Proxy-Authorization", "Basic dXNlcjpwYXNz"))
        head = "".join(f"{name}: {value if isinstance(value, str) else value.decode()}\r\n" for name, value in fields)
        connection.sendall(f"{self.method} {target} HTTP/1.1\r\n{head}\r\n".encode("latin-1"))
        expects = any(name.lower() == "expect" for name, _ in fields)
        if expects and self.mistake == "waits-for-leave" and self.content is None:
            # Only a 100 would do; the reply itself waits behind it.
            raise TimeoutError("no leave came")
        connection.sendall(self.content or b"")
        reply = Reply(Reader(connection, self.mistake), self.method, self.mistake)
        self.remember(parts, reply)
        return reply

    def credential_of_file(self, parts):
        """What a .netrc file has for the host, for Basic; a credential of the caller's goes first."""
        if "netrc" not in self.setup or any(name.lower() == "authorization" for name, _ in self.fields):
            return None
        words, entries = self.setup["netrc"].split(), {}
        for word, value in zip(words, words[1:] + [""]):
            if word in ("machine", "default"):
                own = entries.setdefault(value if word == "machine" else None, {})
            elif word in ("login", "password"):
                own[word] = value
        host = parts.netloc.partition(":")[0] if self.mistake == "takes-the-first-name" else parts.hostname
        found = entries.get(host, entries.get(None, {}))
        if self.mistake == "takes-names-that-end-alike":
            found = next((entry for name, entry in entries.items() if name and host.endswith(name)), found)
        before = self.kept["credential"]
        if self.mistake == "keeps-the-netrc-credential" and before and host not in entries or self.mistake == "asks-netrc-once" and before:
            found = before
        elif self.mistake == "fills-up-from-netrc" and (host in entries or None in entries):
            found = {**before, **found}
        if self.mistake in ("keeps-the-netrc-credential", "fills-up-from-netrc", "asks-netrc-once"):
            self.kept["credential"] = found
        if found.keys() != {"login", "password"}:
            return None
        return "Basic " + base64.b64encode(f"{found['login']}:{found['password']}".encode()).decode()

    # MARK: What one load leaves to the next

    def remembered(self, parts):
        found = []
        cookies = "; ".join(self.kept["cookies"]) if "cookie-jar" in self.adapter.needs else ""
        if cookies:
            found.append(("Cookie", cookies))
        conditions = self.kept["conditions"].get(self.url, {}) if "cache" in self.adapter.needs else {}
        return found + [(name, value) for name, value in conditions.items() if len(value) <= HELD or self.mistake == "says-any-condition"]

    def remember(self, parts, reply):
        for name, value in reply.fields:
            if name == "set-cookie":
                self.kept["cookies"].append(value.partition(";")[0])
        if self.mistake == "buffers-each-alternative":
            services = re.findall('[a-z0-9]+="[^"]*"', reply.field("Alt-Svc") or "")
            self.kept["alternatives"] += [service.encode().ljust(HELD // 2, b"-") for service in services]
        if self.mistake != "keeps-all-cookies":
            del self.kept["cookies"][:-50]
        if re.search("max-age=[1-9]", reply.field("Cache-Control") or "") and reply.is_whole and self.method == "GET":
            self.kept["fresh"][self.url] = reply
        names = {"If-None-Match": reply.field("ETag"), "If-Modified-Since": reply.field("Last-Modified")}
        self.kept["conditions"][self.url] = {name: value for name, value in names.items() if value}


class CarelessClient(Library):
    client = module = "careless-client"
    revision, errors = "1", {"Broken": "connectionLost", "TimeoutError": "timedOut"}
    abilities = "methods redirects redirect-refuse cookie-jar cache digest basic trust proxy proxy-tunnel proxy-exceptions netrc alt-svc resume time-limit-silence"
    facts = ("url", "status", "mime", "bytes", "body", "error", "message", "header")

    def __init__(self, mistake):
        self.mistake, self.needs, self.kept = mistake or "", (), {}

    def version(self):
        return "1"

    def check(self, assignment):
        super().check(assignment)
        self.needs = assignment.get("needs", ())
        self.kept = {"downloads": {}, "cookies": [], "conditions": {}, "fresh": {}, "credential": {}, "alternatives": []}

    def session(self, assignment):
        return contextlib.nullcontext()

    def load(self, *parts):
        return CarelessLoad(self, *parts)


if __name__ == "__main__":
    if sys.argv[1:2] == ["--mistakes"]:
        sys.exit(print("\n".join(f"{name}\t{text}" for name, text in MISTAKES.items())))
    given = sys.argv.pop(1) if sys.argv[1:2] and sys.argv[1] in MISTAKES else None
    sys.exit(CarelessClient(given).main(__doc__))
