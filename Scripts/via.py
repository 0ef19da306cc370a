#!/usr/bin/env python3
"""Exams of intermediaries: what our right one and its mistakes show of via/, what null ones pass, and the matrix.

    Scripts/via.py PROCTOR mistakes          the right one fails none, and each mistake its own case
    Scripts/via.py PROCTOR nulls             the musts that null intermediaries pass
    Scripts/via.py PROCTOR matrix DIR [NAME ...]   exams of the recipes, records into DIR
    Scripts/via.py PROCTOR table DIR         the table of the records in DIR, as Markdown
    Scripts/via.py PROCTOR draw DIR SEED N   N failures drawn by the seed, to be read against raw bytes
"""

import glob
import json
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OURS = os.path.join(ROOT, "Tests/Clients/via")
PROCTOR = sys.argv[1] if len(sys.argv) > 2 else sys.exit(__doc__)


def exam(cases, command, *more):
    """The exit code and the records of an exam."""
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "records.jsonl")
        done = subprocess.run(
            [PROCTOR, "exam", *cases, *command, "--json", file, "--fail-on", "should", *more],
            cwd=ROOT, capture_output=True, text=True, check=False,
        )
        if done.returncode not in (0, 1):
            sys.exit(done.stderr)
        return records(file), done


def records(file):
    """The header and the cases of a file of records."""
    rows = [json.loads(line) for line in open(file, encoding="utf-8")]
    return [row for row in rows if "outcome" in row]


def ours(program, *words):
    return ["--intermediary-command", " ".join(["python3", os.path.join(OURS, program), *words]), "--name", "ours"]


def name(row):
    return row["case"] if "#" in row["case"] else f"{row['scenario']}#{row['case']}"


def mistakes():
    faults = []
    for words in ("{listen} {upstream}", "{listen} -"):
        rows, done = exam(["via/"], ours("intermediary.py", words))
        wrong = [name(row) for row in rows if row["outcome"] not in ("pass", "observed", "lacks")]
        print(f"right, as a {'gateway' if 'upstream' in words else 'forward proxy'}: {len(rows)} cases, {len(wrong)} not passed")
        faults += [f"the right one does not pass {case}" for case in wrong]
        if done.returncode and not wrong:
            faults.append(done.stderr or "the exam of the right one failed")
    table = [line.rstrip("\n").split("\t") for line in open(os.path.join(OURS, "mistakes.tsv"), encoding="utf-8")][1:]
    for mistake, case in table:
        rows, _ = exam([case], ours("intermediary.py", "{listen} {upstream}", mistake))
        found = [row["outcome"] for row in rows]
        print(f"{mistake}: {case}: {', '.join(found)}")
        if found != ["fail"]:
            faults.append(f"the mistake {mistake} does not fail {case}")
    print(f"{len(table)} mistakes")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


def nulls():
    for kind in ("answers", "closes", "tunnel"):
        rows, _ = exam(["via/"], ours("null.py", kind, "{listen} {upstream}"))
        musts = [row for row in rows if row.get("kind", "must") == "must" and row["outcome"] not in ("lacks", "skipped")]
        passed = sorted(name(row) for row in musts if row["outcome"] == "pass")
        print(f"{kind}: {len(passed)} of {len(musts)} musts")
        for case in passed:
            print(f"  {case}")
    return 0


def matrix(folder, names):
    os.makedirs(folder, exist_ok=True)
    recipes = sorted(os.path.basename(path)[:-5] for path in glob.glob(os.path.join(ROOT, "clients/intermediaries/*.yaml")))
    for recipe in names or recipes:
        file = os.path.join(folder, f"{recipe}.jsonl")
        done = subprocess.run(
            [PROCTOR, "exam", "via/", "--intermediary", recipe, "--json", file], cwd=ROOT, capture_output=True, text=True, check=False
        )
        print(f"{recipe}: {(done.stdout.strip().splitlines() or [done.stderr.strip()])[-1]}", flush=True)
    return 0


def exams(folder):
    for path in sorted(glob.glob(os.path.join(folder, "*.jsonl"))):
        rows = [json.loads(line) for line in open(path, encoding="utf-8")]
        header = next((row for row in rows if "outcome" not in row), {})
        cases = [row for row in rows if "outcome" in row]
        if cases:
            yield os.path.basename(path)[:-6], header, cases


def table(folder):
    print("| intermediary | musts | shoulds | cache: musts | not asked |")
    print("|---|---:|---:|---:|---:|")
    for recipe, header, cases in exams(folder):
        cells = []
        for kind, is_cache in (("must", False), ("should", False), ("must", True)):
            own = [r for r in cases if r.get("kind", "must") == kind and ("via/cache/" in name(r)) == is_cache]
            asked = [r for r in own if r["outcome"] in ("pass", "fail", "known", "crash", "hang", "partly")]
            passed = sum(r["outcome"] == "pass" for r in asked)
            cells.append(f"{passed} of {len(asked)}" if asked else "–")
        left = sum(r["outcome"] in ("setup-failed", "skipped", "adapter-error", "unimplemented") for r in cases)
        print(f"| {recipe} | {' | '.join(cells)} | {left} |")
    return 0


def draw(folder, seed, count):
    failures = [(recipe, row) for recipe, _, cases in exams(folder) for row in cases if row["outcome"] == "fail"]
    for recipe, row in random.Random(seed).sample(failures, min(count, len(failures))):
        print(f"{recipe}\t{name(row)}\t{row.get('sentence', '')}")
    return 0


def main():
    verb, rest = sys.argv[2], sys.argv[3:]
    match verb:
        case "mistakes":
            return mistakes()
        case "nulls":
            return nulls()
        case "matrix":
            return matrix(rest[0], rest[1:])
        case "table":
            return table(rest[0])
        case "draw":
            return draw(rest[0], int(rest[1]), int(rest[2]))
    sys.exit(__doc__)


sys.exit(main())
