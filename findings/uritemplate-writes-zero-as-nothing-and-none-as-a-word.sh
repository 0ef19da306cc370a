#!/usr/bin/env bash
# uritemplate 4.2.0 (PyPI) and values that are false in Python (RFC 6570 §2.3, §3.2.1).
#
# Guess before the run: {?page} with page=0 gives "?page=0"; a None within a list or a mapping is undefined and left out, as a None alone is.
# Seen: 0 gives "?page=", an empty value, so that the first page of a list that counts from 0 is asked with no number. A None in a list gives the
# word "None", and so does one in a mapping. The string "0" is right.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check uritemplate==4.2.0
cat >"$folder/try.py" <<'END'
import uritemplate

for template, value in (("{?page}", 0), ("{?page}", "0"), ("{?page}", 1), ("{page}", None), ("{page}", [None, "a"]),
                        ("{?page*}", {"a": None, "b": "1"})):
    print(template, repr(value), "->", uritemplate.expand(template, page=value))
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
{?page} 0 -> ?page=
{?page} '0' -> ?page=0
{?page} 1 -> ?page=1
{page} None -> 
{page} [None, 'a'] -> None,a
{?page*} {'a': None, 'b': '1'} -> ?a=None&b=1
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
