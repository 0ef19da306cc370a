#!/usr/bin/env python3
"""Recordings cross over: libraries record, their files are imported, and the same libraries ask again.

usage: crossing.py PROCTOR SCRATCH [--only NAME]

PROCTOR is the binary; SCRATCH a folder that keeps environments and recordings. The libraries come from PyPI, pinned in
requirements.txt, and mitmproxy and schemathesis, which pin what they stand on, in files of their own; VCR of Ruby is used where
`ruby -rvcr -rwebmock` loads, Playwright where a Chromium is installed. Each records the requests of ask.py against crossing.yaml, the
file is imported with its secrets kept, served, and asked by the same library without a recorder. What the library shows
must be what it showed first, or what its recorder shows of its own file, byte for byte, unless the importer has told a difference
with that request. schemathesis makes its requests of description.yaml itself: those of its cassette are sent once more by requests, and what
comes must be what the cassette says.

Exit status: 0 all the same or told, 1 something differs without a word or could not be run, 2 wrong usage.
"""

import argparse
import json
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import venv

HERE = pathlib.Path(__file__).resolve().parent
# Name, library, recorder, the recording's ending. A HAR is imported as one, anything else as a cassette.
PATHS = (
    ("vcrpy-requests", "requests", "vcrpy", "yaml"),
    ("vcrpy-requests-decoded", "requests", "vcrpy-decoded", "yaml"),
    ("vcrpy-urllib3", "urllib3", "vcrpy", "yaml"),
    ("vcrpy-httpx", "httpx", "vcrpy", "yaml"),
    ("vcrpy-aiohttp", "aiohttp", "vcrpy", "yaml"),
    ("betamax", "requests", "betamax", "json"),
    ("betamax-exact", "requests", "betamax-exact", "json"),
    ("ruby", "ruby", "ruby", "yml"),
    ("playwright", "chromium", "playwright", "har"),
    ("playwright-attach", "chromium", "playwright-attach", "har"),
    ("mitmproxy", "requests", "mitmproxy", "har"),
    ("schemathesis-vcr", "requests", "schemathesis", "yaml"),
    ("schemathesis-har", "requests", "schemathesis", "har"),
)
# Recorders that pin what they stand on.
OWN_ENVIRONMENTS = ("mitmproxy", "schemathesis")


CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")


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


def environment(scratch, of=""):
    """The python that has the libraries, or one recorder, made once for these requirements."""
    file = HERE / f"requirements{'-' if of else ''}{of}.txt"
    home = scratch / f"python{'-' if of else ''}{of}"
    wanted = file.read_text()
    mark = home / "requirements.txt"
    python = home / "bin/python"
    if not mark.exists() or mark.read_text() != wanted:
        venv.create(home, with_pip=True, clear=True)
        run([python, "-m", "pip", "install", "-q", "-r", file])
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


def free_port():
    with socket.create_server(("127.0.0.1", 0)) as server:
        return server.getsockname()[1]


def asked_through_mitmproxy(python, scratch, base, recording):
    """What requests shows through a mitmproxy that writes a HAR at its end."""
    program = environment(scratch, "mitmproxy").parent / "mitmdump"
    port = free_port()
    home = scratch / "mitmproxy-settings"
    options = (f"confdir={home}", f"hardump={recording}", "listen_host=127.0.0.1", f"listen_port={port}")
    command = [program, "-q", *(word for option in options for word in ("--set", option))]
    proxy = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    try:
        for _ in range(600):
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", port)) == 0:
                    break
            if proxy.poll() is not None:
                raise Trouble(f"mitmdump ended: {proxy.stderr.read()[-2000:]}")
            time.sleep(0.1)
        return asked(python, "requests", base, "proxy", f"http://127.0.0.1:{port}")
    finally:
        proxy.send_signal(signal.SIGINT)
        proxy.wait(60)


def asked_by_schemathesis(scratch, base, folder, ending):
    """What schemathesis wrote into its cassette of the requests that it made of the description."""
    python = environment(scratch, "schemathesis")
    cassette = folder / "own.yaml"
    command = [python.parent / "schemathesis", "run", HERE / "description.yaml", "--url", base, "--seed", "1"]
    command += ["--max-examples", "8", "--phases", "examples,coverage,fuzzing", "--no-color"]
    command += ["--report", "vcr,har", "--report-vcr-path", cassette, "--report-har-path", folder / "recording.har"]
    command += ["--report-preserve-bytes"]
    # It exits with 1 where a check of its own fails; what it recorded is the subject.
    subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, cwd=folder)
    if not cassette.exists():
        raise Trouble(f"schemathesis wrote no cassette at {cassette}")
    if ending == "yaml":
        shutil.copy(cassette, folder / "recording.yaml")
    return [json.loads(line) for line in run([python, HERE / "again.py", cassette, base]).stdout.splitlines()]


def recorded(python, scratch, path, folder, base):
    """What the library shows while it records, and what its recorder shows of its own file."""
    _, library, recorder, ending = path
    recording = folder / f"recording.{ending}"
    for file in folder.glob("*"):
        if file.is_file():
            file.unlink()
    if recorder == "mitmproxy":
        before = asked_through_mitmproxy(python, scratch, base, recording)
        return before, before
    if recorder == "schemathesis":
        before = asked_by_schemathesis(scratch, base, folder, ending)
        return before, before
    before = asked(python, library, base, recorder, str(recording))
    return before, asked(python, library, base, recorder, str(recording), "play")


def walk(proctor, python, scratch, path):
    """The lines of what differs, and how many of them were told."""
    name, library, recorder, ending = path
    folder = scratch / name
    folder.mkdir(exist_ok=True)
    with Server(proctor, HERE / "crossing.yaml", "crossing") as base:
        before, played = recorded(python, scratch, path, folder, base)
    kind = "har" if ending == "har" else "vcr"
    command = [proctor, "import", kind, folder / f"recording.{ending}", "--id", name, "--into", folder]
    told = run([*command, "--keep-secrets", "--replace"]).stderr
    (folder / "told.txt").write_text(told)
    with Server(proctor, folder / f"{name}.yaml", name) as base:
        if recorder == "schemathesis":
            again = [environment(scratch, "schemathesis"), HERE / "again.py", folder / "own.yaml", base, "ask"]
            after = [json.loads(line) for line in run(again).stdout.splitlines()]
        else:
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
        if path[1] == "chromium" and not CHROMIUM:
            print(f"{path[0]:<24} left out: no Chromium is installed")
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
