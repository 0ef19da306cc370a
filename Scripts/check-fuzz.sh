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
