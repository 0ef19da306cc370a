#!/bin/sh
# Runs an adapter by the Deno or Bun of PATH, or where there is none by that of ../current/NAME.txt, of which proctor_current.sh says where
# it stands: proctor_runtime.sh deno|bun ADAPTER [ARGUMENTS].
set -eu
here=$(dirname "$(readlink -f "$0")")
tool=$1 adapter=$2
command -v "$tool" >/dev/null || exec "$here/proctor_current.sh" "$@"
shift 2
# They read no settings of their user, and Deno does not ask for a newer version.
export DENO_NO_UPDATE_CHECK=1
case $tool in
    deno) options="run --allow-all --no-config --no-lock --quiet" ;;
    *) options="--config=/dev/null --no-install --no-env-file" ;;
esac
# shellcheck disable=SC2086 # a list of words
exec "$tool" $options "$here/src/$adapter.mjs" "$@"
