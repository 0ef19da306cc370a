#!/usr/bin/env python3
"""Has right clients sit the whole library: a must or a should that none of them passes may be one that can't be passed.

    Scripts/passed.py --proctor FILE --client FILE    FILE of --client is proctor-client-reference
    … --only PATTERN                                  some cases (may be given again)
    Scripts/passed.py --records FOLDER                judges the records of an earlier run, without an exam

The reference client is asked in each of its shapes, and behind it right clients that have abilities which it lacks: those of Tests/Clients, and
libraries and a browser for what none of these is made for. A case is asked of one after the other until one passes it, so that most are asked once.
Scripts/never-passed.tsv has the cases that none passes, each with its reason. Exits 1 where another is passed by none, and where a line of the list is needless.
"""
import argparse
import collections
import fnmatch
import pathlib
import shlex
import sys

from records import ROOT, by_case, exam, reasons

LIST = ROOT / "Scripts/never-passed.tsv"
SHAPES = ("session", "connection", "connection-sync", "connection-queued", "connection-download", "download", "url-protocol", "sequence")
# Name, command, and what is asked: cases of a family, or those for which a client before it lacks an ability.
OTHERS = (
    ("signature-client", "/usr/bin/env python3 Tests/Clients/signature_client.py", "signature/"),
    ("retry-client", "/usr/bin/env python3 Tests/Clients/retry_client.py", "retry/"),
    ("media-client", "/usr/bin/env python3 Tests/Clients/media_client.py", "media/"),
    ("webhook-client", "/usr/bin/env python3 Tests/Clients/webhook_client.py", "webhook/"),
    ("rpc-client", "/usr/bin/python3 Tests/Clients/rpc_client.py", "grpc/"),
    ("connectrpc", "clients/adapters/connectrpc", "grpc/"),
    ("grpcio", "clients/adapters/grpcio", "grpc/"),
    ("authlib", "clients/adapters/authlib", "oauth/"),
    ("requests-oauth2client", "clients/adapters/requests-oauth2client", "oauth/"),
    ("msal", "clients/adapters/msal", "oauth/"),
    ("node-fetch", "clients/adapters/node-fetch", "fetch"),
    ("chromium", "clients/adapters/chromium", "cors"),
    ("firefox", "clients/adapters/firefox", "cors"),
    # What Node passes over of the Fetch and URL standards, and Chromium of the second.
    ("chromium-fetch", "clients/adapters/chromium", "fetch"),
    ("firefox-fetch", "clients/adapters/firefox", "fetch"),
)
WORDS, CODES = ("--fail-on", "never"), (0, 1)
KINDS = ("must", "should")


def sitters(client):
    """Name, command and words of the exam, and what is asked, in the order in which they are asked."""
    for shape in SHAPES:
        yield shape, f"{shlex.quote(client)} --as {shape}", ("--platform", "reference"), ""
    for name, command, asked in OTHERS:
        yield name, command, (), asked


def sit(proctor, client, patterns, folder, jobs):
    """Asks each sitter of what none before it passed, and keeps the records of each in a file of its name."""
    left, lacked = None, collections.defaultdict(set)
    for name, command, words, asked in sitters(client):
        cases = patterns if left is None else sorted(case for case in left if not asked or asked in lacked[case] or asked.endswith("/") and case.startswith(asked))
        file = folder / f"{name}.jsonl"
        file.unlink(missing_ok=True)
        if not cases:
            continue
        print(f"{name}: {len(cases)} {'patterns' if left is None else 'cases'}", flush=True)
        records, _ = exam(proctor, command, file, *WORDS, *words, cases=cases, jobs=jobs, codes=CODES)
        open_ones = {case for case, one in records.items() if one["kind"] in KINDS and one["outcome"] != "pass"}
        left = open_ones if left is None else left - {case for case, one in records.items() if one["outcome"] == "pass"}
        for case in open_ones:
            lacked[case] |= {records[case]["ability"]} if records[case]["outcome"] == "lacks" else set()


def outcomes(folder):
    """By case of the two kinds, what each sitter made of it, and its kind."""
    found, kinds = collections.defaultdict(dict), {}
    names = [*SHAPES, *(name for name, _, _ in OTHERS)]
    for name in names:
        file = folder / f"{name}.jsonl"
        for case, one in by_case(file).items() if file.exists() else ():
            if one["kind"] in KINDS:
                kinds[case] = one["kind"]
                found[case][name] = one["outcome"]
    return found, kinds


def is_about(line, case, kind):
    return line[0] == kind and fnmatch.fnmatchcase(case, line[1])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--proctor", help="the program that examines")
    parser.add_argument("--client", help="proctor-client-reference")
    parser.add_argument("--records", type=pathlib.Path, help="the folder of the records; with --proctor they are written there")
    parser.add_argument("--only", action="append", metavar="PATTERN", help="these cases alone")
    parser.add_argument("--jobs", type=int, default=4, help="sittings at a time (4)")
    options = parser.parse_args()
    if bool(options.proctor) != bool(options.client) or not (options.proctor or options.records):
        parser.error("give --proctor with --client, or --records alone")
    folder = (options.records or ROOT / ".build/passed").resolve()
    folder.mkdir(parents=True, exist_ok=True)
    if options.proctor:
        proctor, client = (str(pathlib.Path(path).resolve()) for path in (options.proctor, options.client))
        sit(proctor, client, options.only or ["*"], folder, options.jobs)
    found, kinds = outcomes(folder)
    if not found:
        sys.exit(f"{folder}: there is no record of a must or a should; give --proctor and --client")
    lines, needed, faults = reasons(LIST, "kind and case"), set(), []
    for case, marks in sorted(found.items()):
        if "pass" in marks.values():
            continue
        reasoned = [line for line in lines if is_about(line, case, kinds[case])]
        needed |= {tuple(line) for line in reasoned}
        if not reasoned:
            faults.append(f"{kinds[case]} {case}: none passes it: " + ", ".join(f"{name} {word}" for name, word in marks.items()))
    if not options.only:
        faults += [f"{LIST.name}: nobody needs {' '.join(line[:2])}" for line in lines if tuple(line) not in needed]
    passed = sum("pass" in marks.values() for marks in found.values())
    for fault in faults:
        print(fault, file=sys.stderr)
    print(f"{passed:,} of {len(found):,} musts and shoulds are passed by a right client, {len(found) - passed - sum(': none passes it' in one for one in faults):,} have a reason")
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
