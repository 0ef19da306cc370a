"""From fork to ready, beside nginx in the same round."""
import pathlib
import statistics

from measures import spread
from servers import Nginx, Proctor, write_fixtures

SHIPPED = pathlib.Path(__file__).resolve().parent.parent / "fixtures"


def bench_start(binary, folder, big_file, table, rounds):
    write_fixtures(folder / "alone", 0)
    for what, fixtures in (("start to ready, all shipped fixtures", SHIPPED), ("start to ready, one fixture", folder / "alone")):
        ours, theirs = [], []
        for number in range(rounds * 4):
            server = Proctor(binary, fixtures, checks_first=False).start()
            ours.append(server.ready_seconds)
            server.stop()
            work = folder / f"start-{fixtures.name}-{number}"
            work.mkdir()
            nginx = Nginx(work, big_file).start()
            theirs.append(nginx.ready_seconds)
            nginx.stop()
        ratios = [mine / his for mine, his in zip(ours, theirs)]
        table.add(what, f"{statistics.median(ours) * 1000:.1f} ms ({min(ours) * 1000:.1f} … {max(ours) * 1000:.1f})",
                  f"nginx {statistics.median(theirs) * 1000:.1f} ms", spread(statistics.median(ratios), min(ratios), max(ratios)))
