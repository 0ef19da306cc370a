#!/usr/bin/env bash
# Four valid Link fields in linkheader_parser 0.6, httplink 0.2.0 and the function of requests 2.34.2 behind `response.links` (PyPI), beside
# LinkHeader 0.4.3 (RFC 8288 §3, §3.3 and §3.4.1; RFC 8187 §3.2.1).
#
# Guess before the run: requests takes ", <" within quotation marks for the end of a link; of two `rel` all take the last one, although those
# behind the first must be ignored; nobody has trouble with `title*`.
# Seen: requests as guessed. linkheader_parser gives the first target under the name `prev` where two links stand in the field and the first
# `rel` has no quotation marks, and nothing where a second `rel` follows it; LinkHeader takes the first of two, the others the last. httplink
# refuses `title*` in the only form that RFC 8187 gives it. Whoever pages through a list by `next` ends early, or turns round.
#
# Installs the packages into a temporary environment; nothing is asked of a network. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check linkheader_parser==0.6 httplink==0.2.0 requests==2.34.2 LinkHeader==0.4.3
cat >"$folder/try.py" <<'END'
import httplink
import link_header
import linkheader_parser
import requests.utils

FIELDS = [
    '<https://a.example/2>; rel=next, <https://a.example/0>; rel="prev"',
    '<https://a.example/2>; rel=next; rel=last',
    '<https://a.example/2>; rel="next"; title="from <y>, <z>"',
    "<https://a.example/2>; rel=\"next\"; title*=UTF-8''%e2%82%ac",
]
READERS = {
    "LinkHeader": lambda text: [(link.href, link.rel) for link in link_header.parse(text).links],
    "linkheader_parser": lambda text: [(link["url"], name) for name, link in linkheader_parser.parse(text).items()],
    "httplink": lambda text: [(link.target, *sorted(link.rel)) for link in httplink.parse_link_header(text).links],
    "requests": lambda text: [(link["url"], link.get("rel")) for link in requests.utils.parse_header_links(text)],
}
for field in FIELDS:
    print(field)
    for name, read in READERS.items():
        try:
            seen = " ".join("/".join(map(str, link)).removeprefix("https://a.example/") for link in read(field)) or "nothing"
        except ValueError as error:
            seen = f"ValueError: {error}"
        print(f"  {name}: {seen}")
END
seen=$("$folder/python/bin/python3" "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
<https://a.example/2>; rel=next, <https://a.example/0>; rel="prev"
  LinkHeader: 2/next 0/prev
  linkheader_parser: 2/prev
  httplink: 2/next 0/prev
  requests: 2/next 0/prev
<https://a.example/2>; rel=next; rel=last
  LinkHeader: 2/next
  linkheader_parser: nothing
  httplink: 2/last
  requests: 2/last
<https://a.example/2>; rel="next"; title="from <y>, <z>"
  LinkHeader: 2/next
  linkheader_parser: 2/next
  httplink: 2/next
  requests: 2/next z/None
<https://a.example/2>; rel="next"; title*=UTF-8''%e2%82%ac
  LinkHeader: 2/next
  linkheader_parser: 2/next
  httplink: ValueError: Bad extended value: "UTF-8''%e2%82%ac"
  requests: 2/next
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
