#!/usr/bin/env python3
"""Runs the commands of README and Docs as they are written, each page in an empty folder, and prints one table.

    Scripts/book-commands.py PROGRAM                 every page; PROGRAM is proctor, or an archive of a release that has it
    Scripts/book-commands.py PROGRAM --only use/     the pages whose names hold one of these words
    Scripts/book-commands.py PROGRAM --list          the commands, without running them
    Scripts/book-commands.py --check                 the marks alone

A command is a line of a block of sh, a line behind `$ ` of any other block, a line of an indented block that begins with a program,
or a cell of README's table that is a command. All commands of a page are done in one shell, in their order. Comments of HTML before a block
say what a reader does not need to see:

    <!-- not run: REASON -->           no command of the block can be run here
    <!-- not run 2, 3: REASON -->      its second and third command cannot
    <!-- exits 1 -->                   the last command exits with 1; `exits 0 1` is a list for all commands
    <!-- before: COMMANDS -->          what stood on another page, or is made by the reader, in lines of bash
    <!-- file: NAME -->                the next block is the content of that file

A server goes on behind its command until the page ends, or another server starts. Commands of make and of Scripts/ are for the sources,
an exam of the whole library is what `make matrix` does, and a client that is not installed can't be asked: these are left out without a
mark, and counted by their reason. Where the system permits, all of it runs in a network of its own. Exits 0 where no command failed, 1 where one did, 2 for a wrong command line.
"""
import argparse
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from typing import NamedTuple

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Pages about work on the sources, and reports that were written for other projects.
OTHERS = ("Docs/inside/", "Docs/matrix/reports/")
PROGRAMS = r"(?:\$ |proctor |curl |eval |tar |sudo |docker |rm |make |Scripts/|\.build/|[A-Z_]+=\S* )"
MARK = re.compile(r"^<!-- (not run|exits|before|file)\b(.*?)-->\s*$", re.S)
# A page takes this long at most; what it had not begun by then failed.
PAGE_SECONDS = 240
# Whole kinds of commands that are not run, with the reason.
KINDS = [
    (re.compile(r"^(make|Scripts/|\.build/|python3 Tests/)"), "for the sources"),
    (re.compile(r"^proctor exam (?!.*\w/)[^\n]*--client "), "asks one client the whole library, as `make matrix` does"),
]

PRELUDE = r"""
exec 3>"$STATUS"
exit() { return "${1:-0}"; }
proctor() {
    case "$1" in
    serve|watch|record)
        # One that was started with & stands in the file alone.
        while read -r former; do
            kill "$former" 2>/dev/null && while kill -0 "$former" 2>/dev/null; do sleep 0.05; done
        done <../servers
        "$PROGRAM" "$@" >server.out 2>server.err & SERVER=$!
        echo "$SERVER" >../servers
        for _ in $(seq 200); do
            grep -q . server.out && return 0
            kill -0 "$SERVER" 2>/dev/null || { cat server.err >&2; wait "$SERVER"; return; }
            sleep 0.1
        done
        echo "the server told no address within 20 s" >&2
        return 1 ;;
    *) "$PROGRAM" "$@" ;;
    esac
}
"""


class Command(NamedTuple):
    page: str
    line: int
    text: str
    # Why it is not run; None where it is.
    reason: str | None
    # The code with which it exits; None for what the page does not show, which has to succeed.
    code: int | None


def is_whole(text: str) -> bool:
    """Whether the lines so far are a command that bash can read to its end."""
    said = subprocess.run(["bash", "-n", "-c", text], capture_output=True, text=True)
    return said.returncode == 0 and "here-document" not in said.stderr and not text.endswith("\\")


def commands_of(lines: list[str], shows_output: bool) -> list[tuple[int, str]]:
    """The commands of a block with the number of their first line in it."""
    found, part, begin = [], [], 0
    for number, line in enumerate(lines):
        if shows_output and not part:
            if not line.startswith("$ "):
                continue
            line = line[2:]
        if not part and (not line.strip() or line.lstrip().startswith("#")):
            continue
        if not part:
            begin = number
        part.append(line)
        if is_whole("\n".join(part)):
            found.append((begin, "\n".join(part)))
            part = []
    return found + ([(begin, "\n".join(part))] if part else [])


class Page:
    """The commands of a page, in their order."""

    def __init__(self, name: str):
        self.name = name
        self.lines = (ROOT / name).read_text().split("\n")
        self.commands: list[Command] = []
        self.faults: list[str] = []
        self.marks: list[tuple[str, str]] = []
        self.read()

    def read(self):
        number = 0
        while number < len(self.lines):
            line = self.lines[number]
            fence = re.match(r"^( *)```(\S*)", line)
            if line.startswith("<!-- "):
                end = next(at for at in range(number, len(self.lines)) if "-->" in self.lines[at])
                mark = MARK.match("\n".join(self.lines[number:end + 1]))
                if mark:
                    self.marks.append((mark[1], mark[2].strip().removeprefix(":").strip("\n ")))
                number = end + 1
            elif fence:
                end = next(at for at in range(number + 1, len(self.lines)) if re.match(r"^ *```\s*$", self.lines[at]))
                self.add_block(number + 1, [text[len(fence[1]):] for text in self.lines[number + 1:end]], fence[2])
                number = end + 1
            elif line.startswith("    ") and not self.lines[number - 1].strip():
                end = number
                while end < len(self.lines) and (self.lines[end].startswith("    ") or not self.lines[end].strip()):
                    end += 1
                self.add_block(number, [text[4:] for text in self.lines[number:end]], "")
                number = end
            else:
                if line.startswith("|") and self.name == "README.md":
                    for cell in re.findall(r"\| `(proctor [^`]+)` (?=\|)", line):
                        self.commands.append(Command(self.name, number + 1, cell, None, 0))
                if line.strip() and self.marks:
                    self.faults.append(f"{self.name}:{number + 1}: a mark stands before no block")
                    self.marks = []
                number += 1

    def add_block(self, begin: int, lines: list[str], language: str):
        marks, self.marks = self.marks, []
        for kind, words in marks:
            if kind == "file":
                quoted = "\n".join(lines)
                text = f"mkdir -p \"$(dirname '{words}')\" && cat >'{words}' <<'END OF THE FILE'\n{quoted}\nEND OF THE FILE"
                self.commands.append(Command(self.name, begin + 1, text, None, None))
            elif kind == "before":
                self.commands.append(Command(self.name, begin + 1, words, None, None))
        shows_output = any(line.startswith("$ ") for line in lines)
        is_commands = language in ("sh", "console") or shows_output or not language and re.match(PROGRAMS, lines[0])
        if not is_commands or any(kind == "file" for kind, _ in marks):
            return
        found = commands_of(lines, shows_output)
        reasons: dict[int, str] = {}
        codes = [0] * len(found)
        for kind, words in marks:
            if kind == "not run":
                numbers, _, reason = words.partition(":") if re.match(r"^[\d, ]+:", words) else ("", "", words)
                if not reason.strip():
                    self.faults.append(f"{self.name}:{begin + 1}: the mark `not run` has no reason")
                which = [int(word) for word in re.findall(r"\d+", numbers)] or range(1, len(found) + 1)
                reasons.update({which_one: reason.strip() for which_one in which})
            elif kind == "exits":
                given = [int(word) for word in words.split()]
                codes[-len(given):] = given
        for number, (line, text) in enumerate(found, 1):
            reason = reasons.get(number) or next((why for kind, why in KINDS if kind.match(text)), None)
            self.commands.append(Command(self.name, begin + line + 1, text, reason, codes[number - 1]))


def pages(only: list[str]) -> list[Page]:
    names = ["README.md"] + sorted(str(path.relative_to(ROOT)) for path in (ROOT / "Docs").rglob("*.md"))
    names = [name for name in names if not name.startswith(OTHERS)]
    return [page for page in map(Page, names) if not only or any(word in page.name for word in only)]


def run(page: Page, program: str) -> list[tuple[Command, str]]:
    """What became of each command: empty where it did what the page says, or a sentence."""
    wanted = [command for command in page.commands if command.reason is None]
    if not any(command.code is not None for command in wanted):
        return []
    folder = pathlib.Path(tempfile.mkdtemp(prefix="book."))
    work, home = folder / "work", folder / "home"
    work.mkdir()
    home.mkdir()
    steps = []
    for number, command in enumerate(wanted):
        path = folder / f"{number}.sh"
        path.write_text(command.text + "\n")
        # A server behind a command is waited for until it listens, as a person does.
        wait = "\nwait $!" if re.search(r"^proctor serve[^\n]*&$", command.text, re.M) else ""
        steps.append(f"exec >'{folder}/{number}.out' 2>&1\nsource '{path}'{wait}\necho {number} $? >&3\n")
    script = folder / "page.sh"
    (folder / "servers").touch()
    script.write_text(PRELUDE + "".join(steps) + "kill $(cat ../servers) 2>/dev/null\n")
    environment = {
        "PATH": os.environ["PATH"], "HOME": str(home), "LANG": "C.UTF-8", "PROGRAM": program, "STATUS": str(folder / "status"),
        "SERVER": "0x"}
    child = subprocess.Popen(
        ["bash", "-O", "expand_aliases", str(script)], cwd=work, env=environment, stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
    try:
        child.wait(PAGE_SECONDS)
    except subprocess.TimeoutExpired:
        pass
    try:
        os.killpg(child.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    child.wait()
    codes = {}
    if (folder / "status").exists():
        codes = {int(number): int(code) for number, code in (line.split() for line in (folder / "status").read_text().splitlines())}
    results = []
    for number, command in enumerate(wanted):
        output = folder / f"{number}.out"
        said = output.read_text(errors="replace") if output.exists() else ""
        sentence = ""
        if number not in codes:
            sentence = f"did not end within the {PAGE_SECONDS} s of a page" if output.exists() else "was not reached"
        elif codes[number] != (command.code or 0):
            missing = re.search(r"^\S+ is not asked: (.*)$", said, re.M)
            if codes[number] == 2 and missing:
                sentence = f"left out: {missing[1]}"
            else:
                sentence = f"exited with {codes[number]}, not {command.code or 0}: " + "; ".join(said.strip().splitlines()[-3:])
        results.append((command, sentence))
    shutil.rmtree(folder, ignore_errors=True)
    return results


def own_network():
    """Starts the script again in a network of its own, where that is permitted, so that no port is taken."""
    words = ["unshare", "--net", "--map-root-user", "true"]
    if os.environ.get("BOOK_NETWORK") or not shutil.which("unshare") or not shutil.which("ip"):
        return
    if subprocess.run(words, capture_output=True).returncode != 0:
        return
    os.environ["BOOK_NETWORK"] = "own"
    inner = 'ip link set lo up && exec "$@"'
    os.execvp("unshare", words[:-1] + ["sh", "-c", inner, "sh", sys.executable, *sys.argv])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", nargs="?", help="proctor")
    parser.add_argument("--only", default="", metavar="WORDS", help="words of the names of pages, with commas between them")
    parser.add_argument("--list", action="store_true", help="print the commands and end")
    parser.add_argument("--check", action="store_true", help="look at the marks alone")
    options = parser.parse_args()
    book = pages([word for word in options.only.split(",") if word])
    faults = [fault for page in book for fault in page.faults]
    for fault in faults:
        print(fault)
    if options.list:
        for command in (command for page in book for command in page.commands):
            print(f"{command.page}:{command.line}: {command.text}" + (f"   [{command.reason}]" if command.reason else ""))
    if options.list or options.check or faults:
        sys.exit(1 if faults else 0)
    if not options.program:
        parser.error("name the program")
    own_network()
    with tempfile.TemporaryDirectory(prefix="book.") as folder:
        program = options.program
        if program.endswith(".tar.gz"):
            subprocess.run(["tar", "-xzf", program, "-C", folder, "--strip-components=1"], check=True)
            program = f"{folder}/proctor"
        program = shutil.which(program)
        if not program:
            parser.error(f"there is no program {options.program}")
        sys.exit(1 if run_all(book, os.path.abspath(program)) else 0)


def run_all(book: list[Page], program: str) -> bool:
    """Runs the pages and prints the tables; whether a command failed."""
    rows, failed, left_out = [], [], []
    for page in book:
        results = run(page, program)
        shown = [result for result in results if result[0].code is not None]
        left = [(command, command.reason) for command in page.commands if command.reason is not None]
        left += [(command, said.removeprefix("left out: ")) for command, said in shown if said.startswith("left out: ")]
        bad = [(command, said) for command, said in results if said and not said.startswith("left out: ")]
        total = sum(command.code is not None for command in page.commands)
        if total:
            rows.append((page.name, total, total - len(left), len(bad), len(left)))
            print(f"{page.name}: {total} commands, {len(bad)} failed", flush=True)
        for command, said in bad:
            print(f"  {command.page}:{command.line}: {command.text.splitlines()[0]}\n    {said}", flush=True)
        failed += bad
        left_out += left
    reasons: dict[str, int] = {}
    for _, reason in left_out:
        reasons[reason] = reasons.get(reason, 0) + 1
    print("\n| page | commands | run | failed | left out |\n|---|---:|---:|---:|---:|")
    for row in rows:
        print("| " + " | ".join(map(str, row)) + " |")
    print("\n| left out, since | commands |\n|---|---:|")
    for reason, count in sorted(reasons.items(), key=lambda item: -item[1]):
        print(f"| {reason.replace('|', chr(92) + '|')} | {count} |")
    total, ran = sum(row[1] for row in rows), sum(row[2] for row in rows)
    print(f"\n{total} commands on {len(rows)} pages: {ran} run, {len(failed)} failed, {len(left_out)} left out")
    return bool(failed)


if __name__ == "__main__":
    main()
