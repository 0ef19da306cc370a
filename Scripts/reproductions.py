#!/usr/bin/env python3
"""Tries the reproductions of 'proctor report issue': whether each shows the failure again, without Proctor.

  reproductions.py CLIENT ... [--proctor FILE] [--records FILE] [--cases TEXT] [--every N] [--keep FOLDER]

For every must of the records that a CLIENT fails, the case is asked anew, the files are written, and
'python3 server.py --run' is called, which exits with 0 where every departure shows again. A case that the client does not
fail here counts as nothing. Ends with 1 where fewer than nine of ten do whose departure stands in the bytes of requests.
Clients of Python are those of the first python3 in PATH.
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
    try:
        played = subprocess.run(
            [sys.executable, script, "--run"], stdin=subprocess.DEVNULL, capture_output=True, text=True, errors="replace",
            timeout=120)
    except subprocess.TimeoutExpired:
        return "hangs", ""
    with open(os.path.join(folder, "said.txt"), "w", encoding="utf-8") as file:
        file.write(f"{made.stderr}\n{played.stdout}\n{played.stderr}")
    seen = re.findall(r"^(?:NOT seen|look at what the client says): .*|^\w*Error: .*", played.stdout + played.stderr, re.M)
    obstacles = re.findall(r"the files do not do all of it: (.*)", made.stderr)
    return "shows" if played.returncode == 0 else "differs", "; ".join(obstacles + seen)


def is_of_requests(folder):
    """Whether the first departure stands in the bytes of requests."""
    with open(os.path.join(folder, "server.py"), encoding="utf-8") as file:
        first = re.search(r'^DEPARTURES = \[\n    \("([a-z ]+)"', file.read(), re.M)
    return bool(first) and first[1] in ("line", "without", "content", "requests")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clients", nargs="+", metavar="CLIENT")
    parser.add_argument("--proctor", default=os.path.join(ROOT, ".build/debug/proctor"))
    parser.add_argument("--records", help="a file of records; without it those of the matrix")
    parser.add_argument("--cases", default="", help="only cases whose name has this text")
    parser.add_argument("--every", type=int, default=1, help="only each N-th case")
    parser.add_argument("--keep", help="where the files are kept")
    options = parser.parse_args()
    keep = options.keep or tempfile.mkdtemp(prefix="reproductions-")
    sitting = records.read(options.records) if options.records else records.shipped("http1")["http1"]
    is_enough = True
    for client in options.clients:
        counts, of_requests = {}, {}
        failed = records.failed(sitting.records[client], "must", ("fail", "known", "hang", "crash"))
        cases = [one["case"] for one in failed if options.cases in one["case"]][::options.every]
        for case in cases:
            folder = os.path.join(keep, client, re.sub(r"[^\w.-]", "_", case))
            word, said = try_case(options, client, case, folder)
            counts[word] = counts.get(word, 0) + 1
            if word in ("shows", "differs", "hangs") and is_of_requests(folder):
                of_requests[word] = of_requests.get(word, 0) + 1
            if word not in ("shows", "passes"):
                print(f"{word:10} {client} {case}: {said[:600]}", flush=True)
        tried = sum(count for word, count in counts.items() if word != "passes")
        tried_requests = sum(of_requests.values())
        print(
            f"{client}: {counts.get('shows', 0)} of {tried} show again; of those in the bytes of requests "
            f"{of_requests.get('shows', 0)} of {tried_requests}; {counts.get('passes', 0)} do not fail here", flush=True)
        is_enough = is_enough and of_requests.get("shows", 0) >= WANTED * tried_requests
    print(f"the files are in {keep}")
    return 0 if is_enough else 1


if __name__ == "__main__":
    sys.exit(main())
