#!/usr/bin/env python3
"""Exams of intermediaries: what our right one and its mistakes show of via/, what null ones pass, and the matrix.

    Scripts/via.py PROCTOR mistakes          the right one fails none, and each mistake its own case
    Scripts/via.py PROCTOR nulls             the musts that null intermediaries pass
    Scripts/via.py PROCTOR matrix DIR [NAME ...]   exams of the recipes, records into DIR; 1 where one fails what its ledger has not
    Scripts/via.py PROCTOR table DIR         the table of the records in DIR, as Markdown
    Scripts/via.py PROCTOR draw DIR SEED N   N failures drawn by the seed
    Scripts/via.py PROCTOR bytes DIR SEED N  the same with their raw bytes
"""

import glob
import importlib.util
import json
import os
import random
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
OURS = os.path.join(ROOT, "Tests/Clients/via")
HAS_STREAMS = importlib.util.find_spec("h2") is not None
HAS_DATAGRAMS = HAS_STREAMS and importlib.util.find_spec("aioquic") is not None
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


def ours(folder, *words, forward=False, program="intermediary.py"):
    """The words of the exam for a proxy of ours, which speaks HTTP/2 and HTTP/3 where Python has the packages h2 and aioquic."""
    recipe = {
        "summary": "ours",
        "kind": "forward" if forward else "reverse",
        "cache": "cache" in words,
        "password": "password" in words,
        "tls": HAS_STREAMS and program == "intermediary.py",
        "http3": HAS_DATAGRAMS and program == "intermediary.py",
        "command": [sys.executable, os.path.join(OURS, program), *words],
    }
    if program == "intermediary.py":
        recipe["command"][2:2] = ["{listen}", "-" if forward else "{upstream}"]
        recipe["command"].append("silence=2")
    if recipe["tls"]:
        recipe["command"].append("tls={tls-listen},{identity}")
    if recipe["http3"]:
        recipe["command"].append("quic={tls-listen},{identity}")
    file = os.path.join(folder, "ours.yaml")
    with open(file, "w", encoding="utf-8") as stream:
        json.dump(recipe, stream)
    return ["--intermediary", file]


def name(row):
    return row["case"] if "#" in row["case"] else f"{row['scenario']}#{row['case']}"


NOT_ASKED = ("lacks", "not-in-this-adapter", "skipped")
NOT_WRONG = ("pass", "observed", *NOT_ASKED)
# What is asked of forward proxies alone.
OF_PROXIES = ("connect/", "authentication/", "expect/final-status#heard")
# Whether its ledger lists it or not.
FAILED = ("fail", "known")


def mistakes():
    faults = []
    if not HAS_STREAMS:
        print("Python has no package h2, so that nothing is asked over HTTP/2: python3 -m pip install h2", file=sys.stderr)
    if not HAS_DATAGRAMS:
        print("Python has no package aioquic, so that nothing is asked over HTTP/3: python3 -m pip install aioquic", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        for words, forward, cases in ((["cache"], False, "via/"), ([], True, "via/"), (["password"], True, "via/authentication/of-the-hop")):
            rows, done = exam([cases], ours(folder, *words, forward=forward))
            wrong = [name(row) for row in rows if row["outcome"] not in NOT_WRONG]
            lacks = sum(row["outcome"] in NOT_ASKED for row in rows)
            kind = ("a forward proxy" if forward else "a gateway") + (f" with a {words[0]}" if words else "")
            print(f"right, as {kind}: {len(rows)} cases, {len(wrong)} not passed, {lacks} not asked", flush=True)
            faults += [f"the right one does not pass {case}, as {kind}" for case in wrong]
            if done.returncode and not wrong:
                faults.append(done.stderr or "the exam of the right one failed")
        with open(os.path.join(OURS, "mistakes.tsv"), encoding="utf-8") as stream:
            table = [line.rstrip("\n").split("\t") for line in stream][1:]
        count = 0
        for mistake, case in table:
            if mistake.startswith("streams-") and not HAS_STREAMS or case.startswith("via/h3/") and not HAS_DATAGRAMS:
                continue
            count += 1
            words = [mistake, "cache"] if mistake.startswith("cache-") else [mistake]
            if "authentication/" in case:
                words.append("password")
            rows, _ = exam([case], ours(folder, *words, forward=any(part in case for part in OF_PROXIES)))
            found = [row["outcome"] for row in rows]
            print(f"{mistake}: {case}: {', '.join(found)}", flush=True)
            if found != ["fail"]:
                faults.append(f"the mistake {mistake} does not fail {case}")
    print(f"{count} mistakes")
    for fault in faults:
        print(fault, file=sys.stderr)
    return 1 if faults else 0


def nulls():
    kinds = [("null.py", kind, [kind, "{listen}", "{upstream}"]) for kind in ("answers", "closes", "tunnel")]
    # A cache that keeps nothing: what of via/cache it passes needs no act of a cache.
    kinds.append(("intermediary.py", "keeps nothing, as a cache", ["cache", "cache-keeps-nothing"]))
    with tempfile.TemporaryDirectory() as folder:
        for program, kind, words in kinds:
            cases = ["via/cache"] if "cache" in words else ["via/"]
            rows, _ = exam(cases, ours(folder, *words, program=program))
            musts = [r for r in rows if r.get("kind", "must") == "must" and r["outcome"] not in NOT_ASKED]
            passed = sorted(name(row) for row in musts if row["outcome"] == "pass")
            print(f"{kind}: {len(passed)} of {len(musts)} musts")
            for case in passed:
                print(f"  {case}")
    return 0


def matrix(folder, names):
    os.makedirs(folder, exist_ok=True)
    recipes = sorted(os.path.basename(path)[:-5] for path in glob.glob(os.path.join(ROOT, "clients/intermediaries/*.yaml")))
    code = 0
    for recipe in names or recipes:
        file = os.path.join(folder, f"{recipe}.jsonl")
        with open(os.path.join(ROOT, f"clients/intermediaries/{recipe}.yaml"), encoding="utf-8") as stream:
            protocol = ["--protocol", "h2"] if "\nupstream: h2\n" in stream.read() else []
        done = subprocess.run(
            [PROCTOR, "exam", "via/", "--intermediary", recipe, "--json", file, "--fail-on", "should", *protocol],
            cwd=ROOT, capture_output=True, text=True, check=False,
        )
        print(f"{recipe}: {(done.stdout.strip().splitlines() or [done.stderr.strip()])[-1]}", flush=True)
        if done.returncode:
            code = 1
            print(done.stdout + done.stderr, file=sys.stderr)
    return code


def exams(folder):
    for path in sorted(glob.glob(os.path.join(folder, "*.jsonl"))):
        rows = [json.loads(line) for line in open(path, encoding="utf-8")]
        header = next((row for row in rows if "outcome" not in row), {})
        cases = [row for row in rows if "outcome" in row]
        if cases:
            yield os.path.basename(path)[:-6], header, cases


def part_of(row):
    """Which part of the table a case belongs to."""
    family = name(row).split("/")[1]
    return {"cache": "cache", "h2": "streams", "tls": "streams", "h3": "datagrams"}.get(family, "plain")


def table(folder):
    print("| intermediary | musts | shoulds | over TLS and HTTP/2: musts | HTTP/3: musts | cache: musts | could not be asked |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for recipe, header, cases in exams(folder):
        cells = []
        for kind, part in (("must", "plain"), ("should", "plain"), ("must", "streams"), ("must", "datagrams"), ("must", "cache")):
            own = [r for r in cases if r.get("kind", "must") == kind and part_of(r) == part]
            asked = [r for r in own if r["outcome"] in ("pass", "crash", "hang", "partly", "not-judged", *FAILED)]
            passed = sum(r["outcome"] == "pass" for r in asked)
            cells.append(f"{passed} of {len(asked)}" if asked else "–")
        left = sum(r["outcome"] in ("setup-failed", "skipped", "adapter-error", "unimplemented") for r in cases)
        print(f"| {recipe} | {' | '.join(cells)} | {left} |")
    return 0


def draw(folder, seed, count):
    failures = [(recipe, row) for recipe, _, cases in exams(folder) for row in cases if row["outcome"] in FAILED]
    for recipe, row in random.Random(seed).sample(failures, min(count, len(failures))):
        print(f"{recipe}\t{name(row)}\t{row.get('reason', '')}")
    return 0


def bytes_of(folder, seed, count):
    """The drawn failures with what went over all connections."""
    failures = [(recipe, row) for recipe, _, cases in exams(folder) for row in cases if row["outcome"] in FAILED]
    for recipe, row in random.Random(seed).sample(failures, min(count, len(failures))):
        print(f"# {recipe} {name(row)} ({row.get('kind', 'must')}, {', '.join(spec['section'] for spec in row.get('spec', []))})")
        print(f"  {row.get('reason', '')}")
        for line in row.get("timeline", []):
            if line["lane"] == "wire":
                print(f"  {line.get('ns', 0) // 1000:>9} {line['text']}", *line.get("details", []), sep=" | ")
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
        case "bytes":
            return bytes_of(rest[0], int(rest[1]), int(rest[2]))
    sys.exit(__doc__)


sys.exit(main())
