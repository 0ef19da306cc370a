#!/usr/bin/env python3
"""Sums what the Swift compiler says that each module took (-stats-output-dir FOLDER), as NAME<tab>COUNT lines.

A count is processor time in units of so many milliseconds: one compilation of Benchmarks/Yardstick, as Scripts/build.sh
measures it. The files are removed once they are counted, so that the next build stands alone.
"""
import argparse
import collections
import json
import pathlib
import re
import sys

# A frontend's own total: `time.swift-frontend.MODULE-all-x86_64_...user`.
TOTAL = re.compile(r"time\.swift-frontend\.(.+?)-[^-]+-(?:x86_64|aarch64|arm64)\S*\.(?:user|sys)$")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("unit", type=float, help="milliseconds")
    options = parser.parse_args()
    seconds = collections.Counter()
    for path in options.folder.glob("*.json"):
        for key, value in json.loads(path.read_text()).items():
            if match := TOTAL.match(key):
                seconds[match[1]] += value
        path.unlink()
    if not seconds:
        sys.exit(f"module-costs: the compiler has left no statistics in {options.folder}")
    for name, value in sorted(seconds.items()):
        print(f"{name}\t{value * 1000 / options.unit:.1f}")


if __name__ == "__main__":
    main()
