#!/usr/bin/env python3
"""Runs the tests many times, alternately on a quiet machine and with four busy loops a core, and lists each test that did
not end the same every time.

    Scripts/test-repeat.py --count 20 --part 'WIDTH WORDS…' [--part …]

A part is what one call of `swift test --skip-build` runs: how many tests at a time, then its words. Every run's log stays in
.build/repeat. Exits 1 where a test failed or did not run every time.
"""

import argparse
import collections
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

FOLDER = Path(".build/repeat")
# Not at the start of a line alone: a line that two threads write at once holds two.
ENDED = re.compile(r'[✔✘] (?:Test (?P<name>".*?"|\S+\(.*?\))(?: with \d+ test cases?)?) (?P<verb>passed|failed) after ')
ISSUE = re.compile(r'^✘ Test (?P<name>".*?"|\S+\(.*?\)) recorded an issue(?P<rest>.*)')
COLOUR = re.compile(r"\033\[[0-9;]*m")


class BusyLoops:
    """Busy loops, for as long as it is entered."""

    def __init__(self, is_busy):
        self.count = 4 * os.cpu_count() if is_busy else 0
        self.children = []

    def __enter__(self):
        for _ in range(self.count):
            self.children.append(subprocess.Popen(["sh", "-c", "while :; do :; done"], stdin=subprocess.DEVNULL))

    def __exit__(self, *_):
        for child in self.children:
            child.kill()
            child.wait()


class Run:
    """What one call of `swift test` came to, from its log."""

    def __init__(self, title, log, status):
        self.title = title
        self.status = status
        self.outcomes = {}
        self.issues = collections.defaultdict(list)
        for line in log.read_text(errors="replace").splitlines():
            line = COLOUR.sub("", line)
            if match := ENDED.search(line):
                # Tests of the same name in two suites: one that failed counts.
                name = match["name"]
                if self.outcomes.get(name) != "failed":
                    self.outcomes[name] = match["verb"]
            elif match := ISSUE.match(line):
                self.issues[match["name"]].append(match["rest"])
        self.failed = [name for name, outcome in self.outcomes.items() if outcome == "failed"]


def run_part(words, width, log, limit):
    environment = os.environ | {"SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH": width}
    with log.open("wb") as output:
        child = subprocess.Popen(
            ["swift", "test", "--enable-swift-testing", "--skip-build", *words], env=environment, stdin=subprocess.DEVNULL, stdout=output,
            stderr=subprocess.STDOUT, start_new_session=True)
        try:
            return child.wait(limit)
        except subprocess.TimeoutExpired:
            return f"ended after {limit} s"
        finally:
            # Also where this script is interrupted.
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
                child.wait()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=20, help="how many times each part is run (20)")
    parser.add_argument("--part", action="append", required=True, metavar="'WIDTH WORDS'")
    parser.add_argument("--limit", type=int, default=3600, help="the most seconds of one run (3600)")
    parser.add_argument("--load", choices=["both", "quiet", "busy"], default="both")
    options = parser.parse_args()

    FOLDER.mkdir(parents=True, exist_ok=True)
    runs = collections.defaultdict(list)
    for number in range(1, options.count + 1):
        is_busy = options.load == "busy" or options.load == "both" and number % 2 == 0
        load = "busy" if is_busy else "quiet"
        for index, part in enumerate(options.part, 1):
            width, *words = shlex.split(part)
            log = FOLDER / f"run-{number}-part-{index}-{load}.log"
            begin = time.monotonic()
            with BusyLoops(is_busy):
                status = run_part(words, width, log, options.limit)
            run = Run(f"run {number} ({load})", log, status)
            runs[index].append(run)
            count = f"{len(run.outcomes)} tests, {len(run.failed)} failed"
            odd = "" if status in (0, 1) else f", exit {status}"
            print(f"{run.title}, part {index}: {count} in {time.monotonic() - begin:.0f} s{odd}", flush=True)

    is_green = True
    for index, part in runs.items():
        names = {name for run in part for name in run.outcomes}
        for name in sorted(names):
            missing = [run for run in part if name not in run.outcomes]
            failing = [run for run in part if run.outcomes.get(name) == "failed"]
            if not missing and not failing:
                continue
            is_green = False
            kind = "always" if len(failing) == len(part) else "not the same every time"
            print(f"\n{name}, part {index}: failed {len(failing)} of {len(part)}, {kind}")
            for run in failing[:5]:
                for issue in run.issues[name][:2] or [", no issue in the log"]:
                    print(f"  {run.title}{issue}")
            if missing:
                print(f"  did not end in {', '.join(run.title for run in missing)}")
        if any(run.status != 0 for run in part):
            is_green = False
    print(f"\n{'every run was green' if is_green else 'not every run was green'}; logs in {FOLDER}")
    sys.exit(0 if is_green else 1)


if __name__ == "__main__":
    main()
