#!/usr/bin/env python3
"""Asks an origin through a proxy of TLS, with TLS within TLS by hand, and says how the connection ends.

    tls_in_tls.py ADDRESS:PORT AUTHORITY-FILE HOST PATH

Prints the reply, then `fin` or `rst`: what the system has seen of the proxy, since ssl takes a reset for an end.
"""
import select
import socket
import ssl
import sys

address, _, port = sys.argv[1].rpartition(":")
trust, host, path = sys.argv[2:5]
raw = socket.create_connection((address, int(port)), 30)
context = ssl.create_default_context(cafile=trust)
outer = context.wrap_socket(raw, server_hostname=address, suppress_ragged_eofs=False)


def line_end(read):
    """What came up to an empty line."""
    got = b""
    while b"\r\n\r\n" not in got:
        piece = read()
        if not piece:
            break
        got += piece
    return got


def end():
    """How the proxy's connection has ended: by FIN the system waits for this side to close, by RST for nothing (tcp(7))."""
    try:
        outer.recv(1)
    except OSError:
        pass
    # TLS tells its end in a record of its own, and the end of the connection may come behind it.
    waiting = select.poll()
    waiting.register(outer, select.POLLRDHUP)
    waiting.poll(60_000)
    return {7: "rst", 8: "fin"}.get(outer.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 8)[0], "open")


outer.sendall(f"CONNECT {host}:443 HTTP/1.1\r\nHost: {host}:443\r\n\r\n".encode())
head = line_end(lambda: outer.recv(4096))
print(head.split(b"\r\n")[0].decode())
incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
inner = context.wrap_bio(incoming, outgoing, server_hostname=host)


def step(act):
    """Does an act of the inner session; moves its records within those of the outer one until it is done."""
    while True:
        try:
            result = act()
            outer.sendall(outgoing.read())
            return result
        except ssl.SSLWantReadError:
            outer.sendall(outgoing.read())
            piece = outer.recv(65536)
            if piece:
                incoming.write(piece)
            else:
                incoming.write_eof()


try:
    step(inner.do_handshake)
    step(lambda: inner.write(f"GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n".encode()))
    got = b""
    while piece := step(lambda: inner.read(65536)):
        got += piece
    print(got.partition(b"\r\n\r\n")[2].decode())
    print(end())
except OSError:
    print(end())
