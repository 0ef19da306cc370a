#!/usr/bin/env python3
"""Keeps the tables on the pages of clients: what the matrix, the ledger and the reports say of each.

    Scripts/client-pages.py              writes Docs/clients/NAME.md anew, between its marks
    Scripts/client-pages.py --check      exits with 1 where a page says otherwise

Behind `<!-- client: NAME -->` of a page stands what is known of the client with that name in the matrix, up to `<!-- end -->`.
"""
import collections
import re
import sys

from ledger_text import ROOT, entries, escaped, keep, ledger, table, thread, unquoted

PAGES = ROOT / "Docs/clients"
OF_ONE_FAMILY = "its family"
MATRICES = [("HTTP/1.1", ROOT / "Docs/matrix/README.md"), ("HTTP/2", ROOT / "Docs/matrix/http2/README.md"),
            ("HTTP/3", ROOT / "Docs/matrix/http3/README.md"), (OF_ONE_FAMILY, ROOT / "Docs/matrix/around/README.md")]
REPORTS = ROOT / "Docs/matrix/reports/README.md"
# By client: the beginnings of the names of its reports, where they are others than its own.
REPORT_NAMES = {
    "python-http-client": ["http-client-"], "urllib": ["urllib-", "http-cookiejar-"], "go-net-http": ["go-"], "java-httpclient": ["java-"],
    "urllib3": ["urllib3-"], "perl-lwp": ["lwp-"], "php-streams": ["php-"], "qt-network": ["qt-"],
    "deno-fetch": ["deno-connect-", "deno-redirect-", "deno-unix-"], "bun-fetch": ["bun-two-"]}
LEDGERS = {"urlsession": "urlsession-corelibs"}
MOST_REASONS = 80
HEAD = ["version", "must: pass", "fail", "should: pass", "fail", "observes", "partly", "lacks", "not in this adapter"]


def totals(client):
    rows = []
    for protocol, page in MATRICES:
        part = page.read_text(encoding="utf-8").split("<!-- totals -->")[1].split("<!-- end of totals -->")[0]
        for line in part.splitlines():
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if cells[0] == client:
                rows.append([protocol, *cells[1 : len(HEAD) + 1]])
    return rows


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


def text(client):
    lines = []
    name = LEDGERS.get(client, client)
    told = ledger(name)
    version = unquoted(re.search(r"^version: (.*)$", told, re.M)[1])
    rows = totals(client)
    if rows:
        page = "around/README.md" if rows[0][0] == OF_ONE_FAMILY else "README.md"
        lines += ["## In the matrix", "", table(["over", *HEAD], rows, right=HEAD[1:])]
        lines += [f"[The matrix](../matrix/{page}) lists the causes, and explains the columns.", ""]
    found = reasons(told)
    count = sum(len(cases) for _, cases in found)
    lines += ["## Known failures", ""]
    lines += [f"[clients/{name}.yaml](../../clients/{name}.yaml) lists {count:,} cases that version {version} does not pass, each with its reason."]
    left = len(found) - MOST_REASONS
    lines += [f"The {MOST_REASONS} most frequent of {len(found)} reasons:" if left > 0 else "The most frequent reasons come first:", ""]
    rows = [
        [escaped(section), escaped(because), str(len(cases)), f"`{cases[0]}`"] for (section, because), cases in found[:MOST_REASONS]]
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


def main():
    pages = {}
    for path in sorted(PAGES.glob("*.md")):
        page = path.read_text(encoding="utf-8")
        match = re.search(r"<!-- client: (\S+) -->\n(.*?)<!-- end -->\n", page, re.S)
        if not match:
            continue
        pages[path] = f"{page[: match.start(2)]}\n{text(match[1])}\n{page[match.end(2):]}"
    return keep(pages, "--check" in sys.argv[1:], "Scripts/client-pages.py")


if __name__ == "__main__":
    sys.exit(main())
