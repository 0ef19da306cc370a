#!/usr/bin/env python3
"""Has `proctor storm` find each mistake of schedules that the reference client can make.

  Scripts/storm-mistakes.py [--proctor .build/debug/proctor] [--client .build/debug/proctor-client-reference] [--seed N]
                            [--loads N] [LABEL ...]

Each row of storm-mistakes.tsv is a mistake and the invariant that it breaks. For each the client is asked schedules of the
seed until that invariant is broken, for 60 s at most; the table that is printed has the schedule that broke it, and the
seconds with those in which it is taken apart. Exits with 1 where a mistake was not found.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "Sources/Ground/CFiles/Tables/storm-mistakes.tsv"
SECONDS = 60


def rows():
    lines = TABLE.read_text().splitlines()[1:]
    return [line.split("\t") for line in lines]


def main():
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("--proctor", default=str(ROOT / ".build/debug/proctor"))
    words.add_argument("--client", default=str(ROOT / ".build/debug/proctor-client-reference"))
    words.add_argument("--seed", default="1")
    words.add_argument("--loads", default="100000")
    words.add_argument("labels", nargs="*")
    given = words.parse_args()
    unknown = set(given.labels) - {row[0] for row in rows()}
    if unknown:
        sys.exit(f"storm-mistakes.py: no row of {TABLE.name} is {', '.join(sorted(unknown))}")
    missed = []
    for label, invariant, _ in rows():
        if given.labels and label not in given.labels:
            continue
        with tempfile.TemporaryDirectory() as folder:
            began = time.monotonic()
            command = [
                given.proctor, "storm", "--adapter", f"{given.client} --break {label}", "--seed", given.seed, "--loads", given.loads,
                "--minutes", "1", "--until", invariant, "--into", folder,
            ]
            done = subprocess.run(command, capture_output=True, text=True)
            seconds = time.monotonic() - began
        found = re.search(rf"^{invariant}: .*\n  schedule (\d+)", done.stdout, re.M)
        # A mistake that needs no schedule is seen in the plain loads with which a storm begins.
        is_plain = re.search(rf"can't be asked: .*: {invariant}[,:]", done.stderr) is not None
        is_found = found is not None or is_plain
        place = f"schedule {found[1]}" if found else "plain loads" if is_plain else "not found"
        print(f"{label:30} {invariant:18} {place:14} {seconds:6.1f} s", flush=True)
        if not is_found:
            missed.append(label)
            print(done.stdout[-2000:] + done.stderr[-2000:], file=sys.stderr)
    sys.exit(f"not found: {', '.join(missed)}" if missed else 0)


if __name__ == "__main__":
    main()
