#!/usr/bin/env python3
"""Has clients that look at nothing sit each must, and keeps the tables of Docs/inside/marks.md: a must that one of them passes tests nothing.

    Scripts/marks.py --proctor FILE              examines each of Tests/Clients/null_*.py over HTTP/1.1 and HTTP/2, and checks what they pass
    Scripts/marks.py --proctor FILE --write      puts the table into the page too
    Scripts/marks.py --records FOLDER            judges the records of an earlier run, without an exam

    … --shard K/N                                asks every Nth case alone, from the Kth; --records FOLDER with those of all shards judges the whole
    … --only PART                                `clients`, `attitudes`, `abilities` or `ledgers` alone (may be given again)
    … --client FILE                              proctor-client-reference, which `abilities` needs

It also has null_nothing.py sit the cases of each shipped ledger under that ledger: none of them may be known. And clients of each family
of tokens, signatures, calls, webhooks and media whose verdict does not depend on what came (Tests/Clients/null_attitude.py, deaf.py) sit their
family: none of them may pass a must or a should that asks for a refusal, whose fixture says `given:` or `error: { not: null }`. For each
ability a client that is right in all else, and tells an error of each load of the cases that need it, sits these cases (`abilities`): it may
pass none either.

Scripts/marks.tsv lists the musts that a client may pass although it looks at nothing, each with its reason, ten at most.
What null_believer.py passes is judged by rule: no case that needs an ability which it does not have. Exits 1 where something else was passed.
"""
import argparse
import collections
import fnmatch
import json
import pathlib
import re
import sys

import records
from ledger_text import ROOT, deviations, filled

PAGE = ROOT / "Docs/inside/marks.md"
LIST = ROOT / "Scripts/marks.tsv"
MOST_EXCUSED = 10
# In the order of what they do; the last one is judged by rule.
CLIENTS = ["nothing", "closes", "waits", "error", "empty", "zeros", "believer"]
BELIEVER = "believer"
# What the believer declares and does not have, and a case cannot be met without.
ABSENT = {"alt-svc", "cache", "cookie-jar"}
NEVER = ("--fail-on", "never")
# A right client of each family, and the setting of its fragment that is its secret; of a call there is none.
FAMILIES = {
    "oauth": ("clients/adapters/authlib", "secret"), "signature": ("Tests/Clients/signature_client.py", "key"),
    "grpc": ("/usr/bin/python3 Tests/Clients/rpc_client.py", None), "webhook": ("Tests/Clients/webhook_client.py", "secret"),
    "media": ("Tests/Clients/media_client.py", None),
}
ATTITUDES = ("refuses", "accepts", "constant", "secretless")
# Abilities by which a program ends its loads itself, so that an error is what it asks for, and no load of the same kind succeeds.
BY_PROGRAM = {"cancel", "challenge-cancel", "challenges-in-turn", "answer-later", "redirect-cancel", "redirect-per-answer", "response-answers", "resume",
              "session-end", "suspend", "time-limit-silence", "time-limit-total"}
# Right clients of abilities that the reference client lacks and no family above has.
MEDIA, RETRY = "/usr/bin/env python3 Tests/Clients/media_client.py", "/usr/bin/env python3 Tests/Clients/retry_client.py"
RIGHT = {
    "cors": "clients/adapters/chromium", "hls": MEDIA, "dash": MEDIA, "icy": MEDIA, "mixed-replace": MEDIA, "retry": RETRY, "retry-after": RETRY,
    "retry-broken": RETRY, "retry-pauses": RETRY, "idempotency-key": RETRY,
}
PARTS = ("clients", "attitudes", "abilities", "ledgers")
PROTOCOLS = {"HTTP/1.1": "", "HTTP/2": "--protocol h2"}


def columns():
    """Client and protocol of each exam."""
    return [(client, name) for client in CLIENTS for name in PROTOCOLS if (client, name) != (BELIEVER, "HTTP/2")]


def examine(proctor, folder, jobs, shard, cases):
    for client, protocol in columns():
        print(f"null_{client}.py over {protocol}", flush=True)
        records.exam(proctor, null(client), path(folder, client, protocol), *PROTOCOLS[protocol].split(), *NEVER, *shard, cases=cases, jobs=jobs)


def attitude(name, family):
    """The adapter of a client of a family with that attitude; None where there is none."""
    client, secret = FAMILIES[family]
    if name == "secretless":
        return secret and f"/usr/bin/env python3 Tests/Clients/deaf.py setting.{secret} {client}"
    # Of a webhook the answer is the verdict, and no result.
    if family == "webhook":
        return {"refuses": f"{client} refuses-all", "accepts": f"{client} accepts-all", "constant": f"/usr/bin/env python3 Tests/Clients/null_attitude.py constant {client} refuses-all"}[name]
    return f"/usr/bin/env python3 Tests/Clients/null_attitude.py {name} {client}"


def examine_attitudes(proctor, folder, jobs, shard):
    for family in FAMILIES:
        for name in ATTITUDES:
            if adapter := attitude(name, family):
                print(f"{family}/ by a client that {'has no secret' if name == 'secretless' else name}", flush=True)
                records.exam(proctor, adapter, folder / f"{family}-{name}.jsonl", *NEVER, *shard, cases=[f"{family}/"], jobs=jobs)


def refusals(family, setting=None):
    """The beginnings of the names of cases that ask for a refusal, as `SCENARIO#CASE`; those alone whose program has that setting."""
    for file in sorted((ROOT / "fixtures" / family).glob("*.yaml")):
        cases = file.read_text(encoding="utf-8").partition("\ncases:\n")[2]
        for block in re.split(r"(?m)^(?=  \w[\w.-]*:$)", cases):
            if re.search(r'(?m)^    given:|error"?: \{ not: null \}', block) and (not setting or f"{setting}=" in block):
                yield f"{family}/{file.stem}#{block.strip().partition(':')[0]}"


def passed_refusals(folder, family, name):
    """How many refusals a client was asked for, and those that it passed."""
    begins = tuple(refusals(family, FAMILIES[family][1] if name == "secretless" else None))
    own = [one for file in found(folder, f"{family}-{name}.jsonl") for one in records.by_case(file).values() if one["case"].startswith(begins)]
    asked = [one for one in own if one["kind"] != "observes" and one["outcome"] not in ("skipped", "lacks", "not-in-this-adapter")]
    excused = [case for client, case in excuses() if client == name]
    passed = [one["case"] for one in asked if one["outcome"] == "pass"]
    return len(asked), [case for case in passed if not any(fnmatch.fnmatchcase(case, pattern) for pattern in excused)]


def table_of_attitudes(folder):
    """The table of refusals by family and attitude, and a fault for each one that was passed."""
    lines, faults = ["| family | " + " | ".join(ATTITUDES) + " |", "|---|" + "---:|" * len(ATTITUDES)], []
    for family in FAMILIES:
        cells = []
        for name in ATTITUDES:
            asked, passed = passed_refusals(folder, family, name)
            cells.append(f"**{len(passed)}** of {asked}" if asked else "–")
            faults += [f"a client of {family}/ that {'has no secret' if name == 'secretless' else name} passes {case}" for case in passed]
        lines.append(f"| `{family}/` | " + " | ".join(cells) + " |")
    return "\n".join(lines), faults


def library(proctor, folder, jobs):
    """The musts of the library, and by ability the cases that need it; both are kept in the folder for the shards behind."""
    file, asked, by_ability = folder / "needs.jsonl", folder / "asked.jsonl", collections.defaultdict(set)
    if not (file.exists() and asked.exists()):
        records.exam(proctor, f"/usr/bin/env python3 Tests/Clients/deaf.py --list {file}", asked, "--platform", "reference", *NEVER, cases=["*"], jobs=jobs)
    for line in file.read_text().splitlines():
        one = json.loads(line)
        for ability in one["needs"]:
            by_ability[ability].add(one["case"])
    return sorted(case for case, one in records.by_case(asked).items() if one["kind"] == "must"), by_ability


def examine_abilities(proctor, client, folder, jobs, shard, by_ability):
    """Has a client that refuses what needs an ability, and nothing else, sit the cases that need it; of shards every Nth ability."""
    own = sorted((ability, cases) for ability, cases in by_ability.items() if ability not in BY_PROGRAM)
    for ability, cases in own[shard[0] - 1::shard[1]] if shard else own:
        print(f"a client that refuses what needs {ability}: {len(cases)} cases", flush=True)
        right = RIGHT.get(ability, f"{client} --as session")
        records.exam(
            proctor, f"/usr/bin/env python3 Tests/Clients/null_attitude.py refuses={ability} {right}", folder / f"refuses-{ability}.jsonl",
            "--platform", "reference" if right.startswith(client) else "neutral", *NEVER, cases=sorted(cases), jobs=jobs)


def table_of_abilities(folder):
    """How many musts and shoulds the client was asked that refuses what needs an ability, how many it passed, and a fault for each one."""
    lines, faults = ["| refuses what needs | asked | passed |", "|---|---:|---:|"], []
    excused = [(client.removeprefix("refuses="), case) for client, case in excuses() if client.startswith("refuses=")]
    for name in sorted({file.name for file in folder.glob("**/refuses-*.jsonl")}):
        ability = name.removeprefix("refuses-").removesuffix(".jsonl")
        own = [one for file in found(folder, name) for one in records.by_case(file).values() if one["kind"] != "observes"]
        asked = [one for one in own if one["outcome"] not in ("skipped", "lacks", "not-in-this-adapter")]
        passed = [one["case"] for one in asked if one["outcome"] == "pass"]
        left = [case for case in passed if not any(ability == word and fnmatch.fnmatchcase(case, pattern) for word, pattern in excused)]
        faults += [f"a client that refuses what needs {ability} passes {case}" for case in left]
        if asked:
            lines.append(f"| `{ability}` | {len(asked)} | **{len(left)}** |")
    return "\n".join(lines), faults


def found(folder, name):
    """The files of a name: of the folder, or of the folders of its shards."""
    return [file for file in (folder / name, *sorted(folder.glob(f"shard-*/{name}"))) if file.exists()]


def null(client):
    return f"/usr/bin/env python3 Tests/Clients/null_{client}.py"


def path(folder, client, protocol):
    return folder / f"{client}-{protocol.replace('/', '').replace('.', '')}.jsonl"


def known(proctor, folder, jobs, shard):
    """The cases that each shipped ledger knows of a client that writes a header alone; records of a setup that failed are wanted."""
    for path in sorted((ROOT / "clients").glob("*.yaml")):
        cases = [case for case, _ in deviations(path.stem)]
        cases = cases[shard[0] - 1::shard[1]] if shard else cases
        if not cases:
            continue
        file = folder / f"nothing-under-{path.stem}.jsonl"
        read, said = records.exam(proctor, null("nothing"), file, "--ledger", path, *NEVER, cases=cases, jobs=jobs, codes=(0, 1))
        if len(read) != len(cases):
            raise SystemExit(f"of {len(cases)} cases of {path.name} {len(read)} were asked: {said}")
        found = [case for case, one in read.items() if one["outcome"] in ("known", "fixed")]
        print(f"null_nothing.py under {path.name}: {len(found)} of {len(cases)} cases known")
        yield from (f"null_nothing.py is known to {path.name} in {case}" for case in found)


def musts(folder, name):
    """The records of all musts that were asked."""
    own = [one for file in found(folder, name) for one in records.by_case(file).values()]
    return [one for one in own if one["kind"] == "must" and one["outcome"] != "skipped"]


def table(results):
    """Family × client: how many musts were passed, of how many over HTTP/1.1."""
    families = sorted({one["family"] for own in results.values() for one in own})
    heads = [f"{client} {protocol}" for client, protocol in results]
    lines = ["| family | musts | " + " | ".join(heads) + " |", "|---|---:|" + "---:|" * len(heads)]
    asked = collections.Counter(record["family"] for record in results[(CLIENTS[0], "HTTP/1.1")])
    passed = {key: collections.Counter(one["family"] for one in own if one["outcome"] == "pass") for key, own in results.items()}
    for family in families:
        lines.append(f"| `{family}/` | {asked[family]} | " + " | ".join(str(passed[key][family] or "–") for key in results) + " |")
    lines.append(f"| **all** | {asked.total()} | " + " | ".join(f"**{passed[key].total()}**" for key in results) + " |")
    return "\n".join(lines)


def excuses():
    """The reason by client's name and case; `*` stands for every client."""
    lines = records.reasons(LIST, "client, case")
    if len(lines) > MOST_EXCUSED:
        raise SystemExit(f"{LIST.name} has {len(lines)} lines; {MOST_EXCUSED} are the most")
    return {(client, case): reason for client, case, reason in lines}


def faults(results):
    excused = excuses()
    for (client, protocol), own in results.items():
        for record in own:
            if record["outcome"] != "pass":
                continue
            if client == BELIEVER:
                if lacking := ABSENT & set(record.get("needs", [])):
                    yield f"null_{client}.py passes {record['case']}, which needs {', '.join(sorted(lacking))}"
            elif not {(client, record["case"]), ("*", record["case"])} & excused.keys():
                yield f"null_{client}.py passes {record['case']} over {protocol}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--proctor", help="the program that examines")
    parser.add_argument("--client", help="proctor-client-reference")
    parser.add_argument("--records", type=pathlib.Path, help="the folder of the records; with --proctor they are written there")
    parser.add_argument("--write", action="store_true", help="replace the table of the page")
    parser.add_argument("--jobs", type=int, default=8, help="sittings at a time; most of them wait (8)")
    parser.add_argument("--shard", type=shard, metavar="K/N", help="every Nth case alone")
    parser.add_argument("--only", action="append", choices=PARTS, help="this part alone")
    options = parser.parse_args()
    folder = (options.records or ROOT / ".build/marks").resolve()
    proctor = options.proctor and str(pathlib.Path(options.proctor).resolve())
    written = folder / f"shard-{options.shard[0]}" if options.shard else folder
    written.mkdir(parents=True, exist_ok=True)
    words = ("--shard", "/".join(map(str, options.shard))) if options.shard else ()
    parts, problems, text = options.only or PARTS, [], PAGE.read_text()
    if proctor and {"clients", "abilities"} & set(parts):
        if not options.shard:
            (folder / "needs.jsonl").unlink(missing_ok=True)
        cases, by_ability = library(proctor, folder, options.jobs)
    if "clients" in parts:
        if proctor:
            examine(proctor, written, options.jobs, words, cases)
        results = {(client, protocol): musts(folder, path(folder, client, protocol).name) for client, protocol in columns()}
        lines = table(results)
        print(lines)
        text = filled(text, "table: begin", "table: end", lines + "\n")
        problems += list(faults(results))
    if "attitudes" in parts:
        if proctor:
            examine_attitudes(proctor, written, options.jobs, words)
        lines, passed = table_of_attitudes(folder)
        print(lines)
        text = filled(text, "table of attitudes: begin", "table of attitudes: end", lines + "\n")
        problems += passed
    if "abilities" in parts:
        if proctor and not options.client:
            parser.error("give --client, or other parts by --only")
        if proctor:
            examine_abilities(proctor, str(pathlib.Path(options.client).resolve()), written, options.jobs, options.shard, by_ability)
        lines, passed = table_of_abilities(folder)
        print(lines)
        text = filled(text, "table of abilities: begin", "table of abilities: end", lines + "\n")
        problems += passed
    if "ledgers" in parts and proctor:
        problems += list(known(proctor, written, options.jobs, options.shard))
    if options.write:
        PAGE.write_text(text)
    for problem in problems:
        print(problem, file=sys.stderr)
    print(f"{len(problems)} marks are given for nothing" if problems else "no mark is given for nothing")
    sys.exit(1 if problems else 0)


def shard(text):
    """`2/4` as (2, 4)."""
    number, _, count = text.partition("/")
    if not (number.isdigit() and count.isdigit() and 1 <= int(number) <= int(count)):
        raise argparse.ArgumentTypeError(f"expected K/N with K from 1 to N, found {text}")
    return int(number), int(count)


if __name__ == "__main__":
    main()
