#!/usr/bin/env bash
# uritemplate 4.2.0 (PyPI) and the literals of a template (RFC 6570 §3.1).
#
# Guess before the run: what stands outside the braces and is no URI character is copied as the percent-encoded triplets of its UTF-8, as §3.1
# says; a triplet that is there stays.
# Seen: blanks, letters beyond ASCII, "<" and a bare "%" are copied as they are, so that the result of a valid template is no URI.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check uritemplate==4.2.0
cat >"$folder/try.py" <<'END'
import uritemplate

for template in ("/a b/{x}", "/caf\u00e9/{x}", "/%7Ea/{x}"):
    print(ascii(template), "->", ascii(uritemplate.expand(template, x="1")))
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
'/a b/{x}' -> '/a b/1'
'/caf\xe9/{x}' -> '/caf\xe9/1'
'/%7Ea/{x}' -> '/%7Ea/1'
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
