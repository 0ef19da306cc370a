#!/usr/bin/env bash
# An authorization endpoint with a query (RFC 6749 §3.1), in requests_oauth2client 1.8.0.
#
# Guess before the run: the query "MUST be retained when adding additional query parameters", so `?tenant=a` stands beside the parameters.
# Seen: the parameters of the request take the place of the query, and the server no longer learns the tenant.
#
# Installs the package into a temporary environment; nothing is asked. Exits 1 where the behaviour has changed.
set -euo pipefail

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install -q --disable-pip-version-check requests_oauth2client==1.8.0 requests==2.34.2
cat >"$folder/try.py" <<'END'
import sys
import urllib.parse

from requests_oauth2client import OAuth2Client

client = OAuth2Client(
    "https://login.example/token", ("app", "secret"), authorization_endpoint="https://login.example/authorize?tenant=a",
    redirect_uri="https://app.example/callback")
url = str(client.authorization_request(scope="read"))
names = sorted(urllib.parse.parse_qs(urllib.parse.urlsplit(url).query))
print("parameters of the URL:", *names)
sys.exit("tenant" in names)
END
"$folder/python/bin/python" "$folder/try.py"
