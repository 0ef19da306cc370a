#!/usr/bin/env python3
"""Has clients that look at nothing sit the whole exam, and keeps the tables of Docs/inside/marks.md: a must that one of them passes tests nothing.

    Scripts/marks.py --proctor FILE              examines each of Tests/Clients/null_*.py over HTTP/1.1 and HTTP/2, and checks what they pass
    Scripts/marks.py --proctor FILE --write      puts the table into the page too
    Scripts/marks.py --records FOLDER            judges the records of an earlier run, without an exam

It also has null_nothing.py sit the cases of each shipped ledger under that ledger: none of them may be known.

Scripts/marks.tsv lists the musts that a client may pass although it looks at nothing, each with its reason, ten at most.
What null_believer.py passes is judged by rule: no case that needs an ability which it does not have. Exits 1 where something else was passed.
"""
import argparse
import collections
import pathlib
import sys

import records
from ledger_text import ROOT, deviations, filled

PAGE = ROOT / "Docs/inside/marks.md"
LIST = ROOT / "Scripts/marks.tsv"
MOST_EXCUSED = 10
# In the order of what they do; the last one is judged by rule.
CLIENTS = ["nothing", "closes", "waits", "error", "empty", "zeros", "believer"]
BELIEVER = "believer"
# What the believer declares and does not have, and a case cannot be met without.
ABSENT = {"cookie-jar", "cache"}
NEVER = ("--fail-on", "never")
PROTOCOLS = {"HTTP/1.1": "", "HTTP/2": "--protocol h2"}


def columns():
    """Client and protocol of each exam."""
    return [(client, name) for client in CLIENTS for name in PROTOCOLS if (client, name) != (BELIEVER, "HTTP/2")]


def examine(proctor, folder, jobs):
    folder.mkdir(parents=True, exist_ok=True)
    for client, protocol in columns():
        print(f"null_{client}.py over {protocol}", flush=True)
        records.exam(proctor, null(client), path(folder, client, protocol), *PROTOCOLS[protocol].split(), *NEVER, jobs=jobs)


def null(client):
    return f"/usr/bin/env python3 Tests/Clients/null_{client}.py"


def path(folder, client, protocol):
    return folder / f"{client}-{protocol.replace('/', '').replace('.', '')}.jsonl"


def known(proctor, folder, jobs):
    """The cases that each shipped ledger knows of a client that writes a header alone; records of a setup that failed are wanted."""
    for path in sorted((ROOT / "clients").glob("*.yaml")):
        cases = [case for case, _ in deviations(path.stem)]
        if not cases:
            continue
        file = folder / f"nothing-under-{path.stem}.jsonl"
        read, said = records.exam(proctor, null("nothing"), file, "--ledger", path, *NEVER, cases=cases, jobs=jobs, codes=(0, 1))
        if len(read) != len(cases):
            raise SystemExit(f"of {len(cases)} cases of {path.name} {len(read)} were asked: {said}")
        found = [case for case, one in read.items() if one["outcome"] in ("known", "fixed")]
        print(f"null_nothing.py under {path.name}: {len(found)} of {len(cases)} cases known")
        yield from (f"null_nothing.py is known to {path.name} in {case}" for case in found)


def musts(file):
    """The records of all musts that were asked."""
    return [one for one in records.by_case(file).values() if one["kind"] == "must" and one["outcome"] != "skipped"]


def table(results):
    """Family × client: how many musts were passed, of how many over HTTP/1.1."""
    families = sorted({one["family"] for own in results.values() for one in own})
    heads = [f"{client} {protocol}" for client, protocol in results]
    lines = ["| family | musts | " + " | ".join(heads) + " |", "|---|---:|" + "---:|" * len(heads)]
    asked = collections.Counter(record["family"] for record in results[(CLIENTS[0], "HTTP/1.1")])
    passed = {key: collections.Counter(one["family"] for one in own if one["outcome"] == "pass") for key, own in results.items()}
    for family in families:
        lines.append(f"| `{family}/` | {asked[family]} | " + " | ".join(str(passed[key][family] or "–") for key in results) + " |")
    lines.append(f"| **all** | {asked.total()} | " + " | ".join(f"**{passed[key].total()}**" for key in results) + " |")
    return "\n".join(lines)


def excuses():
    """The reason by client's name and case; `*` stands for every client."""
    lines = records.reasons(LIST, "client, case")
    if len(lines) > MOST_EXCUSED:
        raise SystemExit(f"{LIST.name} has {len(lines)} lines; {MOST_EXCUSED} are the most")
    return {(client, case): reason for client, case, reason in lines}


def faults(results):
    excused = excuses()
    for (client, protocol), own in results.items():
        for record in own:
            if record["outcome"] != "pass":
                continue
            if client == BELIEVER:
                if lacking := ABSENT & set(record.get("needs", [])):
                    yield f"null_{client}.py passes {record['case']}, which needs {', '.join(sorted(lacking))}"
            elif not {(client, record["case"]), ("*", record["case"])} & excused.keys():
                yield f"null_{client}.py passes {record['case']} over {protocol}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--proctor", help="the program that examines")
    parser.add_argument("--records", type=pathlib.Path, help="the folder of the records; with --proctor they are written there")
    parser.add_argument("--write", action="store_true", help="replace the table of the page")
    parser.add_argument("--jobs", type=int, default=2, help="sittings at a time (2)")
    options = parser.parse_args()
    folder = (options.records or ROOT / ".build/marks").resolve()
    if options.proctor:
        examine(str(pathlib.Path(options.proctor).resolve()), folder, options.jobs)
    results = {(client, protocol): musts(path(folder, client, protocol)) for client, protocol in columns()}
    text = table(results)
    print(text)
    if options.write:
        PAGE.write_text(filled(PAGE.read_text(), "table: begin", "table: end", text + "\n"))
    found = list(faults(results))
    strange = list(known(str(pathlib.Path(options.proctor).resolve()), folder, options.jobs)) if options.proctor else []
    for fault in found + strange:
        print(fault, file=sys.stderr)
    print(f"{len(found)} musts are passed by a client that looks at nothing" if found else "no must is passed by looking at nothing")
    if options.proctor:
        print(f"{len(strange)} cases are known of a client that never began" if strange else "no ledger knows a client that never began")
    sys.exit(1 if found or strange else 0)


if __name__ == "__main__":
    main()
