#!/usr/bin/env python3
"""Lets every command, and the server, run out of descriptors, memory and room: each call of libc fails once, the first, the
second, and so on to the last.

    Scripts/shortages.py .build/debug/proctor                   everything
    Scripts/shortages.py .build/debug/proctor --only check,list --calls open,read
    Scripts/shortages.py .build/debug/proctor --every 7         each seventh call, for a quick look
    Scripts/shortages.py .build/debug/proctor --most 12         twelve calls of each kind, others each day (--seed N: others)

All of it are some 34,000 runs of commands, most of them the calls of one loop; --most takes the first and the last call of each kind
and chooses among the others.

Afterwards a command has either done all that it does otherwise, with the same output, or says on standard error what failed and
exits with 1 or 2; it is never ended by a signal, and the same command done again behaves as if nothing had been. A server goes on
and serves everything at the next request, and health says ok. A call that was broken off (EINTR) changes nothing at all.
A call of libdispatch, and a wait (epoll_wait), are left alone, whose failure ends the process there.
`record` answers one request before it is stopped; `boot` lets calls fail while a server starts.
Needs a program that is linked dynamically (a debug build) on Linux. Memory that malloc does not give ends a program in Swift's
own runtime, and no thread does so in libdispatch, which is not tried here.
"""

import argparse
import json
import mmap
import os
import random
import re
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import clocksteps

ROOT = Path(__file__).resolve().parent.parent
# Of Scripts/shortages/shim.c, with the values of errno that each call can give.
CALLS = {
    "open": (1, ["EMFILE", "EIO", "EINTR"]),
    "opendir": (2, ["EMFILE"]),
    "readdir": (3, ["EIO"]),
    "read": (4, ["EIO", "EINTR"]),
    "pread": (5, ["EIO", "EINTR"]),
    "write": (6, ["ENOSPC", "EINTR"]),
    "stat": (7, ["ENOMEM", "EIO"]),
    "realpath": (8, ["ENOMEM"]),
    "socket": (9, ["EMFILE"]),
    "accept": (10, ["EMFILE", "ENFILE", "EINTR"]),
    "pipe": (12, ["EMFILE"]),
    "mkdir": (13, ["ENOSPC"]),
    "rename": (14, ["EIO"]),
    "spawn": (16, ["EAGAIN", "ENOMEM"]),
    "fsync": (17, ["EIO", "ENOSPC"]),
    "descriptor": (18, ["EMFILE"]),
}
SECONDS = 60

FIXTURES = {
    "a.yaml": "summary: A\nexchanges: [ { request: GET /, reply: { status: 200, body: a } } ]\n",
    "b/file.yaml": "summary: B\nexchanges: [ { request: GET /, reply: { status: 200, body: { file: b.txt } } } ]\n",
    "b/b.txt": "the content of b\n",
    "b/script.yaml": "summary: C\nexchanges: [ { request: GET /, reply: { script: s.lua } } ]\n",
    "b/s.lua": 'return { status = 200, body = "made" }\n',
    "c/case.yaml": """summary: D
exchanges: [ { request: GET /, reply: { status: 200, body: hello } } ]
cases:
  get:
    client: { url: / }
    facts: { status: 200 }
""",
}
HAR = {
    "log": {
        "version": "1.2",
        "creator": {"name": "x", "version": "1"},
        "entries": [
            {
                "startedDateTime": "2026-01-01T00:00:00Z",
                "time": 1,
                "request": {"method": "GET", "url": "http://example.test/a", "httpVersion": "HTTP/1.1", "headers": []},
                "response": {
                    "status": 200,
                    "statusText": "OK",
                    "httpVersion": "HTTP/1.1",
                    "headers": [{"name": "Content-Type", "value": "text/plain"}],
                    "content": {"size": 2, "mimeType": "text/plain", "text": "hi"},
                },
            }
        ],
    }
}
# Name, words, whether it writes files (into the folder `out`).
COMMANDS = [
    ("check", "check fixtures", False),
    ("list", "list --fixtures fixtures b", False),
    ("search", "search --fixtures fixtures content", False),
    ("export", "export har b/file --fixtures fixtures", False),
    ("import", "import har a.har --into out", True),
    ("new", "new out/first --fixtures out", True),
    ("fixtures", "fixtures copy out redirect", True),
    ("explain", "explain R12", False),
    ("docs", "docs start/install", False),
    ("site", "docs --site out", True),
    ("journal", "journal journal.jsonl", False),
    ("grade", "grade trace.jsonl --rules-only", False),
    ("report", "report show records.jsonl", False),
    ("html", "report html out records.jsonl", True),
    ("ca", "ca profiles", False),
    ("version", "version", False),
    ("completions", "completions bash", False),
    ("run", "run a --fixtures fixtures -- curl -sS {base}/", False),
    ("exam", "exam c/ --fixtures fixtures --name curl --command curl~-s~{url} --json out.jsonl --junit out.xml", False),
    ("record", "record --upstream {upstream} --port 0 --output out/recorded.yaml --journal out/journal.jsonl", True),
]


class Control:
    """What the program and this one share: see struct control of the shim."""

    def __init__(self, folder):
        self.path = folder / "control"
        self.path.write_bytes(bytes(32))
        self.file = open(self.path, "r+b")
        self.memory = mmap.mmap(self.file.fileno(), 32)

    def set(self, call=0, first=0, times=0, code=0):
        self.memory[4:20] = struct.pack("=4i", first, times, code, 0)
        self.memory[0:4] = struct.pack("=i", call)

    def set_clock(self, seconds):
        """The clock that people read is fast for so many seconds from now on."""
        self.memory[24:32] = struct.pack("=q", seconds)

    @property
    def count(self):
        return struct.unpack("=i", self.memory[16:20])[0]


def compiled(folder):
    """The shim, by the compiler that comes with Swift."""
    swift = Path(os.path.realpath(shutil.which(os.environ.get("SWIFT", "swift"))))
    beside = [swift.parent / "clang", swift.parent.parent / "bin" / "clang"]
    clang = next((str(path) for path in beside if path.exists()), shutil.which("clang") or shutil.which("cc"))
    if clang is None:
        sys.exit("shortages: no compiler of C was found beside swift; install clang")
    library = folder / "shim.so"
    source = ROOT / "Scripts/shortages/shim.c"
    subprocess.run([clang, "-O1", "-shared", "-fPIC", "-Wno-nonnull", "-o", library, source, "-ldl"], check=True)
    return library


class Choice:
    """Which of the calls of one kind fail, one after the other."""

    def __init__(self, every=1, most=None, seed=0):
        self.every, self.most = every, most
        self.random = random.Random(seed)

    def of(self, count):
        calls = list(range(1, count + 1, self.every))
        if self.most is None or len(calls) <= self.most:
            return calls
        ends = [1, count][:self.most]
        return sorted(set(ends + self.random.sample(calls[1:-1], self.most - len(ends))))


class Bench:
    def __init__(self, program, folder, choice=Choice()):
        self.program = program
        self.choice = choice
        self.folder = folder
        self.control = Control(folder)
        self.environment = {
            "PATH": os.environ["PATH"],
            "HOME": str(folder / "home"),
            "TMPDIR": str(folder / "tmp"),
            "LD_PRELOAD": str(compiled(folder)),
            "SHORTAGE_CONTROL": str(self.control.path),
            "SHORTAGE_PROGRAM": program.name,
            "PROCTOR_CERTS": str(ROOT / "certs"),
            "SWIFT_BACKTRACE": "enable=no",
            "PROCTOR_CA_DIR": str(folder / "ca"),
        }
        for name in ["home", "tmp", "work"]:
            (folder / name).mkdir()
        self.work = folder / "work"
        for name, text in FIXTURES.items():
            path = self.work / "fixtures" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        (self.work / "a.har").write_text(json.dumps(HAR))
        self.upstream = upstream_server()
        self.failures = []
        self.runs = 0

    def fail(self, what, sentence, output=""):
        self.failures.append(what)
        print(f"shortages: {what}: {sentence}")
        for line in output.strip().splitlines()[-6:]:
            print(f"    {line}")

    def prepare(self):
        """Files that some commands read, made by the program itself."""
        self.control.set()
        (self.work / "trace.jsonl").write_text((ROOT / "Tests/Data").is_dir() and TRACE or TRACE)
        base = ["run", "a", "--fixtures", "fixtures", "--journal", "journal.jsonl", "--", "curl", "-sS", "{base}/"]
        self.call(base)
        exam = ["exam", "plain/get", "--client", "curl", "--json", "records.jsonl", "--fail-on", "never"]
        self.call(exam)

    def call(self, words, sink=subprocess.PIPE):
        self.runs += 1
        if words[0] == "record":
            return self.session([word.replace("{upstream}", self.upstream) for word in words])
        return subprocess.run(
            [str(self.program), *(word.replace("~", " ") for word in words)],
            cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL, stdout=sink, stderr=subprocess.PIPE,
            timeout=SECONDS,
        )

    def session(self, words):
        """A command that serves until it is stopped: one request, and SIGINT."""
        process = subprocess.Popen(
            [str(self.program), *words],
            cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        line = b""
        try:
            line = process.stdout.readline()
            if port := re.search(rb"127\.0\.0\.1:(\d+);", line):
                ask(int(port[1]), "/")
            process.send_signal(signal.SIGINT)
            out, said = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.communicate()
            raise
        return subprocess.CompletedProcess(words, process.returncode, line + out, said)

    def tree(self):
        out = self.work / "out"
        files = [path for path in sorted(out.rglob("*")) if path.is_file()]
        return {str(path.relative_to(out)): plain(path.read_bytes()) for path in files if path.suffix != ".jsonl"}

    def clean(self):
        shutil.rmtree(self.work / "out", ignore_errors=True)

    def command(self, name, words, writes, calls):
        words = words.split()
        self.clean()
        self.control.set()
        wanted = self.call(words)
        tree = self.tree()
        if wanted.returncode not in (0, 1):
            return self.fail(name, f"exits with {wanted.returncode} when nothing fails", wanted.stderr.decode())
        for call in calls:
            number, codes = CALLS[call]
            self.clean()
            self.control.set(number, 1 << 30, 0, 0)
            self.call(words)
            count = self.control.count
            for code in codes:
                for first in self.choice.of(count):
                    self.once(name, words, call, number, code, first, wanted, tree, writes)

    def once(self, name, words, call, number, code, first, wanted, tree, writes):
        what = f"{name}, {code} at call {first} of {call}"
        self.clean()
        self.control.set(number, first, 1, getattr(__import__("errno"), code))
        try:
            got = self.call(words)
        except subprocess.TimeoutExpired:
            return self.fail(what, f"did not end within {SECONDS} s")
        said = got.stderr.decode(errors="replace")
        if got.returncode < 0:
            return self.fail(what, f"was ended by {signal.Signals(-got.returncode).name}", said)
        same = plain(got.stdout) == plain(wanted.stdout) and got.returncode == wanted.returncode
        if code == "EINTR" and not same:
            return self.fail(what, f"exits with {got.returncode}, wanted {wanted.returncode} and the same output", said)
        if got.returncode == 0 and (not same or (writes and self.tree() != tree)):
            return self.fail(what, "exits with 0, and something is missing from its output", said)
        # An exam says among its verdicts what it could not do.
        if got.returncode != wanted.returncode and not said.strip() and b"setup-failed" not in got.stdout:
            return self.fail(what, f"exits with {got.returncode} and says nothing")
        self.control.set()
        if writes:
            left = self.tree()
            whole = {path for path in left if tree.get(path) == left[path]}
            if set(left) - whole:
                return self.fail(what, f"leaves files in part: {sorted(set(left) - whole)[:3]}", said)
            self.clean()

    # The server.

    def serve(self, calls):
        """Each call fails once while requests come; then everything is served, and health says ok."""
        for call in calls:
            number, codes = CALLS[call]
            for code in codes:
                # How many calls there are differs a little from run to run.
                count = self.served(call, number, code, 1 << 30)
                for first in self.choice.of(count or 0):
                    self.served(call, number, code, first)

    def boot(self, calls):
        """Each call fails once from the start on: a sentence and exit 1 or 2, or a server that serves everything."""
        for call in calls:
            number, codes = CALLS[call]
            for code in codes:
                count = self.served(call, number, code, 1 << 30, fails_at_start=True)
                for first in self.choice.of(count or 0):
                    self.served(call, number, code, first, fails_at_start=True)

    def served(self, call, number, code, first, fails_at_start=False):
        self.runs += 1
        what = f"serve, {code} at call {first} of {call} while it {'starts' if fails_at_start else 'serves'}"
        shortage = (number, first, 1, getattr(__import__("errno"), code))
        self.control.set(*(shortage if fails_at_start else ()))
        process = subprocess.Popen(
            [str(self.program), "serve", "fixtures", "--port", "0"],
            cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )
        try:
            line = process.stdout.readline()
            if not line:
                said = process.stderr.read().decode()
                if fails_at_start and process.wait(SECONDS) in (1, 2) and said.strip() and code != "EINTR":
                    return None
                return self.fail(what, f"gave no ready line, and exits with {process.wait(SECONDS)}", said)
            port = int(re.search(rb'"base":"http://127\.0\.0\.1:(\d+)', line)[1])
            if not fails_at_start:
                self.control.set(*shortage)
            for path in PATHS:
                ask(port, path)
            process.send_signal(signal.SIGHUP)
            ask(port, "/__proctor/health")
            for path in PATHS:
                ask(port, path)
            count = self.control.count
            self.control.set()
            self.check_paths(port, f"{what}, afterwards")
            process.send_signal(signal.SIGHUP)
            health = wait_for_health(port)
            if b'"status":"ok"' not in health:
                self.fail(what, "health does not say ok after another SIGHUP", health.decode(errors="replace"))
            return count
        finally:
            process.send_signal(signal.SIGTERM)
            try:
                _, said = process.communicate(timeout=SECONDS)
                if process.returncode < 0:
                    self.fail(what, f"was ended by {signal.Signals(-process.returncode).name}", said.decode())
            except subprocess.TimeoutExpired:
                process.kill()
                self.fail(what, "does not stop")

    def lasting(self, calls):
        """All calls fail for a while: what is served stays, health says why no file can be read, and no more once it can."""
        file = self.work / "fixtures/a.yaml"
        for call, code in [("opendir", "EMFILE"), ("open", "EMFILE"), ("open", "EIO"), ("pread", "EIO"), ("stat", "ENOMEM")]:
            if call not in calls:
                continue
            self.runs += 1
            what = f"serve, {code} at every {call} for a while"
            self.control.set()
            process = subprocess.Popen(
                [str(self.program), "serve", "fixtures", "--port", "0"],
                cwd=self.work, env=self.environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            )
            try:
                port = int(re.search(rb'"base":"http://127\.0\.0\.1:(\d+)', process.stdout.readline())[1])
                self.check_paths(port, f"{what}, before")
                self.control.set(CALLS[call][0], 1, 1 << 30, getattr(__import__("errno"), code))
                if call == "pread":  # Only what has changed is read again.
                    file.write_text(file.read_text() + "# Changed\n")
                process.send_signal(signal.SIGHUP)
                health = wait_for_health(port, b'"status":"degraded"')
                text = os.strerror(getattr(__import__("errno"), code)).encode()
                if b'"status":"degraded"' not in health or text not in health:
                    self.fail(what, "health does not say so", health.decode(errors="replace"))
                # Content of a file is read when it is sent, and what has changed is not served before it is read.
                self.check_paths(port, f"{what}, meanwhile", {"/b/file/"} | ({"/a/"} if call == "pread" else set()))
                self.control.set()
                process.send_signal(signal.SIGHUP)
                if b'"status":"ok"' not in (health := wait_for_health(port)):
                    self.fail(what, "health does not say ok afterwards", health.decode(errors="replace"))
                self.check_paths(port, f"{what}, afterwards")
            finally:
                self.control.set()
                process.send_signal(signal.SIGTERM)
                process.communicate(timeout=SECONDS)

    def check_paths(self, port, what, without=()):
        for path, wanted in PATHS.items():
            if path not in without and wanted not in (got := ask(port, path)):
                self.fail(what, f"{path} is not served", got.decode(errors="replace"))

    def starts(self, most):
        """Too few descriptors to start with: a sentence and exit 1, or a server that serves."""
        for limit in range(4, most):
            what = f"serve with ulimit -n {limit}"
            self.control.set()
            try:
                got = subprocess.run(
                    ["bash", "-c", f'ulimit -n {limit}; exec "$0" serve fixtures --port 0 </dev/null', str(self.program)],
                    cwd=self.work, env={k: v for k, v in self.environment.items() if k != "LD_PRELOAD"},
                    capture_output=True, timeout=5,
                )
            except subprocess.TimeoutExpired as late:
                if not late.stdout:
                    self.fail(what, "neither serves nor ends")
                continue
            if got.returncode != 1 or not got.stderr.strip():
                if got.returncode == 127 or b"shared libraries" in got.stderr:
                    continue
                self.fail(what, f"exits with {got.returncode}", got.stderr.decode(errors="replace"))

    def full(self):
        """What is printed to a full device is not lost behind exit 0."""
        for name, words, _ in COMMANDS:
            self.clean()
            self.control.set()
            # The line of `record` with its port is what a person would follow.
            if name == "record":
                continue
            with open("/dev/full", "w") as sink:
                got = self.call(words.split(), sink)
            silent = self.call_is_silent(words)
            if not silent and (got.returncode == 0 or b"No space left" not in got.stderr):
                self.fail(f"{name} > /dev/full", f"exits with {got.returncode}", got.stderr.decode(errors="replace"))

    def call_is_silent(self, words):
        self.clean()
        return not self.call(words.split()).stdout


PATHS = {"/a/": b"\r\n\r\na", "/b/file/": b"the content of b", "/b/script/": b"made", "/c/case/": b"hello"}
TRACE = '{"trace": 1, "api": "URLSession"}\n'


def plain(output):
    """Without ports and times, which differ from run to run."""
    output = re.sub(rb"127\.0\.0\.1:\d+|\[::1\]:\d+", b"127.0.0.1:0", output)
    return re.sub(rb"\b\d+(\.\d+)? (ms|s)\b", b"0 s", output)


def upstream_server():
    """The URL of a server that answers everything by the same reply, for `record`."""
    port = socket.create_server(("127.0.0.1", 0))

    def answer():
        while True:
            stream, _ = port.accept()
            with stream:
                stream.settimeout(10)
                try:
                    while b"\r\n\r\n" not in stream.recv(65536):
                        pass
                    stream.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nhi")
                except OSError:
                    pass

    threading.Thread(target=answer, daemon=True).start()
    return f"http://127.0.0.1:{port.getsockname()[1]}"


def ask(port, path):
    try:
        with socket.create_connection(("127.0.0.1", port), timeout=10) as stream:
            stream.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\n\r\n".encode())
            received = b""
            while piece := stream.recv(65536):
                received += piece
            return received
    except OSError as error:
        return str(error).encode()


def wait_for_health(port, wanted=b'"status":"ok"'):
    """The health, as soon as it says so; the last one after ten seconds, in which a load ends on a busy machine too."""
    end = time.monotonic() + 10
    while wanted not in (health := ask(port, "/__proctor/health")) and time.monotonic() < end:
        time.sleep(0.05)
    return health


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", type=Path)
    parser.add_argument("--only", default="", help="commands, or serve, boot, start, full, clock")
    parser.add_argument("--calls", default="")
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--most", type=int, help="so many calls of each kind, chosen by chance")
    parser.add_argument("--seed", type=int, default=int(time.time()) // 86_400, help="of the choice (default: the day)")
    options = parser.parse_args()
    only = set(filter(None, options.only.split(",")))
    calls = list(filter(None, options.calls.split(","))) or list(CALLS)
    with tempfile.TemporaryDirectory(prefix="shortages-") as name:
        choice = Choice(options.every, options.most, options.seed)
        bench = Bench(options.program.resolve(), Path(name), choice)
        bench.prepare()
        for command, words, writes in COMMANDS:
            if not only or command in only:
                bench.command(command, words, writes, calls)
        if not only or "serve" in only:
            bench.serve(calls)
            bench.lasting(calls)
        if not only or "boot" in only:
            bench.boot(calls)
        if not only or "start" in only:
            bench.starts(40)
        if not only or "full" in only:
            bench.full()
        if not only or "clock" in only:
            clocksteps.check(bench)
    if options.most is not None:
        print(f"shortages: the choice is that of --seed {options.seed}")
    print(f"shortages: {bench.runs} runs of commands, {len(bench.failures)} wrong")
    sys.exit(1 if bench.failures else 0)


main()
