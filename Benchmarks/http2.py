"""HTTP/2 beside nginx: small replies by h2load, 1 GiB by h2load, and what an idle connection holds."""
import json
import re
import shutil
import socket
import statistics
import subprocess
import sys
import time
import urllib.request

from measures import in_turn, private_memory, spread
from servers import Proctor, RunningNginx, free_port, write_fixtures

PREFACE = b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"
COUNT = 2000


class FramedNginx:
    """One worker that takes HTTP/2 with prior knowledge."""

    def __init__(self, folder, big_file):
        self.port, self.folder = free_port(), folder
        self.config = folder / "nginx-http2.conf"
        self.config.write_text(f"""
            user root; worker_processes 1; daemon off; pid {folder}/nginx-http2.pid; error_log /dev/null;
            worker_rlimit_nofile 65536;
            events {{ worker_connections 20000; }}
            http {{
                access_log off; sendfile on; keepalive_requests 1000000000; keepalive_timeout 600; http2_recv_timeout 600;
                server {{
                    listen 127.0.0.1:{self.port} http2 backlog=4096;
                    location / {{ default_type text/plain; return 200 "hello\\n"; }}
                    location /file {{ alias {big_file}; }}
                }}
            }}""")

    def start(self):
        return subprocess.Popen(["nginx", "-p", str(self.folder), "-c", str(self.config)], stderr=subprocess.DEVNULL)


class Subject:
    """An address that speaks HTTP/2, and the processes behind it."""

    def __init__(self, base, memory):
        self.base, self.memory = base, memory

    def url(self, path):
        return f"{self.base}{path}"


def run_of(server, scenario, protocol="h2"):
    """The address of a run over HTTP/2, or another protocol."""
    request = urllib.request.Request(
        f"{server.base}/__proctor/runs", json.dumps({"scenario": scenario, "protocol": protocol}).encode(),
        {"Content-Type": "application/json"})
    with urllib.request.urlopen(request) as reply:
        return Subject(json.load(reply)["base"], server.memory)


def h2load(url, *options):
    out = subprocess.run(["h2load", "-t1", *options, url], capture_output=True, text=True).stdout
    if not re.search(r" 0 failed, 0 errored, 0 timeout", out):
        sys.exit(f"h2load saw errors at {url}:\n{out}")
    return out


def requests_each_second(url, seconds):
    return float(re.search(r"([\d.]+) req/s", h2load(url, "-c50", "-m10", f"-D{seconds}")).group(1))


def bytes_each_second(url):
    # Windows of 16 MiB, so that it is not measured how often they are given back; beyond, nginx sees a flood.
    begin = time.perf_counter()
    out = h2load(url, "-c1", "-n1", "-m1", "-w24", "-W24")
    if int(re.search(r"\((\d+)\) data", out).group(1)) != 1 << 30:
        sys.exit(f"{url} brought something else than 1 GiB:\n{out}")
    return (1 << 30) / (time.perf_counter() - begin)


def frame(kind, flags, stream, payload):
    return len(payload).to_bytes(3, "big") + bytes([kind, flags]) + stream.to_bytes(4, "big") + payload


def connect(host, port, path):
    """A connection that has got one reply."""
    link = socket.create_connection((host, port))
    # :method GET, :scheme http, :path, :authority, without Huffman.
    authority = f"{host}:{port}".encode()
    block = b"\x82\x86\x04" + bytes([len(path)]) + path.encode() + b"\x01" + bytes([len(authority)]) + authority
    link.sendall(PREFACE + frame(4, 0, 0, b"") + frame(4, 1, 0, b"") + frame(1, 5, 1, block))
    seen = b""
    while b"hello\n" not in seen:
        piece = link.recv(65536)
        if not piece:
            sys.exit(f"the server at port {port} closed a connection of HTTP/2 without a reply")
        seen += piece
    return link


def bytes_each(subject, path):
    """Private bytes for each of so many connections that wait behind one request."""
    host, port = subject.base.split("/")[2].split(":")
    # The journal is as full as it gets, and the pools that stay are made.
    h2load(subject.url(path), "-c20", "-m10", "-n200000")
    links = [connect(host, int(port), path) for _ in range(10)]
    time.sleep(1)
    before = subject.memory()
    links += [connect(host, int(port), path) for _ in range(COUNT)]
    time.sleep(1)
    after = subject.memory()
    for link in links:
        link.close()
    return (after - before) / COUNT


def nginx_memory(process):
    children = subprocess.run(["pgrep", "-P", str(process.pid)], capture_output=True, text=True).stdout.split()
    return sum(private_memory(int(pid)) for pid in [process.pid, *children])


def bench_http2(binary, folder, big_file, table, rounds, seconds):
    if not shutil.which("h2load"):
        sys.exit("bench: h2load is missing; `make bench` installs it (nghttp2-client)")
    write_fixtures(folder / "http2", 1, big_file)
    server = Proctor(binary, folder / "http2").start()
    nginx = RunningNginx(FramedNginx(folder, big_file))
    theirs = Subject(f"http://127.0.0.1:{nginx.port}", lambda: nginx_memory(nginx.process))
    mine, big = run_of(server, "bench/small"), run_of(server, "bench/big")
    (a, b), *ratio = in_turn([theirs.url("/hello"), mine.url("/hello")],
                             lambda url: requests_each_second(url, seconds), rounds)
    table.add("small reply over HTTP/2, 50 connections of 10 streams", f"{b:,.0f}/s", f"nginx {a:,.0f}/s", spread(*ratio))
    (a, b), *ratio = in_turn([theirs.url("/file"), big.url("/file")], bytes_each_second, rounds)
    table.add("1 GiB from a file over HTTP/2", f"{b / 1e9:.2f} GB/s", f"nginx {a / 1e9:.2f} GB/s", spread(*ratio))
    nginx.stop()
    server.stop()
    ours, his = [], []
    for _ in range(rounds):
        # Fresh ones: what the connections of a former round gave back would be used again.
        server = Proctor(binary, folder / "http2").start()
        ours.append(bytes_each(run_of(server, "bench/small"), "/hello"))
        server.stop()
        nginx = RunningNginx(FramedNginx(folder, big_file))
        theirs = Subject(f"http://127.0.0.1:{nginx.port}", lambda: nginx_memory(nginx.process))
        his.append(bytes_each(theirs, "/hello"))
        nginx.stop()
    table.add(f"memory for an idle connection of HTTP/2, once used, of {COUNT:,}",
              f"{statistics.median(ours):,.0f} bytes ({min(ours):,.0f} … {max(ours):,.0f})",
              f"nginx {statistics.median(his):,.0f} bytes",
              f"{statistics.median(ours) / max(statistics.median(his), 1):.2f}")
