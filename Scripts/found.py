#!/usr/bin/env python3
"""What the newest versions of clients still do otherwise: Docs/matrix/found, a page for each client.

    Scripts/found.py              writes the pages anew
    Scripts/found.py --check      exits with 1 where a page says otherwise

The causes of failed musts are those of clients/current/causes.tsv, which `make matrix-current` writes; the reason of a cause is that of its smallest case in the
ledger of NAME@current, and what the project knows stands there, in the ledger of NAME, or in that of the engine that it is made of.
"""
import collections
import csv
import functools
import re
import sys

from ledger_text import ROOT, because, entries, escaped, keep, ledger, table, thread, unquoted

CAUSES = ROOT / "clients/current/causes.tsv"
FOLDER = ROOT / "Docs/matrix/found"
# Where a client's own ledger says nothing of a cause.
ENGINES = {"pycurl": "curl", "requests": "urllib3", "niquests": "requests"}
TOP = """# What we found in current versions

The newest versions that PyPI has, and what they still do otherwise: each cause of a failed must, with the thread of the client's project where one is known, and the report that stands ready.
`make matrix-current` examines them ([what is new](../news.md)), and `Scripts/found.py` writes these pages from [the causes](../../../clients/current/causes.tsv) and the clients' ledgers. It says `unreported` where no report of a cause was
found. To repeat a cause, ask the case that stands beside it: `proctor exam CASE --client NAME`.

"""


@functools.cache
def known(client):
    """By cause, what the ledger of a client says of its project."""
    return dict(entries(ledger(client), "upstream"))


def about(cause, client):
    """What the project knows of a cause; empty where nothing was looked for."""
    while client:
        told = known(client)
        if body := told.get(cause) or told.get(cause.split(" · ")[0]):
            return body
        base = client.removesuffix("@current")
        client = base if base != client else ENGINES.get(client)
    return {}


def row(one, client, reasons):
    body = about(one["cause"], client)
    says = unquoted(body.get("says", ""))
    report = re.search(r"Docs/matrix/reports/([\w.-]+\.md)", says)
    state = body.get("state", "")
    if "issue" in body:
        state = f"{thread(body['issue'])}, {state}" + ("; what is left has no thread" if state == "fixed" else "")
    case = one["example"]
    return [
        one["cases"], escaped(reasons.get(case, one["cause"])), f"`{case}`", state,
        f"[{report[1].removesuffix('.md')}](../reports/{report[1]})" if report else ""]


def page(client, causes):
    version, date = causes[0]["version"], causes[0]["date"]
    reasons = because(client) or because(client.removesuffix("@current"))
    rows = [row(one, client, reasons) for one in sorted(causes, key=lambda one: -int(one["cases"]))]
    text = f"# {client} {version}\n\nExamined on {date}: {sum(int(one['cases']) for one in causes)} failed musts by {len(causes)} causes, the most frequent first. "
    text += f"To see one: `proctor exam CASE --client {client}`. The [ledger](../../../clients/{client}.yaml) has each case.\n\n" if ledger(client) else "\n\n"
    text += table(["cases", "what it does", "such as", "the project", "report"], rows, right=["cases"])
    threads, unreported = sum("](" in one[3] for one in rows), sum(one[3] == "unreported" for one in rows)
    name = f"[{client}]({client}.md)"
    return text, [name, version, str(sum(int(one["cases"]) for one in causes)), str(len(rows)), str(threads), str(unreported), str(sum(bool(one[4]) for one in rows))]


def pages():
    """By file name, the text of each page."""
    by_client = collections.defaultdict(list)
    with CAUSES.open(encoding="utf-8", newline="") as file:
        for one in csv.DictReader(file, delimiter="\t"):
            if one["kind"] == "must" and one["cause"]:
                by_client[one["client"]].append(one)
    found, rows = {}, []
    for client in sorted(by_client):
        found[f"{client}.md"], totals = page(client, by_client[client])
        rows.append(totals)
    head = ["client", "version", "failed musts", "causes", "with a thread", "unreported", "reports ready"]
    found["README.md"] = TOP + table(head, rows, right=head[2:])
    return found


def main(words):
    if words not in ([], ["--check"]):
        sys.exit(__doc__)
    FOLDER.mkdir(exist_ok=True)
    written = {FOLDER / name: text for name, text in pages().items()}
    gone = sorted(set(FOLDER.glob("*.md")) - set(written))
    for path in [] if words else gone:
        path.unlink()
    if words and gone:
        print(f"Scripts/found.py removes these pages: {', '.join(path.name for path in gone)}")
    return keep(written, bool(words), "Scripts/found.py") or int(bool(words and gone))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
