#!/usr/bin/env python3
"""Has a right client that is deaf to one key of its program sit the cases with that key: a must about the key that it passes tests nothing.

    Scripts/deaf.py --proctor FILE --client FILE             for every key, whatever the cases of the library have
    Scripts/deaf.py --proctor FILE --client FILE --only KEY  for some keys (may be given again)
    … --shard K/N                                            every Nth key alone
    Scripts/deaf.py --records FOLDER                         judges the records of an earlier run, without an exam
    … --write                                                puts the table into Docs/inside/marks.md

The keys are those of Docs/clients/assignment.md, which a test holds against the program, and the settings that clients of tokens, signatures,
calls and webhooks are told in the fragment of a URL (`setting.secret`), as their pages in Docs/use list them. FILE of --client is
proctor-client-reference, before which Tests/Clients/deaf.py stands; of a family with settings a right client of that family stands there. Scripts/deaf.tsv has the musts that may be passed all the same, each with its reason. Exits 1 where another
is passed, where a line of the list is needless, and where a case has a key that is not on the page.
"""
import argparse
import collections
import fnmatch
import json
import pathlib
import re
import sys

from ledger_text import ROOT, filled
from records import by_case, exam, reasons

PAGE = ROOT / "Docs/inside/marks.md"
KEYS = ROOT / "Docs/clients/assignment.md"
LIST = ROOT / "Scripts/deaf.tsv"
OBJECTS = ("assignment.", "", "session.")
# The pages whose tables of settings are those of a family, and a right client of it.
SETTINGS = {
    "oauth": ("oauth.md", "clients/adapters/authlib"), "signature": ("signatures.md", "Tests/Clients/signature_client.py"),
    "grpc": ("grpc.md", "/usr/bin/python3 Tests/Clients/rpc_client.py"), "webhook": ("webhooks.md", "Tests/Clients/webhook_client.py"),
}
# The shapes of the reference client, in which a case is asked until one of them can do it.
SHAPES = ("session", "connection", "connection-download", "download", "url-protocol")
# What a shape cannot do, another may.
NOT_ASKED = {"lacks", "not-in-this-adapter", "skipped"}
WORDS, CODES = ("--platform", "reference", "--fail-on", "never"), (0, 1)


def page_keys():
    """The keys of the page's three tables, each with its object before it: `answerAfter`, `session.identity`."""
    tables = KEYS.read_text().split("\n| key | missing means | value |\n")[1:]
    if len(tables) != len(OBJECTS):
        raise SystemExit(f"{KEYS.name}: expected a table of keys for the assignment, a step and the session")
    for before, table in zip(OBJECTS, tables):
        for line in table.splitlines():
            if not line.startswith("|"):
                break
            yield from (before + name for name in re.findall(r"`([^`]+)`", line.split("|")[1]))
    yield from sorted({f"setting.{name}" for family in SETTINGS for name in settings(family)})


def settings(family):
    """The names of the settings on the page of a family, in its first column: `refuse=expired` is `refuse`."""
    table = (ROOT / "Docs/use" / SETTINGS[family][0]).read_text().split("| setting | meaning |")[1]
    for line in table.splitlines()[1:]:
        if not line.strip().startswith("|"):
            break
        yield from (name.partition("=")[0] for name in re.findall(r"`([^`]+)`", line.split("|")[1]))


def listed(proctor, folder, jobs, cases=("*",)):
    """The musts that say something of each key, of those cases."""
    file = folder / "keys.jsonl"
    file.unlink(missing_ok=True)
    records, _ = exam(proctor, f"/usr/bin/env python3 Tests/Clients/deaf.py --list {file}", folder / "asked.jsonl", *WORDS, cases=cases, jobs=jobs, codes=CODES)
    musts = collections.defaultdict(set)
    for line in file.read_text().splitlines():
        asked = json.loads(line)
        if records[asked["case"]]["kind"] == "must":
            for key in asked["keys"]:
                musts[key].add(asked["case"])
    return musts


def sit(proctor, client, key, cases, folder, jobs):
    """The records of the deaf client, each case in the first shape that can do it."""
    left, records = sorted(cases), {}
    of_settings = [program for family, (_, program) in SETTINGS.items() if any(case.startswith(family + "/") for case in cases)]
    for program in of_settings if key.startswith("setting.") else (f"{client} --as {shape}" for shape in SHAPES):
        asked = [case for case in left if not key.startswith("setting.") or SETTINGS[case.partition("/")[0]][1] == program]
        if not asked:
            continue
        adapter = f"/usr/bin/env python3 Tests/Clients/deaf.py {key} {program}"
        records |= exam(proctor, adapter, folder / "sitting.jsonl", *WORDS, cases=asked, jobs=jobs, codes=CODES)[0]
        left = [case for case in left if records.get(case, {"outcome": "lacks"})["outcome"] in NOT_ASKED]
    with open(folder / f"{key}.jsonl", "w") as lines:
        lines.writelines(json.dumps({name: record[name] for name in ("client", "case", "kind", "outcome")}) + "\n" for record in records.values())


def judged(key, records, lines):
    """Key, musts asked, failed or not judged, passed with a reason, passed without one; and the lines that were needed."""
    asked = [record for record in records.values() if record["outcome"] not in NOT_ASKED]
    passed = [record["case"] for record in asked if record["outcome"] == "pass"]
    used, open_cases = set(), []
    for case in passed:
        found = [line for line in lines if line[0] == key and fnmatch.fnmatchcase(case, line[1])]
        used |= {tuple(line) for line in found}
        if not found:
            open_cases.append(case)
    return len(asked), passed, open_cases, used


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--proctor", help="the program that examines")
    parser.add_argument("--client", help="proctor-client-reference")
    parser.add_argument("--records", type=pathlib.Path, help="the folder of the records; with --proctor they are written there")
    parser.add_argument("--only", action="append", metavar="KEY", help="these keys alone")
    parser.add_argument("--shard", metavar="K/N", help="every Nth key alone, from the Kth")
    parser.add_argument("--write", action="store_true", help="replace the table of the page")
    parser.add_argument("--jobs", type=int, default=4, help="sittings at a time (4)")
    options = parser.parse_args()
    folder = (options.records or ROOT / ".build/deaf").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    lines, faults = reasons(LIST, "key, case"), []
    whole = {line[0]: line[2] for line in lines if line[1] == "*"}
    keys = [key for key in page_keys() if not options.only or key in options.only]
    if options.shard:
        number, count = map(int, options.shard.split("/"))
        keys = keys[number - 1::count]
    if options.proctor:
        proctor, client = (str(pathlib.Path(path).resolve()) for path in (options.proctor, options.client))
        of_families = options.only and all(key.startswith("setting.") for key in keys)
        musts = listed(proctor, folder, options.jobs, [f"{family}/" for family in SETTINGS] if of_families else ["*"])
        for key in [key for key in keys if key not in whole]:
            print(f"deaf to {key}: {len(musts[key])} musts", flush=True)
            sit(proctor, client, key, musts[key], folder, options.jobs)
        faults += [f"{key} stands in no table of {KEYS.name}" for key in musts.keys() - set(page_keys())]
    rows, needed = ["| deaf to | musts | passed | with a reason |", "|---|---:|---:|---:|"], set()
    for key in keys:
        if key in whole:
            needed |= {tuple(line) for line in lines if line[0] == key}
            print(f"{key}: not asked: {whole[key]}")
            continue
        count, passed, open_cases, used = judged(key, by_case(folder / f"{key}.jsonl"), lines)
        needed |= used
        for line in sorted(used):
            print(f"{key}: {line[1]}: {line[2]}")
        faults += [f"deaf to {key}: passes {case}" for case in open_cases]
        if count:
            rows.append(f"| `{key}` | {count} | **{len(open_cases)}** | {len(passed) - len(open_cases) or '–'} |")
        else:
            print(f"{key}: no must says anything of it that the reference client can do")
    if not options.only and not options.shard:
        faults += [f"{LIST.name}: nobody needs {' '.join(line[:2])}" for line in lines if tuple(line) not in needed]
    print("\n".join(rows))
    if options.write:
        PAGE.write_text(filled(PAGE.read_text(), "table of keys: begin", "table of keys: end", "\n".join(rows) + "\n"))
    for fault in faults:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
