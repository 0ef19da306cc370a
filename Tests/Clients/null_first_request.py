#!/usr/bin/env python3
"""An adapter of Proctor for nobody: it sends the first request of each step, reads nothing, and reports nothing but `resume`.

It shows what a client passes that has looked at no reply. It declares every ability and every fact, so that no case is
excused. A request goes to the proxy where there is one: in absolute form, or as a CONNECT, behind which nothing more
comes. For https a handshake goes before it, with the trust of the assignment.
"""

import os
import socket
import ssl
import sys
import urllib.parse

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.realpath(__file__))
sys.path[:0] = [os.path.join(HERE, "..", "..", "clients", folder) for folder in ("adapters", "kits/python")]

from proctor_kit import Adapter, content, is_streamed, place  # noqa: E402

# What a client may have; Docs/adapters.md says what each word means.
ABILITIES = frozenset("""
    methods repeated-fields verbatim-urls encodes-values http/1.0 h2 unix-sockets own-scheme
    redirects redirect-refuse redirect-change redirect-cancel redirect-per-answer fragment
    cookie-jar cookies-from-addresses cookies-by-document
    basic digest bearer challenge-default challenge-cancel challenges-in-turn credential-store
    connection-limit proxy proxy-tunnel proxy-h2 trust trust-question identity identity-question
    upload-stream upload-stream-question several-loads response-answers cancel suspend resume answer-later scheduling
    session-end url-protocol
    cache cache-policy store-access time-limit-silence time-limit-total
    callbacks metrics fetch foundation
""".split())

# Seconds for each call; a server that reads nothing would keep it for ever.
PATIENCE = 2
EVERY_FACT = ("url", "status", "mime", "suggestedName", "expectedLength", "bytes", "body", "error")


def connect(session, parts, port):
    """A connection to the proxy, or to where the host of the URL stands."""
    found = session.get("proxy") or place(session, parts.hostname, port) or f"{literal(parts.hostname)}:{port}"
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
    context = ssl.create_default_context(cafile=session.get("trust"))
    if session.get("identity"):
        context.load_cert_chain(session["identity"]["certificate"], session["identity"]["key"])
    return context.wrap_socket(connection, server_hostname=host)


def head_and_body(session, step, parts, authority):
    """The bytes of the request."""
    target = urllib.parse.quote(parts.path or "/", safe="/%!$&'()*+,;=:@~-._")
    if parts.query:
        target += "?" + urllib.parse.quote(parts.query, safe="/%!$&'()*+,;=:@~-._?")
    if session.get("proxy"):
        target = f"http://{authority}{target}"
    lines = [f"{step['method']} {target} HTTP/1.1"]
    if not any(name.lower() == "host" for name, _ in step["headers"]):
        lines.append(f"Host: {authority}")
    lines += [f"{name}: {value}" for name, value in step["headers"]]
    body = content(step) or b""
    if is_streamed(step):
        lines.append("Transfer-Encoding: chunked")
        body = (f"{len(body):x}\r\n".encode() + body + b"\r\n" if body else b"") + b"0\r\n\r\n"
    elif "body" in step or step["method"] in ("POST", "PUT", "PATCH"):
        lines.append(f"Content-Length: {len(body)}")
    return "\r\n".join(lines + ["", ""]).encode() + body


def send_first(session, step):
    """The connection, on which the request is; raises where nothing can be sent."""
    parts = urllib.parse.urlsplit(step["url"])
    if session.get("ownScheme") == parts.scheme:
        parts = parts._replace(scheme="http")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise ValueError(f"{step['url']} is no URL of HTTP")
    usual = 443 if parts.scheme == "https" else 80
    host = parts.hostname if parts.hostname.isascii() else parts.hostname.encode("idna").decode()
    parts = parts._replace(netloc=parts.netloc if parts.hostname.isascii() else f"{host}:{parts.port or usual}")
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
        connection.sendall(head_and_body(session, step, parts, authority))
    except BaseException:
        connection.close()
        raise
    return connection


def send_all(assignment, trace, claim=None):
    """Sends the first request of each step; `claim(step)` are the facts of a result that is then told."""
    session, connections = assignment["session"], []
    for index, step in enumerate(assignment["steps"]):
        trace.say("resume", index)
        try:
            connections.append(send_first(session, step))
        except (OSError, ValueError):
            pass  # The server has seen what there was to see.
        if claim:
            trace.say("result", index, facts=claim(step))
    for connection in connections:
        connection.close()


class Nobody(Adapter):
    """An adapter without a client, which declares all that can be declared; it claims nothing."""

    client, facts, abilities = "null-first-request", EVERY_FACT, " ".join(ABILITIES)
    claim = None

    def version(self):
        return "1"

    def check(self, assignment):
        """Refuses nothing."""

    def run(self, assignment, trace):
        send_all(assignment, trace, self.claim)


if __name__ == "__main__":
    sys.exit(Nobody().main(__doc__))
