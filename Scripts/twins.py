#!/usr/bin/env python3
"""Looks for words of fixtures that test nothing.

A claim tests nothing where it is held for each client that it was judged for. Of any other word, a key of a reply or of a client's program, a twin
of the scenario lacks it, or has 200 in place of a status: the word tests nothing where no verdict on any client is another one, and no claim is.

    Scripts/twins.py --proctor FILE --client FILE redirect/ cache/    scenarios of the library, by the beginnings of their ids
    … --shard K/N        every Nth scenario alone, from the Kth
    … --sample N         N scenarios, drawn by --seed
    … --keep FILE        also writes the list to FILE, a line for each word: scenario, word, cases

A twin that `proctor check` refuses is left out. FILE of --client is proctor-client-reference. The clients of a scenario are the reference client, its faults that Scripts/breakages.tsv
has for its family (--faults of them), and clients that look at little; of tokens, signatures, calls and webhooks a right client, its mistakes and
its attitudes (Tests/Clients/null_attitude.py). Scripts/twins.tsv has the words that may stay, each with its reason. Exits 1 where another is found.

It also lists cases that are passed by a client which is wrong in what the case asks: of a redirect to another origin, one that keeps the first Host.
"""
import argparse
import collections
import copy
import fnmatch
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile

import yaml

import records
from ledger_text import ROOT

LIST = ROOT / "Scripts/twins.tsv"
# Libraries of the clients of one family (Scripts/install-packages.sh matrix-around).
ENVIRONMENT = os.environ | {"PATH": f"{ROOT}/.build/around/bin:{os.environ['PATH']}"}
MARK = "~"  # between the name of a scenario and the number of its twin
BROKEN = "broken"
# Keys of a program without which there is no load, or none of the same kind.
KEPT = {"url", "task", "session", "method"}
NULLS = ("error", "empty", "zeros", "believer", "host")
NEVER = ("--fail-on", "never")
PYTHON = "/usr/bin/env python3 Tests/Clients/"
OF_FAMILIES = {
    "signature": ["", "accepts-all", "ignores-key", "ignores-digest", "ignores-coverage", "ignores-expires", "ignores-algorithm", "one-digest", "first-line", "no-request"],
    "grpc": ["", "no-trailers", "message", "flag", "http-status", "padding", "pieces"],
    "webhook": ["", "accepts-all", "refuses-all", "compares-a-part", "ignores-time", "handles-twice"],
    "oauth": [""],
}


# --- Words --------------------------------------------------------------------------------------------------------------


def entries(node):
    """Each value of a mapping with its key, or of a list with its number."""
    if isinstance(node, yaml.MappingNode):
        return [(key.value, value) for key, value in node.value]
    return list(enumerate(node.value)) if isinstance(node, yaml.SequenceNode) else []


def at(node, path):
    for step in path:
        node = dict(entries(node))[step]
    return node


def each(node, path):
    """Node and path of each item of a list, or of what stands in its place."""
    value = at(node, path)
    return [path + (key,) for key, _ in entries(value)] if isinstance(value, yaml.SequenceNode) else [path]


def has(node, path, key):
    return key in dict(entries(at(node, path)))


def words(root):
    """The path of each word that can go."""
    for exchange in each(root, ("exchanges",)) if has(root, (), "exchanges") else []:
        if not has(root, exchange, "reply"):
            continue
        for reply in each(root, exchange + ("reply",)):
            for key, value in entries(at(root, reply)):
                if key in ("headers", "trailers") and not isinstance(value, yaml.ScalarNode) or key == "effects" and isinstance(value, yaml.SequenceNode):
                    yield from (reply + (key, one) for one, _ in entries(value))
                elif key not in ("script", "headers", "do"):
                    yield reply + (key,)
    for name, item in entries(at(root, ("cases",))) if has(root, (), "cases") else []:
        case = ("cases", name)
        if has(item, (), "given"):
            yield from (case + ("given", one) for one, _ in entries(at(item, ("given",))))
        for step in each(root, case + ("client",)):
            for key, value in entries(at(root, step)):
                if key in ("headers", "session") and isinstance(value, yaml.MappingNode):
                    yield from (step + (key, one) for one, _ in entries(value))
                elif key not in KEPT:
                    yield step + (key,)


def without(root, path):
    """A copy of the scenario without that word; a status is 200 in its place."""
    twin = copy.deepcopy(root)
    parent, key = at(twin, path[:-1]), path[-1]
    if key == "status" and path[0] == "exchanges":
        node = at(twin, path)
        if node.value == "200":
            return None
        node.value = "200"
    elif isinstance(parent, yaml.MappingNode):
        parent.value = [pair for pair in parent.value if pair[0].value != key]
    else:
        del parent.value[key]
    return twin


def shown(path):
    return ".".join(str(step) for step in path)


# --- Twins --------------------------------------------------------------------------------------------------------------


def library(folder, scenarios):
    """Writes scenarios and twins into a library; the word of each twin by its id."""
    found = {}
    for path in scenarios:
        place = folder / path.parent.relative_to(ROOT / "fixtures")
        if not place.exists():
            # What stands beside a scenario, as Lua and contents.
            shutil.copytree(path.parent, place, ignore=lambda parent, names: [name for name in names if name.endswith(".yaml")])
        shutil.copy(path, place / path.name)
        root = yaml.compose(path.read_text(encoding="utf-8"))
        for number, word in enumerate(words(root)):
            if twin := without(root, word):
                name = f"{path.stem}{MARK}{number}"
                (place / f"{name}.yaml").write_text(yaml.serialize(twin, allow_unicode=True, width=1000), encoding="utf-8")
                found[f"{place.relative_to(folder)}/{name}"] = word
    return found


def sound(proctor, folder, found):
    """The twins that load; the files of the others are taken away."""
    for _ in range(9):
        done = subprocess.run([proctor, "check", folder], stdin=subprocess.DEVNULL, capture_output=True, text=True)
        broken = {id for id in found if f"{id}.yaml:" in done.stdout + done.stderr}
        for id in broken:
            (folder / f"{id}.yaml").unlink()
            del found[id]
        if not broken:
            return found
    sys.exit(f"twins that do not load are left: {done.stderr[:2000]}")


def clients(family, client, count):
    """The adapters that are asked, the right one first."""
    if family in OF_FAMILIES:
        program = {"oauth": "clients/adapters/authlib", "grpc": "/usr/bin/python3 Tests/Clients/rpc_client.py"}.get(family, f"Tests/Clients/{family}_client.py")
        word = {"signature": "env SIGNATURE_MISTAKE={} {}", "grpc": "{1} --breaks {0}", "webhook": "{1} {0}"}.get(family)
        yield program
        yield from (word.format(mistake, program) for mistake in OF_FAMILIES[family] if mistake)
        yield from (f"{PYTHON}null_attitude.py {name} {program}" for name in ("refuses", "accepts", "constant"))
        return
    yield f"{client} --as session"
    faults = [line[0] for line in records.rows(ROOT / "Scripts/breakages.tsv") if len(line) > 2 and f"{family}/" in line[2]]
    yield from (f"{client} --as session --break {name}" for name in faults[:count])
    yield from (f"{PYTHON}null_{name}.py" for name in NULLS)


def verdicts(proctor, folder, ids, adapters, jobs):
    """By scenario, case and adapter, the outcome and the state of each claim; of those scenarios and their twins alone, since the shipped library is behind."""
    found, cases = collections.defaultdict(dict), [pattern for id in ids for pattern in (f"{id}#*", f"{id}{MARK}*")]
    for number, adapter in enumerate(adapters):
        command = [proctor, "exam", *cases, "--fixtures", folder, "--adapter", adapter, "--platform", "reference" if "--as" in adapter else "neutral",
                   *NEVER, "--ephemeral-ca", "--jobs", str(jobs), "--json", folder / "records.jsonl"]
        (folder / "records.jsonl").unlink(missing_ok=True)
        done = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if not (folder / "records.jsonl").exists():
            sys.exit(f"no exam was held: {' '.join(map(str, command))}\n{done.stderr[-2000:]}")
        for case, record in records.by_case(folder / "records.jsonl").items():
            claims = {claim["claim"]: claim["state"] for claim in record.get("claims", [])}
            found[record["scenario"], record["name"]][number] = (record["outcome"], claims)
    return found


def is_judged(own):
    return bool({"pass", "fail"} & {outcome for outcome, _ in own.values()})


def is_of(case, name):
    """Whether a case of the records is that of the file: itself, one of its rows, or its download."""
    return case == name or case.startswith((name + "-", name + "@"))


def unbroken(outcomes):
    """The claims of each case of a file that no client breaks in any of its rows, although some are judged by them; with the rows."""
    states, rows = collections.defaultdict(set), collections.defaultdict(list)
    for (scenario, case), own in outcomes.items():
        if MARK in scenario or not is_judged(own):
            continue
        root = yaml.compose((ROOT / "fixtures" / f"{scenario}.yaml").read_text(encoding="utf-8"))
        name = max((name for name, _ in entries(at(root, ("cases",))) if is_of(case, name)), key=len)
        rows[scenario, name].append(case)
        for _, claims in own.values():
            for claim, state in claims.items():
                states[scenario, name, claim].add(state)
    # How a load ends is asked of each case, and no word says it.
    return [(scenario, f"cases.{name}: {claim}", rows[scenario, name]) for (scenario, name, claim), told in states.items()
            if "held" in told and BROKEN not in told and not claim.startswith("how ")]


def idle(found, outcomes):
    """The words whose twin has the same verdicts and claims in each case that anything was judged in; with the cases that it has."""
    by_scenario = collections.defaultdict(dict)
    for (scenario, case), own in outcomes.items():
        by_scenario[scenario][case] = own
    for id, word in found.items():
        before, after = by_scenario[id.partition(MARK)[0]], by_scenario[id]
        cases = [case for case in before if word[0] != "cases" or is_of(case, word[1])]
        judged = [case for case in cases if is_judged(before[case])]
        if judged and all(after.get(case) == before[case] for case in judged):
            yield id.partition(MARK)[0], shown(word), judged


def drawn(options):
    """The files of the scenarios that are asked for."""
    begins = tuple(options.scenarios)
    paths = [path for path in sorted((ROOT / "fixtures").rglob("*.yaml")) if str(path.relative_to(ROOT / "fixtures")).startswith(begins)]
    paths = [path for path in paths if not any(part.startswith("_") for part in path.parts)]
    if options.shard:
        number, count = map(int, options.shard.split("/"))
        paths = paths[number - 1::count]
    return sorted(random.Random(options.seed).sample(paths, min(options.sample, len(paths)))) if options.sample else paths


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenarios", nargs="+", help="how their ids begin: redirect/, cache/no-store")
    parser.add_argument("--proctor", required=True, help="the program that examines")
    parser.add_argument("--client", required=True, help="proctor-client-reference")
    parser.add_argument("--shard", metavar="K/N", help="every Nth scenario alone")
    parser.add_argument("--sample", type=int, help="so many scenarios alone")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    parser.add_argument("--faults", type=int, default=60, help="the most faults of the reference client for each family (60)")
    parser.add_argument("--jobs", type=int, default=2, help="sittings at a time (2)")
    parser.add_argument("--keep", type=pathlib.Path, help="a file for the list")
    options = parser.parse_args()
    proctor, client = (str(pathlib.Path(path).resolve()) for path in (options.proctor, options.client))
    reasons, lines, wrong = records.reasons(LIST, "scenario, word"), [], []
    families = collections.defaultdict(list)
    for path in drawn(options):
        families[path.relative_to(ROOT / "fixtures").parts[0]].append(path)
    for family, paths in families.items():
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name).resolve()
            found = sound(proctor, folder, library(folder, paths))
            adapters = list(clients(family, client, options.faults))
            print(f"{family}/: {len(paths)} scenarios, {len(found)} twins, {len(adapters)} clients", flush=True)
            ids = [str(path.relative_to(ROOT / "fixtures").with_suffix("")) for path in paths]
            outcomes = verdicts(proctor, folder, ids, adapters, options.jobs)
            lines += [*unbroken(outcomes), *idle(found, outcomes)]
            host = [number for number, adapter in enumerate(adapters) if adapter.endswith("null_host.py")]
            wrong += [f"{scenario}#{case}" for (scenario, case), own in outcomes.items() if MARK not in scenario for number in host
                      if {own.get(one, ("",))[0] for one in (number, adapters.index(f"{PYTHON}null_believer.py"))} == {"pass"} and leads_elsewhere(scenario)]
    used = {tuple(line[:2]) for line in reasons for scenario, word, _ in lines if fnmatch.fnmatchcase(scenario, line[0]) and fnmatch.fnmatchcase(word, line[1])}
    left = [(scenario, word, cases) for scenario, word, cases in lines
            if not any(fnmatch.fnmatchcase(scenario, one[0]) and fnmatch.fnmatchcase(word, one[1]) for one in reasons)]
    for scenario, word, cases in left:
        print(f"{scenario}: {word} tests nothing in {', '.join(cases[:4])}{' …' if len(cases) > 4 else ''}")
    for case in wrong:
        print(f"{case}: passed by a client that sends the Host of the first origin to the second")
    if options.keep:
        options.keep.write_text("".join(f"{scenario}\t{word}\t{' '.join(cases)}\n" for scenario, word, cases in left))
    print(f"{len(left)} words test nothing, {len(lines) - len(left)} more have a reason ({len(used)} lines); {len(wrong)} cases are passed with a wrong Host")
    sys.exit(1 if left or wrong else 0)


def leads_elsewhere(scenario):
    """Whether a reply of the scenario leads to another of its origins."""
    text = (ROOT / "fixtures" / f"{scenario}.yaml").read_text(encoding="utf-8")
    root = yaml.compose(text)
    return "Location" in text and has(root, (), "origins") and any(name != "main" for name, _ in entries(at(root, ("origins",))))


if __name__ == "__main__":
    main()
