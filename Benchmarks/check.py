#!/usr/bin/env python3
"""Counts what proctor does for one of each thing, and holds it against the committed table.

Instructions and calls are counted by valgrind's callgrind and memory by the kernel, so no figure depends on the load
or the speed of the machine. Each is a difference of two counts, with more and with fewer of the same thing.
"""
import argparse
import concurrent.futures
import contextlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import counts
import loads
from callgrind import ROOT, Counted
from counts import Row
from frames import demangled, frames
from generics import generic_calls, names_of_one

TABLE = pathlib.Path(__file__).resolve().parent / "counts.tsv"
ALLOCATIONS = ("malloc", "calloc", "realloc", "posix_memalign", "aligned_alloc", "memalign")
RETAINS = ("swift_retain", "swift_retain_n")
RELEASES = ("swift_release", "swift_release_n")
# Modules of the standard library that nothing of proctor may bring in, by their mangled names: regular expressions alone
# are 0.8 MB of an idle process.
UNWANTED = {"_StringProcessing": "17_StringProcessing", "_RegexParser": "12_RegexParser"}
# The instructions that the optimiser was given of each module of a release build, `NAME<tab>COUNT` a line.
MODULES = ROOT / ".build/costs/modules.tsv"
# A part of an async function, after its first or a later suspension.
PART = re.compile(r"T[YQ]\d*_$")


# What a load asks for besides the small reply.
SCENARIOS = {loads.echoes: {"socket": loads.SOCKET}, loads.varied: {"varied": loads.VARIED},
             loads.scripted: {"scripted": loads.SCRIPTED}, loads.guarded: {"guarded": loads.GUARDED}}


def served(binary, folder, name, load, times, *flags, scenarios=3):
    """The counts of a server from start to end that had so many scenarios and was given so much load."""
    place = folder / f"{name}-{times}-{scenarios}"
    fixtures = loads.write_fixtures(place / "fixtures", scenarios, **SCENARIOS.get(load, {}))
    flags = [word.replace("FOLDER", str(place)) for word in flags]
    with Counted([binary, "serve", fixtures, "--port", "0", "--check-first", "--ephemeral-ca", "--ca-seed", "1", *flags], place) as server:
        server.wait_until_ready()
        load(server, times)
        server.stop()
        return server.counts()


def checked(binary, folder, times):
    """The counts of `proctor check` over so many fixtures."""
    place = folder / f"check-{times}"
    with Counted([binary, "check", loads.write_fixtures(place / "fixtures", times)], place) as check:
        return check.counts()


def idle(binary, folder, used, is_socket=False):
    """Bytes of the server for a connection that waits, or for a WebSocket."""
    with idle_server(binary, folder / f"idle-{used}-{is_socket}") as (server, ready):
        connections = loads.Idle(server.pid, ready["port"], used, is_socket)
        if is_socket:
            connections.fill_journal()
        return bytes_each(connections, 100, 800)


def idle_quic(binary, folder):
    """The same for a connection of HTTP/3, each with a client of its own; so many that the 256 KiB which may stay freed in the process
    (MemoryReturn) are little of each."""
    with idle_server(binary, folder / "idle-quic", "--ephemeral-ca", "--certs", str(ROOT / "certs")) as (server, ready):
        return bytes_each(loads.IdleQUIC(server.pid, ready["port"]), 20, 240)


@contextlib.contextmanager
def idle_server(binary, folder, *flags):
    fixtures = loads.write_fixtures(folder, 3, socket=loads.SOCKET)
    server = subprocess.Popen([binary, "serve", fixtures, "--port", "0", "--check-first", *flags], stdout=subprocess.PIPE,
                              stderr=subprocess.DEVNULL, text=True)
    yield server, json.loads(server.stdout.readline())
    server.terminate()
    server.wait(30)


def bytes_each(connections, few, more):
    before = connections.open(few)
    after = connections.open(more)
    connections.close()
    return (after - before) / more


def builds():
    """What builds from nothing cost in this checkout (Scripts/build.sh), in compilations of Benchmarks/Yardstick."""
    rows = []
    for path in sorted((ROOT / ".build/costs").glob("*")):
        if path != MODULES:
            rows.append(Row("build", path.name, float(path.read_text()), 0.3))
    # Of the release build, where its compiler was asked for statistics (SCRATCH in the Makefile).
    for line in MODULES.read_text().splitlines() if MODULES.exists() else []:
        name, count = line.split("\t")
        rows.append(Row("module", name, float(count), 0.1))
    return rows


def tell_of_old_counts():
    """Only a build from nothing counts modules; says so where sources have changed since, which CI will count."""
    if MODULES.exists() and any(path.stat().st_mtime > MODULES.stat().st_mtime for path in (ROOT / "Sources").rglob("*.swift")):
        print("\nbench-check: sources have changed since modules were counted; `make release SCRATCH=FOLDER` with a new FOLDER counts them")


def sum_of(calls, names):
    return sum(calls.get(name, 0) for name in names)


def unwanted(binary):
    """The symbols of unwanted modules that were linked in, by module."""
    listing = subprocess.run(["nm", str(binary)], capture_output=True, text=True, check=True).stdout
    names = [line[19:] for line in listing.splitlines()]
    found = {module: [name for name in names if mangled in name] for module, mangled in UNWANTED.items()}
    return {module: names for module, names in found.items() if names}


class Watch:
    """What is counted; keeps the names behind a sum, to show them when the sum has grown."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.frames = frames(binary)
        self.same = names_of_one(binary)
        self.parts = {}

    def request_rows(self, of, load, few, many, *flags, tolerance=counts.USUAL):
        fewer = served(self.binary, self.folder, of.replace(" ", "-"), load, few, *flags)
        more = served(self.binary, self.folder, of.replace(" ", "-"), load, many, *flags)
        each = more.per(fewer, many - few)
        generic = generic_calls(each.calls, self.same)
        # A function that a thousand requests call less than once each belongs to a timer, or to another thread.
        entered = {PART.sub("", name) for name, count in each.calls.items() if count > 0.5}
        held = {name: self.frames[name] for name in entered if name in self.frames}
        rows = [
            Row(of, what, count, tolerance) for what, count in (
                ("instructions", each.instructions), ("mallocs", sum_of(each.calls, ALLOCATIONS)),
                ("retains", sum_of(each.calls, RETAINS)), ("releases", sum_of(each.calls, RELEASES)),
                ("generic calls", sum(generic.values())), ("bytes of async frames", sum(held.values())))
        ]
        self.parts[rows[4].key], self.parts[rows[5].key] = generic, held
        return rows

    def check_rows(self):
        each = checked(self.binary, self.folder, 60).per(checked(self.binary, self.folder, 10), 50)
        return [Row("fixture read", "instructions", each.instructions),
                Row("fixture read", "mallocs", sum_of(each.calls, ALLOCATIONS))]

    def load_rows(self):
        few, many = 200, 1000
        each = served(self.binary, self.folder, "load", loads.nothing, 0, scenarios=many).per(
            served(self.binary, self.folder, "load", loads.nothing, 0, scenarios=few), many - few)
        return [Row("scenario of a thousand served", "instructions", each.instructions),
                Row("scenario of a thousand served", "mallocs", sum_of(each.calls, ALLOCATIONS))]

    def start_rows(self):
        whole = served(self.binary, self.folder, "start", loads.requests, 1)
        return [Row("start and stop", "instructions", whole.instructions),
                Row("start and stop", "mallocs", sum_of(whole.calls, ALLOCATIONS))]

    def idle_rows(self):
        return [Row("idle connection, HTTP/3", "bytes, once used", idle_quic(self.binary, self.folder), 0.1),
                Row("idle connection", "bytes, never used", idle(self.binary, self.folder, False)),
                Row("idle connection", "bytes, once used", idle(self.binary, self.folder, True)),
                Row("idle WebSocket", "bytes, once used", idle(self.binary, self.folder, True, is_socket=True))]

    def rows(self):
        jobs = [
            lambda: self.request_rows("small reply", loads.requests, 200, 1200),
            lambda: self.request_rows("small reply, journal file", loads.requests, 200, 1200, "--journal", "FOLDER/j.jsonl"),
            lambda: self.request_rows("small reply, requests that differ", loads.varied, 200, 1200),
            lambda: self.request_rows("small reply, HTTP/2", loads.streams, 200, 1200),
            # Into how many packets the replies go depends on when either end has a turn, and what a key of RSA costs on chance, which is
            # 5 million instructions: of 1,000 requests 35,952 to 45,962 instructions each were counted of one build, of 4,000 40,638 to 40,682.
            lambda: self.request_rows("small reply, HTTP/3", loads.streams_of_quic, 200, 4200, "--certs",
                                      str(ROOT / "certs"), tolerance=0.1),
            lambda: self.request_rows("small reply by a script", loads.scripted, 200, 1200),
            lambda: self.request_rows("small reply behind Digest", loads.guarded, 200, 1200),
            # Now and then the process ends before a loop has freed the journal, which is a twentieth of what a message takes.
            lambda: self.request_rows("WebSocket message sent back", loads.echoes, 200, 1200, tolerance=0.08),
            lambda: self.request_rows("TLS handshake with a GET", loads.handshakes, 60, 160, "--tls-port", "0", "--certs", str(ROOT / "certs")),
            lambda: self.request_rows("run made and dropped", loads.runs, 50, 550),
            self.check_rows, self.load_rows, self.start_rows, self.idle_rows,
        ]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            return [row for future in [pool.submit(job) for job in jobs] for row in future.result()]

    def explain(self, row, most=12):
        """The largest parts of a sum, one a line."""
        parts = sorted(self.parts.get(row.key, {}).items(), key=lambda part: -part[1])[:most]
        names = demangled([name for name, _ in parts]) if parts else {}
        return "".join(f"    {counts.shown(count):>8}  {names[name]}\n" for name, count in parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path, help="the release binary of proctor, with its symbols")
    parser.add_argument("--table", type=pathlib.Path, default=TABLE)
    parser.add_argument("--save", action="store_true", help="write the counts that fell into the table")
    parser.add_argument("--bought", default="", metavar="TEXT",
                        help="with --save, write the counts that grew too: what they bought, in one line of the table")
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        sys.exit("bench-check: valgrind is missing; on Linux `make bench-check` installs it, elsewhere nothing is counted")
    strangers = unwanted(options.binary)
    for module, names in strangers.items():
        some = "".join(f"    {name}\n" for name in demangled(names[:5]).values())
        print(f"bench-check: the binary has {len(names)} symbols of {module}; find what uses it and do without:\n{some}", end="")
    with tempfile.TemporaryDirectory(prefix="proctor-counts-") as name:
        watch = Watch(options.binary.resolve(), pathlib.Path(name))
        rows = watch.rows() + builds()
    old = counts.read(options.table)
    grown, fallen, new, gone = counts.compare(rows, old)
    for row in rows:
        print(f"{counts.shown(row.count):>12}  {row.of}: {row.what}")
    for row, before in grown:
        print(f"\nbench-check: {counts.change(row, before)}\n{watch.explain(row)}", end="")
    tell_of_old_counts()
    if options.save:
        counts.write(options.table, counts.merged(rows, old, " ".join(options.bought.split())))
        print(f"\nbench-check: wrote what fell into {options.table}")
        if grown and not options.bought:
            print('bench-check: what grew stands there as it was; BOUGHT="what for" writes it')
            return 1
        return 1 if strangers else 0
    for row, before in fallen:
        print(f"\nbench-check: {counts.change(row, before)}; `make bench-check SAVE=1` keeps it low")
    for row in new:
        print(f"\nbench-check: {row.of}: {row.what} is in no table; `make bench-check SAVE=1` adds it")
    for row in gone:
        print(f"\nbench-check: nothing counts {row.of}: {row.what}; `make bench-check SAVE=1` takes it out")
    here, there = counts.system(), counts.system_of(options.table)
    if grown and there and here != there:
        print(f"\nbench-check: the table was counted with {there}, and this is {here}: what grew is told, and not judged")
        grown = []
    # What a build took depends on what else the machine did, and is told only; of each module the compiler's work is judged.
    grown = [(row, before) for row, before in grown if row.of != "build"]
    # A build that nobody has measured alone is told only.
    new = [row for row in new if row.of not in counts.BUILDS]
    if grown or new or gone:
        print("\nbench-check: find what costs more and take it back, or, if it is worth its cost, write it into the table by "
              '`make bench-check SAVE=1 BOUGHT="what for"`')
        return 1
    return 1 if strangers else 0


if __name__ == "__main__":
    sys.exit(main())
