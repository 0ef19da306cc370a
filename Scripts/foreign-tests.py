#!/usr/bin/env python3
"""Tests of other conformance lists and the cases that ask the same: Docs/results/foreign-tests.tsv.

`write` renews the tables of Docs/inside/foreign-tests.md, and `check` tells whether they are what the file says and whether each
named case is there. `run PROCTOR CLIENTS` asks the reference client each case beside whose test the column `broken` names a text of
the scenario and another one: by the scenario the case passes, and by the broken copy it fails.
"""

import csv
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TABLE = ROOT / "Docs/results/foreign-tests.tsv"
PAGE = ROOT / "Docs/inside/foreign-tests.md"
LISTS = ("apple", "dart")


def rows():
    with open(TABLE, encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


def has_case(text, name):
    """Whether the case stands there, by its name or as one of the cases of an entry with `each:`."""
    if re.search(rf"(^  |\{{ |, ){re.escape(name)}:", text, re.M):
        return True
    entries = re.split(r"^  (?=[\w-]+:)", text, flags=re.M)
    return any(
        name.startswith(entry.partition(":")[0] + "-") and re.search(r"^    each:", entry, re.M) for entry in entries[1:])


def faults():
    """Cases that are not there, and rows without a case and without a reason."""
    for row in rows():
        if row["list"] not in LISTS:
            yield f"{row['test']}: there is no list '{row['list']}'; there are {', '.join(LISTS)}"
        if not row["cases"] and not row["lacking"]:
            yield f"{row['test']}: it has no case, and no reason why"
        for case in row["cases"].split():
            scenario, _, name = case.partition("#")
            path = ROOT / f"fixtures/{scenario}.yaml"
            text = path.read_text(encoding="utf-8") if path.is_file() else ""
            if not has_case(text.partition("cases:")[2], name):
                yield f"{row['test']}: there is no case {case}"


def table(name):
    """A table of Markdown, whose cases lead to their scenarios."""
    lines = ["| test | asks | cases |", "|---|---|---|"]
    for row in (row for row in rows() if row["list"] == name):
        cases = [f"[{case}](../../fixtures/{case.partition('#')[0]}.yaml)" for case in row["cases"].split()]
        said = ", ".join(cases) + ("; " if cases and row["lacking"] else "") + row["lacking"]
        lines.append(f"| {row['test']} | {row['asks']} | {said} |")
    return "\n".join(lines)


def page():
    """The page with its tables renewed."""
    text = PAGE.read_text(encoding="utf-8")
    for name in LISTS:
        start, end = f"<!-- tests of {name} -->\n", "<!-- end of tests -->"
        before, _, rest = text.partition(start)
        _, _, behind = rest.partition(end)
        text = f"{before}{start}\n{table(name)}\n\n{end}{behind}"
    return text


def outcome(program, clients, case, folder):
    """What the reference client made of a case: by the library, or by the scenario of a folder."""
    records = pathlib.Path(folder or tempfile.gettempdir()) / "records.jsonl"
    command = [program, "exam", case, "--client", "reference", "--client-programs", clients, "--json", str(records)]
    if folder:
        command += ["--fixtures", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120)
    if not records.is_file():
        sys.exit(f"foreign-tests: {case} was not asked: {done.stderr.strip()}")
    found = [json.loads(line) for line in records.read_text(encoding="utf-8").splitlines()]
    return next((record["outcome"] for record in found if "outcome" in record), "not asked")


def run(program, clients):
    """Prints each trial, and returns how many were not as they should be."""
    wrong = 0
    for row in (row for row in rows() if row["broken"]):
        case = row["cases"].split()[0]
        scenario = case.partition("#")[0]
        text = (ROOT / f"fixtures/{scenario}.yaml").read_text(encoding="utf-8")
        old, _, new = row["broken"].partition(" -> ")
        if text.count(old) != 1:
            sys.exit(f"foreign-tests: {scenario} has {text.count(old)} times '{old}'; wanted once")
        right = outcome(program, clients, case, None)
        with tempfile.TemporaryDirectory() as folder:
            copy = pathlib.Path(folder) / f"{scenario}.yaml"
            copy.parent.mkdir(parents=True)
            copy.write_text(text.replace(old, new), encoding="utf-8")
            broken = outcome(program, clients, case, folder)
        wrong += (right, broken) != ("pass", "fail")
        print(f"{row['list']}: {row['test']}: {case}: {right}, and {broken} by the broken server")
    return wrong


def main(arguments):
    match arguments:
        case ["write"]:
            PAGE.write_text(page(), encoding="utf-8")
        case ["check"]:
            found = list(faults())
            if page() != PAGE.read_text(encoding="utf-8"):
                found.append("the page is not what the table says: Scripts/foreign-tests.py write")
            print(*found, sep="\n", end="\n" if found else "")
            return bool(found)
        case ["run", program, clients]:
            return bool(run(program, clients))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
