#!/usr/bin/env python3
"""Lists what no case of the kinds must and should may ask of a client, since documents permit it or chance decides it.

    Scripts/fairness.py                  what is listed, and exit code 1 where anything is
    Scripts/fairness.py FOLDER           the same of another library

loop      a load has to ask again for a URL that it has asked, led there by a redirect: a client should find such loops and may end
          them (RFC 9110 §15.4)
repeat    a request has to be sent again that a GOAWAY, a reset or a lost connection has excluded: a client may (RFC 9113 §8.7,
          RFC 9114 §4.1.1, RFC 9110 §9.2.2)
order     loads that run at once have to ask in one order, or a fact has the number of one of their requests or streams
reset     the stream of a redirect may not be reset: a client that follows needs the rest of its content no more (RFC 9113 §8.1)

Needs PyYAML.
"""

import re
import sys
from pathlib import Path
from urllib.parse import urljoin, urlsplit

import yaml

ROOT = Path(__file__).resolve().parent.parent
# Who asks in an order that is no chance: what pipelines sends the requests of its loads in the order in which they begin.
ORDERED = re.compile(r"^pipeline/(behind-a-post|closed-with|server-of-http10)")
UNFINISHED = re.compile(r"RFC 9113 §8\.7|RFC 9114 §(4\.1\.1|5\.2)|RFC 9110 §9\.2\.2")
REQUEST = re.compile(r'request\("?([A-Z|]+) ([^)"]+)"?\)(\{\d+(?:,\d+)?\}|[+*?])?')


def listed(value):
    return [] if value is None else value if isinstance(value, list) else [value]


def bases(scenario):
    """The base URL of each origin, by its name; the first one is that of plain paths."""
    origins = {"main": {}} | (scenario.get("origins") or {})
    result = {}
    for index, (name, origin) in enumerate(origins.items()):
        origin = origin or {}
        result[name] = f"{origin.get('scheme', 'http')}://{str(origin.get('host') or f'origin-{index}.invalid').lower()}"
    return result


def filled(text, places):
    first = next(iter(places.values()))
    text = str(text).replace("{{base}}", first)
    return re.sub(r"\{\{origin(?:\.([\w-]+))?\}\}", lambda match: places.get(match[1], first) if match[1] else first, text)


def place(url):
    """Where a URL leads, for comparison: small letters where case means nothing, no port of the scheme, no fragment."""
    parts = urlsplit(url)
    host = (parts.netloc.rpartition("@")[2]).lower()
    default = {"http": ":80", "https": ":443"}.get(parts.scheme, "")
    query = parts.query or ("?" if url.partition("#")[0].endswith("?") else "")
    return parts.scheme, host.removesuffix(default) if default else host, parts.path or "/", query


def answers(scenario, places):
    """Each exchange as origin, method, path, wanted fields and replies in turn."""
    first = next(iter(places))
    for exchange in scenario.get("exchanges") or []:
        request = exchange.get("request", "")
        if isinstance(request, dict):
            method, path = request.get("method", "GET"), str(request.get("path", "/"))
        else:
            method, _, path = str(request).partition(" ")
        fields = request.get("headers") or {} if isinstance(request, dict) else {}
        yield exchange.get("origin", first), str(method).split("|"), path, fields, listed(exchange.get("reply"))


def leads_back(scenario, step):
    """Whether the redirects of a load lead to a URL that it has asked; only what stands in the fixture as text is followed."""
    places = bases(scenario)
    rows, turns = list(answers(scenario, places)), {}
    sent = step.get("headers") if isinstance(step.get("headers"), dict) else {}
    url, seen = urljoin(next(iter(places.values())) + "/", filled(step.get("url", "/"), places)), set()
    method = step.get("method", "GET")
    for _ in range(30):
        spot = place(url)
        if spot in seen:
            return True
        seen.add(spot)
        target = spot[2] + (f"?{spot[3]}" if spot[3] else "")
        for index, (origin, methods, path, fields, replies) in enumerate(rows):
            is_there = place(places.get(origin, ""))[:2] == spot[:2] and path in (target, spot[2])
            if is_there and (method in methods or "*" in methods) and all(sent.get(name) == fields[name] for name in fields):
                break
        else:
            return False
        turn = turns.get(index, 0)
        turns[index] = turn + 1
        reply = replies[min(turn, len(replies) - 1)] if replies else {}
        fields = (reply or {}).get("headers") or {}
        pairs = fields.items() if isinstance(fields, dict) else [pair for field in fields for pair in field.items()]
        location = next((value for name, value in pairs if name.lower() == "location"), None)
        if not str((reply or {}).get("status", "")).startswith("3") or not isinstance(location, str):
            return False
        try:
            location = filled(location, places)
            # urljoin leaves an empty query out.
            url = urljoin(url, location) + ("?" if location.endswith("?") else "")
        except ValueError:
            return False
    return False


def excludes(scenario):
    return re.search(r"goaway|REFUSED_STREAM|H3_REQUEST_REJECTED|do': '(reset|close)", str(scenario.get("exchanges")) + str(scenario.get("origins")))


def faults(name, scenario, case):
    steps = [step for step in listed(case.get("client")) if isinstance(step, dict)]
    facts, wire = case.get("facts") or {}, str(case.get("wire") or "")
    redirects = "Location" in str(scenario.get("exchanges"))
    repeated = [match for match in REQUEST.finditer(wire) if (match[3] or "").startswith("{") and not match[3].startswith("{1")]
    # A case whose requests may come any number of times, or once, lets a client end the loop.
    if len(steps) == 1 and ")+" not in wire and ")*" not in wire and "{1," not in wire:
        if redirects and str(steps[0].get("onRedirect", "follow")) == "follow" and leads_back(scenario, steps[0]):
            yield "loop"
    sections = " ".join(listed(case.get("spec", scenario.get("spec"))))
    if len(steps) == 1 and repeated and not redirects and UNFINISHED.search(sections) and excludes(scenario):
        yield "repeat"
    if any(step.get("together") for step in steps) and not ORDERED.match(name):
        together = [str(step.get("url")) for index, step in enumerate(steps) if step.get("together") or index + 1 < len(steps) and steps[index + 1].get("together")]
        ordered = re.search(r"request\([^)]*\)[+*?{}\d,]* +request\(", re.sub(r"\([^()]*(\([^()]*\)[^()]*)*&.*\)", "", wire)) if "&" not in wire else None
        if ordered and len(together) > 1 and not any("answer" in str(step) or "cache" in str(step) for step in steps):
            yield "order"
        if any(re.match(r"(wire|stream)\[\d+\]\.(target|body|headers|reset|end|method)", fact) for fact in facts) and "&" in wire:
            yield "order"
    for fact, value in facts.items():
        number = re.match(r"stream\[(\d+)\]\.reset$", fact)
        if number and value is None and redirects and "refuse" not in str(steps):
            lane = str(case.get("task", "")) + str(case.get("download", ""))
            if int(number[1]) < len(re.findall(r"redirect\(", lane)) + sum(int(n) - 1 for n in re.findall(r"redirect\(\d+\)\{(\d+)\}", lane)):
                yield "reset"


def main():
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "fixtures"
    found = []
    for path in sorted(folder.rglob("*.yaml")):
        name = str(path.relative_to(folder))[:-5]
        if any(part.startswith("_") for part in name.split("/")):
            continue
        scenario = yaml.safe_load(path.read_text())
        if not isinstance(scenario, dict):
            continue
        for case, item in (scenario.get("cases") or {}).items():
            kind = item.get("kind", "must")
            if kind != "observes":
                found += [f"{fault:7} {kind:6} {name}#{case}" for fault in dict.fromkeys(faults(name, scenario, item))]
    print("\n".join(found) if found else "no must and no should asks for what a client may leave")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
