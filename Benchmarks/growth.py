#!/usr/bin/env python3
"""Reads fixtures with N, 2N and 4N of every list that they take, and shows where time grows faster than the list.

Each file is read by `proctor check` in a process of its own; the time is that of its processor, less that of an empty check, and
the least of several. N is as large as the bound of the list lets 4N be, or as many as make up 2 MiB. The run fails where four times
as much takes more than six times as long (1.5 × N), and where memory is more than 20 times the file and 64 MiB.
"""
import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

MOST_GROWTH = 1.5
MOST_MEMORY = 20
FREE_MEMORY = 64 << 20
# Less is noise.
LEAST_SECONDS = 0.05

HEAD = "summary: grows\n"
ONE = "exchanges: [ { request: GET /a, reply: { status: 200 } } ]\n"


def lines(form, count):
    return "".join(form.replace("%", str(n)) + "\n" for n in range(count))


def flow(form, count):
    return ", ".join(form.replace("%", str(n)) for n in range(count))


def exchange(request="GET /a", reply="{ status: 200 }", more=""):
    return HEAD + f"exchanges:\n  - {{ request: {request}, reply: {reply}{more} }}\n"


def case(more, client="{ url: /a }"):
    return HEAD + ONE + f"cases:\n  c:\n    client: {client}\n{more}"


# Name, the largest N, the text of N.
LISTS = [
    ("exchanges", 250, lambda n: HEAD + "exchanges:\n" + lines("  - { request: GET /e%, reply: { status: 200 } }", n)),
    ("exchanges with holes", 250,
     lambda n: HEAD + "exchanges:\n" + lines("  - { request: 'GET /e%/{a}/*/{b}?x=%', reply: { status: 200 } }", n)),
    ("exchanges with expressions before long targets", 120,
     lambda n: HEAD + "exchanges:\n"
     + lines("  - { request: { method: GET, path: { matches: '/(a+)+b%' } }, reply: { status: 200 } }", n)
     + lines("  - { request: GET /" + "a" * 1000 + "%, reply: { status: 200 } }", n)),
    ("origins", 15, lambda n: HEAD + "origins:\n" + lines("  o%: { scheme: http }", n) + "exchanges:\n"
     + lines("  - { origin: o%, request: GET /a, reply: { status: 200 } }", n)),
    ("guards", 15, lambda n: HEAD + "guards:\n"
     + lines("  g%: { schemes: [basic], realm: r, users: { u: p } }", n) + "exchanges:\n"
     + lines("  - { request: GET /e%, auth: g%, reply: { status: 200 } }", n)),
    ("users of a guard", 25, lambda n: HEAD + "guards:\n  g: { schemes: [basic], realm: r, users: { "
     + flow("u%: p%", n) + " } }\nauth: g\n" + ONE),
    ("state", 64, lambda n: HEAD + "state: { " + flow("s%: v%", n) + " }\n" + ONE),
    ("names of the state that are set and asked", 250, lambda n: HEAD + "exchanges:\n"
     + lines("  - { request: GET /e%, when: { n%: a }, reply: { status: 200, sets: { n%: b } } }", n)),
    ("late-bound names of the state", 250, lambda n: HEAD + "exchanges:\n"
     + lines("  - { request: 'GET /e%/{x}', when: { 'n%{{path.x}}z': a }, "
             "reply: { status: 200, sets: { 'm%{{path.x}}z': b, 'n%{{path.x}}z': c } } }", n)),
    ("replies by turn", 250, lambda n: HEAD + "exchanges:\n  - request: GET /a\n    reply:\n"
     + lines("      - { status: 200, body: b% }", n)),
    ("fields of a request", 250, lambda n: exchange(
        "{ method: GET, path: /a, headers: { " + flow("X-%: v%", n) + " } }")),
    ("query of a request", 250, lambda n: exchange("{ method: GET, path: /a, query: { " + flow("q%: v%", n) + " } }")),
    ("cookies of a request", 25, lambda n: exchange(
        "{ method: GET, path: /a, cookies: { " + flow("c%: v%", n) + " } }")),
    ("fields of a reply", 250, lambda n: exchange(reply="{ status: 200, headers: { " + flow("X-%: v%", n) + " } }")),
    ("late-bound text", 4000, lambda n: exchange(
        "'GET /a/{x}'", "{ status: 200, body: \"" + "".join(f"{i}{{{{path.x}}}}" for i in range(n)) + "\" }")),
    ("pieces of a body", 250, lambda n: exchange(reply="{ status: 200, body: [ " + flow("piece%", n) + " ] }")),
    ("chunks", 4000, lambda n: exchange(reply="{ status: 200, body: { chunks: [ " + flow("piece%", n) + " ] } }")),
    ("effects", 250, lambda n: exchange(
        reply="{ status: 200, body: { repeat: x, bytes: 100000 }, effects: [ "
        + flow("{ at: body %, do: wait 1ms }", n) + " ] }")),
    ("interim replies", 250, lambda n: exchange(reply="{ status: 200, interim: [ " + flow("{ status: 103 }", n) + " ] }")),
    ("members of JSON", 4000, lambda n: exchange(reply="{ status: 200, body: { json: { " + flow("m%: %", n) + " } } }")),
    ("members of a pattern of JSON", 4000, lambda n: exchange(
        "{ method: POST, path: /a, json: { " + flow("m%: %", n) + " } }")),
    ("elements of a pattern of JSON", 50, lambda n: exchange(
        "{ method: POST, path: /a, json: { unordered: [ " + flow("%", n) + " ] } }")),
    ("form of a request", 250, lambda n: exchange("{ method: POST, path: /a, form: { " + flow("f%: v%", n) + " } }")),
    ("cases", 50, lambda n: HEAD + ONE + "cases:\n" + lines("  c%: { client: { url: /a }, wire: request(GET /a) }", n)),
    ("steps of a case", 25, lambda n: case("", "[ " + flow("{ url: /a? }".replace("?", "?%"), n) + " ]")),
    ("fields of a client", 250, lambda n: case("", "{ url: /a, headers: { " + flow("X-%: v%", n) + " } }")),
    ("expressions of a case", 1000, lambda n: case("    wire: " + " ".join(["request(GET /a)"] * n) + "\n")),
    ("edges of a case", 25, lambda n: case(
        "    edges:\n" + lines("      - wire request[1] after harness answer(follow)", n))),
    ("keys that are not known", 20000, lambda n: lines("unknown%: 1", n) + HEAD + ONE),
    ("keys that stand twice", 20000, lambda n: lines("summary: s%", n) + HEAD + ONE),
    ("replies with mistakes", 250, lambda n: HEAD + "exchanges:\n"
     + lines("  - { request: GET /e%, reply: { status: 99, bodi: x, headers: 3 } }", n)),
    ("values of one line that is not ASCII", 20000, lambda n: HEAD + "other: [ü, " + flow("%", n) + "]\n" + ONE),
    ("anchors", 20000, lambda n: HEAD + "other: [" + flow("&a% x", n) + "]\n" + ONE),
    ("aliases", 20000, lambda n: HEAD + "other: [&a x, " + flow("*a", n) + "]\n" + ONE),
    ("comments", 20000, lambda n: lines("# comment %", n) + HEAD + ONE),
    ("a long text", 400000, lambda n: exchange(reply="{ status: 200, body: \"" + "x\\t" * (n // 4) + "\" }")),
]


def measure(binary, path, times):
    """Seconds of the processor, and the most memory in bytes."""
    least, most = None, 0
    for _ in range(times):
        process = subprocess.Popen([str(binary), "check", str(path)], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        complaint = process.stderr.read(200)
        process.stderr.close()
        _, _, usage = os.wait4(process.pid, 0)
        seconds = usage.ru_utime + usage.ru_stime
        least = seconds if least is None else min(least, seconds)
        most = max(most, usage.ru_maxrss * 1024)
    return least, most, complaint.decode(errors="replace").split("\n")[0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path, help="the binary of proctor")
    parser.add_argument("--only", default="", help="lists whose names contain this")
    parser.add_argument("--times", type=int, default=3, help="how often each file is read (default 3)")
    parser.add_argument("--part", type=float, default=1, help="a part of each N, for a quick look (default 1)")
    parser.add_argument("--most", type=float, default=120, help="seconds of the processor that one check may take")
    options = parser.parse_args()
    binary = options.binary.resolve()
    resource.setrlimit(resource.RLIMIT_CPU, (int(options.most), int(options.most)))
    failed = []
    with tempfile.TemporaryDirectory(prefix="proctor-growth-") as folder:
        path = pathlib.Path(folder) / "grows.yaml"
        path.write_text(HEAD + ONE)
        empty = measure(binary, path, 5)[0]
        print("| list | N | s of N | 2N | 4N | growth by 4 | MiB of 4N | said |\n|---|---|---|---|---|---|---|---|", flush=True)
        for name, most, text in LISTS:
            if options.only.lower() not in name.lower():
                continue
            count = max(1, int(most * options.part))
            seconds, memory, complaint, size = [], 0, "", 0
            for factor in (1, 2, 4):
                data = text(count * factor)
                path.write_text(data)
                taken, memory, complaint = measure(binary, path, options.times)
                seconds.append(max(0.0, taken - empty))
                size = len(data)
            growth = seconds[2] / max(seconds[0], LEAST_SECONDS / 4)
            said = complaint.replace(str(path), "").strip(": ")[:70] or "no errors"
            print(f"| {name} | {count} | {seconds[0]:.2f} | {seconds[1]:.2f} | {seconds[2]:.2f} | {growth:.1f} "
                  f"| {memory / 2**20:.0f} | {said} |", flush=True)
            if seconds[2] > LEAST_SECONDS and growth > 4 * MOST_GROWTH:
                failed.append(f"growth: {name}: {growth:.1f} times as long for four times as much")
            if memory > FREE_MEMORY + MOST_MEMORY * size:
                failed.append(f"growth: {name}: {memory / 2**20:.0f} MiB for a file of {size} bytes")
    sys.exit("\n".join(failed) or 0)


if __name__ == "__main__":
    main()
