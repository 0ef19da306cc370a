#!/usr/bin/env python3
"""Tries packages where Swift and the libraries of Proctor never were.

usage: trial.py DIST [--scratch FOLDER]

The tarball and the .deb come into an empty Debian of their own, the container image is unpacked into an empty folder. Each
must serve, and the first two must judge curl by `proctor run` in less than a second. It needs root for chroot and mount;
debootstrap fetches the empty Debian once, and it is kept in the folder.
"""

import argparse
import contextlib
import io
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tarfile
import time
import urllib.request

import links

# Seconds; the first start unpacks all files.
SOON = 1.0
PATIENCE = 20.0


class Root:
    """A folder that programs see as /, with /proc, by which the program finds itself."""

    def __init__(self, path: pathlib.Path):
        self.path = path

    def command(self, words: list[str]) -> list[str]:
        return ["chroot", str(self.path), "/usr/bin/env", "-i", "HOME=/root", "PATH=/usr/bin:/bin:/usr/sbin:/sbin", *words]

    def run(self, *words: str, wanted: int = 0) -> str:
        done = subprocess.run(self.command(list(words)), capture_output=True, text=True, timeout=PATIENCE, check=False)
        if done.returncode != wanted:
            sys.exit(f"trial: {' '.join(words)} ends with {done.returncode}:\n{done.stdout}{done.stderr}")
        return done.stdout + done.stderr

    def serve(self, what: str, program: str) -> None:
        """The server answers a client of this machine, and ends when it is told to."""
        ready = self.path / "tmp/ready.json"
        ready.unlink(missing_ok=True)
        words = [program, "serve", "--port", "0", "--ephemeral-ca", "--ready-file", "/tmp/ready.json"]
        server = subprocess.Popen(self.command(words), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        try:
            server.stdout.readline()
            if not ready.exists():
                sys.exit(f"trial: {what} does not start:\n{server.communicate(timeout=PATIENCE)[1]}")
            base = json.loads(ready.read_text())["base"]
            with urllib.request.urlopen(f"{base}/plain/get/hello", timeout=PATIENCE) as answer:
                assert answer.read() == b"hello\n", f"{what} answers something else"
        finally:
            server.terminate()
            server.communicate(timeout=PATIENCE)
        if server.returncode != 0:
            sys.exit(f"trial: {what} ends with {server.returncode}")
        print(f"{what}: serves")

    def judge(self, what: str, program: str) -> None:
        start = time.monotonic()
        said = self.run(program, "run", "plain/get", "--", "curl", "-s", "{{base}}/hello")
        taken = time.monotonic() - start
        marks = [line for line in said.splitlines() if line.startswith(("pass", "partly"))]
        if not marks:
            sys.exit(f"trial: {what} did not judge curl:\n{said}")
        print(f"{what}: {marks[0]}, after {taken * 1000:.0f} ms with the first start")
        if taken > SOON:
            sys.exit(f"trial: that is more than {SOON} s")


class Image(Root):
    """What the image holds, run as its configuration says."""

    def command(self, words: list[str]) -> list[str]:
        return ["chroot", "--userspec=65534:65534", str(self.path), *words]


@contextlib.contextmanager
def mounted(kind: str, place: pathlib.Path):
    place.mkdir(exist_ok=True)
    subprocess.run(["mount", "-t", kind, kind, place], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", place], check=True)


def debian(scratch: pathlib.Path) -> pathlib.Path:
    """An empty Debian with curl, the client that is judged."""
    folder, log = scratch / "debian", scratch / "debootstrap.log"
    if not (folder / "complete").exists():
        shutil.rmtree(folder, ignore_errors=True)
        with log.open("w") as output:
            words = ["debootstrap", "--variant=minbase", "--include=curl", "stable", str(folder)]
            if subprocess.run(words, stdout=output, stderr=output, check=False).returncode != 0:
                sys.exit(f"trial: debootstrap failed; {log} says why:\n{log.read_text()[-500:]}")
        (folder / "complete").touch()
    return folder


@contextlib.contextmanager
def empty(scratch: pathlib.Path, kind: type[Root] = Root, origin: pathlib.Path | None = None):
    """A root that nothing was done to yet. It is in memory, so that times are not those of a full disk."""
    path = scratch / "root"
    with mounted("tmpfs", path):
        if origin is not None:
            subprocess.run(["cp", "-a", f"{origin}/.", path], check=True)
        with mounted("proc", path / "proc"):
            yield kind(path)


def only(dist: pathlib.Path, pattern: str) -> pathlib.Path:
    found = list(dist.glob(pattern))
    if len(found) != 1:
        sys.exit(f"trial: expected one {pattern} in {dist}; make dist writes it")
    return found[0]


def layer(image: pathlib.Path) -> bytes:
    """The only layer of an OCI archive."""
    with tarfile.open(image) as archive:

        def blob(described: dict) -> bytes:
            return archive.extractfile(f"blobs/{described['digest'].replace(':', '/')}").read()

        index = json.load(archive.extractfile("index.json"))
        manifest = json.loads(blob(index["manifests"][0]))
        configuration = json.loads(blob(manifest["config"]))["config"]
        assert configuration["Entrypoint"] == ["/usr/bin/proctor"] and configuration["User"] == "65534:65534"
        return blob(manifest["layers"][0])


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("dist", type=pathlib.Path)
    arguments.add_argument("--scratch", type=pathlib.Path, default=pathlib.Path(".build/dist-check"))
    given = arguments.parse_args()
    if os.geteuid() != 0:
        sys.exit("trial: chroot and mount are root's; try sudo")
    scratch = given.scratch.absolute()
    scratch.mkdir(parents=True, exist_ok=True)
    origin = debian(scratch)

    with empty(scratch, origin=origin) as root:
        with tarfile.open(only(given.dist, "proctor-*-*.tar.gz")) as archive:
            archive.extractall(root.path / "opt", **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
        if dead := links.dead(root.path / "opt"):
            sys.exit("trial: the tarball has dead links: " + ", ".join(dead))
        program = "/" + str(next(root.path.glob("opt/*/proctor")).relative_to(root.path))
        root.judge("the one file", program)
        root.serve("the one file", program)
        root.run(program, "fixtures", "copy", "/root/mine", "plain")
        root.run(program, "check", "/root/mine")

    with empty(scratch, origin=origin) as root:
        shutil.copy(only(given.dist, "proctor_*.deb"), root.path / "root/proctor.deb")
        root.run("dpkg", "-i", "/root/proctor.deb")
        root.judge("the .deb", "proctor")
        root.serve("the .deb", "proctor")
        root.run("dpkg", "-r", "proctor")
        if (root.path / "usr/share/proctor").exists():
            sys.exit("trial: without the .deb, /usr/share/proctor is still there")

    with empty(scratch, Image) as root:
        with tarfile.open(fileobj=io.BytesIO(layer(only(given.dist, "proctor-*.oci.tar")))) as archive:
            archive.extractall(root.path, **({"filter": "fully_trusted"} if hasattr(tarfile, "data_filter") else {}))
        root.serve("the image", "/usr/bin/proctor")


if __name__ == "__main__":
    main()
