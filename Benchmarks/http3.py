"""HTTP/3 beside other servers: small replies and much content by gtlsclient, and what an idle connection holds.

One client asks all: gtlsclient, over one connection with as many streams as the server permits. It takes about as long for a reply
as the fastest servers do, and shares the processors with them. So beside what comes in a second stands what a server sends in one of
its own processor seconds. What is checked before the rounds takes as long as two of them.
"""
import collections
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import time

import quicfloods
from http2 import run_of
from measures import in_turn, private_memory, processor_seconds
from servers import Proctor, free_port, write_fixtures

# The kernel counts processor seconds by 10 ms, so that a server is asked for at least some hundred of them.
REPLIES, MEBIBYTES = 200_000, 1024
IDLE = 100
WINDOW = 16 << 20
STATUS = b"[:status: 200]"


class Server:
    """Another server of HTTP/3: its process, and the address of a folder with `hello` and `file`."""

    def __init__(self, name, port, command, folder, replies=REPLIES, mebibytes=MEBIBYTES):
        self.name, self.base = name, f"https://127.0.0.1:{port}"
        self.replies, self.mebibytes = replies, mebibytes
        self.process = subprocess.Popen([str(word) for word in command], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.pid = self.process.pid
        self.small, self.big = f"{self.base}/hello", f"{self.base}/file"
        for _ in range(200):
            if answered(self.small, 1, within=2) == 1:
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        self.stop()
        sys.exit(f"bench: {name} does not answer at {self.small}: {' '.join(map(str, command))}")

    def stop(self):
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


def gtlsserver(folder, certificate, key):
    port = free_port()
    return Server("gtlsserver", port, ["gtlsserver", "-q", "-d", folder, f"--max-data={WINDOW}", "127.0.0.1", port, key, certificate], folder)


def caddy(folder, certificate, key):
    port = free_port()
    config = folder / "Caddyfile"
    config.write_text(f"""{{
    admin off
    auto_https off
}}
https://127.0.0.1:{port} {{
    tls {certificate} {key}
    root * {folder}
    file_server
}}
""")
    return Server("caddy", port, ["caddy", "run", "--adapter", "caddyfile", "--config", config], folder)


def aioquic(folder, certificate, key):
    """A hundredth of the replies, and a part of the file, since by Python a reply takes a hundred times as long; none without PyPI."""
    try:
        quicfloods.prepare()
    except SystemExit as failure:
        print(f"bench: aioquic is left out: {failure}", file=sys.stderr)
        return None
    part = folder.parent / "http3-part"
    part.mkdir()
    shutil.copy(folder / "hello", part)
    with (folder / "file").open("rb") as whole:
        (part / "file").write_bytes(whole.read(64 << 20))
    port = free_port()
    script = pathlib.Path(__file__).with_name("aioquic_server.py")
    return Server("aioquic", port, [quicfloods.HOME / "bin/python", script, port, part, certificate, key], folder, REPLIES // 100, 64)


def client(url, count, *options):
    host, port = url.split("/")[2].split(":")
    return ["gtlsclient", "--exit-on-all-streams-close", f"--nstreams={count}", f"--max-data={WINDOW}",
            f"--max-stream-data-bidi-local={WINDOW}", *options, host, port, url]


def answered(url, count, within=600):
    """How many of so many requests got a reply of status 200, by what the client prints; its exit code is 0 in any case."""
    with subprocess.Popen(client(url, count, "--no-quic-dump", "--no-http-dump"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as asking:
        try:
            return asking.communicate(timeout=within)[0].count(STATUS)
        except subprocess.TimeoutExpired:
            asking.kill()
            return 0


def check(subject, folder):
    """Ends the program unless everything is answered, and the content has its length; figures are taken without a look at replies."""
    if (count := answered(subject.small, subject.replies)) != subject.replies:
        sys.exit(f"bench: {subject.name} answered {count} of {subject.replies} requests of {subject.small} by 200")
    subprocess.run(client(subject.big, 1, "-q", f"--download={folder}"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)
    came = folder / "file"
    size = came.stat().st_size if came.exists() else 0
    came.unlink(missing_ok=True)
    if size != subject.mebibytes << 20:
        sys.exit(f"bench: {subject.name} sent {size} bytes of {subject.big}, not {subject.mebibytes << 20}")


def ask(url, count):
    subprocess.run(client(url, count, "-q"), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600, check=True)


def bytes_each(subject):
    """Private bytes for each of so many connections that wait behind one request."""
    ask(subject.small, subject.replies // 10)
    command = [word for word in client(subject.small, 1, "-q") if not word.startswith("--exit")]

    def open_links(count):
        return [subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) for _ in range(count)]

    links = open_links(10)
    time.sleep(1)
    before = private_memory(subject.pid)
    links += open_links(IDLE)
    time.sleep(3)
    after = private_memory(subject.pid)
    for link in links:
        link.kill()
        link.wait()
    return (after - before) / IDLE


class Mine:
    """A run of proctor over HTTP/3."""

    name, replies, mebibytes = "proctor", REPLIES, MEBIBYTES

    def __init__(self, binary, folder):
        self.server = Proctor(binary, folder).start()
        self.pid = self.server.pid
        self.small = run_of(self.server, "bench/small", "h3").url("/hello")
        self.big = run_of(self.server, "bench/big", "h3").url("/file")

    def stop(self):
        self.server.stop()


def certificate(folder):
    """A certificate with its key, which the client does not check."""
    made, key = folder / "http3.pem", folder / "http3.key"
    subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", key,
                    "-out", made, "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"],
                   check=True, capture_output=True)
    return made, key


def row(table, what, servers, figures, text):
    """The last of the servers is ours; the ratio is that to the best of the others."""
    others = ", ".join(f"{server.name} {text(figure)}" for server, figure in zip(servers[:-1], figures))
    table.add(what, text(figures[-1]), others, f"{figures[-1] / max(figures[:-1]):.2f}")


def rates(servers, of, amount, rounds):
    """For each server the median of what came in a second, and of what it sent in a processor second of its own."""
    each_second = collections.defaultdict(list)

    def each_processor_second(server):
        count = getattr(server, amount)
        before, begin = processor_seconds(server.pid), time.perf_counter()
        ask(getattr(server, of), server.replies if of == "small" else 1)
        each_second[server].append(count / (time.perf_counter() - begin))
        return count / max(processor_seconds(server.pid) - before, 0.01)

    figures, *_ = in_turn(servers, each_processor_second, rounds)
    return [statistics.median(each_second[server]) for server in servers], figures


def bench_http3(binary, folder, big_file, table, rounds):
    for tool, package in (("gtlsclient", "ngtcp2-client"), ("gtlsserver", "ngtcp2-server"), ("caddy", "caddy")):
        if not shutil.which(tool):
            sys.exit(f"bench: {tool} is missing; `make bench` installs it ({package})")
    write_fixtures(folder / "http3", 1, big_file)
    files = folder / "http3-files"
    files.mkdir()
    (files / "hello").write_text("hello\n")
    os.link(big_file, files / "file")
    made, key = certificate(folder)
    servers = []
    try:
        for start in (gtlsserver, caddy, aioquic):
            if server := start(files, made, key):
                servers.append(server)
        servers.append(Mine(binary, folder / "http3"))
        # Ahead of all else: what 1 GiB has left behind would be used again, and a connection would seem to take nothing.
        memory = [bytes_each(server) for server in servers]
        for server in servers:
            check(server, folder)
        for what, of, amount, unit in (("small replies over HTTP/3", "small", "replies", ""), ("1 GiB over HTTP/3 (64 MiB of aioquic)", "big", "mebibytes", " MiB")):
            text = lambda figure: f"{figure:,.0f}{unit}"
            each_second, each_processor_second = rates(servers, of, amount, rounds)
            row(table, f"{what}, each second", servers, each_second, text)
            row(table, f"{what}, each processor second of the server", servers, each_processor_second, text)
    finally:
        for server in servers:
            server.stop()
    others = ", ".join(f"{server.name} {figure:,.0f}" for server, figure in zip(servers[:-1], memory))
    table.add(f"memory for an idle connection of HTTP/3, once used, of {IDLE}", f"{memory[-1]:,.0f} bytes", f"{others} bytes",
              f"{memory[-1] / max(min(memory[:-1]), 1):.2f}")
