"""Runs a program, and says what it took and what it left behind, as one line of JSON.

    measured.py SECONDS WORD PROGRAM ARGUMENT ...

The line has `status`, `seconds`, `peak` (bytes, the most memory of the program, or of a child that it has reaped), `left`
(how many processes still have WORD among the words of their command when the program has ended) and the
program's own `out` and `err`. The program is killed after SECONDS. What is left is counted again for two seconds, since a
process that was killed takes a moment to end, and then killed.
"""

import json
import os
import signal
import subprocess
import sys
import tempfile
import time


def living(word):
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = open(f"/proc/{name}/cmdline", "rb").read().split(b"\0")
            state = open(f"/proc/{name}/stat").read().rpartition(")")[2].split()[0]
        except OSError:
            continue
        if word.encode() in words and int(name) != os.getpid() and state != "Z":
            found.append(int(name))
    return found


limit, word, *command = float(sys.argv[1]), *sys.argv[2:]
with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
    begin = time.monotonic()
    child = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
    signal.signal(signal.SIGALRM, lambda *_: child.kill())
    signal.setitimer(signal.ITIMER_REAL, limit)
    _, status, usage = os.wait4(child.pid, 0)
    signal.setitimer(signal.ITIMER_REAL, 0)
    seconds = time.monotonic() - begin
    patience = time.monotonic() + 2
    while (left := living(word)) and time.monotonic() < patience:
        time.sleep(0.02)
    for process in left:
        os.kill(process, signal.SIGKILL)
    texts = {}
    for name, file in (("out", out), ("err", err)):
        file.seek(0)
        texts[name] = file.read().decode(errors="replace")
unit = 1 if sys.platform == "darwin" else 1_024
print(json.dumps({
    "status": os.waitstatus_to_exitcode(status), "seconds": seconds, "peak": usage.ru_maxrss * unit, "left": len(left), **texts}))
