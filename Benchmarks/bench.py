#!/usr/bin/env python3
"""Measures proctor beside nginx on this machine, in turn, and prints the ratios as a table.

Everything runs on loopback. One nginx worker stands against one proctor loop. Each figure is the median of several
rounds that alternate between the two, because a shared machine is never equally fast twice.
"""
import argparse
import http.client
import json
import os
import pathlib
import re
import shutil
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time

from auth import GuardedNginx, bench_auth
from clients import bench_clients
from grading import bench_grading
from pace import bench_pace
from proxy import bench_proxy
from tls import SecuredNginx, bench_tls

ROOT = pathlib.Path(__file__).resolve().parent.parent


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_for(port, process, seconds=20):
    """The time at which a connection first succeeds."""
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return time.perf_counter()
        if process.poll() is not None:
            sys.exit(f"{process.args[0]} ended at once, with exit code {process.returncode}")
        time.sleep(0.0002)
    sys.exit(f"{process.args[0]} did not listen within {seconds} s")


# 64 KiB that no coding makes shorter, so that the coded page goes over the wire at the same length.
PAGE = os.urandom(64 << 10)


class Nginx:
    name = "nginx"

    def __init__(self, folder, big_file):
        self.port = free_port()
        self.folder = pathlib.Path(folder)
        (self.folder / "logs").mkdir(exist_ok=True)
        self.config = self.folder / "nginx.conf"
        self.page_file = self.folder / "page.bin"
        self.page_file.write_bytes(PAGE)
        self.config.write_text(f"""
            {"user root;" if os.getuid() == 0 else ""} worker_processes 1; daemon off; pid {folder}/nginx.pid; error_log /dev/null;
            worker_rlimit_nofile 65536;
            events {{ worker_connections 20000; }}
            http {{
                access_log off; sendfile on; keepalive_requests 1000000000; keepalive_timeout 600;
                server {{
                    listen 127.0.0.1:{self.port} backlog=4096;
                    location / {{ default_type text/plain; return 200 "hello\\n"; }}
                    location /big {{ alias {big_file}; }}
                    location /page {{ alias {self.page_file}; }}
                }}
            }}""")

    def start(self):
        begin = time.perf_counter()
        self.process = subprocess.Popen(["nginx", "-p", str(self.folder), "-c", str(self.config)])
        self.ready_seconds = wait_for(self.port, self.process) - begin
        return self

    def small(self):
        return f"http://127.0.0.1:{self.port}/"

    def big(self):
        return f"http://127.0.0.1:{self.port}/big"

    def page(self):
        return f"http://127.0.0.1:{self.port}/page"

    def memory(self):
        children = subprocess.run(["pgrep", "-P", str(self.process.pid)], capture_output=True, text=True).stdout.split()
        return sum(private_memory(int(pid)) for pid in [self.process.pid, *children])

    def stop(self):
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(10)


class Proctor:
    name = "proctor"

    def __init__(self, binary, fixtures, threads=1, scenario="bench/small", journal=None, authority=None):
        self.authority = authority
        self.binary, self.fixtures, self.threads, self.scenario = binary, fixtures, threads, scenario
        self.journal = journal

    def start(self):
        command = [self.binary, "serve", self.fixtures, "--port", "0", "--threads", str(self.threads)]
        if self.journal:
            command += ["--journal", self.journal]
        if self.authority:
            command += ["--ca-dir", str(self.authority), "--tls-port", "0"]
        begin = time.perf_counter()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        self.ready_seconds = time.perf_counter() - begin
        if not line:
            sys.exit(f"proctor did not start: run {' '.join(map(str, command))}")
        self.base = json.loads(line)["base"]
        self.port = json.loads(line)["port"]
        self.pid = self.process.pid
        if self.authority:
            self.tls_port = int(json.loads(line)["tls"].rsplit(":", 1)[1])
        return self

    def small(self):
        return f"{self.base}/{self.scenario}/hello"

    def big(self):
        return f"{self.base}/bench/big/file"

    def memory(self):
        return private_memory(self.process.pid)

    def stop(self):
        self.process.terminate()
        self.process.wait(20)


def private_memory(pid):
    """Bytes that belong to this process alone."""
    text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    return 1024 * sum(int(n) for n in re.findall(r"^Private_(?:Clean|Dirty): +(\d+)", text, re.M))


def requests_per_second(url, seconds, threads=1):
    out = subprocess.run(["wrk", f"-t{threads}", "-c50", f"-d{seconds}s", url], capture_output=True, text=True).stdout
    if "Non-2xx" in out or "Socket errors" in out:
        sys.exit(f"wrk saw errors at {url}:\n{out}")
    return float(re.search(r"Requests/sec: +([\d.]+)", out).group(1))


def bytes_per_second(url):
    out = subprocess.run(["curl", "-sS", "-o", os.devnull, "-w", "%{speed_download} %{size_download}", url],
                         capture_output=True, text=True, check=True).stdout.split()
    if int(out[1]) != 1 << 30:
        sys.exit(f"{url} brought {out[1]} bytes, not 1 GiB")
    return float(out[0])


def in_turn(subjects, measure, rounds):
    """Measures each subject once a round, and gives the median of each and of the ratio of last to first."""
    figures = {subject: [] for subject in subjects}
    for number in range(rounds):
        # Who goes first changes, so that neither profits from a machine that warms up or slows down.
        for subject in subjects if number % 2 == 0 else list(reversed(subjects)):
            figures[subject].append(measure(subject))
    ratios = [ours / theirs for theirs, ours in zip(figures[subjects[0]], figures[subjects[-1]])]
    return [statistics.median(figures[s]) for s in subjects], statistics.median(ratios), min(ratios), max(ratios)


def write_fixtures(folder, count, big_file=None):
    folder = pathlib.Path(folder)
    for index in range(count):
        target = folder / f"family-{index // 100}" / f"scenario-{index}.yaml"
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(f"""summary: Number {index} of many
exchanges:
  - request: GET /hello
    reply: {{ status: 200, headers: {{ Content-Type: text/plain }}, body: "hello\\n" }}
  - request: GET /other
    reply: {{ status: 302, headers: {{ Location: "{{{{base}}}}/hello" }} }}
cases:
  get:
    client: {{ url: /hello }}
    wire: request(GET /hello)
    task: response(200) data+ complete(ok)
""")
    bench = folder / "bench"
    bench.mkdir(parents=True, exist_ok=True)
    (bench / "small.yaml").write_text("""summary: The small reply of the benchmark
exchanges:
  - request: GET /hello
    reply: { status: 200, headers: { Content-Type: text/plain }, body: "hello\\n" }
cases:
  get: { client: { url: /hello }, wire: request(GET /hello) }
""")
    if big_file:
        os.link(big_file, bench / "big.bin")
        (bench / "big.yaml").write_text("""summary: One GiB from a file, and one GiB from a pattern
exchanges:
  - request: GET /file
    reply: { status: 200, body: { file: big.bin } }
  - request: GET /pattern
    reply: { status: 200, body: { pattern: offset, bytes: 1073741824 } }
cases:
  get: { client: { url: /file }, wire: request(GET /file) }
""")


class Table:
    def __init__(self):
        self.rows = []

    def keep(self, text):
        """Takes the rows of a table from before that were not measured again, in their order."""
        measured = {row[0] for row in self.rows}
        kept = [tuple(cell.strip() for cell in line.strip("|\n ").split(" | ")) for line in text.splitlines()[2:]]
        self.rows = [row for row in kept if row[0] not in measured] + self.rows

    def add(self, what, ours, theirs, ratio):
        self.rows.append((what, ours, theirs, ratio))
        print(f"  {what}: proctor {ours}, {theirs}, {ratio}", file=sys.stderr)

    def text(self):
        lines = ["| what | proctor | beside it | ratio (lowest … highest) |", "|---|---|---|---|"]
        return "\n".join(lines + [f"| {a} | {b} | {c} | {d} |" for a, b, c, d in self.rows])


def spread(ratio, low, high):
    return f"{ratio:.2f} ({low:.2f} … {high:.2f})"


def bench_small(binary, folder, nginx, table, rounds, seconds):
    write_fixtures(folder / "thousand", 1000)
    ours = Proctor(binary, folder / "thousand", journal=folder / "journal.jsonl").start()
    quiet = Proctor(binary, folder / "thousand").start()
    for subject, what in ((quiet, "small reply, 1,000 scenarios, journal in memory"),
                          (ours, "the same, journal written to a file too")):
        (theirs, mine), *ratio = in_turn([nginx, subject], lambda s: requests_per_second(s.small(), seconds), rounds)
        table.add(what, f"{mine:,.0f}/s", f"nginx {theirs:,.0f}/s", spread(*ratio))
    quiet.stop()
    ours.stop()


def bench_many(binary, folder, table, rounds, seconds):
    write_fixtures(folder / "ten", 10)
    write_fixtures(folder / "ten-thousand", 10000)
    few = Proctor(binary, folder / "ten").start()
    many = Proctor(binary, folder / "ten-thousand").start()
    (a, b), *ratio = in_turn([few, many], lambda s: requests_per_second(s.small(), seconds), rounds)
    table.add("10,000 scenarios against 10", f"{b:,.0f}/s", f"10 scenarios {a:,.0f}/s", spread(*ratio))
    table.add("load 10,000 scenarios, to the ready line", f"{many.ready_seconds * 1000:.0f} ms", "–", "–")
    few.stop()
    many.stop()


def bench_loops(binary, folder, table, rounds, seconds):
    one = Proctor(binary, folder / "thousand").start()
    two = Proctor(binary, folder / "thousand", threads=2).start()
    (a, b), *ratio = in_turn([one, two], lambda s: requests_per_second(s.small(), seconds, threads=1), rounds)
    table.add("two loops against one (the load has a core too)", f"{b:,.0f}/s", f"one loop {a:,.0f}/s", spread(*ratio))
    one.stop()
    two.stop()


def bench_start(binary, folder, big_file, table, rounds):
    ours, theirs = [], []
    for number in range(rounds * 4):
        server = Proctor(binary, ROOT / "fixtures").start()
        ours.append(server.ready_seconds)
        server.stop()
        work = folder / f"start-{number}"
        work.mkdir()
        nginx = Nginx(work, big_file).start()
        theirs.append(nginx.ready_seconds)
        nginx.stop()
    mine, his = statistics.median(ours), statistics.median(theirs)
    table.add("start to ready, all shipped fixtures", f"{mine * 1000:.1f} ms", f"nginx {his * 1000:.1f} ms", f"{mine / his:.2f}")


def bench_memory(binary, folder, nginx, table):
    server = Proctor(binary, folder / "thousand").start()
    for subject in (nginx, server):
        subject.idle = subject.memory()
        connections = []
        for number in range(10000):
            link = socket.create_connection(("127.0.0.1", subject.port))
            if number % 100 == 0:
                # Some have been used, as kept-alive ones are.
                path = subject.small().split("/", 3)[3]
                link.sendall(f"GET /{path} HTTP/1.1\r\nHost: 127.0.0.1:{subject.port}\r\n\r\n".encode())
                link.recv(4096)
            connections.append(link)
        time.sleep(0.5)
        subject.full = subject.memory()
        for link in connections:
            link.close()
    per = (server.full - server.idle) / 10000
    his = (nginx.full - nginx.idle) / 10000
    table.add("memory, idle", f"{server.idle / 2**20:.1f} MiB", f"nginx {nginx.idle / 2**20:.1f} MiB", "–")
    table.add("memory for an idle connection, of 10,000", f"{per:,.0f} bytes", f"nginx {his:,.0f} bytes", f"{per / max(his, 1):.2f}")
    server.stop()


def bench_big(binary, folder, big_file, nginx, table, rounds):
    write_fixtures(folder / "big", 1, big_file)
    server = Proctor(binary, folder / "big").start()
    (theirs, mine), *ratio = in_turn([nginx, server], lambda s: bytes_per_second(s.big()), rounds)
    table.add("1 GiB from a file", f"{mine / 1e9:.2f} GB/s", f"nginx {theirs / 1e9:.2f} GB/s", spread(*ratio))
    generated = statistics.median(bytes_per_second(server.big().replace("/file", "/pattern")) for _ in range(rounds))
    table.add("1 GiB from a pattern", f"{generated / 1e9:.2f} GB/s", f"nginx, file {theirs / 1e9:.2f} GB/s", f"{generated / theirs:.2f}")
    server.stop()


def bench_pages(binary, folder, nginx, table, rounds, seconds):
    pages = folder / "pages" / "bench"
    pages.mkdir(parents=True)
    (pages / "page.bin").write_bytes(PAGE)
    (pages / "page.yaml").write_text("""summary: 64 KiB as a file, generated, and in gzip
exchanges:
  - request: GET /file
    reply: { status: 200, body: { file: page.bin } }
  - request: GET /pattern
    reply: { status: 200, body: { pattern: offset, bytes: 65536 } }
  - request: GET /gzip
    reply: { status: 200, coding: gzip, body: { file: page.bin } }
cases:
  get: { client: { url: /file }, wire: request(GET /file) }
""")
    server = Proctor(binary, folder / "pages").start()
    url = {name: f"{server.base}/bench/page/{name}" for name in ("file", "pattern", "gzip")}
    rate = lambda url: requests_per_second(url, seconds)
    for name, what in (("file", "64 KiB from a file"), ("pattern", "64 KiB from a pattern")):
        (theirs, mine), *ratio = in_turn([nginx.page(), url[name]], rate, rounds)
        table.add(what, f"{mine:,.0f}/s", f"nginx, file {theirs:,.0f}/s", spread(*ratio))
    (plain, coded), *ratio = in_turn([url["pattern"], url["gzip"]], rate, rounds)
    table.add("64 KiB in gzip, coded once", f"{coded:,.0f}/s", f"as many bytes uncoded {plain:,.0f}/s", spread(*ratio))
    server.stop()


def bench_runs(binary, folder, table, seconds):
    server = Proctor(binary, folder / "thousand").start()
    link = http.client.HTTPConnection("127.0.0.1", server.port)
    body = json.dumps({"scenario": "bench/small"})
    count, begin = 0, time.perf_counter()
    while time.perf_counter() - begin < seconds:
        link.request("POST", "/__proctor/runs", body)
        run = json.loads(link.getresponse().read())["run"]
        link.request("DELETE", f"/__proctor/runs/{run}")
        link.getresponse().read()
        count += 1
    table.add("runs made and dropped, over the control API", f"{count / (time.perf_counter() - begin):,.0f}/s", "–", "–")
    server.stop()


def measure_serving(options, folder, table):
    for tool in ("nginx", "wrk", "curl"):
        if not shutil.which(tool):
            sys.exit(f"bench: {tool} is missing; `make bench` installs it")
    big_file = folder / "big.bin"
    with big_file.open("wb") as file:
        for _ in range(1024):
            file.write(os.urandom(1 << 10) * 1024)
    nginx = Nginx(folder, big_file).start()
    try:
        if not options.bodies:
            bench_small(options.binary, folder, nginx, table, options.rounds, options.seconds)
            bench_many(options.binary, folder, table, options.rounds, options.seconds)
            bench_loops(options.binary, folder, table, options.rounds, options.seconds)
        bench_pages(options.binary, folder, nginx, table, options.rounds, options.seconds)
        bench_big(options.binary, folder, big_file, nginx, table, options.rounds)
        if not options.bodies:
            bench_memory(options.binary, folder, nginx, table)
    finally:
        nginx.stop()
    if not options.bodies:
        bench_start(options.binary, folder, big_file, table, options.rounds)
        bench_runs(options.binary, folder, table, options.seconds)


def measure_clients(options, folder, table):
    write_fixtures(folder / "one", 1)
    bench_clients(lambda: Proctor(options.binary, folder / "one").start(), folder, table, options.rounds)


class RunningNginx:
    """A started nginx of any configuration."""

    def __init__(self, configured):
        self.port, self.process = configured.port, configured.start()
        self.pid = self.process.pid
        wait_for(self.port, self.process)

    def stop(self):
        self.process.send_signal(signal.SIGQUIT)
        self.process.wait(10)


def measure_auth(options, folder, table):
    bench_auth(lambda fixtures: Proctor(options.binary, fixtures).start(),
               lambda: RunningNginx(GuardedNginx(folder, free_port())), folder, table, options.rounds)


def measure_tls(options, folder, table):
    bench_tls(lambda fixtures, authority: Proctor(options.binary, fixtures, authority=authority).start(),
              lambda servers: RunningNginx(SecuredNginx(folder, free_port(), servers)), folder, table, options.rounds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path, help="the release binary of proctor")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--grading", action="store_true", help="measure grading alone, which needs neither nginx nor wrk")
    parser.add_argument("--bodies", action="store_true", help="measure bodies of 64 KiB and 1 GiB beside nginx, alone")
    parser.add_argument("--clients", action="store_true", help="measure the reference client beside other clients, alone")
    parser.add_argument("--pace", action="store_true", help="measure how well moments are kept, alone")
    parser.add_argument("--auth", action="store_true", help="measure what guards cost a request, alone")
    parser.add_argument("--proxy", action="store_true", help="measure what a proxy costs a request, alone")
    parser.add_argument("--tls", action="store_true", help="measure TLS beside nginx, alone")
    parser.add_argument("--save", type=pathlib.Path, help="write the table into this file, between its markers")
    options = parser.parse_args()
    table = Table()
    with tempfile.TemporaryDirectory(prefix="proctor-bench-") as name:
        folder = pathlib.Path(name)
        is_whole = not (options.grading or options.clients or options.pace or options.bodies or options.auth
                        or options.tls or options.proxy)
        if is_whole or options.bodies:
            measure_serving(options, folder, table)
        if is_whole or options.clients:
            measure_clients(options, folder, table)
        if is_whole or options.pace:
            bench_pace(lambda fixtures: Proctor(options.binary, fixtures).start(), folder, table, options.rounds)
        if is_whole or options.auth:
            measure_auth(options, folder, table)
        if is_whole or options.tls:
            measure_tls(options, folder, table)
        if is_whole or options.proxy:
            bench_proxy(lambda fixtures: Proctor(options.binary, fixtures).start(), in_turn, spread, folder, table,
                        options.rounds, options.seconds)
        if is_whole or options.grading:
            bench_grading(options.binary, folder, table, options.rounds)
    print(table.text())
    if options.save:
        text = options.save.read_text()
        begin, end = "<!-- table -->\n", "<!-- end of table -->"
        head, rest = text.split(begin)
        before, tail = rest.split(end)
        if not is_whole:
            table.keep(before)
        options.save.write_text(head + begin + table.text() + "\n" + end + tail)


main()
