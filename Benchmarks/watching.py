"""What a page that is open costs the loop that serves: the processor time of a request with a reader of the events, and without."""
import json
import pathlib
import subprocess
import urllib.request

from measures import in_turn, spread
from servers import Proctor

# So many connections that wait 2 ms before each request, and for its answer, ask somewhat more than 20,000 times a second.
CONNECTIONS = 56
PACE = """
function delay() return 2 end
function done(summary, latency, requests) io.write(string.format("%d %d\\n", summary.requests, summary.duration)) end
"""


def paced(url, seconds, script):
    """Requests a second of a paced load."""
    done = subprocess.run(["wrk", "-t1", f"-c{CONNECTIONS}", f"-d{seconds}s", "-s", str(script), url], check=True,
                          capture_output=True, text=True).stdout.split()
    requests, microseconds = int(done[-2]), int(done[-1])
    return requests / (microseconds / 1e6), requests


def loop_time(pid):
    """Nanoseconds that the one loop has had of a processor."""
    tasks = pathlib.Path(f"/proc/{pid}/task").iterdir()
    loops = [task for task in tasks if (task / "comm").read_text().startswith("proctor-loop")]
    return sum(int((task / "schedstat").read_text().split()[0]) for task in loops)


def standing_run(server):
    with urllib.request.urlopen(f"{server.base}/__proctor/runs", timeout=20) as answer:
        return next(run["run"] for run in json.load(answer)["runs"] if run["scenario"] == server.scenario)


def bench_watching(binary, folder, table, rounds, seconds):
    script = folder / "pace.lua"
    script.write_text(PACE)
    server = Proctor(binary, folder / "thousand").start()
    paced(server.small(), 1, script)
    events = f"{server.base}/__proctor/runs/{standing_run(server)}/events"
    rates = {}

    def cost(watched):
        reader = None
        if watched:
            reader = subprocess.Popen(["curl", "-sN", "-o", "/dev/null", events])
        before = loop_time(server.pid)
        rate, requests = paced(server.small(), seconds, script)
        after = loop_time(server.pid)
        if reader:
            if reader.poll() is not None:
                raise SystemExit("bench: the reader of events has ended before the load")
            reader.kill()
            reader.wait()
        rates.setdefault(watched, []).append(rate)
        return (after - before) / requests / 1000

    (alone, watched), *ratio = in_turn([False, True], cost, rounds)
    rate = sorted(rates[True])[len(rates[True]) // 2]
    table.add("a page open: processor time of the serving loop for a request", f"{watched:.2f} µs at {rate:,.0f}/s",
              f"no page {alone:.2f} µs", spread(*ratio))
    server.stop()
