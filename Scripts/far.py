#!/usr/bin/env python3
"""Far clients: those that clients/commands.tsv drives by their command lines.

    Scripts/far.py install [NAME ...]     installs what is missing of the packages in the table, and builds commands/with-NAME.* into .build/far/bin
    Scripts/far.py names [--crawlers]     prints the names of the clients, with commas between them; with --crawlers those that follow links
    Scripts/far.py cases [--new]          prints the cases of clients/commands-cases.tsv; with --new those that the matrix does not have
    Scripts/far.py cases --crawlers       prints the cases about links, robots.txt and sitemaps, which crawlers alone are asked
    Scripts/far.py shipped                prints the names of the matrix's clients of HTTP, which the new cases are asked too
    Scripts/far.py told RECORDS           prints the records without the cases that a client did not survive or end
    Scripts/far.py pages [--check]        writes Docs/far anew from its records and those of the matrix; with --check only says what differs
    Scripts/far.py page NAME              prints what one client did, case by case, from the same records

`install` needs root, Debian 12 and PyPI. A client that can't be built or installed is named, and left out of the exam with its reason.
Exits 0; 1 where something is missing or differs; 2 for a wrong command line.
"""
import collections
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

from ledger_text import ROOT, because, escaped, keep, table

TABLE, CASES = ROOT / "clients/commands.tsv", ROOT / "clients/commands-cases.tsv"
SOURCES = ROOT / "clients/commands"
FOLDER = ROOT / "Docs/far"
BUILD = ROOT / ".build/far"
BUILT = re.compile(r"^\S+ build: (.*)$", re.M)
PAGE_BYTES = 24_000
# Clients that follow the links of a page; they are asked nothing else, since what they keep is no content of one load.
CRAWLERS = ("httrack", "wget-r", "wget2-r")
# A client of HTTP/1.0 is not judged by sections about HTTP/1.1.
FAILED = ("fail", "known")
# What a client does not survive, or does not end, is for its authors, and stands in no page, record or ledger here.
UNTOLD = ("hang", "crash")
# Shipped clients of the matrix that are no client of HTTP by themselves, or another shape of one that is.
OTHERS = re.compile(r"^reference|websocket|sse|eventsource|^urlsession-protocols$|^nghttp$|^node-http2$|^websockets$")


def rows(path):
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))


# --- What is installed ----------------------------------------------------------------------------------------------


def run(*words, **more):
    print("$", " ".join(str(word) for word in words), flush=True)
    return subprocess.run(words, **more).returncode


def is_missing(package):
    asked = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status}", package], capture_output=True, text=True)
    return asked.stdout != "installed"


def build(source, program):
    """Builds one source by the command in its first line; a crate of Rust with the crates that Debian has."""
    command = BUILT.search(source.read_text(encoding="utf-8"))
    if not command or program.exists() and program.stat().st_mtime > source.stat().st_mtime:
        return 0
    if command[1] != "cargo":
        line = command[1].replace("IN", str(source)).replace("OUT", str(program))
        return run("sh", "-c", line)
    crate, name = BUILD / "crates" / program.name, source.stem.removeprefix("with-")
    (crate / "src").mkdir(parents=True, exist_ok=True)
    shutil.copy(source, crate / "src/main.rs")
    (crate / "Cargo.toml").write_text(f'[package]\nname = "{program.name}"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n{name} = "*"\n')
    (crate / ".cargo").mkdir(exist_ok=True)
    (crate / ".cargo/config.toml").write_text('[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "/usr/share/cargo/registry"\n')
    failed = run("cargo", "build", "--offline", "--quiet", "--jobs", "1", cwd=crate)
    if not failed:
        shutil.copy(crate / "target/debug" / program.name, program)
    return failed


def install(names):
    clients = [row for row in rows(TABLE) if not names or row[0] in names]
    unknown = sorted(set(names) - {row[0] for row in clients})
    if unknown:
        sys.exit(f"clients/commands.tsv has no row {', '.join(unknown)}")
    packages = [package.split(":", 1) for row in clients for package in row[1].split()]
    debian = sorted({name for kind, name in packages if kind == "debian" and is_missing(name)})
    if debian:
        # A package that Debian does not have any more must not keep the others away.
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        apt = ["apt-get", "install", "-qq", "-y", "--no-install-recommends"]
        if run(*apt, *debian, stdout=subprocess.DEVNULL, env=environment):
            for name in debian:
                run(*apt, name, stdout=subprocess.DEVNULL, env=environment)
    pypi = sorted({name for kind, name in packages if kind == "pypi"})
    python = BUILD / "python/bin/python3"
    if pypi:
        if not python.exists():
            run(sys.executable, "-m", "venv", str(BUILD / "python"))
        if run(str(python), "-m", "pip", "install", "-q", "--only-binary", ":all:", *pypi):
            for name in pypi:
                run(str(python), "-m", "pip", "install", "-q", name)
    (BUILD / "bin").mkdir(parents=True, exist_ok=True)
    wanted = {word for row in clients for word in row[3].split() if word.startswith("far-")}
    failed = []
    for source in sorted(SOURCES.glob("with-*")):
        program = BUILD / "bin" / source.stem.replace("with-", "far-")
        if program.name in wanted and build(source, program):
            failed.append(source.name)
    if failed:
        print(f"not built: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


# --- Records --------------------------------------------------------------------------------------------------------


def read(path):
    """Headers and records by client."""
    headers, records = {}, collections.defaultdict(dict)
    data = subprocess.run(["zstd", "-dcq", path], stdout=subprocess.PIPE, check=True).stdout
    for line in data.splitlines():
        one = json.loads(line)
        if "exam" in one:
            headers[one["client"]] = one
        else:
            records[one["client"]][one["case"]] = one
    return headers, records


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
    for headers, records in sources:
        for client, own in records.items():
            if case in own and not OTHERS.search(client):
                words = behaviour(own[case], met)
                if words:
                    groups[words].append(f"{client} {version(headers[client])}".strip())
    return sorted(groups.items(), key=lambda item: (-len(item[1]), item[0]))


def survey(key, cases, sources, told):
    """The table of one subject: a row for each case and behaviour."""
    title, sections = TITLES[key]
    lines = []
    for case, met in cases:
        groups = group(case, met, sources)
        total = sum(len(clients) for _, clients in groups)
        own = ", ".join(SECTION.findall(" ".join(one["section"] for one in told.get(case, {}).get("spec", []))))
        for index, (words, clients) in enumerate(groups):
            names = f"{len(clients)} of {total}: the others" if index == 0 and len(clients) > 12 else f"{len(clients)}: {', '.join(sorted(clients))}"
            lines.append([f"`{case}`" if index == 0 else "", own if index == 0 else "", escaped(words), names])
    return f"## {title}\n\n{sections}\n\n" + table(["case", "sections", "what clients do", "which"], lines) + "\n"


def client_page(row, header, records):
    name, packages, abilities, command = row
    parts = [f"# {name} {version(header)}\n"]
    source = packages.split()[0].replace("debian:", "Debian's package `").replace("pypi:", "PyPI's package `") + "`"
    parts.append(
        f"What {name} does, by its command line: {source}, examined on {header['date'][:10]} by `make matrix-far`. "
        "Docs/far/README.md has all clients.\n")
    parts.append(f"    proctor exam CASE --client {name}\n\nThe row of clients/commands.tsv is this line:\n\n    {command}\n")
    if abilities != "-":
        parts.append(f"It has also these abilities (Docs/clients/abilities.md): {', '.join(f'`{one}`' for one in abilities.split(','))}.\n")
    counts = collections.Counter((one["kind"], "pass" if one["outcome"] in ("pass", "fixed") else "fail" if one["outcome"] in FAILED else one["outcome"]) for one in records.values())
    numbers = [str(counts[kind, outcome]) for kind in ("must", "should") for outcome in ("pass", "fail")]
    numbers += [str(sum(count for (kind, _), count in counts.items() if kind == "observes"))]
    numbers += [str(sum(count for (_, outcome), count in counts.items() if outcome == word)) for word in ("partly", "lacks", "not-in-this-adapter")]
    parts.append(table(["must: pass", "fail", "should: pass", "fail", "observes", "partly", "lacks", "not in this adapter"], [numbers]))
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
        ledger = f"clients/{name}.yaml is its ledger." if (ROOT / f"clients/{name}.yaml").exists() else ""
        parts.append(f"{ledger}\n")
        parts.append(table(["case", "kind", "section", "what it did", "reason"], wrong))
    else:
        parts.append("It met every case that it was asked.\n")
    if seen:
        parts.append("\n## What it does where nothing is asked for\n")
        parts.append(table(["case", "what it did"], seen))
    return "\n".join(parts).replace("\n\n\n", "\n\n")


def score(row, header, records):
    by_kind = collections.Counter((one["kind"], one["outcome"] in FAILED) for one in records.values() if one["outcome"] in FAILED + ("pass", "fixed"))
    causes = len({one["cause"] for one in records.values() if one["kind"] == "must" and one["outcome"] in FAILED and "cause" in one})
    cells = [by_kind["must", False], by_kind["must", True], causes, by_kind["should", False], by_kind["should", True]]
    has_ledger = (ROOT / f"clients/{row[0]}.yaml").exists()
    return [f"[{row[0]}](../../clients/{row[0]}.yaml)" if has_ledger else row[0], version(header), row[1].split()[0].split("=")[0], *map(str, cells)]


def really(cases, sources, told):
    """The pages of tables, each within the bound of a page, by number."""
    top = "# What clients really do{}\n\nTables made from records: those of [far clients](README.md) and of [the matrix](../matrix/README.md), which is of shipped adapters. A row is one behaviour in one case, with the clients that show it and their versions; where more than twelve clients do the same, and most do, they are *the others*. Only clients that the case could judge are counted. `proctor exam CASE --client NAME` shows any cell again.\n\n"
    pages, text = [], ""
    for key in TITLES:
        part = survey(key, cases[key], sources, told)
        if text and len((text + part).encode()) > PAGE_BYTES - 800:
            pages.append(text)
            text = ""
        text += part
    pages.append(text)
    return [top.format("" if index == 0 else f", part {index + 1}") + page.rstrip() + "\n" for index, page in enumerate(pages)]


def pages():
    own, shipped = read(FOLDER / "records.jsonl.zst"), read(ROOT / "Docs/matrix/records.jsonl.zst")
    headers, records = own
    told = {case: one for _, by_client in (shipped, own) for mine in by_client.values() for case, one in mine.items() if "spec" in one}
    cases = collections.defaultdict(list)
    for key, case, met in rows(CASES):
        cases[key].append((case, met))
    clients = [row for row in rows(TABLE) if records.get(row[0])]
    written, names = {}, []
    for number, text in enumerate(really(cases, (own, shipped), told), 1):
        name = f"really-{number}.md"
        names.append((name, text.split("\n")[0][2:]))
        written[FOLDER / name] = text
    head = ["client", "version", "package", "must: pass", "fail", "causes", "should: pass", "fail"]
    scores = table(head, [score(row, headers[row[0]], records[row[0]]) for row in clients], right=head[3:])
    index = (FOLDER / "README.md").read_text(encoding="utf-8")
    links = "\n".join(f"- [{title}]({name})" for name, title in names)
    for mark, text in (("scores", scores), ("tables", links + "\n")):
        index = re.sub(rf"(<!-- {mark} -->\n).*?(<!-- end of {mark} -->)", lambda match: match[1] + text + match[2], index, flags=re.S)
    written[FOLDER / "README.md"] = index
    return written


def main(words):
    match words:
        case ["install", *names]:
            return install(names)
        case ["names"]:
            print(",".join(row[0] for row in rows(TABLE) if row[0] not in CRAWLERS))
        case ["names", "--crawlers"]:
            print(",".join(row[0] for row in rows(TABLE) if row[0] in CRAWLERS))
        case ["cases"]:
            print(" ".join(row[1] for row in rows(CASES) if row[0] != "crawlers"))
        case ["cases", "--crawlers"]:
            print(" ".join(row[1] for row in rows(CASES) if row[0] == "crawlers"))
        case ["cases", "--new"]:
            asked = {case for own in read(ROOT / "Docs/matrix/records.jsonl.zst")[1].values() for case in own}
            print(" ".join(row[1] for row in rows(CASES) if row[0] != "crawlers" and row[1] not in asked))
        case ["shipped"]:
            print(",".join(name for name in read(ROOT / "Docs/matrix/records.jsonl.zst")[0] if not OTHERS.search(name)))
        case ["told", path]:
            with open(path, encoding="utf-8") as lines:
                sys.stdout.writelines(line for line in lines if json.loads(line).get("outcome") not in UNTOLD)
        case ["page", name]:
            headers, records = read(FOLDER / "records.jsonl.zst")
            row = next((row for row in rows(TABLE) if row[0] == name and name in records), None)
            if row is None:
                sys.exit(f"Docs/far/records.jsonl.zst has no client {name}; it has {', '.join(records)}")
            print(client_page(row, headers[name], records[name]), end="")
        case ["pages"] | ["pages", "--check"]:
            written = pages()
            gone = sorted(set(FOLDER.glob("*.md")) - set(written))
            if len(words) == 2:
                if gone:
                    print(f"Scripts/far.py pages removes these pages: {', '.join(path.name for path in gone)}")
                return keep(written, True, "Scripts/far.py pages") or int(bool(gone))
            for path in gone:
                path.unlink()
            return keep(written, False, "")
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
