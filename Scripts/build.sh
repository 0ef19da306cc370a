#!/usr/bin/env bash
# Runs a build: says before it what is built and about how long that takes on this machine, line by line how far it is, and what a
# build from nothing cost.
#
#     Scripts/build.sh NAME PRODUCT SENTENCE COMMAND...
#
# NAME is the row of Benchmarks/counts.tsv ("build", NAME) that has the cost; PRODUCT is a file that the build makes, whose absence
# tells that nothing was built yet; SENTENCE says what is built. The cost of a build from nothing is told in compilations of
# Benchmarks/Yardstick in the same run, so that the speed of the machine does not matter, and is left in .build/costs/NAME for
# `make bench-check`.
set -euo pipefail

[[ $# -ge 4 ]] || { echo "usage: $0 NAME PRODUCT SENTENCE COMMAND..." >&2; exit 2; }
name=$1 product=$2 sentence=$3
shift 3
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
swift=${SWIFT:-swift}

# Sets `spent`, the processor milliseconds of all children so far that have ended. No subshell: that would count its own children.
look() {
    times >"$folder/times"
    spent=$(awk 'NR == 2 { for (i = 1; i <= 2; i++) { split($i, part, "[ms]"); sum += part[1] * 60000 + part[2] * 1000 } printf "%d", sum }' "$folder/times")
}

# Sets `each` to the processor milliseconds of one compilation of the yardstick, the least so far.
each=
measure() {
    look
    local before=$spent
    "${swift}c" -O -parse-as-library -swift-version 6 -module-name Yardstick -c "$root/Benchmarks/Yardstick/Yardstick.swift" \
        -o "$folder/yardstick.o"
    look
    [[ -n $each && $each -le $((spent - before)) ]] || each=$((spent - before))
}

if [[ -e $product ]]; then
    echo "proctor: $sentence: what has changed since the last time"
    exec "$root/Scripts/show-failures.sh" "$@"
fi

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
expected=$(awk -F '\t' -v name="$name" '$1 == "build" && $2 == name { print $3 }' "$root/Benchmarks/counts.tsv")
measure
processors=$(getconf _NPROCESSORS_ONLN)
# A build keeps two processors at work nearly all the time, and more of them less and less.
about=$(awk -v each="$each" -v count="${expected:-0}" -v processors="$processors" \
    'BEGIN { print int(each * count / 1000 / (processors < 2 ? 1 : processors < 4 ? 1.8 : 3) / 10 + 1) * 10 }')
echo "proctor: $sentence: about $((about / 60)) min $((about % 60)) s on this machine ($processors processors)"
look
before=$spent start=$SECONDS
"$root/Scripts/show-failures.sh" "$@"
look
cost=$((spent - before)) seconds=$((SECONDS - start))
measure
measure
mkdir -p "$root/.build/costs"
count=$(awk -v cost="$cost" -v each="$each" 'BEGIN { printf "%.1f", cost / each }')
echo "$count" >"$root/.build/costs/$name"
echo "  built from nothing in $seconds s, by $((cost / 1000)) processor seconds: $count times what Benchmarks/Yardstick takes"
# Where the command asks the compiler for statistics, what the optimiser was given of each module.
stats=$(printf '%s\n' "$@" | grep -A2 -x -e -stats-output-dir | tail -n 1 || true)
if [[ -n $stats ]]; then
    "$root/Scripts/module-costs.py" "$stats" >"$root/.build/costs/modules.tsv"
fi
