#!/usr/bin/env bash
# boltons 26.2.0 (PyPI), URL.navigate() and the examples of RFC 3986 §5.4.1.
#
# Guess before the run: the normal examples with a reference of the same scheme give what the RFC says, as in yarl, hyperlink and rfc3986.
# Seen: all but one do. "//g" against "http://a/b/c/d;p?q" gives "http://g/b/c/d;p?q": the host is new, path and query are those of the base, and
# the RFC has "http://g". A Location or link of the form "//host" leads to a page of the old site's path.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check boltons==26.2.0
cat >"$folder/try.py" <<'END'
from boltons.urlutils import URL

BASE = "http://a/b/c/d;p?q"
EXAMPLES = '''g http://a/b/c/g|./g http://a/b/c/g|g/ http://a/b/c/g/|/g http://a/g|//g http://g|?y http://a/b/c/d;p?y|g?y http://a/b/c/g?y
#s http://a/b/c/d;p?q#s|g#s http://a/b/c/g#s|g?y#s http://a/b/c/g?y#s|;x http://a/b/c/;x|g;x http://a/b/c/g;x|g;x?y#s http://a/b/c/g;x?y#s
. http://a/b/c/|./ http://a/b/c/|.. http://a/b/|../ http://a/b/|../g http://a/b/g|../.. http://a/|../../ http://a/|../../g http://a/g'''
examples = [example.split(" ") for example in EXAMPLES.replace("\n", "|").split("|")]
wrong = [(reference, URL(BASE).navigate(reference).to_text(), wanted) for reference, wanted in examples]
print(len(examples), "references;", *[f"{a}: {b}, wanted {c}" for a, b, c in wrong if b.rstrip("/") != c.rstrip("/")])
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
21 references; //g: http://g/b/c/d;p?q, wanted http://g
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
