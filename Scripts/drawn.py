#!/usr/bin/env python3
"""Draws failed musts of all clients, for a person who reads the bytes of each and says whether it is true and fair.

    Scripts/drawn.py SEED [--count 60]                  what was drawn, from the kept results (Docs/matrix/records.jsonl.zst)
    … --today                                           without cases that are no must any more: the kept results are older than the library
    … --from FILE …                                     the same of the records of an exam, shoulds too
    … --proctor FILE --records FOLDER                   asks the drawn cases again of each client that is here, and keeps the records and timelines

A client is drawn first, each with the same chance, and then one of its failed musts, each once; so that who fails most does not fill the list.
Results of old releases are left out. Docs/inside/drawn.md has what came of it.
"""
import argparse
import functools
import pathlib
import random
import subprocess

import yaml

import records

SITTINGS = ("http1", "http2", "http3", "around", "far")
WORDS = {"http2": ("--protocol", "h2"), "http3": ("--protocol", "h3")}


def kept():
    """Sitting, client and failed musts of each client that failed some."""
    for name, sitting in records.shipped(*SITTINGS).items():
        yield from ((name, client, own) for client in sitting.headers if (own := records.failed(sitting.records[client], "must", ("fail", "known"))))


def given(files):
    """The same of files, musts and shoulds; a hang and a crash are failures too."""
    sitting = records.read(*files)
    for client in sorted(sitting.headers):
        own = [one for kind in ("must", "should") for one in records.failed(sitting.records[client], kind, ("fail", "known", "hang", "crash"))]
        if own:
            yield "exam", client, own


@functools.cache
def kinds(scenario):
    """The kind of each case of a scenario as it is today."""
    file = records.ROOT / f"fixtures/{scenario}.yaml"
    cases = yaml.safe_load(file.read_text(encoding="utf-8")).get("cases", {}) if file.exists() else {}
    return {str(name): item.get("kind", "must") for name, item in cases.items()}


def is_must(one):
    """Whether the case of a record is a must today; a row of a table, or a download, has more behind the name of its entry."""
    own = [name for name in kinds(one["scenario"]) if one["name"] == name or one["name"].startswith((name + "-", name + "@"))]
    return bool(own) and kinds(one["scenario"])[max(own, key=len)] == "must"


def draw(pools, seed, count, is_wanted):
    """Sitting, client and record of each."""
    pools, generator, drawn = list(pools), random.Random(seed), []
    while pools and len(drawn) < count:
        pool = generator.choice(pools)
        name, client, own = pool
        one = own.pop(generator.randrange(len(own)))
        if is_wanted(one):
            drawn.append((name, client, one))
        if not own:
            pools.remove(pool)
    return sorted(drawn, key=lambda one: ((*SITTINGS, "exam").index(one[0]), one[1], one[2]["case"]))


def again(proctor, folder, name, client, case):
    """The record of the case as it is asked now; None where the client is not here."""
    file = folder / f"{name}-{client}-{case.replace('/', '-').replace('#', '-')}.jsonl"
    file.unlink(missing_ok=True)
    subprocess.run(
        [proctor, "exam", case, "--client", client, "--fixtures", "fixtures", *WORDS.get(name, ()), "--ephemeral-ca", "--fail-on", "never", "--json", file],
        cwd=records.ROOT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    found = records.by_case(file) if file.exists() else {}
    return found.get(case)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seed", type=int)
    parser.add_argument("--count", type=int, default=60, help="how many (60)")
    parser.add_argument("--today", action="store_true", help="without cases that are no must any more")
    parser.add_argument("--from", dest="files", nargs="+", type=pathlib.Path, help="records of an exam")
    parser.add_argument("--proctor", help="the program that asks again")
    parser.add_argument("--records", type=pathlib.Path, help="the folder of its records")
    options = parser.parse_args()
    if bool(options.proctor) != bool(options.records):
        parser.error("give --proctor with --records")
    pools = given(options.files) if options.files else kept()
    for number, (name, client, one) in enumerate(draw(pools, options.seed, options.count, is_must if options.today else lambda _: True), 1):
        print(f"{number}. {name} {client} {one['case']}: {one['outcome']}: {one.get('reason', '')}")
        if options.proctor:
            options.records.mkdir(parents=True, exist_ok=True)
            now = again(str(pathlib.Path(options.proctor).resolve()), options.records.resolve(), name, client, one["case"])
            print("   now: " + (f"{now['outcome']}: {now.get('reason', '')}" if now else "not asked"), flush=True)


if __name__ == "__main__":
    main()
