#!/usr/bin/env python3
"""Releases of PyPI's clients: which are examined, and the page that says what each mended and broke.

    Scripts/history.py clients [NAME ...]                 prints the releases of clients/current/history.tsv as `proctor exam --client` takes them
    Scripts/history.py page RECORDS [...] [--proctor PROGRAM]   writes Docs/matrix/history.md, and the records of it beside it

RECORDS are of an exam with --versions, or those of an earlier page (`history.jsonl.zst`); of two records about one case of one release the
later one counts. The page is made of the records beside it: each release is compared with the one before by `proctor report diff`. What a
release says of itself stands in clients/current/history.tsv, in our words.

Exits 0; 1 where something is missing; 2 for a wrong command line.
"""
import argparse
import collections
import json
import re
import subprocess
import sys

import current

ROWS = current.LISTS / "history.tsv"
PAGE = current.ROOT / "Docs/matrix/history.md"
RECORDS = current.ROOT / "Docs/matrix/history.jsonl.zst"
BEGIN, END = "<!-- history -->", "<!-- end of history -->"
MEASURED = re.compile(r"[0-9.]+(?= s after the adapter)|(?<=in bytes was )[0-9]+")
# The folder of releases in the command of an adapter, which is another one on each machine.
FOLDER = re.compile(r"(?<=proctor_release.sh )\S+")
# What a record keeps: enough for `proctor report diff`.
KEPT = ("client", "scenario", "case", "name", "kind", "outcome", "reason", "cause", "specs", "rules", "findings")


def releases():
    """By client its releases in order, each with what its change log says of it; "" where it says nothing of what a case asks."""
    found = collections.defaultdict(list)
    for line in ROWS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            client, release, *words = line.split("\t")
            found[client].append((release, words[0] if words else ""))
    return found


def text(path):
    if str(path).endswith(".zst"):
        return subprocess.run(["zstd", "-dc", path], capture_output=True, text=True, check=True).stdout
    with open(path, encoding="utf-8") as file:
        return file.read()


def read(paths):
    headers, records = {}, collections.defaultdict(dict)
    for line in "".join(map(text, paths)).splitlines():
        one = json.loads(line)
        if "exam" in one:
            headers[one["client"]] = one
        else:
            if "reason" in one:
                # A measured number is another one each time.
                one["reason"] = MEASURED.sub("…", one["reason"])
            records[one["client"]][one["case"]] = one
    return headers, records


def keep(headers, records):
    """Writes what the page is made of, in one file: the releases of the list, each with the cases that it was asked."""
    lines = []
    for name in (f"{client}@{release}" for client, rows in releases().items() for release, _ in rows):
        if name in headers:
            header = {**headers[name], "command": FOLDER.sub("RELEASES", headers[name].get("command", "")), "cases": len(records[name])}
            lines.append(json.dumps(header, separators=(",", ":")))
            lines += [json.dumps({key: one[key] for key in KEPT if key in one}, separators=(",", ":")) for _, one in sorted(records[name].items())]
    data = ("\n".join(lines) + "\n").encode()
    RECORDS.write_bytes(subprocess.run(["zstd", "-19", "-q", "-c"], input=data, capture_output=True, check=True).stdout)


def counts(records):
    return [f"{len(current.failed(records, kind)):,}" for kind in ("must", "should")]


def part(program, headers, records, client, rows):
    """The table of a client, and what each release changed."""
    asked = [(release, words) for release, words in rows if f"{client}@{release}" in headers]
    table = ["| release | must: failed | should: failed | better | worse |", "|---|--:|--:|--:|--:|"]
    lines, former = [], None
    for release, words in asked:
        name = f"{client}@{release}"
        if former is None:
            table.append(f"| {release} | " + " | ".join(counts(records[name])) + " | – | – |")
        else:
            better, worse, _, _ = current.changes(current.difference(program, headers, records, former, name))
            table.append(f"| {release} | " + " | ".join(counts(records[name])) + f" | {len(better)} | {len(worse)} |")
            if better or worse or words:
                lines += [f"**{release}**" + (f" (its change log: {words})" if words else ""), ""]
                for title, group in (("mended", better), ("broke", worse)):
                    lines += [f"- {title}: {reason.removeprefix('- ')}" for reason in current.reasons(group)]
                if not better + worse:
                    lines.append("- no case shows it")
                lines.append("")
        former = name
    return [f"## {client}", "", *table, "", *lines]


def page(paths, program):
    headers, records = read(paths)
    if not any(f"{client}@{release}" in headers for client, rows in releases().items() for release, _ in rows):
        print(f"{' '.join(paths)}: there is no release of {ROWS.relative_to(current.ROOT)}", file=sys.stderr)
        return 1
    for client, rows in releases().items():
        for release, _ in rows:
            header = headers.get(f"{client}@{release}")
            if header and not header.get("clientVersion", "").split(" ")[-1].startswith(release):
                print(f"{client}@{release}: the records are of {header.get('clientVersion')}; examine it again", file=sys.stderr)
                return 1
    whole = PAGE.read_text(encoding="utf-8")
    before, begin, rest = whole.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        print(f"{PAGE} lacks {BEGIN} or {END}", file=sys.stderr)
        return 1
    keep(headers, records)
    headers, records = read([RECORDS])
    lines = []
    for client, rows in releases().items():
        if any(f"{client}@{release}" in headers for release, _ in rows):
            lines += part(program, headers, records, client, rows)
    PAGE.write_text(f"{before}{BEGIN}\n\n" + "\n".join(lines).rstrip() + f"\n\n{END}{after}", encoding="utf-8")
    return 0


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("verb", choices=["clients", "page"])
    parser.add_argument("rest", nargs="*")
    parser.add_argument("--proctor", default="proctor")
    arguments = parser.parse_args()
    if arguments.verb == "clients":
        found = releases()
        print(",".join(f"{client}@{release}" for client in arguments.rest or found for release, _ in found[client]))
        return 0
    if not arguments.rest:
        parser.error("page needs records")
    return page(arguments.rest, arguments.proctor)


if __name__ == "__main__":
    sys.exit(main())
