#!/usr/bin/env bash
# Looks that each fuzz target has a dictionary, and type-checks them against the modules of the debug build (`swift build`),
# as Fuzz/Package.swift would compile them, and the programs that Benchmarks/Clients measures. Seconds, where a build with
# libFuzzer, or of a release, takes as long as everything else.
set -euo pipefail
cd "$(dirname "$0")/.."
# libFuzzer runs nothing where the dictionary is missing.
for seeds in Fuzz/Seeds/*; do
    if [[ ! -s Fuzz/Dictionaries/${seeds##*/}.dict ]]; then
        echo "check-fuzz: the target ${seeds##*/} needs a dictionary, Fuzz/Dictionaries/${seeds##*/}.dict" >&2
        exit 1
    fi
done
modules=$(swift build --show-bin-path)/Modules
if [[ ! -e $modules/ProctorServer.swiftmodule ]]; then
    echo "check-fuzz: $modules has no ProctorServer; run \`swift build\` first" >&2
    exit 1
fi
work=.build/check-fuzz
rm -rf "$work"
mkdir -p "$work"

# SwiftPM names the package after its folder, as an identifier; see Fuzz/Package.swift.
package=$(basename "$PWD" | tr '[:upper:]' '[:lower:]' | tr -c '[:alnum:]\n' '_')
flags=(-swift-version 6 -package-name "$package" -parse-as-library -strict-memory-safety -warnings-as-errors
    -enable-upcoming-feature ExistentialAny -enable-upcoming-feature InternalImportsByDefault -I "$modules" -I "$work")
for map in Sources/Libraries/C*/module.modulemap Sources/*/C*/include/module.modulemap; do flags+=(-Xcc "-fmodule-map-file=$map"); done
# Where the headers of the libraries are, for those that the system keeps apart.
for library in $(sed -n 's/.*pkgConfig: "\([^"]*\)".*/\1/p' Package.swift); do
    for flag in $(pkg-config --cflags "$library"); do flags+=(-Xcc "$flag"); done
done

# A module that is built for another reason is found here, and not by a build of Fuzz alone.
packages=$(mktemp -d)
trap 'rm -rf "$packages"' EXIT
swift package dump-package >"$packages/whole.json"
swift package --package-path Fuzz dump-package >"$packages/fuzz.json"
python3 - "$packages" <<'END'
import json
import pathlib
import re
import sys

whole, fuzz = (json.loads((pathlib.Path(sys.argv[1]) / name).read_text()) for name in ("whole.json", "fuzz.json"))
targets = {target["name"]: target for target in whole["targets"] + fuzz["targets"]}
products = {product["name"]: product["targets"] for product in whole["products"]}


def reached(names):
    """The targets, and those that they depend on."""
    found, open_names = set(), list(names)
    while open_names:
        name = open_names.pop()
        if name in found:
            continue
        found.add(name)
        for dependency in targets[name]["dependencies"] if name in targets else []:
            [(kind, words)] = dependency.items()
            open_names += products.get(words[0], []) if kind == "product" else [words[0]]
    return found


failed = 0
for target in fuzz["targets"]:
    texts = [path.read_text() for path in (pathlib.Path("Fuzz") / target["path"]).glob("*.swift")]
    imports = {name for text in texts for name in re.findall(r"^(?:\w+ )?import (\w+)$", text, re.M)}
    for name in sorted((imports & targets.keys()) - reached([target["name"]])):
        print(f"check-fuzz: {target['name']} imports {name}, which no product that it names in Fuzz/Package.swift has", file=sys.stderr)
        failed = 1
sys.exit(failed)
END

emit() {
    swiftc "${flags[@]}" -module-name "$1" -emit-module -emit-module-path "$work/$1.swiftmodule" Fuzz/Targets/"$1"/*.swift
}

emit FuzzSupport
emit FuzzReading
count=0
failed=()
for folder in Fuzz/Targets/*; do
    name=${folder##*/}
    case $name in FuzzSupport | FuzzReading) continue ;; esac
    count=$((count + 1))
    swiftc "${flags[@]}" -module-name "$name" -typecheck "$folder"/*.swift || failed+=("$name")
done
# Others there are written in C and C++.
for program in Benchmarks/Clients/*/*.swift; do
    name=$(basename "$(dirname "$program")")
    swiftc "${flags[@]}" -module-name "$name" -typecheck "$program" || failed+=("$name")
done
if [[ ${#failed[@]} -gt 0 ]]; then
    echo "check-fuzz: ${#failed[@]} programs of $count fuzz targets and Benchmarks/Clients do not compile: ${failed[*]}" >&2
    exit 1
fi
echo "check-fuzz: $count fuzz targets compile"
