#!/usr/bin/env python3
"""Packs a built proctor for others: a tarball with one file that runs, a .deb, a container image, packages of six languages, the
sources with a formula of Homebrew (whose home page is PROCTOR_HOMEPAGE), a list of what the program is made of, and their sums.

usage: dist.py PROGRAM [--out FOLDER]

Packages are for the system and architecture of PROGRAM, which is run; off Linux only a tarball is made, with the files
beside the program. The same sources and the same program give the same bytes: times are those of SOURCE_DATE_EPOCH, else
of the last commit.
"""

import argparse
import datetime
import hashlib
import os
import pathlib
import platform
import shutil
import subprocess
import sys
import tarfile
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import deb  # noqa: E402
import gomodule  # noqa: E402
import image  # noqa: E402
import maven  # noqa: E402
import npm  # noqa: E402
import program as programs  # noqa: E402
import rubygem  # noqa: E402
import sbom  # noqa: E402
import shipped  # noqa: E402
import sources  # noqa: E402
import stage  # noqa: E402
import swiftpm  # noqa: E402
import tarball  # noqa: E402
import wheel  # noqa: E402

sys.path.insert(0, str(shipped.ROOT / "Scripts"))
import version as versions  # noqa: E402

# As the image format and Debian call them.
ARCHITECTURES = {"x86_64": "amd64", "aarch64": "arm64", "arm64": "arm64"}
# Of the program with everything inside. libc takes 1.4 MiB of it, imports, JSON Schema, OpenAPI and the gateway 1.3, addresses, DNS and Negotiate 0.4; what is generic over wires
# stands in it once for each. Fixtures, packs and the book take the last MiB: 290 scenarios, nine packs and storms came in a day.
MOST_BYTES = 35 << 20


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("program", type=pathlib.Path)
    arguments.add_argument("--out", type=pathlib.Path, default=shipped.ROOT / ".build/dist")
    given = arguments.parse_args()
    if not given.program.is_file():
        sys.exit(f"dist: there is no program '{given.program}'; make dist builds it")
    out = given.out.absolute()
    out.mkdir(parents=True, exist_ok=True)
    for old in [*out.glob("proctor*"), *out.glob("SHA256SUMS-*")]:
        old.unlink()
    with tempfile.TemporaryDirectory() as folder:
        program = pathlib.Path(folder) / "proctor"
        shutil.copyfile(given.program, program)
        program.chmod(0o755)
        made = pack(program, out)
    sums = "".join(f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.name}\n" for path in made)
    (out / f"SHA256SUMS-{platform.machine()}").write_text(sums)
    for path in made:
        print(f"{path.stat().st_size:>10}  {path}")


def pack(program: pathlib.Path, out: pathlib.Path) -> list[pathlib.Path]:
    """The packages that were made; `program` is a copy that may be changed."""
    if shipped.SIGNATURE in program.read_bytes()[-64:]:
        sys.exit("dist: the program has its files inside already; take the one that was built")
    strip(program)
    version = subprocess.run([program, "version"], capture_output=True, text=True, check=True).stdout.split()[1]
    if version != versions.current():
        sys.exit(f"dist: the program has version {version}, and {versions.PLACE} has {versions.current()}; build it anew")
    machine = platform.machine()
    time = moment()
    if platform.system() != "Linux":
        name = f"proctor-{version}-{platform.system().lower()}-{machine}"
        target = out / f"{name}.tar.gz"
        beside(target, name, program, time)
        return [target]
    architecture = ARCHITECTURES.get(machine)
    if architecture is None:
        sys.exit(f"dist: packages are made for {', '.join(ARCHITECTURES)}, and this machine is {machine}")
    name = f"proctor-{version}-{machine}"
    whole = shipped.one_file(program.read_bytes(), time)
    if len(whole) > MOST_BYTES:
        sys.exit(f"dist: the program has {len(whole)} bytes with its files; at most {MOST_BYTES} are meant")
    (out / "proctor").write_bytes(whole)
    (out / "proctor").chmod(0o755)
    made = [out / f"{name}.tar.gz", out / f"proctor_{version}_{architecture}.deb", out / f"{name}.oci.tar"]
    tarball.write(made[0], name, program, whole, time)
    facts = {"version": version, "architecture": architecture, "maintainer": of_commit("%an <%ae>") or "Proctor <proctor@example.org>"}
    with tempfile.TemporaryDirectory() as folder:
        deb.write(made[1], pathlib.Path(folder) / "root", program, facts, time)
    # It stays, as the folder that Containerfile copies.
    root = stage.fresh(out / "image")
    stage.fill(root / "usr", program, time)
    (root / "tmp").mkdir()
    (root / "tmp").chmod(0o1777)
    created = datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    image.write(made[2], root, architecture, version, time, created)
    built = programs.Program(whole, version, machine, time)
    for package in (wheel, npm, gomodule, maven, rubygem, swiftpm, sbom):
        made += package.write(out, built)
    return made + sources.write(out, version)


def strip(program: pathlib.Path) -> None:
    """Names of functions are for profiles; a crash says addresses, which the build's own program resolves."""
    tool = shutil.which("strip") or shutil.which("llvm-strip")
    if tool is None:
        sys.exit("dist: there is no strip in PATH; apt-get install binutils")
    subprocess.run([tool, program], check=True)


def moment() -> int:
    """Seconds since 1970."""
    return int(os.environ.get("SOURCE_DATE_EPOCH") or of_commit("%ct") or 0)


def of_commit(field: str) -> str:
    """What git says of the last commit; empty outside of a checkout."""
    asked = subprocess.run(
        ["git", "-C", shipped.ROOT, "log", "-1", f"--format={field}"], capture_output=True, text=True, check=False
    )
    return asked.stdout.strip() if asked.returncode == 0 else ""


def beside(target: pathlib.Path, name: str, program: pathlib.Path, time: int) -> None:
    """bin/proctor and share/proctor: an archive behind a program would break its signature on a Mac."""

    def fill(archive: tarfile.TarFile) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            stage.fill(root, program, time)
            stage.add_documents(root, program, time)
            for path in sorted(root.rglob("*")):
                if path.is_file():
                    place = f"{name}/{path.relative_to(root)}"
                    shipped.add(archive, place, path.read_bytes(), time, shipped.is_executable(path))

    target.write_bytes(shipped.packed(fill, time))


if __name__ == "__main__":
    main()
