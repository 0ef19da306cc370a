#!/usr/bin/env python3
"""Tries what the packages of Go and Java do where another user was first: as root, which becomes a second user for it.

    Scripts/dist/strangers.py

Each row of ROWS prepares the folder of caches as an attacker or an accident would, and says whether the program is unpacked and
taken, or refused. The program is a script that prints a word, packed as the real one is.
"""
import gzip
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
USER = 65534
SCRIPT = b"#!/bin/sh\necho ours\n"
FOREIGN = b"#!/bin/sh\necho theirs\n"

# The name, what stands in the folder `proctor-program` before, and what must happen. `user` is the one that unpacks.
ROWS = [
    ("nothing is there", lambda place: None, "ours"),
    ("the folder is another user's", lambda place: place.parent.mkdir(mode=0o755), "refused"),
    ("the folder of the version is another user's", lambda place: (own(place.parent), place.mkdir()), "refused"),
    ("everyone may write to the folder", lambda place: own(place.parent, 0o777), "refused"),
    ("everyone may write to the folder of the version", lambda place: (own(place.parent), own(place, 0o777)), "refused"),
    ("the folder is a link", lambda place: linked(place.parent), "refused"),
    ("the program is another user's", lambda place: (own(place.parent), own(place), write(place / "proctor", 0)), "refused"),
    ("the program is a link", lambda place: (own(place.parent), own(place), link(place / "proctor")), "refused"),
    ("everyone may write to the program",
     lambda place: (own(place.parent), own(place), write(place / "proctor", USER, 0o777)), "refused"),
    ("the program is not whole", lambda place: (own(place.parent), own(place), write(place / "proctor", USER)), "ours"),
]

GO = """package program

import "testing"

func TestPath(t *testing.T) {
	packed, name = %s, "version"
	path, err := Path()
	if err != nil { t.Fatal("refused: ", err) }
	println(path)
}
"""
JAVA = """package proctor;
public class Strangers { public static void main(String[] words) throws Exception { System.err.println(Program.path()); } }
"""


def own(path, mode=0o700):
    path.mkdir()
    os.chown(path, USER, USER)
    path.chmod(mode)


def write(path, user, mode=0o755):
    path.write_bytes(FOREIGN)
    os.chown(path, user, user)
    path.chmod(mode)


def linked(path):
    other = path.with_name("other")
    own(other)
    path.symlink_to(other)
    os.lchown(path, USER, USER)


def link(path):
    other = path.with_name("other")
    write(other, USER)
    path.symlink_to(other)
    os.lchown(path, USER, USER)


def quoted(data):
    return '"' + "".join(f"\\x{byte:02x}" for byte in data) + '"'


def go(folder):
    place = folder / "go/program"
    place.mkdir(parents=True)
    shutil.copy(ROOT / "helpers/go/program/program.go", place)
    (place / "program_test.go").write_text(GO % quoted(gzip.compress(SCRIPT)))
    (folder / "go/go.mod").write_text("module strangers\n\ngo 1.19\n")
    subprocess.run(["go", "test", "-c", "-o", folder / "program.test", "./program"], cwd=folder / "go", check=True,
                   env=os.environ | {"GOFLAGS": "-mod=mod", "GOPROXY": "off"})
    return [str(folder / "program.test")]


def java(folder):
    place = folder / "java/proctor"
    place.mkdir(parents=True)
    shutil.copy(ROOT / "helpers/java/src/proctor/Program.java", place)
    (place / "Strangers.java").write_text(JAVA)
    subprocess.run(["javac", "-d", folder / "classes", place / "Program.java", place / "Strangers.java"], check=True)
    machine = {"x86_64": "x86_64", "aarch64": "aarch_64"}[os.uname().machine]
    program = folder / f"classes/proctor/program/linux-{machine}"
    program.mkdir(parents=True)
    (program / "name").write_text("version")
    (program / "proctor.gz").write_bytes(gzip.compress(SCRIPT))
    return ["java", "-cp", str(folder / "classes"), "proctor.Strangers"]


def outcome(command, cache):
    environment = {"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(cache)}
    run = subprocess.run(command, env=environment, user=USER, group=USER, extra_groups=[], cwd="/", capture_output=True, text=True,
                         timeout=120)
    if run.returncode != 0:
        said = run.stdout + run.stderr
        return "refused" if "another user may have changed" in said else said
    return subprocess.run([run.stderr.split()[-1]], user=USER, capture_output=True, text=True, timeout=60).stdout.strip()


def main():
    if os.geteuid() != 0:
        sys.exit("strangers: only root can be two users; run it as root, as CI does")
    failures = 0
    with tempfile.TemporaryDirectory(prefix="strangers-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        makers = {"go": go, "java": java}
        for language, make in makers.items():
            if not shutil.which(language):
                print(f"strangers: {language} is not here, so its package was not tried")
                continue
            command = make(folder)
            for number, (sentence, prepare, wanted) in enumerate(ROWS):
                cache = folder / f"{language}-{number}"
                cache.mkdir()
                os.chown(cache, USER, USER)
                prepare(cache / "proctor-program/version")
                got = outcome(command, cache)
                if got != wanted:
                    failures += 1
                    print(f"strangers: {language}: {sentence}: expected {wanted}, got {got}")
    if failures:
        sys.exit(1)
    print(f"strangers: {len(ROWS)} ways to be first, tried with {' and '.join(makers)}: nothing of another user was run")


if __name__ == "__main__":
    main()
