"""What an idle process holds, and what it holds for a connection that waits, unused and once used."""
import socket
import time

from measures import spread
from servers import Proctor

COUNT = 10000


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
