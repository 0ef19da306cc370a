#!/usr/bin/env python3
"""Tries the reproductions of 'proctor report issue': whether each shows the failure again, without Proctor.

  reproductions.py CLIENT ... [--proctor FILE] [--records FILE] [--cases TEXT] [--causes N] [--right FILE] [--keep FOLDER]

For every must of the records that a CLIENT fails, or with --causes N for the smallest of each of its N most frequent causes, the
case is asked anew, the files are written, and the script is run twice: by the client, where it has to exit with 0, and by the
reference client, where it has to exit with 1. A case that the client does not fail here counts as nothing. Ends with 1 where
fewer than nine of ten do so. Clients of Python are those of the first python3 in PATH.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile

import records
from ledger_text import ROOT

WANTED = 0.9


def play(script, words):
    """The exit code of a script, with what it says."""
    try:
        played = subprocess.run(
            [sys.executable, script, *words], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
            timeout=120)
    except subprocess.TimeoutExpired:
        return None, "hangs"
    said = re.findall(r"^(?:NOT seen|look at what the client says|not tried): .*|^\w*Error: .*", played.stdout + played.stderr, re.M)
    return played.returncode, "; ".join(said)


def try_case(options, client, case, folder):
    """What came of it, a word, with what the tools say of it."""
    made = subprocess.run(
        [options.proctor, "report", "issue", case, "--client", client, "--records", os.devnull, "--output", folder],
        cwd=ROOT, stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace")
    if "nothing to report" in made.stderr:
        return "passes", ""
    script = os.path.join(folder, "server.py")
    if made.returncode or not os.path.exists(script):
        return "no script", made.stderr.strip()
    with open(os.path.join(folder, "report.md"), encoding="utf-8") as file:
        has_command = "server.py --run" in file.read()
    code, said = play(script, ["--run"] if has_command else ["--", os.path.join(ROOT, "clients/adapters", client)])
    obstacles = "; ".join(re.findall(r"the files do not do all of it: (.*)", made.stderr))
    if code != 0:
        return "differs", f"exit code {code}: {obstacles}; {said}"
    code, said = play(script, ["--", options.right])
    return ("shows", "") if code == 1 else ("not told apart", f"exit code {code} by the reference client: {obstacles}; {said}")


def chosen(failed, count):
    """The cases of all failures, or the shortest names of the most frequent causes."""
    if not count:
        return [one["case"] for one in failed]
    by_cause = {}
    for one in failed:
        by_cause.setdefault(str(one.get("cause")), []).append(one["case"])
    most = sorted(by_cause.values(), key=len, reverse=True)[:count]
    return [min(cases, key=len) for cases in most]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clients", nargs="+", metavar="CLIENT")
    parser.add_argument("--proctor", default=os.path.join(ROOT, ".build/debug/proctor"))
    parser.add_argument("--records", help="a file of records; without it those of the matrix")
    parser.add_argument("--cases", default="", help="only cases whose name has this text")
    parser.add_argument("--causes", type=int, default=0, help="only the smallest case of each of the N most frequent causes")
    parser.add_argument("--right", default=os.path.join(ROOT, ".build/debug/proctor-client-reference"), help="an adapter that is right")
    parser.add_argument("--keep", help="where the files are kept")
    options = parser.parse_args()
    keep = options.keep or tempfile.mkdtemp(prefix="reproductions-")
    sitting = records.read(options.records) if options.records else records.shipped("http1")["http1"]
    is_enough = True
    for client in options.clients:
        counts = {}
        failed = records.failed(sitting.records[client], "must", ("fail", "known", "hang", "crash"))
        for case in chosen([one for one in failed if options.cases in one["case"]], options.causes):
            folder = os.path.join(keep, client, re.sub(r"[^\w.-]", "_", case))
            word, said = try_case(options, client, case, folder)
            counts[word] = counts.get(word, 0) + 1
            if word not in ("shows", "passes"):
                print(f"{word:10} {client} {case}: {said[:600]}", flush=True)
        tried = sum(count for word, count in counts.items() if word != "passes")
        shown = counts.get("shows", 0)
        print(
            f"{client}: {shown} of {tried} show again, and not by the reference client; {counts.get('passes', 0)} do not fail here",
            flush=True)
        is_enough = is_enough and shown >= WANTED * tried
    print(f"the files are in {keep}")
    return 0 if is_enough else 1


if __name__ == "__main__":
    sys.exit(main())
