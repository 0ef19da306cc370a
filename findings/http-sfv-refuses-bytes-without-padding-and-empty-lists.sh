#!/usr/bin/env bash
# Two valid structured fields in http-sfv 0.9.9 (PyPI), beside http-sf 1.5.0 (RFC 9651 §4.2, §4.2.7; RFC 8941 the same).
#
# Guess before the run: `:aGVsbG8:`, a byte sequence without its padding, is "hello", since parsers should not fail at it unless their base64
# cannot be set otherwise; a field with an empty value is an empty List or Dictionary (§4.2).
# Seen: http-sfv raises a ValueError without a text at all three. http-sf, its successor, reads them. A Digest or Signature field whose writer leaves
# the padding out is lost in the one and right in the other.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check http-sfv==0.9.9 http-sf==1.5.0
cat >"$folder/try.py" <<'END'
import http_sf, http_sfv

for kind, value in (("item", b":aGVsbG8=:"), ("item", b":aGVsbG8:"), ("list", b""), ("dictionary", b"")):
    field = {"item": http_sfv.Item, "list": http_sfv.List, "dictionary": http_sfv.Dictionary}[kind]()
    try:
        field.parse(value)
        seen = "read"
    except ValueError as error:
        seen = repr(error)
    print(kind, value, "| http-sfv:", seen, "| http-sf:", http_sf.parse(value, tltype=kind))
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
item b':aGVsbG8=:' | http-sfv: read | http-sf: (b'hello', {})
item b':aGVsbG8:' | http-sfv: ValueError() | http-sf: (b'hello', {})
list b'' | http-sfv: ValueError() | http-sf: []
dictionary b'' | http-sfv: ValueError() | http-sf: {}
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
