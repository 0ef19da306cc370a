#!/usr/bin/env python3
"""Measures proctor beside nginx on this machine, in turn, and prints the ratios as a table.

Everything runs on loopback. One nginx worker stands against one proctor loop. Each figure is the median of several
rounds that alternate between the two, because a shared machine is never equally fast twice.
"""
import argparse
import os
import pathlib
import shutil
import statistics
import sys
import tempfile

from auth import GuardedNginx, bench_auth
from clients import bench_clients
from computed import bench_computed
from examination import bench_exam, bench_storm
from grading import bench_grading
from http2 import bench_http2
from http3 import bench_http3
from loops import bench_loops
from measures import bytes_per_second, in_turn, requests_per_second, spread
from memory import bench_memory
from pace import bench_pace
from proxy import bench_proxy
from results import Table
from runs import bench_runs
from servers import PAGE, Nginx, Proctor, RunningNginx, free_port, write_fixtures
from small import bench_small
from sockets import bench_sockets
from start import bench_start
from tls import SecuredNginx, bench_tls
from watching import bench_watching


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


def bench_big(binary, folder, big_file, nginx, table, rounds):
    write_fixtures(folder / "big", 1, big_file)
    server = Proctor(binary, folder / "big").start()
    (theirs, mine), *ratio = in_turn([nginx, server], lambda s: bytes_per_second(s.big()), rounds)
    table.add("1 GiB from a file", f"{mine / 1e9:.2f} GB/s", f"nginx {theirs / 1e9:.2f} GB/s", spread(*ratio))
    pattern = server.big().replace("/file", "/pattern")
    (theirs, mine), *ratio = in_turn([nginx.big(), pattern], bytes_per_second, rounds)
    table.add("1 GiB from a pattern", f"{mine / 1e9:.2f} GB/s", f"nginx, file {theirs / 1e9:.2f} GB/s", spread(*ratio))
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


def measure_serving(options, folder, table):
    for tool in ("nginx", "wrk", "curl"):
        if not shutil.which(tool):
            sys.exit(f"bench: {tool} is missing; `make bench` installs it")
    big_file = gibibyte(folder / "big.bin")
    nginx = Nginx(folder, big_file).start()
    try:
        if not options.bodies:
            bench_small(options.binary, folder, nginx, table, options.rounds, options.seconds)
            bench_computed(options.binary, folder, table, options.rounds, options.seconds)
            bench_many(options.binary, folder, table, options.rounds, options.seconds)
            bench_loops(options.binary, folder, table, options.rounds, options.seconds)
            bench_watching(options.binary, folder, table, options.rounds, options.seconds)
        bench_pages(options.binary, folder, nginx, table, options.rounds, options.seconds)
        bench_big(options.binary, folder, big_file, nginx, table, options.rounds)
    finally:
        nginx.stop()
    if not options.bodies:
        measure_starts(options, folder, nginx, big_file, table)


def measure_starts(options, folder, nginx, big_file, table):
    bench_memory(options.binary, folder, nginx.start, table, options.rounds)
    bench_start(options.binary, folder, big_file, table, options.rounds)
    bench_runs(options.binary, folder, table, options.rounds, options.seconds)


def measure_clients(options, folder, table):
    write_fixtures(folder / "one", 1)
    bench_clients(lambda: Proctor(options.binary, folder / "one").start(), folder, table, options.rounds)


def measure_auth(options, folder, table):
    bench_auth(lambda fixtures: Proctor(options.binary, fixtures).start(),
               lambda: RunningNginx(GuardedNginx(folder, free_port())), folder, table, options.rounds)


def measure_tls(options, folder, table):
    bench_tls(lambda fixtures, authority: Proctor(options.binary, fixtures, authority=authority).start(),
              lambda servers: RunningNginx(SecuredNginx(folder, free_port(), servers)), folder, table, options.rounds)


def gibibyte(path):
    with path.open("wb") as file:
        for _ in range(1024):
            file.write(os.urandom(1 << 10) * 1024)
    return path


def measure_http3(options, folder, table):
    bench_http3(options.binary, folder, gibibyte(folder / "http3.bin"), table, options.rounds)


def measure_http2(options, folder, table):
    big_file = gibibyte(folder / "http2.bin")
    bench_http2(options.binary, folder, big_file, table, options.rounds, options.seconds)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path, help="the release binary of proctor")
    parser.add_argument("--adapter", type=pathlib.Path, help="the reference client as an adapter, for the exam")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--seconds", type=int, default=3)
    parser.add_argument("--grading", action="store_true", help="measure grading alone, which needs neither nginx nor wrk")
    parser.add_argument("--bodies", action="store_true", help="measure bodies of 64 KiB and 1 GiB beside nginx, alone")
    parser.add_argument("--clients", action="store_true", help="measure the reference client beside other clients, alone")
    parser.add_argument("--pace", action="store_true", help="measure how well moments are kept, alone")
    parser.add_argument("--auth", action="store_true", help="measure what guards cost a request, alone")
    parser.add_argument("--proxy", action="store_true", help="measure what a proxy costs a request, alone")
    parser.add_argument("--start", action="store_true", help="measure start, memory and runs, alone")
    parser.add_argument("--exam", action="store_true", help="measure what an exam costs, alone")
    parser.add_argument("--storm", action="store_true", help="measure what a storm costs, alone")
    parser.add_argument("--watching", action="store_true", help="measure what an open page costs the serving loop, alone")
    parser.add_argument("--tls", action="store_true", help="measure TLS beside nginx, alone")
    parser.add_argument("--http3", action="store_true", help="measure HTTP/3 beside gtlsserver, caddy and aioquic, alone")
    parser.add_argument("--http2", action="store_true", help="measure HTTP/2 beside nginx, alone")
    parser.add_argument("--sockets", action="store_true", help="measure WebSockets beside other servers, alone")
    parser.add_argument("--save", type=pathlib.Path, help="write the table into this file, between its markers")
    options = parser.parse_args()
    table = Table()
    with tempfile.TemporaryDirectory(prefix="proctor-bench-") as name:
        folder = pathlib.Path(name)
        is_whole = not (options.grading or options.clients or options.pace or options.bodies or options.auth
                        or options.tls or options.proxy or options.start or options.exam or options.storm or options.watching
                        or options.http2 or options.http3 or options.sockets)
        if is_whole or options.bodies:
            measure_serving(options, folder, table)
        if options.watching:
            write_fixtures(folder / "thousand", 1000)
            bench_watching(options.binary, folder, table, options.rounds, options.seconds)
        if options.start:
            write_fixtures(folder / "thousand", 1000)
            measure_starts(options, folder, Nginx(folder, folder / "big.bin"), folder / "big.bin", table)
        if options.adapter and (is_whole or options.exam):
            bench_exam(options.binary, options.adapter, table, options.rounds)
        if options.adapter and (is_whole or options.storm):
            bench_storm(options.binary, options.adapter, table, options.rounds)
        if is_whole or options.clients:
            measure_clients(options, folder, table)
        if is_whole or options.pace:
            bench_pace(lambda fixtures: Proctor(options.binary, fixtures).start(), folder, table, options.rounds)
        if is_whole or options.auth:
            measure_auth(options, folder, table)
        if is_whole or options.tls:
            measure_tls(options, folder, table)
        if is_whole or options.http2:
            measure_http2(options, folder, table)
        if is_whole or options.http3:
            measure_http3(options, folder, table)
        if is_whole or options.sockets:
            bench_sockets(options.binary, folder, table, options.rounds, options.seconds)
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
