"""Attacks on ports that are not a server's, for Benchmarks/attacks.py: the gateway of `record`, the port of `exam --adapter tcp://`.

Each gives the seconds after which somebody honest has an answer, and the processor seconds of the program until then.
"""
import json
import os
import pathlib
import re
import socket
import subprocess
import tempfile
import threading
import time

import programs

TOKEN = "a-token-of-the-attacks"


def chunks_of_a_byte(binary, folder):
    """2 MiB that a client sends to the gateway in chunks of one byte; the server behind answers at once."""
    upstream = socket.create_server(("127.0.0.1", 0))

    def answer():
        while True:
            try:
                link, _ = upstream.accept()
            except OSError:
                return
            with link:
                head = b""
                while b"\r\n\r\n" not in head:
                    head += link.recv(65536)
                length = int(re.search(rb"(?i)content-length: *([0-9]+)", head)[1])
                rest = length - len(head.split(b"\r\n\r\n", 1)[1])
                while rest > 0:
                    rest -= len(link.recv(1 << 20))
                link.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\nok")
    threading.Thread(target=answer, daemon=True).start()
    port = free_port()
    process = subprocess.Popen(
        [binary, "record", "--upstream", f"http://127.0.0.1:{upstream.getsockname()[1]}", "--port", str(port),
         "--output", folder / "recorded.yaml"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        link = connected(port)
        content = b"1\r\nx\r\n" * (2 << 20) + b"0\r\n\r\n"
        begin = time.monotonic()
        link.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n" + content)
        got = link.recv(65536)
        return (time.monotonic() - begin if b" 200 " in got else float("inf")), processor_seconds(process)
    finally:
        process.kill()
        process.wait()
        upstream.close()


def silent_adapters(binary, folder):
    """300 connections to the port of an adapter that say nothing, and then the right token."""
    port = free_port()
    fixture = folder / "a.yaml"
    fixture.write_text("summary: A\nexchanges: [ { request: GET /, reply: { status: 200 } } ]\n"
                       "cases: { get: { client: { url: / } } }\n")
    process = subprocess.Popen(
        [binary, "exam", "a", "--fixtures", folder, "--adapter", f"tcp://127.0.0.1:{port}", "--fail-on", "never"],
        env=os.environ | {"PROCTOR_ADAPTER_TOKEN": TOKEN}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        silent = [connected(port) for _ in range(300)]
        begin = time.monotonic()
        with connected(port) as link:
            link.sendall(json.dumps({"adapter": "proctor", "version": 1, "token": TOKEN}).encode() + b"\n")
            got = link.recv(65536)
        taken = time.monotonic() - begin
        for other in silent:
            other.close()
        return (taken if b'"exam"' in got and b"refused" not in got else float("inf")), processor_seconds(process)
    finally:
        process.kill()
        process.wait()


def processor_seconds(process):
    fields = pathlib.Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as port:
        return port.getsockname()[1]


def connected(port):
    end = time.monotonic() + 20
    while True:
        try:
            return socket.create_connection(("127.0.0.1", port), 30)
        except ConnectionRefusedError:
            if time.monotonic() > end:
                raise
            time.sleep(0.02)


# Name, attack, the most seconds and processor seconds; a busy machine changes the former alone.
DOORS = [
    ("gateway, 2 MiB in chunks of one byte", chunks_of_a_byte, None, 1),
    ("port of an adapter, 300 silent connections before the right token", silent_adapters, 1, None),
    *programs.ROWS,
]


def measure(binary, only, print_row):
    """The names of attacks that miss their goal."""
    missed = []
    rows = [row for row in DOORS if only.lower() in row[0].lower()]
    if rows:
        print_row("\n| attack | seconds to an answer | processor seconds | goal |\n|---|---|---|---|")
    for name, attack, *most in rows:
        with tempfile.TemporaryDirectory(prefix="proctor-doors-") as folder:
            taken = attack(binary, pathlib.Path(folder))
        faults = [f"{got:.2f} of at most {bound} s" for got, bound in zip(taken, most) if bound is not None and got > bound]
        print_row(f"| {name} | {taken[0]:.2f} | {taken[1]:.2f} | {', '.join(faults) or 'met'} |")
        missed += [f"attacks: {name}: {fault}" for fault in faults]
    return missed
