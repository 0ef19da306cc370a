#!/usr/bin/env python3
"""Runs the tests of client libraries that are written against httpbin, against httpbin itself and against the pack.

usage: libraries.py PROCTOR SCRATCH [--only NAME] [--at-most SECONDS]

PROCTOR is the binary; SCRATCH a folder that keeps source distributions, environments and reports for the next time. The
libraries come from PyPI. httpbin is what pytest-httpbin serves; the pack is served by PROCTOR, and the plugin
proctor_httpbin puts it in the place of pytest-httpbin's servers. Neither run leaves loopback. Prints a table, and each
test whose outcome differs.

Exit status: 0 all alike, 1 a test is worse against the pack, or a suite could not be run, 2 wrong usage.
"""

import argparse
import collections
import contextlib
import hashlib
import json
import os
import pathlib
import signal
import subprocess
import sys
import tarfile
import time
import venv
import xml.etree.ElementTree

import suites

HERE = pathlib.Path(__file__).resolve().parent
SET_UP = 900
START = 30
OUTCOMES = ("passed", "failed", "error", "skipped", "expected to fail")


class Trouble(Exception):
    """Why a suite can't be run, with the last lines of what was tried."""


def call(command, seconds, **others):
    """Runs a program in a process group of its own, which is killed when the time is up."""
    process = subprocess.Popen(
        command,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
        **others,
    )
    try:
        output, _ = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
        raise Trouble(f"not done after {seconds} s: {' '.join(map(str, command))}\n{tail(output)}") from None
    return process.returncode, output


def tail(output):
    return output.decode("utf-8", "replace")[-2_000:]


def checked(command, **others):
    status, output = call(command, SET_UP, **others)
    if status != 0:
        raise Trouble(f"exit {status} of {' '.join(map(str, command))}\n{tail(output)}")


def source(suite, folder, pip):
    """The unpacked source distribution."""
    archives = folder / "archives"
    pattern = f"{suite.name.replace('-', '[-_]')}-{suite.version}.tar.gz"
    if not list(archives.glob(pattern)):
        wanted = f"{suite.name}=={suite.version}"
        checked(pip + ["download", "-q", "--no-deps", "--no-binary", suite.name, "--dest", archives, wanted])
    archive = next(archives.glob(pattern))
    found = hashlib.sha256(archive.read_bytes()).hexdigest()
    if found != suite.sha256:
        raise Trouble(f"{archive} has the SHA-256 {found}, not {suite.sha256}")
    unpacked = folder / archive.name.removesuffix(".tar.gz")
    if not unpacked.exists():
        with tarfile.open(archive) as contents:
            contents.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
    return unpacked


def environment(suite, folder):
    """The Python of an environment with the library and what its tests need, and the source distribution."""
    home = folder / f"{suite.name}-environment"
    python = home / "bin" / "python"
    mark = home / "requirements"
    pip = [python, "-m", "pip", "--disable-pip-version-check"]
    wanted = (f"{suite.name}=={suite.version}", *suites.COMMON, *suite.needs)
    if not python.exists():
        venv.create(home, with_pip=True)
    unpacked = source(suite, folder, pip)
    if not mark.exists() or mark.read_text() != "\n".join(wanted):
        checked(pip + ["install", "-q", unpacked, *wanted[1:]])
        mark.write_text("\n".join(wanted))
    return python, unpacked


@contextlib.contextmanager
def pack(proctor, folder):
    """Environment variables that name the pack, served on loopback until the block ends."""
    ready = folder / "ready.json"
    ready.unlink(missing_ok=True)
    command = [proctor, "serve", "--pack", "httpbin", "--port", "0", "--tls-port", "0"]
    command += ["--ca-dir", folder / "authority", "--ready-file", ready]
    with open(folder / "proctor.log", "wb") as log:
        process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=log)
    try:
        end = time.monotonic() + START
        while not ready.exists() or not ready.read_text().endswith("\n"):
            if process.poll() is not None or time.monotonic() > end:
                raise SystemExit(
                    f"libraries.py: the pack is not served:\n{(folder / 'proctor.log').read_text()[-2000:]}"
                )
            time.sleep(0.05)
        said = json.loads(ready.read_text())
        yield {"HTTPBIN_URL": said["base"], "HTTPBIN_SECURE_URL": said["tls"], "HTTPBIN_CA": said["ca"]}
    finally:
        process.terminate()
        try:
            process.wait(timeout=20)
        except subprocess.TimeoutExpired:
            process.kill()


def outcome(case):
    """What became of a test; one that its suite expects to fail is apart, since it may pass by chance."""
    for tag, name in (("failure", "failed"), ("error", "error")):
        if case.find(tag) is not None:
            return name
    skipped = case.find("skipped")
    if skipped is None:
        return "passed"
    return "expected to fail" if skipped.get("type") == "pytest.xfail" else "skipped"


def outcomes(report):
    """The outcome of each test in a report of JUnit's form."""
    cases = xml.etree.ElementTree.parse(report).iter("testcase")
    return {f"{case.get('classname')}.{case.get('name')}": outcome(case) for case in cases}


def certificates(python):
    """The file of pytest-httpbin's own authority."""
    status, output = call([python, "-m", "pytest_httpbin.certs"], SET_UP)
    if status != 0:
        raise Trouble(f"pytest-httpbin has no certificates\n{tail(output)}")
    return output.decode().strip()


def run(suite, python, unpacked, report, variables, seconds):
    report.unlink(missing_ok=True)
    clean = {
        name: value
        for name, value in os.environ.items()
        if not name.lower().endswith("_proxy") and "HTTPBIN" not in name
    }
    known = variables.get("HTTPBIN_CA") or certificates(python)
    own = {name: value.replace("{ca}", known) for name, value in suite.environment.items()}
    settings = {
        **clean,
        **own,
        **variables,
        "PYTHONPATH": str(HERE / "plugin"),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    command = [python, "-m", "pytest", "-q", "-p", "proctor_httpbin", "-p", "no:cacheprovider", f"--junitxml={report}"]
    _, output = call(command + [*suite.arguments, *suite.tests], seconds, cwd=unpacked, env=settings)
    report.with_suffix(".txt").write_bytes(output)
    if not report.exists():
        raise Trouble(f"pytest wrote no report\n{tail(output)}")
    return outcomes(report)


def counted(results):
    counts = collections.Counter(results.values())
    return ", ".join(f"{counts[outcome]} {outcome}" for outcome in OUTCOMES if counts[outcome])


def compare(suite, there, here):
    """Prints a row, and the tests that differ; whether a test is worse against the pack."""
    print(f"{suite.name} {suite.version}\thttpbin: {counted(there)}\tpack: {counted(here)}", flush=True)
    worse = False
    for test in sorted({*there, *here}):
        pair = there.get(test, "missing"), here.get(test, "missing")
        if pair[0] != pair[1] and set(pair) != {"passed", "expected to fail"}:
            worse = worse or pair[1] != "passed"
            print(f"  {test}\thttpbin: {pair[0]}\tpack: {pair[1]}")
    return worse


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("proctor", metavar="PROCTOR")
    parser.add_argument("scratch", metavar="SCRATCH", type=pathlib.Path)
    parser.add_argument("--only", metavar="NAME", choices=[suite.name for suite in suites.SUITES])
    parser.add_argument("--at-most", metavar="SECONDS", type=int, default=900, help="for one run of a suite (900)")
    options = parser.parse_args()
    folder = options.scratch.resolve()
    (folder / "archives").mkdir(parents=True, exist_ok=True)
    worse = False
    for suite in suites.SUITES:
        if options.only not in (None, suite.name):
            continue
        try:
            python, unpacked = environment(suite, folder)
            there = run(suite, python, unpacked, folder / f"{suite.name}-httpbin.xml", {}, options.at_most)
            with pack(os.path.abspath(options.proctor), folder) as variables:
                here = run(suite, python, unpacked, folder / f"{suite.name}-pack.xml", variables, options.at_most)
            worse = compare(suite, there, here) or worse
        except Trouble as trouble:
            worse = True
            print(f"{suite.name} {suite.version}\tcould not be run: {trouble}", flush=True)
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
