"""Records of exams: the lines of `proctor exam --json` (Docs/use/records.md), and the file of all results, which stands in the repository.

A line of the file begins with its sitting, which is one exam of many clients. Behind it stands a header or a record as in Docs/use/records.md; or, of
`current` and `history`, one of two lines that are no record: what changed from one version of a client to another one (`compared`), and by what causes a
client failed the last time (`causes`). Headers come first, and then records by case: what many clients did in one case is alike, and packs best where it
stands together, since the window of zstd is 8 MB.
"""
import collections
import csv
import json
import pathlib
import re
import subprocess
import sys

from ledger_text import ROOT

FILE = ROOT / "Docs/matrix/records.jsonl.zst"
SITTINGS = ("http1", "http2", "http3", "around", "far", "history", "current")
KINDS = ("must", "should", "observes")
FAILED = ("fail", "known", "hang", "crash", "not-judged")
PASSED = ("pass", "observed", "fixed")
# What a client does not survive, or does not end, is for its authors: no page, record or ledger of these sittings has it.
UNTOLD, WITHOUT_UNTOLD = ("hang", "crash"), ("http3", "far")
OF_THE_CASE = ("summary", "spec", "file", "line", "curl", "curlShortfall")
OF_A_MARK = ("client", "case", "scenario", "name", "kind", "outcome")
OF_A_FAILURE = OF_A_MARK + ("ability", "reason", "cause", "causeSpec", "upstream", "size", "rules", "findings", "clientError", "ledger")
OF_A_FINDING = ("about", "weight", "sentence", "known", "cause", "wanted", "got", "rules", "spec", "location", "request")
# A target of a request, as that of GET /home/page, is none.
LOCAL = re.compile(r'(?<![\w./:])(?<![A-Z] )/(?:home|root|tmp|work|Users|private)/[\w.-]+')
# What is another one each time: an authority that went with the exam, the folder of releases, and what was measured.
PASSING = ((re.compile(r'[^\s"\']*/proctor-ca-\w+'), "{{ca-folder}}"), (re.compile(r"(?<=proctor_release.sh )[^\s\"]+"), "RELEASES"))
MEASURED = re.compile(r"[0-9.]+(?= s after the adapter)|(?<=in bytes was )[0-9]+")


class Sitting:
    """What clients did in one exam: by client its header, and by case its record; and what is kept of versions, by client."""

    def __init__(self):
        self.headers, self.records, self.compared, self.causes = {}, collections.defaultdict(dict), {}, {}

    def add(self, one):
        """Of two records about one case of one client the later one counts; of headers the first one says when the exam began."""
        client = one["client"]
        if "exam" in one:
            self.headers.setdefault(client, one).update({key: value for key, value in one.items() if key not in ("date", "cases", "shard")})
        elif "compared" in one:
            self.compared[client] = one
        elif "causes" in one:
            self.causes[client] = one
        else:
            self.records[client][one["case"]] = one

    def lines(self, name=None):
        """The header of each client and then its records; with the sitting's `name` before each, where it has one."""
        before = {"sitting": name} if name else {}
        for client, header in self.headers.items():
            yield text(before | header)
            yield from (text(before | one) for one in self.of(client))

    def of(self, client):
        return sorted(self.records.get(client, {}).values(), key=place)


def text(one):
    return json.dumps(one, ensure_ascii=False, separators=(",", ":"))


def place(record):
    return record["scenario"], record["name"]


def unpacked(path):
    data = pathlib.Path(path).read_bytes()
    return subprocess.run(["zstd", "-dcq"], input=data, stdout=subprocess.PIPE, check=True).stdout if str(path).endswith(".zst") else data


def read(*paths):
    """The records of files, packed by zstd where their names end in .zst."""
    found = Sitting()
    for path in paths:
        for number, line in enumerate(unpacked(path).split(b"\n"), 1):
            if line.strip():
                try:
                    found.add(json.loads(line))
                except ValueError as error:
                    sys.exit(f"{path}:{number}: this is no record: {error}")
    return found


def shipped(*names):
    """By name, the sittings of the file; those alone that are named."""
    found = {name: Sitting() for name in names or SITTINGS}
    wanted = tuple(f'{{"sitting":"{name}",'.encode() for name in found)
    for line in unpacked(FILE).splitlines():
        if line.startswith(wanted):
            one = json.loads(line)
            found[one.pop("sitting")].add(one)
    return found


def write(sittings):
    """Writes the file anew, with all sittings."""
    heads, records = [], []
    for order, name in enumerate(SITTINGS):
        one, before = sittings[name], {"sitting": name}
        heads += [text(before | line) for lines in (one.headers, one.compared, one.causes) for line in lines.values()]
        for index, client in enumerate(one.headers):
            records += [(place(record), order, index, text(before | record)) for record in one.of(client)]
    data = "\n".join(heads + [record[3] for record in sorted(records)]).encode() + b"\n"
    FILE.write_bytes(packed := subprocess.run(["zstd", "-19", "-cq"], input=data, stdout=subprocess.PIPE, check=True).stdout)
    print(f"{len(heads):,} lines of clients, {len(records):,} records: {len(data):,} bytes, packed {len(packed):,}")


def exam(proctor, adapter, file, *words, cases=(), jobs=1, codes=(0,)):
    """By case, the records of an exam by one adapter, with what it said beside them; `file` keeps its lines."""
    file = file.resolve()
    file.unlink(missing_ok=True)
    command = [proctor, "exam", *cases, "--fixtures", "fixtures", "--adapter", adapter, *words, "--ephemeral-ca", "--jobs", str(jobs), "--json", file]
    done = subprocess.run(command, cwd=ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, timeout=3600)
    if done.returncode not in codes or not file.exists():
        sys.exit(f"no exam was held ({done.returncode}): {' '.join(map(str, command))}\n{done.stderr}")
    return by_case(file), done.stderr


def by_case(file):
    """The records of a file about one client."""
    return {case: one for own in read(file).records.values() for case, one in own.items()}


# --- What is kept of a record -----------------------------------------------------------------------------------------


def only(record, keys):
    short = {key: record[key] for key in keys if record.get(key) not in (None, [], "")}
    for key in ("spec", "causeSpec"):
        if key in short:
            short[key] = [{"section": reference["section"]} for reference in short[key]]
    return short


def short(record, is_first):
    """The findings of a failure stay, and the reason of an outcome that says nothing; what is common to a case stands in the first record about it."""
    outcome = record["outcome"]
    if outcome in FAILED or outcome in ("setup-failed", "adapter-error"):
        kept = only(record, OF_A_FAILURE)
        ending = record.get("ending", {})
        if ending.get("how", "finished") != "finished":
            kept["ending"] = only(ending, ("how", "code", "signal", "reason"))
        kept["findings"] = [only(one, OF_A_FINDING) for one in record.get("findings", []) if one["weight"] == "failure"]
    else:
        kept = only(record, OF_A_MARK + ("ability",) + (("reason",) if outcome in ("partly", "not-in-this-adapter") else ()))
        if outcome == "observed" and record.get("findings"):
            kept["findings"] = [only(one, OF_A_FINDING) for one in record["findings"][:3]]
    return kept | only(record, OF_THE_CASE) if is_first else kept


def kept(name, sitting):
    """The sitting as the file has it. Times, process numbers and timelines are left out, so that equal marks give equal bytes."""
    told, new = set(), Sitting()
    for client, header in sitting.headers.items():
        records = [one for one in sitting.of(client) if name not in WITHOUT_UNTOLD or one["outcome"] not in UNTOLD]
        # Who was absent the last time may have records of an earlier time.
        lines = [{key: value for key, value in header.items() if key != "absence" or not records} | {"cases": len(records)}]
        for one in records:
            is_first = one["case"] not in told and "summary" in one
            told |= {one["case"]} if is_first else set()
            lines.append(short(one, is_first))
            if name == "history" and "reason" in lines[-1]:
                lines[-1]["reason"] = MEASURED.sub("…", lines[-1]["reason"])
        for line in map(text, lines):
            for pattern, instead in PASSING:
                line = pattern.sub(instead, line)
            if local := LOCAL.search(line):
                sys.exit(f"a path of this machine is in the records: {line[max(0, local.start() - 200):local.end() + 40]}")
            new.add(json.loads(line))
    new.compared, new.causes = sitting.compared, sitting.causes
    return new


# --- What is read of them ---------------------------------------------------------------------------------------------


def version(header):
    name, number = header.get("clientName", ""), header.get("clientVersion", "")
    return number if number.startswith(name) or name == header["client"] else f"{name} {number}".strip()


def totals(records, failing=FAILED):
    """A client's counts, as `TOTALS` names them: causes are those of failed musts, and a cause is unreported where its project has no thread about it."""
    kinds = {kind: collections.Counter(one["outcome"] for one in records.values() if one["kind"] == kind) for kind in KINDS}
    every = sum(kinds.values(), collections.Counter())
    counts = [sum(kinds[kind][word] for word in words) for kind in ("must", "should") for words in (PASSED, failing)]
    counts += [sum(kinds["observes"][word] for word in PASSED + FAILED), every["partly"], every["lacks"], every["not-in-this-adapter"]]
    causes = by_cause(records, failing)
    counts += [every["adapter-error"] + every["setup-failed"], every["skipped"], len(causes), sum(map(is_unreported, dict(causes).values()))]
    return [f"{count:,}" for count in counts]


TOTALS = ["must: pass", "fail", "should: pass", "fail", "observes", "partly", "lacks", "not in this adapter", "adapter errors", "skipped", "causes", "unreported"]


def is_unreported(group):
    return any(one.get("upstream", {}).get("state") == "unreported" for one in group)


def failed(records, kind, failing=FAILED):
    return [one for one in records.values() if one["kind"] == kind and one["outcome"] in failing]


def by_cause(records, failing=FAILED):
    """The failed musts that have a cause, by it: the most frequent first."""
    groups = collections.defaultdict(list)
    for one in failed(records, "must", failing):
        if "cause" in one:
            groups[one["cause"]].append(one)
    return sorted(groups.items(), key=lambda group: (-len(group[1]), group[0]))


def smallest(group):
    return min(group, key=lambda one: (one.get("size", sys.maxsize), one["case"]))


def reasons(path, head):
    """The lines of a table with a reason behind two columns, which `head` names."""
    lines = rows(path)
    if wrong := [line for line in lines if len(line) != 3 or not line[2].endswith(".")]:
        sys.exit(f"{path.name}: expected {head} and a sentence with tabs between them: {wrong[0]}")
    return lines


def rows(path):
    """The lines of a table with tabs, without its comments."""
    lines = [line for line in path.read_text(encoding="utf-8").splitlines() if line and not line.startswith("#")]
    return list(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE))
