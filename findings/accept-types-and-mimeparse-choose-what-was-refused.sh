#!/usr/bin/env bash
# Four valid Accept fields in accept-types 0.4.1 and python-mimeparse 2.0.0 (PyPI), beside WebOb 1.8.11 (RFC 9110 §12.4.2, §12.5.1, §8.3.1).
#
# Guess before the run: accept-types ignores q=0; python-mimeparse fails at an empty element of the list; a comma within quotation marks
# parts a media range in both.
# Seen: accept-types chooses the type that `q=0` refuses, and the one with q=0.2 before that with 0.9 where a blank stands in front of the
# semicolon. Both compare types by case, so that `TEXT/HTML` is no text/html. python-mimeparse reads empty elements, and raises at the
# quoted comma; accept-types takes a type with q=0.1 there. A server that negotiates by them sends what its client said it cannot use.
#
# Installs the packages into a temporary environment; nothing is asked of a network. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check accept-types==0.4.1 python-mimeparse==2.0.0 WebOb==1.8.11
cat >"$folder/try.py" <<'END'
import accept_types
import mimeparse
import webob.acceptparse

OFFERS = ["text/html", "application/json"]
FIELDS = [
    "text/html;q=0, */*",
    "text/html;q=0.2, application/json ;q=0.9",
    "TEXT/HTML, application/json;q=0.3",
    'text/html;level="1,2";q=0.1, application/json',
]
READERS = {
    "WebOb": lambda field: webob.acceptparse.create_accept_header(field).acceptable_offers(OFFERS)[0][0],
    "accept-types": lambda field: accept_types.get_best_match(field, OFFERS),
    "mimeparse": lambda field: mimeparse.best_match(OFFERS, field),
}
for field in FIELDS:
    print(field)
    for name, choose in READERS.items():
        try:
            seen = choose(field)
        except mimeparse.MimeTypeParseException as error:
            seen = f"{type(error).__name__}: {error}"
        print(f"  {name}: {seen}")
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
text/html;q=0, */*
  WebOb: application/json
  accept-types: text/html
  mimeparse: application/json
text/html;q=0.2, application/json ;q=0.9
  WebOb: application/json
  accept-types: text/html
  mimeparse: application/json
TEXT/HTML, application/json;q=0.3
  WebOb: text/html
  accept-types: application/json
  mimeparse: application/json
text/html;level="1,2";q=0.1, application/json
  WebOb: application/json
  accept-types: text/html
  mimeparse: MimeTypeParseException: Can't parse type "2";q=0.1"
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
