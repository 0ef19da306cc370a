#!/usr/bin/env python3
"""Keeps a record of what proctor does, and compares two records: for a change that must not change behaviour.

  behaviour.py record --proctor BIN --out DIR [--reference BIN] [--urlsession BIN] [--only PART ...]
  behaviour.py compare BEFORE AFTER [--show N]

The parts of a record:
  help      the help of every command, the completions, the manual page, the rules
  messages  what `check` says of fixtures that were spoilt on purpose, a few thousand
  walk      every scenario as the control API tells it, its page, the assignment of every case, the journal of a walk
            with curl, and the verdict on that walk
  exams     each verdict with its claims and findings, for the reference client in its five shapes, curl, requests,
            aiohttp and URLSession

Addresses, times and other chance are taken out. `compare` exits 1 where something differs.
"""
import argparse
import collections
import concurrent.futures
import difflib
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
PARTS = ["help", "messages", "walk", "exams"]
SHAPES = ["session", "connection", "connection-download", "download", "url-protocol"]

# What differs from run to run, and what stands for it.
CHANCE = [
    (re.compile(r"127\.\d+\.\d+\.\d+:\d+"), "ADDRESS"),
    (re.compile(r"127\.\d+\.\d+\.\d+"), "HOST"),
    (re.compile(r"\bport=\d{4,5}"), "port=PORT"),
    (re.compile(r"HOST and \d+|(?<=Content-Length: )\d+"), "NUMBER"),
    (re.compile(r"(localhost|example\.\w+|\.test|\[::1\]):\d{4,5}"), r"\1:PORT"),
    (re.compile(r"/tmp/[\w./-]+"), "FILE"),
    (re.compile(r"(Mon|Tue|Wed|Thu|Fri|Sat|Sun)\w*, \d\d[- ]\w{3}[- ]\d{2,4} \d\d:\d\d:\d\d( GMT)?"), "DATE"),
    (re.compile(r"\b\d+(\.\d+)? ms\b"), "TIME"),
    (re.compile(r"\b[0-9a-f]{16,}\b"), "HEX"),
    (re.compile(r"(nonce|cnonce|response|opaque|boundary)(=|: ?)\"?[\w+/=.-]+\"?"), r"\1=CHANCE"),
    (re.compile(r"\"r\d+\"|\br\d+\b"), "RUN"),
]


def settled(text):
    for pattern, word in CHANCE:
        text = pattern.sub(word, text)
    return text


# --- Help -----------------------------------------------------------------------------------------------------------


def record_help(arguments, folder):
    def said(*words):
        done = subprocess.run([arguments.proctor, *words], capture_output=True, text=True, cwd=ROOT, timeout=60)
        return f"$ proctor {' '.join(words)}\n{done.stdout}{done.stderr}exit {done.returncode}\n"

    start = said("help")
    commands = re.findall(r"^  ([a-z-]+)  ", start, re.M)
    pieces = [start] + [said("help", name) for name in commands]
    pieces += [said("completions", shell) for shell in ("bash", "zsh", "fish", "man")]
    pieces += [said("explain", "--all"), said("list"), said("exam"), said("run"), said("nonsense"), said("serve", "--nonsense")]
    (folder / "help.txt").write_text("".join(pieces))


# --- Messages -------------------------------------------------------------------------------------------------------

WRONG = {"list": "[1, [2]]", "map": "{ zzz: 1 }", "negative": "-1", "empty": '""', "huge": "99999999999999999999", "word": "zzz"}
KEY = re.compile(r"(?<![\w\"'{}/.-])([A-Za-z][\w-]*(?:\[\d+\])?(?:\.\w+)*):(?= |$)")
PER_PLACE = 2


def mutants(text, seen):
    """Texts spoilt at one place each; a key below the same parent is spoilt in the same way a few times only."""
    lines = text.split("\n")
    parents = []
    for number, line in enumerate(lines):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        indent = len(line) - len(line.lstrip(" -"))
        while parents and parents[-1][0] >= indent:
            parents.pop()
        above = parents[-1][1] if parents else ""
        for found in KEY.finditer(line):
            key = found.group(1)
            place = (above, key)
            rest = line[found.end():]
            end = re.match(r" *(\"[^\"]*\"|'[^']*'|[^,\[\]{}#]+|\[[^\[\]]*\]|\{[^{}]*\})", rest)
            spoilt = [("unknown", line[: found.start()] + key + "x" + line[found.start() + len(key):]), ("gone", None)]
            if end and end.group(1).strip():
                for name, value in WRONG.items():
                    spoilt.append((name, line[: found.end()] + " " + value + rest[end.end():]))
            for name, changed in spoilt:
                if seen[(place, name)] >= PER_PLACE:
                    continue
                seen[(place, name)] += 1
                if changed is None:
                    yield number, name, lines[:number] + lines[number + 1:]
                else:
                    yield number, name, lines[:number] + [changed] + lines[number + 1:]
        first = KEY.search(line)
        if first:
            parents.append((indent, first.group(1)))


def record_messages(arguments, folder):
    source = ROOT / "fixtures"
    seen = collections.Counter()
    said = []
    count = 0
    with tempfile.TemporaryDirectory() as name:
        copy = pathlib.Path(name) / "fixtures"
        for family in sorted(path for path in source.iterdir() if path.is_dir() and not path.name.startswith("_")):
            shutil.copytree(family, copy / family.name)
            made = 0
            for path in sorted((copy / family.name).rglob("*.yaml")):
                text = path.read_text()
                for number, way, lines in mutants(text, seen):
                    made += 1
                    spoilt = path.with_name(f"{path.stem}-spoilt-{number + 1}-{way}-{made}.yaml")
                    spoilt.write_text("\n".join(lines))
                path.unlink()
            count += made
            if made:
                done = subprocess.run(
                    [arguments.proctor, "check", str(copy), "--certs", str(ROOT / "certs")], capture_output=True, text=True, timeout=300)
                said += [line.replace(str(copy), "fixtures") for line in (done.stdout + done.stderr).splitlines()]
            shutil.rmtree(copy)
    (folder / "messages.txt").write_text("\n".join(said) + "\n")
    print(f"messages: {len(said)} lines about {count} spoilt fixtures")


# --- The walk -------------------------------------------------------------------------------------------------------

NOT_KEPT = {"ns", "seq", "run", "peer", "local", "ms", "text", "timeline", "uptimeSeconds", "sessionID", "random", "keyShares",
            "ownMicroseconds", "stderr"}


def by_connection(entries):
    """A journal with what happened on each connection together: which of two connections was first is chance."""
    return sorted(entries, key=lambda entry: entry.get("connection", -1))


def plain(value):
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items() if key not in NOT_KEPT}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return settled(value) if isinstance(value, str) else value


class Serving:
    def __init__(self, proctor):
        self.process = subprocess.Popen(
            [proctor, "serve", "--port", "0", "--ephemeral-ca", "--ca-seed", "1"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, cwd=ROOT)
        self.base = json.loads(self.process.stdout.readline())["base"]

    def ask(self, path, content=None, timeout=60):
        request = urllib.request.Request(self.base + "/__proctor/" + path, data=content)
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        try:
            with opener.open(request, timeout=timeout) as reply:
                return reply.read().decode("utf-8", "replace")
        except urllib.error.HTTPError as error:
            return error.read().decode("utf-8", "replace")

    def end(self):
        self.process.terminate()
        self.process.wait(30)


def walked(serving, scenario, case):
    run = json.loads(serving.ask("runs", json.dumps({"scenario": scenario, "lifeSeconds": 120}).encode()))
    if "run" not in run:
        return {"refused": plain(run)}
    where = "runs/" + run["run"]
    assignment = serving.ask(f"{where}/assignment?case={case}")
    kept = {"assignment": plain(json.loads(assignment))}
    if "steps" in kept["assignment"]:
        try:
            done = subprocess.run(
                [str(ROOT / "clients/adapters/curl")], input=assignment.encode(), capture_output=True, timeout=60, cwd=ROOT)
            trace = done.stdout
        except subprocess.TimeoutExpired:
            trace = b""
        grade = json.loads(serving.ask(f"{where}/grade?case={case}", trace)) if trace else {}
        kept["grade"] = plain(grade)
        journal = serving.ask(f"{where}/journal").splitlines()
        kept["journal"] = by_connection([plain(json.loads(line)) for line in journal])
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    opener.open(urllib.request.Request(serving.base + "/__proctor/" + where, method="DELETE"), timeout=30).close()
    return kept


def record_walk(arguments, folder):
    serving = Serving(arguments.proctor)
    try:
        listing = json.loads(serving.ask("scenarios"))["scenarios"]
        told = {}
        work = []
        for entry in listing:
            one = json.loads(serving.ask("scenarios/" + entry["id"]))
            told[entry["id"]] = {"listed": plain(entry), "told": plain(one), "page": settled(serving.ask(f"scenarios/{entry['id']}?html"))}
            work += [(entry["id"], case["name"]) for case in one["cases"]]
        with concurrent.futures.ThreadPoolExecutor(3) as pool:
            kept = list(pool.map(lambda item: walked(serving, *item), work))
    finally:
        serving.end()
    with open(folder / "scenarios.jsonl", "w") as file:
        for name in sorted(told):
            file.write(json.dumps({"id": name, **told[name]}, sort_keys=True) + "\n")
    with open(folder / "walk.jsonl", "w") as file:
        for (scenario, case), value in sorted(zip(work, kept), key=lambda pair: pair[0]):
            file.write(json.dumps({"id": f"{scenario}#{case}", **value}, sort_keys=True) + "\n")
    print(f"walk: {len(told)} scenarios, {len(work)} cases")


# --- Exams ----------------------------------------------------------------------------------------------------------


def record_exams(arguments, folder):
    clients = {}
    if arguments.reference:
        for shape in SHAPES:
            clients[f"reference-{shape}"] = [f"{arguments.reference} --as {shape}", "--platform", "reference"]
    clients["curl"] = ["clients/adapters/curl", "--ledger", "curl"]
    clients["requests"] = ["/usr/bin/python3 clients/adapters/requests"]
    clients["aiohttp"] = ["/usr/bin/python3 clients/adapters/aiohttp --unsafe-cookies"]
    if arguments.urlsession:
        clients["urlsession"] = [arguments.urlsession, "--ledger", "urlsession-corelibs"]
    for name, (adapter, *rest) in clients.items():
        if arguments.client and name not in arguments.client:
            continue
        with tempfile.NamedTemporaryFile() as kept:
            done = subprocess.run(
                [arguments.proctor, "exam", "--adapter", adapter, "--fixtures", "fixtures", "--ephemeral-ca", "--jobs", "3",
                 "--retries", "1", "--json", kept.name, *rest], capture_output=True, text=True, cwd=ROOT, timeout=3000)
            cases = (row for row in map(json.loads, open(kept.name)) if "case" in row)
            rows = sorted((plain(row) for row in cases), key=lambda row: row["case"])
        with open(folder / f"exam-{name}.jsonl", "w") as file:
            for row in rows:
                file.write(json.dumps({"id": row.pop("case"), **row}, sort_keys=True) + "\n")
        print(f"exam of {name}: {done.stdout.strip().splitlines()[-1] if done.stdout.strip() else done.stderr.strip()}", flush=True)


# --- Comparing ------------------------------------------------------------------------------------------------------


def differences(before, after, path=""):
    if isinstance(before, dict) and isinstance(after, dict):
        for key in sorted(before.keys() | after.keys()):
            if key not in before or key not in after:
                yield f"{path}.{key}", before.get(key, "(absent)"), after.get(key, "(absent)")
            else:
                yield from differences(before[key], after[key], f"{path}.{key}")
    elif isinstance(before, list) and isinstance(after, list) and len(before) == len(after):
        for index, (one, other) in enumerate(zip(before, after)):
            yield from differences(one, other, f"{path}[{index}]")
    elif before != after and not (path.endswith(LENGTHS) and is_near(before, after)):
        yield path, before, after


# How long a head or body is hangs on how long the addresses in it are.
LENGTHS = ("ByteCount", ".byteCount", ".contentLength", ".count")


def is_near(before, after):
    return isinstance(before, int) and isinstance(after, int) and abs(before - after) <= 40


def short(value):
    text = value if isinstance(value, str) else json.dumps(value)
    return text if len(text) < 300 else text[:300] + "…"


def compare(arguments):
    before, after = pathlib.Path(arguments.before), pathlib.Path(arguments.after)
    total = 0
    for path in sorted(before.iterdir()):
        other = after / path.name
        if not other.exists():
            print(f"{path.name}: not in {after}")
            continue
        found = []
        if path.suffix == ".txt":
            found = [line for line in difflib.unified_diff(
                path.read_text().splitlines(), other.read_text().splitlines(), lineterm="", n=0)
                if not line.startswith(("---", "+++", "@@"))]
        else:
            one = {row["id"]: row for row in map(json.loads, open(path))}
            two = {row["id"]: row for row in map(json.loads, open(other))}
            for name in sorted(one.keys() | two.keys()):
                if name not in one or name not in two:
                    found.append(f"{name} is only in {'one' if name in one else 'the other'}")
                    continue
                parts = list(differences(one[name], two[name]))
                if parts:
                    where, was, now = parts[0]
                    outcomes = [row.get("outcome", "") for row in (one[name], two[name])]
                    mark = f" [{outcomes[0]} → {outcomes[1]}]" if outcomes[0] != outcomes[1] else ""
                    found.append(f"{name}{mark}: {len(parts)} differences, first {where}\n    was {short(was)}\n    now {short(now)}")
        total += len(found)
        print(f"{path.name}: {len(found)} differences")
        for line in found[: arguments.show]:
            print("  " + line)
    return 1 if total else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    verbs = parser.add_subparsers(dest="verb", required=True)
    recording = verbs.add_parser("record")
    recording.add_argument("--proctor", required=True)
    recording.add_argument("--out", required=True)
    recording.add_argument("--reference")
    recording.add_argument("--urlsession")
    recording.add_argument("--only", nargs="*", choices=PARTS, default=PARTS)
    recording.add_argument("--client", nargs="*")
    comparing = verbs.add_parser("compare")
    comparing.add_argument("before")
    comparing.add_argument("after")
    comparing.add_argument("--show", type=int, default=10)
    arguments = parser.parse_args()
    if arguments.verb == "compare":
        return compare(arguments)
    folder = pathlib.Path(arguments.out)
    folder.mkdir(parents=True, exist_ok=True)
    for part in arguments.only:
        globals()["record_" + part](arguments, folder)
    return 0


if __name__ == "__main__":
    sys.exit(main())
