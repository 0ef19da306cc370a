"""Sequential keep-alive GETs: the reference client beside URLSession and curl's easy interface, one process each."""
import pathlib
import statistics
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent / "Clients"


def build_command():
    """As the release of proctor is built."""
    return ["swift", "build", "-c", "release", "--package-path", HERE, "-Xswiftc", "-enforce-exclusivity=unchecked",
            "-Xswiftc", "-cross-module-optimization", *(["--static-swift-stdlib"] if sys.platform == "linux" else [])]


def release_folder():
    done = subprocess.run([*build_command(), "--show-bin-path"], capture_output=True, text=True, check=True)
    return pathlib.Path(done.stdout.strip())


def build_clients(folder):
    """How each client is run, by name."""
    # The compiler's progress is of no use in a table's place.
    subprocess.run(build_command(), check=True, stdout=sys.stderr)
    path = release_folder()
    curl = folder / "curl-easy-gets"
    subprocess.run(["cc", "-O2", "-o", curl, HERE / "CurlEasyGets" / "main.c", "-lcurl"], check=True)
    ours = path / "reference-gets"
    return {
        "curl": lambda url, count: [curl, url, count],
        "URLSession": lambda url, count: [path / "urlsession-gets", url, count],
        "ours": lambda url, count: [ours, url, count],
        "our tasks": lambda url, count: [ours, url, count, "--tasks"],
    }


def gets_per_second(command):
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
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
            figures[name].append(gets_per_second(programs[name](server.small(), str(count))))
    server.stop()
    for ours, theirs, what in (("ours", "curl", "on one thread, beside curl's easy interface"),
                               ("our tasks", "URLSession", "by tasks with handlers, beside URLSession")):
        ratios = [mine / other for mine, other in zip(figures[ours], figures[theirs])]
        table.add(f"reference client, sequential keep-alive GETs {what}",
                  f"{statistics.median(figures[ours]):,.0f}/s", f"{theirs} {statistics.median(figures[theirs]):,.0f}/s",
                  f"{statistics.median(ratios):.2f} ({min(ratios):.2f} … {max(ratios):.2f})")
