#!/usr/bin/env python3
"""Pairs of releases: a public report of a client's fault, a release that has the fault, one that does not have it, and the case that tells the two apart.

    Scripts/pairs.py PROGRAM [CLIENT ...] [--folder DIR] [--jobs N]

asks the releases of clients/current/pairs.tsv its cases, each in an environment of its own below DIR (.build/history/releases), which PyPI fills once, and
prints each pair whose outcomes are not as its state says: `told` where the first release must fail the case and the second one must pass it. Clients
of clients/current/packages.tsv have adapters, those of clients/commands.tsv have command lines. `Scripts/results.py pages` writes the table into
Docs/matrix/releases.md. Exits 0; 1 where a state is wrong or a release could not be asked; 2 for a wrong command line.
"""
import argparse
import collections
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import typing

from ledger_text import ROOT, table
from records import PASSED, read, rows

TABLE, PACKAGES, COMMANDS = (ROOT / "clients" / name for name in ("current/pairs.tsv", "current/packages.tsv", "commands.tsv"))
# A release that fails does something wrong, hangs or ends its process; one that cannot be judged tells nothing.
FAILS = ("fail", "known", "hang", "crash")
TOLD = "told"


class Pair(typing.NamedTuple):
    """A row: the client, the release that has the fault and the one that has not, the case, the report, the fault in our words, and the state.

    Behind a release of a client of commands.tsv can stand what else pip installs, where the newest packages are too new for it.
    """

    client: str
    fails: str
    passes: str
    case: str
    report: str
    words: str
    state: str

    @property
    def is_mended(self):
        return number(self.fails) < number(self.passes)


def number(release):
    return [int(part) for part in re.findall(r"\d+", release.split()[0])]


def pairs():
    """The rows of the table; exits for one that is malformed."""
    found = []
    for row in rows(TABLE):
        if len(row) != len(Pair._fields) or not all(row):
            sys.exit(f"{TABLE.name}: expected {', '.join(Pair._fields)} with tabs between them: {row}")
        found.append(Pair(*row))
        if found[-1].state != TOLD and not found[-1].state.startswith("not told: "):
            sys.exit(f"{TABLE.name}: expected the state '{TOLD}' or 'not told: REASON': {row}")
    return found


def environment(client, release, folder):
    """The environment of variables with the release of a client of commands.tsv first in PATH; None where pip does not install it."""
    release, *more = release.split()
    name = "-".join([client, release, *(re.sub(r"\W+", "-", word) for word in more)])
    place, new = folder / name, folder / f"{name}.new"
    if not place.exists():
        package = next(row[1] for row in rows(COMMANDS) if row[0] == client).split()[0].removeprefix("pypi:").split("==")[0]
        made = [sys.executable, "-m", "venv", "--clear", "--without-pip", new], [sys.executable, "-m", "pip", "--python", new / "bin/python3", "install", "-q", "--only-binary", ":all:", f"{package}=={release}", *more]
        if any(subprocess.run(step, check=False).returncode for step in made):
            return None
        new.rename(place)
    return {**os.environ, "PATH": f"{place}/bin:{os.environ['PATH']}"}


def ask(program, client, releases, cases, folder, jobs):
    """By release and case the outcome; of a release that could not be asked its absence, under None."""
    words = ["--fixtures", "fixtures", "--ephemeral-ca", "--jobs", str(jobs), "--fail-on", "never"]
    if any(row[0] == client for row in rows(PACKAGES)):
        exams = [(None, ["--versions", "--versions-dir", folder], [f"{client}@{release}" for release in releases])]
    else:
        exams = [(release, [], [client]) for release in releases]
    found = {release: {None: "pip could not install it"} for release in releases}
    for release, more, names in exams:
        variables = environment(client, release, folder) if release else os.environ
        if not variables:
            continue
        with tempfile.TemporaryDirectory() as place:
            file = pathlib.Path(place, "records.jsonl")
            done = subprocess.run([program, "exam", *cases, "--client", ",".join(names), *more, *words, "--json", file],
                                  cwd=ROOT, env=variables, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
            if not file.exists():
                sys.exit(f"no exam of {', '.join(names)} was held ({done.returncode}):\n{done.stderr}")
            sitting = read(file)
        for name, header in sitting.headers.items():
            found[release or name.split("@")[1]] = {
                **{case: one["outcome"] for case, one in sitting.records[name].items()}, **({None: header["absence"]} if "absence" in header else {})}
    return found


def check(program, clients, folder, jobs):
    folder.mkdir(parents=True, exist_ok=True)
    groups, wrong, counts = collections.defaultdict(list), 0, collections.Counter()
    for pair in pairs():
        if not clients or pair.client in clients:
            groups[pair.client, pair.fails, pair.passes].append(pair)
    if unknown := set(clients) - {client for client, _, _ in groups}:
        sys.exit(f"{TABLE.name} has no pair of {', '.join(sorted(unknown))}")
    for (client, *releases), own in groups.items():
        cases = sorted({pair.case for pair in own if pair.case != "–"})
        outcomes = ask(program, client, releases, cases, folder, jobs) if cases else {}
        for pair in own:
            counts[TOLD if pair.state == TOLD else "not told"] += 1
            if pair.case == "–":
                continue
            seen = [outcomes[release].get(pair.case) or outcomes[release].get(None, "not asked") for release in releases]
            is_told = seen[0] in FAILS and seen[1] in PASSED
            if is_told != (pair.state == TOLD):
                wrong += 1
                print(f"{client} {pair.fails} and {pair.passes}: {'' if is_told else 'not '}told apart by {pair.case}: {' and '.join(seen)}", flush=True)
    print(f"{sum(counts.values())} pairs: {counts[TOLD]} are told apart, {counts['not told']} are not; {wrong} states are wrong")
    return 1 if wrong else 0


# --- The page ---------------------------------------------------------------------------------------------------------


def name_of(report):
    """Its short name: #NUMBER, GHSA-…, CVE-…, or that of a change log, and its address."""
    if thread := re.fullmatch(r"([\w.-]+/[\w.-]+)#(\d+)", report):
        return f"#{thread[2]}", f"https://github.com/{thread[1]}/issues/{thread[2]}"
    for begin, address in (("GHSA-", "https://github.com/advisories/"), ("CVE-", "https://nvd.nist.gov/vuln/detail/")):
        if report.startswith(begin):
            return report, address + report
    return "change log", report


def shown(pair, linked):
    """The row of a pair; a report that the client's rows have linked before, which `linked` has, is named alone."""
    releases = sorted([pair.passes, pair.fails], key=number, reverse=True)
    name, address = name_of(pair.report)
    words = name if address in linked else f"[{name}]({address})"
    linked.add(address)
    return [*(release.split()[0] for release in releases), pair.words, f"`{pair.case}`" if pair.state == TOLD else pair.state, words]


def tables():
    """By client what became better, and worse, each with the case that shows it."""
    found, parts = pairs(), []
    for client in sorted({pair.client for pair in found}):
        parts += [f"## {client}", ""]
        linked = set()
        for title, is_mended in (("better", True), ("worse", False)):
            own = sorted((pair for pair in found if (pair.client, pair.is_mended) == (client, is_mended)), key=lambda pair: max(number(pair.passes), number(pair.fails)))
            if own:
                parts.append(table([f"{title} in", "asked beside", "what", "case", "report"], [shown(pair, linked) for pair in own]))
    return "\n".join(parts)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("clients", nargs="*")
    parser.add_argument("--folder", type=pathlib.Path, default=ROOT / ".build/history/releases")
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    return check(options.program, options.clients, options.folder.resolve(), options.jobs)


if __name__ == "__main__":
    sys.exit(main())
