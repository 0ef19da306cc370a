"""Runs made and dropped over the control API, by a client that costs less than the server."""
import pathlib
import statistics
import subprocess
import sys

from measures import processor_seconds
from servers import Proctor

HERE = pathlib.Path(__file__).resolve().parent / "Clients"
CONNECTIONS = 16


def build_load(folder):
    load = folder / "run-calls"
    subprocess.run(["cc", "-O2", "-o", load, HERE / "RunCalls" / "main.c"], check=True)
    return load


def rate(load, server, seconds):
    done = subprocess.run([load, str(server.port), "bench/small", str(CONNECTIONS), str(seconds)], capture_output=True,
                          text=True, timeout=seconds + 60)
    if done.returncode != 0:
        sys.exit(f"run-calls ended with {done.returncode}: {done.stdout}{done.stderr}")
    return float(done.stdout)


def bench_runs(binary, folder, table, rounds, seconds):
    load = build_load(folder)
    server = Proctor(binary, folder / "thousand").start()
    rates, costs = [], []
    for _ in range(rounds):
        before = processor_seconds(server.pid)
        rates.append(rate(load, server, seconds))
        costs.append((processor_seconds(server.pid) - before) / (rates[-1] * seconds) * 1e6)
    server.stop()
    table.add(f"runs made and dropped, over the control API, {CONNECTIONS} connections", f"{statistics.median(rates):,.0f}/s",
              "–", f"{min(rates):,.0f} … {max(rates):,.0f}/s")
    table.add("the same, processor time of the server for each", f"{statistics.median(costs):.1f} µs", "–",
              f"{min(costs):.1f} … {max(costs):.1f} µs")
