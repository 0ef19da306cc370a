#!/usr/bin/env bash
# Runs a command that builds or runs tests. Of what goes well it says how far it is and how it ended; of a failure, everything.
#
#     Scripts/show-failures.sh swift test --filter Redirect
#
# All that the command writes stands in .build/logs; with VERBOSE=1 it is shown as well.
set -euo pipefail

mkdir -p .build/logs
# Of a command like `swift test --skip-build --skip A`: its words until the first option.
name=$(printf '%s\n' "$@" | awk '/^-/ { exit } { printf "%s%s", (NR > 1 ? "-" : ""), $0 }' | tr -c 'A-Za-z0-9_.-' '_')
log=$(mktemp ".build/logs/${name:-command}-XXXXXX.log")
find .build/logs -name '*.log' -mtime +7 -delete

# What a test with a known issue says, and one that begins or has passed: an argument may hold line ends, and anything behind
# them. Where its last line does not come, because the process ended there, a failure or a crash ends it.
passes_over='
    inside != "" && plain ~ /^(◇|✔|✘|➜|━) |Fatal error: |Program crashed|error: Process / { inside = "" }
    plain ~ /^━ (Test|Suite) / && plain !~ /^━ Test run with / { next }
    inside != "" { if (plain ~ inside) inside = ""; next }
    plain ~ /^◇ Test / && plain !~ / started\.$/ { inside = " started\\.$"; next }
    plain ~ /^✔ Test / && plain !~ / passed after [0-9.]+ seconds\.$/ { inside = " passed after [0-9.]+ seconds\\.$"; next }
'

echo "$* (log: $log)"
status=0
if [[ -n ${VERBOSE:-} ]]; then
    "$@" 2>&1 | tee "$log" || status=${PIPESTATUS[0]}
else
    # A line for every 500 tests and for every 200 steps of a build, the first warnings, and each failure as it comes.
    "$@" 2>&1 | tee "$log" | awk '
        { plain = $0; gsub(/\033\[[0-9;]*m/, "", plain) }
        '"$passes_over"'
        plain ~ /^(✔|✘|━) Test run with / { print plain; next }
        plain ~ /^◇ / { next }
        plain ~ /^✔ Test / { if (++ended % 500 == 0) { print "  " ended " tests passed"; fflush() } next }
        plain ~ /^➜ / { if (plain ~ / skipped/) skipped++; next }
        plain ~ /^✘ / { if (failed++ < 20) { print; fflush() } next }
        plain ~ /^\[[0-9]+\/[0-9]+\] / { if (++steps % 200 == 0) { split(plain, part, " "); print "  " part[1] " built"; fflush() } next }
        plain ~ /(warning|error): / { if (told++ < 20) { print; fflush() } }
        END { if (skipped) print "  " skipped " skipped tests or cases are in the log" }
    ' || status=${PIPESTATUS[0]}
fi
# A filter that fits no test, or a runner that was not asked for them, must not look like tests that pass. Its last line begins
# with another sign where a test had a known issue.
if [[ $status -eq 0 && " $* " == *" test "* ]] && ! grep -qE '^.{0,9}(✔|━).{0,9} Test run with [1-9][0-9]* test' "$log"; then
    echo "  no test ran: does a test have the name that --filter says? (log: $log)" >&2
    exit 1
fi
if [[ $status -eq 0 ]]; then
    echo "  went well in $SECONDS s"
    exit 0
fi

echo
echo "What failed, from $log:"
# A failure's detail goes on until another line of the runner; of a crash, the beginning says where it was.
awk '
    function keep(line) { if (kept < 2000) { print line; kept++ } }
    { plain = $0; gsub(/\033\[[0-9;]*m/, "", plain) }
    '"$passes_over"'
    plain ~ /^(✘|━) Test run with / { closing = $0; left = 0; next }
    plain ~ /error: Process .* exited with / { sub(/^.*error: Process/, "error: Process"); closing = $0; next }
    # A test that begins or has passed: its name and its arguments may hold anything.
    plain ~ /^(◇|✔) / { left = 0; next }
    plain ~ /(^|: )error: / { keep($0); left = 10; next }
    plain ~ /^✘ / { keep($0); left = 60; next }
    plain ~ /Fatal error: |Program crashed/ { keep($0); left = 0; next }
    plain ~ /^Thread [0-9]+ .*crashed:/ { keep($0); left = 20; next }
    plain ~ /^(◇|✔|⚠|➜|↻|⚙|Test Suite |Test Case |\[[0-9]+\/[0-9]+\] )/ { left = 0 }
    left > 0 { keep($0); left-- }
    END { if (closing != "") print closing }
' "$log"
exit "$status"
