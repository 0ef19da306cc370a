#!/usr/bin/env bash
# url-normalize 3.1.0 (PyPI) and what RFC 3986 §6.2.2 lets a normaliser change.
#
# Guess before the run: case, dot segments, the default port and triplets of unreserved characters are normalised; "//" within a path stays, and so
# does everything that is reserved (§2.2: replaced, it makes a URI that is not equivalent).
# Seen: "/b//c" becomes "/b/c"; an equals sign behind a semicolon is encoded and %27 is decoded, both of which are reserved. A crawler that keys by
# the result takes different pages for one, and asks for one that nobody linked to.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check url-normalize==3.1.0
cat >"$folder/try.py" <<'END'
from url_normalize import url_normalize

for url in ("http://A.test:80/%7eb/../c", "http://a.test/b//c", "http://a.test/b?x=1;y=2", "http://a.test/b?x=%27"):
    print(url, "->", url_normalize(url))
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
http://A.test:80/%7eb/../c -> http://a.test/c
http://a.test/b//c -> http://a.test/b/c
http://a.test/b?x=1;y=2 -> http://a.test/b?x=1;y%3D2
http://a.test/b?x=%27 -> http://a.test/b?x='
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
