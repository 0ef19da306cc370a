"""Messages that WebSocket servers send back: proctor beside the servers of Debian and of PyPI, in one run.

The load is one program on one thread, which costs less for a message than any of the servers, so that it is not the bound
where they have one thread too; the processor time of the server for a message is told besides.
"""
import os
import pathlib
import shutil
import statistics
import subprocess
import sys

from measures import processor_seconds, spread
from servers import Proctor, free_port, wait_for

HERE = pathlib.Path(__file__).resolve().parent
SERVERS = HERE / "EchoServers"
# What PyPI has: the fastest that were found, of each kind.
PACKAGES = ["picows", "websockets", "aiohttp", "socketify", "uvloop"]
SCENARIO = """summary: The WebSocket of the benchmark
exchanges:
  - { request: GET /chat, reply: { websocket: [{ echo: true }] } }
"""
LOADS = (("messages of 16 bytes, 50 connections", 50, 16), ("messages of 1 MiB, 4 connections", 4, 1 << 20))


class Echo:
    """A server of others, with one thread."""

    def __init__(self, name, command, environment=None):
        self.name, self.port, self.path = name, free_port(), "/"
        self.process = subprocess.Popen([*map(str, command), str(self.port)], stdout=subprocess.DEVNULL,
                                        stderr=subprocess.DEVNULL, env={**os.environ, **(environment or {})})
        self.pid = self.process.pid
        wait_for(self.port, self.process)

    def stop(self):
        self.process.kill()
        self.process.wait()


class Ours:
    name = "proctor"

    def __init__(self, binary, folder):
        fixtures = folder / "echo" / "bench"
        fixtures.mkdir(parents=True)
        (fixtures / "socket.yaml").write_text(SCENARIO)
        self.server = Proctor(binary, fixtures.parent).start()
        self.port, self.pid, self.path = self.server.port, self.server.pid, "/bench/socket/chat"

    def stop(self):
        self.server.stop()


def packages_of_pypi(folder):
    """A Python that has them; None without PyPI."""
    home = folder / "python"
    made = subprocess.run([sys.executable, "-m", "venv", home], capture_output=True)
    python = home / "bin" / "python"
    if made.returncode == 0:
        made = subprocess.run([python, "-m", "pip", "install", "-q", "--retries", "1", "--timeout", "20", *PACKAGES],
                              capture_output=True)
    if made.returncode != 0:
        print("bench: PyPI is not reached, so that its servers are left out", file=sys.stderr)
        return None
    return python


def compiled(folder, name, *command):
    """The program, or None where its library is missing."""
    program = folder / name
    # Go wants its flags before the file.
    words = [*command[:2], "-o", program, *command[2:]] if command[0] == "go" else [*command, "-o", program]
    done = subprocess.run(words, capture_output=True, text=True,
                          env={**os.environ, "GOPATH": "/usr/share/gocode", "GO111MODULE": "off"})
    if done.returncode != 0:
        print(f"bench: {name} can't be compiled and is left out: {done.stderr.strip().splitlines()[-1:]}", file=sys.stderr)
        return None
    return program


def start_others(folder):
    others = []
    libwebsockets = compiled(folder, "libwebsockets", "cc", "-O2", SERVERS / "libwebsockets_echo.c", "-lwebsockets") \
        if shutil.which("cc") else None
    if libwebsockets:
        others.append(Echo("libwebsockets", [libwebsockets]))
    beast = compiled(folder, "beast", "c++", "-O2", "-std=c++17", SERVERS / "beast_echo.cpp", "-pthread") \
        if shutil.which("c++") else None
    if beast:
        others.append(Echo("Boost.Beast", [beast]))
    gorilla = compiled(folder, "gorilla", "go", "build", SERVERS / "gorilla_echo.go") if shutil.which("go") else None
    if gorilla:
        others.append(Echo("Gorilla", [gorilla], {"GOMAXPROCS": "1"}))
    if shutil.which("node") and pathlib.Path("/usr/share/nodejs/ws").exists():
        others.append(Echo("Node's ws", ["node", SERVERS / "ws_echo.js"], {"NODE_PATH": "/usr/share/nodejs"}))
    python = packages_of_pypi(folder)
    if python:
        for package in ("picows", "socketify", "aiohttp", "websockets"):
            others.append(Echo(package, [python, SERVERS / f"{package}_echo.py"]))
    return others


def build_load(folder):
    load = folder / "websocket-echoes"
    subprocess.run(["cc", "-O2", "-o", load, HERE / "Clients" / "WebSocketEchoes" / "main.c"], check=True)
    return load


def measure(load, subject, connections, size, seconds):
    """Messages a second, and the server's processor time for each, in seconds."""
    before = processor_seconds(subject.pid)
    done = subprocess.run([load, str(subject.port), subject.path, str(connections), str(size), str(seconds)],
                          capture_output=True, text=True, timeout=seconds + 60)
    if done.returncode != 0:
        sys.exit(f"websocket-echoes {subject.name} ended with {done.returncode}: {done.stdout}{done.stderr}")
    rate = float(done.stdout)
    return rate, (processor_seconds(subject.pid) - before) / (rate * seconds)


def bench_sockets(binary, folder, table, rounds, seconds):
    load = build_load(folder)
    ours = Ours(binary, folder)
    subjects = [*start_others(folder), ours]
    try:
        for what, connections, size in LOADS:
            figures = {subject.name: [] for subject in subjects}
            for number in range(rounds):
                for subject in subjects if number % 2 == 0 else reversed(subjects):
                    figures[subject.name].append(measure(load, subject, connections, size, seconds))
            tell(table, what, figures)
    finally:
        for subject in subjects:
            subject.stop()


def tell(table, what, figures):
    """The row beside the fastest of the others, and one that says what each of them did."""
    rate = {name: statistics.median(r for r, _ in all) for name, all in figures.items()}
    cost = {name: statistics.median(c for _, c in all) for name, all in figures.items()}
    others = sorted((name for name in figures if name != Ours.name), key=lambda name: -rate[name])
    if not others:
        table.add(f"WebSocket, {what}", f"{rate[Ours.name]:,.0f}/s", "–", "–")
        return
    fastest, cheapest = others[0], min(others, key=lambda name: cost[name])
    ratios = [mine[0] / theirs[0] for mine, theirs in zip(figures[Ours.name], figures[fastest])]
    table.add(f"WebSocket, {what}, sent back", f"{rate[Ours.name]:,.0f}/s",
              f"{fastest}, the fastest of {len(others)}, {rate[fastest]:,.0f}/s",
              spread(statistics.median(ratios), min(ratios), max(ratios)))
    ratios = [mine[1] / theirs[1] for mine, theirs in zip(figures[Ours.name], figures[cheapest])]
    table.add(f"the same, processor time of the server for a message ({what.split(',')[0]})", f"{cost[Ours.name] * 1e6:.1f} µs",
              f"{cheapest} {cost[cheapest] * 1e6:.1f} µs", spread(statistics.median(ratios), min(ratios), max(ratios)))
    for name in others:
        print(f"    {name}: {rate[name]:,.0f}/s, {cost[name] * 1e6:.1f} µs", file=sys.stderr)
