"""What is measured from outside a process, and how two are measured in turn."""
import os
import pathlib
import re
import statistics
import subprocess
import sys


def private_memory(pid):
    """Bytes that belong to this process alone."""
    text = pathlib.Path(f"/proc/{pid}/smaps_rollup").read_text()
    return 1024 * sum(int(n) for n in re.findall(r"^Private_(?:Clean|Dirty): +(\d+)", text, re.M))


def processor_seconds(pid):
    """What all threads of a process have used, those that have ended too; by the kernel's ticks, which are 10 ms."""
    fields = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def requests_per_second(url, seconds, threads=1, script=None):
    command = ["wrk", f"-t{threads}", "-c50", f"-d{seconds}s"] + (["-s", str(script)] if script else [])
    out = subprocess.run([*command, url], capture_output=True, text=True).stdout
    if "Non-2xx" in out or "Socket errors" in out:
        sys.exit(f"wrk saw errors at {url}:\n{out}")
    return float(re.search(r"Requests/sec: +([\d.]+)", out).group(1))


def bytes_per_second(url):
    out = subprocess.run(["curl", "-sS", "-o", os.devnull, "-w", "%{speed_download} %{size_download}", url],
                         capture_output=True, text=True, check=True).stdout.split()
    if int(out[1]) != 1 << 30:
        sys.exit(f"{url} brought {out[1]} bytes, not 1 GiB")
    return float(out[0])


def in_turn(subjects, measure, rounds):
    """Measures each subject once a round, and gives the median of each and of the ratio of last to first."""
    figures = {subject: [] for subject in subjects}
    for number in range(rounds):
        # Who goes first changes, so that neither profits from a machine that warms up or slows down.
        for subject in subjects if number % 2 == 0 else list(reversed(subjects)):
            figures[subject].append(measure(subject))
    ratios = [ours / theirs for theirs, ours in zip(figures[subjects[0]], figures[subjects[-1]])]
    return [statistics.median(figures[s]) for s in subjects], statistics.median(ratios), min(ratios), max(ratios)


def spread(ratio, low, high):
    return f"{ratio:.2f} ({low:.2f} … {high:.2f})"
