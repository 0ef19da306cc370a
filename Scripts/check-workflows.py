#!/usr/bin/env python3
"""Checks .github/workflows and action.yml: yamllint, the published schemas, and that each command is one that this project runs itself.

Workflows cannot be run here. So every `run:` for Linux is `.ci/run` or a line of it, and every `make` verb and script that is
named for another system exists. What action.yml says is held against the programs that it starts and their document.
The two tools come from PyPI (Scripts/lint-requirements.txt) into .build/lint-tools.
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


def members(text, key):
    """The names below a key of action.yml, in their order."""
    block = re.search(rf"^{key}:\n((?:  .*\n)+)", text, re.M)
    return re.findall(r"^  ([a-z-]+):", block[1], re.M) if block else []


def action_faults(text, programs, document):
    """`programs` is the text of all of them, `document` that of Docs/use/ci.md, which has a row for each input and output."""
    for key in ("main", "post"):
        started = re.search(rf"^  {key}: (.*)$", text, re.M)
        if not started or not (ROOT / started[1]).is_file():
            yield f"action.yml starts {started[1] if started else 'nothing'} as {key}, which is not there"
    uses = {
        "inputs": set(re.findall(r"runner\.(?:input|lines|flag|number)\('([a-z-]+)'", programs)),
        "outputs": set(re.findall(r"setOutput\('([a-z-]+)'", programs)),
    }
    for key, used in uses.items():
        declared = members(text, key)
        for name in sorted(used - set(declared)):
            yield f"Scripts/action uses \"{name}\", which is not among the {key} of action.yml"
        for name in declared:
            if name not in used:
                yield f"action.yml has \"{name}\" among its {key}, which nothing in Scripts/action uses"
            if not re.search(rf"^\| `{name}` \|", document, re.M):
                yield f"Docs/use/ci.md has no row for \"{name}\" of the {key} of action.yml"


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
    action = "inputs:\n  one:\noutputs:\n  two:\nruns:\n  main: bogus.js\n  post: Scripts/check-workflows.py\n"
    found = list(action_faults(action, "runner.flag('other') setOutput('two', x)", "| `one` |\n"))
    wanted = ["bogus.js as main", "\"other\", which is not among the inputs", "\"one\" among its inputs", "no row for \"two\""]
    if len(found) != len(wanted) or not all(sentence in fault for sentence, fault in zip(wanted, found)):
        sys.exit(f"check-workflows: finds {found} in an action, and should find {wanted}")


def main():
    ci = (ROOT / ".ci/run").read_text()
    own = {".ci/run"} | {line for line in map(str.strip, ci.splitlines()) if line.startswith("make ")}
    verbs = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.M))
    verify_the_rules(own, verbs)
    workflows = sorted((ROOT / ".github/workflows").glob("*.yml"))
    found = [] if workflows else [".github/workflows is empty"]
    for path in workflows:
        found += faults(path.name, path.read_text(), own, verbs)
    action = ROOT / "action.yml"
    programs = "".join(path.read_text() for path in sorted((ROOT / "Scripts/action").glob("*.js")))
    found += action_faults(action.read_text(), programs, (ROOT / "Docs/use/ci.md").read_text())
    for fault in found:
        print(f"check-workflows: {fault}", file=sys.stderr)
    bin = tools()
    linted = subprocess.run([bin / "yamllint", "--strict", "-c", ROOT / ".yamllint", *workflows, action])
    schemas = {"vendor.github-workflows": workflows, "vendor.github-actions": [action]}
    valid = [
        subprocess.run([bin / "check-jsonschema", "--builtin-schema", schema, *files]) for schema, files in schemas.items()
    ]
    sys.exit(bool(found) or any(done.returncode != 0 for done in [linted, *valid]))


if __name__ == "__main__":
    main()
