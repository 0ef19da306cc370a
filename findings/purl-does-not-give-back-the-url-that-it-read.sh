#!/usr/bin/env bash
# purl 1.6 (PyPI), URL(text).as_string() without a change.
#
# Guess before the run: what was read is written: the library calls itself an immutable URL class.
# Seen: the scheme of mailto: and urn: is lost, the parameters behind a semicolon in the path are lost, an address of IPv6 is cut at its first
# colon, and an empty password is dropped. RFC 3986 §3.2.2 has the brackets, §3.3 the semicolon.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check purl==1.6
cat >"$folder/try.py" <<'END'
import purl

for url in ("http://a.test/b?c=1#d", "mailto:a@b.test", "urn:isbn:1", "http://a.test/b;v=1", "http://[::1]/a"):
    print(url, "->", purl.URL(url).as_string())
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
http://a.test/b?c=1#d -> http://a.test/b?c=1#d
mailto:a@b.test -> a@b.test
urn:isbn:1 -> isbn:1
http://a.test/b;v=1 -> http://a.test/b
http://[::1]/a -> http://[/a
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
