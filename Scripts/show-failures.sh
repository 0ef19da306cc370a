#!/usr/bin/env bash
# Runs a command that runs tests and, when it fails, repeats what failed, so that it stands at the end of a long log.
#
#     Scripts/show-failures.sh swift test --filter Redirect
set -euo pipefail

log=$(mktemp)
trap 'rm -f "$log"' EXIT

status=0
"$@" 2>&1 | tee "$log" || status=${PIPESTATUS[0]}
[[ $status -ne 0 ]] || exit 0

echo
echo "What failed, from the log above:"
# A failure's detail goes on until another line of the runner; of a crash, the beginning says where it was.
awk '
    function keep(line) { if (kept < 2000) { print line; kept++ } }
    { plain = $0; gsub(/\033\[[0-9;]*m/, "", plain) }
    plain ~ /^✘ Test run with / { closing = $0; left = 0; next }
    plain ~ /error: Process .* exited with / { sub(/^.*error: Process/, "error: Process"); closing = $0; next }
    plain ~ /^error: / { closing = $0; left = 0; next }
    plain ~ /^✘ / { keep($0); left = 60; next }
    plain ~ /Fatal error: |Program crashed/ { keep($0); left = 0; next }
    plain ~ /^Thread [0-9]+ .*crashed:/ { keep($0); left = 20; next }
    plain ~ /^(◇|✔|⚠|➜|↻|⚙|Test Suite |Test Case |\[[0-9]+\/[0-9]+\] )/ { left = 0 }
    left > 0 { keep($0); left-- }
    END { if (closing != "") print closing }
' "$log"
exit "$status"
