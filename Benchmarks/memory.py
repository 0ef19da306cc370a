"""What an idle process holds, and what it holds for a connection that waits, unused and once used."""
import socket
import time

from measures import spread
from servers import Proctor

COUNT = 10000


SOCKET = """summary: A WebSocket that waits
exchanges:
  - request: GET /chat
    reply: { websocket: [{ echo: true }] }
"""
# A text message of one byte, and what comes back.
ASKED, ANSWERED = b"\x81\x81\0\0\0\0a", b"\x81\x01a"


def open_socket(port, path, extensions=""):
    """A WebSocket on which one message was sent and came back."""
    link = socket.create_connection(("127.0.0.1", port), 20)
    link.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                 f"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n{extensions}\r\n".encode())
    got = b""
    while not got.endswith(b"\r\n\r\n"):
        more = link.recv(1)
        if not more:
            raise SystemExit(f"bench: no WebSocket is opened at port {port}: {got!r}")
        got += more
    link.sendall(ASKED)
    while not got.endswith(ANSWERED):
        more = link.recv(4096)
        if not more:
            raise SystemExit(f"bench: the WebSocket at port {port} ended: {got!r}")
        got += more
    return link


def bytes_each_socket(binary, folder):
    """Private bytes of a fresh server for each of so many open WebSockets that wait."""
    fixtures = folder / "sockets"
    (fixtures / "bench").mkdir(parents=True, exist_ok=True)
    (fixtures / "bench" / "socket.yaml").write_text(SOCKET)
    server = Proctor(binary, fixtures).start()
    open_one = lambda: open_socket(server.port, "/bench/socket/chat")
    links = [open_one() for _ in range(10)]
    before = server.memory()
    links += [open_one() for _ in range(COUNT)]
    time.sleep(0.5)
    after = server.memory()
    for link in links:
        link.close()
    server.stop()
    return (after - before) / COUNT


def connect(subject, is_used):
    link = socket.create_connection(("127.0.0.1", subject.port))
    if is_used:
        path = subject.small().split("/", 3)[3]
        link.sendall(f"GET /{path} HTTP/1.1\r\nHost: 127.0.0.1:{subject.port}\r\n\r\n".encode())
        link.recv(4096)
    return link


def bytes_each(subject, is_used):
    """Private bytes for each of so many connections that wait. The server must be a fresh one."""
    # The first ones of all make pools that stay.
    links = [connect(subject, True) for _ in range(10)]
    before = subject.memory()
    links += [connect(subject, is_used) for _ in range(COUNT)]
    # Accepted one after the other: when the last is answered, all are there.
    links.append(connect(subject, True))
    # What is given back when a loop has been idle for a while counts for nothing.
    time.sleep(0.5)
    after = subject.memory()
    for link in links:
        link.close()
    return (after - before) / COUNT


def bench_memory(binary, folder, start_nginx, table, rounds):
    """`start_nginx` gives a fresh one."""
    def fresh(name):
        return Proctor(binary, folder / "thousand").start() if name == "proctor" else start_nginx()

    figures = {}
    for number in range(rounds):
        for name in ("proctor", "nginx") if number % 2 == 0 else ("nginx", "proctor"):
            for is_used in (False, True):
                subject = fresh(name)
                if not is_used:
                    # Nothing has been asked of it yet; what starts behind the ready line shall have ended.
                    time.sleep(2)
                    figures.setdefault((name, "idle"), []).append(subject.memory())
                figures.setdefault((name, is_used), []).append(bytes_each(subject, is_used))
                subject.stop()

    for key, what, text in (("idle", "memory, idle", lambda size: f"{size / 2**20:.1f} MiB"),
                            (False, f"memory for an idle connection, never used, of {COUNT:,}", lambda size: f"{size:,.0f} bytes"),
                            (True, f"memory for an idle connection, once used, of {COUNT:,}", lambda size: f"{size:,.0f} bytes")):
        mine, his = sorted(figures["proctor", key]), sorted(figures["nginx", key])
        ratios = sorted(ours / max(theirs, 1) for ours, theirs in zip(figures["proctor", key], figures["nginx", key]))
        half = len(mine) // 2
        table.add(what, f"{text(mine[half])} ({text(mine[0])} … {text(mine[-1])})", f"nginx {text(his[half])}",
                  spread(ratios[half], ratios[0], ratios[-1]))
    sockets = sorted(bytes_each_socket(binary, folder) for _ in range(rounds))
    table.add(f"memory for an idle WebSocket, of {COUNT:,}",
              f"{sockets[len(sockets) // 2]:,.0f} bytes ({sockets[0]:,.0f} … {sockets[-1]:,.0f} bytes)", "–", "–")
