#!/usr/bin/env python3
"""Runs what is slow by nature, step after step, each within its time, and prints one table in the end.

    Scripts/nightly.py                      every step
    Scripts/nightly.py --list               names the steps, with their times
    Scripts/nightly.py --only tsan,fuzz     these alone
    Scripts/nightly.py --write              puts the rows of what it ran into Docs/inside/nightly.md too

A step is a verb of the Makefile, so each can be run alone. Logs stand in .build/nightly. Exits 1 where a step failed or was
ended. NIGHTLY_FUZZ_SECONDS (600), NIGHTLY_SOAK (1000000) and NIGHTLY_REPEAT (10) change how much is asked. A row of the page
says of which commit and day it is, since a whole night is longer than most days have for it.
"""

import argparse
import datetime
import os
import platform
import re
import signal
import subprocess
import sys
import time

from ledger_text import ROOT, between, filled

FOLDER = ROOT / ".build/nightly"
PAGE = ROOT / "Docs/inside/nightly.md"
FUZZ_SECONDS = int(os.environ.get("NIGHTLY_FUZZ_SECONDS", "600"))
SOAK = int(os.environ.get("NIGHTLY_SOAK", "1000000"))
REPEAT = int(os.environ.get("NIGHTLY_REPEAT", "10"))
# Each fuzz target has seeds; one a core at a time.
FUZZ_ROUNDS = -(-len(list((ROOT / "Fuzz/Seeds").iterdir())) // (os.cpu_count() or 1))


def repeated(clients, protocol=""):
    words = f"--jobs {os.cpu_count()} {protocol}".strip()
    return f"make exam-repeat CLIENTS={clients} N={REPEAT} ARGS='{words}'"


# Name, what it asks, command, the most minutes.
STEPS = [
    ("test-all", "every test, with every case", "make test-all PROCTOR_TESTS=every", 60),
    ("exam", "three clients, every case", "make exam", 45),
    ("exam-cache", "the reference client with its cache on, every case", "make exam-cache", 30),
    ("darwin", "old mistakes for macOS and iOS, put back", "make check-darwin", 30),
    ("exam-breaks", "each breakage of the reference client", "make exam-breaks", 60),
    ("mistakes", "each seeded mistake is found by a row", "make mistakes", 120),
    ("without", "the program without each of its modules", "Scripts/without.py", 30),
    ("fairness", "no must and no should asks for what a client may leave", "Scripts/fairness.py", 2),
    ("bounds", "each bound of the schema of fixtures against the reader", "make schema-bounds", 10),
    ("shortages", "each call of the system fails once", 'make shortages ARGS="--most 12"', 60),
    ("marks", "clients that look at nothing", "make marks", 60),
    ("crossing", "recordings of ten libraries, imported and asked again", "make crossing", 20),
    ("exam-repeat", "the same verdict every time", repeated("reference,curl,go-net-http,node-http"), 240),
    ("exam-repeat-h2", "the same over HTTP/2", repeated("reference,curl,go-net-http,node-http2", "--protocol h2"), 240),
    ("test-repeat", "the same tests green every time", f"make test-repeat N={REPEAT}", 600),
    ("tsan", "the thread sanitizer over all tests", "make test-tsan", 120),
    ("asan", "the address sanitizer over all tests", "make test-asan", 90),
    ("pages", "every page, and attacks, in browsers", "make test-pages", 30),
    ("sdks", "the SDKs of language models against the llm pack", "make llm-sdks", 2),
    ("grpc", "the calls of gRPC's interoperability tests, by grpcio", "make grpc-interop", 5),
    ("soak", "connections that end in every way", f"make soak N={SOAK}", 60),
    ("attacks", "slow readers and floods beside a good client", "make attacks", 60),
    ("complexity", "growing input for every entry point", "make complexity", 90),
    ("fuzz", "every fuzz target", f"make fuzz SECONDS_EACH={FUZZ_SECONDS}", 20 + FUZZ_ROUNDS * (FUZZ_SECONDS // 60 + 1)),
]


def run(name, command, minutes):
    log = FOLDER / f"{name}.log"
    begin = time.monotonic()
    with log.open("wb") as output:
        child = subprocess.Popen(
            ["bash", "-c", command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            start_new_session=True)
        try:
            status = child.wait(minutes * 60)
            result = "well" if status == 0 else f"**failed** ({status})"
        except subprocess.TimeoutExpired:
            result = f"**ended** after {minutes} min"
        finally:
            # What a step has left running would slow the next one down.
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
    return result, time.monotonic() - begin, log


def last_words(log):
    """The last line that says how much was done."""
    lines = [re.sub(r"\033\[[0-9;]*m", "", line).strip() for line in log.read_text(errors="replace").splitlines()]
    telling = [line for line in lines if re.search(r"\d", line) and not line.startswith(("make", "["))]
    return (telling or lines or ["nothing"])[-1][:120].replace("|", "\\|")


HEAD = ["| step | asks | result | minutes | last words | day and commit |", "|---|---|---|---:|---|---|"]


def write_page(rows):
    """Replaces the rows of the page whose steps ran, and keeps those of the others."""
    page, marks = PAGE.read_text(), ("table: begin", "table: end")
    kept = {line.split("`")[1]: line for line in between(page, *marks).splitlines() if line.startswith("| `")} | rows
    lines = HEAD + [kept[name] for name, *_ in STEPS if name in kept]
    PAGE.write_text(filled(page, *marks, "\n".join(lines) + "\n"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="STEPS", help="names of steps, with commas between them")
    parser.add_argument("--list", action="store_true", help="name the steps and end")
    parser.add_argument("--write", action="store_true", help="put the rows of what ran into Docs/inside/nightly.md")
    options = parser.parse_args()
    wanted = [name for name in options.only.split(",") if name]
    unknown = set(wanted) - {name for name, *_ in STEPS}
    if unknown:
        parser.error(f"no step is named {', '.join(sorted(unknown))}; there are {', '.join(name for name, *_ in STEPS)}")
    steps = [step for step in STEPS if not wanted or step[0] in wanted]
    if options.list:
        for name, what, command, minutes in steps:
            print(f"{name:16} at most {minutes:3} min  {what}: {command}")
        return

    FOLDER.mkdir(parents=True, exist_ok=True)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    stamp = f"{datetime.date.today()}, {commit}"
    rows = {}
    is_well = True
    for name, what, command, minutes in steps:
        print(f"{name}: {command} (log: {FOLDER / name}.log)", flush=True)
        result, seconds, log = run(name, command, minutes)
        is_well = is_well and result == "well"
        print(f"  {result} in {seconds / 60:.1f} min", flush=True)
        rows[name] = f"| `{name}` | {what} | {result} | {seconds / 60:.1f} | {last_words(log)} | {stamp} |"
        # Written after each step: a night that ends early leaves what it has.
        (FOLDER / "table.md").write_text("\n".join(HEAD + list(rows.values())) + "\n")
        if options.write:
            write_page(rows)
    print(f"\n{os.cpu_count()} cores, {platform.system()} {platform.machine()}\n\n" + "\n".join(HEAD + list(rows.values())))
    sys.exit(0 if is_well else 1)


if __name__ == "__main__":
    main()
