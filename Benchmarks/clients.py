"""Sequential keep-alive GETs: the reference client beside URLSession and curl's easy interface, one process each."""
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent / "Clients"


def build_clients(folder):
    """The three programs by name, built as the release of proctor is."""
    build = ["swift", "build", "-c", "release", "--package-path", HERE, "-Xswiftc", "-enforce-exclusivity=unchecked",
             "-Xswiftc", "-cross-module-optimization", *(["--static-swift-stdlib"] if sys.platform == "linux" else [])]
    # The compiler's progress is of no use in a table's place.
    subprocess.run(build, check=True, stdout=sys.stderr)
    path = subprocess.run([*build, "--show-bin-path"], capture_output=True, text=True, check=True).stdout.strip()
    curl = folder / "curl-easy-gets"
    subprocess.run(["cc", "-O2", "-o", curl, HERE / "CurlEasyGets" / "main.c", "-lcurl"], check=True)
    return {
        "curl's easy interface": [curl],
        "URLSession": [pathlib.Path(path) / "urlsession-gets"],
        "reference client": [pathlib.Path(path) / "reference-gets"],
    }


def gets_per_second(command, url, count):
    done = subprocess.run([*command, url, str(count)], capture_output=True, text=True, timeout=300)
    if done.returncode != 0:
        sys.exit(f"{command[0]} ended with {done.returncode}: {done.stdout}{done.stderr}")
    return float(done.stdout)


def bench_clients(start_server, folder, table, rounds, count=20000):
    programs = build_clients(folder)
    server = start_server()
    figures = {name: [] for name in programs}
    for number in range(rounds):
        names = list(programs)
        for name in names if number % 2 == 0 else reversed(names):
            figures[name].append(gets_per_second(programs[name], server.small(), count))
    server.stop()
    ours = figures["reference client"]
    for name in programs:
        if name == "reference client":
            continue
        ratios = [mine / theirs for mine, theirs in zip(ours, figures[name])]
        table.add(f"sequential keep-alive GETs, reference client beside {name}",
                  f"{statistics.median(ours):,.0f}/s", f"{name} {statistics.median(figures[name]):,.0f}/s",
                  f"{statistics.median(ratios):.2f} ({min(ratios):.2f} … {max(ratios):.2f})")
