#!/usr/bin/env bash
# Builds and runs a package that depends on the products ProctorRecorder, ProctorRules and ProctorRemoteTesting alone, where the
# headers of libuv, libyaml and OpenSSL cannot be seen: the recorders are for tests on machines that have none of them. The example
# of the kit of Swift is built there too, since it depends on the first of them; clients/kits/swift/test.sh runs it.
set -euo pipefail
cd "$(dirname "$0")/.."
root=$PWD
work=$root/.build/check-recorder
swift=${SWIFT:-swift}

# In a mount name space of its own empty things lie over the headers; where the system gives none, on macOS for one, they
# are hidden from pkg-config only, and the list of what was built has to do.
hidden=(/usr/include/uv.h /usr/include/uv /usr/include/yaml.h /usr/include/openssl)
if [[ -z ${CHECK_RECORDER_HIDDEN:-} ]] && unshare --map-root-user --mount true 2>/dev/null; then
    CHECK_RECORDER_HIDDEN=yes exec unshare --map-root-user --mount "$0"
fi

mkdir -p "$work/empty" "$work/package/Sources/Judge"
: >"$work/nothing.h"
if [[ ${CHECK_RECORDER_HIDDEN:-} == yes ]]; then
    for path in "${hidden[@]}"; do
        if [[ -d $path ]]; then
            mount --bind "$work/empty" "$path"
        elif [[ -e $path ]]; then
            mount --bind "$work/nothing.h" "$path"
        fi
        [[ ! -s $path || -d $path ]] || { echo "check-recorder: $path is still to be seen" >&2; exit 1; }
    done
fi
export PKG_CONFIG_PATH="" PKG_CONFIG_LIBDIR="$work/empty"

# Written only when it changes, so that a second run builds nothing.
put() {
    cat >"$work/new"
    if cmp -s "$work/new" "$1"; then rm "$work/new"; else mv "$work/new" "$1"; fi
}

put "$work/package/Package.swift" <<EOF
// swift-tools-version: 6.2
import PackageDescription

let package = Package(
    name: "judge", platforms: [.macOS(.v15), .iOS(.v16)],
    dependencies: [.package(name: "proctor", path: "$root")],
    targets: [
        .executableTarget(
            name: "Judge",
            dependencies: [
                .product(name: "ProctorRecorder", package: "proctor"), .product(name: "ProctorRules", package: "proctor"),
                .product(name: "ProctorRemoteTesting", package: "proctor"),
            ]),
        .executableTarget(name: "tiny", dependencies: [.product(name: "ProctorRecorder", package: "proctor")]),
    ]
)
EOF

put "$work/package/Sources/Judge/main.swift" <<'EOF'
import Foundation
import ProctorAssignments
import ProctorProgram
import ProctorRecorder
import ProctorRemoteTesting
import ProctorRules

var step = Assignment.Step(url: "http://127.0.0.1/")
step.protocolScript = [.init("response", "200"), .init("finish"), .init("finish")]
var checker = TraceChecker(reportsAnswers: true)
for event in await ProtocolDriver.runScript(step, deadline: .seconds(30)) { checker.observe(event) }
do {
    try await withScenario("plain/get", on: .server("http://127.0.0.1:9")) { _ in }
    print("a server answered where none is")
} catch {}
print(checker.finish().hits.map(\.rule.description).joined(separator: " "))
EOF

mkdir -p "$work/package/Sources/tiny"
for file in "$root"/clients/kits/swift/Sources/tiny/*.swift; do put "$work/package/Sources/tiny/$(basename "$file")" <"$file"; done

bin=$("$swift" build --package-path "$work/package" --scratch-path "$work/build" --show-bin-path)
# Modules of an earlier build would be taken for what this one compiled.
rm -rf "$bin/Modules"
"$swift" build --package-path "$work/package" --scratch-path "$work/build" --product Judge
"$swift" build --package-path "$work/package" --scratch-path "$work/build" --product tiny

found=$("$bin/Judge")
if [[ $found != R39 ]]; then
    echo "check-recorder: a protocol that finishes twice breaks R39; the recorder's checker says '$found'" >&2
    exit 1
fi

# What was compiled: SwiftPM plans the whole package, so that folders alone say nothing.
for module in "$bin"/Modules/*.swiftmodule; do
    case $(basename "$module" .swiftmodule) in
        Judge | tiny | ProctorRemoteTesting | ProctorClientTesting | ProctorHarness | ProctorRecorder | ProctorAssignments | ProctorProgram | ProctorRules | ProctorNotation | ProctorEvents | ProctorBase) ;;
        *)
            echo "check-recorder: ProctorRecorder drags $(basename "$module" .swiftmodule) along; see Package.swift" >&2
            exit 1
            ;;
    esac
done
if find "$work/build" -name 'CUV-*.pcm' -o -name 'CYAML-*.pcm' | grep .; then
    echo "check-recorder: a C module was compiled that ProctorRecorder must not need" >&2
    exit 1
fi

# What it names itself; Foundation brings libraries of its own.
needed() {
    if command -v readelf >/dev/null; then readelf -d "$1"; elif command -v otool >/dev/null; then otool -L "$1"; fi
}
if needed "$bin/Judge" | grep -E 'lib(uv|yaml|ssl|crypto)\.'; then
    echo "check-recorder: a program with ProctorRecorder loads a C library that it must not need" >&2
    exit 1
fi

if [[ ${CHECK_RECORDER_HIDDEN:-} == yes ]]; then
    echo "ProctorRecorder and the kit of Swift build without the headers of libuv, libyaml and OpenSSL"
else
    echo "ProctorRecorder and the kit of Swift build without the pkg-config files of libuv, libyaml and OpenSSL (the headers were there)"
fi
