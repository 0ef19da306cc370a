"""What changed from one version of a client to another one: by `proctor report diff`, and by the causes of failures since the last time."""
import collections
import os
import re
import subprocess
import sys
import tempfile

import pairs
from ledger_text import ROOT, because, table
from records import FAILED, failed, rows, text

RELEASES = ROOT / "clients/current/history.tsv"
LINE = re.compile(r"^  (better|worse) +(\S+) -> (\S+) +(\S+?)( \((?:should|observes)\))?  (.*)$")
CAUSE = re.compile(r"^  (a new cause|no cause any more): (.*), such as (\S+)$")
MOST_REASONS = 12
# Clients of one engine say the same of a case, so they count once. A client that is not listed is an engine of its own.
ENGINES = {"requests": "urllib3", "niquests": "urllib3", "httpie": "urllib3", "pycurl": "libcurl", "curl": "libcurl", "php-streams": "php",
           "reference": None, "urlsession": "libcurl", "webkit": "libsoup", "urllib": "http.client", "python-http-client": "http.client",
           "chromium-websocket": "chromium", "node-eventsource": "node-fetch", "okhttp": "okhttp",
           "deno-eventsource": "deno-fetch", "deno-websocket": "deno-fetch", "bun-websocket": "bun-fetch", "dotnet-websocket": "dotnet-httpclient"}
# Clients that PyPI alone has go by their names.
NEWEST = re.compile(r"@current$|^(deno|bun|dotnet)-")
ENOUGH_ENGINES = 3
MOST_CASES = 60


def releases():
    """By client its releases in order."""
    found = collections.defaultdict(list)
    for client, release in rows(RELEASES):
        found[client].append(release)
    return found


# --- Two versions of a client -----------------------------------------------------------------------------------------


def level(record, reasons):
    """The record as it would be without a ledger, but for the reason: which failures a ledger lists makes none of them better."""
    outcome = {"known": "fail", "fixed": "pass"}.get(record["outcome"], record["outcome"])
    reason = reasons.get(record["case"], record.get("reason", "")) if outcome in FAILED else ""
    return {**record, "outcome": outcome, "reason": reason}


def compare(program, before, after):
    """The line of the file about two clients, each given as its header and its records, of which the cases count that both were asked."""
    common = before[1].keys() & after[1].keys()
    sides = [(header, {case: one for case, one in records.items() if case in common}) for header, records in (before, after)]
    names = [header["client"] for header, _ in sides]
    with tempfile.TemporaryDirectory() as folder:
        paths = [os.path.join(folder, f"{index}.jsonl") for index in range(2)]
        for path, (header, records) in zip(paths, sides):
            reasons = because(header["client"])
            with open(path, "w", encoding="utf-8") as file:
                file.writelines(text(one) + "\n" for one in (header, *(level(one, reasons) for one in records.values())))
        command = [program, "report", "diff", *paths, "--before", names[0], "--after", names[1]]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        sys.exit(f"proctor report diff: {done.stderr}")
    lines = done.stdout.splitlines()
    cases = [match.groups() for match in map(LINE.match, lines) if match]
    causes = [match.groups() for match in map(CAUSE.match, lines) if match]
    counts = {kind: [len(failed(records, kind)) for _, records in sides] for kind in ("must", "should")}
    return {
        "client": names[1], "compared": names[0], "versions": [header.get("clientVersion", "") for header, _ in sides], **counts,
        **{word: by_reason([one for one in cases if one[0] == word]) for word in ("better", "worse")},
        "gone": [one[1:] for one in causes if one[0] == "no cause any more"], "new": [one[1:] for one in causes if one[0] == "a new cause"]}


def by_reason(cases):
    """The most frequent reasons first, each with its count and its first case; of those that are too many, their cases and their count."""
    groups = collections.defaultdict(list)
    for _, _, _, case, _, reason in cases:
        groups[reason].append(case)
    found = [[len(names), reason, names[0]] for reason, names in sorted(groups.items(), key=lambda item: (-len(item[1]), item[1][0]))]
    left = found[MOST_REASONS:]
    return found[:MOST_REASONS] + ([[sum(one[0] for one in left), len(left)]] if left else [])


def count(reasons):
    return sum(one[0] for one in reasons)


def bullets(reasons, before=""):
    return [f"- {before}{one[0]} cases of {one[1]} further reasons" if len(one) == 2 else f"- {before}{one[0]} × {shown(one[1])}: `{one[2]}`" for one in reasons]


def shown(words):
    return words.replace("|", "\\|").replace("<", "&lt;")


def current(compared):
    """The table of clients as Debian has them and as PyPI has them."""
    head = ["client", "Debian's", "PyPI's", "must: failed", "now", "should: failed", "now", "better", "worse", "causes gone", "causes new"]
    lines = [
        [one["compared"], *one["versions"], *(f"{number:,}" for kind in ("must", "should") for number in one[kind]),
         *(str(count(one[word])) for word in ("better", "worse")), *(str(len(one[word])) for word in ("gone", "new"))] for one in compared.values()]
    return table(head, lines, right=head[3:])


def current_part(one):
    """What changed from Debian's version to PyPI's."""
    parts = [f"### {one['compared']} {one['versions'][0]} and {one['versions'][1]}", ""]
    for title, word in (("Mended:", "better"), ("Worse:", "worse")):
        parts += [title, "", *bullets(one[word]), ""] if one[word] else []
    for title, word in (("No cause any more:", "gone"), ("New causes:", "new")):
        parts += [title, "", *(f"- {cause.replace('<', '&lt;')}, such as `{case}`" for cause, case in one[word]), ""] if one[word] else []
    return "\n".join(parts if one["better"] + one["worse"] else [*parts, "Nothing has changed.", ""])


def release_rows(client, sitting):
    """Of each release that was asked: what reports say of it since the one before, the failed musts and shoulds, and what is better and worse than in that one."""
    before = []
    for release in releases()[client]:
        name, own = f"{client}@{release}", [pair for pair in pairs.pairs() if pair.client == client]
        words = "; ".join(sorted({pair.words for pair in own if before < pairs.number(pair.passes) <= pairs.number(release)}) if before else [])
        before = pairs.number(release)
        if name in sitting.headers:
            yield release, words, [len(failed(sitting.records[name], kind)) for kind in ("must", "should")], sitting.compared.get(name)


def history(sitting):
    """The table of releases."""
    lines = [
        [client if index == 0 else "", release, *(f"{number:,}" for number in counts), *(str(count(one[word])) if one else "–" for word in ("better", "worse"))]
        for client in releases() for index, (release, _, counts, one) in enumerate(release_rows(client, sitting))]
    head = ["client", "release", "must: failed", "should: failed", "better", "worse"]
    return table(head, lines, right=head[2:])


def history_part(client, sitting):
    """What each release of a client mended and broke."""
    parts = [f"## {client}", ""]
    for release, words, _, one in release_rows(client, sitting):
        if one and (one["better"] or one["worse"] or words):
            parts += [f"**{release}**" + (f" (it mended: {words})" if words else ""), "", *bullets(one["better"], "mended: "), *bullets(one["worse"], "broke: ")]
            parts += [""] if one["better"] + one["worse"] else ["- no case shows it", ""]
    return "\n".join(parts)


# --- What is new since the last time ----------------------------------------------------------------------------------


def causes_of(client, header, records):
    """The line of the file about a client's failures: of each kind and cause the number of cases, and the first one."""
    found = {}
    for one in records.values():
        if one["outcome"] in FAILED and one["kind"] != "observes":
            key = one["kind"], one.get("cause") or one["outcome"]
            found.setdefault(key, [*key, 0, one["case"]])[2] += 1
    return {"client": client, "version": header.get("clientVersion", ""), "date": header["date"][:10], "causes": sorted(found.values())}


def changes(before, after):
    """Lines on one client: causes that came, went, or have another number of cases."""
    old, new = ({(kind, cause): (number, case) for kind, cause, number, case in one["causes"]} for one in (before, after))
    lines = []
    for title, keys, source in (("New:", new.keys() - old.keys(), new), ("Gone:", old.keys() - new.keys(), old)):
        lines += [f"- {title} {shown(cause)} ({source[kind, cause][0]} × {kind}), such as `{source[kind, cause][1]}`" for kind, cause in sorted(keys)]
    return lines + [
        f"- {shown(cause)} ({kind}): {old[kind, cause][0]} cases before, {new[kind, cause][0]} now, such as `{new[kind, cause][1]}`"
        for kind, cause in sorted(old.keys() & new.keys()) if old[kind, cause][0] != new[kind, cause][0]]


def engine(client):
    name = client.split("@")[0]
    return ENGINES.get(name, name)


def for_review(*records):
    """Musts that several engines fail: each with these engines and a reason."""
    found = collections.defaultdict(dict)
    for client, own in (item for one in records for item in one.items()):
        for one in failed(own, "must") if engine(client) else ():
            found[one["case"]].setdefault(engine(client), one.get("reason") or one["outcome"])
    return {case: engines for case, engines in sorted(found.items()) if len(engines) >= ENOUGH_ENGINES}


def musts(one):
    return sum(number for kind, _, number, _ in one["causes"] if kind == "must")


def news(examined, before, review):
    """What is new by client, each with its line of causes and that of the last time, and the musts that are to be doubted."""
    lines, parts = [], []
    for client, after in examined.items():
        was = before.get(client)
        lines.append([
            client, was["version"] if was else "–", after["version"], was["date"] if was else "–", after["date"],
            f"{musts(was):,}" if was else "–", f"{musts(after):,}"])
        found = (changes(was, after) or ["Nothing is new."]) if was else ["Examined for the first time."]
        parts += [f"### {client} {after['version']}", "", *found, ""]
    head = ["client", "before", "now", "examined before", "examined now", "failed musts before", "failed musts now"]
    told = [f"- `{case}`: {', '.join(sorted(engines))}; {shown(next(iter(engines.values())))}" for case, engines in list(review.items())[:MOST_CASES]]
    told += [f"- and {len(review) - MOST_CASES} more"] if len(review) > MOST_CASES else []
    return "\n".join(
        [table(head, lines, right=head[5:]), *parts, "## For review", "",
         f"Musts that {ENOUGH_ENGINES} engines or more fail, {len(review)} in all. Where so many disagree with a case, the case is doubted first.", "",
         *(told or ["There is none."])]) + "\n"
