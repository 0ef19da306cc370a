#!/usr/bin/env bash
# Falcon 4.4.0 (PyPI) and the optional white space of a part's header fields (RFC 9110 §5.5, RFC 5322 §2.2; RFC 7578 §4.8 refers to MIME).
#
# Guess before the run: `Content-Disposition:form-data; name="a"` is the same field as with a blank behind the colon.
# Seen: without the blank, and where the field is folded (RFC 5322 §2.2.3), the part has no name: `part.name` is None, nothing is raised, and the
# value is there. An application that looks for "a" finds no field.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check falcon==4.4.0
cat >"$folder/try.py" <<'END'
import io

FIELD = b'--b\r\nContent-Disposition: form-data; name="a"\r\n\r\nvalue\r\n'
END = b"--b--\r\n"

from falcon.media import MultipartFormHandler

for name, part in {
    "blank": FIELD,
    "none": FIELD.replace(b": form-data", b":form-data"),
    "folded": FIELD.replace(b"; name", b";\r\n name"),
}.items():
    body = part + END
    form = MultipartFormHandler().deserialize(io.BytesIO(body), "multipart/form-data; boundary=b", len(body))
    print(name, [(part.name, part.text) for part in form])
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
blank [('a', 'value')]
none [(None, 'value')]
folded [(None, 'value')]
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
