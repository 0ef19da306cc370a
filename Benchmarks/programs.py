"""Attacks on commands that read what another program writes, for Benchmarks/attacks.py: the traces of adapters, the server behind
`watch`, and callers of a server that a helper has started.

Each gives the seconds until the command has ended, or an honest caller has an answer, and the processor seconds of the command.
"""
import http.client
import json
import os
import random
import resource
import signal
import socket
import subprocess
import sys
import threading
import time

CASES = 60
# MiB that a command may hold, whatever another program writes.
MOST_MIB = 200
ADAPTER = r"""#!/usr/bin/env python3
import json, random, sys, urllib.request
if sys.argv[1:]: sys.exit(print("wild 1"))
assignment = json.load(sys.stdin)
url = assignment["steps"][0]["url"]
number = int(url.rpartition("?")[2])
dice = random.Random(number)
reply = urllib.request.urlopen(url)
said = {"status": reply.status, "url": reply.url, "body": reply.read().decode()}
lines = [json.dumps(line).encode() for line in [
    {"trace": "proctor", "version": 1, "client": "wild", "clientVersion": "1", "clock": "monotonic", "unit": "ns", "lanes": ["harness"],
     "facts": ["status", "url", "body", "error", "message"], "abilities": []},
    {"seq": 1, "ns": 1, "lane": "harness", "task": 0, "ev": "resume"},
    {"seq": 2, "ns": 2, "lane": "harness", "task": 0, "ev": "result", "facts": said}]]
def changed(line):
    way = dice.randrange(12)
    if way == 0: return line[:dice.randrange(len(line))]
    if way == 1: return line + bytes([dice.randrange(256)]) * dice.choice([1, 100, 70000])
    if way == 2: return bytes(byte ^ (dice.random() < 0.05) * dice.randrange(1, 256) for byte in line)
    if way == 3: return line.replace(b"1", str(dice.choice([-1, 2**63, 2**64, 10**400, 1e308])).encode(), 1)
    if way == 4: return b"[" * dice.choice([10, 5000]) + line
    if way == 5: return line.replace(b'"', b'"\\ud800', 1)
    if way == 6: return b'{"a":' * 3000 + b"1" + b"}" * 3000
    if way == 7: return line.replace(b":", b":" + b" " * 10000, 1)
    if way == 8: return b"\n".join([line] * dice.choice([2, 3000]))
    if way == 9: return line.replace(b'"ev"', b'"ev": "x", "ev"')
    if way == 10: return b"\0\xff\xfe" + line
    return b""
# Every tenth is right, or the exam would give the client up.
for _ in range(1 + dice.randrange(3) if number % 10 else 0):
    at = dice.randrange(len(lines))
    lines[at] = changed(lines[at])
number % 10 and dice.random() < 0.2 and dice.shuffle(lines)
sys.stdout.buffer.write(b"\n".join(lines) + b"\n" * (number % 10 == 0 or dice.random() < 0.8))
sys.stdout.flush()
sys.exit(dice.choice([0, 0, 0, 1]) if number % 10 else 0)
"""


def write_client(folder):
    """A client whose traces are changed at random, and as many cases as it is asked."""
    place = folder / "fixtures"
    (folder / "clients/adapters").mkdir(parents=True)
    (place / "wild").mkdir(parents=True)
    adapter = folder / "clients/adapters/wild"
    adapter.write_text(ADAPTER)
    adapter.chmod(0o755)
    for number in range(CASES):
        (place / "wild" / f"c{number}.yaml").write_text(
            f"summary: A case\nexchanges: [ {{ request: 'GET /?{number}', reply: {{ status: 200, body: hello }} }} ]\n"
            f"cases: {{ get: {{ client: {{ url: '/?{number}' }}, facts: {{ body: hello }} }} }}\n")
    return place, adapter


def ended(command, **more):
    """Seconds and processor seconds; a signal, a usage error and more memory than is permitted count as no end."""
    begin, before = time.monotonic(), resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **more)
    peak, watching = [0], threading.Event()

    def watch():
        while not watching.wait(0.02):
            try:
                peak[0] = max(peak[0], peak_mib(process))
            except OSError:
                return
    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    try:
        said = process.communicate(timeout=300)[1]
    except subprocess.TimeoutExpired:
        process.kill()
        said = "no end within 300 s"
    watching.set()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    is_well = process.returncode in (0, 1) and peak[0] < MOST_MIB
    if not is_well:
        print(f"attacks: exit {process.returncode}, {peak[0]:.0f} MiB: {said.strip()[-300:]}", file=sys.stderr)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return (time.monotonic() - begin if is_well else float("inf")), used


def changed_traces(binary, folder):
    place, adapter = write_client(folder)
    return ended([binary, "exam", "wild/", "--fixtures", place, "--adapter", adapter, "--ephemeral-ca", "--fail-on", "never"])


def fuzzed_traces(binary, folder):
    place, _ = write_client(folder)
    return ended([binary, "fuzz", "wild/c1", "wild/c2", "--fixtures", place, "--client", "wild,curl", "--count", "20", "--seed", "7",
                  "--into", folder / "mutants", "--ca-dir", folder / "ca"])


# What a server of somebody else may send to `watch`, for ever.
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n"
STREAMS = {
    "a line without end": (HEAD + b"data: ", b"x" * 65536),
    "one event without end": (HEAD, b"data: x\n" * 8192),
    "entries that are none": (HEAD, b"event: entry\ndata: {\"seq\":1e400,\"ev\":[[[[\n\n" * 2000),
    "comments": (HEAD, b": x\n" * 16384),
    "a head without end": (b"HTTP/1.1 200 OK\r\n", b"X-Field: x\r\n" * 5000),
    "another protocol": (b"\0\xff" * 100, b"\0\xff" * 32768),
}


def watched(start, piece, most=64 << 20):
    """A server that answers each connection alike; behind so many bytes it closes."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        while True:
            try:
                link, _ = listener.accept()
            except OSError:
                return
            try:
                link.recv(65536)
                link.sendall(start)
                for _ in range(most // len(piece)):
                    link.sendall(piece)
            except OSError:
                pass
            link.close()
    threading.Thread(target=serve, daemon=True).start()
    return listener


def wild_server(binary, folder):
    """`watch` before each of the servers for two seconds; gives the longest time from ^C to its end."""
    taken = [0.0, 0.0]
    for name, (start, piece) in STREAMS.items():
        listener = watched(start, piece)
        process = subprocess.Popen([binary, "watch", "r1", "--server", f"http://127.0.0.1:{listener.getsockname()[1]}"],
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(2)
        peak, used = peak_mib(process), processor_seconds(process)
        begin = time.monotonic()
        process.send_signal(signal.SIGINT)
        process.wait(60)
        listener.close()
        is_well = process.returncode in (-signal.SIGINT, 130, 1) and peak < MOST_MIB
        if not is_well:
            print(f"attacks: watch before {name}: exit {process.returncode}, {peak:.0f} MiB", file=sys.stderr)
        taken = [max(taken[0], time.monotonic() - begin if is_well else float("inf")), taken[1] + used]
    return tuple(taken)


def peak_mib(process):
    with open(f"/proc/{process.pid}/status") as status:
        return max([0, *(int(line.split()[1]) / 1024 for line in status if line.startswith("VmHWM"))])


def processor_seconds(process):
    with open(f"/proc/{process.pid}/stat") as file:
        fields = file.read().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def strangers_calls(binary, folder):
    """300 silent connections and 2,000 calls with wrong tokens at the server of a helper, and then the right one."""
    (folder / "a.yaml").write_text("summary: A\nexchanges: [ { request: GET /, reply: { status: 200 } } ]\n")
    process = subprocess.Popen([binary, "serve", folder, "--port", "0", "--own-token", "--ephemeral-ca", "--grace", "0"],
                               stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        ready = json.loads(process.stdout.readline())
        token, port = ready["token"], ready["port"]
        silent = [socket.create_connection(("127.0.0.1", port), 20) for _ in range(300)]
        dice, wire = random.Random(7), http.client.HTTPConnection("127.0.0.1", port, timeout=60)

        def status(method, path, given):
            wire.request(method, "/__proctor/" + path, None, {"Authorization": given} if given else {})
            answer = wire.getresponse()
            answer.read()
            return answer.status
        wrong = ["", "Bearer", "Bearer ", f"Bearer {token[:-1]}", f"Bearer {token}x", f"Basic {token}", token, f"Bearer {token.upper()}x"]
        ways = [("GET", "runs"), ("POST", "runs"), ("GET", "journal"), ("DELETE", "runs/r1"), ("POST", "exams/x"), ("GET", "metrics")]
        passed = 0
        for _ in range(2000):
            passed += status(*dice.choice(ways), dice.choice(wrong)) not in (400, 401, 403, 404)
        begin = time.monotonic()
        is_right = status("GET", "runs", f"Bearer {token}") == 200
        taken = time.monotonic() - begin
        for link in silent:
            link.close()
        return (taken if is_right and not passed else float("inf")), processor_seconds(process)
    finally:
        process.kill()
        process.wait()


# Name, attack, the most seconds and processor seconds.
ROWS = [
    (f"adapter, {CASES} cases whose traces are changed at random", changed_traces, 300, 60),
    ("fuzz --client, 20 mutants whose traces are changed at random", fuzzed_traces, 300, 60),
    (f"watch, {len(STREAMS)} servers that send what is no journal, then ^C", wild_server, 2, 20),
    ("server of a helper, 300 silent connections and 2,000 calls with wrong tokens, then the right one", strangers_calls, 1, None),
]
