#!/usr/bin/env python3
"""Prints, as the page dearest.md, the functions in which the instructions of one of each thing are, the dearest first.

A function counts without those that it calls. Each figure is the difference of two counts, as in `make bench-check`, but those of a
start, which is counted whole.
"""
import argparse
import pathlib
import tempfile

import check
import loads
from callgrind import ROOT
from frames import demangled

HEAD = """# The dearest functions

What one of each thing takes of instructions, and the functions in which most of them are, without those that these call; counted by callgrind.
Written by `python3 Benchmarks/dearest.py PROGRAM > Benchmarks/dearest.md`, of a release build. [README.md](README.md#counts) says how each load is made.
"""
LOADS = [
    ("small reply", loads.requests), ("small reply, requests that differ", loads.varied),
    ("small reply, journal file", loads.requests, "--journal", "FOLDER/j.jsonl"),
    ("small reply, HTTP/2", loads.streams), ("small reply, HTTP/3", loads.streams_of_quic, "--certs", str(ROOT / "certs")),
    ("small reply by a script", loads.scripted), ("small reply behind Digest", loads.guarded),
    ("run made and dropped", loads.runs),
]
START = "start and stop"
FEW = 200


def shown(name, most=90):
    """A name without what only the linker needs, short enough for a table."""
    name = name.replace("|", "\\|").replace("`", "")
    return name if len(name) <= most else name[:most - 1] + "…"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path, help="the release binary of proctor, with its symbols")
    parser.add_argument("--most", type=int, default=10, help="how many functions of each load")
    parser.add_argument("--only", choices=[what for what, *_ in LOADS] + [START], metavar="NAME", help="one load, as the page names it")
    options = parser.parse_args()
    binary = options.binary.resolve()
    print(HEAD, end="")
    for what, load, *flags in LOADS + [(START, loads.requests)]:
        if options.only not in (None, what):
            continue
        with tempfile.TemporaryDirectory(prefix="proctor-dearest-") as folder:
            count = lambda times: check.served(binary, pathlib.Path(folder), "load", load, times, *flags)
            # As `make bench-check` counts them.
            many = 1 if what == START else 4200 if load is loads.streams_of_quic else 1200
            each = count(many) if what == START else count(many).per(count(FEW), many - FEW)
        dearest = sorted(each.own.items(), key=lambda entry: -entry[1])[:options.most]
        names = demangled([name for name, _ in dearest])
        print(f"\n## {what}: {each.instructions:,.0f}\n\n| instructions | calls | function |\n|---:|---:|---|")
        for name, cost in dearest:
            print(f"| {cost:,.0f} | {each.calls.get(name, 0):,.1f} | `{shown(names[name])}` |")


if __name__ == "__main__":
    main()
