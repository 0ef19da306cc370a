#!/usr/bin/env python3
"""Looks for words of fixtures that test nothing.

A claim tests nothing where it is held for each client that it was judged for. Of any other word, a key of a reply or of a client's program, a twin
of the scenario lacks it, or has 200 in place of a status: the word tests nothing where no verdict on any client is another one, and no claim is.

    Scripts/twins.py --proctor FILE --client FILE redirect/ cache/    scenarios of the library, by the beginnings of their ids
    … --shard K/N        every Nth scenario alone, from the Kth
    … --sample N         N scenarios, drawn by --seed
    … --keep FILE        also writes the list to FILE, a line for each word: scenario, word, cases

A twin that `proctor check` refuses is left out. FILE of --client is proctor-client-reference. The clients of a scenario are the reference client, in each shape that a fault has, its faults that Scripts/breakages.tsv
has for its family (--faults of them), and clients that look at little; of tokens, signatures, calls and webhooks a right client, its mistakes and
its attitudes (Tests/Clients/null_attitude.py). Scripts/twins.tsv has the words that may stay, each with its reason. Exits 1 where another is found.

It also lists cases that are passed by a client which is wrong in what the case asks: of a redirect to another origin, one that keeps the first Host; of a
signature that is to be refused, one that verifies none; of an alternative, a cookie or a stored response, one that has none of them.
"""
import argparse
import collections
import copy
import fnmatch
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

import yaml

import records
from ledger_text import ROOT
from marks import ABSENT

LIST = ROOT / "Scripts/twins.tsv"
# Libraries of the clients of one family (Scripts/install-packages.sh matrix-around).
ENVIRONMENT = os.environ | {"PATH": f"{ROOT}/.build/around/bin:{os.environ['PATH']}", "PROCTOR_CERTS": str(ROOT / "certs")}
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
MARK = "~"  # between the name of a scenario and the number of its twin
BROKEN = "broken"
# Fields of which each element is a word of its own: without "no-store" a reply may still have its lifetime.
LISTS = {"cache-control", "connection", "content-encoding", "vary"}
# Keys of a program without which there is no load, or none of the same kind.
KEPT = {"url", "task", "session", "method"}
NULLS = ("error", "empty", "zeros", "believer", "host")
# Nulls that do one thing of a family wrongly, which the reference client has no fault for.
OWN_NULLS = {"hsts": ("strict",)}
NEVER = ("--fail-on", "never")
# How many words of one kind are shown, and how many rows of a case a twin is asked.
SHOWN, ROWS = 3, 2
PYTHON = "/usr/bin/env python3 Tests/Clients/"
OF_FAMILIES = {
    "signature": ["", "accepts-all", "ignores-key", "ignores-digest", "ignores-coverage", "ignores-expires", "ignores-algorithm", "one-digest", "first-line", "no-request"],
    "grpc": ["", "no-trailers", "message", "flag", "http-status", "padding", "pieces"],
    "webhook": ["", "accepts-all", "refuses-all", "compares-a-part", "ignores-time", "handles-twice"],
    "oauth": [""],
    "retry": ["", "never", "for-ever", "hurries", "knows-no-dates", "keeps-its-wait", "repeats-posts", "forgets-content", "becomes-get", "new-keys", "adds-up"],
    "media": ["", "first-alone", "backwards", "forgets-redirects", "inherits-the-query", "loads-once", "believes-pages", "forgets-statuses", "keeps-titles", "lengths-alone"],
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
                    for one, field in entries(value):
                        count = len(field.value.split(",")) if str(one).lower() in LISTS and isinstance(field, yaml.ScalarNode) else 1
                        yield from ((reply + (key, one, element) for element in range(count)) if count > 1 else (reply + (key, one),))
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
    elif isinstance(parent, yaml.ScalarNode):
        elements = parent.value.split(",")
        parent.value = ",".join(elements[:key] + elements[key + 1:]).strip()
    elif isinstance(parent, yaml.MappingNode):
        parent.value = [pair for pair in parent.value if pair[0].value != key]
    else:
        del parent.value[key]
    return twin


def shown(path):
    return ".".join(str(step) for step in path)


# --- Twins --------------------------------------------------------------------------------------------------------------


def library(fixtures, folder, scenarios):
    """Writes scenarios and twins into a library; the word of each twin by its id."""
    found = {}
    for path in scenarios:
        place = folder / path.parent.relative_to(fixtures)
        if not place.exists():
            # What stands beside a scenario, as Lua and contents.
            shutil.copytree(path.parent, place, ignore=lambda parent, names: [name for name in names if name.endswith(".yaml")])
        shutil.copy(path, place / path.name)
        root = yaml.compose(path.read_text(encoding="utf-8"), Loader=LOADER)
        for number, word in enumerate(words(root)):
            if twin := without(root, word):
                name = f"{path.stem}{MARK}{number}"
                (place / f"{name}.yaml").write_text(yaml.serialize(twin, allow_unicode=True, width=1000), encoding="utf-8")
                found[f"{place.relative_to(folder)}/{name}"] = word
    return found


def sound(proctor, folder, found):
    """The twins that load; the files of the others are taken away."""
    for _ in range(9):
        done = subprocess.run([proctor, "check", folder], env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
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
        word = {"signature": "env SIGNATURE_MISTAKE={} {}", "grpc": "{1} --breaks {0}", "webhook": "{1} {0}", "retry": "{1} {0}", "media": "{1} {0}"}.get(family)
        yield program
        yield from (word.format(mistake, program) for mistake in OF_FAMILIES[family] if mistake)
        yield from (f"{PYTHON}null_attitude.py {name} {program}" for name in ("refuses", "accepts", "constant"))
        return
    faults = [(line[0], line[1].split()) for line in records.rows(ROOT / "Scripts/breakages.tsv") if len(line) > 2 and f"{family}/" in line[2]]
    shapes = dict.fromkeys(["session", *(shape for _, own in faults for shape in own)])
    yield from (f"{client} --as {shape}" for shape in shapes)
    # What looks at little tells most twins apart, so that few are left for the faults.
    yield from (f"{PYTHON}null_{name}.py" for name in (*NULLS, *OWN_NULLS.get(family, ())))
    yield from (f"{client} --as {own[0]} --break {name}" for name, own in faults[::-(-len(faults) // count) or 1])


def sit(proctor, folder, patterns, adapter, jobs, needs):
    """By scenario and case, the outcome and the state of each claim; of those patterns alone, since the shipped library is behind.

    `needs` gets the abilities that each case needs.
    """
    patterns, file = list(patterns), folder / "records.jsonl"
    file.unlink(missing_ok=True)
    while True:
        command = [proctor, "exam", *patterns, "--fixtures", folder, "--adapter", adapter, "--ephemeral-ca", "--jobs", str(jobs), "--json", file, *NEVER,
                   "--platform", ROOT / "clients/platforms/reference.yaml" if "--as" in adapter else "neutral"]
        done = subprocess.run(command, cwd=ROOT, env=ENVIRONMENT, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        # A twin may lack a row, and is told from its scenario by that.
        lacking = re.search(r"no case is named '([^']+)'", done.stderr)
        if not (lacking and lacking[1] in patterns):
            break
        patterns.remove(lacking[1])
    if not file.exists():
        sys.exit(f"no exam was held: {' '.join(map(str, command))[:2000]}\n{done.stderr[-2000:]}")
    own = {(one["scenario"], one["name"]): one for one in records.by_case(file).values()}
    needs.update({key: set(one.get("needs", [])) for key, one in own.items()})
    return {key: (one["outcome"], {claim["claim"]: claim["state"] for claim in one.get("claims", [])}) for key, one in own.items()}


def verdicts(proctor, folder, names, found, adapters, jobs, needs, has_reason):
    """What each client makes of each case, and the twins that no client told from their scenario.

    A twin is asked some rows of each case until one does, and a scenario as long as it has such a twin, or a claim that nobody has broken; so that most
    are asked once.
    """
    outcomes, left, ids = collections.defaultdict(dict), dict(found), sorted(names)
    for number, adapter in enumerate(adapters):
        before = collections.defaultdict(dict)
        for (scenario, case), one in sit(proctor, folder, [f"{id}#*" for id in ids], adapter, jobs, needs).items():
            before[scenario][case] = one
            outcomes[scenario, case][number] = one
        asked = {(id, case) for id, word in left.items() for case in rows(names[id.partition(MARK)[0]], of_word(before[id.partition(MARK)[0]], word))}
        after = sit(proctor, folder, sorted(f"{id}#{case}" for id, case in asked), adapter, jobs, needs) if asked else {}
        changed = {id for id, case in asked if after.get((id, case)) != before[id.partition(MARK)[0]].get(case)}
        left = {id: word for id, word in left.items() if id not in changed}
        ids = sorted({id.partition(MARK)[0] for id in left} | {scenario for scenario, word, _ in unbroken(names, outcomes) if not has_reason(scenario, word)})
        print(f"  {number + 1} of {len(adapters)}: {len(asked)} cases of twins, {len(left)} are left", flush=True)
        if not ids:
            break
    return outcomes, left


def rows(names, cases):
    """So many rows of each case of a file as a twin is asked."""
    own = collections.defaultdict(list)
    for case in cases:
        own[max((name for name in names if is_of(case, name)), key=len)].append(case)
    return [case for few in own.values() for case in sorted(few)[:ROWS]]


def of_word(cases, word):
    """The cases that a word can change: all, or those of the case that has it."""
    return {case: one for case, one in cases.items() if word[0] != "cases" or is_of(case, word[1])}


def is_judged(own):
    return bool({"pass", "fail"} & {outcome for outcome, _ in own.values()})


def is_of(case, name):
    """Whether a case of the records is that of the file: itself, one of its rows, or its download."""
    return case == name or case.startswith((name + "-", name + "@"))


def unbroken(names, outcomes):
    """The claims of each case of a file that no client breaks in any of its rows, although some are judged by them; with the rows."""
    states, rows = collections.defaultdict(set), collections.defaultdict(list)
    for (scenario, case), own in outcomes.items():
        if not is_judged(own):
            continue
        name = max((name for name in names[scenario] if is_of(case, name)), key=len)
        rows[scenario, name].append(case)
        for _, claims in own.values():
            for claim, state in claims.items():
                states[scenario, name, claim].add(state)
    # How a load ends is asked of each case, and no word says it.
    return [(scenario, f"cases.{name}: {claim}", rows[scenario, name]) for (scenario, name, claim), told in states.items()
            if "held" in told and BROKEN not in told and not claim.startswith("how ")]


def idle(left, outcomes):
    """The words of twins that no client told apart, where anything was judged; with the cases that were."""
    cases = collections.defaultdict(dict)
    for (scenario, case), own in outcomes.items():
        cases[scenario][case] = own
    for id, word in left.items():
        scenario = id.partition(MARK)[0]
        if judged := [case for case, own in of_word(cases[scenario], word).items() if is_judged(own)]:
            yield scenario, shown(word), judged


def drawn(options):
    """The files of the scenarios that are asked for."""
    begins = tuple(options.scenarios)
    paths = [path for path in sorted(options.fixtures.rglob("*.yaml")) if str(path.relative_to(options.fixtures)).startswith(begins)]
    paths = [path for path in paths if not any(part.startswith("_") for part in path.relative_to(options.fixtures).parts)]
    if options.shard:
        number, count = map(int, options.shard.split("/"))
        paths = paths[number - 1::count]
    return sorted(random.Random(options.seed).sample(paths, min(options.sample, len(paths)))) if options.sample else paths


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("scenarios", nargs="+", help="how their ids begin: redirect/, cache/no-store")
    parser.add_argument("--proctor", required=True, help="the program that examines")
    parser.add_argument("--client", required=True, help="proctor-client-reference")
    parser.add_argument("--fixtures", type=pathlib.Path, default=ROOT / "fixtures", help="another library than that of this tree")
    parser.add_argument("--shard", metavar="K/N", help="every Nth scenario alone")
    parser.add_argument("--sample", type=int, help="so many scenarios alone")
    parser.add_argument("--seed", type=int, default=1, help="of the sample (1)")
    parser.add_argument("--faults", type=int, default=60, help="the most faults of the reference client for each family (60)")
    parser.add_argument("--jobs", type=int, default=2, help="sittings at a time (2)")
    parser.add_argument("--keep", type=pathlib.Path, help="a file for the list")
    options = parser.parse_args()
    options.fixtures = options.fixtures.resolve()
    proctor, client = (str(pathlib.Path(path).resolve()) for path in (options.proctor, options.client))
    reasons, lines, wrong, needs = records.reasons(LIST, "scenario, word"), [], [], {}

    def reasons_of(scenario, word):
        return [one for one in reasons if fnmatch.fnmatchcase(scenario, one[0]) and fnmatch.fnmatchcase(word, one[1])]

    def has_reason(scenario, word):
        return bool(reasons_of(scenario, word))

    families = collections.defaultdict(list)
    for path in drawn(options):
        families[path.relative_to(options.fixtures).parts[0]].append(path)
    for family, paths in families.items():
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name).resolve()
            found = sound(proctor, folder, library(options.fixtures, folder, paths))
            adapters = list(clients(family, client, options.faults))
            print(f"{family}/: {len(paths)} scenarios, {len(found)} twins, {len(adapters)} clients", flush=True)
            outcomes, left = verdicts(proctor, folder, case_names(options.fixtures, paths), found, adapters, options.jobs, needs, has_reason)
            lines += [*unbroken(case_names(options.fixtures, paths), outcomes), *idle(left, outcomes)]
            for number, adapter in enumerate(adapters):
                wrong += [f"{scenario}#{case}: passed by a client that {reason}" for (scenario, case), own in outcomes.items()
                          if own.get(number, ("",))[0] == "pass" and (reason := mistake(adapter, options.fixtures, scenario, case, needs[scenario, case]))]
    used = {tuple(one[:2]) for scenario, word, _ in lines for one in reasons_of(scenario, word)}
    left = [(scenario, word, cases) for scenario, word, cases in lines if not has_reason(scenario, word)]
    kinds = collections.defaultdict(list)
    for scenario, word, _ in left:
        kinds[kind(word)].append(f"{scenario} {word}")
    for name, own in sorted(kinds.items(), key=lambda one: (-len(one[1]), one[0])):
        print(f"{name} tests nothing, {len(own)} times: {'; '.join(own[:SHOWN])}{' …' if len(own) > SHOWN else ''}")
    print("".join(f"{line}\n" for line in sorted(wrong)), end="")
    if options.keep:
        options.keep.write_text("".join(f"{scenario}\t{word}\t{' '.join(cases)}\n" for scenario, word, cases in left))
    print(f"{len(left)} words test nothing, {len(lines) - len(left)} more have a reason ({len(used)} lines); {len(wrong)} passes are wrong")
    sys.exit(1 if left or wrong else 0)


def case_names(fixtures, paths):
    """The names of the cases in each file, by scenario."""
    names = {}
    for path in paths:
        root = yaml.compose(path.read_text(encoding="utf-8"), Loader=LOADER)
        names[str(path.relative_to(fixtures).with_suffix(""))] = [name for name, _ in entries(at(root, ("cases",)))] if has(root, (), "cases") else []
    return names


def kind(word):
    """The word without numbers and names of cases: those of a kind are mended together."""
    return re.sub(r"\d+", "N", re.sub(r"^cases\.[^.:]+", "cases.*", word))


def mistake(adapter, fixtures, scenario, case, needs):
    """What the client does wrong in what the case asks; None where it asks something else."""
    if adapter.endswith("null_believer.py") and (lacking := ABSENT & needs):
        return f"has no {' and no '.join(sorted(lacking))}"
    if adapter.endswith("null_host.py") and leads_elsewhere(fixtures, scenario):
        return "sends the Host of the first origin to the second"
    return "verifies nothing" if "accepts-all" in adapter and asks_for_error(fixtures, scenario, case) else None


def asks_for_error(fixtures, scenario, case):
    """Whether any error is what the case wants."""
    root = yaml.compose((fixtures / f"{scenario}.yaml").read_text(encoding="utf-8"), Loader=LOADER)
    name = max((name for name, _ in entries(at(root, ("cases",))) if is_of(case, name)), key=len)
    facts = entries(at(root, ("cases", name, "facts"))) if has(root, ("cases", name), "facts") else []
    return any(fact.rpartition(".")[2] == "error" and dict(entries(value)).keys() == {"not"} for fact, value in facts)


def leads_elsewhere(fixtures, scenario):
    """Whether a reply of the scenario leads to another of its origins."""
    text = (fixtures / f"{scenario}.yaml").read_text(encoding="utf-8")
    root = yaml.compose(text, Loader=LOADER)
    return "Location" in text and has(root, (), "origins") and any(name != "main" for name, _ in entries(at(root, ("origins",))))


if __name__ == "__main__":
    main()
