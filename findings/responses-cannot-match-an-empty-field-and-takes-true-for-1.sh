#!/usr/bin/env bash
# responses 0.26.3 (PyPI), the matchers of a form and of JSON.
#
# Guess before the run: a form with an empty field is matched by a matcher with an empty value (the URL standard's urlencoded parser keeps it), and
# {"a": true} is not {"a": 1} (RFC 8259 §3 has them as different values).
# Seen: no matcher with "" can match, since the request's empty fields are dropped before the comparison; the same form matches the matcher that has
# no such field, so that a test cannot tell "a=" from nothing. And true passes for 1, as False does for 0.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check responses==0.26.3 requests==2.34.2 urllib3==2.8.0
cat >"$folder/try.py" <<'END'
import requests, responses
from responses import matchers

URL = "http://a.test/"
for name, matcher, sent in (
    ("a= for a=''", matchers.urlencoded_params_matcher({"a": "", "b": "1"}), {"data": {"a": "", "b": "1"}}),
    ("a= for nothing", matchers.urlencoded_params_matcher({"b": "1"}), {"data": {"a": "", "b": "1"}}),
    ("true for true", matchers.json_params_matcher({"a": True}), {"json": {"a": True}}),
    ("true for 1", matchers.json_params_matcher({"a": 1}), {"json": {"a": True}}),
    ("2 for 1", matchers.json_params_matcher({"a": 1}), {"json": {"a": 2}}),
):
    with responses.RequestsMock(assert_all_requests_are_fired=False) as mock:
        mock.add("POST", URL, match=[matcher])
        try:
            requests.post(URL, **sent)
            print(name, "matches")
        except requests.ConnectionError:
            print(name, "does not match")
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
a= for a='' does not match
a= for nothing matches
true for true matches
true for 1 matches
2 for 1 does not match
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
