#!/usr/bin/env python3
"""Examines the reference client with each of its breakages, and keeps the tables of Docs/inside: breakages, mistakes,
mistakes-limits, mistakes-http2, mistakes-http3.

Scripts/breakages.tsv says as which API and over which cases each breakage is examined, and why a row names further
rules; API@PLATFORM is an API on another platform than 'reference'. --write measures every row and replaces the tables; --check measures and fails where the page says otherwise:
a breakage without a row, a proof that does not hold, a rule that the page does not name. Counts are not compared, since
they change with every new case.
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys
import tempfile

from ledger_text import ROOT, between, filled
from records import exam

# By section: the page that has its rows.
PAGES = {name: ROOT / f"Docs/inside/{page}.md" for name, page in [("rules", "breakages"), ("wire", "mistakes"), ("limits", "mistakes-limits"), ("http2", "mistakes-http2"), ("http3", "mistakes-http3")]}
# How the labels begin of what has the section of limits: trailers, sources, cancels, and what a session bounds.
LIMITS = (
    "trailers-", "failed-source-", "long-source-", "short-source-", "reads-behind-the-upload", "suspends-nothing",
    "cancel-before-the-head-", "cancel-behind-the-head-", "redirect-limit-", "cycles-", "method-kept-", "decoded-limit-",
    "decoded-ratio-", "connect-time-", "idle-time-", "uses-")
PLAN = ROOT / "Scripts/breakages.tsv"
PLATFORM = "reference"
# What the client is told beside its API, where a platform has it do otherwise.
ARGUMENTS = {"reference-guide": " --refused-download deliver"}
FAILING = {"fail", "hang", "crash"}
RULES_HEAD = "| rule | as | fails | by this rule alone | with or as another | shown by | company |"
WIRE_HEAD = "| word | as | fails | shown by | what says so |"


class Plan:
    """One line of breakages.tsv: a breakage, the APIs it is examined as, the cases, a sentence about its company, and the
    rules that always break with it."""

    def __init__(self, line):
        fields = line.rstrip("\n").split("\t")
        if not 3 <= len(fields) <= 5:
            raise SystemExit(f"{PLAN.name}: expected three to five fields: {line!r}")
        self.label = fields[0]
        self.shapes = fields[1].split()
        self.cases = fields[2].split()
        self.remark = fields[3] if len(fields) > 3 else ""
        self.consequences = set(fields[4].split()) if len(fields) > 4 else set()

    @property
    def rule(self):
        found = re.fullmatch(r"(R\d+)[a-z]?", self.label)
        return found.group(1) if found else None

    @property
    def table(self):
        """The section of the page that has its rows."""
        if self.rule:
            return "rules"
        if self.label.startswith(LIMITS):
            return "limits"
        return {"h2-": "http2", "h3-": "http3"}.get(self.label[:3], "wire")


class Row:
    """What one breakage shows as one API."""

    def __init__(self, plan, shape):
        self.plan, self.shape = plan, shape
        self.asked = self.failed = 0
        self.alone = []
        # Of the wire: failed cases that name a rule all the same.
        self.numbered = []
        self.unnumbered = 0
        self.others = collections.Counter()
        self.proof = None
        # Nothing fails, and some cases tell of it.
        self.is_observed = False
        self.signs = ""

    def take(self, verdict):
        self.asked += 1
        if verdict["outcome"] not in FAILING:
            return
        self.failed += 1
        named, failing = rules_of(verdict)
        own = self.plan.rule
        if not own:
            (self.numbered if named else self.alone).append(verdict)
        elif named - self.plan.consequences == {own} and own in failing:
            self.alone.append(verdict)
        elif not named:
            self.unnumbered += 1
        if named - {own}:
            self.others.update(named - {own})

    def choose(self, former):
        """The proof of the page where it still holds, else the case that must pass and has the fewest findings."""
        proofs = sorted(
            self.alone or self.numbered, key=lambda verdict: (verdict["kind"] != "must", len(verdict["findings"]), verdict["case"]))
        known = [verdict for verdict in proofs if verdict["case"] == former]
        self.proof = (known or proofs or [None])[0]
        if self.proof and self.is_observed:
            self.signs = "observed: " + ", ".join(signs_of(self.proof, "observation"))
        elif self.proof and not self.plan.rule:
            self.signs = ", ".join(signs_of(self.proof, "failure", tells_kinds=self.plan.table in ("http2", "http3")))

    def take_observed(self, broken, whole):
        """Where nothing fails: cases that only observe, and observe what they do not of the whole client."""
        for verdict in broken:
            signs = signs_of(verdict, "observation")
            if verdict["outcome"] == "observed" and signs != signs_of(whole[verdict["case"]], "observation"):
                self.alone.append(verdict)
                self.is_observed = True

    @property
    def text(self):
        plan = self.plan
        proof = f"`{self.proof['case']}`" if self.proof else "nothing"
        if not plan.rule:
            return f"| `{plan.label}` | {self.shape} | {self.failed} of {self.asked} | {proof} | {self.signs} |"
        others = ", ".join(
            f"{rule} ({count})" for rule, count in sorted(self.others.items(), key=lambda item: int(item[0][1:])))
        company = plan.remark if self.others else ""
        return (
            f"| {plan.label} | {self.shape} | {self.failed} of {self.asked} | {len(self.alone)} | {others} | {proof} "
            f"| {company} |")


def rules_of(verdict):
    """The rules that any finding names, and those that a failure names; not those that the case itself breaks."""
    findings = verdict["findings"]
    on_purpose = set()
    for finding in findings:
        if finding["about"] == "rule" and "(on purpose)" in finding["sentence"]:
            on_purpose.update(finding.get("rules", []))
    named = {rule for finding in findings for rule in finding.get("rules", [])} - on_purpose
    failing = {
        rule for finding in findings if finding["weight"] == "failure" for rule in finding.get("rules", [])}
    return named, failing


def signs_of(verdict, weight, tells_kinds=False):
    """What its findings are about, each once: a fact by its name, an expression by its lane, a credential by its fault.

    `tells_kinds`: departures from HTTP/2 and HTTP/3 are told by their kinds.
    """
    signs = []
    for finding in verdict["findings"]:
        about, sentence = finding["about"], finding["sentence"]
        # A guard only notes what it refuses; that the case fails, its facts say.
        if finding["weight"] != weight and about != "credential":
            continue
        if about in ("fact", "expression"):
            name = f"{about} `{sentence.split(':')[0]}`"
            kinds = re.search(r"\.violations: .*got \[(.+)\]$", sentence) if tells_kinds else None
            if kinds:
                name += f" ({', '.join(dict.fromkeys(json.loads(f'[{kinds.group(1)}]')))})"
        elif about == "credential":
            name = f"guard `{', '.join(finding.get('got', '').split())}`"
        elif about == "rule":
            name = f"rule {finding['rules'][0]}"
        elif tells_kinds and about == "violation":
            name = f"violation `{re.search(r': ([a-z0-9-]+) at byte', sentence).group(1)}`"
        else:
            name = about
        if name not in signs:
            signs.append(name)
    return sorted(signs, key=lambda name: not name.startswith("guard"))


class Exams:
    """Runs exams of the client in one of its states."""

    def __init__(self, options, folder, plans):
        self.options, self.folder, self.plans = options, pathlib.Path(folder), plans
        self.whole_by_shape = {}

    def whole(self, shape):
        """The verdicts of the client that breaks nothing, by case; over all cases that a breakage is examined by."""
        if shape not in self.whole_by_shape:
            cases = sorted({case for plan in self.plans if shape in plan.shapes for case in plan.cases})
            verdicts = self.verdicts("", shape, cases)
            self.whole_by_shape[shape] = {verdict["case"]: verdict for verdict in verdicts}
        return self.whole_by_shape[shape]

    def verdicts(self, label, place, cases):
        """In the order of the cases; of the whole client, where `label` is empty."""
        shape, _, platform = place.partition("@")
        platform = platform or PLATFORM
        path = self.folder / f"{label or 'whole'}-{shape}-{platform}.jsonl"
        adapter = f"{self.options.client} --as {shape}{ARGUMENTS.get(platform, '')}" + (f" --break {label}" if label else "")
        words = ("--platform", f"clients/platforms/{platform}.yaml")
        found, _ = exam(self.options.proctor, adapter, path, *words, cases=cases, jobs=self.options.jobs, codes=(0, 1))
        return list(found.values())

    def row(self, plan, shape, former):
        row = Row(plan, shape)
        whole = self.whole(shape)
        verdicts = self.verdicts(plan.label, shape, plan.cases)
        for verdict in verdicts:
            # What the whole client does not pass says nothing of the breakage.
            if whole[verdict["case"]]["outcome"] not in FAILING:
                row.take(verdict)
        if not row.failed and not plan.rule:
            row.take_observed(verdicts, whole)
        row.choose(former)
        return row


def cells(line):
    return [cell.strip() for cell in line.strip().strip("|").split("|")]


def rows_of_pages():
    """By breakage and API: the cells of its row."""
    rows = {}
    for name, page in PAGES.items():
        for line in between(page.read_text(), *marks(name)).splitlines():
            if line.startswith("| ") and line not in (RULES_HEAD, WIRE_HEAD) and not line.startswith("| ---"):
                row = cells(line)
                rows[row[0].strip("`"), row[1]] = row
    return rows


def marks(name):
    return f"begin {name}", f"end {name}"


def replaced(text, name, rows):
    head = RULES_HEAD if name == "rules" else WIRE_HEAD
    rule = "|" + "---|" * (head.count("|") - 1)
    return filled(text, *marks(name), "\n".join([head, rule, *rows]) + "\n")


def proof_of(row, is_rule):
    place = row[5 if is_rule else 3].strip("`") if row else ""
    return place if place != "nothing" else ""


def faults(row, page):
    """What the page says otherwise, or what is wrong with the breakage itself; a sentence each."""
    name = f"{row.plan.label} as {row.shape}"
    if not row.failed and not row.proof:
        yield f"{name} fails no case"
    elif not row.proof:
        yield f"{name} fails no case by its rule alone"
    if row.others and not row.plan.remark and row.plan.rule:
        yield f"{name} names {', '.join(sorted(row.others))} and {PLAN.name} does not say why"
    if page is None:
        return
    if not page:
        yield f"{name} has no row"
        return
    is_rule = bool(row.plan.rule)
    proof = proof_of(page, is_rule)
    if proof and (not row.proof or row.proof["case"] != proof):
        yield f"{name}: {proof} does not show it"
    if is_rule:
        told = set(re.findall(r"R\d+", page[4]))
        if set(row.others) - told:
            yield f"{name} names {', '.join(sorted(set(row.others) - told))}, which the page does not"
    elif page[4] != row.signs:
        yield f"{name} is shown by {row.signs}; the page says {page[4]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--proctor", default="proctor", help="the server's program")
    parser.add_argument("--client", default="proctor-client-reference", help="the reference client's program")
    parser.add_argument("--jobs", type=int, default=4, help="sittings side by side")
    parser.add_argument("--keep", help="a folder for the verdicts")
    parser.add_argument("--only", nargs="+", default=[], metavar="BREAK", help="measure these alone")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--write", action="store_true", help="replace the rows that were measured")
    what.add_argument("--check", action="store_true", help="fail where the page says otherwise")
    options = parser.parse_args()

    plans = [Plan(line) for line in PLAN.read_text().splitlines() if line and not line.startswith("#")]
    listed = subprocess.run([options.client, "--list-breaks"], capture_output=True, text=True, check=True)
    labels = [line.split()[0] for line in listed.stdout.splitlines()]
    if labels != [plan.label for plan in plans]:
        raise SystemExit(f"{PLAN.name} has other breakages than --list-breaks, or another order")

    page = rows_of_pages()
    complaints = []
    tables = {name: [] for name in PAGES}
    if options.keep:
        pathlib.Path(options.keep).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        chosen = [plan for plan in plans if not options.only or plan.label in options.only]
        exams = Exams(options, options.keep or scratch, chosen)
        for plan in plans:
            table = tables[plan.table]
            for shape in plan.shapes:
                former = page.get((plan.label, shape), [])
                if plan not in chosen:
                    if former:
                        table.append(re.sub(r" +\|", " |", "| " + " | ".join(former) + " |"))
                    continue
                row = exams.row(plan, shape, proof_of(former, bool(plan.rule)))
                table.append(re.sub(r" +\|", " |", row.text))
                print(table[-1], flush=True)
                complaints += faults(row, former if options.check else None)
    for complaint in complaints:
        print(complaint, file=sys.stderr)
    if options.write:
        for name, rows in tables.items():
            PAGES[name].write_text(replaced(PAGES[name].read_text(), name, rows))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main())
