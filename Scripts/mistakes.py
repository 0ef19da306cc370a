#!/usr/bin/env python3
"""Seeds mistakes into a copy of the product, one at a time, and tells which test finds each.

    Scripts/mistakes.py --check                 does every row of Scripts/mistakes.tsv still fit? No build
    Scripts/mistakes.py --list                  the mistakes, one a line
    Scripts/mistakes.py --by swift --jobs 2     who finds them among the tests in Swift
    Scripts/mistakes.py --by data               who finds them among the rows of Tests/Data
    Scripts/mistakes.py --by swift --only 3,17-20 --record    puts what was found into Scripts/mistakes-found.tsv
    Scripts/mistakes.py --by data --against     fails where what that file says was found is found no more

All mistakes are compiled at once: in the copy an expression E of row 17 is `(seededMistake(17) ? NEW : E)`, and PROCTOR_MISTAKE=17
in the environment of a process makes that mistake. So there is one build, and a run of tests for each mistake.

The copy and its build stand in .build/mistakes and are kept; this work tree is never written to. First every suite (or page) runs
without a mistake, which tells what is green, how long it takes and which mistakes it comes by at all; then each mistake is asked
of those suites that come by it, the ones of its own module first, until a test is red. A crash is red, and so is a run that takes
several times as long as without a mistake. A test that is red is run once more by itself, so that chance finds nothing.
A row that is newer than these runs is asked of its own module's tests alone, until --measure repeats them.

What was found is kept until a file outside Scripts changes: a run that was stopped goes on where it was. Exits 1 where nobody finds
a mistake that --against says was found, or where rows do not fit, and 2 where it could not work.
"""

import argparse
import collections
import concurrent.futures
import fcntl
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROWS = ROOT / "Scripts/mistakes.tsv"
FOUND = ROOT / "Scripts/mistakes-found.tsv"
FOLDER = ROOT / ".build/mistakes"
TREE = FOLDER / "tree"
COLUMNS = ["number", "file", "form", "old", "new", "what is wrong then"]
FORMS = ["value", "statement"]
BY = ["swift", "data"]
# An issue that the runner can't give to a test, such as one of a task that a test left behind.
OUTSIDE = "outside of every test"

# Whose tests are those of a module that has none of its own name.
TESTED_BY = {
    "ProctorReplies": "ProctorServer", "ProctorServing": "ProctorServer", "ProctorScenario": "ProctorFixtures",
    "ProctorHarness": "ProctorTesting", "ProctorAdapter": "ProctorRecorder", "ProctorAssignments": "ProctorRecorder",
    "ProctorClientTesting": "ProctorTesting", "ProctorExamClients": "ProctorExam", "ProctorGateway": "ProctorCLI", "proctor": "ProctorCLI",
}

# What the copy has besides the mistakes: file, what stands there, what stands there then.
PATCHES = [
    # A child makes the mistake of its parent, though it is given its environment word by word.
    (
        "Sources/Ground/ProctorBase/ProgramSpawn.swift",
        "let variables = environment.map {",
        "let variables = environment.merging(seededVariables, uniquingKeysWith: { $1 }).map {",
    ),
]

SWITCH = """#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

private func variable(_ name: String) -> String? { unsafe getenv(name).map { unsafe String(cString: $0) } }

private let chosenMistake = variable("PROCTOR_MISTAKE").flatMap { Int($0) } ?? 0
private let reachedPath = variable("PROCTOR_MISTAKES_REACHED") ?? ""
nonisolated(unsafe) private let noted: UnsafeMutableBufferPointer<Bool> = {
    let noted = UnsafeMutableBufferPointer<Bool>.allocate(capacity: 100_000)
    unsafe noted.initialize(repeating: false)
    return unsafe noted
}()

/// What a child is given too.
let seededVariables: [String: String] = {
    var variables: [String: String] = [:]
    if chosenMistake != 0 { variables["PROCTOR_MISTAKE"] = String(chosenMistake) }
    if !reachedPath.isEmpty { variables["PROCTOR_MISTAKES_REACHED"] = reachedPath }
    return variables
}()

/// Whether this process makes the mistake of a row; notes that it came by.
public func seededMistake(_ number: Int) -> Bool {
    if !reachedPath.isEmpty, unsafe !noted[number] {
        unsafe noted[number] = true
        let descriptor = unsafe open(reachedPath, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o600)
        let line = Array("\\(number)\\n".utf8)
        _ = unsafe write(descriptor, line, line.count)
        _ = close(descriptor)
    }
    return number == chosenMistake
}
"""


class Trouble(Exception):
    """What a person has to do something about."""


# Set where the script is told to end: every run of tests ends then.
stops = threading.Event()


# --- Rows ---------------------------------------------------------------------------------------------------------------------


class Row:
    def __init__(self, line, fields):
        if len(fields) != len(COLUMNS):
            raise Trouble(f"line {line}: {len(fields)} columns; write {', '.join(COLUMNS)}, with tabs between them")
        number, self.file, self.form, self.old, self.new, self.wrong = fields
        if not number.isdigit() or number == "0":
            raise Trouble(f"line {line}: '{number}' is no number; write one from 1 on")
        self.number = int(number)
        self.line = line
        if self.form not in FORMS:
            raise Trouble(f"line {line}: the form '{self.form}' is unknown; write {' or '.join(FORMS)}")
        if (self.old.count("«"), self.old.count("»")) not in [(0, 0), (1, 1)]:
            raise Trouble(f"line {line}: « and » stand once each, around what is replaced, or not at all")
        if "«" not in self.old:
            self.old = f"«{self.old}»"
        self.before, rest = self.old.split("«")
        self.replaced, self.behind = rest.split("»")
        if self.form == "value" and not self.new or not self.replaced or not self.wrong:
            raise Trouble(f"line {line}: a column is empty; only a statement may be replaced by nothing")

    @property
    def key(self):
        """What a result holds for: another number or sentence changes nothing."""
        return hashlib.sha256("\t".join([self.file, self.form, self.old, self.new]).encode()).hexdigest()[:16]

    @property
    def module(self):
        return self.file.split("/")[2]

    def place(self, text):
        """Where in the file the replaced text begins, or a sentence that says why it does not fit."""
        whole = self.before + self.replaced + self.behind
        count = text.count(whole)
        if count != 1:
            return f"this stands there {count} times, and must stand once: {whole}"
        return text.index(whole) + len(self.before)

    @property
    def schema(self):
        if self.form == "statement":
            return f"if seededMistake({self.number}) {{ {self.new} }} else {{ {self.replaced} }}"
        return f"(seededMistake({self.number}) ? ({self.new}) : ({self.replaced}))"


def read_rows():
    rows = []
    for number, line in enumerate(ROWS.read_text().splitlines(), 1):
        if line and not line.startswith("#"):
            rows.append(Row(number, line.split("\t")))
    twice = [number for number, count in collections.Counter(row.number for row in rows).items() if count > 1]
    if twice:
        raise Trouble(f"the number {twice[0]} stands at two rows; a new row takes the next number that was never used")
    return rows


def fit(rows):
    """The files of the rows with the mistakes in them, and what does not fit."""
    files, faults = {}, []
    groups = collections.defaultdict(list)
    for row in rows:
        groups[row.file].append(row)
    for file, group in groups.items():
        path = ROOT / file
        if not path.is_file():
            faults += [f"Scripts/mistakes.tsv:{row.line}: there is no {file}; name the file in which this code is now" for row in group]
            continue
        text = path.read_text()
        found = []
        for row in group:
            place = row.place(text)
            if isinstance(place, str):
                faults.append(f"Scripts/mistakes.tsv:{row.line}: {file}: {place}")
            else:
                found.append((place, row))
        found.sort(key=lambda item: item[0])
        for (place, row), (next_place, next_row) in zip(found, found[1:]):
            if place + len(row.replaced) > next_place:
                faults.append(f"Scripts/mistakes.tsv:{next_row.line}: it changes what row {row.number} changes; choose other code")
        for place, row in reversed(found):
            text = text[:place] + row.schema + text[place + len(row.replaced):]
        files[file] = text
    return files, faults


def chosen(rows, words):
    if not words:
        return rows
    numbers = set()
    for word in words.split(","):
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", word.strip())
        if not match:
            raise Trouble(f"--only takes numbers like 3,17-20, and not '{word}'")
        numbers |= set(range(int(match[1]), int(match[2] or match[1]) + 1))
    found = [row for row in rows if row.number in numbers]
    if not found:
        raise Trouble(f"there is no mistake {words}; --list names them")
    return found


# --- The copy -----------------------------------------------------------------------------------------------------------------


def tracked():
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    return [name for name in listed.decode().split("\0") if name and (ROOT / name).is_file()]


def stamp(names):
    """What the results of all tests depend on: every file but those of Scripts."""
    hasher = hashlib.sha256()
    for name in names:
        if not name.startswith("Scripts/"):
            hasher.update(name.encode() + b"\0" + hashlib.sha256((ROOT / name).read_bytes()).digest())
    return hasher.hexdigest()[:16]


def imported(text):
    """With an import of ProctorBase, on the first line, so that all others keep their numbers."""
    return text if re.search(r"^\s*(\w+ )?import ProctorBase$", text, re.M) else "import ProctorBase; " + text


def write_copy(rows, names):
    files, faults = fit(rows)
    if faults:
        raise Trouble("\n".join(faults))
    for file, old, new in PATCHES:
        text = files.get(file) or (ROOT / file).read_text()
        if text.count(old) != 1:
            raise Trouble(f"{file} has no more '{old}'; change PATCHES in Scripts/mistakes.py")
        files[file] = text.replace(old, new)
    for row in rows:
        if row.module != "ProctorBase":
            files[row.file] = imported(files[row.file])
    files["Sources/Ground/ProctorBase/SeededMistake.swift"] = SWITCH
    manifest = (ROOT / "Package.swift").read_text()
    for module in sorted({row.module for row in rows} - {"ProctorBase"}):
        head = re.search(rf'(?:module|program)\(\s*"{re.escape(module)}".*?on: \[', manifest, re.S)
        if not head:
            raise Trouble(f"Package.swift has no module {module}; a mistake must stand in one")
        if '"ProctorBase"' not in manifest[head.end():manifest.index("]", head.end())]:
            manifest = manifest[:head.end()] + '"ProctorBase", ' + manifest[head.end():]
    files["Package.swift"] = manifest

    TREE.mkdir(parents=True, exist_ok=True)
    known = FOLDER / "files.txt"
    wanted = set(names) | set(files)
    for name in set(known.read_text().split("\n") if known.exists() else []) - wanted - {""}:
        (TREE / name).unlink(missing_ok=True)
    for name in sorted(wanted):
        content = files[name].encode() if name in files else (ROOT / name).read_bytes()
        path = TREE / name
        # What stays as it was is not compiled again.
        if not path.is_file() or path.read_bytes() != content:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        if name in names:
            shutil.copymode(ROOT / name, path)
    known.write_text("\n".join(sorted(wanted)))
    # Tests ask git which files the project has.
    if not (TREE / ".git").exists():
        subprocess.run(["git", "init", "-q"], cwd=TREE, check=True)


def environment(**further):
    kept = {key: value for key, value in os.environ.items() if not key.startswith("PROCTOR_")}
    return kept | {"PROCTOR_WERROR": "", "PROCTOR_TESTS": "wide", "SWIFT_BACKTRACE": "enable=no"} | further


def build(by):
    log = FOLDER / "build.log"
    # The pages of commands run the program, and those of clients the reference client.
    products = [["--build-tests"]] if by == "swift" else [
        ["--product", name] for name in ("proctor", "proctor-client-reference", "proctor-data")]
    commands = [[os.environ.get("SWIFT", "swift"), "build", "-Xswiftc", "-gnone", "--disable-index-store", *words]
                for words in products]
    for command in commands:
        place = run_build(command, log)
    return place


def run_build(command, log):
    print(f"builds the copy with all mistakes: {' '.join(command)} (log: {log.relative_to(ROOT)})", flush=True)
    begin = time.monotonic()
    with log.open("wb") as output:
        status = subprocess.run(command, cwd=TREE, env=environment(), stdin=subprocess.DEVNULL, stdout=output, stderr=output).returncode
    if status != 0:
        lines = log.read_text(errors="replace").splitlines()
        errors = list(dict.fromkeys(line for line in lines if re.match(r"(/|error: )", line) and "error: " in line))
        told = []
        for line in errors[:20]:
            told.append(line.replace(str(TREE) + "/", ""))
            match = re.match(r"(/\S+\.swift):(\d+):", line)
            if match and Path(match[1]).is_file():
                source = Path(match[1]).read_text().splitlines()[int(match[2]) - 1]
                told += [f"  this is row {number}" for number in re.findall(r"seededMistake\((\d+)\)", source)]
        raise Trouble("\n".join(["the copy with the mistakes does not build; change the rows that are named:", *(told or lines[-20:])]))
    print(f"  built in {time.monotonic() - begin:.0f} s", flush=True)
    return Path(subprocess.run(
        [*command[:2], "--show-bin-path"], cwd=TREE, env=environment(), capture_output=True, text=True, check=True).stdout.strip())


# --- Runs ---------------------------------------------------------------------------------------------------------------------


def end_left(mark=None):
    """Ends what a run left behind, by the mark in its environment; without a mark, all programs of the copy that still run."""
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark is None:
                is_left = os.readlink(process / "exe").startswith(f"{TREE}/.build/")
            else:
                is_left = f"PROCTOR_MISTAKES_RUN={mark}".encode() in (process / "environ").read_bytes().split(b"\0")
            if is_left:
                os.kill(int(process.name), signal.SIGKILL)
        except OSError:
            # It has ended meanwhile, or is another user's.
            continue


class Run:
    """One process of tests, ended at the first red one where that is all that is asked for."""

    def __init__(self, command, variables, name, limit, reads, ends_at_red=True, ignores=frozenset()):
        self.red, self.open = [], {}
        has_ignored = False
        folder = FOLDER / "runs"
        folder.mkdir(parents=True, exist_ok=True)
        log, events = folder / f"{name}.log", folder / f"{name}.jsonl"
        events.unlink(missing_ok=True)
        command = [str(events) if word == "EVENTS" else word for word in command]
        begin = time.monotonic()
        mark = f"{os.getpid()}-{name}"
        with log.open("wb") as output:
            child = subprocess.Popen(
                command, cwd=TREE, env=environment(PROCTOR_MISTAKES_RUN=mark, **variables), stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT,
                start_new_session=True)
        source = events if "EVENTS" in reads.__doc__ else log
        offset, is_late = 0, False
        try:
            while True:
                is_over = child.poll() is not None
                offset = self.read(source, offset, reads)
                has_ignored = has_ignored or bool(ignores.intersection(self.red))
                self.red = [test for test in self.red if test not in ignores]
                if is_over or ends_at_red and self.red:
                    break
                if stops.is_set():
                    raise Trouble("stopped")
                if time.monotonic() - begin > limit:
                    is_late = True
                    break
                time.sleep(0.05)
        finally:
            if child.poll() is None:
                os.killpg(child.pid, signal.SIGKILL)
            child.wait()
            # The tests start servers in groups of their own.
            end_left(mark)
        self.seconds = time.monotonic() - begin
        self.is_late = is_late and not self.red
        # An end in good order is 0, or 1 where a test is red.
        well = (0, 1) if has_ignored else (0,)
        self.is_crash = child.returncode not in well and not is_late and not self.red

    def read(self, path, offset, reads):
        if not path.exists():
            return offset
        with path.open("rb") as file:
            file.seek(offset)
            piece = file.read()
        whole = piece.rfind(b"\n") + 1
        for line in piece[:whole].decode(errors="replace").splitlines():
            reads(self, line)
        return offset + whole

    @property
    def finder(self):
        """Who found the mistake; None where all was green."""
        if self.red:
            return self.red[0]
        if self.is_late or self.is_crash:
            where = next(iter(self.open.values()), "the tests")
            return f"{where} ({'ran out of time' if self.is_late else 'crashed'})"
        return None


class SwiftTests:
    """The tests of the copy; a unit is a suite, and the name of one is like ProctorHTTPTests.CookieStoreTests."""

    def __init__(self, products):
        self.program = products / "proctorPackageTests.xctest"

    @staticmethod
    def name(test_id):
        """ProctorHTTPTests.CookieStoreTests/`a name`()/CookieStoreTests.swift:12:6, without its place."""
        return re.sub(r"/[^/`]*\.swift:\d+:\d+$", "", test_id)

    @staticmethod
    def unit_of(name):
        return re.sub(r"/(`[^`]+`|[^/`]+)\([^/]*\)$", "", name)

    def units(self):
        listed = subprocess.run(
            [self.program, "--testing-library", "swift-testing", "--list-tests"], cwd=TREE, env=environment(), capture_output=True,
            text=True, timeout=300)
        names = [line.strip() for line in listed.stdout.splitlines() if re.match(r"\w+Tests\.", line.strip())]
        if not names:
            raise Trouble(f"{self.program} lists no tests: {listed.stderr.strip()[-300:]}")
        return list(dict.fromkeys(self.unit_of(name) for name in names))

    def is_own(self, unit, row):
        return unit.split(".")[0] == TESTED_BY.get(row.module, row.module) + "Tests"

    def run(self, units, variables, name, limit, **how):
        filters = [word for unit in units for word in ("--filter", f"^{re.escape(unit)}(/|$)")]
        return Run(
            [str(self.program), "--testing-library", "swift-testing", *filters, "--event-stream-output-path", "EVENTS",
             "--event-stream-version", "0"], variables, name, limit, self.reads, **how)

    def run_alone(self, finder, variables, name, limit):
        return Run(
            [str(self.program), "--testing-library", "swift-testing", "--filter", f"^{re.escape(finder)}(/|$)", "--event-stream-output-path",
             "EVENTS", "--event-stream-version", "0"], variables, name, limit, self.reads)

    @staticmethod
    def reads(run, line):
        """Reads a line of EVENTS."""
        try:
            record = json.loads(line)
        except ValueError:
            return
        payload = record.get("payload", {})
        kind, test = payload.get("kind"), payload.get("testID")
        if record.get("kind") != "event":
            return
        place = payload.get("_sourceLocation", {})
        name = SwiftTests.name(test or f"{OUTSIDE}, {place.get('fileID', '')}:{place.get('line', '')}")
        if kind == "testStarted" and test and "(" in test:
            run.open[test] = name
        elif kind in ("testEnded", "testSkipped"):
            run.open.pop(test, None)
        elif kind == "issueRecorded":
            issue = payload.get("issue", {})
            if not issue.get("isKnown") and issue.get("severity", "error") == "error" and name not in run.red:
                run.red.append(name)


class DataRows:
    """The rows of Tests/Data; a unit is a page, and the name of a row is like Tests/Data/readers/request.md:12 name."""

    def __init__(self, products):
        self.program = products / "proctor-data"

    @staticmethod
    def unit_of(name):
        return re.sub(r":\d+\b.*$", "", name)

    def units(self):
        pages = sorted(str(path.relative_to(TREE)) for path in (TREE / "Tests/Data").rglob("*.md"))
        if not pages:
            raise Trouble("Tests/Data has no page")
        return pages

    def is_own(self, unit, row):
        return True

    def run(self, units, variables, name, limit, **how):
        return Run([str(self.program), *units], variables, name, limit, self.reads, **how)

    def run_alone(self, finder, variables, name, limit):
        return Run([str(self.program), self.unit_of(finder)], variables, name, limit, self.reads)

    @staticmethod
    def reads(run, line):
        """Reads a line of what the program says."""
        if line.startswith("FAIL "):
            run.red.append(line.removeprefix("FAIL ").strip())


# --- Measuring and asking -----------------------------------------------------------------------------------------------------


class Kept:
    """A file of JSON that is as old as the files that it was made from; written behind every change."""

    def __init__(self, path, stamp):
        self.path, self.stamp = path, stamp
        self.lock = threading.Lock()
        self.values = {}
        if path.exists():
            read = json.loads(path.read_text())
            if read.get("stamp") == stamp:
                self.values = read["values"]

    def put(self, key, value):
        with self.lock:
            self.values[key] = value
            temporary = self.path.with_suffix(".new")
            temporary.write_text(json.dumps({"stamp": self.stamp, "values": self.values}, indent=0))
            temporary.replace(self.path)


def in_turn(jobs, work, items):
    """Does the work with so many threads; the first error ends it."""
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(work, item) for item in items]
        try:
            for future in concurrent.futures.as_completed(futures):
                future.result()
        except BaseException:
            stops.set()
            pool.shutdown(cancel_futures=True)
            raise


def measure(tests, rows, kept, options):
    """Runs each unit without a mistake: what it comes by, what is red all the same, and how long it takes."""
    keys = {row.number: row.key for row in rows}
    units = [unit for unit in tests.units() if options.measure or unit not in kept.values]
    if not units:
        return
    print(f"runs {len(units)} suites or pages without a mistake, to see what each comes by", flush=True)
    begin, count, lock = time.monotonic(), 0, threading.Lock()

    def work(unit):
        nonlocal count
        name = f"plain-{threading.get_ident()}"
        reached = FOLDER / "runs" / f"{name}.reached"
        reached.parent.mkdir(parents=True, exist_ok=True)
        reached.unlink(missing_ok=True)
        run = tests.run([unit], {"PROCTOR_MISTAKES_REACHED": str(reached)}, name, options.limit, ends_at_red=False)
        numbers = {int(line) for line in reached.read_text().split()} if reached.exists() else set()
        is_usable = not (run.is_late or run.is_crash)
        kept.put(unit, {
            "asked": sorted(keys.values()), "reached": sorted(keys[number] for number in numbers if number in keys),
            "red": run.red, "seconds": round(run.seconds, 2), "is_usable": is_usable})
        with lock:
            count += 1
            if run.red or not is_usable:
                why = run.red[0] if run.red else "it takes too long, or crashes"
                print(f"  {unit} is not green without a mistake, so that part is not asked: {why}", flush=True)
            if count % 100 == 0:
                print(f"  {count} of {len(units)} after {time.monotonic() - begin:.0f} s", flush=True)

    in_turn(options.jobs, work, units)
    print(f"  ran them in {time.monotonic() - begin:.0f} s", flush=True)


def batches(row, tests, kept):
    """The units that come by a mistake: its own module's first, then quick ones, some seconds of them together.

    Of a row that is newer than what was measured it is not known, so only its own module's are asked.
    """
    units = [
        (unit, facts) for unit, facts in kept.values.items()
        if facts["is_usable"] and (row.key in facts["reached"] or row.key not in facts["asked"] and tests.is_own(unit, row))]
    units.sort(key=lambda item: (not tests.is_own(item[0], row), item[1]["seconds"]))
    own, batch, seconds = None, [], 0
    for unit, facts in units:
        is_own = tests.is_own(unit, row)
        if batch and (own != is_own or seconds + facts["seconds"] > 12 or len(batch) == 40):
            yield batch, seconds
            batch, seconds = [], 0
        batch.append(unit)
        seconds += facts["seconds"]
        own = is_own
    if batch:
        yield batch, seconds


def ask(row, tests, kept, options):
    """Who finds a mistake, and in how many seconds."""
    begin = time.monotonic()
    name = f"mistake-{row.number}"
    variables = {"PROCTOR_MISTAKE": str(row.number)}
    ignored = frozenset(test for facts in kept.values.values() for test in facts["red"])
    count = 0
    for units, seconds in batches(row, tests, kept):
        count += len(units)
        left = options.limit - (time.monotonic() - begin)
        patience = 4 * seconds + 20
        if left < seconds:
            return f"nobody in {options.limit} s", time.monotonic() - begin
        # Chance makes single tests red: such a one is asked again, and the others of its batch with it.
        doubted = set()
        for _ in range(3):
            run = tests.run(units, variables, name, min(patience, left), ignores=ignored | doubted)
            finder = run.finder
            if run.is_late and left < patience:
                return f"nobody in {options.limit} s", time.monotonic() - begin
            if finder is None or run.is_late or run.is_crash:
                break
            if finder.startswith(OUTSIDE):
                again = tests.run(units, variables, name, patience, ignores=ignored)
            else:
                again = tests.run_alone(finder, variables, name, patience)
            if again.finder is not None:
                break
            doubted.add(finder)
            finder = None
        if finder:
            return finder, time.monotonic() - begin
    return "nobody" if count else "nobody comes by it", time.monotonic() - begin


def is_found(finder):
    return not finder.startswith("nobody")


def plain(finder):
    return finder.replace("`", "").replace("\t", " ")


def ask_all(rows, tests, names, options):
    kept = Kept(FOLDER / f"reach-{options.by}.json", stamp(names))
    results = Kept(FOLDER / f"results-{options.by}.json", stamp(names))
    wanted = chosen(rows, options.only)
    measure(tests, rows, kept, options)
    open_rows = [row for row in wanted if options.again or row.key not in results.values]
    print(f"{len(wanted)} mistakes, {len(wanted) - len(open_rows)} of them asked before", flush=True)
    lock = threading.Lock()

    def work(row):
        finder, seconds = ask(row, tests, kept, options)
        results.put(row.key, [finder, round(seconds, 1)])
        with lock:
            print(f"{row.number:4} {seconds:5.1f} s  {plain(finder)}  ({row.wrong})", flush=True)

    begin = time.monotonic()
    in_turn(options.jobs, work, open_rows)
    found = {row.number: results.values[row.key] for row in wanted}
    missed = [row for row in wanted if not is_found(found[row.number][0])]
    for row in missed:
        print(f"nobody finds {row.number}, {row.file}: {row.wrong} ({found[row.number][0]})")
    print(
        f"{len(wanted) - len(missed)} of {len(wanted)} mistakes were found, {len(missed)} by nobody; "
        f"this took {time.monotonic() - begin:.0f} s")
    finders = FOUND.read_text().splitlines()
    head = [line for line in finders if line.startswith("#")]
    finders = {number: [swift, data] for number, swift, data in (line.split("\t") for line in finders[len(head):])}
    is_well = lost(finders, wanted, found, options.by) if options.against else True
    if options.record:
        for row in wanted:
            finders.setdefault(str(row.number), ["nobody", "nobody"])[BY.index(options.by)] = plain(found[row.number][0])
        lines = ["\t".join((number, *finders[number])) for number in sorted(finders, key=int)]
        FOUND.write_text("\n".join(head + lines) + "\n")
        print(f"wrote {FOUND.relative_to(ROOT)}")
    return is_well


def lost(finders, wanted, found, by):
    """Says which mistakes were found before and are found no more."""
    is_well = True
    for row in wanted:
        finder = finders.get(str(row.number), ["nobody", "nobody"])[BY.index(by)]
        if is_found(finder) and not is_found(found[row.number][0]):
            is_well = False
            print(f"lost: {row.number}, {row.file}: {row.wrong} {finder} found it before")
    print("every mistake that was found before is found" if is_well else "what was found before is lost: write the rows that find it")
    return is_well


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="does every row still fit, once, in the source? No build")
    parser.add_argument("--list", action="store_true", help="name the mistakes and end")
    parser.add_argument("--by", choices=BY, help="who is to find them: the tests in Swift, or Tests/Data")
    parser.add_argument("--only", default="", metavar="NUMBERS", help="these mistakes alone, as 3,17-20")
    parser.add_argument("--jobs", type=int, default=1, metavar="N", help="so many processes of tests at a time (1)")
    parser.add_argument("--limit", type=int, default=120, metavar="SECONDS", help="the most time for one mistake (120)")
    parser.add_argument("--record", action="store_true", help=f"write into {FOUND.name} who found what")
    parser.add_argument("--against", action="store_true", help=f"fail where what {FOUND.name} says was found is found no more")
    parser.add_argument("--again", action="store_true", help="ask also the mistakes that were asked before")
    parser.add_argument("--measure", action="store_true", help="run all without a mistake once more, as for new rows it is due")
    parser.add_argument("--no-build", action="store_true", help="the build in .build/mistakes is the right one")
    options = parser.parse_args()
    if not (options.check or options.list or options.by):
        parser.error("say --check, --list, --by swift or --by data")
    if options.jobs < 1 or options.limit < 1:
        parser.error("--jobs and --limit take a number from 1 on")

    rows = read_rows()
    if options.list:
        for row in chosen(rows, options.only):
            print(f"{row.number:4}  {row.file}: {row.wrong}")
        return True
    if options.check:
        _, faults = fit(rows)
        print("\n".join(faults) if faults else f"{len(rows)} mistakes fit")
        return not faults
    FOLDER.mkdir(parents=True, exist_ok=True)
    with (FOLDER / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Trouble(f"another Scripts/mistakes.py works in {FOLDER}; wait for its end") from None
        names = tracked()
        if options.by == "data" and '"proctor-data"' not in (ROOT / "Package.swift").read_text():
            raise Trouble("the package has no product proctor-data, which runs Tests/Data; --by swift asks the tests in Swift")
        if options.no_build:
            products = TREE / ".build/debug"
        else:
            write_copy(rows, names)
            products = build(options.by)
        tests = SwiftTests(products) if options.by == "swift" else DataRows(products)
        end_left()
        try:
            return ask_all(rows, tests, names, options)
        finally:
            end_left()


if __name__ == "__main__":
    # Also where it was started in the background, and its owner ends it.
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.default_int_handler)
    try:
        sys.exit(0 if main() else 1)
    except Trouble as trouble:
        print(trouble, file=sys.stderr)
        sys.exit(2)
    except KeyboardInterrupt:
        print("stopped; the next run goes on here", file=sys.stderr)
        sys.exit(130)
