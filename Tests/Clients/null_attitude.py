#!/usr/bin/env python3
"""A client that does everything on the wire as it should, and whose verdict on what came does not depend on it.

    null_attitude.py refuses PROGRAM [ARGUMENT...]    tells an error of each load, the right one where the load failed
    null_attitude.py accepts PROGRAM [ARGUMENT...]    tells a success of each load, and of one that failed that of a right reply
    null_attitude.py constant PROGRAM [ARGUMENT...]   tells the same success of each load
    null_attitude.py refuses=ABILITY PROGRAM …        tells an error of each load of cases that need the ability, and is right in all others

PROGRAM is an adapter of a right client, whose results are rewritten. A refusal that such a client passes shows nothing.
"""

import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.realpath(__file__)))

from deaf import lines, settings  # noqa: E402


def success(step):
    """The result of a right reply to the step."""
    told = settings(step)
    if "rpc" in told:
        return {"messages": '["right"]', "header": "grpc-status: 0"}
    return {"status": 200, "url": step["url"], "body": '{"user":"user-1"}' if "flow" in told else "hello\n"}


def changed(attitude, facts, step):
    if attitude == "refuses":
        # What was an error stays as it is, so that its code is that of the case.
        of_call = {"messages": "[]", "header": "grpc-status: 13"} if "rpc" in settings(step) else {}
        return facts if "error" in facts else {"error": "unknown", **of_call}
    return success(step) if attitude == "constant" or "error" in facts else facts


def is_of_events(assignment):
    """Whether a client tells by callbacks alone what came."""
    return any(step.get("task") in ("event-source", "event-stream") for step in assignment["steps"])


def rewritten(attitude, line, assignment):
    """A line of the trace, with another result where it has one; None where callbacks tell what the result does not."""
    try:
        event = json.loads(line)
    except ValueError:
        return line
    if "trace" in event:
        event["lanes"] = [lane for lane in event["lanes"] if lane == "harness" or is_of_events(assignment)]
    elif event.get("lane") != "harness":
        # An event source that refuses tells its error, and no event before.
        return line if event.get("ev") == "esError" else None
    elif event.get("ev") == "result" and event.get("facts", {}).get("domain") != "adapter":
        event["facts"] = changed(attitude, event["facts"], assignment["steps"][event.get("task", 0)])
    return json.dumps(event).encode() + b"\n"


def main(word, command):
    attitude, _, ability = word.partition("=")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as program:
        is_kept = os.environ.get("PROCTOR_ASSIGNMENTS") == "many"
        for text in lines():
            assignment = json.loads(text)
            is_right = ability and ability not in assignment.get("needs", [])
            program.stdin.write(text.rstrip(b"\n") + b"\n")
            program.stdin.flush()
            if not is_kept:
                program.stdin.close()
            for line in program.stdout:
                if told := line if is_right else rewritten(attitude, line, assignment):
                    sys.stdout.buffer.write(told)
                    sys.stdout.buffer.flush()
                if is_kept and not line.strip():
                    break
        if not program.stdin.closed:
            program.stdin.close()
    return program.returncode


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1].partition("=")[0] not in ("refuses", "accepts", "constant"):
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1], sys.argv[2:]))
