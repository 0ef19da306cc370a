#!/usr/bin/env python3
"""Holds the sentences of failures against one another, and looks for kinds of hard sentences in README, Docs, help and ledgers.

    Scripts/check-sentences.py [FILE ...]    records of exams (proctor exam --json FILE), or those of Docs/matrix;
                                             prints `client case: sentence` for each contradiction, and exits with 1
                                             where there is one

Of each failure: the first sentence is that of one of its failed findings, cites a section of that finding, and no nearest exchange;
what it says of a request is what the timeline shows; what it wants is what the case's own expression wants; and no other finding wants
another request in the same place. A compact record has no sentences in plain words and no timeline, so that of it only the expression
is compared. Files whose name ends in .zst are read with zstd.

Without FILE, the pages, the texts of help, the program's tables and the ledgers are read too: Scripts/sentence-kinds.tsv has the kinds, a
pattern and what to write instead. Code, and reports that were written for other projects, are not looked at. Prints `page:line: words; write …` for each, and exits with 1.
"""
import pathlib
import re
import sys

import records

ORDINALS = "first second third fourth fifth sixth seventh eighth ninth tenth".split()
REQUEST = r"(?:GET|HEAD|POST|PUT|DELETE|PATCH|OPTIONS|TRACE|CONNECT) \S+?"
CAME = re.compile(rf"(?:the (?P<word>{'|'.join(ORDINALS)}) request|request (?P<number>\d+))(?: was|,) (?P<request>{REQUEST})[,;] ")
WANTED = re.compile(rf"; wanted (?P<request>{REQUEST})(?:, by | or |; |$)")
EXPRESSION = re.compile(r"^wire: (?P<got>got .*, )?(?:wanted|the trace ended, missing) (?P<wanted>.*)$")
# Sentences about a run as a whole, for which no finding has a sentence of its own.
OF_RUN = ("the client made no connection", "no request came to ")


def place(match):
    """The number of the request from 0; None where the sentence names none."""
    if not match:
        return None
    return ORDINALS.index(match["word"]) if match["word"] else int(match["number"]) - 1


def words(finding):
    return finding.get("plain", finding["sentence"])


def faults(record):
    """What contradicts something else in one record, a sentence each."""
    reason, findings = record["reason"], record.get("findings", [])
    if re.search(r"\bnearest\b", re.sub(r'"[^"]*"', "", reason)):
        yield "the first sentence speaks of a nearest exchange"
    if "timeline" in record and not reason.startswith(OF_RUN):
        yield from faults_of_source(reason, findings)
    came, wanted = CAME.match(reason), WANTED.search(reason)
    number = place(came)
    if came:
        shown = [row["text"] for row in record.get("timeline", []) if row.get("request") == number and row.get("lane") == "wire"]
        if shown and not any(text.startswith(came["request"][:200]) for text in shown):
            yield f"the timeline has no {came['request']} in its place"
    if wanted:
        yield from faults_of_wanted(findings, number, wanted["request"])


def faults_of_source(reason, findings):
    """Where the first sentence is no finding's, or cites another section than its own."""
    told = [finding for finding in findings if reason.startswith(words(finding))]
    if not told:
        yield "no finding has the first sentence"
        return
    finding = max(told, key=lambda one: len(words(one)))
    cited = reason[len(words(finding)):]
    if cited and cited not in [f", by {reference['section']}" for reference in finding.get("spec", [])]:
        yield f"the first sentence ends in {cited!r}, which is no section of its finding"


def faults_of_wanted(findings, number, wanted):
    """Where the case, or another finding about the same request, wants another request."""
    for finding in findings:
        if finding["weight"] != "failure":
            continue
        expression = EXPRESSION.match(finding["sentence"]) if finding["about"] == "expression" else None
        if expression and (not expression["got"] or finding.get("request") == number):
            of_case = re.findall(r"request\(((?:[^()]|\([^()]*\))*)\)", expression["wanted"])
            if of_case and not any(wanted.rstrip("…") in one for one in of_case):
                yield f"the first sentence wants {wanted}, and the case {' or '.join(of_case[:3])}"
        other = WANTED.search(words(finding))
        if other and number is not None and finding.get("request") == number and other["request"] != wanted:
            yield f"the first sentence wants {wanted}, and another finding {other['request']}"


ROOT = pathlib.Path(__file__).resolve().parent.parent


def hard_sentences():
    """The places in README and Docs with a kind of sentence that has to be read twice, a line each."""
    kinds = []
    for line in (ROOT / "Scripts/sentence-kinds.tsv").read_text().splitlines():
        if line and not line.startswith("#"):
            pattern, remedy = line.split("\t")
            kinds.append((re.compile(pattern), remedy))
    pages = [ROOT / "README.md"] + [page for page in sorted((ROOT / "Docs").rglob("*.md")) if page.parent.name != "reports"]
    pages += sorted((ROOT / "Sources/Ground/CFiles").glob("[HT]*/*.t*")) + sorted((ROOT / "clients").rglob("*.yaml"))
    for page in pages:
        is_code = False
        for number, line in enumerate(page.read_text().splitlines(), 1):
            if line.lstrip().startswith("```"):
                is_code = not is_code
            if page.suffix == ".md" and (is_code or line.startswith("    ")):
                continue
            for kind, remedy in kinds:
                if match := kind.search(re.sub(r"`[^`]*`", "``", line)):
                    yield f"{page.relative_to(ROOT)}:{number}: '{match[0]}'; write {remedy}"


def main():
    count = found = 0
    hard = [] if sys.argv[1:] else list(hard_sentences())
    for sentence in hard:
        print(sentence)
    sittings = [records.read(*sys.argv[1:])] if sys.argv[1:] else records.shipped("http1", "http2").values()
    for record in (one for sitting in sittings for own in sitting.records.values() for one in own.values()):
        # Of failures that no ledger knows.
        if record["outcome"] in ("fail", "hang", "crash"):
            count += 1
            for sentence in faults(record):
                found += 1
                print(f"{record['client']} {record['case']}: {sentence}\n    {record['reason'][:300]}")
    print(f"{count} failure{'' if count == 1 else 's'}, {found} contradiction{'' if found == 1 else 's'}")
    sys.exit(1 if found or hard else 0)


main()
