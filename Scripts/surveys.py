"""What clients did, case by case: tables of many clients about one subject, and pages of one client, from records of exams (records.py)."""
import collections
import re

from clients import CASES, OTHERS, TABLE
from ledger_text import because, escaped, ledger, table
from records import TOTALS, rows, totals

# Status and fields of a reply can't be seen through a command: what is not judged for that is no failure.
FAILED = ("fail", "known")


def version(header):
    number = re.sub(r"[+~](dfsg|ds|git|cs|really|nmu|\d{4}).*", "", header.get("clientVersion", ""))
    return number.removeprefix(header.get("clientName", "")).strip() or number


ENDS = [
    ("complete(ok)", "a success"), ("complete(timedOut)", "the client's time limit"), ("complete(tooManyRedirects)", "the error of too many redirects"),
    ("complete(", "an error")]


def of_finding(finding):
    """What the client did, by one finding of a record: half a sentence, and how much it says."""
    about, got, wanted = finding["about"], finding.get("got", ""), finding.get("wanted", "")
    text = re.sub(r"127\.\d+\.\d+\.\d+(:-?\d+)?|localhost:\d+", "HOST", finding["sentence"])
    if match := re.match(r"request (\d+): ([\w-]+) at byte", text):
        return 3, f"request {int(match[1]) + 1} departs from the grammar: {match[2]}"
    if match := re.match(r"request (\d+), (\w+ [^,\s]+),", text):
        return 3, f"request {int(match[1]) + 1} is {match[2]}"
    if match := re.match(r"(R\d+) ([^:]*):", text):
        return 2, f"{match[2]} ({match[1]})"
    if match := re.match(r"wire\[(\d+)\]\.(headers\.)?([\w.-]+)", text):
        value = re.sub(r"127\.\d+\.\d+\.\d+(:\d+)?|localhost:\d+", "HOST", got)
        value = "there is none" if value.startswith("nothing") else value[:160]
        return (1 if value == "there is none" else 2), f"request {int(match[1]) + 1}, {match[3]}: {value}"
    if finding.get("location", "").startswith("fixtures/page/"):
        # Which page a crawler asks for says more than how many.
        if match := re.match(r"wire: got request\((\w+ [^)\s]+)\)", text):
            return 2, f"{match[1]} is asked for"
        if match := re.match(r"wire: the trace ended, missing .*request\((\w+ [^)|\s]+)\)$", text):
            return 2, f"{match[1]} is not asked for"
    if about == "result" or "complete(" in wanted:
        status = re.search(r"response\((\d+)\)", got)
        end = next((words for mark, words in ENDS if mark in got), "no end")
        return 2, f"the end is {end}{f' of {status[1]}' if status and end == 'a success' else ''}"
    if about == "expression":
        requests = re.findall(r"request\((\w+)", got)
        return 1, f"{len(requests)} request{'' if len(requests) == 1 else 's'} came"
    if "body" in text[:40]:
        return 0, "other content"
    return 1, text.split(": ")[0][:80] + (f" {got[:60]}" if about == "fact" else "")


def behaviour(record, met):
    """What a client did in a case, half a sentence; None where it was not judged."""
    outcome = record["outcome"]
    findings = record.get("findings", [])
    if record["scenario"].startswith("page/"):
        # A crawler's output has all its pages, and not the last reply alone.
        findings = [one for one in findings if not one["sentence"].startswith("harness: result: body")]
    if outcome in ("pass", "fixed") or outcome == "observed" and not findings:
        return met
    if outcome not in ("fail", "known", "observed"):
        return None
    most, words = max(told := [of_finding(one) for one in findings], default=(0, record.get("cause")))
    # What a ledger knows may be a crash.
    if str(words).startswith("crashed"):
        return None
    return "; ".join(list(dict.fromkeys(words for weight, words in told if weight == most))[:2]) or record.get("cause")


# --- Pages ----------------------------------------------------------------------------------------------------------

TITLES = {
    "redirected-posts": ("A POST that is redirected", "RFC 9110 §15.4.2 and §15.4.3 permit GET in place of POST behind a 301 and a 302; §15.4.4 asks for GET behind a 303; behind a 307 a client MUST NOT change the method (§15.4.8), and a 308 is like it (§15.4.9)."),
    "borders": ("What goes along to another origin", "RFC 9110 §15.4 has a client that follows a redirect consider to remove fields that it did not make by itself, as Authorization and Cookie; a Cookie is for the origin that set it (RFC 6265 §5.4)."),
    "redirect-limits": ("How many redirects, and how they end", "RFC 9110 §15.4 says that a client SHOULD find and end loops, and names no number; Fetch says twenty."),
    "locations": ("Locations", "RFC 9110 §10.2.2 has Location as a reference, which is resolved against the URL of the request (RFC 3986 §5); of two it says nothing."),
    "cut-off": ("Content that is cut off", "RFC 9112 §8: a message is incomplete whose length or last chunk did not come, and a client MUST NOT take it for complete."),
    "chunks": ("Chunks that are wrong, or odd", "RFC 9112 §7.1: a chunk begins with its size in hexadecimal digits; §7.1.1: a recipient MUST ignore chunk extensions that it does not know."),
    "lengths": ("Lengths", "RFC 9112 §6.3: a Content-Length that is not valid is an unrecoverable error, and a client MUST close the connection and discard the reply; chunked counts in place of a length beside it."),
    "interim": ("Interim replies", "RFC 9110 §15.2: a client MUST be able to parse one or more 1xx before the final reply, also where it does not expect one; a user agent MAY ignore them."),
    "codings": ("Content codings", "RFC 9110 §8.4 and §12.5.3: a client that offers a coding gets it, and has to undo it."),
    "heads": ("Heads that are wrong, or odd", "RFC 9112 §4, §5 and §2.2: the status line, field lines, and LF alone as the end of a line."),
    "first-request": ("The first request", "RFC 9112 §3.2: Host MUST be sent; RFC 9110 §5.3: the order of fields with other names means nothing, though Host first is good practice (§7.2)."),
    "again": ("Requests that are sent again", "RFC 9110 §9.2.2: a client SHOULD NOT repeat a request by itself whose method is not idempotent, unless it knows that the first was not applied."),
    "statuses": ("Statuses and methods", "RFC 9112 §6.3: replies to HEAD, 204 and 304 have no content; RFC 9110 §15: an unknown status is treated as x00 of its class."),
    "cookies": ("Cookies", "RFC 6265 §5.3 and §5.4; RFC 6265bis §5.7 has a Secure cookie that came without TLS ignored."),
    "queries": ("QUERY", "RFC 10008 §2: a QUERY is safe, idempotent and has content; §2.5: behind a 301, 302, 307 and 308 it stays a QUERY, and behind a 303 it becomes a GET."),
    "downloads": ("Large files", "RFC 9110 §14.2 and §13.1.5: a client may ask for parts, and say of which file by If-Range; RFC 9530: a digest may be checked; RFC 6249: mirrors may be asked."),
    "new": ("What is new", "RFC 9110 §5.1, §10.2.2, §10.2.3 and §15.2; RFC 8878 §3; RFC 1952 §2.3.1; RFC 7932 §9.1."),
    "crawlers": ("Crawlers", "RFC 9309 §2.2.2 has the longest rule of robots.txt count, and §2.2.3 has `*` and `$` as special characters; §2.3.1.2 to §2.3.1.4: redirects of it are followed, behind a 4xx everything may be accessed, and behind a 5xx nothing."),
    "keys": ("Fields that a caller gives", "RFC 9218 §5, RFC 9530 §2, and a draft for Idempotency-Key: who repeats a request knows what the fields are about; RFC 9110 §15.4 has fields about the content go where the content goes."),
    "urls": ("URLs", "RFC 9110 §4.2.4 and §7.1; RFC 3986 §2.1."),
}
SECTION = re.compile(r"RFC \d+(?:bis)? §[\d.]+")


def group(case, met, sources):
    """By behaviour, the clients with their versions, the most frequent behaviour first."""
    groups = collections.defaultdict(list)
    for sitting in sources:
        for client, own in sitting.records.items():
            if case in own and not OTHERS.search(client):
                words = behaviour(own[case], met)
                if words:
                    groups[words].append(f"{client} {version(sitting.headers[client])}".strip())
    return sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))


def survey(key, sources):
    """The table of one subject: a row for each case and behaviour. Only clients that the case could judge are counted."""
    title, sections = TITLES[key]
    lines = []
    for case, met in (row[1:] for row in rows(CASES) if row[0] == key):
        groups = group(case, met, sources)
        total = sum(len(clients) for _, clients in groups)
        told = next((own[case] for sitting in sources for own in sitting.records.values() if "spec" in own.get(case, {})), {})
        sections_of_case = ", ".join(SECTION.findall(" ".join(one["section"] for one in told.get("spec", []))))
        for index, (words, clients) in enumerate(groups):
            names = f"{len(clients)} of {total}: the others" if index == 0 and len(clients) > 12 else f"{len(clients)}: {', '.join(sorted(clients))}"
            lines.append([f"`{case}`" if index == 0 else "", sections_of_case if index == 0 else "", escaped(words), names])
    return f"## {title}\n\n{sections}\n\n" + table(["case", "sections", "what clients do", "which"], lines)


def client_page(name, sitting):
    """What one client of clients/commands.tsv did otherwise, case by case."""
    header, records = sitting.headers[name], sitting.records[name]
    packages, abilities, command = next(row[1:] for row in rows(TABLE) if row[0] == name)
    parts = [f"# {name} {version(header)}\n"]
    source = packages.split()[0].replace("debian:", "Debian's package `").replace("pypi:", "PyPI's package `") + "`"
    parts.append(
        f"What {name} does, by its command line: {source}, examined on {header['date'][:10]} by `make matrix-far`. "
        "Docs/matrix/README.md has all clients.\n")
    parts.append(f"    proctor exam CASE --client {name}\n\nThe row of clients/commands.tsv is this line:\n\n    {command}\n")
    if abilities != "-":
        parts.append(f"It has also these abilities (Docs/clients/abilities.md): {', '.join(f'`{one}`' for one in abilities.split(','))}.\n")
    parts.append(table(TOTALS, [totals(records, FAILED)]))
    wrong, seen = [], []
    for case, one in sorted(records.items()):
        words = behaviour(one, None)
        if one["outcome"] in FAILED:
            spec = ", ".join(reference["section"] for finding in one.get("findings", [])[:1] for reference in finding.get("spec", [])[:1])
            wrong.append([f"`{case}`", one["kind"], spec, escaped(words or ""), escaped(because(name).get(case, ""))])
        elif one["outcome"] == "observed" and words:
            seen.append([f"`{case}`", escaped(words)])
    parts.append("\n## What it does otherwise\n")
    if wrong:
        parts.append(f"clients/{name}.yaml is its ledger.\n" if ledger(name) else "")
        parts.append(table(["case", "kind", "section", "what it did", "reason"], wrong))
    else:
        parts.append("It met every case that it was asked.\n")
    if seen:
        parts.append("\n## What it does where nothing is asked for\n")
        parts.append(table(["case", "what it did"], seen))
    return "\n".join(parts).replace("\n\n\n", "\n\n")
