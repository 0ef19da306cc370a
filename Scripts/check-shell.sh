#!/usr/bin/env bash
# Checks that every script parses and begins by refusing to go on after an error.
set -euo pipefail
cd "$(dirname "$0")/.."

failed=0
for script in Scripts/*.sh .ci/run; do
    bash -n "$script" || failed=1
    if ! grep -q '^set -euo pipefail' "$script"; then
        echo "$script: 'set -euo pipefail' is missing" >&2
        failed=1
    fi
done
exit "$failed"
