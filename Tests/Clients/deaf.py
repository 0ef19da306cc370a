#!/usr/bin/env python3
"""A client that is deaf to one key of its assignments: an adapter before whom the key is taken out, or is given its usual value.

    deaf.py KEY PROGRAM [ARGUMENT...]     hands each assignment on without KEY: `answerAfter` of a step, `session.identity`, `assignment.protocol`,
                                          or `setting.secret`, which the fragment of a step's URL says to a client of one family
    deaf.py --list FILE                   does nothing, and writes which keys an assignment has that are not as usual, and what it needs: a JSON line for each case

What the program writes is left as it is, so that a key which a case is about and that the client never saw is missing from what it did.
"""

import json
import os
import signal
import subprocess
import sys
import urllib.parse

# Abilities whose clients have settings in the fragment of each step's URL (Docs/use/oauth.md, signatures.md, grpc.md, webhooks.md).
OF_SETTINGS = {"oauth", "signatures", "grpc", "webhook"}
SETTING = "setting."

# What keys have where the case says nothing else; those that stand in every assignment get it, and are not taken out.
USUAL = {
    "method": "GET", "headers": [], "bodyForm": "data", "task": "data", "onRedirect": [{"answer": "follow"}], "onChallenge": [],
    "onResponse": "allow", "onBodyStream": "fresh", "onWillCache": "store", "suspendFor": 0, "producesResumeData": False,
    "onCanonicalize": {"answer": "accept"}, "onCanAuthenticate": True, "onCredentialStorage": True, "onShouldDecode": "decode",
    "session.end": "finish", "session.delegates": "session", "session.queue": "serial", "session.cookies": "always",
}
# Keys that may be left out.
OPTIONAL = {"onCanonicalize", "onCanAuthenticate", "onCredentialStorage", "onShouldDecode", "session.end"}
# What no client can do without: where the server is, and how the program itself is read.
KEPT = {"url", "assignment.version", "assignment.scenario", "assignment.case", "assignment.base", "assignment.deadline", "assignment.run",
        "assignment.session", "assignment.steps"}


def parts(assignment):
    """Each object of an assignment with what stands before the names of its keys."""
    yield "assignment.", assignment
    yield "session.", assignment["session"]
    for step in assignment["steps"]:
        yield "", step


# Answers that a right client comes to, by the key that counts them.
COUNTED = {"onRedirect": "redirectCount", "onChallenge": "challengeCount"}


def settings(step):
    """The settings in the fragment of a step's URL."""
    return dict(urllib.parse.parse_qsl(step["url"].partition("#")[2], keep_blank_values=True))


def said(part, name):
    """The value of a key, without answers that a right client never comes to; None where they are all."""
    value = part[name]
    return value[:part.get(COUNTED[name])] or None if name in COUNTED else value


def is_usual(key, value):
    usual = USUAL.get(key)
    # A question without an answer of the program is answered as by default.
    first = {"answer": "default"} if key == "onChallenge" else usual and usual[0] if key in COUNTED else None
    return value is None or value == usual or key in COUNTED and all(one == first for one in value)


def keys(assignment):
    """The keys that are not as usual, each once, and the settings."""
    has_settings = OF_SETTINGS & set(assignment.get("needs", []))
    told = {SETTING + name for step in assignment["steps"] if has_settings for name in settings(step)}
    return sorted(told | {before + name for before, part in parts(assignment) for name in part
                   if before + name not in KEPT and not is_usual(before + name, said(part, name))})


# Other keys that tell the same.
ALIKE = {"session.names": ("session.namesProxy", "session.resolver", "address")}


def without_setting(url, name):
    """The URL without that setting; the others stay as they are written."""
    base, sign, fragment = url.partition("#")
    kept = [one for one in fragment.split("&") if urllib.parse.unquote_plus(one.partition("=")[0]) != name]
    return base + sign + "&".join(kept)


def without(assignment, key):
    if key.startswith(SETTING):
        for step in assignment["steps"]:
            step["url"] = without_setting(step["url"], key.removeprefix(SETTING))
        return assignment
    for one in (key, *ALIKE.get(key, ())):
        for before, part in parts(assignment):
            name = one.removeprefix(before)
            if before + name != one or name not in part:
                continue
            if one in USUAL and one not in OPTIONAL:
                part[name] = USUAL[one]
            else:
                del part[name]
    return assignment


def lines():
    """The assignments: one on each line where the examiner keeps its adapters, else the only one."""
    if os.environ.get("PROCTOR_ASSIGNMENTS") == "many":
        yield from sys.stdin.buffer
    elif text := sys.stdin.buffer.read():
        yield text


def list_keys(file):
    is_kept = os.environ.get("PROCTOR_ASSIGNMENTS") == "many"
    for line in lines():
        assignment = json.loads(line)
        with open(file, "a") as listed:
            listed.write(json.dumps({"case": f"{assignment['scenario']}#{assignment['case']}", "keys": keys(assignment), "needs": assignment.get("needs", [])}) + "\n")
        print(json.dumps({"trace": "proctor", "version": 1, "client": "deaf", "lanes": ["harness"]}))
        print(json.dumps({"lane": "harness", "ev": "unimplemented", "arg": "it only lists keys"}))
        if is_kept:
            print()
        sys.stdout.flush()


def hand_on(key, command):
    with subprocess.Popen(command, stdin=subprocess.PIPE) as program:
        try:
            for line in lines():
                program.stdin.write(json.dumps(without(json.loads(line), key)).encode() + b"\n")
                program.stdin.flush()
            program.stdin.close()
        except BrokenPipeError:
            pass
        code = program.wait()
    if code < 0:
        # The client died by a signal, which is to be seen.
        signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    return code


def main(arguments):
    match arguments:
        case ["--list", file]:
            list_keys(file)
            return 0
        case [key, _, *_]:
            return hand_on(key, arguments[1:])
        case _:
            print(__doc__, file=sys.stderr)
            return 64


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
