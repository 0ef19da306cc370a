#!/usr/bin/env python3
"""Which clients are asked what, and how they are installed: those of clients/commands.tsv, which have command lines, and those that PyPI has.

    Scripts/clients.py install [NAME ...]     installs what is missing of the packages in clients/commands.tsv, and builds commands/with-NAME.* into .build/far/bin
    Scripts/clients.py names [--crawlers]     prints the names of its clients, with commas between them; with --crawlers those that follow links
    Scripts/clients.py names --retrying       prints the names of those that try again by themselves, which are asked retry/ alone
    Scripts/clients.py cases [--new]          prints the cases of clients/commands-cases.tsv; with --new those that the matrix does not have
    Scripts/clients.py cases --crawlers       prints the cases about links, robots.txt and sitemaps, which crawlers alone are asked
    Scripts/clients.py shipped                prints the names of the matrix's clients of HTTP, which the new cases are asked too
    Scripts/clients.py releases [NAME ...]    prints the releases of clients/current/history.tsv as `proctor exam --client` takes them
    Scripts/clients.py pins [NAME ...]        writes clients/current/NAME.txt anew, with the newest versions and the hashes of their wheels

`install` needs root, Debian 12 and PyPI. A client that can't be built or installed is named, and left out of the exam with its reason. `pins` needs PyPI
and the package pip-tools of the Python that runs it. Exits 0; 1 where something is missing; 2 for a wrong command line.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from ledger_text import ROOT
from records import rows, shipped
from versions import releases

TABLE, CASES = ROOT / "clients/commands.tsv", ROOT / "clients/commands-cases.tsv"
SOURCES = ROOT / "clients/commands"
LISTS = ROOT / "clients/current"
BUILD = ROOT / ".build/far"
BUILT = re.compile(r"^\S+ build: (.*)$", re.M)
# Clients that follow the links of a page; they are asked nothing else, since what they keep is no content of one load.
CRAWLERS = ("httrack", "wget-r", "wget2-r")
# Clients that try again by themselves, which are asked what that is about.
RETRYING = "-retry"
# Shipped clients of the matrix that are no client of HTTP by themselves, or another shape of one that is.
OTHERS = re.compile(r"^reference|websocket|sse|eventsource|^urlsession-protocols$|^nghttp$|^node-http2$|^websockets$")


def run(*words, **more):
    print("$", " ".join(str(word) for word in words), flush=True)
    return subprocess.run(words, **more).returncode


def is_missing(package):
    asked = subprocess.run(["dpkg-query", "-W", "-f", "${db:Status-Status}", package], capture_output=True, text=True)
    return asked.stdout != "installed"


def build(source, program):
    """Builds one source by the command in its first line; a crate of Rust with the crates that Debian has."""
    command = BUILT.search(source.read_text(encoding="utf-8"))
    if not command or program.exists() and program.stat().st_mtime > source.stat().st_mtime:
        return 0
    if command[1] != "cargo":
        line = command[1].replace("IN", str(source)).replace("OUT", str(program))
        return run("sh", "-c", line)
    crate, name = BUILD / "crates" / program.name, source.stem.removeprefix("with-")
    (crate / "src").mkdir(parents=True, exist_ok=True)
    shutil.copy(source, crate / "src/main.rs")
    (crate / "Cargo.toml").write_text(f'[package]\nname = "{program.name}"\nversion = "0.0.0"\nedition = "2021"\n[dependencies]\n{name} = "*"\n')
    (crate / ".cargo").mkdir(exist_ok=True)
    (crate / ".cargo/config.toml").write_text('[source.crates-io]\nreplace-with = "debian"\n[source.debian]\ndirectory = "/usr/share/cargo/registry"\n')
    failed = run("cargo", "build", "--offline", "--quiet", "--jobs", "1", cwd=crate)
    if not failed:
        shutil.copy(crate / "target/debug" / program.name, program)
    return failed


def install(names):
    clients = [row for row in rows(TABLE) if not names or row[0] in names]
    unknown = sorted(set(names) - {row[0] for row in clients})
    if unknown:
        sys.exit(f"clients/commands.tsv has no row {', '.join(unknown)}")
    packages = [package.split(":", 1) for row in clients for package in row[1].split()]
    debian = sorted({name for kind, name in packages if kind == "debian" and is_missing(name)})
    if debian:
        # A package that Debian does not have any more must not keep the others away.
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        apt = ["apt-get", "install", "-qq", "-y", "--no-install-recommends"]
        if run(*apt, *debian, stdout=subprocess.DEVNULL, env=environment):
            for name in debian:
                run(*apt, name, stdout=subprocess.DEVNULL, env=environment)
    pypi = sorted({name for kind, name in packages if kind == "pypi"})
    python = BUILD / "python/bin/python3"
    if pypi:
        if not python.exists():
            run(sys.executable, "-m", "venv", str(BUILD / "python"))
        if run(str(python), "-m", "pip", "install", "-q", "--only-binary", ":all:", *pypi):
            for name in pypi:
                run(str(python), "-m", "pip", "install", "-q", name)
    (BUILD / "bin").mkdir(parents=True, exist_ok=True)
    wanted = {word for row in clients for word in row[3].split() if word.startswith("far-")}
    failed = []
    for source in sorted(SOURCES.glob("with-*")):
        program = BUILD / "bin" / source.stem.replace("with-", "far-")
        if program.name in wanted and build(source, program):
            failed.append(source.name)
    if failed:
        print(f"not built: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


def pins(names):
    # What a client is installed with. What Debian's package brings along, and PyPI's does not, stands beside it.
    wanted = {name: packages.split() for name, packages, *speaks in rows(LISTS / "packages.tsv") if not speaks}
    for name in names or wanted:
        if name not in wanted:
            sys.exit(f"there is no list {name}; there are {', '.join(wanted)}")
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder) / "in.txt"
            source.write_text("\n".join(wanted[name]) + "\n", encoding="utf-8")
            subprocess.run(
                [sys.executable, "-m", "piptools", "compile", "--quiet", "--generate-hashes", "--no-annotate", "--no-header", "--upgrade",
                 "--allow-unsafe", "--strip-extras", "--no-emit-index-url", "--no-emit-find-links", "--output-file",
                 str(LISTS / f"{name}.txt"), str(source)], check=True)
    return 0


def cases(is_of_crawlers=False):
    return [case for subject, case, _ in rows(CASES) if (subject == "crawlers") == is_of_crawlers]


def main(words):
    match words:
        case ["install", *names]:
            return install(names)
        case ["pins", *names]:
            return pins(names)
        case ["names"] | ["names", "--crawlers"]:
            print(",".join(row[0] for row in rows(TABLE) if (row[0] in CRAWLERS) == (len(words) == 2) and not row[0].endswith(RETRYING)))
        case ["names", "--retrying"]:
            print(",".join(row[0] for row in rows(TABLE) if row[0].endswith(RETRYING)))
        case ["cases"] | ["cases", "--crawlers"]:
            print(" ".join(cases(len(words) == 2)))
        case ["cases", "--new"]:
            asked = {case for own in shipped("http1")["http1"].records.values() for case in own}
            print(" ".join(case for case in cases() if case not in asked))
        case ["shipped"]:
            print(",".join(name for name in shipped("http1")["http1"].headers if not OTHERS.search(name)))
        case ["releases", *names]:
            found = releases()
            print(",".join(f"{client}@{release}" for client in names or found for release in found[client]))
        case _:
            print(__doc__, file=sys.stderr)
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
