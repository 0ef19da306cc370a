#!/bin/sh
# Runs an adapter with its client as PyPI has it, by the list ../current/NAME.txt: proctor_current.sh NAME ADAPTER [ARGUMENTS].
# proctor_environment.sh says where the client stands.
set -eu
here=$(dirname "$(readlink -f "$0")")
name=$1 runs=$2 adapter=$2
shift 2
# A client that PyPI alone has goes by its name.
if [ -e "$here/$runs@current" ]; then adapter=$runs@current; fi
. "$here/proctor_environment.sh"
exec "$here/$runs" "$@"
