#!/usr/bin/env python3
"""Asks origins for `/` over TLS and tells what it sees on the wire below: records, alerts, and how each connection ends.

    tls_watch.py AUTHORITY-FILE [together] < LINES

A line is `HOST PORT` and words behind it: `newest 1.2`, `identity CERTIFICATE KEY`, `times 2`, `untrusting` (of that authority),
`stays` (asks for no end), `silence 0.5 behind RECORDS` (nothing may come for so many seconds, which count only behind so many
records), `tunnel HOST:443` (by that proxy, with the first message of TLS right behind the CONNECT), and `leave fin` when the
silence is over or `until TEXT` has come: `close` (close_notify and FIN), `fin`, `reset` or `notify` (close_notify alone). For each
comes a line: `handshake` where it did not get further, the version, the error in OpenSSL's words, the end, records by their types, bytes
of a record that did not come whole, and the content.
"""

import concurrent.futures
import itertools
import socket
import ssl
import struct
import sys


def ends(wire):
    """Where the records that came whole end."""
    places = [0]
    while places[-1] + 5 <= len(wire):
        end = places[-1] + 5 + int.from_bytes(wire[places[-1] + 3 : places[-1] + 5], "big")
        if end > len(wire):
            break
        places.append(end)
    return places


def context_of(words):
    context = ssl.create_default_context(cafile=None if "untrusting" in words else sys.argv[1])
    context.set_ciphers("ALL:@SECLEVEL=0")
    # Some builds of python take an end without close_notify for one with it.
    context.options &= ~0x80
    if value(words, "newest") == "1.2":
        context.maximum_version = ssl.TLSVersion.TLSv1_2
    context.set_alpn_protocols(["http/1.1"])
    context.post_handshake_auth = True
    if "identity" in words:
        place = words.index("identity")
        context.load_cert_chain(words[place + 1], words[place + 2])
    return context


def value(words, name, default=None):
    return words[words.index(name) + 1] if name in words else default


def open_tunnel(raw, target, session, outgoing):
    """Sends CONNECT and the ClientHello in one write, and reads the head of the reply."""
    try:
        session.do_handshake()
    except ssl.SSLWantReadError:
        pass
    raw.sendall(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode() + outgoing.read())
    head = b""
    while not head.endswith(b"\r\n\r\n"):
        head += raw.recv(1)


def leave(raw, session, outgoing, how):
    if how in ("close", "notify"):
        try:
            session.unwrap()
        except ssl.SSLError:
            pass
        raw.sendall(outgoing.read())
    if how == "notify":
        while raw.recv(65536):
            pass
    if how == "reset":
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    return "left"


def watch(context, words, kept):
    """One connection; gives what is told of it, and its session."""
    fields = b"" if "stays" in words else b"Connection: close\r\n"
    silence, least = float(value(words, "silence", "60")), int(value(words, "behind", "0"))
    raw = socket.create_connection((words[0], int(words[1])))
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    tunnel = value(words, "tunnel")
    name = tunnel.split(":")[0] if tunnel else words[0]
    session = context.wrap_bio(incoming, outgoing, server_hostname=name, session=kept)
    if tunnel:
        open_tunnel(raw, tunnel, session, outgoing)
    wire, end, error, is_open, plain, failed = b"", None, "", False, b"", False
    while True:
        try:
            if failed:
                raise ssl.SSLWantReadError()
            if not is_open:
                session.do_handshake()
                is_open = True
                session.write(f"GET / HTTP/1.1\r\nHost: {name}\r\n".encode() + fields + b"\r\n")
            data = session.read(65536)
            plain += data
            if plain.endswith(value(words, "until", "\0").encode()):
                end = leave(raw, session, outgoing, value(words, "leave"))
                break
            if data:
                continue
            failed = True
            try:
                session.unwrap()
            except ssl.SSLError:
                pass
        except ssl.SSLWantReadError:
            pass
        except ssl.SSLError as problem:
            error, failed = problem.reason or type(problem).__name__, True
        if end is not None:
            break
        try:
            # An empty one would take the connection's error away from who reads.
            if outgoing.pending:
                raw.sendall(outgoing.read())
        except ConnectionResetError:
            end = "reset"
        except OSError:
            pass
        if end is not None:
            break
        # A crowded machine may take its time until then.
        raw.settimeout(silence if len(ends(wire)) > least else 60)
        try:
            data = raw.recv(65536)
        except ConnectionResetError:
            end = "reset"
        except TimeoutError:
            end = "silent"
        else:
            if data:
                wire += data
                incoming.write(data)
            else:
                end = "fin"
                incoming.write_eof()
        if end in ("reset", "silent") or end and failed:
            break
    if end == "silent" and "leave" in words:
        end = leave(raw, session, outgoing, value(words, "leave"))
    *starts, position = ends(wire)
    runs = [(kind, len(list(some))) for kind, some in itertools.groupby(wire[start] for start in starts)]
    told = ["" if is_open else "handshake", session.version() or "", error, end]
    told += ["resumed" if session.session_reused else "", "records" if runs else "no records"]
    told += [f"{kind}×{count}" if count > 1 else f"{kind}" for kind, count in runs]
    told += ["and a part" if len(wire) > position else ""]
    text = plain.split(b"\r\n\r\n")[-1].decode()[:200].replace("\n", "\\n")
    kept = session.session if is_open else None
    raw.close()
    return " ".join(word for word in told if word) + (f": {text}" if text else ""), kept


def answer(line):
    words = line.split()
    context, kept, told = context_of(words), None, []
    for _ in range(int(value(words, "times", "1"))):
        text, kept = watch(context, words, kept)
        told.append(text)
    return "; ".join(told)


with concurrent.futures.ThreadPoolExecutor(50 if "together" in sys.argv else 1) as threads:
    for told in threads.map(answer, sys.stdin.read().splitlines()):
        print(told)
