"""What exams and storms cost besides the client: Proctor's own processor time for a case, and for a load."""
import os
import pathlib
import re
import statistics
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FAMILIES = ("plain/", "redirect/", "auth/", "cookie/")


def ask(binary, adapter, words, count):
    """What `count` finds in the output, Proctor's own seconds of the processor, and seconds in all."""
    begin = time.perf_counter()
    program = subprocess.Popen(
        [binary, *words, "--adapter", f"{adapter}", "--ephemeral-ca", "--fixtures", ROOT / "fixtures"],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    text = program.stdout.read()
    # Ended but not yet waited for: its own time is still told apart from its children's.
    os.waitid(os.P_PID, program.pid, os.WEXITED | os.WNOWAIT)
    own = pathlib.Path(f"/proc/{program.pid}/stat").read_text().rsplit(")", 1)[1].split()[11:13]
    program.wait()
    found = re.search(count, text, re.M)
    if not found:
        sys.exit(f"{words[0]} did not come to its end:\n{text[-2000:]}")
    return int(found[1].replace(",", "")), sum(map(int, own)) / os.sysconf("SC_CLK_TCK"), time.perf_counter() - begin


def examine(binary, adapter):
    return ask(binary, adapter, ["exam", *FAMILIES, "--jobs", "4"], r"^(\d[\d,]*) cases: ")


def bench_exam(binary, adapter, table, rounds):
    sittings = [examine(binary, adapter) for _ in range(rounds)]
    own = [seconds / cases * 1000 for cases, seconds, _ in sittings]
    whole = [seconds / cases * 1000 for cases, _, seconds in sittings]
    table.add(f"exam of the reference client, {sittings[0][0]} cases: Proctor's own processor time for a case",
              f"{statistics.median(own):.2f} ms ({min(own):.2f} … {max(own):.2f})",
              f"from start to end {statistics.median(whole):.2f} ms a case", "–")


def bench_storm(binary, adapter, table, rounds):
    """Schedules of seed 1 over all protocols, with their faults, which the client has to stand."""
    words = ["storm", "--seed", "1", "--loads", "20000"]
    storms = [ask(binary, adapter, words, r": (\d+) loads in .*; no invariant was broken") for _ in range(rounds)]
    rates = [loads / seconds for loads, _, seconds in storms]
    own = statistics.median(seconds / loads * 1_000_000 for loads, seconds, _ in storms)
    table.add(f"storm of the reference client, {storms[0][0]:,} loads with their faults: loads a second",
              f"{statistics.median(rates):,.0f}/s", f"Proctor's own processor time for a load {own:.0f} µs",
              f"{min(rates):,.0f} … {max(rates):,.0f}/s")
