#!/usr/bin/env python3
"""Tries what the packages of Go and Java do where another user was first: as root, which becomes a second user for it.

    Scripts/dist/strangers.py                    each way, and 100 starts of each language in a race
    Scripts/dist/strangers.py --starts 2000      the same with more starts, as at night

Each row of ROWS prepares the folder of caches as an attacker or an accident would, and says whether the program is unpacked and
taken, or refused. In the race a third user owns the folder of caches, and exchanges the folder of the program for another one
again and again, while the second user starts the program: nothing of the third may run. The program is a script that prints a
word, packed as the real one is.
"""
import argparse
import ctypes
import gzip
import json
import multiprocessing
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
USER = 65534
ATTACKER = 65533
# Of one length, which is what tells a whole program.
SCRIPT = b"#!/bin/sh\necho ours  \n"
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
    ("the program is not whole",
     lambda place: (own(place.parent), own(place), write(place / "proctor", USER, content=FOREIGN[:-2])), "ours"),
    ("the program is a pipe", lambda place: (own(place.parent), own(place), pipe(place / "proctor")), "refused"),
]

GO = """package program

import (
	"encoding/json"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"
)

func TestPath(t *testing.T) {
	packed, name = %s, "version"
	count, _ := strconv.Atoi(os.Getenv("STARTS"))
	said := map[string]int{}
	for ; count > 0; count-- {
		path, file, err := find()
		if err != nil {
			said[err.Error()]++
			// A refusal takes so little that thousands would fall into one moment of the attacker's.
			time.Sleep(time.Millisecond)
			continue
		}
		output, err := exec.Command(path).Output()
		if err != nil {
			said[err.Error()]++
		} else {
			said[strings.TrimSpace(string(output))]++
		}
		if file != nil {
			file.Close()
		}
	}
	json.NewEncoder(os.Stderr).Encode(said)
}
"""
JAVA = r"""package proctor;
public class Strangers {
    public static void main(String[] words) throws Exception {
        var said = new java.util.TreeMap<String, Integer>();
        for (var count = Integer.parseInt(System.getenv("STARTS")); count > 0; count--) {
            String word;
            try {
                var started = new ProcessBuilder(Program.path()).start();
                word = new String(started.getInputStream().readAllBytes()).trim();
                if (started.waitFor() != 0) word = "status " + started.exitValue();
            } catch (java.io.IOException e) {
                word = e.toString();
            }
            said.merge(word.replaceAll("[^ -~]|[\"\\\\]", "."), 1, Integer::sum);
        }
        var text = new StringBuilder();
        said.forEach((word, times) -> text.append(text.length() == 0 ? "{" : ",").append('"' + word + "\":" + times));
        System.err.println(text + "}");
    }
}
"""


def own(path, mode=0o700):
    path.mkdir()
    os.chown(path, USER, USER)
    path.chmod(mode)


def write(path, user, mode=0o755, content=FOREIGN):
    path.write_bytes(content)
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


def pipe(path):
    os.mkfifo(path, 0o700)
    os.chown(path, USER, USER)


def quoted(data):
    return '"' + "".join(f"\\x{byte:02x}" for byte in data) + '"'


def go(folder, system="linux"):
    """`other` is the package as other systems have it, which execute no open file."""
    module = folder / f"go-{system}"
    place = module / "program"
    place.mkdir(parents=True)
    shutil.copy(ROOT / "helpers/go/program/program.go", place)
    source = (ROOT / f"helpers/go/program/use_{system}.go").read_text()
    (place / "use.go").write_text(source.replace("//go:build !linux\n\n", ""))
    (place / "program_test.go").write_text(GO % quoted(gzip.compress(SCRIPT)))
    (module / "go.mod").write_text("module strangers\n\ngo 1.19\n")
    program = folder / f"program-{system}.test"
    subprocess.run(["go", "test", "-c", "-o", program, "./program"], cwd=module, check=True,
                   env=os.environ | {"GOFLAGS": "-mod=mod", "GOPROXY": "off"})
    return [str(program)]


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


def said(command, cache, starts, temporary):
    """How often the program said what, and how often which reason stood in its place."""
    environment = {"PATH": os.environ["PATH"], "XDG_CACHE_HOME": str(cache), "STARTS": str(starts), "TMPDIR": str(temporary)}
    if command[0] == "java":
        command = [command[0], f"-Djava.io.tmpdir={temporary}", *command[1:]]
    run = subprocess.run(command, env=environment, user=USER, group=USER, extra_groups=[], cwd="/", capture_output=True, text=True,
                         timeout=60 + starts)
    try:
        return json.loads(run.stderr.splitlines()[0])
    except (IndexError, json.JSONDecodeError):
        sys.exit(f"strangers: {' '.join(command)} said {run.stdout}{run.stderr}")


def outcome(command, cache, temporary):
    word, = said(command, cache, 1, temporary)
    return "refused" if "another user may have changed" in word else word


def exchange(cache):
    """The attacker: exchanges two folders by one call each time, so that there is always one."""
    os.setgroups([])
    os.setgid(ATTACKER)
    os.setuid(ATTACKER)
    call, current, swap = ctypes.CDLL(None).renameat2, -100, 2
    ours, theirs = (os.fsencode(cache / name) for name in ("proctor-program", "theirs"))
    isOurs = True
    while True:
        # The longer ours stands there, the more checks it passes before the other takes its place.
        time.sleep(random.uniform(0, 0.002 if isOurs else 0.0005))
        if call(current, ours, current, theirs, swap) == 0:
            isOurs = not isOurs


def race(command, folder, starts, temporary):
    """Starts while the attacker exchanges; returns what was said."""
    cache = folder / "raced"
    cache.mkdir()
    # Who owns a folder can move what others have in it, sticky or not.
    os.chown(cache, ATTACKER, ATTACKER)
    cache.chmod(0o1777)
    place = cache / "theirs/version"
    place.mkdir(parents=True)
    (place / "proctor").write_bytes(FOREIGN)
    for path in (place.parent, place, place / "proctor"):
        os.chown(path, ATTACKER, ATTACKER)
        path.chmod(0o755)
    attacker = multiprocessing.Process(target=exchange, args=(cache,), daemon=True)
    attacker.start()
    try:
        return said(command, cache, starts, temporary)
    finally:
        attacker.kill()
        attacker.join()
        shutil.rmtree(cache)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--starts", type=int, default=100, help="starts of each language in the race (default 100)")
    options = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("strangers: only root can be two users; run it as root, as CI does")
    failures, tried = 0, []
    with tempfile.TemporaryDirectory(prefix="strangers-") as name:
        folder = pathlib.Path(name)
        folder.chmod(0o755)
        temporary = folder / "temporary"
        temporary.mkdir()
        temporary.chmod(0o1777)
        makers = {"go": go, "go elsewhere": lambda folder: go(folder, "other"), "java": java}
        for language, make in makers.items():
            if not shutil.which(language.split()[0]):
                print(f"strangers: {language} is not here, so its package was not tried")
                continue
            command = make(folder)
            for number, (sentence, prepare, wanted) in enumerate(ROWS):
                cache = folder / f"{language}-{number}"
                cache.mkdir()
                os.chown(cache, USER, USER)
                prepare(cache / "proctor-program/version")
                got = outcome(command, cache, temporary)
                if got != wanted:
                    failures += 1
                    print(f"strangers: {language}: {sentence}: expected {wanted}, got {got}")
            words = race(command, folder, options.starts, temporary)
            foreign, ours = words.get("theirs", 0), words.get("ours", 0)
            tried.append(f"{language}: of {options.starts} starts in the race {foreign} ran the other user's program, {ours} their own")
            failures += bool(foreign) or sum(words.values()) != options.starts
            # What was not run must have been refused by our own check, or found moved away.
            for word in words.keys() - {"theirs", "ours"}:
                if "the program proctor" not in word and "No such file" not in word and "no such file" not in word:
                    failures += 1
                    print(f"strangers: {language}: {words[word]} starts in the race ended by: {word}")
            if os.listdir(temporary):
                failures += 1
                print(f"strangers: {language}: {len(os.listdir(temporary))} files stay in the temporary folder")
    print("\n".join(f"strangers: {line}" for line in tried))
    if failures:
        sys.exit(1)
    print(f"strangers: {len(ROWS)} ways to be first, tried with {', '.join(makers)}: nothing of another user was run")


if __name__ == "__main__":
    main()
