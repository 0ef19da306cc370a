"""The tables on the pages of clients, Docs/clients: what the matrix, the ledger and the reports say of each.

Behind `<!-- client: NAME -->` of a page stands what is known of the client with that name, up to `<!-- end -->`.
"""
import collections
import re

from ledger_text import ROOT, entries, escaped, ledger, table, thread, unquoted
from records import TOTALS, totals, version

PAGES = ROOT / "Docs/clients"
OVER = {"http1": "HTTP/1.1", "http2": "HTTP/2", "http3": "HTTP/3", "around": "its family"}
MARK = re.compile(r"<!-- client: (\S+) -->\n(.*?)<!-- end -->\n", re.S)
REPORTS = ROOT / "Docs/matrix/reports/README.md"
# By client: the beginnings of the names of its reports, where they are others than its own.
REPORT_NAMES = {
    "python-http-client": ["http-client-"], "urllib": ["urllib-", "http-cookiejar-"], "go-net-http": ["go-"], "java-httpclient": ["java-"],
    "urllib3": ["urllib3-"], "perl-lwp": ["lwp-"], "php-streams": ["php-"], "qt-network": ["qt-"],
    "deno-fetch": ["deno-connect-", "deno-redirect-", "deno-unix-"], "bun-fetch": ["bun-two-"]}
LEDGERS = {"urlsession": "urlsession-corelibs"}
MOST_REASONS = 12
# Up to "not in this adapter".
SHOWN = 8


def reasons(text):
    """By reason: its section or rules, how many cases, and the first of them."""
    cases = collections.OrderedDict()
    for case, body in entries(text, "deviations"):
        section = body.get("rule") or body.get("rules", "").strip("[]") or "the case"
        cases.setdefault((unquoted(section), unquoted(body["because"])), []).extend([case, *body["also"]])
    return sorted(cases.items(), key=lambda item: -len(item[1]))


def upstream(text):
    """Causes that the client's project knows, and how many it does not."""
    known, unknown = [], 0
    for cause, body in entries(text, "upstream"):
        says = unquoted(body["says"])
        says = re.sub(r";? ?repeated in Docs/matrix/reports/[^;]*\.md\.?", "", says)
        link = body.get("issue", "")
        if link or not says.startswith("No report of it was found"):
            known.append([f"`{cause.replace('|', chr(92) + '|')}`", thread(link) if link else "", body["state"], escaped(says)])
        else:
            unknown += 1
    return known, unknown


def reports(client):
    prefixes = REPORT_NAMES.get(client, [f"{client}-"])
    found = re.findall(r"^\| \[([^\]]+)\]\(([^)]+)\) \| ([^|]*) \|.*\| ([^|]*) \|$", REPORTS.read_text(encoding="utf-8"), re.M)
    return [
        f"- [{title}](../matrix/reports/{file}): {upstream.strip()}" for title, file, _, upstream in found
        if any(file.startswith(prefix) for prefix in prefixes)
        # The names of some clients begin alike.
        and not (client == "node-http" and file.startswith("node-http2-")) and not (client == "urllib3" and "future" in file)]


def text(client, sittings, most=MOST_REASONS):
    """What is known of a client: its marks, the most frequent reasons of its ledger, what its project knows, and its reports."""
    lines = []
    name = LEDGERS.get(client, client)
    told = ledger(name)
    number = unquoted(re.search(r"^version: (.*)$", told, re.M)[1])
    asked = [one for one in OVER if client in sittings[one].records]
    if asked:
        head = ["version", *TOTALS[:SHOWN]]
        rows = [[OVER[one], version(sittings[one].headers[client]), *totals(sittings[one].records[client])[:SHOWN]] for one in asked]
        lines += ["## In the matrix", "", table(["over", *head], rows, right=head)]
        lines += [f"[The matrix](../matrix/README.md) explains the columns, and `Scripts/results.py causes {asked[0]} {client}` prints the causes.", ""]
    found = reasons(told)
    count = sum(len(cases) for _, cases in found)
    lines += ["## Known failures", ""]
    lines += [f"[clients/{name}.yaml](../../clients/{name}.yaml) lists {count:,} cases that version {number} does not pass, each with its reason."]
    all_of_them = f"The {most} most frequent of {len(found)} reasons (`Scripts/results.py client {client}` prints all):"
    lines += [all_of_them if len(found) > most else "The most frequent reasons come first:", ""]
    rows = [
        [escaped(section), escaped(because), str(len(cases)), f"`{cases[0]}`"] for (section, because), cases in found[:most]]
    lines += [table(["section or rule", "what the client does", "cases", "for example"], rows, right=["cases"])]
    known, unknown = upstream(told)
    own = reports(client)
    lines += ["## What its project knows", ""]
    if known:
        lines += [table(["cause", "thread", "state", "summary"], known)]
    if unknown:
        further = "further " if known else ""
        lines += [f"No report was found for {unknown} {further}{'cause' if unknown == 1 else 'causes'}.", ""]
    elif not known and not own:
        lines += ["None of these causes has been looked up in the reports of its project.", ""]
    if own:
        lines += ["Reports of faults that a maintainer can repeat without Proctor:", "", *own, ""]
    return "\n".join(lines)


def marked():
    """The pages that have the mark of a client, each with its text and where the mark stands."""
    found = ((path, page, MARK.search(page)) for path in sorted(PAGES.glob("*.md")) for page in [path.read_text(encoding="utf-8")])
    return [one for one in found if one[2]]


def names():
    """By client, the name of its page."""
    return {match[1]: path.name for path, _, match in marked()}


def pages(sittings):
    """By path, the pages as they are to be."""
    return {path: f"{page[: match.start(2)]}\n{text(match[1], sittings)}\n{page[match.end(2):]}" for path, page, match in marked()}
