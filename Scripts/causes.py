#!/usr/bin/env python3
"""What the newest versions of clients still do otherwise: Docs/matrix/causes.md, a summary of all of them.

    Scripts/causes.py              writes the page anew
    Scripts/causes.py --check      exits with 1 where the page says otherwise
    Scripts/causes.py NAME         prints every cause of one client, with its smallest case

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
PAGE = ROOT / "Docs/matrix/causes.md"
# Where a client's own ledger says nothing of a cause.
ENGINES = {"pycurl": "curl", "requests": "urllib3", "niquests": "requests"}
TOP = """# What we found in current versions

The newest versions that PyPI has, and what they still do otherwise: how many causes failed musts have, and those causes for which a thread of the client's project is known, or a report stands ready.
`make matrix-current` examines them ([what is new](news.md)), and `Scripts/causes.py` writes this page from [the causes](../../clients/current/causes.tsv) and the clients' ledgers.
`Scripts/causes.py NAME` prints all causes of one client. It says `unreported` where no report of a cause was found. To repeat a cause, ask the case that stands beside it: `proctor exam CASE --client NAME`.

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
        f"[{report[1].removesuffix('.md')}](reports/{report[1]})" if report else ""]


def causes():
    """By client, its causes of failed musts, the most frequent first."""
    by_client = collections.defaultdict(list)
    with CAUSES.open(encoding="utf-8", newline="") as file:
        for one in csv.DictReader(file, delimiter="\t"):
            if one["kind"] == "must" and one["cause"]:
                by_client[one["client"]].append(one)
    return {client: sorted(by_client[client], key=lambda one: -int(one["cases"])) for client in sorted(by_client)}


def table_of(client, own):
    """The rows of a client: of each cause the cases, the reason, the smallest case, what the project knows, the report."""
    reasons = because(client) or because(client.removesuffix("@current"))
    return [row(one, client, reasons) for one in own]


HEAD = ["cases", "what it does", "such as", "the project", "report"]


def page(by_client):
    totals, known_upstream = [], []
    for client, own in by_client.items():
        rows = table_of(client, own)
        threads, unreported = sum("](" in one[3] for one in rows), sum(one[3] == "unreported" for one in rows)
        name = f"[{client}](../../clients/{client}.yaml)" if ledger(client) else client
        cases = str(sum(int(one["cases"]) for one in own))
        totals.append([name, own[0]["version"], own[0]["date"], cases, str(len(rows)), str(threads), str(unreported), str(sum(bool(one[4]) for one in rows))])
        known_upstream += [[client, *one] for one in rows if "](" in one[3] or one[4]]
    head = ["client", "version", "examined", "failed musts", "causes", "with a thread", "unreported", "reports ready"]
    text = TOP + table(head, totals, right=head[3:])
    return text + "\n## Known upstream, or ready to be reported\n\n" + table(["client", *HEAD], known_upstream, right=["cases"])


def main(words):
    by_client = causes()
    match words:
        case [] | ["--check"]:
            return keep({PAGE: page(by_client)}, bool(words), "Scripts/causes.py")
        case [client] if client in by_client:
            print(f"{client} {by_client[client][0]['version']}, examined on {by_client[client][0]['date']}\n")
            print(table(HEAD, table_of(client, by_client[client]), right=["cases"]), end="")
            return 0
        case [client] if not client.startswith("-"):
            sys.exit(f"{CAUSES.relative_to(ROOT)} has no client {client}; it has {', '.join(by_client)}")
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
