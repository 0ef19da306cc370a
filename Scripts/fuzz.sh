#!/usr/bin/env bash
# Builds the fuzz targets and runs each of them, several at a time, until its time is over or something is found.
# Inputs that reach new code are kept below .build/fuzz/corpus for the next run; findings below .build/fuzz/findings.
set -euo pipefail
cd "$(dirname "$0")/.."

# Each target, its program, and the longest input worth trying; what is longer meets a limit and little else.
table="request-reader FuzzRequestReader 2048
reply-reader FuzzReplyReader 2048
http2 FuzzHTTP2 2048
http3 FuzzHTTP3 2048
qpack FuzzQPACK 2048
quic FuzzQUIC 2048
quic-packets FuzzQUICPackets 1024
tls FuzzTLS 2048
websocket FuzzWebSocket 2048
socks FuzzSOCKS 2048
ntlm FuzzNTLM 2048
negotiate FuzzNegotiate 2048
dns FuzzDNS 2048
scenario FuzzScenario 8192
url FuzzURL 512
fields FuzzFields 512
credentials FuzzCredentials 512
cookies FuzzCookies 2048
forms FuzzForms 2048
events FuzzEvents 2048
notation FuzzNotation 1024
script FuzzScript 1024
trace FuzzTrace 2048
decoder FuzzDecoder 2048
archives FuzzArchives 2048
json FuzzJSON 1024
pointer FuzzPointer 1024
expressions FuzzExpressions 1024
protobuf FuzzProtobuf 4096
schema FuzzSchema 1024
markdown FuzzMarkdown 2048
import FuzzImport 4096"

usage() {
    echo "usage: $0 [SECONDS [TARGET ...]]" >&2
    echo "  SECONDS  for each target (default 600)" >&2
    echo "  TARGET   $(cut -d ' ' -f 1 <<<"$table" | paste -s -d ' ') (default all)" >&2
    echo "  FUZZ_JOBS=N runs N targets at a time (default: one for each core)" >&2
    exit 2
}

seconds=${1:-600}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || usage
shift $(($# > 0 ? 1 : 0))
targets=("$@")
[[ ${#targets[@]} -gt 0 ]] || read -r -d '' -a targets < <(cut -d ' ' -f 1 <<<"$table") || true

# The word of a target's row: 2 is its program, 3 its longest input.
word_of() { awk -v target="$1" -v word="$2" '$1 == target { print $word; found = 1 } END { exit !found }' <<<"$table"; }

for target in "${targets[@]}"; do word_of "$target" 2 >/dev/null || usage; done
work=${FUZZ_FOLDER:-.build/fuzz}
# Swift's own report of a crash would take the signal from libFuzzer, and with it the input.
export SWIFT_BACKTRACE=enable=no
# Leaks are for `make test-asan`: memory that a library gets outside of malloc, and bits that Swift keeps in a pointer, hide what is held.
export ASAN_OPTIONS=detect_leaks=0
# Of two `--sanitize` the compiler takes the last, and SwiftPM gives them in any order; so both are one word, which comes last.
build=(swift build --package-path Fuzz --scratch-path "$work/build" --configuration release --sanitize fuzzer
    -Xswiftc -sanitize=address,fuzzer -Xswiftc -gnone --disable-index-store)
# Of all the server is a part; most of those that are named need less.
if [[ ${#targets[@]} -lt $(wc -l <<<"$table") ]]; then
    for target in "${targets[@]}"; do "${build[@]}" --product "$(word_of "$target" 2)"; done
else
    "${build[@]}"
fi
programs=$("${build[@]}" --show-bin-path)

run() {
    local target=$1
    local corpus="$work/corpus/$target" findings="$work/findings/$target" log="$work/$target.log"
    mkdir -p "$corpus" "$findings"
    # A trap of Swift and a failed check both end the process; an input may take five seconds and 2 GiB at most, with what the address
    # sanitizer holds back.
    local code=0
    "$programs/$(word_of "$target" 2)" -max_total_time="$seconds" -timeout="${FUZZ_TIMEOUT:-5}" -rss_limit_mb=2048 -detect_leaks=0 \
        -max_len="$(word_of "$target" 3)" -dict="Fuzz/Dictionaries/$target.dict" -print_final_stats=1 \
        -artifact_prefix="$findings/" "$corpus" "Fuzz/Seeds/$target" >"$log" 2>&1 || code=$?
    if [[ $code -eq 72 ]]; then
        echo "$target: interrupted; nothing found until then" >&2
        return 1
    elif [[ $code -eq 0 ]]; then
        local coverage runs speed
        coverage=$(sed -n 's/.*DONE .*cov: \([0-9]*\) ft: \([0-9]*\).*/\1 edges, \2 features/p' "$log" | tail -n 1)
        runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
        speed=$(sed -n 's/^stat::average_exec_per_sec: *//p' "$log")
        echo "$target: nothing found in $seconds s; $runs runs, $speed a second; $coverage"
    else
        echo "$target: FOUND SOMETHING; the input is in $findings, the end of $log says what:" >&2
        grep -a -m 1 -B 2 -A 12 -e '==finding==' -e 'ERROR: libFuzzer' -e 'ERROR: AddressSanitizer' -e 'Fatal error' "$log" >&2 || tail -n 20 "$log" >&2
        echo "again: $programs/$(word_of "$target" 2) $findings/NAME" >&2
        return 1
    fi
}

jobs=${FUZZ_JOBS:-$(getconf _NPROCESSORS_ONLN)}
failed=0
# The eldest is waited for, since `wait -n` is not in the bash 3.2 of macOS; all of them take the same time.
running=()
for target in "${targets[@]}"; do
    if [[ ${#running[@]} -ge $jobs ]]; then
        wait "${running[0]}" || failed=1
        running=("${running[@]:1}")
    fi
    run "$target" &
    running+=("$!")
done
for process in "${running[@]}"; do wait "$process" || failed=1; done
exit "$failed"
