#!/usr/bin/env python3
"""Checks .github/workflows: yamllint, the published schema, and that each command is one that this project runs itself.

Workflows cannot be run here. So every `run:` for Linux is `.ci/run` or a line of it, and every `make` verb and script that is
named for another system exists. The two tools come from PyPI (Scripts/lint-requirements.txt) into .build/lint-tools.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
TOOLS = ROOT / ".build/lint-tools"
PINS = ROOT / "Scripts/lint-requirements.txt"


def tools():
    """The folder of the programs, installed when the pins changed."""
    kept = TOOLS / "requirements.txt"
    if not kept.exists() or kept.read_text() != PINS.read_text():
        steps = [
            [sys.executable, "-m", "venv", "--clear", TOOLS],
            [TOOLS / "bin/python", "-m", "pip", "install", "-q", "--disable-pip-version-check", "--retries", "2", "-r", PINS],
        ]
        for step in steps:
            done = subprocess.run(step, capture_output=True, text=True)
            if done.returncode:
                sys.exit(
                    f"{done.stdout}{done.stderr}\ncheck-workflows: yamllint and check-jsonschema are missing: they come from PyPI "
                    "(Scripts/lint-requirements.txt), which needs python3-venv and the network once")
        kept.write_text(PINS.read_text())
    return TOOLS / "bin"


def commands(text):
    """The values of `run:`, each in one line; folded and literal blocks are joined."""
    lines = text.splitlines()
    for index, line in enumerate(lines):
        match = re.match(r"( *)(?:- )?run: *(.*)", line)
        if not match:
            continue
        if match[2].rstrip("-+") not in (">", "|"):
            yield match[2]
            continue
        block = []
        for further in lines[index + 1 :]:
            if further.strip() and len(further) - len(further.lstrip()) <= len(match[1]):
                break
            block.append(further.strip())
        yield " ".join(block).strip()


def faults(name, text, own, verbs):
    found = list(commands(text))
    if not found:
        yield f"{name} runs nothing"
    for command in found:
        if "ubuntu" in text and command not in own:
            yield f"{name} runs \"{command}\", which .ci/run does not; only what is run here is known to work"
        for verb in re.findall(r"(?:^|&& |; )make ([a-z-]+)", command):
            if verb not in verbs:
                yield f"{name} runs \"make {verb}\", which the Makefile has not"
        for script in re.findall(r"(?:Scripts|\.ci)/[\w.-]+", command):
            if not (ROOT / script).exists():
                yield f"{name} runs {script}, which is not there"


def verify_the_rules(own, verbs):
    """The rules must refuse what they are there for."""
    wrong = {
        "runs-on: ubuntu-latest\n- run: make bogus\n": "the Makefile has not",
        "runs-on: ubuntu-latest\n- run: swift build\n": "which .ci/run does not",
        "runs-on: macos-15\n- run: >-\n    Scripts/bogus.sh\n    --now\n": "is not there",
        "runs-on: macos-15\n": "runs nothing",
    }
    for text, sentence in wrong.items():
        if not any(sentence in fault for fault in faults("a workflow", text, own, verbs)):
            sys.exit(f"check-workflows: accepts what it should refuse ({sentence}):\n{text}")


def main():
    ci = (ROOT / ".ci/run").read_text()
    own = {".ci/run"} | {line.strip() for line in ci.splitlines() if line.startswith("make ")}
    verbs = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    verify_the_rules(own, verbs)
    workflows = sorted((ROOT / ".github/workflows").glob("*.yml"))
    found = [] if workflows else [".github/workflows is empty"]
    for path in workflows:
        found += faults(path.name, path.read_text(), own, verbs)
    for fault in found:
        print(f"check-workflows: {fault}", file=sys.stderr)
    bin = tools()
    linted = subprocess.run([bin / "yamllint", "--strict", "-c", ROOT / ".yamllint", *workflows])
    valid = subprocess.run([bin / "check-jsonschema", "--builtin-schema", "vendor.github-workflows", *workflows])
    sys.exit(bool(found) or linted.returncode != 0 or valid.returncode != 0)


if __name__ == "__main__":
    main()
