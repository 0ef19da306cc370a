#!/usr/bin/env python3
"""Clients as PyPI has them: their lists of packages, and the page that compares them with those of Debian.

    Scripts/current.py pins [NAME ...]           writes clients/current/NAME.txt anew, with the newest versions and the hashes of their wheels
    Scripts/current.py page RECORDS [...]        writes Docs/matrix/current.md from records of NAME and NAME@current

`pins` needs PyPI and the package pip-tools of the Python that runs it. `page` asks `proctor report diff` (--proctor PROGRAM) what has
become better and worse; the records of both clients of a pair are to be of one library. Of two records about one case of one client the later one counts.

Exits 0; 1 where something is missing; 2 for a wrong command line.
"""
import argparse
import collections
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from ledger_text import ROOT, because

LISTS = ROOT / "clients/current"
PAGE = ROOT / "Docs/matrix/current.md"
BEGIN, END = "<!-- current -->", "<!-- end of current -->"
# What a client is installed with. What Debian's package brings along, and PyPI's does not, stands beside it.
ROWS = [line.split("\t") for line in (LISTS / "packages.tsv").read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
WANTED = {name: packages.split() for name, packages in ROWS}
FAILED = ("fail", "known", "hang", "crash", "not-judged")
LINE = re.compile(r"^  (better|worse) +(\S+) -> (\S+) +(\S+?)( \((?:should|observes)\))?  (.*)$")
CAUSE = re.compile(r"^  (a new cause|no cause any more): (.*), such as (\S+)$")
MOST_REASONS = 12


def pins(names):
    for name in names or WANTED:
        if name not in WANTED:
            sys.exit(f"there is no list {name}; there are {', '.join(WANTED)}")
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "in.txt"
            source.write_text("\n".join(WANTED[name]) + "\n", encoding="utf-8")
            subprocess.run(
                [sys.executable, "-m", "piptools", "compile", "--quiet", "--generate-hashes", "--no-annotate", "--no-header", "--upgrade",
                 "--allow-unsafe", "--strip-extras", "--no-emit-index-url", "--no-emit-find-links", "--output-file",
                 str(LISTS / f"{name}.txt"), str(source)], check=True)
    return 0


def read(paths):
    """By client its header, and by case its record."""
    headers, records = {}, collections.defaultdict(dict)
    for path in paths:
        for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines():
            one = json.loads(line) if line.strip() else {}
            if "exam" in one:
                headers[one["client"]] = one
            elif one:
                records[one["client"]][one["case"]] = one
    return headers, records


def version(header):
    return header.get("clientVersion", "")


def failed(records, kind):
    return [one for one in records.values() if one["kind"] == kind and one["outcome"] in FAILED]


def level(record, reasons):
    """The record as it would be without a ledger, but for the reason: which failures a ledger lists makes none of them better."""
    outcome = {"known": "fail", "fixed": "pass"}.get(record["outcome"], record["outcome"])
    reason = reasons.get(record["case"], record.get("reason", "")) if outcome in FAILED else ""
    return {**record, "outcome": outcome, "reason": reason}


def difference(program, headers, records, before, after):
    """The lines of `proctor report diff` between two clients."""
    with tempfile.TemporaryDirectory() as folder:
        paths = []
        for client in (before, after):
            paths.append(os.path.join(folder, f"{len(paths)}.jsonl"))
            with open(paths[-1], "w", encoding="utf-8") as file:
                kept = because(client)
                file.writelines(json.dumps(one) + "\n" for one in (headers[client], *(level(one, kept) for one in records[client].values())))
        done = subprocess.run(
            [program, "report", "diff", *paths, "--before", before, "--after", after], capture_output=True, text=True, check=False)
        if done.returncode not in (0, 1) or not done.stdout:
            sys.exit(f"proctor report diff: {done.stderr}")
        return done.stdout.splitlines()


def changes(lines):
    """What the lines say: cases that are better, that are worse, causes that went, and that came."""
    found = [match.groups() for match in map(LINE.match, lines) if match]
    causes = [match.groups() for match in map(CAUSE.match, lines) if match]
    return (
        [one for one in found if one[0] == "better"], [one for one in found if one[0] == "worse"],
        [one for one in causes if one[0] == "no cause any more"], [one for one in causes if one[0] == "a new cause"])


def reasons(found):
    """Cases by their reason: the most frequent first, each with its first case."""
    groups = collections.defaultdict(list)
    for _, _, _, case, kind, reason in found:
        groups[reason].append(case + (kind or ""))
    rows = sorted(groups.items(), key=lambda item: (-len(item[1]), item[1][0]))
    lines = [f"- {len(cases)} × {reason.replace('|', chr(92) + '|').replace('<', '&lt;')}: `{cases[0].split(' ')[0]}`" for reason, cases in rows[:MOST_REASONS]]
    if rows[MOST_REASONS:]:
        left = sum(len(cases) for _, cases in rows[MOST_REASONS:])
        lines.append(f"- {left} cases of {len(rows) - MOST_REASONS} further reasons")
    return lines


def text(program, headers, records):
    names = [name for name in headers if f"{name}@current" in headers]
    if not names:
        sys.exit("the records have no client together with its NAME@current")
    rows, parts = [], []
    for name in names:
        after = f"{name}@current"
        better, worse, went, came = changes(difference(program, headers, records, name, after))
        cells = [name, version(headers[name]), version(headers[after])]
        for kind in ("must", "should"):
            cells += [f"{len(failed(records[name], kind)):,}", f"{len(failed(records[after], kind)):,}"]
        cells += [str(len(better)), str(len(worse)), str(len(went)), str(len(came))]
        rows.append("| " + " | ".join(cells) + " |")
        parts += [f"### {name} {version(headers[name])} and {version(headers[after])}", ""]
        for title, group in (("Mended:", better), ("Worse:", worse)):
            if group:
                parts += [title, "", *reasons(group), ""]
        for title, group in (("No cause any more:", went), ("New causes:", came)):
            if group:
                parts += [title, "", *[f"- {cause.replace('<', '&lt;')}, such as `{case}`" for _, cause, case in group], ""]
        if not better + worse:
            parts += ["Nothing has changed.", ""]
    head = ["client", "Debian's", "PyPI's", "must: failed", "now", "should: failed", "now", "better", "worse", "causes gone", "causes new"]
    rule = "|---|---|---|" + "--:|" * (len(head) - 3)
    return "\n".join(["| " + " | ".join(head) + " |", rule, *rows, "", *parts]).rstrip() + "\n"


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("verb", choices=["pins", "page"])
    parser.add_argument("rest", nargs="*")
    parser.add_argument("--proctor", default="proctor")
    arguments = parser.parse_args()
    if arguments.verb == "pins":
        return pins(arguments.rest)
    if not arguments.rest:
        parser.error("page needs records")
    page = PAGE.read_text(encoding="utf-8")
    before, _, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        print(f"{PAGE} lacks {BEGIN} or {END}", file=sys.stderr)
        return 1
    PAGE.write_text(f"{before}{BEGIN}\n{text(arguments.proctor, *read(arguments.rest))}{END}{after}", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
