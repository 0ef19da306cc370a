"""What a program takes from start to end: processor seconds and the most bytes of memory.

The kernel counts the memory of a process from before its `exec`: to what a program takes it adds nothing, but it begins at
what the script that starts it has. So a small process starts all programs, which was started before the script grew.
"""
import json
import subprocess
import sys

STARTER = """
import json, os, signal, sys, time
for line in sys.stdin:
    words, patience = json.loads(line)
    begin = time.monotonic()
    child = os.fork()
    if not child:
        null = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        try:
            os.execvp(words[0], words)
        finally:
            os._exit(127)
    ended = 0
    while not ended:
        ended, status, usage = os.wait4(child, os.WNOHANG)
        if not ended and time.monotonic() - begin > patience:
            os.kill(child, signal.SIGKILL)
            os.wait4(child, 0)
            break
        time.sleep(0 if ended else 0.002)
    print(json.dumps([os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10,
                      time.monotonic() - begin] if ended else None), flush=True)
"""


class Spender:
    """Starts programs without input, whose output is dropped."""

    def __init__(self):
        self.starter = subprocess.Popen([sys.executable, "-S", "-E", "-c", STARTER], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True)

    def run(self, words, patience):
        """The exit code, processor seconds, bytes and seconds; None where it was killed after `patience` seconds."""
        print(json.dumps([[str(word) for word in words], patience]), file=self.starter.stdin, flush=True)
        return json.loads(self.starter.stdout.readline())
