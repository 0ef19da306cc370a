"""What an exam costs besides the client: Proctor's own processor time for a case."""
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FAMILIES = ("plain/", "redirect/", "auth/", "cookie/")


def examine(binary, adapter):
    """Cases, Proctor's own seconds of the processor, and seconds in all."""
    begin = time.perf_counter()
    exam = subprocess.Popen(
        [binary, "exam", *FAMILIES, "--adapter", f"{adapter}", "--jobs", "4", "--ephemeral-ca",
         "--fixtures", ROOT / "fixtures"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    text = exam.stdout.read()
    # Ended but not yet waited for: its own time is still told apart from its children's.
    os.waitid(os.P_PID, exam.pid, os.WEXITED | os.WNOWAIT)
    own = pathlib.Path(f"/proc/{exam.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    exam.wait()
    found = re.search(r"^(\d[\d,]*) cases: ", text, re.M)
    if not found:
        sys.exit(f"the exam was not held:\n{text[-2000:]}")
    cases = int(found.group(1).replace(",", ""))
    return cases, sum(map(int, own)) / os.sysconf("SC_CLK_TCK"), time.perf_counter() - begin


def bench_exam(binary, adapter, table, rounds):
    sittings = [examine(binary, adapter) for _ in range(rounds)]
    own = [seconds / cases * 1000 for cases, seconds, _ in sittings]
    whole = [seconds / cases * 1000 for cases, _, seconds in sittings]
    table.add(f"exam of the reference client, {sittings[0][0]} cases: Proctor's own processor time for a case",
              f"{statistics.median(own):.2f} ms ({min(own):.2f} … {max(own):.2f})",
              f"from start to end {statistics.median(whole):.2f} ms a case", "–")
