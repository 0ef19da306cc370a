#!/usr/bin/env python3
"""Which failures of an exam have a cause that another case is about.

    Scripts/owners.py [RECORDS ...] [--families auth/ cookie/] [--kinds must] [--without urlsession]

RECORDS are files of `proctor exam --json`; without one, the matrix over HTTP/1.1 is read. The owner of a cause is named by a row of Scripts/owners.tsv (cause, cases that it is about, cases that own it,
reason; of several rows the first counts), or by a departure of Docs/judging/verdicts.md that the cause shows, whose cases say `tolerates:`.
Another case owns the failure of a client that fails such a case, too; every other cause is the case's own. Failed musts are counted
by cause, and those that another case owns are listed. Exits 1 where they are more than one in ten, or where one has no reason.
"""
import argparse
import collections
import fnmatch
import re
import sys

import records
from ledger_text import ROOT

FAILED = {"fail", "hang", "crash", "known"}
SHARE = 0.1


def departures():
    """Causes that a tolerated departure shows, by the table of Docs/judging/verdicts.md: {cause: name}."""
    causes = {}
    page = (ROOT / "Docs/judging/verdicts.md").read_text(encoding="utf-8")
    rows = page.split("<!-- begin tolerances -->")[1].split("<!-- end tolerances -->")[0].splitlines()[2:]
    for row in filter(None, rows):
        cells = [cell.strip() for cell in row.strip("|").split("|")]
        for word, kind in re.findall(r"(credential|cookies|frames) `([a-z0-9-]+)`", cells[4]):
            causes[f"{'violation' if word == 'frames' else word}: {kind}"] = cells[0].strip("`")
    return causes


def fixture_owners():
    """The cases that say what they do not tolerate: {departure: [SCENARIO#CASE]}."""
    owners = collections.defaultdict(list)
    for path in sorted((ROOT / "fixtures").rglob("*.yaml")):
        scenario = str(path.relative_to(ROOT / "fixtures"))[: -len(".yaml")]
        case = "*"
        for line in path.read_text(encoding="utf-8").splitlines():
            if match := re.match(r"  ([A-Za-z0-9][\w.-]*):", line):
                case = match[1]
            if match := re.match(r"( {4})?tolerates: (?:\{ except: (.*) \}|none)$", line):
                place = f"{scenario}#{case if match[1] else '*'}"
                for name in re.findall(r"[a-z-]+", match[2] or "*"):
                    owners[name].append(place)
    return owners


class Table:
    """What owns causes: the fixtures' departures, and the rows of owners.tsv."""

    def __init__(self):
        self.departures, self.owners = departures(), fixture_owners()
        self.rows = []
        for line in (ROOT / "Scripts/owners.tsv").read_text(encoding="utf-8").splitlines():
            if line and not line.startswith("#"):
                cause, cases, owners, reason = (line.split("\t") + ["", "", ""])[:4]
                self.rows.append((cause, cases, owners.split(), reason))

    def owner(self, cause, case):
        """(owners, reason) of a cause; None where it is the case's own."""
        for pattern, cases, owners, reason in self.rows:
            if fnmatch.fnmatchcase(cause, pattern) and fnmatch.fnmatchcase(case, cases):
                return None if matches(case, owners) else (owners, reason)
        departure = self.departures.get(cause.split(" · ")[0])
        owners = self.owners[departure] + self.owners["*"]
        return None if departure is None or matches(case, owners) else (owners, "")


def matches(case, patterns):
    return any(fnmatch.fnmatchcase(case, pattern) for pattern in patterns)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("records", nargs="*")
    parser.add_argument("--families", nargs="+", default=["auth/", "cookie/"])
    parser.add_argument("--kinds", nargs="+", default=["must"])
    parser.add_argument("--without", nargs="*", default=["urlsession"], help="clients that are not counted")
    options = parser.parse_args()
    table = Table()
    sitting = records.read(*options.records) if options.records else records.shipped("http1")["http1"]
    failed = {
        (client, case): record for client, own in sitting.records.items() for case, record in own.items()
        if record["outcome"] in FAILED and not client.startswith(tuple(options.without))}
    own, foreign = collections.Counter(), collections.defaultdict(list)
    for (client, case), record in failed.items():
        if record["kind"] not in options.kinds or not case.startswith(tuple(options.families)):
            continue
        cause = record.get("cause") or record["outcome"]
        found = table.owner(cause, case)
        if found and any(other == client and matches(name, found[0]) for other, name in failed):
            foreign[cause].append((case, client, *found))
        else:
            own[cause] += 1
    return report(own, foreign)


def report(own, foreign):
    """Prints what was counted; the exit code."""
    count = sum(map(len, foreign.values()))
    total = count + own.total()
    print(f"{total} failures, {len(set(own) | set(foreign))} causes; "
          f"{count} have a cause that another case owns ({100 * count / max(total, 1):.1f} %)")
    for cause, number in own.most_common():
        print(f"{number:6}  {cause}")
    lacks_reason = False
    for cause, failures in sorted(foreign.items(), key=lambda item: -len(item[1])):
        owners = failures[0][2]
        print(f"{len(failures):6}  {cause}: owned by {' '.join(owners)}")
        for case in sorted({failure[0] for failure in failures}):
            clients = [failure[1] for failure in failures if failure[0] == case]
            reason = next(failure[3] for failure in failures if failure[0] == case)
            lacks_reason = lacks_reason or not reason
            print(f"        {case} ({', '.join(clients)}){': ' + reason if reason else ''}")
    return 1 if count > SHARE * total or lacks_reason else 0


if __name__ == "__main__":
    sys.exit(main())
