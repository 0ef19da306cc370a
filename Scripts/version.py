#!/usr/bin/env python3
"""Holds every file that repeats the version of Proctor against the one place of it, `CommandLine.swift`.

    Scripts/version.py              prints each version that is another one, and exits with 1 where there is one
    Scripts/version.py --set X.Y.Z  writes the version into that place and into every file that repeats it
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLACE = "Sources/Command/proctor/Commands/CommandLine.swift"
SWIFT = re.compile(r'(static let version = ")([0-9.]+)(")')
# What stands before a version: names of packages and files, tags, and the keys of manifests.
REPEATED = re.compile(r'(\bproctor[a-z0-9_-]*[:_=@-]v?|@v|/v|VERSION=|"version": ?"|^(?:  spec\.)?version = "|<version>)(\d+\.\d+\.\d+)\b', re.MULTILINE)
FILES = [
    "Docs/start/install.md", "Docs/start/scenario.md", "Docs/use/ci.md", "Docs/use/httpbin.md",
    "helpers/python/pyproject.toml", "helpers/node/package.json", "helpers/node/README.md", "helpers/go/README.md",
    "helpers/java/README.md", "helpers/swift/README.md", "helpers/ruby/README.md", "helpers/ruby/proctor-http.gemspec",
]


def current() -> str:
    if match := SWIFT.search((ROOT / PLACE).read_text()):
        return match[2]
    raise SystemExit(f"version: {PLACE} has no line `static let version`")


def check() -> int:
    wanted, faults = current(), 0
    for name in FILES:
        text = (ROOT / name).read_text()
        matches = list(REPEATED.finditer(text))
        if not matches:
            print(f"{name}: repeats no version; take it out of {pathlib.Path(__file__).name}")
            faults += 1
        for match in matches:
            if match[2] != wanted:
                line = text.count("\n", 0, match.start()) + 1
                print(f"{name}:{line}: the version is {wanted}, and here it is {match[2]}")
                faults += 1
    return min(faults, 1)


def write(version: str) -> None:
    old = re.compile(rf"(?<![\d.]){re.escape(current())}(?!\.?\d)")
    for name in [PLACE, *FILES]:
        path = ROOT / name
        path.write_text(old.sub(version, path.read_text()))


if __name__ == "__main__":
    match sys.argv[1:]:
        case []:
            sys.exit(check())
        case ["--set", version] if re.fullmatch(r"\d+\.\d+\.\d+", version):
            write(version)
        case _:
            sys.exit(__doc__)
