#!/usr/bin/env bash
# Werkzeug 3.1.9 (PyPI), parse_options_header() and both forms of a file name (RFC 6266 §4.3, RFC 8187).
#
# Guess before the run: `filename*` wins whichever stands first: recipients "SHOULD pick filename* and ignore filename".
# Seen: the one that stands last wins, so that the order decides between the name and its ASCII fallback. aiohttp gives filename* for both orders.
# Appendix D of RFC 6266 advises senders to write filename first, but names no order for readers.
#
# Installs the packages into a temporary environment; what it asks is on loopback. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check werkzeug==3.1.9 aiohttp==3.14.5
cat >"$folder/try.py" <<'END'
import werkzeug.http
from aiohttp.multipart import content_disposition_filename, parse_content_disposition

for field in ('attachment; filename="EURO.txt"; filename*=UTF-8\'\'%e2%82%ac.txt',
              'attachment; filename*=UTF-8\'\'%e2%82%ac.txt; filename="EURO.txt"'):
    print(field)
    print("  werkzeug", ascii(werkzeug.http.parse_options_header(field)[1]))
    print("  aiohttp", ascii(content_disposition_filename(parse_content_disposition(field)[1])))
END
seen=$("$folder/python/bin/python3" -W ignore "$folder/try.py")
echo "$seen"
wanted=$(cat <<'END'
attachment; filename="EURO.txt"; filename*=UTF-8''%e2%82%ac.txt
  werkzeug {'filename': '\u20ac.txt'}
  aiohttp '\u20ac.txt'
attachment; filename*=UTF-8''%e2%82%ac.txt; filename="EURO.txt"
  werkzeug {'filename': 'EURO.txt'}
  aiohttp '\u20ac.txt'
END
)
[[ $seen == "$wanted" ]] || { echo "this is not what was seen before" >&2; exit 1; }
