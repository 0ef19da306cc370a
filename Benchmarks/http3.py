"""HTTP/3 beside other servers: small replies and 1 GiB by gtlsclient, and what an idle connection holds.

The client takes about as long for a reply as the servers do, and shares the processors with them. So a server is measured by what
it sends in one of its own processor seconds.
"""
import os
import shutil
import signal
import statistics
import subprocess
import sys
import time

from http2 import run_of
from measures import in_turn, private_memory, processor_seconds, spread
from servers import Proctor, free_port, write_fixtures

REPLIES = 20000
IDLE = 100
WINDOW = 16 << 20


class Server:
    """Another server of HTTP/3: its process, and the address of a folder with `hello` and `file`."""

    def __init__(self, name, port, command, folder):
        self.name, self.base = name, f"https://127.0.0.1:{port}"
        self.process = subprocess.Popen([str(word) for word in command], cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.pid = self.process.pid
        self.small, self.big = f"{self.base}/hello", f"{self.base}/file"
        for _ in range(200):
            if asked(self.small, 1, within=2):
                return
            if self.process.poll() is not None:
                break
            time.sleep(0.05)
        sys.exit(f"bench: {name} does not answer at {self.small}")

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


def client(url, count, *options):
    host, port = url.split("/")[2].split(":")
    return ["gtlsclient", "-q", "--exit-on-all-streams-close", f"--nstreams={count}", f"--max-data={WINDOW}",
            f"--max-stream-data-bidi-local={WINDOW}", *options, host, port, url]


def asked(url, count, within=600):
    """Whether so many requests were answered."""
    try:
        return not subprocess.run(client(url, count), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=within).returncode
    except subprocess.TimeoutExpired:
        return False


def each_processor_second(subject, url, count):
    before = processor_seconds(subject.pid)
    if not asked(url, count):
        sys.exit(f"bench: gtlsclient did not get {count} replies of {url}")
    return count / max(processor_seconds(subject.pid) - before, 0.01)


def bytes_each(subject):
    """Private bytes for each of so many connections that wait behind one request."""
    asked(subject.small, REPLIES)
    command = [word for word in client(subject.small, 1) if not word.startswith("--exit")]

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

    name = "proctor"

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
    servers = [gtlsserver(files, made, key), caddy(files, made, key), Mine(binary, folder / "http3")]
    for what, unit, of, count in (("small replies over HTTP/3", "", "small", REPLIES), ("MB of 1 GiB over HTTP/3", " MB", "big", 1)):
        figures, *_ = in_turn(servers, lambda server: each_processor_second(server, getattr(server, of), count), rounds)
        scaled = [figure * (1074 if count == 1 else 1) for figure in figures]
        best = max(scaled[:-1])
        others = ", ".join(f"{server.name} {figure:,.0f}{unit}" for server, figure in zip(servers[:-1], scaled))
        table.add(f"{what}, each processor second of the server", f"{scaled[-1]:,.0f}{unit}", others, f"{scaled[-1] / best:.2f}")
    memory = [statistics.median(bytes_each(server) for _ in range(1)) for server in servers]
    others = ", ".join(f"{server.name} {figure:,.0f}" for server, figure in zip(servers[:-1], memory))
    table.add(f"memory for an idle connection of HTTP/3, once used, of {IDLE}", f"{memory[-1]:,.0f} bytes", f"{others} bytes",
              f"{memory[-1] / max(min(memory[:-1]), 1):.2f}")
    for server in servers:
        server.stop()
