#!/usr/bin/env python3
"""matrix.py RECORDS [RECORDS ...] [--to DIR]

Makes the committed matrix of Docs/matrix from records of 'proctor exam --json'. Of two records about one case of one client
the later one counts. DIR/records.jsonl.zst is written anew, and in DIR/README.md the causes of failed musts and the table of totals,
each between its two comments.

What is common to a case (summary, sections, place in the fixture, curl line) stands in the first client's record alone, and
of a case that did not fail little more than its outcome stays. Times, process numbers and timelines are left out, so that
equal marks give equal bytes. 'proctor report' reads what comes out: zstd -dc DIR/records.jsonl.zst | proctor report html site -

To ask some cases again: proctor exam CASE ... --json again.jsonl, then matrix.py DIR/records.jsonl.zst again.jsonl.

Exits 0; 1 where a file can't be read or holds a path of this machine; 2 for a wrong command line.
"""
import argparse
import collections
import json
import pathlib
import re
import shutil
import subprocess
import sys

BEGIN, END = "<!-- totals -->", "<!-- end of totals -->"
CAUSES_BEGIN, CAUSES_END = "<!-- causes -->", "<!-- end of causes -->"
MOST_CAUSES = 2
KINDS = ["must", "should", "observes"]
FAILED = ["fail", "known", "hang", "crash", "not-judged"]
PASSED = ["pass", "observed", "fixed"]
OF_THE_CASE = ["summary", "spec", "file", "line", "curl", "curlShortfall"]
OF_A_MARK = ["client", "case", "scenario", "name", "kind", "outcome"]
OF_A_FAILURE = OF_A_MARK + ["ability", "reason", "cause", "causeSpec", "upstream", "size", "rules", "findings", "clientError",
                                "ledger"]
OF_A_FINDING = ["about", "weight", "sentence", "known", "cause", "wanted", "got", "rules", "spec", "location", "request"]
# A target of a request, as that of GET /home/page, is none.
ABSOLUTE = re.compile(r'(?<![\w./:])(?<![A-Z] )/(?:home|root|tmp|work|Users|private)/[\w.-]+')


def read(paths):
    """Headers by client, and records by client and case, in the order in which they first came."""
    headers, records = {}, {}
    for path in paths:
        data = pathlib.Path(path).read_bytes()
        if path.endswith(".zst"):
            data = subprocess.run(["zstd", "-dcq"], input=data, stdout=subprocess.PIPE, check=True).stdout
        for number, line in enumerate(data.split(b"\n"), 1):
            if not line.strip():
                continue
            try:
                one = json.loads(line)
            except ValueError as error:
                sys.exit(f"{path}:{number}: this is no record: {error}")
            if "exam" in one:
                kept = headers.setdefault(one["client"], one)
                kept.update({key: value for key, value in one.items() if key not in ("date", "cases", "shard")})
            else:
                records.setdefault(one["client"], {})[one["case"]] = one
    return headers, records


def only(record, keys):
    return {key: record[key] for key in keys if record.get(key) not in (None, [], "")}


def finding(one):
    short = only(one, OF_A_FINDING)
    if "spec" in short:
        short["spec"] = [{"section": reference["section"]} for reference in short["spec"]]
    return short


def packed(record, is_first):
    """What is kept of a record; the findings of a failure stay, and the reason of an outcome that says nothing."""
    outcome = record["outcome"]
    if outcome in FAILED or outcome == "setup-failed" or outcome == "adapter-error":
        short = only(record, OF_A_FAILURE)
        if "causeSpec" in short:
            short["causeSpec"] = [{"section": reference["section"]} for reference in short["causeSpec"]]
        ending = record.get("ending", {})
        if ending.get("how", "finished") != "finished":
            short["ending"] = only(ending, ["how", "code", "signal", "reason"])
        short["findings"] = [finding(one) for one in record.get("findings", []) if one["weight"] == "failure"]
    else:
        short = only(record, OF_A_MARK + ["ability"])
        if outcome in ("partly", "not-in-this-adapter"):
            short |= only(record, ["reason"])
        if outcome == "observed" and record.get("findings"):
            short["findings"] = [finding(one) for one in record["findings"][:3]]
    if is_first:
        short |= only(record, OF_THE_CASE)
        if "spec" in short:
            short["spec"] = [{"section": reference["section"]} for reference in short["spec"]]
    return short


def write(headers, records, folder):
    told, lines = set(), []
    for client, header in headers.items():
        own = records.get(client, {})
        header = {**header, "cases": len(own)}
        lines.append(json.dumps(header, ensure_ascii=False, separators=(",", ":")))
        for case in sorted(own, key=lambda case: (own[case]["scenario"], own[case]["name"])):
            record = own[case]
            is_first = case not in told and "summary" in record
            if is_first:
                told.add(case)
            lines.append(json.dumps(packed(record, is_first), ensure_ascii=False, separators=(",", ":")))
    # An authority that went with the exam has no place any more.
    text = re.sub(r'[^\s"\']*/proctor-ca-\w+', "{{ca-folder}}", "\n".join(lines) + "\n")
    local = ABSOLUTE.search(text)
    if local:
        print(f"a path of this machine is in the records: {text[max(0, local.start() - 200):local.end() + 40]}", file=sys.stderr)
        return 1
    data = subprocess.run(["zstd", "-19", "-cq"], input=text.encode(), stdout=subprocess.PIPE, check=True).stdout
    (folder / "records.jsonl.zst").write_bytes(data)
    print(f"{len(headers)} clients, {sum(map(len, records.values()))} records: {len(text.encode()):,} bytes, packed {len(data):,}")
    return 0


def table(headers, records):
    rows = ["| client | version | must: pass | fail | should: pass | fail | observes | partly | lacks | not in this adapter | "
            "adapter errors | skipped |", "|---|---|" + "--:|" * 10]
    for client, header in headers.items():
        if "absence" in header:
            continue
        by_kind = {kind: collections.Counter() for kind in KINDS}
        for record in records[client].values():
            by_kind[record["kind"]][record["outcome"]] += 1
        every = sum(by_kind.values(), collections.Counter())

        def count(kind, words):
            return sum(by_kind[kind][word] for word in words)

        cells = [client, version(header)]
        for kind in ("must", "should"):
            cells += [count(kind, PASSED), count(kind, FAILED)]
        cells += [sum(by_kind["observes"][word] for word in PASSED + FAILED), every["partly"], every["lacks"]]
        cells += [every["not-in-this-adapter"], every["adapter-error"] + every["setup-failed"], every["skipped"]]
        rows.append("| " + " | ".join(f"{cell:,}" if isinstance(cell, int) else cell for cell in cells) + " |")
    return "\n".join(rows)


def causes(headers, records):
    """A row for each client: its failed musts, their causes, and the most frequent ones, each with its smallest case."""
    rows = ["| client | failed musts | causes | most cases | reported nowhere |", "|---|--:|--:|---|--:|"]
    for client in headers:
        failed = [record for record in records.get(client, {}).values()
                  if record["kind"] == "must" and record["outcome"] in FAILED and "cause" in record]
        if not failed:
            continue
        groups = collections.defaultdict(list)
        for record in failed:
            groups[record["cause"]].append(record)
        first = sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))[:MOST_CAUSES]
        told = []
        for key, group in first:
            smallest = min(group, key=lambda record: (record.get("size", sys.maxsize), record["case"]))
            issue = next((record["upstream"]["issue"] for record in group if record.get("upstream", {}).get("issue")), None)
            text = "`" + key.replace("|", "\\|").replace("\n", " ") + "`"
            told.append(f"{len(group)} {f'[{text}]({issue})' if issue else text}, such as `{smallest['case']}`")
        nowhere = sum(any(record.get("upstream", {}).get("state") == "unreported" for record in group)
                      for group in groups.values())
        rows.append(f"| {client} | {len(failed):,} | {len(groups):,} | {'; '.join(told)} | {nowhere} |")
    return "\n".join(rows)


def filled(page, begin, end, text):
    """The page with the text between the two comments; None where it lacks one."""
    before, _, rest = page.partition(begin)
    _, found, after = rest.partition(end)
    return f"{before}{begin}\n{text}\n{end}{after}" if found else None


def version(header):
    name, number = header.get("clientName", ""), header.get("clientVersion", "")
    return number if number.startswith(name) or name == header["client"] else f"{name} {number}".strip()


def main():
    parser = argparse.ArgumentParser(usage=__doc__.splitlines()[0])
    parser.add_argument("records", nargs="+")
    parser.add_argument("--to", type=pathlib.Path, default=pathlib.Path("Docs/matrix"))
    arguments = parser.parse_args()
    if not shutil.which("zstd"):
        sys.exit("matrix.py needs the program zstd: apt-get install zstd, or brew install zstd")
    headers, records = read(arguments.records)
    if write(headers, records, arguments.to):
        return 1
    page = arguments.to / "README.md"
    if not page.exists():
        return 0
    text = filled(page.read_text(encoding="utf-8"), BEGIN, END, table(headers, records))
    if text is None:
        print(f"{page} lacks {BEGIN} or {END}", file=sys.stderr)
        return 1
    if CAUSES_BEGIN not in text:
        text = text.replace("## Totals", f"## Causes\n\n{CAUSES_BEGIN}\n{CAUSES_END}\n\n## Totals", 1)
    page.write_text(filled(text, CAUSES_BEGIN, CAUSES_END, causes(headers, records)), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
