"""How well moments are kept: sleepers of one loop by themselves, and the portions of paced replies on the wire."""
import pathlib
import statistics
import subprocess
import sys

from clients import build_command, release_folder

HERE = pathlib.Path(__file__).resolve().parent / "Clients"
COUNT, BEATS, PORTION = 1000, 300, 100
# Nanoseconds. 50,000 portions in a second are some two thirds of what one loop can write here.
SLEEP, INTERVAL = 10_000_000, 20_000_000


def write_fixture(folder):
    (folder / "bench").mkdir(parents=True, exist_ok=True)
    (folder / "bench" / "pace.yaml").write_text(f"""summary: A body in portions at fixed moments
exchanges:
  - request: GET /slow
    reply:
      status: 200
      pace: {{ bytes: {PORTION}, every: {INTERVAL // 1_000_000}ms }}
      body: {{ repeat: x, bytes: {PORTION * BEATS} }}
cases:
  get: {{ client: {{ url: /slow }}, wire: request(GET /slow) }}
""")


def figures(command):
    """Microseconds: median, 99th percentile, largest."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(f"{command[0]} ended with {done.returncode}: {done.stdout}{done.stderr}")
    count, *found = done.stdout.split()
    if int(count) < COUNT * BEATS:
        sys.exit(f"{command[0]} measured {count} moments, not {COUNT} times {BEATS}")
    return [float(word) for word in found]


def add(table, what, runs):
    median, late, worst = (statistics.median(column) for column in zip(*runs))
    best, most = min(run[1] for run in runs), max(run[1] for run in runs)
    table.add(f"{what}: half, 99 of 100, all of the moments are missed by less than",
              f"{median:.0f} µs, {late:.0f} µs, {worst / 1000:.1f} ms", "–", f"99 of 100: {best:.0f} … {most:.0f} µs")


def bench_pace(start_server, folder, table, rounds):
    subprocess.run([*build_command(), "--product", "loop-beats"], check=True, stdout=sys.stderr)
    beats = release_folder() / "loop-beats"
    arrivals = folder / "pace-arrivals"
    subprocess.run(["cc", "-O2", "-o", arrivals, HERE / "PaceArrivals" / "main.c"], check=True)
    add(table, f"{COUNT:,} sleepers of one loop, each woken every {SLEEP // 1_000_000} ms",
        [figures([beats, COUNT, SLEEP, BEATS]) for _ in range(rounds)])
    write_fixture(folder / "pace")
    server = start_server(folder / "pace")
    add(table, f"{COUNT:,} paced replies at once from one loop, {PORTION} bytes every {INTERVAL // 1_000_000} ms each",
        [figures([arrivals, server.port, "/bench/pace/slow", COUNT, PORTION, INTERVAL, BEATS]) for _ in range(rounds)])
    server.stop()
