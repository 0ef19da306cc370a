#!/usr/bin/env bash
# Builds the fuzz targets and runs each of them, several at a time, until its time is over or something is found.
# Inputs that reach new code are kept below .build/fuzz/corpus for the next run; findings below .build/fuzz/findings.
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    echo "usage: $0 [SECONDS [TARGET ...]]" >&2
    echo "  SECONDS  for each target (default 600)" >&2
    echo "  TARGET   request-reader, reply-reader, http2, websocket, socks, ntlm, negotiate, dns, scenario, url, fields, credentials, cookies, forms, events, notation, script, trace, decoder, archives, json, pointer, expressions, schema or import (default all)" >&2
    echo "  FUZZ_JOBS=N runs N targets at a time (default: one for each core)" >&2
    exit 2
}

seconds=${1:-600}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || usage
shift $(($# > 0 ? 1 : 0))
targets=("$@")
[[ ${#targets[@]} -gt 0 ]] || targets=(request-reader reply-reader http2 websocket socks ntlm negotiate dns scenario url fields credentials cookies forms events notation script trace decoder archives json pointer expressions schema import)

program_of() {
    case $1 in
        request-reader) echo FuzzRequestReader ;;
        reply-reader) echo FuzzReplyReader ;;
        http2) echo FuzzHTTP2 ;;
        http3) echo FuzzHTTP3 ;;
        qpack) echo FuzzQPACK ;;
        websocket) echo FuzzWebSocket ;;
        socks) echo FuzzSOCKS ;;
        ntlm) echo FuzzNTLM ;;
        dns) echo FuzzDNS ;;
        negotiate) echo FuzzNegotiate ;;
        scenario) echo FuzzScenario ;;
        url) echo FuzzURL ;;
        fields) echo FuzzFields ;;
        credentials) echo FuzzCredentials ;;
        cookies) echo FuzzCookies ;;
        forms) echo FuzzForms ;;
        events) echo FuzzEvents ;;
        notation) echo FuzzNotation ;;
        script) echo FuzzScript ;;
        trace) echo FuzzTrace ;;
        decoder) echo FuzzDecoder ;;
        archives) echo FuzzArchives ;;
        json) echo FuzzJSON ;;
        pointer) echo FuzzPointer ;;
        expressions) echo FuzzExpressions ;;
        schema) echo FuzzSchema ;;
        import) echo FuzzImport ;;
        *) usage ;;
    esac
}

# The longest input worth trying; what is longer meets a limit and little else.
longest_of() {
    case $1 in
        request-reader | reply-reader | http2 | http3 | qpack | websocket | socks | ntlm | negotiate | dns) echo 2048 ;;
        scenario) echo 8192 ;;
        url | fields | credentials) echo 512 ;;
        forms | cookies | events) echo 2048 ;;
        notation | script | json | pointer | expressions | schema) echo 1024 ;;
        trace | decoder | archives) echo 2048 ;;
        import) echo 4096 ;;
    esac
}

for target in "${targets[@]}"; do program_of "$target" >/dev/null || usage; done
work=${FUZZ_FOLDER:-.build/fuzz}
# Swift's own report of a crash would take the signal from libFuzzer, and with it the input.
export SWIFT_BACKTRACE=enable=no
build=(swift build --package-path Fuzz --scratch-path "$work/build" --configuration release --sanitize fuzzer)
"${build[@]}"
programs=$("${build[@]}" --show-bin-path)

run() {
    local target=$1
    local corpus="$work/corpus/$target" findings="$work/findings/$target" log="$work/$target.log"
    mkdir -p "$corpus" "$findings"
    # A trap of Swift and a failed check both end the process; an input may take five seconds and 1 GiB at most.
    local code=0
    "$programs/$(program_of "$target")" -max_total_time="$seconds" -timeout="${FUZZ_TIMEOUT:-5}" -rss_limit_mb=1024 \
        -max_len="$(longest_of "$target")" -dict="Fuzz/Dictionaries/$target.dict" -print_final_stats=1 \
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
        grep -a -m 1 -B 2 -A 12 -e '==finding==' -e 'ERROR: libFuzzer' -e 'Fatal error' "$log" >&2 || tail -n 20 "$log" >&2
        echo "again: $programs/$(program_of "$target") $findings/NAME" >&2
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
