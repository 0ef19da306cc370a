"""The small reply of one loop beside nginx, with the journal in memory, and with a file beside nginx's access log."""
from measures import in_turn, requests_per_second, spread
from servers import Proctor, write_fixtures


def bench_small(binary, folder, nginx, table, rounds, seconds):
    fixtures = folder / "thousand"
    write_fixtures(fixtures, 1000)
    quiet, noting = Proctor(binary, fixtures).start(), Proctor(binary, fixtures, journal=folder / "journal.jsonl").start()
    rate = lambda url: requests_per_second(url, seconds)
    for what, other, ours, theirs in (
        ("small reply, 1,000 scenarios, journal in memory", "nginx", quiet.small(), nginx.small()),
        ("the same, journal written to a file too", "nginx, access log", noting.small(), nginx.logged()),
    ):
        (his, mine), *ratio = in_turn([theirs, ours], rate, rounds)
        table.add(what, f"{mine:,.0f}/s", f"{other} {his:,.0f}/s", spread(*ratio))
    quiet.stop()
    noting.stop()
