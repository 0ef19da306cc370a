#!/usr/bin/env python3
"""Results of exams: one file of records, Docs/matrix/records.jsonl.zst, and the pages that sum it up.

    Scripts/results.py put SITTING RECORDS [...] [--over] [--proctor PROGRAM]
                                              puts records of `proctor exam --json` in place of the sitting's, and writes the pages anew; what was not
                                              asked again stays with --over, and of a client that was absent in any case
    Scripts/results.py pages [--check]        writes the pages anew; with --check only says which say otherwise, and exits with 1
    Scripts/results.py records SITTING [CLIENT ...]    prints records, for `proctor report show -`, `html FOLDER -` and others
    Scripts/results.py split FOLDER           writes the records of each sitting of which there are some into FOLDER/SITTING.jsonl
    Scripts/results.py causes SITTING [CLIENT ...]     prints by client the causes of its failed musts, each with its smallest case; of CLIENT all of them
    Scripts/results.py changes current|history [CLIENT ...]    prints what PyPI's versions do otherwise than Debian's, or what each release mended and broke
    Scripts/results.py tables [SUBJECT ...]   prints what clients do, side by side, in the cases of clients/commands-cases.tsv
    Scripts/results.py client NAME            prints what its page in Docs/clients says, with all reasons of its ledger; of a client of clients/commands.tsv
                                              what it did otherwise, case by case

Sittings are http1, http2, http3, around (one family each), far (clients by their command lines), history (releases) and current (the newest versions, of
which causes alone are kept). `put` of current and history compares versions by `proctor report diff`. The pages are Docs/matrix/README.md, causes.md,
news.md and, of the pairs of clients/current/pairs.tsv, releases.md, and those of clients and of cookies in Docs/clients. It needs the program zstd. Exits 0; 1 where something is missing or differs; 2 for a wrong command line.
"""
import argparse
import pathlib
import re
import shutil
import sys

import client_pages
import records
import surveys
import versions
from clients import TABLE
from ledger_text import ROOT, because, entries, escaped, filled, keep, ledger, table, thread, unquoted

FOLDER = ROOT / "Docs/matrix"
MOST_CAUSES = 2
# Where a client's own ledger says nothing of a cause.
MADE_OF = {"pycurl": "curl", "requests": "urllib3", "niquests": "requests"}


def put(name, paths, is_over, program):
    sittings, new = records.shipped(), records.read(*paths)
    if not any(new.records.values()):
        sys.exit(f"{' '.join(paths)}: there is no record")
    for client in [client for client in new.headers if client not in new.records]:
        header = new.headers.pop(client)
        print(f"not examined: {client}: {header.get('absence')}", file=sys.stderr)
        # What it did the last time stays.
        if client in sittings[name].records:
            new.headers[client], new.records[client] = sittings[name].headers[client], sittings[name].records[client]
    if name == "current":
        return put_current(sittings, new, program)
    if is_over:
        for one in (line for client in new.headers for line in (new.headers[client], *new.of(client))):
            sittings[name].add(one)
        new = sittings[name]
    sittings[name] = records.kept(name, new)
    if name == "history":
        compare_releases(sittings[name], program)
    records.write(sittings)
    return keep(pages(sittings), False, "")


def compare_releases(sitting, program):
    for client, listed in versions.releases().items():
        asked = [f"{client}@{release}" for release in listed if f"{client}@{release}" in sitting.headers]
        for name in asked:
            number = sitting.headers[name].get("clientVersion", "")
            if not number.split(" ")[-1].startswith(name.split("@")[1]):
                sys.exit(f"{name}: the records are of {number}; examine it again")
        for before, after in zip(asked, asked[1:]):
            sides = [(sitting.headers[one], sitting.records[one]) for one in (before, after)]
            sitting.compared[after] = versions.compare(program, *sides)


def put_current(sittings, new, program):
    """Of the newest versions the causes of failures are kept, and what they do otherwise than Debian's; news.md says what is new since the last time."""
    http1, kept = sittings["http1"], sittings["current"]
    examined = {
        name: versions.causes_of(name, header, new.records[name])
        for name, header in new.headers.items() if versions.NEWEST.search(name)}
    if not examined:
        sys.exit("the records have no exam of a NAME@current")
    for name in examined:
        base = name.removesuffix("@current")
        if base != name and base in http1.headers:
            sides = (http1.headers[base], http1.records[base]), (new.headers[name], new.records[name])
            kept.compared[name] = versions.compare(program, *sides)
    news = versions.news(examined, kept.causes, versions.for_review(new.records, http1.records))
    kept.causes = dict(sorted((kept.causes | examined).items()))
    records.write(sittings)
    (FOLDER / "news.md").write_text(page_with("news.md", {"news": news}), encoding="utf-8")
    return keep(pages(sittings), False, "")


# --- Pages ------------------------------------------------------------------------------------------------------------


def page_with(name, tables):
    """A page, by its name from Docs/matrix, with each table between its two comments."""
    page = (FOLDER / name).read_text(encoding="utf-8")
    for mark, rows in tables.items():
        page = filled(page, mark, f"end of {mark}", rows)
    return page


def pages(sittings):
    links = client_pages.names()
    tables = {name: totals(name, sittings[name], links) for name in ("http1", "http2", "http3", "around", "far")}
    news = {"current": versions.current(sittings["current"].compared), "history": versions.history(sittings["history"])}
    causes = causes_now(sittings["current"].causes)
    parts = {"README.md": tables, "news.md": news, "causes.md": causes, "releases.md": {"pairs": versions.pairs.tables()}, "../clients/cookies.md": {"counts": counts(sittings["http1"])}}
    return {FOLDER / name: page_with(name, own) for name, own in parts.items()} | client_pages.pages(sittings)


def counts(sitting):
    """The table of Docs/clients/cookies.md: what four clients do in two families."""
    head, rows = records.TOTALS[:client_pages.SHOWN], []
    for client in ("curl", "requests", "aiohttp", "urlsession"):
        own = {case: one for case, one in sitting.records[client].items() if case.startswith(("cookie/", "url/"))}
        rows.append([client, records.version(sitting.headers[client]), *records.totals(own)[:len(head)]])
    return table(["client", "version", *head], rows, right=head)


def totals(name, sitting, links):
    """A row for each client that was asked, with a link to its page from its first row of all, which `links` has no more then.

    Clients of far are those of clients/commands.tsv, since others were asked some cases beside them.
    """
    own, failing = ([row[0] for row in records.rows(TABLE)], surveys.FAILED) if name == "far" else (sitting.headers, records.FAILED)
    lines = [
        [f"[{client}](../clients/{links.pop(client)})" if client in links else client, records.version(sitting.headers[client]),
         *records.totals(sitting.records[client], failing)] for client in own if client in sitting.records]
    # A column in which every client has 0 is left out.
    shown = [index for index in range(2 + len(records.TOTALS)) if index < 6 or any(line[index] != "0" for line in lines)]
    rows = [[line[index] for index in shown] for line in (["client", "version", *records.TOTALS], *lines)]
    return table(rows[0], rows[1:], right=records.TOTALS)


# --- Causes -----------------------------------------------------------------------------------------------------------


def causes(sitting, names):
    """A row for each client: its failed musts, their causes, and the most frequent ones, each with its smallest case; of clients that are named all."""
    rows = []
    for client in names or sitting.headers:
        groups = records.by_cause(sitting.records.get(client, {}))
        told = []
        for key, group in groups if names else groups[:MOST_CAUSES]:
            issue = next((one["upstream"]["issue"] for one in group if one.get("upstream", {}).get("issue")), None)
            words = "`" + key.replace("|", "\\|").replace("\n", " ") + "`"
            told.append(f"{len(group)} {f'[{words}]({issue})' if issue else words}, such as `{records.smallest(group)['case']}`")
        unreported = sum(records.is_unreported(group) for _, group in groups)
        if groups:
            rows.append([client, f"{sum(len(group) for _, group in groups):,}", f"{len(groups):,}", "; ".join(told), str(unreported)])
    head = ["client", "failed musts", "causes", "all cases" if names else "most cases", "reported nowhere"]
    return table(head, rows, right=(head[1], head[2], head[4]))


def about(cause, client):
    """What the client's project knows of a cause, by its ledger, or by that of the engine that it is made of; empty where nothing was looked for."""
    while client:
        told = dict(entries(ledger(client), "upstream"))
        if body := told.get(cause) or told.get(cause.split(" · ")[0]):
            return body
        base = client.removesuffix("@current")
        client = base if base != client else MADE_OF.get(client)
    return {}


CAUSE = ["cases", "what it does", "such as", "the project", "report"]


def causes_of(one):
    """The rows of a client of `current`: the reason of a cause is that of its smallest case in the client's ledger."""
    client, rows = one["client"], []
    reasons = because(client) or because(client.removesuffix("@current"))
    for _, cause, number, case in sorted((own for own in one["causes"] if own[0] == "must" and own[1]), key=lambda own: -own[2]):
        body = about(cause, client)
        report = re.search(r"Docs/matrix/reports/([\w.-]+\.md)", unquoted(body.get("says", "")))
        state = body.get("state", "")
        if "issue" in body:
            state = f"{thread(body['issue'])}, {state}" + ("; what is left has no thread" if state == "fixed" else "")
        rows.append([
            str(number), escaped(reasons.get(case, cause)), f"`{case}`", state,
            f"[{report[1].removesuffix('.md')}](reports/{report[1]})" if report else ""])
    return rows


def causes_now(clients):
    """The tables of causes.md: counts by client, and the causes that a project knows or can be told of."""
    counts, known = [], []
    for client, one in clients.items():
        rows = causes_of(one)
        known += [[client, *row] for row in rows if "](" in row[3] or row[4]]
        threads, unreported = sum("](" in row[3] for row in rows), sum(row[3] == "unreported" for row in rows)
        numbers = [versions.musts(one), len(rows), threads, unreported, sum(bool(row[4]) for row in rows)]
        name = f"[{client}](../../clients/{client}.yaml)" if ledger(client) else client
        if rows:
            counts.append([name, one["version"], one["date"], *map(str, numbers)])
    head = ["client", "version", "examined", "failed musts", "causes", "with a thread", "unreported", "reports ready"]
    return {"causes": table(head, counts, right=head[3:]), "known": table(["client", *CAUSE], known, right=["cases"])}


# --- What is printed --------------------------------------------------------------------------------------------------


def listed(names, known, what):
    """The names, or all where there are none."""
    if unknown := [name for name in names if name not in known]:
        sys.exit(f"{what} has no {', '.join(unknown)}; it has {', '.join(known)}")
    return names or known


def show(verb, name, names):
    sittings = records.shipped(*{"tables": ("far", "http1"), "client": ("far", *client_pages.OVER)}.get(verb, (name,)))
    sitting = sittings.get(name, sittings.get("far"))
    match verb, name:
        case "tables", _:
            subjects = listed([name, *names] if name else [], list(surveys.TITLES), "clients/commands-cases.tsv")
            return "\n".join(surveys.survey(one, sittings.values()) for one in subjects)
        case "client", _:
            far = [row[0] for row in records.rows(TABLE) if row[0] in sitting.records]
            chosen = listed([name, *names], [*client_pages.names(), *far], "the matrix")
            return "\n".join(surveys.client_page(one, sitting) if one in far else client_pages.text(one, sittings, sys.maxsize) for one in chosen)
        case "changes", "current":
            return "\n".join(versions.current_part(sitting.compared[one]) for one in listed(names, sitting.compared, "the sitting current"))
        case "changes", _:
            return "\n".join(versions.history_part(one, sitting) for one in listed(names, list(versions.releases()), "clients/current/history.tsv"))
        case "causes", "current":
            own = [sitting.causes[one] for one in listed(names, sitting.causes, "the sitting current")]
            return "\n".join(f"{one['client']} {one['version']}, examined on {one['date']}\n\n" + table(CAUSE, causes_of(one), right=["cases"]) for one in own)
        case "causes", _:
            listed(names, sitting.headers, f"the sitting {name}")
            return causes(sitting, names)
        case _:
            sitting.headers = {one: sitting.headers[one] for one in listed(names, sitting.headers, f"the sitting {name}")}
            return "\n".join(sitting.lines()) + "\n"


def split(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name, sitting in records.shipped(*records.SITTINGS[:-1]).items():
        (folder / f"{name}.jsonl").write_text("\n".join(sitting.lines()) + "\n", encoding="utf-8")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    verb = verbs.add_parser("put")
    verb.add_argument("sitting", choices=records.SITTINGS)
    verb.add_argument("records", nargs="+")
    verb.add_argument("--over", action="store_true")
    verb.add_argument("--proctor", default="proctor")
    verbs.add_parser("pages").add_argument("--check", action="store_true")
    for name, sittings in (("records", records.SITTINGS[:-1]), ("causes", records.SITTINGS), ("changes", records.SITTINGS[-2:])):
        verb = verbs.add_parser(name)
        verb.add_argument("sitting", choices=sittings)
        verb.add_argument("clients", nargs="*")
    verbs.add_parser("split").add_argument("folder", type=pathlib.Path)
    verbs.add_parser("tables").add_argument("clients", nargs="*", metavar="subject")
    verbs.add_parser("client").add_argument("clients", nargs="+")
    options = parser.parse_args()
    if not shutil.which("zstd"):
        sys.exit("results.py needs the program zstd: apt-get install zstd, or brew install zstd")
    match options.verb:
        case "put":
            return put(options.sitting, options.records, options.over, options.proctor)
        case "pages":
            return keep(pages(records.shipped()), options.check, "Scripts/results.py pages")
        case "split":
            split(options.folder)
        case verb:
            words = [options.sitting, *options.clients] if "sitting" in options else [*options.clients, None][:1] + options.clients[1:]
            sys.stdout.write(show(verb, words[0], words[1:]))
    return 0


if __name__ == "__main__":
    sys.exit(main())
