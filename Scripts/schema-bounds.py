#!/usr/bin/env python3
"""Holds each bound of the JSON Schema of fixtures against the reader: the value at the bound loads, the next one is refused.

    Scripts/schema-bounds.py --proctor FILE     every minimum, maximum, least and most of fixtures/scenario.schema.json
    … --write                                   writes Scripts/schema-bounds.tsv anew

A value stands in a scenario of `fixtures`, of a page of Docs/format or of Scripts/schema-bounds.yaml that has the key, and
everything else there stays. The list has the bounds that can't be tried so, each with its reason: a bound that no scenario
has, and one whose value is refused for another reason, as two things of one name. Exits 1 where a value at a bound or beyond it is not as the schema
says, and where the list has a bound that can be tried, or lacks one that can't. Needs python3-yaml and python3-jsonschema.
"""
import argparse
import copy
import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

import jsonschema
import yaml

ROOT = pathlib.Path(__file__).resolve().parent.parent
SCHEMA = json.loads((ROOT / "fixtures/scenario.schema.json").read_text())
LIST = ROOT / "Scripts/schema-bounds.tsv"
KINDS = {"Items": list, "Properties": dict, "Length": str, "imum": int}
WORDS = ("minimum", "maximum", "minItems", "maxItems", "minProperties", "maxProperties", "minLength", "maxLength")
# The end of the path of what is asked of the names of keys; the value is their mapping.
NAMES = "/propertyNames"
# Places that are tried for one bound, and the most elements that a value is grown to.
PLACES, MOST = 4, 100_000


class Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):
    """Reads plain decimal numbers, true, false and null by the schema's words, all else as text, as fixtures are read."""


Loader.yaml_implicit_resolvers = {}
for tag, pattern, first in [("null", r"^(~|null|)$", ["~", "n", ""]), ("bool", r"^(true|false)$", ["t", "f"]),
                            ("int", r"^-?[0-9]+$", list("-0123456789"))]:
    Loader.add_implicit_resolver("tag:yaml.org,2002:" + tag, re.compile(pattern), first)
Loader.add_constructor("tag:yaml.org,2002:int", lambda loader, node: int(node.value))
Loader.add_constructor("tag:yaml.org,2002:map", lambda loader, node: {
    key.value: loader.construct_object(value, deep=True) for key, value in node.value})


def documents():
    """Every scenario with the folder in which the files stand that it names."""
    for path in sorted(ROOT.glob("fixtures/*/**/*.yaml")):
        if not any(part.startswith("_") for part in path.relative_to(ROOT).parts):
            yield path.parent, path.read_text()
    for path in sorted(ROOT.glob("Docs/format/*.md")):
        for block in re.findall(r"```yaml\n(.*?)```", path.read_text(), re.S):
            yield None, block
    for block in LIST.with_suffix(".yaml").read_text().split("\n---\n"):
        yield None, block


def bounds(schema, path="#"):
    """(path, word): bound, of all that a value has to keep; what stands below not, if and contains is a condition."""
    found = {}
    if isinstance(schema, list):
        for index, part in enumerate(schema):
            found |= bounds(part, f"{path}/{index}")
    if isinstance(schema, dict):
        found = {(path, word): schema[word] for word in WORDS if isinstance(schema.get(word), int)}
        for key, part in schema.items():
            if key not in ("not", "if", "contains"):
                found |= bounds(part, f"{path}/{key}")
    return found


class Walk:
    """Finds the places of values to which each bound applies."""

    def __init__(self, wanted):
        self.wanted, self.places, self.validators = wanted, {bound: [] for bound in wanted}, {}

    def holds(self, schema, path, value):
        if path not in self.validators:
            self.validators[path] = jsonschema.Draft7Validator({"definitions": SCHEMA["definitions"], "allOf": [schema]})
        return self.validators[path].is_valid(value)

    def visit(self, schema, path, value, place, document):
        if not isinstance(schema, dict):
            return
        if "$ref" in schema:
            path = schema["$ref"]
            for step in path.split("/")[1:]:
                schema = schema[step] if step in schema else SCHEMA[step]
        for word in WORDS:
            kind = dict if path.endswith(NAMES) else next(kind for end, kind in KINDS.items() if word.endswith(end))
            places = self.places.get((path, word))
            if places is not None and len(places) < PLACES and isinstance(value, kind) and not isinstance(value, bool):
                places.append((document, place))
        for below, key, part in self.parts(schema, value):
            self.visit(part, f"{path}/{below}", value if key is None else value[key],
                       place if key is None else place + [key], document)

    def parts(self, schema, value):
        """Of what applies: its path, the key of the part of the value (None: the value itself), and the schema."""
        for key, part in value.items() if isinstance(value, dict) else ():
            patterns = [name for name in schema.get("patternProperties", {}) if re.search(name, key)]
            if key in schema.get("properties", {}):
                yield f"properties/{key}", key, schema["properties"][key]
            elif patterns:
                yield f"patternProperties/{patterns[0]}", key, schema["patternProperties"][patterns[0]]
            else:
                yield "additionalProperties", key, schema.get("additionalProperties")
        if isinstance(value, dict) and "$ref" not in schema.get("propertyNames", {"$ref": None}):
            yield "propertyNames", None, schema["propertyNames"]
        for index, _ in enumerate(value[:12] if isinstance(value, list) else ()):
            yield "items", index, schema.get("items")
        for word in ("allOf", "anyOf", "oneOf"):
            for index, part in enumerate(schema.get(word, ())):
                if word == "allOf" or self.holds(part, f"{id(schema)}/{word}/{index}", value):
                    yield f"{word}/{index}", None, part
        if "if" in schema:
            word = "then" if self.holds(schema["if"], f"{id(schema)}/if", value) else "else"
            yield word, None, schema.get(word)
        for key, part in schema.get("dependencies", {}).items():
            if isinstance(value, dict) and key in value:
                yield f"dependencies/{key}", None, part


def numbered(value, number):
    """A copy whose words are others, for lists that have nothing twice."""
    if isinstance(value, dict):
        return {key: numbered(part, number) for key, part in value.items()}
    if isinstance(value, list):
        return [numbered(part, number) for part in value]
    return f"{value}{number}" if isinstance(value, str) and re.fullmatch(r"[A-Za-z0-9-]+", value) else value


def resized(value, word, count, isNumbered):
    """The value with so many elements, or the number itself; None where there is none."""
    if word.endswith("imum"):
        return count
    if count < 0 or count > MOST or not value and count:
        return None
    change = numbered if isNumbered else lambda part, _: copy.deepcopy(part)
    if isinstance(value, str):
        return (value + (value[-1] if value[-1].isalnum() else "a") * count)[:count]
    if isinstance(value, list):
        return value[:count] + [change(value[number % len(value)], number) for number in range(len(value), count)]
    keys = list(value)
    if word.endswith("Length"):
        return {(name + "a" * count)[:count] if name == keys[-1] else name: part for name, part in value.items()}
    more = {f"{keys[-1]}x{number}": change(value[keys[-1]], number) for number in range(len(value), count)}
    return {key: value[key] for key in keys[:count]} | more


def changed(document, place, value):
    document = copy.deepcopy(document)
    part = document
    for key in place[:-1]:
        part = part[key]
    part[place[-1]] = value
    return document


def check(proctor, folder):
    """The first error of each file, by its name."""
    done = subprocess.run([proctor, "check", folder, "--certs", ROOT / "certs"], capture_output=True, text=True, timeout=1200)
    errors = {}
    for name, error in re.findall(r"([^/\n]+\.yaml)(?::\d+:\d+)?: error: (.*)", done.stdout + done.stderr):
        errors.setdefault(name, error.replace(f"{folder}/", ""))
    return errors


def tried(proctor, walk, turn, isNumbered, left):
    """Of the bounds that are left: what the reader says of a value at the bound, and of one beyond it."""
    with tempfile.TemporaryDirectory() as folder:
        names = {}
        for bound in left:
            if turn >= len(walk.places[bound]):
                continue
            (parent, document), place = walk.places[bound][turn]
            value = document
            for key in place:
                value = value[key]
            # Beside the files that the scenario names.
            beside = pathlib.Path(folder) / (str(parent.relative_to(ROOT)).replace("/", "--") if parent else "page")
            if not beside.exists():
                beside.mkdir()
                for other in parent.iterdir() if parent else ():
                    if other.is_file() and (other.suffix != ".yaml" or other.name.startswith("_")):
                        shutil.copy(other, beside)
            step = 1 if bound[1].startswith("max") else -1
            for side, count in (("at", walk.wanted[bound]), ("beyond", walk.wanted[bound] + step)):
                new = resized(value, bound[1], count, isNumbered)
                if new is not None and place:
                    names[bound, side] = beside / f"b{len(names):05}.yaml"
                    names[bound, side].write_text(json.dumps(changed(document, place, new), ensure_ascii=False))
        errors = check(proctor, folder)
        said = {key: errors.get(path.name) for key, path in names.items()}
        # Where the schema permits a value beyond the bound, another form of the value has no such bound.
        whole = jsonschema.Draft7Validator(SCHEMA)
        return {key: error for key, error in said.items()
                if error or key[1] == "at" or not whole.is_valid(json.loads(names[key].read_text()))}


def main():
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--proctor", required=True)
    arguments.add_argument("--write", action="store_true")
    options = arguments.parse_args()
    walk = Walk(bounds(SCHEMA))
    for folder, text in documents():
        document = yaml.load(text, Loader)
        if isinstance(document, dict) and "exchanges" in document:
            walk.visit(SCHEMA, "#", document, [], (folder, document))
    reasons = {bound: "no scenario has it" for bound in walk.wanted}
    faults, left = [], list(walk.wanted)
    for turn in range(PLACES * 2):
        said = tried(options.proctor, walk, turn // 2, turn % 2 == 1, left)
        for bound in list(left):
            at, beyond = (said.get((bound, side), "not asked") for side in ("at", "beyond"))
            if (bound, "beyond") in said and beyond is None:
                faults.append(f"{' '.join(bound)}: {walk.wanted[bound]} is the bound, and the next value loads")
            elif (bound, "at") in said and at is None and beyond is not None or at == "not asked" != beyond:
                del reasons[bound]
            else:
                if (bound, "at") in said:
                    reasons[bound] = re.sub(r"\s+", " ", at or "")[:100]
                continue
            left.remove(bound)
    lines = {" ".join(bound): reason for bound, reason in reasons.items() if bound in left}
    head = "# A bound of scenario.schema.json that Scripts/schema-bounds.py can't try, and why, with a tab between.\n"
    if options.write:
        LIST.write_text(head + "".join(f"{bound}\t{reason}\n" for bound, reason in sorted(lines.items())))
    known = {line.split("\t")[0] for line in LIST.read_text().splitlines()[1:]}
    faults += [f"{bound}: can't be tried: {lines[bound]}" for bound in sorted(set(lines) - known)]
    faults += [f"{bound}: can be tried now, so {LIST.name} needs no line" for bound in sorted(known - set(lines))]
    print("\n".join(faults + [f"{len(walk.wanted)} bounds, {len(walk.wanted) - len(left)} tried, {len(faults)} faults"]))
    sys.exit(bool(faults))


main()
