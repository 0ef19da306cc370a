"""Two loops against one: requests a second, and the processor time of a request."""
import statistics

from measures import in_turn, processor_seconds, requests_per_second, spread
from servers import Proctor


def bench_loops(binary, folder, table, rounds, seconds):
    one = Proctor(binary, folder / "thousand").start()
    two = Proctor(binary, folder / "thousand", threads=2).start()
    costs = {one: [], two: []}

    def rate(server):
        before = processor_seconds(server.pid)
        count = requests_per_second(server.small(), seconds)
        costs[server].append((processor_seconds(server.pid) - before) / (count * seconds))
        return count

    (a, b), *ratio = in_turn([one, two], rate, rounds)
    table.add("two loops against one (the load has a core too)", f"{b:,.0f}/s", f"one loop {a:,.0f}/s", spread(*ratio))
    shares = [double / single for single, double in zip(costs[one], costs[two])]
    single, double = (statistics.median(costs[server]) * 1e6 for server in (one, two))
    table.add("the same, processor time of the server for a request", f"{double:.1f} µs", f"one loop {single:.1f} µs",
              spread(statistics.median(shares), min(shares), max(shares)))
    one.stop()
    two.stop()
