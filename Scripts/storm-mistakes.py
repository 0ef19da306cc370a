#!/usr/bin/env python3
"""Has `proctor storm` find each mistake of schedules that the reference client can make.

  Scripts/storm-mistakes.py [--proctor .build/debug/proctor] [--client .build/debug/proctor-client-reference] [--seed N]
                            [--loads N] [--quick] [LABEL ...]

Each row of storm-mistakes.tsv is a mistake and the invariant that it breaks. For each the client is asked schedules of the
seed until that invariant is broken, for 60 s at most; the table that is printed has the schedule that broke it, the seconds until
it was found, and those in which it was taken apart; with --quick a storm is ended when it has found its mistake. Exits with 1 where
one was not found.
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
    words.add_argument("--quick", action="store_true")
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
            seconds, output, errors = None, "", pathlib.Path(folder, "errors")
            with open(errors, "w") as file, subprocess.Popen(command, stdout=subprocess.PIPE, stderr=file, text=True) as storm:
                for line in storm.stdout:
                    output += line
                    if line.startswith(f"{invariant}: "):
                        seconds = time.monotonic() - began
                    # The line behind it names the schedule.
                    elif seconds is not None and given.quick:
                        storm.terminate()
                        break
            rest = time.monotonic() - began - (seconds or 0)
            complaints = errors.read_text()
        found = re.search(rf"^{invariant}: .*\n  schedule (\d+)", output, re.M)
        # A mistake that needs no schedule is seen in the plain loads with which a storm begins.
        is_plain = re.search(rf"can't be asked: .*: {invariant}[,:]", complaints) is not None
        place = f"schedule {found[1]}" if found else "plain loads" if is_plain else "not found"
        if is_plain:
            seconds, rest = rest, 0
        print(f"{label:30} {invariant:18} {place:14} {seconds or rest:6.1f} s, {rest if seconds else 0:6.1f} s", flush=True)
        if not found and not is_plain:
            missed.append(label)
            print(output[-2000:] + complaints[-2000:], file=sys.stderr)
    sys.exit(f"not found: {', '.join(missed)}" if missed else 0)


if __name__ == "__main__":
    main()
