#!/usr/bin/env python3
"""What is new in the newest versions of clients since they were examined last.

    Scripts/week.py RECORDS [MORE ...]        writes Docs/matrix/news.md and clients/current/causes.tsv

RECORDS are of an exam of NAME@current, and of clients that PyPI alone has, as `make matrix-current` makes it. They are compared, by client and cause, with causes.tsv, which holds what failed
the last time; then causes.tsv is written anew. MORE are records of other clients, which count where a must is looked for that several engines fail.

Exits 0; 1 where records lack an exam; 2 for a wrong command line.
"""
import argparse
import collections
import csv
import datetime
import pathlib
import re
import sys

import current

ROOT = pathlib.Path(__file__).resolve().parent.parent
CAUSES = ROOT / "clients/current/causes.tsv"
PAGE = ROOT / "Docs/matrix/news.md"
BEGIN, END = "<!-- news -->", "<!-- end of news -->"
COLUMNS = ("client", "version", "date", "kind", "cases", "cause", "example")
# Clients of one engine say the same of a case, so they count once. A client that is not listed is an engine of its own.
ENGINES = {"requests": "urllib3", "niquests": "urllib3", "httpie": "urllib3", "pycurl": "libcurl", "curl": "libcurl", "php-streams": "php",
           "reference": None, "urlsession": "libcurl", "webkit": "libsoup", "urllib": "http.client", "python-http-client": "http.client",
           "chromium-websocket": "chromium", "node-eventsource": "node-fetch", "okhttp": "okhttp",
           "deno-eventsource": "deno-fetch", "deno-websocket": "deno-fetch", "bun-websocket": "bun-fetch", "dotnet-websocket": "dotnet-httpclient"}
# Clients that PyPI alone has go by their names.
NEWEST = re.compile(r"@current$|^(deno|bun|dotnet)-")
ENOUGH_ENGINES = 3
MOST_CASES = 60


class Cause:
    """The failed cases of one client that have one cause and one kind."""

    def __init__(self, count, example):
        self.count, self.example = count, example


def causes_of(records):
    """By kind and cause, of one client's records."""
    found = {}
    for record in records.values():
        if record["outcome"] not in current.FAILED or record["kind"] == "observes":
            continue
        key = record["kind"], record.get("cause") or record["outcome"]
        known = found.setdefault(key, Cause(0, record["case"]))
        known.count += 1
    return found


def last_time():
    """By client its version, its day, and its causes; nothing before the first time."""
    clients = {}
    if CAUSES.exists():
        with CAUSES.open(encoding="utf-8", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                _, _, causes = clients.setdefault(row["client"], (row["version"], row["date"], {}))
                # A client without a failure has a row without a cause.
                if row["cause"]:
                    causes[row["kind"], row["cause"]] = Cause(int(row["cases"]), row["example"])
    return clients


def write(clients):
    with CAUSES.open("w", encoding="utf-8", newline="") as file:
        out = csv.writer(file, delimiter="\t", lineterminator="\n")
        out.writerow(COLUMNS)
        for client, (version, day, causes) in sorted(clients.items()):
            for (kind, cause), one in sorted(causes.items()):
                out.writerow((client, version, day, kind, one.count, cause, one.example))
            if not causes:
                out.writerow((client, version, day, "must", 0, "", ""))


def shown(text):
    return text.replace("|", "\\|").replace("<", "&lt;")


def changes(before, after):
    """Lines on one client: causes that came, went, or have another number of cases."""
    lines = []
    for title, keys, source in (
            ("New:", [key for key in after if key not in before], after), ("Gone:", [key for key in before if key not in after], before)):
        for kind, cause in sorted(keys):
            one = source[kind, cause]
            lines.append(f"- {title} {shown(cause)} ({one.count} × {kind}), such as `{one.example}`")
    for key in sorted(after.keys() & before.keys()):
        if after[key].count != before[key].count:
            lines.append(f"- {shown(key[1])} ({key[0]}): {before[key].count} cases before, {after[key].count} now, such as `{after[key].example}`")
    return lines


def engine(client):
    name = client.split("@")[0]
    return ENGINES.get(name, name)


def for_review(records):
    """Musts that several engines fail: each with these engines and a reason."""
    failed = collections.defaultdict(dict)
    for client, cases in records.items():
        if engine(client) is None:
            continue
        for case, record in cases.items():
            if record["kind"] == "must" and record["outcome"] in current.FAILED:
                failed[case].setdefault(engine(client), record.get("reason") or record["outcome"])
    return {case: engines for case, engines in sorted(failed.items()) if len(engines) >= ENOUGH_ENGINES}


def musts(causes):
    return sum(one.count for (kind, _), one in causes.items() if kind == "must")


def text(headers, records, examined, before):
    rows, parts = [], []
    for client in examined:
        version, day, after = current.version(headers[client]), headers[client]["date"][:10], causes_of(records[client])
        was = before.get(client)
        cells = [client, was[0] if was else "–", version, was[1] if was else "–", day, f"{musts(was[2]):,}" if was else "–", f"{musts(after):,}"]
        rows.append("| " + " | ".join(cells) + " |")
        parts += [f"### {client} {version}", ""]
        lines = changes(was[2], after) if was else ["Examined for the first time."]
        parts += [*(lines or ["Nothing is new."]), ""]
        before[client] = version, day, after
    head = ["client", "before", "now", "examined before", "examined now", "failed musts before", "now"]
    review = for_review(records)
    lines = [f"- `{case}`: {', '.join(sorted(engines))}; {shown(next(iter(engines.values())))}" for case, engines in list(review.items())[:MOST_CASES]]
    if len(review) > MOST_CASES:
        lines.append(f"- and {len(review) - MOST_CASES} more")
    return "\n".join(
        ["| " + " | ".join(head) + " |", "|---|---|---|---|---|--:|--:|", *rows, "", *parts, "## For review", "",
         f"Musts that {ENOUGH_ENGINES} engines or more fail, {len(review)} in all. Where so many disagree with a case, the case is doubted first.", "",
         *(lines or ["There is none."])]) + "\n"


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("\n\n")[1])
    parser.add_argument("records", nargs="+")
    arguments = parser.parse_args()
    headers, records = current.read(arguments.records)
    examined = [name for name in headers if NEWEST.search(name) and records[name]]
    absent = [f"{name}: {one['absence']}" for name, one in headers.items() if one.get("absence")]
    for line in absent:
        print(f"not examined: {line}", file=sys.stderr)
    if not examined:
        sys.exit("the records have no exam of a NAME@current")
    page = PAGE.read_text(encoding="utf-8")
    head, _, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not end:
        sys.exit(f"{PAGE} lacks {BEGIN} or {END}")
    clients = last_time()
    news = text(headers, records, examined, clients)
    PAGE.write_text(f"{head}{BEGIN}\n{news}{END}{tail}", encoding="utf-8")
    write(clients)
    print(f"{len(examined)} clients, {datetime.date.today()}: {PAGE.relative_to(ROOT)}")
    return 1 if absent else 0


if __name__ == "__main__":
    sys.exit(main())
