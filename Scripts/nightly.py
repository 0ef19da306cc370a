#!/usr/bin/env python3
"""Runs what is slow by nature, step after step, each within its time, and prints one table in the end.

    Scripts/nightly.py                      every step of a night
    Scripts/nightly.py --part 2/12          the second of twelve parts, each of at most 60 minutes on two cores; 150 of a week
    Scripts/nightly.py --weekly             what is run again and again, once a week; it has parts too
    Scripts/nightly.py --list               names the steps, with their times (of a part: --list --part 2/12)
    Scripts/nightly.py --only tsan,fuzz     these alone, of a night or a week
    Scripts/nightly.py --write              puts the rows of what it ran into Docs/inside/nightly.md too
    Scripts/nightly.py --add FILE …         puts rows that other runs have left (rows.jsonl) there, and prints them all

The steps are rows of Scripts/nightly.tsv: each is a verb of the Makefile or a script, so each can be run alone. Logs stand in
.build/nightly, and rows.jsonl there has a line for each step that was run. Exits 1 where a step failed, was ended or not
begun. NIGHTLY_FUZZ_SECONDS (360), NIGHTLY_SOAK (1000000), NIGHTLY_STORM (200000), NIGHTLY_REPEAT (10) and NIGHTLY_TEST_REPEAT (6) change how much is
asked. A row of the page says of which commit and day it is, since a whole night is longer than most days have for it; the
second table of the page has the last run of each part in which every step went well.
"""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import signal
import subprocess
import sys
import time
import typing

from ledger_text import ROOT, between, filled

FOLDER = ROOT / ".build/nightly"
PAGE = ROOT / "Docs/inside/nightly.md"
# The most minutes of a part that are expected; it is ended after half as many again.
PART_MINUTES = {"night": 60, "week": 150}
LATE = 1.5
FUZZ_SECONDS = int(os.environ.get("NIGHTLY_FUZZ_SECONDS", "360"))
# Each fuzz target has seeds; they are run in four quarters, one target a core at a time.
FUZZ_TARGETS = sorted(folder.name for folder in (ROOT / "Fuzz/Seeds").iterdir())
FUZZ_QUARTERS = [FUZZ_TARGETS[number::4] for number in range(4)]
FUZZ_ROUNDS = -(-len(FUZZ_QUARTERS[0]) // (os.cpu_count() or 1))
FUZZ_MINUTES = FUZZ_ROUNDS * FUZZ_SECONDS // 60
WORDS = {
    "fuzz": [" ".join(targets) for targets in FUZZ_QUARTERS],
    "fuzz_seconds": FUZZ_SECONDS, "fuzz_expected": FUZZ_MINUTES + 6, "fuzz_most": FUZZ_MINUTES + FUZZ_ROUNDS + 20, "cores": os.cpu_count(),
    "soak": int(os.environ.get("NIGHTLY_SOAK", "1000000")), "storm": int(os.environ.get("NIGHTLY_STORM", "200000")), "repeat": int(os.environ.get("NIGHTLY_REPEAT", "10")),
    "test_repeat": int(os.environ.get("NIGHTLY_TEST_REPEAT", "6")),
}  # fmt: skip


class Step(typing.NamedTuple):
    name: str
    when: str
    expected: int
    most: int
    asks: str
    command: str


def read_steps():
    lines = (ROOT / "Scripts/nightly.tsv").read_text().splitlines()
    rows = [line.format(**WORDS).split("\t") for line in lines if line and not line.startswith("#")]
    return [Step(name, when, int(expected), int(most), asks, command) for name, when, expected, most, asks, command in rows]


def divided(steps, count):
    """The steps in so many parts of about one length: the longest first, each to the part that is shortest so far."""
    parts = [[] for _ in range(count)]
    for step in sorted(steps, key=lambda step: -step.expected):
        min(parts, key=minutes).append(step)
    return [[step for step in steps if step in part] for part in parts]


def minutes(steps):
    return sum(step.expected for step in steps)


def least_count(steps, most):
    """The fewest parts that are each within the bound."""
    count = 1
    while any(minutes(part) > most for part in divided(steps, count)):
        count += 1
    return count


def part_of(steps, text):
    """The steps of a part `K/N`; a sentence where it can't be."""
    match = re.fullmatch(r"([1-9][0-9]?)/([1-9][0-9]?)", text)
    if not match or int(match[1]) > int(match[2]):
        return f"--part takes K/N with K from 1 to N, as in --part 2/12, not '{text}'"
    most = PART_MINUTES[steps[0].when]
    if longest := [step for step in steps if step.expected > most]:
        return f"{longest[0].name} takes {longest[0].expected} minutes, and a part has at most {most}"
    parts = divided(steps, int(match[2]))
    if max(minutes(part) for part in parts) > most:
        return f"{match[2]} parts would take more than {most} minutes each; expected at least {least_count(steps, most)} parts"
    return parts[int(match[1]) - 1]


def run(step, most):
    log = FOLDER / f"{step.name}.log"
    begin = time.monotonic()
    with log.open("wb") as output:
        child = subprocess.Popen(
            ["bash", "-c", step.command], cwd=ROOT, stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
            start_new_session=True)
        try:
            status = child.wait(most * 60)
            result = "well" if status == 0 else f"**failed** ({status})"
        except subprocess.TimeoutExpired:
            result = f"**ended** after {most:.0f} min"
        finally:
            # What a step has left running would slow the next one down.
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
            child.wait()
    return result, time.monotonic() - begin, last_words(log)


def last_words(log):
    """The last line that says how much was done."""
    lines = [re.sub(r"\033\[[0-9;]*m", "", line).strip() for line in log.read_text(errors="replace").splitlines()]
    telling = [line for line in lines if re.search(r"\d", line) and not line.startswith(("make", "["))]
    return (telling or lines or ["nothing"])[-1][:120].replace("|", "\\|")


HEAD = ["| step | asks | result | minutes | last words | day and commit |", "|---|---|---|---:|---|---|"]
PARTS_HEAD = ["| part | its steps | minutes | day and commit |", "|---|---|---:|---|"]


def line_of(row):
    return f"| `{row['name']}` | {row['asks']} | {row['result']} | {row['minutes']:.1f} | {row['words']} | {row['stamp']} |"


def table(rows):
    return "\n".join(HEAD + [line_of(row) for row in rows] + [f"\n{len(rows)} steps, {sum(row['minutes'] for row in rows):.0f} minutes"])


def line_of_part(name, rows):
    stamps = sorted({row["stamp"] for row in rows})
    steps = ", ".join(f"`{row['name']}`" for row in rows)
    return f"| {name} | {steps} | {sum(row['minutes'] for row in rows):.0f} | {'; '.join(stamps)} |"


def green_parts(rows, steps):
    """The parts of which every step is there and went well, by name."""
    found = {}
    for row in rows:
        found.setdefault(row["part"], []).append(row)
    green = {}
    for name, its in found.items():
        when, _, text = name.partition(" ")
        wanted = part_of([step for step in steps if step.when == when], text) if text else None
        if isinstance(wanted, list) and {step.name for step in wanted} == {row["name"] for row in its if row["result"] == "well"}:
            green[name] = its
    return green


def kept_lines(page, marks):
    return {line.split("|")[1].strip(): line for line in between(page, *marks).splitlines()[2:] if line.startswith("| ")}


def write_page(rows, steps):
    """Replaces the rows of the page whose steps ran, and those of parts that went well, and keeps the others."""
    page = PAGE.read_text()
    marks, part_marks = ("table: begin", "table: end"), ("parts: begin", "parts: end")
    kept = kept_lines(page, marks) | {f"`{row['name']}`": line_of(row) for row in rows}
    lines = HEAD + [kept[f"`{step.name}`"] for step in steps if f"`{step.name}`" in kept]
    page = filled(page, *marks, "\n".join(lines) + "\n")
    parts = kept_lines(page, part_marks) | {name: line_of_part(name, its) for name, its in green_parts(rows, steps).items()}
    PAGE.write_text(filled(page, *part_marks, "\n".join(PARTS_HEAD + [parts[name] for name in sorted(parts)]) + "\n"))


def added(files, steps):
    """The rows of other runs, in the order of the steps; the last one of each step counts."""
    rows = {}
    for file in files:
        for line in pathlib.Path(file).read_text().splitlines():
            row = json.loads(line)
            rows[row["name"]] = row
    return [rows[step.name] for step in steps if step.name in rows]


def show_list(steps):
    for step in steps:
        print(f"{step.name:22} {step.when:5} some {step.expected:3} min, at most {step.most:3} min  {step.asks}: {step.command}")
    print(f"{len(steps)} steps, some {minutes(steps)} minutes")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", metavar="STEPS", help="names of steps, with commas between them")
    parser.add_argument("--weekly", action="store_true", help="the steps of a week in place of those of a night")
    parser.add_argument("--part", default="", metavar="K/N", help="this part of N; each takes at most {night} minutes, of a week {week}".format(**PART_MINUTES))
    parser.add_argument("--list", action="store_true", help="name the steps and end")
    parser.add_argument("--write", action="store_true", help="put the rows of what ran into Docs/inside/nightly.md")
    parser.add_argument("--add", nargs="+", default=[], metavar="FILE", help="put the rows of other runs there, and end")
    options = parser.parse_args()
    every = read_steps()
    if options.add:
        rows = added(options.add, every)
        write_page(rows, every)
        print(table(rows))
        sys.exit(0 if all(row["result"] == "well" for row in rows) else 1)
    wanted = [name for name in options.only.split(",") if name]
    unknown = set(wanted) - {step.name for step in every}
    if unknown:
        parser.error(f"no step is named {', '.join(sorted(unknown))}; there are {', '.join(step.name for step in every)}")
    if wanted and (options.part or options.weekly):
        parser.error("--only names its steps itself, and goes with neither --part nor --weekly")
    when = "week" if options.weekly else "night"
    steps = [step for step in every if step.name in wanted or not wanted and step.when == when]
    if options.part:
        steps = part_of(steps, options.part)
        if isinstance(steps, str):
            parser.error(steps)
    if options.list:
        return show_list(steps if options.part or options.weekly or wanted else every)
    sys.exit(0 if run_steps(steps, every, options, f"{when} {options.part}" if options.part else "") else 1)


def run_steps(steps, every, options, part):
    """Whether all went well; those of a part share its minutes."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    commit = subprocess.run(["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True).stdout.strip()
    rows, begin = [], time.monotonic()
    with (FOLDER / "rows.jsonl").open("w") as file:
        for step in steps:
            print(f"{step.name}: {step.command} (log: {FOLDER / step.name}.log)", flush=True)
            bound = LATE * PART_MINUTES[step.when]
            most = min(step.most, bound - (time.monotonic() - begin) / 60) if part else step.most
            result, seconds, words = run(step, most) if most > 0 else (f"**not begun**, the {bound:.0f} min are over", 0, "nothing")
            print(f"  {result} in {seconds / 60:.1f} min", flush=True)
            rows.append({"name": step.name, "asks": step.asks, "result": result, "minutes": seconds / 60, "words": words,
                         "stamp": f"{datetime.date.today()}, {commit}", "part": part})  # fmt: skip
            # Written after each step: a night that ends early leaves what it has.
            print(json.dumps(rows[-1]), file=file, flush=True)
            if options.write:
                write_page(rows, every)
    print(f"\n{os.cpu_count()} cores, {platform.system()} {platform.machine()}\n\n" + table(rows))
    return all(row["result"] == "well" for row in rows)


if __name__ == "__main__":
    main()
