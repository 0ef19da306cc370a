#!/usr/bin/env python3
"""Recordings cross over: libraries record, their files are imported, and the same libraries ask again.

usage: crossing.py PROCTOR SCRATCH [--only NAME]

PROCTOR is the binary; SCRATCH a folder that keeps environments and recordings. The libraries come from PyPI, pinned in
requirements.txt; VCR of Ruby is used where `ruby -rvcr -rwebmock` loads. Each records the requests of ask.py against crossing.yaml, the
file is imported with its secrets kept, served, and asked by the same library without a recorder. What the library shows
must be what it showed first, or what its recorder shows of its own file, byte for byte, unless the importer has told a difference
with that request.

Exit status: 0 all the same or told, 1 something differs without a word or could not be run, 2 wrong usage.
"""

import argparse
import json
import pathlib
import re
import signal
import subprocess
import sys
import venv

HERE = pathlib.Path(__file__).resolve().parent
# Name, library, recorder, the cassette's ending.
PATHS = (
    ("vcrpy-requests", "requests", "vcrpy", "yaml"),
    ("vcrpy-requests-decoded", "requests", "vcrpy-decoded", "yaml"),
    ("vcrpy-urllib3", "urllib3", "vcrpy", "yaml"),
    ("vcrpy-httpx", "httpx", "vcrpy", "yaml"),
    ("vcrpy-aiohttp", "aiohttp", "vcrpy", "yaml"),
    ("betamax", "requests", "betamax", "json"),
    ("betamax-exact", "requests", "betamax-exact", "json"),
    ("ruby", "ruby", "ruby", "yml"),
)


class Trouble(Exception):
    """Why a path can't be walked, with the last lines of what was tried."""


class Server:
    """A scenario at the root of a port of its own."""

    def __init__(self, proctor, path, name):
        self.process = subprocess.Popen(
            [proctor, "serve", str(path), "--port", "0", "--root", name],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )

    def __enter__(self):
        line = self.process.stdout.readline()
        if not line:
            raise Trouble("proctor serve ended before it was ready")
        return json.loads(line)["base"]

    def __exit__(self, *_):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(30)


def run(command, **others):
    result = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, **others)
    if result.returncode != 0:
        raise Trouble(f"{' '.join(map(str, command))} exited with {result.returncode}:\n{result.stderr[-2000:]}")
    return result


def environment(scratch):
    """The python that has the libraries, made once for these requirements."""
    home = scratch / "python"
    wanted = (HERE / "requirements.txt").read_text()
    mark = home / "requirements.txt"
    python = home / "bin/python"
    if not mark.exists() or mark.read_text() != wanted:
        venv.create(home, with_pip=True, clear=True)
        run([python, "-m", "pip", "install", "-q", "-r", HERE / "requirements.txt"])
        mark.write_text(wanted)
    return python


def asked(python, library, base, *recorder):
    if library == "ruby":
        output = run(["ruby", HERE / "ask.rb", base, *recorder]).stdout
    else:
        output = run([python, HERE / "ask.py", library, base, *recorder]).stdout
    return [json.loads(line) for line in output.splitlines()]


def differences(before, after):
    """What one reply shows otherwise, as short texts."""
    for key in ("status", "reason", "content"):
        if before[key] != after[key]:
            yield f"{key} was {str(before[key])[:80]}, and is {str(after[key])[:80]}"
    gone = [field for field in before["fields"] if field not in after["fields"]]
    new = [field for field in after["fields"] if field not in before["fields"]]
    if gone or new:
        yield f"fields were {gone}, and are {new}"


def walk(proctor, python, scratch, path):
    """The lines of what differs, and how many of them were told."""
    name, library, recorder, ending = path
    folder = scratch / name
    folder.mkdir(exist_ok=True)
    cassette = folder / f"cassette.{ending}"
    cassette.unlink(missing_ok=True)
    with Server(proctor, HERE / "crossing.yaml", "crossing") as base:
        before = asked(python, library, base, recorder, str(cassette))
        played = asked(python, library, base, recorder, str(cassette), "play")
    command = [proctor, "import", "vcr", cassette, "--id", name, "--into", folder, "--keep-secrets", "--replace"]
    told = run(command).stderr
    (folder / "told.txt").write_text(told)
    with Server(proctor, folder / f"{name}.yaml", name) as base:
        after = asked(python, library, base)
    silent = []
    told_count = 0
    again = iter(after)
    for old, own in zip(before, played):
        # What was not recorded is asked again too.
        new = next((new for new in again if new["request"] == old["request"]), None)
        if new is None:
            raise Trouble(f"{old['request']} was recorded, and is not asked again")
        for text in () if new == own else differences(old, new):
            if re.search(re.escape(old["request"].split("?")[0]) + r"[?: ]", told):
                told_count += 1
            else:
                silent.append(f"{old['request']}: {text}")
    return len(before), silent, told_count


def has_ruby():
    try:
        return subprocess.run(["ruby", "-rvcr", "-rwebmock", "-e", ""], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return False


def main():
    parser = argparse.ArgumentParser(usage=__doc__.split("usage: ")[1].split("\n", maxsplit=1)[0])
    parser.add_argument("proctor")
    parser.add_argument("scratch", type=pathlib.Path)
    parser.add_argument("--only", choices=[path[0] for path in PATHS])
    words = parser.parse_args()
    words.scratch.mkdir(parents=True, exist_ok=True)
    python = environment(words.scratch.resolve())
    status = 0
    for path in PATHS:
        if words.only not in (None, path[0]):
            continue
        if path[1] == "ruby" and not has_ruby():
            print(f"{path[0]:<24} left out: ruby with vcr and webmock is not installed")
            continue
        try:
            count, silent, told = walk(words.proctor, python, words.scratch.resolve(), path)
        except (Trouble, subprocess.TimeoutExpired) as trouble:
            print(f"{path[0]:<24} could not be walked: {trouble}")
            status = 1
            continue
        print(f"{path[0]:<24} {count} replies, {told} differences told, {len(silent)} silent")
        for line in silent:
            print(f"    {line}")
        if silent:
            status = 1
    return status


sys.exit(main())
