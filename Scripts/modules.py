#!/usr/bin/env python3
"""Holds Docs/inside/modules.md to Package.swift: the modules that a page must have, and what each stands on.

modules.py           names each module that the page lacks or has too much, and each row that says something else than the package
modules.py --write   writes the last column of each row; what a module is for, and its folder's heading, are written by hand

The package is read by `swift package dump-package`, with HTTP/3 and no module left out.
"""

import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "Docs/inside/modules.md"
LIBRARIES = {
    "CUV": "libuv", "CYAML": "libyaml", "CPCRE2": "PCRE2", "CLua": "Lua", "CDuktape": "Duktape", "CZlib": "zlib", "CBrotli": "brotli",
    "CZstd": "zstd", "CNGHTTP2": "nghttp2", "CNGTCP2": "ngtcp2", "CMarkdown": "cmark-gfm", "COpenSSL": "OpenSSL", "CFiles": "CFiles",
}
# Every module may use it, so no row names it but that of a module which uses nothing else.
GROUND = "ProctorBase"


def package():
    """The targets below Sources: the folder and what each uses, by its name, in the order of Package.swift."""
    whole = {**os.environ, "PROCTOR_QUIC": "1", "PROCTOR_WITHOUT": ""}
    said = subprocess.run(["swift", "package", "dump-package"], cwd=ROOT, capture_output=True, text=True, env=whole)
    if said.returncode:
        sys.exit(f"modules.py: `swift package dump-package` failed:\n{said.stderr}")
    found = {}
    for target in json.loads(said.stdout)["targets"]:
        path = target.get("path") or ""
        if target["type"] != "system" and path.startswith("Sources/") and target["name"] not in LIBRARIES:
            used = [list(one.values())[0][0] for one in target["dependencies"]]
            found[target["name"]] = (path.split("/")[1], used)
    return found


def told(used, order):
    """What a row says that a module stands on: our modules from the top of the page to its end, then libraries."""
    ours = sorted((one for one in used if one in order and one != GROUND), key=order.index)
    libraries = [LIBRARIES[one] for one in used if one in LIBRARIES]
    words = [one.removeprefix("Proctor") for one in ours] + libraries
    return ", ".join(words) or ("Base" if GROUND in used else "–")


def main():
    write = sys.argv[1:] == ["--write"]
    if sys.argv[1:] and not write:
        sys.exit(__doc__)
    modules = package()
    lines = PAGE.read_text().split("\n")
    rows, folder = {}, None
    for number, line in enumerate(lines):
        if heading := re.match(r"## (\w+):", line):
            folder = heading[1]
        elif row := re.match(r"\| `([\w-]+)` \| (.*) \| (.*) \|$", line):
            rows[row[1]] = (number, folder, row[2], row[3])
    faults = [f"Docs/inside/modules.md: no row for {name}, of Sources/{modules[name][0]}" for name in modules if name not in rows]
    order = list(rows)
    for name, (number, folder, idea, stands) in rows.items():
        if name not in modules:
            faults.append(f"Docs/inside/modules.md:{number + 1}: Package.swift has no {name}")
            continue
        kind, used = modules[name]
        if kind != folder:
            faults.append(f"Docs/inside/modules.md:{number + 1}: {name} is in Sources/{kind}, and its row below {folder}")
        wanted = told(used, order)
        if write:
            lines[number] = f"| `{name}` | {idea} | {wanted} |"
        elif stands != wanted:
            faults.append(f"Docs/inside/modules.md:{number + 1}: {name} stands on {wanted}, by Package.swift; `Scripts/modules.py --write` says so")
    if write:
        PAGE.write_text("\n".join(lines))
    print("\n".join([*faults, f"{len(rows)} modules, {len(faults)} faults"]))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
