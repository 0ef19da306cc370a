#!/usr/bin/env python3
"""Sums what the Swift compiler says that it made of each module (-stats-output-dir FOLDER), as NAME<tab>COUNT lines.

A count is instructions of LLVM's intermediate language, which the optimiser of LLVM and the code generator are given: what is
inlined and specialised counts as often as it is copied. It is the same on every machine and under every load, which the
seconds of a module are not. The files are removed once they are counted, so that the next build stands alone.
"""
import argparse
import collections
import json
import pathlib
import re
import sys

# A frontend's own total, which names the module: `time.swift-frontend.MODULE-all-x86_64_...user`.
TOTAL = re.compile(r"time\.swift-frontend\.(.+?)-[^-]+-(?:x86_64|aarch64|arm64)\S*\.user$")
INSTRUCTIONS = "IRModule.NumIRInsts"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    options = parser.parse_args()
    counts = collections.Counter()
    for path in options.folder.glob("*.json"):
        statistics = json.loads(path.read_text())
        for name in {match[1] for key in statistics if (match := TOTAL.match(key))}:
            counts[name] += statistics.get(INSTRUCTIONS, 0)
        path.unlink()
    if not sum(counts.values()):
        sys.exit(f"module-costs: the compiler has left no {INSTRUCTIONS} in {options.folder}")
    for name, count in sorted(counts.items()):
        print(f"{name}\t{count}")


if __name__ == "__main__":
    main()
